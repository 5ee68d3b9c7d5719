import { expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { UNITY_GAIN } from "../../../fakes/premiere/components.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import type { LevelState, SequenceState, TrackItemState } from "../../../fakes/premiere/state.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { sequenceOf } from "../conform/recut.ts";

const TICKS_PER_SECOND = 254_016_000_000;
/** As far as the programme is lowered at the most: 21 dB. */
const DEEPEST = 10 ** (-21 / 20);

/** Six seconds of one level. */
function levelWav(level: number): Uint8Array {
  const bytes = silentWav(6);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 44; at < bytes.length; at += 2) view.setInt16(at, level, true);
  return bytes;
}

/** A narration under a louder programme: lines from 1 to 2.5 s and from 4 to 5 s, each to be ducked for as far as it goes. */
async function described(panel: PanelOnDoubles): Promise<void> {
  panel.server.wav = levelWav(500);
  panel.rendered.sound = levelWav(2000);
  // The sound's source is 4 s ahead of the sequence, so that the two clocks cannot be taken for each other.
  changeSound(panel, (item) => ({ ...item, inPoint: item.start + 4n * BigInt(TICKS_PER_SECOND) }));
  await panel.describe();
  panel.menu().tick("duck-programme", true);
}

function changeSound(panel: PanelOnDoubles, change: (item: TrackItemState) => TrackItemState): void {
  panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Edit", (sequence) => ({
    ...sequence,
    audioTracks: sequence.audioTracks.map((track) =>
      track.name === "Audio 1" ? { ...track, items: track.items.map(change) } : track,
    ),
  }));
}

const levelsOn = ({ audioTracks }: SequenceState, name: string) =>
  audioTracks.find((track) => track.name === name)?.items.map(({ level }) => level) ?? [];
/** Keyframes as seconds on the source's clock, and as ratios to the gain that the clip had. */
const curve = (level: LevelState | undefined) =>
  (level?.keyframes ?? []).map(({ at, value }) => [Number(at) / TICKS_PER_SECOND, value / UNITY_GAIN]);
const near = (points: readonly (readonly number[])[]) =>
  points.map(([at = 0, gain = 0]) => [expect.closeTo(at, 5), expect.closeTo(gain, 5)]);
/** All of a sequence but what placing lays on it: a track of ours, its markers and what is kept with it. */
const others = ({ audioTracks, videoTracks, markers, ...rest }: SequenceState) => ({
  ...rest,
  properties: null,
  videoTracks,
  audioTracks: audioTracks.filter(({ name }) => name !== NARRATION_TRACK_NAME),
  markers: markers.filter(({ name }) => !name.startsWith("AD ")),
});

async function place(
  panel: PanelOnDoubles,
  says: string | RegExp = "the programme is ducked on 2 clips",
): Promise<void> {
  panel.page().click("place");
  await panel.sees(says);
}

/** Whether the menu offers to take a ducking away, once it has looked. */
const offered = (panel: PanelOnDoubles) => () => !panel.menu().byId("remove-duck").disabled;

async function takeAway(panel: PanelOnDoubles): Promise<void> {
  await expect.poll(offered(panel)).toBe(true);
  panel.page().click("remove-duck");
}

test("placing lowers the editor's own clips under each line, on the clock of their sources", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  await place(panel);
  const wanted = [0.85, 1, 2.5, 3, 3.85, 4, 5, 5.5].map((at, index) => [
    at,
    index % 4 === 1 || index % 4 === 2 ? DEEPEST : 1,
  ]);
  const [sound] = levelsOn(sequenceOf(panel), "Audio 1");
  expect(curve(sound)).toEqual(near(wanted.map(([at = 0, gain = 0]) => [at + 4, gain])));
  const [music] = levelsOn(sequenceOf(panel), "Audio 2");
  expect(curve(music)).toEqual(near(wanted));
  expect(levelsOn(sequenceOf(panel), NARRATION_TRACK_NAME)).toEqual([undefined, undefined]);
  // Our narration was not in what was measured, and is heard again.
  expect(sequenceOf(panel).audioTracks.every(({ isMuted }) => !isMuted)).toBe(true);
  const steps = panel.premiere.machine.undoStack.map(({ label }) => label).filter((label) => label.startsWith("Duck"));
  expect(steps).toEqual([1, 2, 3].map((number) => `Duck the programme (${number} of 3)`));
  expect(panel.premiere.machine.violations).toEqual([]);
});

test("taken back, the timeline is as it was before", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  const before = others(sequenceOf(panel));
  await place(panel);
  panel.page().click("take-back");
  await panel.sees("Undone");
  await expect.poll(() => panel.page().withAttribute("data-action", "take-back")).toEqual([]);
  expect(others(sequenceOf(panel))).toEqual(before);
  expect([...sequenceOf(panel).properties.keys()]).not.toContain("aside.duck");
});

thoroughTest(
  "laid anew it leaves no trace of itself, also on the two halves of a clip that was cut meanwhile",
  async () => {
    const panel = await panelOnDoubles();
    await described(panel);
    await place(panel);
    const [once] = levelsOn(sequenceOf(panel), "Audio 2");
    // A razor leaves both halves with the keyframes of the whole.
    const cut = 60n * sequenceOf(panel).ticksPerFrame;
    panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Razor", (sequence) => ({
      ...sequence,
      audioTracks: sequence.audioTracks.map((track) => ({
        ...track,
        items: track.items.flatMap((item) =>
          track.name === "Audio 1"
            ? [
                { ...item, end: cut },
                { ...item, id: "ti-half", start: cut, inPoint: item.inPoint + cut },
              ]
            : [item],
        ),
      })),
    }));
    await place(panel, "the programme is ducked on 3 clips");
    expect(levelsOn(sequenceOf(panel), "Audio 2")).toEqual([once]);
    const [first, second] = levelsOn(sequenceOf(panel), "Audio 1");
    // Cut at 2.4 s, under the first line: each half begins or ends low.
    expect(curve(first)).toEqual(
      near([
        [4.85, 1],
        [5, DEEPEST],
        [6.4, DEEPEST],
      ]),
    );
    expect(curve(second).slice(0, 3)).toEqual(
      near([
        [6.4, DEEPEST],
        [6.5, DEEPEST],
        [7, 1],
      ]),
    );
    await takeAway(panel);
    await panel.sees("3 clips have their own volume again");
    expect(levelsOn(sequenceOf(panel), "Audio 1")).toEqual([undefined, undefined]);
  },
);

thoroughTest("a clip with keyframes of its own, and one at another speed, are left alone and named", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  const level: LevelState = { gain: 0.1, isVarying: true, keyframes: [{ at: 5n, value: 0.1 }] };
  changeSound(panel, (item) => ({ ...item, level }));
  await place(panel, "ducked on 1 clip.");
  await panel.sees("Left alone, because they have their own keyframes or speed: harbour.mp4 (Audio 1).");
  expect(levelsOn(sequenceOf(panel), "Audio 1")).toEqual([level]);
  changeSound(panel, ({ level: _, ...item }) => ({ ...item, speed: 2 }));
  await place(panel, "ducked on 1 clip.");
  expect(levelsOn(sequenceOf(panel), "Audio 1")).toEqual([undefined]);
});

thoroughTest("keyframes of ours that somebody has changed since stay, and are named", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  await place(panel);
  changeSound(panel, ({ level, ...item }) =>
    level === undefined
      ? item
      : { ...item, level: { ...level, keyframes: level.keyframes.map((one) => ({ ...one, value: 0.05 })) } },
  );
  const mine = levelsOn(sequenceOf(panel), "Audio 1");
  panel.page().click("take-back");
  await panel.sees("Undone, except for what is listed here.");
  expect(panel.page().root.said).toContain("harbour.mp4 (Audio 1)");
  expect(levelsOn(sequenceOf(panel), "Audio 1")).toEqual(mine);
  expect(levelsOn(sequenceOf(panel), "Audio 2")).toEqual([undefined]);
});

thoroughTest("the gain that the editor gave a clip stays below the ducking, and comes back", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  const level: LevelState = { gain: Math.fround(0.05), isVarying: false, keyframes: [] };
  changeSound(panel, (item) => ({ ...item, level }));
  await place(panel);
  const [ducked] = levelsOn(sequenceOf(panel), "Audio 1");
  expect(ducked?.keyframes.map(({ value }) => value / level.gain)).toEqual(
    [1, DEEPEST, DEEPEST, 1, 1, DEEPEST, DEEPEST, 1].map((ratio) => expect.closeTo(ratio, 5)),
  );
  await takeAway(panel);
  await panel.sees("2 clips have their own volume again");
  expect(levelsOn(sequenceOf(panel), "Audio 1")).toEqual([level]);
});

thoroughTest("taking it away is offered only while there is something to take away", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  expect(offered(panel)()).toBe(false);
  await place(panel);
  await expect.poll(offered(panel)).toBe(true);
  // What the editor undoes in Premiere is not offered any more.
  while (panel.premiere.machine.undoStack.at(-1)?.label.startsWith("Duck") === true) panel.premiere.user.undo();
  panel.page().click("menu");
  panel.page().click("menu");
  await expect.poll(offered(panel)).toBe(false);
  await place(panel);
  await takeAway(panel);
  await panel.sees("their own volume again");
  await expect.poll(offered(panel)).toBe(false);
});

thoroughTest("what stopped half way is taken away as well", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  const before = others(sequenceOf(panel));
  await place(panel);
  await takeAway(panel);
  await panel.sees("their own volume again");
  // Of the three steps the third is refused.
  const done = panel.premiere.machine.undoStack.length;
  panel.premiere.faults.transaction = { at: 3, how: "throws" };
  await place(panel, "Only part of it was done on the timeline.");
  expect(panel.premiere.machine.undoStack.length).toBe(done + 2);
  await takeAway(panel);
  await panel.sees("their own volume again");
  expect(others(sequenceOf(panel))).toEqual(before);
});

test("the choice is remembered, and without it nothing is ducked", async () => {
  const panel = await panelOnDoubles();
  await described(panel);
  panel.menu().tick("duck-programme", false);
  await place(panel, "with the narration");
  expect(levelsOn(sequenceOf(panel), "Audio 1")).toEqual([undefined]);
  panel.menu().tick("duck-programme", true);
  panel.close();
  panel.open();
  await panel.sees("Place on timeline");
  expect(panel.menu().byId("duck-programme").checked).toBe(true);
});
