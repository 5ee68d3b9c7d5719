import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Timeline, TimelineMarker } from "../../../src/core/timeline.ts";
import { type EditStep, NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { placedSounds, timelineDifferences, timelineEditOf } from "../../../src/host/headless/timeline-edit.ts";
import { locateMedia } from "../../../src/host/headless/timeline-media.ts";
import { silentWav } from "../../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// Several of each: groups, markers, tracks, clips, files.

const sound = (path: string) => ({ location: path, channels: 1, sampleRate: 48_000 });
const marker = (id: string, start: number): TimelineMarker => ({
  ...{ id, start, end: start + 1, name: `AD ${id}`, comment: `Words of ${id}.`, colour: "green" },
});
const clip = (name: string, start: number, end: number) =>
  madeClip(madeMedia(name, { location: `/m/${name}`, hasVideo: false, audioChannels: 1 }), start, end);
const before: Timeline = {
  ...madeTimeline([
    madeTrack("audio", [clip("talk.wav", 0, 30)], { name: "Talk" }),
    madeTrack("audio", [clip("aside-a.wav", 4, 6)], { name: NARRATION_TRACK_NAME }),
    madeTrack("audio", [clip("aside-b.wav", 4, 6), clip("aside-c.wav", 8, 9)], { name: NARRATION_TRACK_NAME }),
  ]),
  markers: ["a", "b", "c"].map((id, index) => marker(id, 2 * index)),
};
const place = (name: string, start: number): EditStep => ({
  ...{ kind: "place-audio", path: `/m/${name}`, clipName: name, start, durationSeconds: 2 },
});
const add = (id: string, start: number): EditStep => ({
  ...{
    kind: "add-marker",
    cueId: id,
    start,
    duration: 1,
    name: `AD ${id}`,
    comment: `Words of ${id}.`,
    colour: "green",
  },
});
const groups: readonly (readonly EditStep[])[] = [
  [add("e", 20), add("d", 10), { kind: "remove-marker", cueId: "b", markerId: "b" }],
  [
    { kind: "change-marker", cueId: "c", markerId: "c", start: 1, name: "Moved" },
    { kind: "change-marker", cueId: "a", markerId: "a", comment: "Other words." },
  ],
  [
    { kind: "remove-audio", clipNames: ["aside-a.wav", "aside-c.wav"] },
    place("aside-d.wav", 5),
    place("aside-e.wav", 4.5),
    place("aside-f.wav", 5.5),
  ],
  [
    { kind: "mute-track", trackIndex: 0, isMuted: true },
    { kind: "mute-track", trackIndex: 2, isMuted: true },
  ],
];
const plan = { sequenceId: "s", groups: groups.map((steps, index) => ({ label: `Part ${index}`, steps })) };

test.each([
  [2, [["aside-c.wav", "aside-a.wav", "aside-b.wav"]]],
  [2.1, [["aside-a.wav", "aside-b.wav"], ["aside-c.wav"]]],
  [5.9, [["aside-a.wav", "aside-b.wav"], ["aside-c.wav"]]],
  [6, [["aside-a.wav", "aside-c.wav", "aside-b.wav"]]],
  [6.1, [["aside-a.wav", "aside-b.wav"], ["aside-c.wav"]]],
  [8.9, [["aside-a.wav", "aside-b.wav"], ["aside-c.wav"]]],
  [9, [["aside-a.wav", "aside-b.wav", "aside-c.wav"]]],
])(
  "a sound of two seconds at %d s lies among our clips where it meets none, else on a track of its own",
  (start, lying) => {
    const clips = [clip("aside-a.wav", 4, 6), clip("aside-b.wav", 8, 9)];
    const timeline = madeTimeline([madeTrack("audio", clips, { name: NARRATION_TRACK_NAME })]);
    const one = { sequenceId: "s", groups: [{ label: "Place", steps: [place("aside-c.wav", start)] }] };
    const placed = applyPlan(timeline, one, sound).timeline.tracks.map((track) => track.clips.map(({ name }) => name));
    expect(placed).toEqual(lying);
  },
);

test("every step of every group of a plan is done", () => {
  const { timeline, markerIds } = applyPlan(before, plan, sound);
  expect(timeline.markers.map(({ id, start, name, comment }) => [id, start, name, comment])).toEqual([
    ["a", 0, "AD a", "Other words."],
    ["c", 1, "Moved", "Words of c."],
    ["d", 10, "AD d", "Words of d."],
    ["e", 20, "AD e", "Words of e."],
  ]);
  expect(markerIds).toEqual({ d: "d", e: "e" });
  expect(timeline.tracks.map(({ isEnabled, clips }) => [isEnabled, clips.map(({ name }) => name)])).toEqual([
    [false, ["talk.wav"]],
    [true, ["aside-d.wav"]],
    // Its place is taken on the first track, and that of the next on both.
    [false, ["aside-b.wav"]],
    [true, ["aside-e.wav"]],
    [true, ["aside-f.wav"]],
  ]);
  for (const markerId of ["b", "gone"]) {
    const steps: EditStep[] = [
      { kind: "remove-marker", cueId: "b", markerId: "b" },
      { kind: "remove-marker", cueId: "b", markerId },
    ];
    expect(() => applyPlan(before, { sequenceId: "s", groups: [{ label: "Remove", steps }] }, sound)).toThrow(
      `there is no marker ${markerId}`,
    );
  }
});

test("a document is changed by every step, and told every difference", () => {
  const { timeline } = applyPlan(before, plan, sound);
  const edit = timelineEditOf(groups.flat(), before, timeline, sound);
  expect(edit.removeMarkers).toEqual(["b"]);
  expect(edit.changeMarkers?.map(({ id }) => id)).toEqual(["a", "c"]);
  expect(edit.addMarkers?.map(({ id }) => id)).toEqual(["d", "e"]);
  expect(edit.muteTracks).toHaveLength(2);
  expect(edit.audio).toMatchObject({
    ownClips: ["aside-a.wav", "aside-b.wav", "aside-c.wav"],
    removeClips: ["aside-a.wav", "aside-c.wav"],
    addClips: [{ name: "aside-d.wav" }, { name: "aside-e.wav" }, { name: "aside-f.wav" }],
  });
  const other = {
    ...timeline,
    tracks: timeline.tracks.slice(0, 2),
    markers: timeline.markers.map((one) => (one.start < 5 ? one : { ...one, start: one.start + 1, comment: "x" })),
  };
  expect(timelineDifferences(timeline, other)).toEqual([
    'marker "AD d" is at another time',
    'marker "AD d" has other words',
    'marker "AD e" is at another time',
    'marker "AD e" has other words',
    "a clip is missing",
  ]);
  expect(timelineDifferences(timeline, timeline)).toEqual([]);
});

test("every sound of a plan is described by its own header, wherever it will lie", async () => {
  const folder = await temporaryFolder();
  const paths = await Promise.all(
    [1, 2].map(async (channels) => {
      const path = join(folder, `${channels}.wav`);
      await writeFile(path, silentWav(1, channels));
      return path;
    }),
  );
  const [one = "", two = ""] = paths;
  const address = pathToFileURL(two).href;
  const steps = [one, address].map((path): EditStep => ({ ...place("x.wav", 0), path }) as EditStep);
  const of = await placedSounds({ sequenceId: "s", groups: [{ label: "", steps: [add("a", 1)] }, { label: "", steps }] }, nodeFiles, (path) => path.replace(folder, "/final")); // biome-ignore format: one call
  expect([of(one).channels, of(address).channels]).toEqual([1, 2]);
  expect([of(one).location, of(address).location]).toEqual(["file:///final/1.wav", "file:///final/2.wav"]);
});

test("media are found where the timeline says, from its own folder, or beside it, and all that are missing are named", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "sub"));
  for (const name of ["a.mov", "sub/b c.mov", "d.mov", "e#1.mov"]) await writeFile(join(folder, name), "x");
  const media = (location: string | null, name = "x") => madeMedia(name, { location });
  const found = [
    [media(join(folder, "a.mov")), "a.mov"],
    [media("sub/b%20c.mov"), "sub/b c.mov"],
    [media("/elsewhere/d.mov"), "d.mov"],
    [media("file:///C:/films/d.mov"), "d.mov"],
    [media(`file://${folder}/e#1.mov`), "e#1.mov"],
  ] as const;
  const path = join(folder, "cut.otio");
  const placeOf = await locateMedia(found.map(([source]) => source), path, nodeFiles); // biome-ignore format: one call
  expect(found.map(([source]) => placeOf(source))).toEqual(found.map(([, name]) => join(folder, name)));
  const gone = ["f", "g", "h", "i", "j"].map((name) => media(`/films/${name}.mov`));
  await expect(locateMedia([...found.map(([source]) => source), ...gone], path, nodeFiles)).rejects.toThrow(
    'are missing: "f.mov", "g.mov", "h.mov", "i.mov", "j.mov"',
  );
  await expect(locateMedia([...gone, media("k.mov"), media(null, "Title")], path, nodeFiles)).rejects.toThrow(
    '"j.mov" and 2 more',
  );
  const one = await locateMedia([media("k.mov"), media("/films/k.mov")], path, nodeFiles).catch(
    (error: unknown) => error,
  );
  expect(one).toMatchObject({
    ...{ code: "file_not_found", message: 'media of the timeline is missing: "k.mov"' },
    ...{ operation: "open the timeline", state: "nothing was changed" },
  });
  await expect(locateMedia([media(null, "")], path, nodeFiles)).rejects.toThrow('is missing: "a clip without a file"');
});

test("a medium that many clips take is looked for once", async () => {
  const asked: string[] = [];
  const size = async (place: string) => asked.push(place);
  const media = madeMedia("a.mov", { location: "/films/a.mov" });
  await locateMedia([media, { ...media }, media], "/cut.otio", { size });
  expect(asked).toEqual(["/films/a.mov"]);
});

test("a medium at an address of elsewhere is missing, one on another system's disk is looked for by its name", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "e f.mov"), "x");
  const located = (location: string) =>
    locateMedia([madeMedia("x", { location })], join(folder, "cut.otio"), nodeFiles).then(
      (placeOf) => placeOf(madeMedia("x", { location })),
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
  // A share of Windows: this system cannot go there.
  expect(await located("file://server/films/e%20f.mov")).toBe(join(folder, "e f.mov"));
  for (const address of ["https://films.example/e f.mov", "s3://films/e f.mov", "avid+link:e f.mov"]) {
    expect(await located(address)).toBe(
      'media of the timeline is missing: "e f.mov"'.replace("e f.mov", basename(address)),
    );
  }
  expect(await located("C:\\films\\e f.mov")).toBe(join(folder, "e f.mov"));
});

test("a track that is not there is named as editors count, and nothing is done", () => {
  const steps: EditStep[] = [{ kind: "mute-track", trackIndex: 7, isMuted: true }];
  const apply = () => applyPlan(before, { sequenceId: "s", groups: [{ label: "Mute", steps }] }, sound);
  expect(apply).toThrow("there is no track 8");
});

test("a document's sound is left alone where no step is about sound", () => {
  const steps = groups[0] ?? [];
  const { timeline } = applyPlan(before, { sequenceId: "s", groups: [{ label: "Mark", steps }] }, sound);
  expect(timelineEditOf(steps, before, timeline, sound)).not.toHaveProperty("audio");
});

test("a marker keeps whatever a change does not name, its colour too", () => {
  const change = (more: object) => {
    const steps = [{ kind: "change-marker", cueId: "a", markerId: "a", ...more }] as EditStep[];
    const { timeline } = applyPlan(before, { sequenceId: "s", groups: [{ label: "Change", steps }] }, sound);
    return timeline.markers.find(({ id }) => id === "a");
  };
  expect(change({})).toEqual(before.markers[0]);
  expect(change({ name: "Other" })).toEqual({ ...before.markers[0], name: "Other" });
  expect(change({ colour: "red" })).toEqual({ ...before.markers[0], colour: "red" });
});

test("a file that is no sound is not placed, and is named", async () => {
  const path = join(await temporaryFolder(), "no-sound.wav");
  await writeFile(path, "no sound");
  const wanted: EditStep = { kind: "place-audio", path, clipName: "no-sound.wav", start: 0, durationSeconds: 2 };
  const placing = placedSounds(
    { sequenceId: "s", groups: [{ label: "Place", steps: [wanted] }] },
    nodeFiles,
    (one) => one,
  );
  const failure = await placing.catch((error: unknown) => error);
  expect(failure).toMatchObject({
    ...{ code: "file_unreadable", message: expect.stringContaining('"no-sound.wav"') },
    ...{ operation: expect.stringMatching(/\S/), state: expect.stringMatching(/\S/) },
  });
});
