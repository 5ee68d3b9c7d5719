import { describe, expect, test } from "vitest";
import { type Cue, markerComment } from "../../../src/core/cue.ts";
import type { Timeline, TimelineClip, TimelineMarker } from "../../../src/core/timeline.ts";
import { cutOf, NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { CONFORM_REASONS, type ConformPlan, planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import { newCuesOf } from "../../../src/workflow/conform/new-cues.ts";
import { cueClipName } from "../../../src/workflow/place/narration-clips.ts";
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
const soundSteps = ({ plan }: ConformPlan) =>
  plan.groups.flatMap(({ steps }) => steps.filter(({ kind }) => kind.endsWith("audio")));
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

  test("clips that Premiere moved along with the cut are where they belong, with markers that moved along and without", () => {
    const along = VOICES.map((clip) =>
      clip.start < 10 ? clip : { ...clip, start: clip.start - 3, end: clip.end - 3 },
    );
    for (const markers of [
      MARKERS,
      MARKERS.map((one) => (one.start < 10 ? one : { ...one, start: one.start - 3, end: one.end - 3 })),
    ]) {
      expect(soundSteps(conform(cut(ripple, markers, along)))).toEqual([]);
    }
    // The head of the film is cut off: nothing is laid before its beginning.
    const late = [shot("b", 0, 10), shot("c", 10, 20)];
    const moved = VOICES.slice(1).map((clip) => ({ ...clip, start: clip.start - 10, end: clip.end - 10 }));
    expect(soundSteps(conform(cut(late, MARKERS, moved)))).toEqual([]);
  });

  test("a sound that the cut went through comes back whole, once, where its cue is heard", () => {
    const [one, two, three] = VOICES;
    if (one === undefined || two === undefined || three === undefined) throw new Error("there are three");
    // Three seconds went at 7: what Premiere moved along, and what it parted.
    const parted = [
      one,
      { ...two, start: 11, end: 11.8 },
      { ...two, start: 11.8, end: 12.5, sourceStart: 1.3 },
      { ...three, start: 21.5, end: 23, sourceStart: 0.5 },
    ];
    const back = { durationSeconds: 2, kind: "place-audio" };
    expect(soundSteps(conform(cut(ripple, MARKERS, parted)))).toEqual([
      { kind: "remove-audio", clipNames: [two.name] },
      { kind: "remove-audio", clipNames: [three.name] },
      { ...back, path: "/m/aside-two.wav", clipName: two.name, start: 11 },
      { ...back, path: "/m/aside-three.wav", clipName: three.name, start: 21 },
    ]);
    // Sound with a timecode, counted from it: where its clips lie is known all the same.
    const counted = (clip: TimelineClip, start: number) => ({ ...clip, start, end: start + 2, sourceStart: 36_000 });
    expect(soundSteps(conform(cut(ripple, MARKERS, [counted(two, 11)])))).toEqual([]);
    expect(soundSteps(conform(cut(ripple, MARKERS, [counted(two, 14)]))).at(-1)).toMatchObject({ start: 11 });
    // What an editor trimmed by hand, where nothing was cut, stays trimmed.
    expect(soundSteps(conform(cut(ripple, MARKERS, [{ ...one, start: 4.5, sourceStart: 0.5 }])))).toEqual([]);
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

describe("what a plan to conform says", () => {
  const input = { sequence: { id: "s", rate: RATE }, record: RECORD };
  const labels = (timeline: Timeline, more: Partial<Parameters<typeof planConform>[0]> = {}) =>
    planConform({ ...input, timeline, ...more }).plan.groups.map(({ label }) => label);
  const order = (...names: string[]) => names.map((name, index) => shot(name, 10 * index, 10 * index + 10));

  test("is how many descriptions follow, how many are new, or that pauses alone do", () => {
    const swapped = order("b", "a", "c");
    expect(labels(cut(swapped, MARKERS, VOICES))).toEqual(["Follow the cut: 3 descriptions"]);
    const record = { ...RECORD, cues: CUES.slice(0, 1), generated: CUES.slice(0, 1) };
    expect(labels(cut(swapped, MARKERS.slice(0, 1), VOICES.slice(0, 1)), { record })).toEqual([
      "Follow the cut: 1 description",
    ]);
    const fresh = (id: string, start: number) => ({ id, start, end: start + 1, text: `${id}.` });
    const added = { cues: [fresh("x", 22), fresh("y", 28)], sounds: [] };
    expect(labels(cut(order("a", "b", "c"), MARKERS, VOICES), { added })).toEqual(["Place 2 new descriptions"]);
    const toWrite = [{ id: "pause-0001", start: 17, end: 19, words: 5, hints: [] }];
    const marker = { id: "m-p", start: 17, end: 19, name: "To write: 5 words, 2.0 s", comment: "AD·pause-0001" };
    const none = { ...RECORD, cues: [], generated: [], toWrite };
    expect(labels(cut(swapped, [{ ...marker, colour: "yellow" }], []), { record: none })).toEqual([
      "Follow the cut: pauses to write",
    ]);
  });

  test("is what each description lost, with a marker that stays where it was put", () => {
    // The second shot ends under its description, the first one is gone.
    const now = [shot("b", 0, 5), shot("c", 5, 15)];
    const findings = (markers: readonly TimelineMarker[]) =>
      planConform({ ...input, timeline: cut(now, markers, []) }).findings.map(({ rule, severity, cueIds, message }) => [
        rule,
        severity,
        cueIds.join(),
        message,
      ]);
    const { "picture-gone": gone, "picture-cut": trimmed } = CONFORM_REASONS;
    expect(findings(MARKERS)).toEqual([
      ["conform-orphaned", "fail", "one", gone],
      ["conform-touched", "warn", "two", trimmed],
    ]);
    const put = MARKERS.map((marker) => (marker.id === "m-two" ? { ...marker, start: 22, end: 24 } : marker));
    expect(findings(put)[1]).toEqual([
      "conform-touched",
      "warn",
      "two",
      `${trimmed}; its marker stays where you put it`,
    ]);
  });

  test("is on a clock of the programme that no cue lies before, the service's own cues and the pauses with it", () => {
    const late = (cue: Cue) => ({ ...cue, start: cue.start - 10, end: cue.end - 10 });
    // The programme begins with the second shot, which comes first now.
    const cues = CUES.slice(1).map(late);
    const toWrite = [{ id: "pause-0001", start: 7, end: 9, words: 5, hints: [] }];
    const held = { holds: [{ at: 4, seconds: 1 }], heard: { two: { start: 4, end: 8, words: "w", estimate: 2 } } };
    const record = { ...RECORD, cues, generated: cues, offsetSeconds: 10, durationSeconds: 20, toWrite, held };
    const timeline = cut(order("b", "c", "a"), MARKERS.slice(1), []);
    const { record: next, plan } = planConform({ ...input, record, timeline });
    // It lay at 14 s and lies at 4 s: six seconds before the old start.
    expect(next).toMatchObject({ offsetSeconds: 4, durationSeconds: 20, toWrite: [{ start: 3, end: 5 }] });
    expect(next.cues.map(({ id, start, end }) => [id, start, end])).toEqual([
      ["two", 0, 2],
      ["three", 10, 12],
    ]);
    expect(next.generated).toEqual(next.cues);
    expect(next.held).toEqual({ ...held, holds: null });
    const after = applyPlan(timeline, plan, sound).timeline;
    expect(after.markers.filter(({ name }) => name.startsWith("AD")).map(({ start }) => start)).toEqual([4, 14]);
    // Nobody knows whose words are whose: that stays so.
    const lost = planConform({ ...input, record: { ...RECORD, cues, generated: null, offsetSeconds: 10 }, timeline });
    expect(lost.record.generated).toBeNull();
    // It goes on as long as its last cue.
    const longer = [
      shot("new", 0, 40),
      ...order("a", "b", "c").map((clip) => ({ ...clip, start: clip.start + 40, end: clip.end + 40 })),
    ];
    expect(planConform({ ...input, timeline: cut(longer, MARKERS, []) }).record.durationSeconds).toBe(66);
  });

  test("is that new cues lie on the clock of the programme, in order with those that follow", () => {
    const record = {
      ...RECORD,
      cues: CUES.map((cue) => ({ ...cue, start: cue.start - 2, end: cue.end - 2 })),
      offsetSeconds: 2,
    };
    const added = { cues: [{ id: "fresh", start: 8, end: 9, text: "A ship." }], sounds: [] };
    const { record: next } = planConform({ ...input, record, timeline: cut(order("a", "b", "c"), MARKERS, []), added });
    expect(next.cues.map(({ id, start }) => [id, start])).toEqual([
      ["one", 2],
      ["fresh", 6],
      ["two", 12],
      ["three", 22],
    ]);
  });

  test("moves clips of the narration's own track alone, takes all away before it lays one, and leaves a sound of several that need not move", () => {
    const swapped = order("b", "a", "c");
    const now = cut(swapped, MARKERS, VOICES);
    const kinds = planConform({ ...input, timeline: now }).plan.groups.flatMap(({ steps }) =>
      steps.flatMap(({ kind }) => (kind.endsWith("audio") ? [kind] : [])),
    );
    expect(kinds).toEqual(["remove-audio", "remove-audio", "place-audio", "place-audio"]);
    const [video, narration] = now.tracks;
    if (video === undefined || narration === undefined) throw new Error("they are there");
    for (const other of [
      { ...narration, name: "A2", clips: [...narration.clips, shot("take.wav", 30, 40, false)] },
      { ...narration, kind: "video" as const },
    ]) {
      const { plan, isStemStale } = planConform({ ...input, timeline: { ...now, tracks: [video, other] } });
      expect(plan.groups.flatMap(({ steps }) => steps).some(({ kind }) => kind.endsWith("audio"))).toBe(false);
      expect(isStemStale).toBe(false);
    }
    // A Premiere that cannot name tracks leaves ours with a name of its own.
    const unnamed = planConform({ ...input, timeline: { ...now, tracks: [video, { ...narration, name: "A2" }] } });
    expect(unnamed.plan).toEqual(planConform({ ...input, timeline: now }).plan);
    const stem = [shot("aside-stem.wav", 0, 30, false)];
    const staleness = [swapped, order("a", "b", "c")].map(
      (clips) => planConform({ ...input, timeline: cut(clips, MARKERS, stem) }).isStemStale,
    );
    expect(staleness).toEqual([true, false]);
    expect(planConform({ ...input, timeline: now }).isStemStale).toBe(false);
    const others = [shot("take.wav", 0, 30, false)];
    expect(planConform({ ...input, timeline: cut(swapped, MARKERS, others) }).isStemStale).toBe(false);
  });

  test("new cues keep away from those that are there, and their ids from every one that was in use", () => {
    const now = cut(
      order("a", "new", "b"),
      [
        ...MARKERS,
        { id: "m-x", start: 1, end: 1.5, name: "AD", comment: markerComment("tag", "Old."), colour: "cyan" },
      ],
      [],
    );
    const brought = ["three", "tag", "gone", "free"].map((id, index) => ({
      id,
      start: 11 + 2 * index,
      end: 12 + 2 * index,
      text: `${id} new.`,
    }));
    const described = (cues: readonly Cue[]) =>
      [
        {
          stretch: { start: 10, end: 20, inside: [{ start: 10, end: 20 }] },
          run: { result: { cues, offsetSeconds: 0 } },
        },
      ] as unknown as DescribedStretch[];
    const record = { ...RECORD, generated: [...CUES, { id: "gone", start: 27, end: 28, text: "Gone." }] };
    const ids = (cues: readonly Cue[]) =>
      newCuesOf({ ...input, record, timeline: now }, described(cues)).map(({ cue }) => cue.id);
    expect(ids(brought)).toEqual(["three-2", "tag-2", "gone-2", "free"]);
    expect(ids(brought.toReversed())).toEqual(["three-2", "tag-2", "gone-2", "free"]);
    expect(
      newCuesOf({ ...input, record: { ...record, generated: null }, timeline: now }, described(brought)),
    ).toHaveLength(4);
    // The second description is at 24 s now, and was at 14 s: what lies there today counts.
    const [old] = CUES.slice(1);
    const over = [
      { id: "over", start: 24.5, end: 25.5, text: "Over." },
      { id: "was", start: old?.start ?? 0, end: old?.end ?? 0, text: "Was." },
    ];
    expect(
      newCuesOf({ ...input, timeline: now }, [
        { ...described(over)[0], stretch: { start: 10, end: 30, inside: [{ start: 10, end: 30 }] } },
      ] as DescribedStretch[]).map(({ cue }) => cue.id),
    ).toEqual(["was"]);
    const withoutPicture = newCuesOf(
      { ...input, timeline: now },
      [
        { ...described(over)[0], stretch: { start: 10, end: 30, inside: [{ start: 10, end: 30 }] } },
      ] as DescribedStretch[],
      ["two"],
    );
    expect(withoutPicture.map(({ cue }) => cue.id)).toEqual(["was", "over"]);
  });
});
