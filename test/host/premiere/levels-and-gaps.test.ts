import { expect, test } from "vitest";
import type { LevelOrder } from "../../../src/host/editor.ts";
import { clipsOn } from "../../../src/host/premiere/answers.ts";
import { effectNames } from "../../../src/host/premiere/change-levels.ts";
import { openSequence } from "../../../src/host/premiere/open-sequence.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { callLines, traced } from "../../../src/host/premiere/traced-premiere.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { UNITY_GAIN } from "../../fakes/premiere/components.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import type { TrackItemState } from "../../fakes/premiere/state.ts";
import { openSample } from "./open-premiere.ts";

function open(faults: Partial<Faults> = {}) {
  const world = new MemoryWorld();
  const clock = new InstantClock();
  const premiere = openSample({}, { world, faults, now: () => clock.now() });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock,
    files: world,
    presets: { list: async () => [] },
    newFile: async () => "/aside/export.wav",
  });
  return { premiere, host, world };
}

const { signal } = new AbortController();
const sequenceOf = ({ premiere }: ReturnType<typeof open>) =>
  premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);

/** Eleven keyframes on the sample's first sound, one more than a transaction takes, and another gain for its second. */
const ORDER: LevelOrder = {
  sequenceId: SAMPLE_SEQUENCE_ID,
  label: "Duck",
  note: { name: "duck", text: "what was done" },
  changes: [
    {
      trackIndex: 1,
      clipIndex: 0,
      gain: 1,
      points: Array.from({ length: 11 }, (_, index) => ({ at: index + 0.5, gain: 0.125 })),
    },
    { trackIndex: 2, clipIndex: 0, gain: 0.5, points: [] },
  ],
};

test.each(["commit", "await"] as const)(
  "volumes are changed in as few parameters a step as Premiere bears, and read back: handles expire at each %s",
  async (staleness) => {
    const under = open({ staleness });
    const { host, premiere } = under;
    expect(await host.readLevels(SAMPLE_SEQUENCE_ID)).toEqual([
      { trackIndex: 1, clipIndex: 0, sourceId: "item-media", gain: UNITY_GAIN, points: [] },
      { trackIndex: 2, clipIndex: 0, sourceId: "item-music", gain: UNITY_GAIN, points: [] },
    ]);
    const before = sequenceOf(under);
    expect(await host.changeLevels(ORDER, { signal })).toMatchObject({ outcome: "done", differences: [] });
    const [sound, music] = await host.readLevels(SAMPLE_SEQUENCE_ID);
    expect(sound).toMatchObject({ gain: null, points: ORDER.changes[0]?.points });
    expect(music).toMatchObject({ gain: 0.5, points: [] });
    expect(await host.readNote(SAMPLE_SEQUENCE_ID, "duck")).toBe("what was done");
    expect(premiere.machine.violations).toEqual([]);
    const back = ORDER.changes.map((change) => ({ ...change, points: [], gain: UNITY_GAIN }));
    await host.changeLevels({ ...ORDER, changes: back, note: { name: "duck", text: "" } }, { signal });
    expect(sequenceOf(under)).toEqual(before);
  },
);

test("no more than a hundred clips are asked for their volumes between two looks at a track", async () => {
  const { premiere } = open();
  premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", ({ audioTracks: [track], ...sequence }) => ({
    ...sequence,
    audioTracks: (track === undefined ? [] : [track]).map((one) => ({
      ...one,
      items: Array.from({ length: 201 }, (_, index) => {
        const [start, end] = [BigInt(index), BigInt(index + 1)].map((place) => place * sequence.ticksPerFrame);
        return { ...(one.items[0] as TrackItemState), id: `part-${index}`, start: start ?? 0n, end: end ?? 0n };
      }),
    })),
  }));
  const module = traced(premiere.module);
  const host = new PremiereHost({
    premiere: module,
    clock: new InstantClock(),
    files: new MemoryWorld(),
    presets: { list: async () => [] },
    newFile: async () => "/aside/export.wav",
  });
  const levels = await host.readLevels(SAMPLE_SEQUENCE_ID);
  expect(levels.map(({ clipIndex }) => clipIndex)).toEqual(Array.from({ length: 201 }, (_, index) => index));
  // Twice for each hundred, and for the last one.
  expect(callLines(module)).toContainEqual(expect.stringMatching(/^Sequence\.getAudioTrack 6\//));
});

test("all effects of a clip are known by their names", async () => {
  const { premiere } = open();
  const { module } = premiere;
  const reference = { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID };
  const { sequence } = await openSequence(module, reference);
  const [clip] = await clipsOn(module, await sequence.getAudioTrack(0));
  if (clip === undefined) throw new Error("the sample holds a sound");
  expect(await effectNames(await clip.getComponentChain())).toEqual([
    "Internal Volume Stereo",
    "Internal Channel Volume Stereo",
  ]);
});

test("what is kept of a change of volumes is there before the first keyframe", async () => {
  const { host } = open({ transaction: { at: 2, how: "throws" } });
  const report = await host.changeLevels(ORDER, { signal });
  expect(report).toMatchObject({ outcome: "partial" });
  expect(report.differences.join()).toContain("2 volumes are not as planned");
  expect(await host.readNote(SAMPLE_SEQUENCE_ID, "duck")).toBe("what was done");
});

test("a keyframe that Premiere drops without a word is told", async () => {
  const { host } = open({ droppedAction: 6 });
  const report = await host.changeLevels(ORDER, { signal });
  expect(report.differences).toEqual(["1 volume is not as planned"]);
});

test.each(["commit", "await"] as const)(
  "gaps open on every track where they were planned, and leave nothing behind: handles expire at each %s",
  async (staleness) => {
    const under = open({ staleness });
    const { host, premiere, world } = under;
    const gap = (at: number) => ({ at, seconds: 2, path: `/aside/hold-${at}.wav` });
    for (const at of [1, 8]) world.addSound(gap(at).path, 2);
    const before = sequenceOf(under);
    const order = { sequenceId: SAMPLE_SEQUENCE_ID, label: "Hold", gaps: [gap(1), gap(8)] };
    expect(await host.openGaps(order, { signal })).toMatchObject({ outcome: "done", differences: [] });
    const after = sequenceOf(under);
    const frames = ({ items }: (typeof after.videoTracks)[number]) =>
      items.map(({ start, end, inPoint }) => [start, end, inPoint].map((ticks) => Number(ticks / after.ticksPerFrame)));
    const parted = [
      [0, 25, 0],
      [75, 250, 25],
      [300, 1600, 200],
    ];
    expect([...after.videoTracks, ...after.audioTracks.slice(0, 1)].map(frames)).toEqual([parted, parted]);
    expect(after.audioTracks.slice(before.audioTracks.length).map(({ name, items }) => [name, items])).toEqual([
      ["Audio description", []],
    ]);
    expect(premiere.machine.violations).toEqual([]);
  },
);

test("every track that does not open is told, of picture and of sound", async () => {
  const { premiere, host, world } = open();
  world.addSound("/aside/hold-50.wav", 2);
  premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Lock", (sequence) => ({
    ...sequence,
    videoTracks: sequence.videoTracks.map((track) => ({ ...track, isLocked: true })),
    audioTracks: sequence.audioTracks.map((track) => ({ ...track, isSyncLockOff: true })),
  }));
  const gaps = [{ at: 1, seconds: 2, path: "/aside/hold-50.wav" }];
  const report = await host.openGaps({ sequenceId: SAMPLE_SEQUENCE_ID, label: "Hold", gaps }, { signal });
  expect(report.outcome).toBe("partial");
  const told = report.differences.flatMap((sentence) => /^"(.*)" did not open for the holds/.exec(sentence)?.[1] ?? []);
  expect(told).toEqual(["Video 1", "Audio 1", "Audio 2"]);
});

test("silence that Premiere does not take away again is counted, whichever gaps it opened", async () => {
  const { host, world } = open({ transaction: { at: 5, how: "returns false" } });
  const gaps = [2, 1, 2].map((seconds, index) => {
    const path = `/aside/hold-${seconds}.wav`;
    world.addSound(path, seconds);
    return { at: 1 + 5 * index, seconds, path };
  });
  const report = await host.openGaps({ sequenceId: SAMPLE_SEQUENCE_ID, label: "Hold", gaps }, { signal });
  expect(report.differences).toContain('3 silent clips lie on "Audio 3" still: remove by hand');
});

test("without its silent sound no gap is opened", async () => {
  const under = open();
  const before = sequenceOf(under);
  const gaps = [{ at: 1, seconds: 2, path: "/aside/gone.wav" }];
  const order = { sequenceId: SAMPLE_SEQUENCE_ID, label: "Hold", gaps };
  await expect(under.host.openGaps(order, { signal })).rejects.toMatchObject({ code: "file_not_found" });
  expect(sequenceOf(under)).toEqual(before);
});
