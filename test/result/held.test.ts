import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { withIds } from "../../src/result/edit.ts";
import { cuesInVideo, heardInVideo, heldCues, spokenLength, spokenPace, timeMapOf } from "../../src/result/held.ts";
import { mergeResult } from "../../src/workflow/place/merge-result.ts";
import { cutNarrationClips } from "../../src/workflow/place/narration-clips.ts";
import { planPlacement } from "../../src/workflow/place/place.ts";
import { replacementOf } from "../../src/workflow/place/replace.ts";
import { placedResult } from "../fakes/placed-result.ts";

const CUES = [
  { id: "a", start: 10, end: 10.001, text: "A dog runs along the beach." },
  { id: "b", start: 20, end: 20.001, text: "It swims out to sea." },
];
const HOLDS = [
  { at: 10, seconds: 3 },
  { at: 20, seconds: 2 },
];
const HEARD = [
  { id: "a", start: 10, end: 12.5 },
  { id: "b", start: 23, end: 25 },
];
const held = heldCues(CUES, { holds: HOLDS, heard: HEARD });
if (held === undefined) throw new Error("nothing is held");
const RESULT = placedResult(CUES, { held });
const edited = { ...RESULT, cues: CUES.map((cue) => (cue.id === "a" ? { ...cue, text: "A dog." } : cue)) };
const [A, B] = CUES as [(typeof CUES)[0], (typeof CUES)[0]];

describe("a cue for which the programme is held", () => {
  test("is as long as it is heard in the video, with the pace of that", () => {
    expect(spokenLength(RESULT, A)).toEqual({ seconds: 2.5, basis: "heard" });
    expect(spokenPace(RESULT, A)).toBeCloseTo(144, 6);
    expect(heardInVideo(RESULT)).toEqual(HEARD);
  });

  test("is as long as its new words may take once they changed, by the pace of its voice; its pace is not known", () => {
    const [cue] = edited.cues as [(typeof CUES)[0]];
    const { seconds, basis } = spokenLength(edited, cue);
    expect(basis).toBe("estimate");
    // Eleven words in 4.5 s; two are left.
    expect(seconds).toBeCloseTo((2 * 4.5) / 11, 6);
    expect(spokenPace(edited, cue)).toBeNull();
    expect(heardInVideo(edited).map(({ id }) => id)).toEqual(["b"]);
  });

  test("lies in the video where it is heard, and nowhere once the cut is another", () => {
    expect(cuesInVideo(RESULT)).toEqual([
      { ...A, start: 10, end: 12.5 },
      { ...B, start: 23, end: 25 },
    ]);
    const added = { id: "c", start: 15, end: 15.001, text: "Waves." };
    expect(cuesInVideo({ ...RESULT, cues: [...CUES, added] })?.[2]?.start).toBe(18);
    expect(timeMapOf(RESULT)?.addedSeconds).toBe(5);
    const recut = { ...RESULT, held: { ...held, holds: null } };
    expect([cuesInVideo(recut), timeMapOf(recut)]).toEqual([null, null]);
    expect(spokenLength(recut, A).basis).toBe("heard");
  });

  test("has a marker at its time in the programme with its spoken length, and no narration there", async () => {
    const sequence = { id: "s", rate: frameRate(25) };
    const timeline = { rate: sequence.rate, tracks: [], markers: [] } as never;
    const [group] = planPlacement(replacementOf(RESULT, { sequence, timeline })).groups;
    expect(group?.steps).toMatchObject([
      { start: 10, name: "AD 1 · 2.5 s" },
      { start: 20, name: "AD 2 · 2.0 s" },
    ]);
    const pieces = { a: { path: "a.wav", start: 10, durationSeconds: 2.5 } };
    const result = { ...RESULT, pieces };
    expect(await cutNarrationClips({} as never, { result, rate: sequence.rate, pathOf: (name) => name })).toBeNull();
  });

  test("keeps its spoken length in its marker when it is merged again, under the ids of the record", () => {
    const sequence = { id: "s", rate: frameRate(25) };
    const [first, second] = CUES.map((cue, index) => ({ ...cue, id: `new-${index}` })) as [typeof A, typeof B];
    const heard = { "new-0": held.heard["a"], "new-1": held.heard["b"] } as typeof held.heard;
    const result = {
      ...RESULT,
      runId: "run-2",
      cues: [first, second],
      generated: [first, second],
      held: { ...held, heard },
    };
    const timeline = { rate: sequence.rate, tracks: [], markers: [] } as never;
    const { plan, ids } = mergeResult(result, { sequence, timeline, record: RESULT });
    expect([...ids.values()]).toEqual(["a", "b"]);
    expect(plan.groups[0]?.steps).toMatchObject([{ name: "AD 1 · 2.5 s" }, { name: "AD 2 · 2.0 s" }]);
  });

  test("keeps what is known of it under another id", () => {
    const renamed = withIds(RESULT, new Map([["a", "z"]]));
    expect(spokenLength(renamed, { ...A, id: "z" }).basis).toBe("heard");
  });
});

test("any other cue is as long as it says", () => {
  const standard = placedResult([{ id: "a", start: 1, end: 4, text: "A dog runs." }]);
  const [cue] = standard.cues as [(typeof CUES)[0]];
  expect(spokenLength(standard, cue)).toEqual({ seconds: 3, basis: "cue" });
  expect(spokenPace(standard, cue)).toBe(60);
  expect([cuesInVideo(standard), timeMapOf(standard), heardInVideo(standard)]).toEqual([null, null, []]);
  expect(heldCues(CUES, { holds: [], heard: HEARD })).toBeUndefined();
});
