import { describe, expect, test } from "vitest";
import { pageWords } from "../../page/page-words.ts";
import type { Child } from "../../panel/document/element.ts";
import type { PanelState } from "../../panel/state/panel-state.ts";
import { madeBrowser } from "./made-browser.ts";
import { buttonsOf, elementsOf, pageActions, press, textOf } from "./page-actions.ts";

/** What is used of the page's part; it is of a browser, whose types these tests do without. */
interface ServiceModule {
  readonly ServiceView: new (desk: object, actions: object) => { draw(state: PanelState): readonly Child[] };
}
const browser = madeBrowser();
const { ServiceView }: ServiceModule = await import(String(new URL("../../page/service-view.ts", import.meta.url)));

describe("the service on its page", () => {
  const KEPT = {
    version: "1.0.0",
    new_version: null,
    media: { count: 1, bytes: 1 },
    results: { count: 1, bytes: 1 },
    free_bytes: 1,
    retention: { media_days: 1, result_days: null },
    keys: [
      { id: "key_1", name: "Panel", is_administrator: false },
      { id: "key_2", name: "", is_administrator: true },
    ],
  };

  /** The view, looked at; every part of it open. */
  async function view(change: object = {}, found: object = {}) {
    const page = pageActions();
    const asks: string[] = [];
    const tell =
      (what: string, answer: unknown) =>
      async (...args: readonly unknown[]) => {
        asks.push([what, ...args].join(" "));
        return answer;
      };
    const desk = page.ports.wrap({
      state: tell("state", { ...KEPT, ...change }),
      newKey: tell("newKey", { key: "aside_secret" }),
      newPairingCode: tell("newPairingCode", { code: "123456", expires_seconds: 120 }),
      withdrawKey: tell("withdrawKey", undefined),
      log: tell("log", { lines: ["one", "two"], ...found }),
      examine: tell("examine", {
        findings: [
          { name: "disk", state: "good", detail: "fine" },
          { name: "voice", state: "bad", detail: "silent" },
          { name: "model", state: "warning", detail: "slow" },
        ],
      }),
      backUp: tell("backUp", { objects: 7, bytes: 1000, folder: "/backups/a" }),
    });
    const shown = new ServiceView(desk, page.actions);
    const draw = () => shown.draw(page.session.state);
    const parts = ["disk", "keys", "health", "backup", "log"].map((id) => `service-${id}`);
    page.session.store.set({ openSections: parts });
    await page.act(draw);
    return { ...page, asks, draw };
  }

  test("is asked what it keeps when it first comes into sight, and again after each change; that failing is told", async () => {
    const { asks, draw, act, session } = await view();
    expect([asks, buttonsOf(draw())]).toEqual([
      ["state"],
      expect.arrayContaining(["withdraw-key_1", "withdraw-key_2"]),
    ]);
    for (const id of ["withdraw-key_2", "show-log", "pairing-code"]) {
      asks.length = 0;
      await act(() => press(draw(), id));
      expect([asks.length, asks.at(-1)]).toEqual([2, "state"]);
      session.store.set({ message: null });
      await act(() => press(draw(), id), 1);
      expect(session.state.message?.isFault, id).toBe(true);
    }
  });

  test("a key is withdrawn before that is said, and not said where it fails", async () => {
    const { asks, draw, act, said: told, session } = await view();
    await act(() => press(draw(), "withdraw-key_1"), 0);
    expect([told, session.state.message?.isFault]).toEqual([[], true]);
    await act(() => press(draw(), "withdraw-key_1"));
    expect([asks.filter((one) => one.startsWith("withdraw")), told.length]).toEqual([
      ["withdrawKey key_1", "withdrawKey key_1"],
      1,
    ]);
    expect(told[0]).toContain("Panel");
  });

  test("a key is made for a name, shown and never said aloud", async () => {
    const { asks, draw, act, said: told } = await view();
    expect(() => press(draw(), "make-key")).toThrow("no button");
    const field = elementsOf(draw()).find(({ properties }) => properties["id"] === "key-name");
    const type = field?.properties["oninput"];
    if (typeof type === "function")
      type({ target: { value: " Panel " }, currentTarget: { value: " Panel " } } as never);
    await act(() => press(draw(), "make-key"));
    expect(asks).toContain("newKey Panel");
    expect([textOf(draw()).includes("aside_secret"), told.join().includes("aside_secret")]).toEqual([true, false]);
    // The name is used up: none is made twice by a second press.
    const after = draw()
      .flatMap(elementsOf)
      .find(({ properties }) => properties["id"] === "key-name");
    expect(after?.properties["value"]).toBe("");
    expect(() => press(draw(), "make-key")).toThrow("no button");
  });

  test("a code for a panel is shown as long as it counts", async () => {
    const { draw, act } = await view();
    await act(() => press(draw(), "pairing-code"));
    await browser.clock.pass(119_999);
    expect(textOf(draw())).toContain("123 456");
    await browser.clock.pass(1);
    expect(textOf(draw())).not.toContain("123 456");
  });

  test("what is asked for long is said as it begins and ends, cannot be asked twice, and is there again where it failed", async () => {
    for (const [id, end] of [
      ["examine", /voice.*model/s],
      ["back-up", /7.*\/backups\/a/s],
    ] as const) {
      // biome-ignore format: two
      const { draw, act, said: told, session } = await view();
      let meanwhile: readonly string[] = [];
      const waits = id === "examine" ? pageWords.examining : pageWords.backingUp;
      expect(textOf(draw())).not.toContain(waits);
      await act(async () => {
        press(draw(), id);
        meanwhile = buttonsOf(draw());
        expect(textOf(draw())).toContain(waits);
        expect(() => press(draw(), id)).toThrow("no button");
      });
      expect(meanwhile).toContain(id);
      expect(textOf(draw())).not.toContain(waits);
      expect([told.length, told[1], textOf(draw())]).toEqual([
        2,
        expect.stringMatching(end),
        expect.stringMatching(end),
      ]);
      await act(() => press(draw(), id), 0);
      expect([session.state.message?.isFault, told.length]).toEqual([true, 3]);
      // It can be asked again.
      await act(() => press(draw(), id));
      expect(told).toHaveLength(5);
    }
  });

  test("what is kept, for how long, and that there is a newer version stand there", async () => {
    const kept = {
      media: { count: 3, bytes: 2_000_000 },
      results: { count: 5, bytes: 4_000_000 },
      free_bytes: 7_000_000_000,
    };
    const shown = async (change: object = {}) => textOf((await view({ ...kept, ...change })).draw());
    const now = await shown();
    expect(now).toMatch(/3 films?.*2(?:\.0)? MB.*5 results?.*4(?:\.0)? MB.*7(?:\.0)? GB/s);
    expect(now).toMatch(/1 day\b.*ever/s);
    expect(await shown({ retention: { media_days: null, result_days: 30 } })).toMatch(/ever.*30 days/s);
    expect(now).not.toMatch(/2\.0\.0|null|1\.0\.0/);
    expect(await shown({ new_version: "2.0.0" })).toMatch(/2\.0\.0.*1\.0\.0/s);
  });

  test("keys are told apart by name or number, those that may do more say so, and none is none", async () => {
    const { draw } = await view();
    const shown = textOf(draw());
    expect(shown).toMatch(/Panel · key_1\n/);
    expect(shown).toMatch(/key_2 · key_2 · may change settings\n/);
    const labels = draw()
      .flatMap(elementsOf)
      .map(({ properties }) => properties["aria-label"]);
    expect(labels.filter((label) => String(label).startsWith("Revoke"))).toEqual(["Revoke: Panel", "Revoke: key_2"]);
    const namesakes = ["key_1", "key_2"].map((id) => ({ id, name: "Panel", is_administrator: false }));
    const twice = (await view({ keys: namesakes })).draw().flatMap(elementsOf);
    const told = twice
      .map(({ properties }) => String(properties["aria-label"]))
      .filter((label) => /^Revoke/.test(label));
    expect([told.length, new Set(told).size]).toEqual([2, 2]);
    expect([shown, textOf((await view({ keys: [] })).draw())].map((text) => /^None\.$/m.test(text))).toEqual([
      false,
      true,
    ]);
  });

  test("the lines of the log are shown, and how many there are is said; none is told too", async () => {
    const some = await view();
    await some.act(() => press(some.draw(), "show-log"));
    expect([textOf(some.draw()).includes("one\ntwo"), some.said]).toEqual([true, ["2 lines."]]);
    // It is longer than it is shown: the keys reach it.
    const lines = some
      .draw()
      .flatMap(elementsOf)
      .find(({ name }) => name === "pre");
    expect(lines?.properties).toMatchObject({ tabindex: "0", "aria-label": expect.stringMatching(/\S/) });
    const none = await view({}, { lines: [] });
    await none.act(() => press(none.draw(), "show-log"));
    expect([textOf(none.draw()).includes("No warnings or errors."), none.said]).toEqual([
      true,
      ["No warnings or errors."],
    ]);
  });

  test("each thing that was examined stands there with how it is; what is amiss alone is said", async () => {
    const { draw, act, said } = await view();
    await act(() => press(draw(), "examine"));
    expect(textOf(draw())).toMatch(/✓ disk: fine\n✕ voice: silent\n⚠ model: slow/);
    const classes = draw()
      .flatMap(elementsOf)
      .filter(
        (one) =>
          /^. (?:disk|voice|model): /.test(textOf(one)) && one.children.every((child) => typeof child === "string"),
      )
      .map(({ properties }) => properties["class"]);
    expect(classes).toEqual(["line", "fault", "warning"]);
    expect(said.at(-1)).toBe("voice: silent. model: slow");
  });

  test("its parts open and close, each by itself", async () => {
    const { draw, act, did } = await view();
    const toggles = draw()
      .flatMap(elementsOf)
      .map(({ properties }) => String(properties["id"]))
      .filter((id) => id.startsWith("section-service-"));
    expect(toggles).toHaveLength(5);
    for (const id of toggles) await act(() => press(draw(), id));
    const toggled = toggles.map((id) => `formController.toggleSection ["${id.replace("section-", "")}"]`);
    expect(did).toEqual(toggled);
  });
});
