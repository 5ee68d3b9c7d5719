import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUTTON_KINDS } from "../../../panel/document/renderer.ts";
import { pageContact } from "../../../panel/session/page-contact.ts";
import { PageSound, writeSilence } from "../../../panel/session/page-sound.ts";
import { Learnt } from "../../../src/host/learnt.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";
import { HeldPorts } from "../held-ports.ts";
import { Page } from "../page.ts";

/** A page whose elements have their size only after a while, and its trials. */
function tried(page: Page) {
  const [clock, learnt] = [new SetClock(), new Learnt(null)];
  const sound = new PageSound({ document: page, clock, learnt });
  const trials = pageContact({ document: page, clock, learnt, sound, silence: async () => "/films/silence.wav" });
  const run = (name: string) => trials.find((one) => one.name === name)?.run();
  return { clock, learnt, sound, run };
}

const videos = (page: Page) => page.body.children.filter(({ name }) => name === "video");

/** A page on which Adobe's controls can take the focus. */
class WidgetPage extends Page {
  override createElement(name: string) {
    const made = super.createElement(name);
    if (name.startsWith("sp-")) made.setAttribute("tabindex", "0");
    return made;
  }
}

/** What UXP's elements are, by the kind of button. */
const ELEMENT = { box: "div", "sp-action-button": "sp-action-button", button: "button" } as const;

test("buttons are of the first kind that takes focus and size; all is tried where nothing is left, and the focus is back", async () => {
  const refuses = fc.subarray([...BUTTON_KINDS]);
  await fc.assert(
    fc.asyncProperty(refuses, refuses, async (focusless, sizeless) => {
      const page = new WidgetPage();
      page.refusesFocus.clear();
      page.sizesItself.clear();
      for (const kind of focusless) page.refusesFocus.add(ELEMENT[kind]);
      for (const kind of sizeless) page.sizesItself.add(ELEMENT[kind]);
      const field = page.createElement("input");
      page.body.appendChild(field);
      field.focus();
      const before = page.body.children.length;
      const { clock, learnt, run } = tried(page);
      const answer = run("buttons");
      await turns();
      // Nothing is looked at before the page has laid it out.
      await clock.pass(50);
      expect([learnt.recall("button"), page.body.children.length]).toEqual([undefined, before + 1]);
      await clock.pass(1000);
      const { outcome, seen } = (await answer) ?? { outcome: "", seen: "" };
      const wanted = BUTTON_KINDS.find((kind) => !focusless.includes(kind) && !sizeless.includes(kind)) ?? "button";
      expect([learnt.recall("button"), outcome]).toEqual([wanted, wanted === "button" ? "differs" : "usual"]);
      for (const kind of BUTTON_KINDS)
        expect(seen).toContain(`${kind} ${sizeless.includes(kind) ? "of a size" : "as large"}`);
      expect([page.body.children.length, page.activeElement]).toEqual([before, field]);
    }),
    { numRuns: 40 },
  );
});

test.each([
  [0, "box"],
  [2, "box"],
  [-2, "box"],
  [3, "button"],
  [-3, "button"],
])("a control that is %i pixels larger than it is asked to be: %s", async (by, wanted) => {
  for (const side of ["clientWidth", "clientHeight"] as const) {
    const page = new Page();
    const createElement = page.createElement.bind(page);
    page.createElement = (name) => {
      const made = createElement(name);
      const size = () =>
        Number(new RegExp(`${side.slice(6).toLowerCase()}: (\\d+)px`).exec(made.attributes["style"] ?? "")?.[1]);
      if (name === "div") Object.defineProperty(made, side, { get: () => size() + by });
      return made;
    };
    const { clock, learnt, run } = tried(page);
    const answer = run("buttons");
    await clock.pass(1000);
    await answer;
    expect(learnt.recall("button"), side).toBe(wanted);
  }
});

describe("sound in the page", () => {
  test.each([
    ["by its address", (address: string) => address.startsWith("file:"), "file"],
    ["by its path", (address: string) => address.startsWith("/"), "path"],
    ["in no form", () => false, "none"],
  ])("%s is found by trying all, and whatever was tried is put away", async (_, playsSound, form) => {
    const page = new Page();
    page.playsSound = playsSound;
    const { clock, learnt, run } = tried(page);
    const answer = run("sound");
    // What plays says so a moment later.
    await new Promise((next) => setTimeout(next, 100));
    await clock.pass(1000);
    await answer;
    expect([learnt.recall("sound"), videos(page)]).toEqual([form, []]);
  });

  test("is taken for silent only when its time is over, and then for good; whatever event tells of it counts", async () => {
    for (const event of ["timeupdate", "timeUpdate"]) {
      const page = new Page();
      const { clock, learnt, sound } = tried(page);
      learnt.keep("sound", "path");
      let heard: boolean | null = null;
      void sound.play("/a.wav").then((is) => (heard = is));
      await clock.pass(1400);
      expect(heard).toBeNull();
      const [element] = videos(page);
      if (element !== undefined) element.currentTime = 0.2;
      element?.happens(event);
      await turns();
      expect(heard).toBe(true);
      // Another sound takes its place.
      void sound.play("/b.wav");
      await turns();
      expect(videos(page).map(({ attributes }) => attributes["src"])).toEqual(["/b.wav"]);
      await clock.pass(1600);
      expect(await sound.play("/c.wav")).toBe(false);
      await sound.stop();
    }
  });
});

test("a moment of silence is a whole file before its path is given, closed whatever happens, and made once", async () => {
  const written: Uint8Array[] = [];
  const steps: string[] = [];
  const writer = {
    write: async (_: number, bytes: ArrayBuffer) => void written.push(new Uint8Array(bytes)),
    close: async () => void steps.push("closed"),
  };
  const make = (ports: HeldPorts, size: number | null) => {
    const files = { size: async () => size, openWriter: async () => ports.wrap(writer) };
    return ports.wrap(files) as unknown as Parameters<typeof writeSilence>[0];
  };
  const ports = new HeldPorts();
  expect(await ports.settlesLast(() => writeSilence(make(ports, null), "/s.wav"))).toBeNull();
  const [bytes = new Uint8Array()] = written;
  expect([new TextDecoder().decode(bytes.subarray(0, 4)), bytes.length > 2 * 16_000]).toEqual(["RIFF", true]);
  expect(steps).toEqual(["closed"]);
  expect(ports.calls).toEqual(["size", "openWriter", "write", "close"]);
  expect(await ports.settlesLast(() => writeSilence(make(ports, null), "/s.wav"), 2)).toBeInstanceOf(Error);
  expect(steps).toEqual(["closed", "closed"]);
  await ports.settlesLast(() => writeSilence(make(ports, 32_044), "/s.wav"));
  expect(written).toHaveLength(2);
});
