import { describe, expect, test } from "vitest";
import type { Cue } from "../../src/core/cue.ts";
import { layoutOf } from "../../src/core/layout.ts";
import { markerComment } from "../../src/core/marker-tag.ts";
import type { Timeline, TimelineClip, TimelineMarker } from "../../src/core/timeline.ts";
import { NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import { applyPlan } from "../../src/host/headless/apply-plan.ts";
import { planConform } from "../../src/workflow/conform-sequence.ts";
import { cueClipName } from "../../src/workflow/cue-clips.ts";

const RATE = { numerator: 25, denominator: 1 };
const CUES: Cue[] = [
  { id: "one", start: 4, end: 6, text: "A woman sits." },
  { id: "two", start: 14, end: 16, text: "She stands." },
  { id: "three", start: 24, end: 26, text: "Rain." },
];

const shot = (name: string, start: number, end: number, hasVideo = true): TimelineClip => ({
  name,
  start,
  end,
  isEnabled: true,
  sourceStart: 0,
  speed: 1,
  source: { kind: "media", name, location: `/m/${name}`, hasVideo, audioChannels: hasVideo ? 0 : 1 },
  effects: [],
  markers: [],
});

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
  markerIds: {},
  offsetSeconds: 0,
  durationSeconds: 30,
  layout: layoutOf(OLD, NARRATION_TRACK_NAME),
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
});
