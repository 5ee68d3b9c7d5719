import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import type { MarkerStep } from "../../../src/host/premiere/apply-markers.ts";
import { compareMarkers } from "../../../src/host/premiere/compare-markers.ts";
import { compareTracks, trackAt, unnamedTrack } from "../../../src/host/premiere/compare-tracks.ts";
import type {
  ClipSnapshot,
  MarkerSnapshot,
  SequenceSnapshot,
  TrackSnapshot,
} from "../../../src/host/premiere/snapshot.ts";
import { TICKS_PER_SECOND } from "../../../src/host/premiere/ticks.ts";

const FRAME = TICKS_PER_SECOND / 25n;
const frames = (count: number) => BigInt(count) * FRAME;

const marker = (name: string, at: number, more: Partial<MarkerSnapshot> = {}): MarkerSnapshot => ({
  id: `id-${name}`,
  hasGuid: true,
  name,
  comments: `words of ${name}`,
  start: frames(at),
  duration: frames(10),
  colour: "green",
  ...more,
});
const clip = (name: string, at: number, length = 50, more: Partial<ClipSnapshot> = {}): ClipSnapshot => ({
  name,
  start: frames(at),
  end: frames(at + length),
  inPoint: 0n,
  isDisabled: false,
  speed: 1,
  isReversed: false,
  itemId: `item-${name}`,
  mediaPath: `/${name}`,
  isSequence: false,
  isOffline: false,
  refused: [],
  ...more,
});
const track = (name: string, ...clips: readonly ClipSnapshot[]): TrackSnapshot => ({ name, isMuted: false, clips });
const snapshot = (more: Partial<SequenceSnapshot>): SequenceSnapshot => ({
  reference: { projectId: "p", sequenceId: "s" },
  name: "cut",
  ticksPerFrame: FRAME,
  isDropFrame: false,
  isCountingKnown: true,
  zeroPoint: 0n,
  inPoint: null,
  outPoint: null,
  end: frames(1000),
  frameSize: { width: 1, height: 1 },
  videoTracks: [],
  audioTracks: [],
  markers: [],
  ...more,
});

/** Ways in which one field of something read back may be another than it should be. */
const spoiltMarkers: readonly (readonly [string, Partial<MarkerSnapshot>])[] = [
  ["starts elsewhere", { start: frames(777) }],
  ["has another length", { duration: frames(11) }],
  ["has another name", { name: "Other" }],
  ["has another text", { comments: "Other" }],
  ["has another colour", { colour: "red" }],
];

describe("markers read back", () => {
  const FOREIGN = marker("Grade", 5, { colour: "blue" });
  const [CHANGED, MOVED, REMOVED] = [marker("AD 1", 20), marker("AD 2", 40), marker("AD 3", 60)];
  const before = snapshot({ markers: [FOREIGN, CHANGED, MOVED, REMOVED] });
  const steps: readonly MarkerStep[] = [
    {
      kind: "change-marker",
      cueId: "a",
      markerId: CHANGED.id,
      duration: 1,
      name: "AD 1b",
      comment: "new",
      colour: "cyan",
    },
    { kind: "change-marker", cueId: "b", markerId: MOVED.id, start: 3.01, duration: 0.5 },
    { kind: "remove-marker", cueId: "c", markerId: REMOVED.id },
    { kind: "add-marker", cueId: "d", start: 8, duration: 2, name: "AD 4", comment: "four", colour: "yellow" },
  ];
  const wanted = {
    foreign: FOREIGN,
    changed: { ...CHANGED, duration: frames(25), name: "AD 1b", comments: "new", colour: "cyan" as const },
    // From 3.01 s to 3.51 s: the end is rounded, not the length.
    moved: { ...MOVED, start: frames(75), duration: frames(13) },
    added: marker("AD 4", 200, { comments: "four", duration: frames(50), colour: "yellow" }),
  };
  type Name = keyof typeof wanted;
  const NAMES: readonly Name[] = ["foreign", "changed", "moved", "added"];
  const compared = (
    changes: Partial<Record<Name, Partial<MarkerSnapshot> | null>>,
    ...more: readonly MarkerSnapshot[]
  ) => {
    const markers = NAMES.flatMap((name) => (changes[name] === null ? [] : [{ ...wanted[name], ...changes[name] }]));
    return compareMarkers(before, snapshot({ markers: [...markers, ...more] }), steps);
  };

  test("as they should be they are no difference, in any order, and each cue's marker is known", () => {
    expect(compared({})).toEqual({
      differences: [],
      markerIds: { a: CHANGED.id, b: MOVED.id, d: wanted.added.id },
    });
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.values(wanted), { minLength: 4 }), (markers) => {
        expect(compareMarkers(before, snapshot({ markers }), steps).differences).toEqual([]);
      }),
    );
  });

  test.each(NAMES.flatMap((name) => spoiltMarkers.map(([what, change]) => [name, what, change] as const)))(
    "of the %s one: %s",
    (name, what, change) => {
      const { differences, markerIds } = compared({ [name]: change });
      expect(differences).toHaveLength(1);
      // A new one is known by its words, and by nothing else where those are other ones.
      const isLost = name === "added" && what.endsWith("text");
      expect(differences[0]).toContain(isLost ? "is missing" : what);
      expect(Object.keys(markerIds)).toEqual(isLost ? ["a", "b"] : ["a", "b", "d"]);
      if (name === "foreign") expect(differences[0]).toContain('"Grade", which is not ours,');
    },
  );

  test("gone, still there, or missing", () => {
    const said = (name: Name) => compared({ [name]: null }).differences;
    expect(said("foreign")).toEqual(['the marker "Grade", which is not ours, is gone']);
    expect([...said("changed"), ...said("moved")]).toEqual([
      "the marker of cue a is gone",
      "the marker of cue b is gone",
    ]);
    expect(said("added")).toEqual(['the marker "AD 4" is missing']);
    expect(compared({}, REMOVED).differences).toEqual(['the marker "AD 3" is still there']);
    expect(compared({}, { ...REMOVED, name: "Renamed" }).differences).toEqual(['the marker "Renamed" is still there']);
    const gone = compareMarkers(snapshot({}), snapshot({}), steps).differences;
    expect(gone).toEqual([
      "the marker of cue a is gone",
      "the marker of cue b is gone",
      'the marker "AD 4" is missing',
    ]);
  });

  test("every marker that is not ours is looked at, and none of those that were there is taken for a new one", () => {
    const [one, two] = [marker("Grade", 5), marker("Mix", 9)];
    const there = snapshot({ markers: [one, two] });
    const changed = { ...two, comments: "other words" };
    expect(compareMarkers(there, snapshot({ markers: [one, changed] }), []).differences).toEqual([
      expect.stringContaining('the marker "Mix", which is not ours, has another text'),
    ]);
    expect(compareMarkers(there, snapshot({ markers: [one] }), []).differences).toEqual([
      'the marker "Mix", which is not ours, is gone',
    ]);
    const alike = { kind: "add-marker", cueId: "a", start: 0.36, duration: 0.4, colour: "green" } as const;
    const like = { ...alike, name: two.name, comment: two.comments };
    // It is to go, and one like it is to come: what stayed is no new one.
    const gone = { kind: "remove-marker", cueId: "b", markerId: two.id } as const;
    expect(compareMarkers(there, snapshot({ markers: [one, two] }), [like, gone]).differences).toEqual([
      'the marker "Mix" is missing',
      'the marker "Mix" is still there',
    ]);
  });

  test("what somebody else added is nothing, and no marker counts for two", () => {
    expect(compared({}, marker("Note", 300)).differences).toEqual([]);
    const twice = steps.flatMap((step): MarkerStep[] =>
      step.kind === "add-marker" ? [step, { ...step, cueId: "e" }] : [step],
    );
    const both = [...Object.values(wanted), { ...wanted.added, id: "id-twin" }];
    expect(compareMarkers(before, snapshot({ markers: both }), twice).markerIds).toMatchObject({
      d: "id-AD 4",
      e: "id-twin",
    });
    const one = compareMarkers(before, snapshot({ markers: Object.values(wanted) }), twice);
    expect(one.differences).toEqual(['the marker "AD 4" is missing']);
    // A marker that was there is not the new one, however alike it looks.
    const alike = snapshot({ markers: [{ ...wanted.added, id: "id-old" }] });
    const added = steps.filter(({ kind }) => kind === "add-marker");
    expect(compareMarkers(alike, alike, added).differences).toEqual(['the marker "AD 4" is missing']);
  });

  test("any colour of Premiere's own is right for a marker without one of choice", () => {
    const added = [{ ...steps[3], colour: "green" } as MarkerStep];
    const read = (colour: MarkerSnapshot["colour"]) => {
      const { colour: _, ...plain } = wanted.added;
      return snapshot({ markers: [colour === undefined ? plain : { ...plain, colour }] });
    };
    for (const colour of ["green", "blue", undefined] as const) {
      expect(compareMarkers(snapshot({}), read(colour), added).differences).toEqual([]);
    }
  });

  test("without identities they are known by place, name and words", () => {
    const bare = (one: MarkerSnapshot) => ({ ...one, id: `${one.start}/0`, hasGuid: false });
    const plain = snapshot({ markers: [FOREIGN, CHANGED, MOVED, REMOVED].map(bare) });
    const renamed = steps.map((step) => {
      const was = "markerId" in step ? [CHANGED, MOVED, REMOVED].find(({ id }) => id === step.markerId) : undefined;
      return was === undefined ? step : { ...step, markerId: bare(was).id };
    });
    const now = snapshot({ markers: Object.values(wanted).map(bare) });
    expect(compareMarkers(plain, now, renamed).differences).toEqual([]);
    expect(compareMarkers(plain, snapshot({ markers: [...now.markers, bare(REMOVED)] }), renamed).differences).toEqual([
      'the marker "AD 3" is still there',
    ]);
  });
});

describe("tracks read back", () => {
  const PICTURE = track("Video 1", clip("shot", 0), clip("shot 2", 50));
  const SOUND = track("Audio 1", clip("music", 0, 500));
  const OURS = track(NARRATION_TRACK_NAME, clip("aside-old.wav", 10), clip("take.wav", 200));
  const before = snapshot({ videoTracks: [PICTURE], audioTracks: [SOUND, OURS] });
  const place = {
    kind: "place-audio",
    path: "/new.wav",
    clipName: "aside-new.wav",
    start: 4,
    durationSeconds: 2,
  } as const;
  const steps = [
    { kind: "remove-audio", clipNames: ["aside-old.wav"] },
    place,
    { kind: "mute-track", trackIndex: 1, isMuted: true },
    { kind: "mute-track", trackIndex: 0, isMuted: false },
  ] as const;
  const NEW = clip("aside-new.wav", 100);
  const done = {
    videoTracks: [PICTURE],
    audioTracks: [{ ...SOUND, isMuted: true }, track(NARRATION_TRACK_NAME, NEW, clip("take.wav", 200))],
  };
  const said = (now: Partial<SequenceSnapshot>, asked: Parameters<typeof compareTracks>[2] = steps) =>
    compareTracks(before, snapshot({ ...done, ...now }), asked);
  const ours = (...clips: readonly ClipSnapshot[]) => ({
    audioTracks: [done.audioTracks[0] ?? SOUND, track(NARRATION_TRACK_NAME, ...clips)],
  });

  test("as they should be they are no difference", () => {
    expect(said({})).toEqual([]);
    expect(compareTracks(before, before, [])).toEqual([]);
    expect(said(ours(clip("take.wav", 200), NEW))).toEqual([]);
  });

  const spoiltClips: readonly Partial<ClipSnapshot>[] = [
    { name: "other" },
    { start: frames(1) },
    { end: frames(49) },
    { inPoint: frames(1) },
    { itemId: "other" },
    { itemId: null },
  ];
  test.each(spoiltClips)("any clip that is not ours to change and is another now: %o", (change) => {
    const shots = [{ ...clip("shot", 0), ...change }, clip("shot 2", 50)];
    const differences = said({ videoTracks: [track("Video 1", ...shots)] });
    expect(differences).toEqual([
      'the clip "shot" on "Video 1" was changed',
      `"Video 1" holds the clip "${change.name ?? "shot"}", which was not asked for`,
    ]);
    const take = { ...clip("take.wav", 200), ...change };
    expect(said(ours(NEW, take))).toHaveLength(2);
  });

  test("clips and tracks that are gone, still there, or more than there should be", () => {
    expect(said({ videoTracks: [] }, steps.slice(0, 2))).toContain('the track "Video 1" is gone');
    expect(said(ours(NEW))).toEqual([`the clip "take.wav" on "${NARRATION_TRACK_NAME}" was changed`]);
    expect(said(ours(NEW, clip("take.wav", 200), clip("aside-old.wav", 10)))).toEqual([
      'the clip "aside-old.wav" is still there',
    ]);
    expect(said(ours(clip("take.wav", 200)))).toEqual(['the clip "aside-new.wav" is not where it should be']);
    expect(said(ours(NEW, { ...NEW }, clip("take.wav", 200)))).toHaveLength(1);
    const strays = [clip("stray", 0), clip("stray 2", 60)];
    const each = (name: string) =>
      strays.map((one) => `"${name}" holds the clip "${one.name}", which was not asked for`);
    expect(said({ audioTracks: [...done.audioTracks, track("Audio 3", ...strays)] })).toEqual(each("Audio 3"));
    expect(said(ours(NEW, clip("take.wav", 200), ...strays))).toEqual(each(NARRATION_TRACK_NAME));
  });

  test("every track is looked at, of pictures and of sound, of those that were there and of new ones", () => {
    const several = (pictures: readonly TrackSnapshot[], ...more: readonly TrackSnapshot[]) =>
      compareTracks(
        snapshot({ videoTracks: [PICTURE, track("Video 2", clip("title", 5)), track("Video 3", clip("logo", 6))] }),
        snapshot({ videoTracks: pictures, audioTracks: more }),
        [],
      );
    const titles = track("Video 2", clip("title", 5));
    expect(several([PICTURE, titles, track("Video 3", clip("logo", 6))])).toEqual([]);
    expect(several([PICTURE, track("Video 2"), track("Video 3")])).toEqual([
      'the clip "title" on "Video 2" was changed',
      'the clip "logo" on "Video 3" was changed',
    ]);
    const added = [track("Audio 1", clip("stray", 0)), track("Audio 2", clip("stray 2", 0))];
    expect(several([PICTURE, titles, track("Video 3", clip("logo", 6))], ...added)).toEqual([
      '"Audio 1" holds the clip "stray", which was not asked for',
      '"Audio 2" holds the clip "stray 2", which was not asked for',
    ]);
  });

  test("what several steps take away is to be gone", () => {
    const two = snapshot({ audioTracks: [track(NARRATION_TRACK_NAME, clip("one.wav", 0), clip("two.wav", 60))] });
    const asked = ["one.wav", "two.wav"].map((name) => ({ kind: "remove-audio", clipNames: [name] }) as const);
    expect(compareTracks(two, snapshot({ audioTracks: [track(NARRATION_TRACK_NAME)] }), asked)).toEqual([]);
    expect(compareTracks(two, two, asked)).toEqual([
      'the clip "one.wav" is still there',
      'the clip "two.wav" is still there',
    ]);
  });

  test("a placed sound may be a frame longer or shorter, and lies at its very frame", () => {
    const length = (count: number) => said(ours(clip("aside-new.wav", 100, count), clip("take.wav", 200)));
    for (const count of [49, 50, 51]) expect(length(count)).toEqual([]);
    for (const count of [48, 52]) expect(length(count)).toEqual(['the clip "aside-new.wav" has another length']);
    expect(said(ours(clip("aside-new.wav", 101), clip("take.wav", 200)))[0]).toBe(
      'the clip "aside-new.wav" is not where it should be',
    );
  });

  test("the same sound placed twice needs two clips", () => {
    const twice = [...steps, place];
    expect(said({}, twice)).toEqual(['the clip "aside-new.wav" is not where it should be']);
    expect(said(ours(NEW, { ...NEW }, clip("take.wav", 200)), twice)).toEqual([]);
  });

  test("a new track that bears another name is to be named by hand; one that was there keeps the editor's", () => {
    const added = (name: string) =>
      unnamedTrack(snapshot({ audioTracks: [SOUND] }), snapshot({ audioTracks: [SOUND, track(name, NEW)] }), [place]);
    expect(added(NARRATION_TRACK_NAME)).toBeNull();
    expect(added("Audio 2")).toEqual({ index: 1, name: "Audio 2" });
    // Whichever of its clips is ours, and whichever step brought it.
    const late = snapshot({ audioTracks: [SOUND, track("Audio 2", clip("stray", 0), NEW)] });
    expect(unnamedTrack(snapshot({ audioTracks: [SOUND] }), late, steps)).toEqual({ index: 1, name: "Audio 2" });
    const named = snapshot({ audioTracks: [track("My voice", clip("aside-old.wav", 10))] });
    const renamed = snapshot({ audioTracks: [track("My voice", NEW)] });
    expect(unnamedTrack(named, renamed, steps.slice(0, 2))).toBeNull();
    expect(compareTracks(named, renamed, steps.slice(0, 2))).toEqual([]);
  });

  test("where a track bears our name, clips of that name elsewhere stay", () => {
    const twins = snapshot({ audioTracks: [track("Audio 1", clip("aside-old.wav", 10)), OURS] });
    const cleared = snapshot({ audioTracks: [track("Audio 1"), track(NARRATION_TRACK_NAME, clip("take.wav", 200))] });
    expect(compareTracks(twins, cleared, steps.slice(0, 1))).toEqual([
      'the clip "aside-old.wav" on "Audio 1" was changed',
    ]);
  });

  test("mutes are counted over picture and sound, and each that is not as asked is told", () => {
    expect([0, 1, 2].map((index) => trackAt(before, index))).toEqual([
      { kind: "video", index: 0 },
      { kind: "audio", index: 0 },
      { kind: "audio", index: 1 },
    ]);
    expect(said({ audioTracks: [SOUND, ...done.audioTracks.slice(1)] })).toEqual(['the track "Audio 1" is not muted']);
    expect(said({ videoTracks: [{ ...PICTURE, isMuted: true }] })).toEqual(['the track "Video 1" is still muted']);
    expect(said({}, [{ kind: "mute-track", trackIndex: 9, isMuted: true }])).toContain("there is no track 10 to mute");
  });
});
