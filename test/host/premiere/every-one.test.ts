import { expect, test } from "vitest";
import { type AddMarker, type EditStep, NARRATION_TRACK_NAME, type PlaceAudio } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/premiere/apply-plan.ts";
import { SAFE_PACE } from "../../../src/host/premiere/pace.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { timelineFromSnapshot } from "../../../src/host/premiere/read-timeline.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

// More than one of each: markers, clips, tracks, gaps.

const { signal } = new AbortController();

function open(pace = SAFE_PACE) {
  const world = new MemoryWorld();
  const clock = new InstantClock();
  const premiere = openSample({}, { world, faults: {}, now: () => clock.now() });
  const apply = (steps: readonly EditStep[]) =>
    applyPlan(
      { premiere: premiere.module, clock, files: world, pace },
      { sequenceId: SAMPLE_SEQUENCE_ID, groups: [{ label: "Place", steps }] },
      { signal },
    );
  const sequence = () => premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
  const host = new PremiereHost({
    ...{ premiere: premiere.module, clock, files: world },
    ...{ presets: { list: async () => [] }, newFile: async () => "/aside/export.wav" },
  });
  return { world, premiere, apply, sequence, host };
}

const markers = (colour: AddMarker["colour"]): AddMarker[] =>
  [0, 1, 2].map((index) => ({
    ...{ kind: "add-marker", cueId: `cue-${index}`, start: 2 * index, duration: 1, colour },
    ...{ name: "AD", comment: "The same words." },
  }));

test("markers that are like those of an earlier plan get colours of their own, and leave the earlier ones theirs", async () => {
  const { apply, sequence } = open();
  await apply(markers("green"));
  const earlier = new Set(sequence().markers.map(({ guid }) => guid));
  const { markerIds } = await apply(markers("cyan"));
  const ours = sequence().markers.filter(({ name }) => name === "AD");
  const colours = (isEarlier: boolean) =>
    ours.filter(({ guid }) => earlier.has(guid) === isEarlier).map(({ colour }) => colour);
  expect(new Set(colours(true)).size).toBe(1);
  expect(colours(false)).toHaveLength(3);
  expect(colours(false)).not.toContain(colours(true)[0]);
  for (const id of Object.values(markerIds)) expect(earlier.has(id)).toBe(false);
});

test("clips of a new track are all named, and all go again, in as many parts as Premiere bears", async () => {
  const { world, apply, sequence, premiere } = open({ ...SAFE_PACE, clipsPerRemoval: 2 });
  const clips = [0, 1, 2, 3, 4].map((index): PlaceAudio => {
    const path = `/aside/file-${index}.wav`;
    world.addSound(path, 1);
    return { kind: "place-audio", path, clipName: `Line ${index}`, start: 2 * index, durationSeconds: 1 };
  });
  expect(await apply(clips)).toMatchObject({ outcome: "done", differences: [] });
  const track = () => sequence().audioTracks.find(({ name }) => name === NARRATION_TRACK_NAME);
  expect(track()?.items.map(({ name }) => name)).toEqual(clips.map(({ clipName }) => clipName));
  const gone = { kind: "remove-audio", clipNames: clips.map(({ clipName }) => clipName) } as const;
  expect(await apply([gone])).toMatchObject({ outcome: "done", differences: [] });
  expect(track()?.items).toEqual([]);
  expect(premiere.machine.violations).toEqual([]);
});

test("a timeline has every track of a sequence, pictures first", async () => {
  const { host, sequence } = open();
  const { tracks } = await host.readTimeline();
  const { videoTracks, audioTracks } = sequence();
  expect(tracks.map(({ kind }) => kind)).toEqual([
    ...videoTracks.map(() => "video"),
    ...audioTracks.map(() => "audio"),
  ]);
  const track = (name: string) => ({ name, isMuted: false, clips: [] });
  const several = timelineFromSnapshot({
    ...{ reference: { projectId: "p", sequenceId: "s" }, name: "cut", ticksPerFrame: 10_160_640_000n },
    ...{ isDropFrame: false, isCountingKnown: true, zeroPoint: 0n, inPoint: null, outPoint: null, end: 0n },
    ...{ frameSize: { width: 1, height: 2 }, markers: [] },
    videoTracks: ["V1", "V2", "V3"].map(track),
    audioTracks: ["A1", "A2"].map(track),
  });
  expect(several.tracks.map(({ kind, name }) => [kind, name])).toEqual([
    ["video", "V1"],
    ["video", "V2"],
    ["video", "V3"],
    ["audio", "A1"],
    ["audio", "A2"],
  ]);
});

test("the progress of gaps goes from one to the next and ends with all of them", async () => {
  const { world, host } = open();
  world.addSound("/aside/hold.wav", 2);
  const gaps = [1, 4, 8].map((at) => ({ at, seconds: 2, path: "/aside/hold.wav" }));
  const fractions: number[] = [];
  const order = { sequenceId: SAMPLE_SEQUENCE_ID, label: "Hold", gaps };
  await host.openGaps(order, { signal, onProgress: ({ fraction }) => fractions.push(fraction ?? 0) });
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  // A step for each gap counts, and two more; what comes behind those leaves it at its end.
  expect(fractions).toEqual([1 / 5, 2 / 5, 3 / 5, 4 / 5, 1, 1]);
});
