import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { markerComment } from "../../../src/core/marker-tag.ts";
import type { Timeline, TimelineClip, TimelineMarker } from "../../../src/core/timeline.ts";
import { cutOf } from "../../../src/host/cut.ts";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import { newCuesOf } from "../../../src/workflow/conform/new-cues.ts";
import { cueClipName } from "../../../src/workflow/place/cue-clips.ts";
import { madeClip, madeMedia } from "../../made-timeline.ts";

const RATE = { numerator: 25, denominator: 1 };
const CUES: Cue[] = [
  { id: "one", start: 4, end: 6, text: "A woman sits." },
  { id: "two", start: 14, end: 16, text: "She stands." },
  { id: "three", start: 24, end: 26, text: "Rain." },
];

const shot = (name: string, start: number, end: number, hasVideo = true): TimelineClip =>
  madeClip(madeMedia(name, { location: `/m/${name}`, hasVideo, audioChannels: hasVideo ? 0 : 1 }), start, end);

function cut(
  clips: readonly TimelineClip[],
  markers: readonly TimelineMarker[],
  voices: readonly TimelineClip[],
): Timeline {
  return {
    name: "Harbour",
    rate: RATE,
    isDropFrame: false,
    startFrame: 0,
    tracks: [
      { kind: "video", name: "V1", isEnabled: true, clips, transitions: [] },
      { kind: "audio", name: NARRATION_TRACK_NAME, isEnabled: true, clips: voices, transitions: [] },
    ],
    markers,
  };
}

const MARKERS: TimelineMarker[] = [
  ...CUES.map(({ id, start, end, text }, index) => ({
    id: `m-${id}`,
    start,
    end,
    name: `AD ${index + 1} · 2.0 s`,
    comment: markerComment(id, text),
    colour: "cyan",
  })),
  { id: "grade", start: 13, end: 13, name: "Grade", comment: "too warm", colour: "blue" },
];
const VOICES = CUES.map((cue) => shot(cueClipName(cue.id), cue.start, cue.end, false));
const OLD = cut([shot("a", 0, 10), shot("b", 10, 20), shot("c", 20, 30)], MARKERS, VOICES);
const RECORD = {
  cues: CUES,
  generated: CUES,
  offsetSeconds: 0,
  durationSeconds: 30,
  placed: { markerIds: {}, layout: cutOf(OLD) },
};
const conform = (timeline: Timeline) => planConform({ sequence: { id: "s", rate: RATE }, timeline, record: RECORD });
const sound = (path: string) => ({ location: path, channels: 1, sampleRate: 48_000 });

describe("planConform", () => {
  const ripple = [shot("a", 0, 7), shot("b", 7, 17), shot("c", 17, 27)];

  test("moves markers and the clips of each cue in one step, and nothing of others", () => {
    const now = cut(ripple, MARKERS, VOICES);
    const { plan } = conform(now);
    expect(plan.groups).toHaveLength(1);
    const after = applyPlan(now, plan, sound).timeline;
    expect(after.markers.map(({ id, start }) => [id, start])).toEqual([
      ["m-one", 4],
      ["m-two", 11],
      ["grade", 13],
      ["m-three", 21],
    ]);
    expect(after.tracks[1]?.clips.map(({ name, start }) => [name, start])).toEqual([
      ["aside-one.wav", 4],
      ["aside-two.wav", 11],
      ["aside-three.wav", 21],
    ]);
  });

  test("moves pauses that are to be written with their picture, and drops those whose picture is cut", () => {
    const toWrite = [
      { id: "pause-0001", start: 7.5, end: 9.5, words: 5, hints: [] },
      { id: "pause-0002", start: 17, end: 19, words: 5, hints: [] },
    ];
    const marker = ({ id, start, end }: (typeof toWrite)[number]) => {
      return { id: `m-${id}`, start, end, name: "To write: 5 words, 2.0 s", comment: `AD·${id}`, colour: "yellow" };
    };
    const now = cut(ripple, [...MARKERS, ...toWrite.map(marker)], VOICES);
    const { plan, record } = planConform({
      sequence: { id: "s", rate: RATE },
      timeline: now,
      record: { ...RECORD, toWrite },
    });
    expect(record.toWrite).toMatchObject([{ id: "pause-0002", start: 14, end: 16 }]);
    const after = applyPlan(now, plan, sound).timeline;
    const pauses = after.markers.filter(({ name }) => name.startsWith("To write"));
    expect(pauses.map(({ id, start }) => [id, start])).toEqual([["m-pause-0002", 14]]);
  });

  test("a second time there is nothing to do, also where the host moved the markers along by itself", () => {
    const now = cut(ripple, MARKERS, VOICES);
    const { plan, record } = conform(now);
    const after = applyPlan(now, plan, sound).timeline;
    expect(planConform({ sequence: { id: "s", rate: RATE }, timeline: after, record }).plan.groups).toEqual([]);
    expect(
      conform(after).plan.groups.flatMap(({ steps }) => steps.filter((step) => step.kind === "change-marker")),
    ).toEqual([]);
  });

  test("keeps the editor's words, a marker that was put elsewhere, and a deletion", () => {
    const edited = MARKERS.flatMap((marker): TimelineMarker[] => {
      if (marker.id === "m-one") return [];
      if (marker.id === "m-two") return [{ ...marker, comment: markerComment("two", "She leaves.") }];
      return marker.id === "m-three" ? [{ ...marker, start: 25, end: 27 }] : [marker];
    });
    const { record, descriptions } = conform(cut(ripple, edited, VOICES));
    expect(record.cues).toEqual([
      { id: "two", start: 11, end: 13, text: "She leaves." },
      { id: "three", start: 25, end: 27, text: "Rain." },
    ]);
    expect(descriptions.map(({ isWhereEditorPutIt }) => isWhereEditorPutIt)).toEqual([false, true]);
  });

  test("lists orphans with the reason and leaves them; a stem with moved cues is stale", () => {
    const stem = [shot("aside-stem.wav", 0, 30, false)];
    const { findings, isStemStale, record } = conform(cut([shot("b", 0, 10), shot("c", 10, 20)], MARKERS, stem));
    expect(findings).toMatchObject([{ rule: "conform-orphaned", severity: "fail", cueIds: ["one"] }]);
    expect(record.cues.map(({ id, start }) => [id, start])).toEqual([
      ["one", 4],
      ["two", 4],
      ["three", 14],
    ]);
    expect(isStemStale).toBe(true);
  });

  test("the clip of an orphan, of a cue that stays, of somebody else and the sound of several cues lie where they lay", () => {
    const [one, two, three] = VOICES;
    if (one === undefined || two === undefined || three === undefined) throw new Error("they are there");
    const nested = { ...two, source: { kind: "sequence" } as unknown as TimelineClip["source"] };
    const voices = [one, nested, three, shot("aside-stem.wav", 0, 30, false), shot("take.wav", 4, 6, false)];
    const movedBy = (now: Timeline) =>
      conform(now).plan.groups.flatMap(({ steps }) =>
        steps.flatMap((step): readonly unknown[] =>
          step.kind === "remove-audio" ? step.clipNames : step.kind === "place-audio" ? [step] : [],
        ),
      );
    // The first shot is gone, the last one comes ten seconds earlier.
    const place = {
      kind: "place-audio",
      path: "/m/aside-three.wav",
      clipName: "aside-three.wav",
      start: 14,
      durationSeconds: 2,
    };
    expect(movedBy(cut([shot("b", 0, 10), shot("c", 10, 20)], MARKERS, voices))).toEqual(["aside-three.wav", place]);
    expect(movedBy(cut([shot("a", 0, 10), shot("b", 10, 20), shot("c", 20, 30)], MARKERS, voices))).toEqual([]);
  });

  test("brings new cues in with their clips in the same step; nothing else changes but for the numbers of markers", () => {
    const longer = [shot("a", 0, 10), shot("new", 10, 20), shot("b", 20, 30), shot("c", 30, 40)];
    const now = cut(longer, MARKERS, VOICES);
    const cue = { id: "fresh", start: 12, end: 14, text: "A ship." };
    const sounds = [
      { kind: "place-audio", path: "/n/fresh.wav", clipName: "aside-fresh A ship.wav", start: 12, durationSeconds: 2 },
    ] as const; // biome-ignore format: one clip
    const input = { sequence: { id: "s", rate: RATE }, timeline: now, record: RECORD };
    const { plan, record, findings } = planConform({ ...input, added: { cues: [cue], sounds } });
    expect(plan.groups.map(({ label }) => label)).toEqual(["Place 1 new description"]);
    expect(findings).toMatchObject([{ rule: "conform-new", severity: "note", cueIds: ["fresh"] }]);
    const after = applyPlan(now, plan, sound).timeline;
    expect(after.markers.map(({ id, start, name }) => [id, start, name])).toEqual([
      ["m-one", 4, "AD 1 · 2.0 s"],
      ["fresh", 12, "AD 2 · 2.0 s"],
      ["grade", 13, "Grade"],
      ["m-two", 24, "AD 3 · 2.0 s"],
      ["m-three", 34, "AD 4 · 2.0 s"],
    ]);
    expect(after.tracks[1]?.clips.map(({ start }) => start)).toEqual([4, 12, 24, 34]);
    // The record knows the new one, in the service's words too, and the next look finds nothing to do.
    expect(record.cues.map(({ id }) => id)).toEqual(["one", "fresh", "two", "three"]);
    expect(record.generated?.map(({ id }) => id)).toEqual(["one", "fresh", "two", "three"]);
    expect(record.placed.layout).toEqual(cutOf(now));
    expect(planConform({ ...input, timeline: after, record }).plan.groups).toEqual([]);
  });

  test("finds what is there and which ids are in use from markers and record; an orphan is in nobody's way", () => {
    const replaced = [shot("a", 0, 10), shot("new", 10, 20), shot("c", 20, 30)];
    const now = cut(replaced, MARKERS, VOICES);
    const result = {
      cues: [
        { id: "two", start: 9, end: 11, text: "A ship." },
        { id: "next", start: 18.5, end: 20, text: "Gone." },
      ],
      offsetSeconds: 5,
    };
    const stretch = { start: 5, end: 25, inside: [{ start: 10, end: 20 }] };
    // Only what is read of a run is there.
    const described = [{ stretch, run: { result } }] as unknown as DescribedStretch[];
    const cues = newCuesOf({ sequence: { id: "s", rate: RATE }, timeline: now, record: RECORD }, described);
    expect(cues.map(({ cue: { id, start } }) => [id, start])).toEqual([["two-2", 14]]);
  });
});
