import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { Timeline, TimelineMarker } from "../../../src/core/timeline.ts";
import { writeRecord } from "../../../src/result/record.ts";
import type { PlacedResult } from "../../../src/result/result.ts";
import { countMerge, describeMerge } from "../../../src/workflow/place/merge-summary.ts";
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
    expect(read(changed("g1", { comment: "A woman sits.", name: "kim" })).cues).toHaveLength(3);
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
