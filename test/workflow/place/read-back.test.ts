import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { estimateSpeakingSeconds } from "../../../src/core/speaking-time.ts";
import type { Timeline, TimelineMarker } from "../../../src/core/timeline.ts";
import { writeRecord } from "../../../src/result/record.ts";
import type { PlacedResult } from "../../../src/result/result.ts";
import { countMerge, describeMerge } from "../../../src/workflow/place/merge-result.ts";
import { planPlacement } from "../../../src/workflow/place/place.ts";
import { readBack } from "../../../src/workflow/place/read-back.ts";
import { chooseRecord, mergeIntoSequence, recordAfterMerge } from "../../../src/workflow/place/round-trip.ts";
import { placedResult } from "../../fakes/placed-result.ts";

const RATE = frameRate(24000, 1001);
const CUES: Cue[] = [
  { id: "cue-0001", start: 1.01, end: 2.5, text: "A woman sits." },
  { id: "cue-0002", start: 4.037, end: 6.2, text: "She stands up." },
  { id: "cue-0003", start: 9, end: 11.3, text: "Rain falls." },
];
const RECORD = placedResult(
  CUES,
  { offsetSeconds: 10 },
  { markerIds: { "cue-0001": "g1", "cue-0002": "g2", "cue-0003": "g3" } },
);
const FOREIGN: TimelineMarker = { id: "f", start: 12, end: 12, name: "Grade", comment: "too warm", colour: "blue" };

/** The markers as they were placed, with a foreign one between them. */
function placed(): TimelineMarker[] {
  const plan = planPlacement({ sequence: { id: "s1", rate: RATE }, offsetSeconds: 10, cues: CUES });
  const ours = plan.groups.flatMap(({ steps }) =>
    steps.flatMap((step): TimelineMarker[] => {
      if (step.kind !== "add-marker") return [];
      const { cueId, start, duration, name, comment, colour } = step;
      return [{ id: RECORD.placed.markerIds[cueId] ?? "", start, end: start + duration, name, comment, colour }];
    }),
  );
  return [...ours, FOREIGN];
}

const timeline = (markers: readonly TimelineMarker[]): Timeline => ({
  name: "S",
  rate: RATE,
  isDropFrame: false,
  startFrame: 0,
  tracks: [],
  markers,
});

/** The placed markers with one of them changed. */
function changed(id: string, change: Partial<TimelineMarker>): Timeline {
  return timeline(placed().map((marker) => (marker.id === id ? { ...marker, ...change } : marker)));
}

const read = (now: Timeline, record: PlacedResult | null = RECORD) =>
  readBack({ timeline: now, record, offsetSeconds: 10, durationSeconds: 60 });
const merge = (now: Timeline, fields: Partial<Parameters<typeof mergeIntoSequence>[0]> = {}) =>
  mergeIntoSequence({
    sequence: { id: "s1", rate: RATE },
    timeline: now,
    record: RECORD,
    offsetSeconds: 10,
    durationSeconds: 60,
    ...fields,
  });

describe("reading markers back", () => {
  test("untouched markers give the very cues that were placed, not the frames they lie on", () => {
    const back = read(timeline(placed()));
    expect(back.cues).toEqual(CUES);
    expect(back.markers.map(({ state }) => state)).toEqual(["as-placed", "as-placed", "as-placed"]);
    expect(merge(timeline(placed())).plan.groups).toEqual([]);
  });

  test("words, times and lengths that the editor changed are read, the rest stays exact", () => {
    const words = read(changed("g2", { comment: "She gets up\nslowly.\nAD·cue-0002" })).cues[1];
    expect(words).toEqual({ ...CUES[1], text: "She gets up slowly." });
    const marker = placed()[1];
    const moved = read(changed("g2", { start: (marker?.start ?? 0) + 1, end: (marker?.end ?? 0) + 1 })).cues[1];
    expect(moved?.start).toBeCloseTo((marker?.start ?? 0) + 1 - 10, 9);
    expect((moved?.end ?? 0) - (moved?.start ?? 0)).toBeCloseTo(6.2 - 4.037, 9);
  });

  test("a marker without its tag is known by identity and name, or identity and words, and by nothing less", () => {
    expect(read(changed("g1", { comment: "Someone sits." })).cues[0]?.text).toBe("Someone sits.");
    for (const [index, { text }] of CUES.entries())
      expect(read(changed(`g${index + 1}`, { comment: text, name: "kim" })).cues).toEqual(CUES);
    expect(read(changed("g1", { comment: "Check this.", name: "kim" })).missing).toEqual(["cue-0001"]);
  });

  test("a copy with words of its own is a cue of its own, an exact copy is one too many", () => {
    const original = placed()[0];
    if (original === undefined) throw new Error("no marker");
    const copy = { ...original, id: "g9", start: 30.03, end: 32.032, comment: "Someone else sits.\nAD·cue-0001" };
    const twin = { ...original, id: "g10" };
    const now = timeline([copy, ...placed(), twin]);
    const back = read(now);
    expect(back.cues.map(({ id, text }) => [id, text])).toContainEqual(["cue-0001-2", "Someone else sits."]);
    const result = merge(now);
    const steps = result.plan.groups[0]?.steps ?? [];
    expect(steps[0]).toMatchObject({ kind: "remove-marker", markerId: "g10" });
    expect(steps).toContainEqual({
      kind: "change-marker",
      cueId: "cue-0001-2",
      markerId: "g9",
      name: "AD 4 · 2.0 s",
      comment: "Someone else sits.\nAD·cue-0001-2",
    });
    const next = recordAfterMerge(RECORD, result, { markerIds: {} });
    expect(next.placed.markerIds).toEqual({ ...RECORD.placed.markerIds, "cue-0001-2": "g9" });
  });

  test("cleared words delete the cue, a removed marker too, and both stay deleted with a new result", () => {
    const now = timeline(
      placed().flatMap((marker) =>
        marker.id === "g1" ? [{ ...marker, comment: "AD·cue-0001" }] : marker.id === "g2" ? [] : [marker],
      ),
    );
    const result = merge(now, { result: CUES });
    expect(result.cues.map(({ id }) => id)).toEqual(["cue-0003"]);
    expect(result.plan.groups[0]?.steps[0]).toMatchObject({ kind: "remove-marker", markerId: "g1" });
    expect(countMerge(result.entries)).toBe("2 stay deleted");
  });

  test("all markers gone is an undone placing, unless it is said to be a deletion", () => {
    expect(merge(timeline([FOREIGN])).cues).toEqual(CUES);
    expect(merge(timeline([FOREIGN])).readBack.isAllGone).toBe(true);
    expect(merge(timeline([FOREIGN]), { allGoneMeans: "deleted" }).cues).toEqual([]);
  });

  test("a name and a colour of the editor's stay, and the words still take the new result", () => {
    const now = changed("g2", { name: "ask Kim", colour: "magenta" });
    const result = merge(now, { result: CUES.map((cue) => ({ ...cue, text: `${cue.text} Slowly.` })) });
    const step = result.plan.groups[0]?.steps.find((one) => one.kind === "change-marker" && one.markerId === "g2");
    expect(step).toEqual({
      kind: "change-marker",
      cueId: "cue-0002",
      markerId: "g2",
      comment: "She stands up. Slowly.\nAD·cue-0002",
    });
  });

  test("with the record lost, tags alone bring the cues back and the editor's words win", () => {
    const result = merge(changed("g2", { comment: "She leaves.\nAD·cue-0002" }), { record: null, result: CUES });
    expect(result.cues.map(({ text }) => text)).toEqual(["A woman sits.", "She leaves.", "Rain falls."]);
  });

  test("before Premiere 26.3, where an identity is a position, somebody else's marker is not taken for ours", () => {
    const record = { ...RECORD, placed: { ...RECORD.placed, markerIds: { "cue-0001": "280000/0" } } };
    const now = timeline([{ ...FOREIGN, id: "280000/0" }]);
    expect(read(now, record).markers).toEqual([]);
  });

  test("a second new result does not take the words of the first edit", () => {
    const now = changed("g2", { comment: "She leaves.\nAD·cue-0002" });
    const first = merge(now, { result: CUES });
    const record = recordAfterMerge(RECORD, first, { markerIds: {} });
    const second = merge(now, { record, result: CUES.map((cue) => ({ ...cue, text: "Newer." })) });
    expect(second.cues.map(({ text }) => text)).toEqual(["Newer.", "She leaves.", "Newer."]);
    expect(describeMerge(second.entries).map(({ message, isDisputed }) => [message, isDisputed])).toEqual([
      ["“Newer.”: It takes the new result.", false],
      ["“She leaves.”: Both you and the new result changed the words. Yours stays.", true],
      ["“Newer.”: It takes the new result.", false],
    ]);
  });
});

describe("whose a marker is, and what it says", () => {
  const [g1, g2, g3] = placed() as [TimelineMarker, TimelineMarker, TimelineMarker, TimelineMarker];
  const tagged = (id: string, start: number, text: string, more: Partial<TimelineMarker> = {}): TimelineMarker => {
    const comment = text === "" ? "AD·cue-0001" : `${text}\nAD·cue-0001`;
    return { id, start, end: start + 2, name: "AD 1 · 2.0 s", comment, colour: "green", ...more };
  };
  const states = (markers: readonly TimelineMarker[], record: PlacedResult | null = RECORD) =>
    read(timeline(markers), record).markers.map(({ cueId, marker, state }) => [cueId, marker.id, state]);

  test("of several with one tag the one with the recorded identity is the cue, wherever it lies", () => {
    const far = { ...g1, start: 40, end: 41.5 };
    const near = tagged("x", g1.start + 0.5, "Near.");
    expect(states([near, far])).toEqual([
      ["cue-0001", "g1", "changed"],
      ["cue-0001-2", "x", "copy"],
    ]);
  });

  test("where none has it, the nearest to its place is the cue, the earlier one of two as near", () => {
    const { start } = g1;
    const all = [
      tagged("late", start + 6, "Late."),
      tagged("near", start + 1, "Near."),
      tagged("before", start - 1, "Before."),
    ];
    expect(states(all)).toEqual([
      ["cue-0001", "before", "changed"],
      ["cue-0001-2", "near", "copy"],
      ["cue-0001-3", "late", "copy"],
    ]);
    const nameless = all.map(({ id: _, ...marker }) => marker);
    expect(read(timeline(nameless)).cues.map(({ text }) => text)).toEqual(["Before.", "Near.", "Late."]);
  });

  test("a copy is one too many where time and words are those of the cue; another time or other words make it a cue", () => {
    const twin = (more: Partial<TimelineMarker>) => states([g1, { ...g1, id: "x", ...more }])[1];
    expect(twin({})).toEqual(["cue-0001", "x", "duplicate"]);
    for (const more of [
      { start: g1.start + 0.5 },
      { end: g1.end + 0.5 },
      { start: g1.start + 0.5, end: g1.end + 0.5 },
      { comment: "Other.\nAD·cue-0001" },
    ]) {
      expect(twin(more)).toEqual(["cue-0001-2", "x", "copy"]);
    }
    // Without words it is nobody's cue, but a marker of ours all the same.
    expect(twin({ comment: "AD·cue-0001" })).toEqual(["cue-0001", "x", "emptied"]);
    expect(read(timeline([g1, { ...g1, id: "x", comment: "AD·cue-0001" }])).cues).toEqual([CUES[0]]);
  });

  test("a cue is in order of time, whatever the order of its markers, and exact where nobody touched it", () => {
    const back = read(timeline([g3, { ...g2, start: 35, end: 37 }, g1]));
    expect(back.cues.map(({ id }) => id)).toEqual(["cue-0001", "cue-0003", "cue-0002"]);
    expect(back.cues[0]).toEqual(CUES[0]);
    expect(back.cues[1]).toEqual(CUES[2]);
  });

  test("a marker that became a point keeps its cue's length; of a cue that nobody knows its words give it", () => {
    const point = read(timeline([{ ...g2, end: g2.start }, g1, g3]));
    expect(point.cues[1]).toEqual(CUES[1]);
    const moved = read(timeline([{ ...g2, start: 40, end: 40 }, g1, g3])).cues[2];
    expect(moved).toMatchObject({ id: "cue-0002", start: 30, end: expect.closeTo(30 + 6.2 - 4.037, 9) });
    const resized = read(timeline([{ ...g2, end: g2.start + 1 }])).cues[0];
    expect(resized).toMatchObject({ start: CUES[1]?.start, end: (CUES[1]?.start ?? 0) + 1 });
    const unknown = {
      ...tagged("x", 20, "Someone waits for hours."),
      end: 20,
      comment: "Someone waits for hours.\nAD·cue-0009",
    };
    const [cue] = read(timeline([unknown])).cues;
    expect(cue).toMatchObject({ id: "cue-0009", start: 10 });
    expect((cue?.end ?? 0) - 10).toBeCloseTo(estimateSpeakingSeconds("Someone waits for hours."), 9);
    expect(states([unknown])).toEqual([["cue-0009", "x", "unknown"]]);
    expect(read(timeline([{ ...unknown, end: 23 }])).cues[0]).toMatchObject({ start: 10, end: 13 });
  });

  test("a tag that nobody knows counts in the described range alone, one of a cue everywhere; no cue begins before the programme", () => {
    const at = (start: number, comment: string) => read(timeline([{ ...g1, start, end: start + 1, comment }])).cues;
    const foreign = "Someone.\nAD·cue-0009";
    expect([9.9, 9.999, 10, 69.9].map((start) => at(start, foreign).length)).toEqual([0, 1, 1, 1]);
    expect([70, 75].map((start) => at(start, foreign).length)).toEqual([0, 0]);
    expect([5, 75].map((start) => at(start, g1.comment).length)).toEqual([1, 1]);
    expect(at(5, g1.comment)[0]).toMatchObject({ start: 0 });
    // A record that is lost leaves the range that was described.
    expect(read(timeline([{ ...g1, comment: foreign }]), null).cues).toHaveLength(1);
    expect(read(timeline([{ ...g1, start: 71, end: 72, comment: foreign }]), null).cues).toEqual([]);
  });

  test("without its tag a marker is known by its own identity with its own name or words, not by those of another", () => {
    expect(states([{ ...g1, comment: "She stands up.", name: "kim" }])).toEqual([]);
    expect(states([{ ...g1, comment: "New words." }])).toEqual([["cue-0001", "g1", "changed"]]);
    expect(states([{ ...g1, comment: "New words.", name: g2.name }])).toEqual([]);
    const { id: _, ...nameless } = g1;
    expect(states([{ ...nameless, comment: "New words." }])).toEqual([]);
    expect(states([{ ...g1, comment: "New words." }], null)).toEqual([]);
  });

  test("words or a time that changed make a cue changed; folding of spaces does not", () => {
    const stateOf = (more: Partial<TimelineMarker>) => states([{ ...g1, ...more }])[0]?.[2];
    expect(stateOf({})).toBe("as-placed");
    expect(stateOf({ comment: g1.comment.replace("A woman", "A  woman") })).toBe("as-placed");
    expect(stateOf({ comment: "She sits.\nAD·cue-0001" })).toBe("changed");
    expect(stateOf({ start: g1.start + 0.5, end: g1.end + 0.5 })).toBe("changed");
    expect(stateOf({ end: g1.end + 0.5 })).toBe("changed");
    expect(stateOf({ comment: "AD·cue-0001" })).toBe("emptied");
  });

  test("the marker of a pause is known by its name, and the nearest pause of that name is meant", () => {
    const toWrite = [3, 20, 30].map((start, index) => ({
      id: `pause-000${index}`,
      start,
      end: start + 2,
      words: 5,
      hints: [],
    }));
    const record = { ...RECORD, toWrite };
    const name = "To write: 5 words, 2.0 s";
    const written = (start: number, comment = "Somebody waits.") =>
      read(timeline([{ id: "x", start, end: start + 2, name, comment, colour: "yellow" }]), record).cues.map(
        ({ id }) => id,
      );
    expect(written(29)).toEqual(["pause-0001"]);
    expect(written(36)).toEqual(["pause-0002"]);
    expect(written(13)).toEqual(["pause-0000"]);
    expect(written(13, "AD·pause-0002 Somebody waits.")).toEqual(["pause-0002"]);
    const alone = timeline([
      { id: "x", start: 13.5, end: 15, name: "To write: 9 words, 2.0 s", comment: "He waits.", colour: "yellow" },
    ]);
    expect(read(alone, record).cues.map(({ id }) => id)).toEqual(["pause-at-3500"]);
    expect(read(alone, null).cues.map(({ id }) => id)).toEqual(["pause-at-3500"]);
    const blank = timeline([{ id: "x", start: 13, end: 15, name, comment: "", colour: "yellow" }]);
    expect(read(blank, record).markers.map(({ state }) => state)).toEqual(["to-write"]);
  });
});

describe("choosing a record", () => {
  const later: PlacedResult = {
    ...RECORD,
    revision: 2,
    cues: CUES.map((cue) => ({ ...cue, start: cue.start + 3, end: cue.end + 3 })),
  };

  test("after an undo, the one that the markers match counts, whichever is later", () => {
    const chosen = chooseRecord([writeRecord(RECORD), writeRecord(later)], "s1", timeline(placed()));
    expect(chosen.record).toEqual(RECORD);
    expect(chosen.notices).toHaveLength(1);
  });

  test("of equals the later one counts; a damaged one is said to be damaged", () => {
    const same = { ...RECORD, revision: 5 };
    const texts = [writeRecord(RECORD), writeRecord(same), "garbage"];
    expect(chooseRecord(texts, "s1", timeline(placed())).record?.revision).toBe(5);
    expect(chooseRecord(["garbage", null], "s1", timeline([]))).toMatchObject({
      record: null,
      notices: [expect.stringContaining("damaged")],
    });
  });

  test("a copied sequence gets a record of its own", () => {
    const chosen = chooseRecord([writeRecord(RECORD)], "s2", timeline(placed()));
    expect(chosen.record).toEqual({ ...RECORD, placed: { ...RECORD.placed, sequenceId: "s2" } });
  });
});
