import { describe, expect, test } from "vitest";
import { words } from "../../panel/words/words.ts";
import { turns } from "../fakes/set-clock.ts";
import { jobEntry } from "../panel/session-in-memory.ts";
import { madeBrowser } from "./made-browser.ts";
import { pageActions, press, textOf } from "./page-actions.ts";

/** What is used of the page's part; it is of a browser, whose types these tests do without. */
interface PartModule {
  readonly FilmPart: new (editor: object, actions: object) => { draw(state: object): Parameters<typeof textOf>[0] };
}

const browser = madeBrowser();
const { FilmPart }: PartModule = await import(String(new URL("../../page/film-part.ts", import.meta.url)));

describe("choosing the film of the page", () => {
  /** The part where a film is chosen, with an editor that takes as long as the test says. */
  function partOf() {
    const page = pageActions();
    const going = Promise.withResolvers<void>();
    const chosen: { signal?: AbortSignal; tell?: (fraction: number) => void } = {};
    const editor = {
      choose: async (_: object, signal: AbortSignal, tell: (fraction: number) => void) => {
        Object.assign(chosen, { signal, tell });
        signal.addEventListener("abort", () => going.reject(signal.reason));
        await going.promise;
      },
    };
    const part = new FilmPart(editor, page.actions);
    const drop = (name: string) =>
      browser.document.happens("drop", { preventDefault: () => undefined, dataTransfer: { files: [{ name }] } });
    const draw = () => part.draw(page.session.state);
    return { ...page, chosen, going, drop, draw };
  }
  const SEQUENCE = { ...jobEntry().sequence, name: "harbour" };

  test("it is sent as it is dropped: how far it is is shown and said at quarters, and it is said when it is there", async () => {
    const { session, said, did, chosen, going, drop, draw, ports } = partOf();
    drop("harbour.mp4");
    await ports.letGo();
    expect(did.map((one) => one.split(" ")[0])).toEqual(["panelController.go"]);
    const told = said.length;
    for (const share of [0.1, 0.2, 0.3, 0.31, 0.55, 0.8, 0.99]) chosen.tell?.(share);
    expect([said.length - told, textOf(draw())]).toEqual([3, expect.stringMatching(/harbour\.mp4.*99/)]);
    // All of it is there: it is looked at.
    chosen.tell?.(1);
    expect([said.length - told, textOf(draw())]).toEqual([4, expect.stringMatching(/harbour\.mp4(?!.*\d %)/)]);
    // One at a time.
    drop("other.mp4");
    await ports.letGo();
    expect(did).toHaveLength(1);
    session.store.set({ sequence: SEQUENCE });
    going.resolve();
    await ports.letGo();
    expect(did).toEqual([
      `panelController.go ["describe"]`,
      // That which was chosen was of the film before.
      `formController.chooseSoundTrack [""]`,
      "panelController.readSequence []",
    ]);
    expect([said.at(-1), textOf(draw()).includes("harbour.mp4")]).toEqual([expect.stringContaining("harbour"), false]);
    drop("next.mp4");
    await ports.letGo();
    expect(did).toHaveLength(6);
  });

  test("what is dropped anywhere is never opened by the browser itself, and what is no file changes nothing", async () => {
    const { did, ports, drop, said } = partOf();
    let prevented = 0;
    const event = { preventDefault: () => void prevented++ };
    browser.document.happens("dragover", event);
    browser.document.happens("drop", { ...event, dataTransfer: null });
    browser.document.happens("drop", { ...event, dataTransfer: { files: [] } });
    await ports.letGo();
    expect([prevented, did, said]).toEqual([3, [], []]);
    drop("harbour.mp4");
    await ports.letGo();
    expect(did).toHaveLength(1);
  });

  test("it is chosen from the computer too, from all kinds of films, and whoever chooses none sends none", async () => {
    const { chosen, draw, ports, did, session } = partOf();
    void press(draw(), "choose-film");
    const field = browser.made.find(({ name }) => name === "input");
    expect([field?.done, String(field?.accept).split(",")]).toEqual([
      ["clicked"],
      expect.arrayContaining(["video/*", ".mxf"]),
    ]);
    field?.happens("cancel");
    await ports.letGo();
    expect([chosen, did]).toEqual([{}, []]);
    // With a film there, another one is chosen in the same way.
    session.store.set({ sequence: SEQUENCE });
    void press(draw(), "choose-film");
    const other = browser.made.findLast(({ name }) => name === "input");
    if (other !== undefined) other.files = [{ name: "other.mp4" }];
    other?.happens("change");
    await ports.letGo();
    expect(chosen.signal?.aborted).toBe(false);
    expect(did[0]).toBe(`panelController.go ["describe"]`);
  });

  test("what is said of it is what the page reads of it, not of the film before", async () => {
    const { session, said, going, drop, ports } = partOf();
    session.store.set({ sequence: { ...SEQUENCE, name: "the film before" } });
    drop("harbour.mp4");
    await ports.letGo();
    going.resolve();
    await turns();
    const told = said.length;
    session.store.set({ sequence: SEQUENCE });
    await ports.letGo();
    expect([said.slice(told), said.join()]).toEqual([
      [expect.stringContaining("harbour")],
      expect.not.stringContaining("the film before"),
    ]);
  });

  test.each([
    ["cancelled", (part: ReturnType<typeof partOf>) => press(part.draw(), "cancel-film"), false],
    ["refused", (part: ReturnType<typeof partOf>) => part.going.reject(new Error("No film.")), true],
  ])("it can be chosen again where it was %s, which is told", async (_, end, isFault) => {
    const part = partOf();
    part.drop("harbour.mp4");
    await part.ports.letGo();
    end(part);
    await part.ports.letGo();
    expect([part.chosen.signal?.aborted, part.session.state.message?.isFault === true]).toEqual([!isFault, isFault]);
    expect(part.did.at(-1)).toMatch(/readSequence/);
    expect(textOf(part.draw())).not.toContain("harbour.mp4");
    if (!isFault) expect(part.said.at(-1)).toBe(words.heard.stopped);
  });
});
