import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cue, compareCues } from "../../../src/core/cue.ts";
import type { Timeline, TimelineMarker } from "../../../src/core/timeline.ts";
import type { EditPlan } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { writeRecord } from "../../../src/result/record.ts";
import type { PlacedResult, Result } from "../../../src/result/result.ts";
import {
  firstRecord,
  mergeResult,
  readIntoResult,
  recordAfterPlacing,
} from "../../../src/workflow/place/merge-result.ts";
import { planPlacement } from "../../../src/workflow/place/place.ts";
import {
  chooseRecord,
  mergeIntoSequence,
  recordAfterMerge,
  recordAfterPart,
} from "../../../src/workflow/place/round-trip.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { RATE, timelineOf } from "./timelines.ts";

const OFFSET = 10;
const SEQUENCE = { id: "s1", rate: RATE };
const FOREIGN: TimelineMarker = { id: "f", start: 12, end: 12, name: "Grade", comment: "too warm", colour: "blue" };

/** Markers alone are placed here. */
const apply = (timeline: Timeline, plan: EditPlan) =>
  applyPlan(timeline, plan, () => {
    throw new Error("no sound is placed");
  });

/** A result as it was placed, the record of it and the timeline with its markers. */
function placed(cues: readonly Cue[], changes: Partial<Result> = {}): { record: PlacedResult; timeline: Timeline } {
  const plan = planPlacement({ sequence: SEQUENCE, offsetSeconds: OFFSET, cues });
  const { timeline, markerIds } = apply(timelineOf([], [FOREIGN]), plan);
  return { record: placedResult(cues, { offsetSeconds: OFFSET, ...changes }, { markerIds }), timeline };
}

const merged = (timeline: Timeline, record: PlacedResult | null, fields: object = {}) =>
  mergeIntoSequence({
    sequence: SEQUENCE,
    timeline,
    record,
    offsetSeconds: OFFSET,
    durationSeconds: 60,
    ...fields,
  });

/** What somebody makes of one description. */
type Deed = "leaves" | "rewords" | "moves" | "removes";
const deeds = fc.constantFrom<Deed>("leaves", "rewords", "moves", "removes");

/** What becomes of each of a few descriptions: the editor's deed on the timeline, and the new result's. */
const stories = fc
  .array(fc.record({ editor: deeds, service: deeds, isNamed: fc.boolean() }), { minLength: 1, maxLength: 5 })
  .map((rows) => {
    const cues = rows.map(
      (_, index): Cue => ({
        id: `cue-000${index + 1}`,
        start: 2 + 10 * index,
        end: 5 + 10 * index,
        text: `Line ${index}.`,
      }),
    );
    const { record, timeline } = placed(cues);
    const markers = timeline.markers.flatMap((marker): TimelineMarker[] => {
      const index = cues.findIndex(({ id }) => id === marker.id);
      const row = rows[index];
      if (row === undefined) return [marker];
      const named = row.isNamed ? { ...marker, name: `ask Kim ${index}` } : marker;
      if (row.editor === "removes") return [];
      if (row.editor === "moves") return [{ ...named, start: marker.start + 1, end: marker.end + 1 }];
      return [row.editor === "rewords" ? { ...named, comment: `Mine ${index}.\nAD·${marker.id}` } : named];
    });
    const result = cues.flatMap((cue, index): Cue[] => {
      const service = rows[index]?.service;
      if (service === "removes") return [];
      if (service === "moves") return [{ ...cue, start: cue.start - 1, end: cue.end - 1 }];
      return [service === "rewords" ? { ...cue, text: `Theirs ${index}.` } : cue];
    });
    return { rows, cues, record, timeline: { ...timeline, markers }, result };
  });

const textOf = (cues: readonly Cue[], id: string) => cues.find((cue) => cue.id === id)?.text;

describe("an editor's work and a new result", () => {
  test("no word of the editor's is lost or replaced, what only the service changed is taken, and a named marker stays", () => {
    fc.assert(
      fc.property(stories, ({ rows, cues, record, timeline, result }) => {
        // With every marker gone nobody knows whether they were deleted: see below.
        if (rows.every(({ editor }) => editor === "removes")) return;
        const merge = merged(timeline, record, { result });
        for (const [index, { id }] of cues.entries()) {
          const { editor, service, isNamed } = rows[index] ?? {};
          const text = textOf(merge.cues, id);
          const conflicts = merge.entries.find(({ cueId }) => cueId === id)?.conflicts;
          if (editor === "removes") expect(text).toBeUndefined();
          else if (editor === "rewords") expect(text).toBe(`Mine ${index}.`);
          else if (service === "removes" && editor === "leaves" && !isNamed) expect(text).toBeUndefined();
          else expect(text).toBe(service === "rewords" ? `Theirs ${index}.` : `Line ${index}.`);
          const isDisputed =
            (editor === service && (editor === "rewords" || editor === "moves")) ||
            (editor === "removes" && (service === "rewords" || service === "moves")) ||
            (service === "removes" && editor !== "removes" && (editor !== "leaves" || isNamed === true));
          expect([index, (conflicts ?? []).length > 0]).toEqual([index, isDisputed]);
        }
        expect(merge.generated).toEqual(result.toSorted(compareCues));
      }),
    );
  });

  test("once it is applied, the markers say what was merged, others are as they were, and nothing is left to do", () => {
    fc.assert(
      fc.property(stories, fc.boolean(), ({ record, timeline, result }, isRead) => {
        const merge = merged(timeline, record, isRead ? {} : { result });
        const after = apply(timeline, merge.plan);
        const next = recordAfterMerge(record, merge, after);
        expect(next.revision).toBe(record.revision + 1);
        const again = merged(after.timeline, next);
        expect(again.cues).toEqual(merge.cues);
        expect(again.readBack.markers.every(({ state }) => state === "as-placed")).toBe(true);
        expect(again.plan.groups).toEqual([]);
        expect(next.placed.markerIds).toEqual(
          Object.fromEntries(again.readBack.markers.map(({ cueId, marker }) => [cueId, marker.id])),
        );
        expect(after.timeline.markers).toContainEqual(FOREIGN);
      }),
    );
  });

  test("a plan that came half way is completed by placing again: no marker that is missing counts as deleted", () => {
    fc.assert(
      fc.property(stories, fc.nat({ max: 12 }), ({ record, timeline, result }, count) => {
        const whole = merged(timeline, record, { result });
        const planned = recordAfterMerge(record, whole, { markerIds: {} });
        const steps = whole.plan.groups.flatMap((group) => group.steps).slice(0, count);
        const { timeline: now } = apply(timeline, { sequenceId: "s1", groups: [{ label: "Part", steps }] });
        const part = recordAfterPart(record, planned, now);
        const again = merged(now, part, { result });
        const finished = apply(now, again.plan).timeline;
        const seen = (one: Timeline) => one.markers.map(({ start, end, comment }) => [start, end, comment]);
        expect(seen(finished)).toEqual(seen(apply(timeline, whole.plan).timeline));
      }),
    );
  });

  test("what was undone and then placed again half way is completed by placing once more", () => {
    const cues = [1, 2].map(
      (number): Cue => ({ id: `c${number}`, start: number, end: number + 0.5, text: `${number}` }),
    );
    const { record } = placed(cues);
    const undone = timelineOf([], [FOREIGN]);
    const whole = merged(undone, record, { result: cues });
    const first = whole.plan.groups.flatMap(({ steps }) => steps).slice(0, 1);
    const now = apply(undone, { sequenceId: "s1", groups: [{ label: "Part", steps: first }] }).timeline;
    const part = recordAfterPart(record, recordAfterMerge(record, whole, { markerIds: {} }), now);
    expect(merged(now, part, { result: cues }).cues).toEqual(cues);
  });

  test("of a first placing that came half way, only what is there is recorded", () => {
    const cues = [1, 2, 3].map(
      (number): Cue => ({ id: `c${number}`, start: number, end: number + 0.5, text: `${number}` }),
    );
    const { record, timeline } = placed(cues);
    const now = { ...timeline, markers: timeline.markers.filter(({ id }) => id !== "c2") };
    const left = cues.filter(({ id }) => id !== "c2");
    expect(recordAfterPart(null, record, now)).toEqual({ ...record, cues: left, generated: left });
    expect(recordAfterPart(null, { ...record, generated: null }, now).generated).toBeNull();
    // What was recorded before and is still there stays recorded, in order of time.
    const old = { id: "old", start: 1.7, end: 1.9, text: "Old." };
    const marker = { id: "m", start: 11.7, end: 11.9, name: "", comment: "Old.\nAD·old" };
    const before = placedResult([old, { ...old, id: "gone" }], { offsetSeconds: OFFSET });
    const both = recordAfterPart(before, record, { ...now, markers: [...now.markers, marker] });
    expect(both.cues.map(({ id }) => id)).toEqual(["c1", "old", "c3"]);
    expect(both.generated).toEqual(both.cues);
  });

  test("a new description takes no id that a marker carries anywhere, nor one of the editor's own or of the record", () => {
    const first: Cue = { id: "a", start: 2, end: 4, text: "First." };
    const { record, timeline } = placed([first, { id: "b", start: 6, end: 8, text: "Second." }]);
    const far: TimelineMarker = { id: "far", start: 900, end: 901, name: "", comment: "Elsewhere.\nAD·far" };
    const own: TimelineMarker = { id: "own", start: 30, end: 31, name: "", comment: "Own.\nAD·own" };
    const markers = [...timeline.markers.filter(({ id }) => id !== "b"), far, own];
    const fresh = ["far", "own", "b", "new"].map(
      (id, index): Cue => ({ id, start: 40 + 4 * index, end: 42 + 4 * index, text: `Fresh ${index}.` }),
    );
    const merge = merged({ ...timeline, markers }, { ...record, generated: [first] }, { result: [first, ...fresh] });
    expect([...merge.ids]).toEqual([
      ["a", "a"],
      ["far", "far-2"],
      ["own", "own-2"],
      ["b", "b-2"],
      ["new", "new"],
    ]);
    expect(merge.generated?.map(({ id }) => id)).toEqual(["a", "far-2", "own-2", "b-2", "new"]);
    expect(merge.cues.map(({ text }) => text)).toEqual(["First.", "Own.", ...fresh.map(({ text }) => text)]);
    // A pause that waits for words gives its id to who describes it.
    const pause = { id: "pause-0001", start: 50, end: 55, words: 9, hints: [] };
    const waiting = planPlacement({ sequence: SEQUENCE, offsetSeconds: OFFSET, cues: [first], toWrite: [pause] });
    const open = apply(timelineOf([]), waiting).timeline;
    const written = { id: pause.id, start: 50, end: 52, text: "Written." };
    const taken = merged(
      open,
      { ...record, cues: [first], generated: [first], toWrite: [pause] },
      { result: [first, written] },
    );
    expect(taken.ids.get(pause.id)).toBe(pause.id);
  });

  test("without a new result the ids are those of the record, and what the service wrote stays known", () => {
    const { record, timeline } = placed([{ id: "a", start: 2, end: 4, text: "First." }]);
    const merge = merged(timeline, record);
    expect(merge).toMatchObject({ ids: new Map(), generated: record.generated });
    expect(merged(timeline, null).generated).toBeNull();
  });
});

describe("the record that counts", () => {
  const cues = [1, 2].map((number): Cue => ({ id: `c${number}`, start: number, end: number + 0.5, text: `${number}` }));
  const { record, timeline } = placed(cues);
  const NEWER = "written by a newer version";

  test("is the one that knows more markers, where the markers match two of one revision alike", () => {
    const bare = { ...record, placed: { ...record.placed, markerIds: {} } };
    for (const texts of [
      [writeRecord(bare), writeRecord(record)],
      [writeRecord(record), writeRecord(bare)],
    ]) {
      expect(chooseRecord(texts, "s1", timeline)).toEqual({ record, notices: [] });
    }
  });

  test("is none where none was kept, where it is damaged, or a newer Aside wrote it; the last two are told", () => {
    const later = writeRecord({ ...record, version: 99 as never });
    expect(chooseRecord([null, ""], "s1", timeline)).toEqual({ record: null, notices: [] });
    expect(chooseRecord([later], "s1", timeline)).toEqual({ record: null, notices: [expect.stringContaining(NEWER)] });
    expect(chooseRecord([later, "x"], "s1", timeline).notices).toEqual([expect.stringContaining(NEWER)]);
    const damaged = writeRecord(record).replace("c1", "c9");
    expect(chooseRecord([damaged], "s1", timeline).notices).toEqual([expect.stringContaining("damaged")]);
  });

  test("belongs to the copy of its sequence from then on, and says so once", () => {
    const { notices } = chooseRecord([writeRecord(record)], "s2", timeline);
    expect(notices).toEqual([expect.stringContaining("copy")]);
  });
});

describe("a result that goes onto its sequence", () => {
  const CUES: Cue[] = [
    { id: "a", start: 2, end: 4, text: "First." },
    { id: "b", start: 6, end: 8, text: "Second." },
  ];
  const { record, timeline } = placed(CUES);
  const { placed: _, ...result } = record;
  const at = (target: Timeline, old: PlacedResult | null = record) => ({
    sequence: SEQUENCE,
    timeline: target,
    record: old,
  });
  const withComment = (id: string, comment: string): Timeline => ({
    ...timeline,
    markers: timeline.markers.map((marker) => (marker.id === id ? { ...marker, comment } : marker)),
  });

  test("with edits of its own meets the markers as they were placed: nothing is disputed that one side alone changed", () => {
    const edited = { ...result, cues: CUES.map((cue) => (cue.id === "a" ? { ...cue, text: "First, edited." } : cue)) };
    const { merge, disputed } = readIntoResult(edited, at(withComment("b", "Second, edited.\nAD·b")));
    expect(merge.cues.map(({ text }) => text)).toEqual(["First, edited.", "Second, edited."]);
    expect(disputed).toEqual([]);
  });

  test("keeps its own words where both changed them, and says of which", () => {
    const edited = { ...result, cues: CUES.map((cue) => (cue.id === "a" ? { ...cue, text: "Mine." } : cue)) };
    const now = withComment("a", "The marker's.\nAD·a");
    const { merge, disputed } = readIntoResult(edited, at(now));
    expect(disputed).toEqual(["a"]);
    expect(merge.cues.map(({ text }) => text)).toEqual(["Mine.", "Second."]);
    expect(mergeResult(edited, at(now)).cues[0]?.text).toBe("The marker's.");
  });

  test("places neither muted cues nor the pauses of an earlier result, and the record knows what the service wrote", () => {
    const pause = { id: "pause-0001", start: 20, end: 25, words: 9, hints: [] };
    const plan = planPlacement({ sequence: SEQUENCE, offsetSeconds: OFFSET, cues: CUES, toWrite: [pause] });
    const before = apply(timelineOf([], [FOREIGN]), plan).timeline;
    const merge = mergeResult({ ...result, mutedIds: ["b"] }, at(before, { ...record, toWrite: [pause] }));
    const after = apply(before, merge.plan);
    expect(after.timeline.markers.map(({ id }) => id)).toEqual(["f", "a"]);
    const next = recordAfterPlacing(record, { ...result, mutedIds: ["b"], generated: null }, merge, after);
    expect(next.cues.map(({ id }) => id)).toEqual(["a"]);
    expect(next.generated).toEqual(CUES);
    expect(next.revision).toBe(record.revision + 1);
  });

  test("leaves the sound of an earlier one in the record where it makes none, and takes its own where it does", () => {
    const voicing = { track: "ad_only" as const, lines: [] };
    const voice = { text: "First.", start: 2, end: 4 };
    const old: PlacedResult = {
      ...record,
      voiced: { a: voice as never },
      voicing,
      placed: { ...record.placed, clipNames: ["old.wav"], described: [] },
    };
    const merge = mergeResult(result, at(timeline, old));
    const silent = recordAfterPlacing(old, { ...result, track: "none" }, merge, { markerIds: {} });
    expect(silent).toMatchObject({ voiced: old.voiced, voicing, placed: { clipNames: [], described: [] } });
    const audio = { path: "/out/aside-2.wav", durationSeconds: 60 };
    const own = { ...result, runId: "run-2", voiced: { b: voice as never }, audio };
    const sounding = recordAfterPlacing(old, own, merge, { markerIds: { a: "m-a" } });
    expect(sounding.voiced).toEqual(own.voiced);
    expect(sounding).not.toHaveProperty("voicing");
    expect(sounding.placed).not.toHaveProperty("described");
    expect(sounding.placed).toMatchObject({ clipNames: ["aside-2.wav"], sequenceId: "s1" });
    expect(sounding.placed.markerIds).toMatchObject({ a: "m-a", b: "b" });
  });

  test("that was never placed begins with a record of the cut as it is, without markers and voices", () => {
    const first = firstRecord({ ...result, voiced: { a: {} as never } }, "s7", timeline);
    expect(first).toMatchObject({
      revision: 0,
      voiced: {},
      placed: { sequenceId: "s7", markerIds: {}, clipNames: [] },
    });
  });
});
