import { describe, expect, test } from "vitest";
import { type Faults, NO_FAULTS } from "../fakes/premiere/faults.ts";
import type { SequenceState } from "../fakes/premiere/state.ts";
import { thoroughTest } from "../thorough-test.ts";
import { sequenceOf } from "./controllers/conform/recut.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

/** What a switch makes of the journey: nothing that the editor would notice, or a sentence that they read. */
type Ending = "done" | RegExp;

/** Every switch of the double in every position but the one of good health. A new switch is no type without a line here. */
const SWITCHES: { readonly [Name in keyof Faults]: readonly (readonly [Faults[Name], Ending])[] } = {
  version: [
    ["26.5", "done"],
    ["26.2", /did not name the new track/],
    ["25.6", /did not name the new track/],
  ],
  platform: [["Windows", "done"]],
  mediaPaths: [["long", "done"]],
  staleness: [["await", "done"]],
  expireAt: [
    [1, "done"],
    [40, "done"],
  ],
  export: [
    ["true without a file", /there is no file/],
    ["empty file", /the file is empty/],
    ["cancelled", /cancelled there, or refused/],
    ["fails", /could not export/],
    ["disk full", /not enough room on the disk/],
    ["wrong length", /s long instead of/],
  ],
  // Met on a way of its own: `test/host/premiere/encoder-queue.test.ts`.
  encoder: [
    ["works", "done"],
    ["refuses", "done"],
  ],
  failingPreset: [["p.epr", /the preset does not fit/]],
  importDelay: [
    [3, "done"],
    [Number.POSITIVE_INFINITY, /does not show in the project/],
  ],
  unicodeForm: [["NFD", "done"]],
  reimport: [["nothing", "done"]],
  overwrite: [
    ["nothing", "done"],
    ["first track", /laid the narration on "Audio 1"/],
  ],
  insert: [["nothing", "done"]],
  markers: [["ripple", "done"]],
  noVideoIndex: [["refused", "done"]],
  selection: [["never", "done"]],
  emptyTransaction: [["false", "done"]],
  // What follows is met on other ways than this journey.
  deleteSequence: [["nothing", "done"]],
  converters: [
    ["true without a file", "done"],
    ["refuse", "done"],
  ],
  sourceMonitor: [["refuses", "done"]],
  mute: [["returns false", "done"]],
  transaction: [
    [{ at: 1, how: "returns false" }, /not wholly as planned|undo it or try again/],
    [{ at: 1, how: "throws" }, /not wholly as planned|undo it or try again/],
  ],
  // The third is missed by nobody, the fourth lays the narration.
  droppedAction: [
    [3, "done"],
    [4, /not wholly as planned|undo it or try again/],
  ],
  displayCodes: [
    ["constants", "done"],
    ["unknown", "done"],
  ],
  wrongCast: [["throws", "done"]],
  missingTrack: [["throws", "done"]],
};

const journeys = Object.entries(SWITCHES).flatMap(([name, positions]) =>
  positions.map(([position, ending]) => [name, JSON.stringify(position) ?? "", position, ending] as const),
);

/** What of a sequence is not ours. A track of ours stays, for nothing in Premiere removes one. */
const others = ({ videoTracks, audioTracks, markers }: SequenceState, tracks: readonly number[]) => ({
  videoTracks,
  audioTracks: audioTracks.filter(({ id }) => tracks.includes(id)),
  markers: markers.filter(({ name }) => !name.startsWith("AD ")),
});

/** How many descriptions and clips of ours lie on the sequence. */
function ours(panel: PanelOnDoubles): readonly number[] {
  const { markers, audioTracks } = sequenceOf(panel);
  const clips = audioTracks.flatMap(({ items }) => items.filter(({ name }) => name.startsWith("aside-")));
  return [markers.filter(({ name }) => name.startsWith("AD ")).length, clips.length];
}

/** Waits until something is so, or the editor is told of a fault; gives what they are told, "" where nothing is wrong. */
async function untilSo(panel: PanelOnDoubles, isSo: () => boolean): Promise<string> {
  let told = "";
  await expect
    .poll(
      () => {
        const message = panel.page().find("message");
        told = message?.className.includes("is-fault") === true ? message.said : "";
        return told !== "" || isSo();
      },
      { interval: 5 },
    )
    .toBe(true);
  return told;
}

/** Half a minute passes before Premiere's word for a file that never comes is given up. */
const isSlow = (ending: Ending) => ending !== "done" && /file/.test(ending.source);

describe.each(journeys)("with %s at %s", (name, _, position, ending) => {
  (isSlow(ending) ? thoroughTest : test)("the journey ends well, and the editor is told what went wrong", async () => {
    const panel = await panelOnDoubles();
    const { faults, machine, user } = panel.premiere;
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    const tracks = sequenceOf(panel).audioTracks.map(({ id }) => id);
    const before = others(sequenceOf(panel), tracks);
    const areOthersKept = () => shown(others(sequenceOf(panel), tracks)) === shown(before);
    Object.assign(faults, { [name]: position });
    const told: string[] = [];
    /** Goes a step of the way. Where the editor is told of a fault, they undo what was done, Premiere gets well, and it is gone again. */
    const step = async (go: () => Promise<void> | void, isDone: () => boolean) => {
      const steps = machine.undoStack.length;
      await go();
      const sentence = await untilSo(panel, isDone);
      if (sentence === "") return;
      told.push(sentence);
      await expect.poll(() => panel.page().find("stop-placing"), { interval: 5 }).toBeNull();
      if (isDone()) return;
      Object.assign(faults, NO_FAULTS);
      while (machine.undoStack.length > steps) user.undo();
      panel.page().click("dismiss");
      await go();
      expect(await untilSo(panel, isDone)).toBe("");
    };
    await step(
      async () => {
        panel.page().click("tab-describe");
        await panel.order();
      },
      () => panel.page().find("cue-count")?.textContent.startsWith("2 cues") === true,
    );
    await step(
      async () => {
        await expect.poll(() => panel.page().find("place"), { interval: 5 }).not.toBeNull();
        panel.page().click("place");
      },
      () => panel.page().find("take-back") !== null && ours(panel).join() === "2,1" && areOthersKept(),
    );
    expect(told).toEqual(ending === "done" ? [] : [expect.stringMatching(ending)]);
    panel.page().click("take-back");
    await expect.poll(() => ours(panel), { interval: 5 }).toEqual([0, 0]);
    expect(others(sequenceOf(panel), tracks)).toEqual(before);
    expect(machine.violations).toEqual([]);
  });
});

/** State as text: ticks are no numbers of JSON. */
function shown(state: object): string {
  return JSON.stringify(state, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
