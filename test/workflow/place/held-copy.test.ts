import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { framesFromSeconds, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { type Hold, TimeMap, withHolds } from "../../../src/core/time-map.ts";
import type { TimelineMarker } from "../../../src/core/timeline.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { heldCues } from "../../../src/result/held.ts";
import type { Result } from "../../../src/result/result.ts";
import { type HeldCopy, heldCopyOf, planHeldPlacement } from "../../../src/workflow/place/held-copy.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { RATE, soundClip, soundTrack, timelineOf } from "./timelines.ts";

const OFFSET = 10;
const FRAME = secondsFromFrames(1, RATE);

/** An extended result: each line begins somewhat before its hold, at which the programme waits for the rest of it. */
function extended(rows: readonly { readonly at: number; readonly lead: number; readonly held: number }[]): Result {
  const holds = rows.map(({ at, held }): Hold => ({ at, seconds: held }));
  const map = new TimeMap(holds);
  const cues = rows.map(
    ({ at, lead }, index): Cue => ({ id: `c${index}`, start: at - lead, end: at, text: `Line ${index}.` }),
  );
  const heard = cues.map(({ id, start }, index) => {
    const begin = map.arrival(start);
    return { id, start: begin, end: begin + (rows[index]?.lead ?? 0) + (rows[index]?.held ?? 0) };
  });
  const held = heldCues(cues, { holds, heard });
  const { placed: _, ...result } = placedResult(cues, {
    offsetSeconds: OFFSET,
    dialogue: [{ start: 1, end: 58, text: "He talks all the time." }],
    audio: { path: "/video.wav", durationSeconds: 90 },
    pieces: { c0: { path: "/c0.wav", start: 0, durationSeconds: 1 } },
    toWrite: [{ id: "pause-0001", start: 50, end: 55, words: 9, hints: [] }],
    standing: [{ rule: "r", severity: "warn", cueIds: [], message: "m" }],
    findings: [{ rule: "r", severity: "warn", cueIds: [], message: "m" }],
    voiced: { c0: { text: "Line 0.", start: 0, end: 1 } as never },
    ...(held === undefined ? {} : { held }),
  });
  return result;
}

const results = fc
  .array(fc.record({ lead: fc.integer({ min: 0, max: 30 }), held: fc.integer({ min: 5, max: 80 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((rows) =>
    extended(
      rows.map(({ lead, held }, index) => ({ at: 5.01 + 10.007 * index, lead: lead / 10, held: held / 10 + 0.013 })),
    ),
  );

function copyOf(result: Result): HeldCopy {
  const copy = heldCopyOf(result, RATE);
  if (copy === null) throw new Error("the programme is held");
  return copy;
}

describe("an extended result on a copy that is held for it", () => {
  test("is held on frames, and each line lies where it is heard, as long as it is spoken, to a frame for each hold", () => {
    fc.assert(
      fc.property(results, (result) => {
        const { map, result: copy } = copyOf(result);
        for (const { at, seconds } of map.holds) {
          for (const time of [at, seconds]) {
            expect(secondsFromFrames(framesFromSeconds(time, RATE), RATE)).toBeCloseTo(time, 9);
          }
        }
        const heard = result.held?.heard ?? {};
        for (const [index, { id, start, end, text }] of copy.cues.entries()) {
          const was = heard[id];
          expect(text).toBe(result.cues[index]?.text);
          expect(end - start).toBeCloseTo((was?.end ?? 0) - (was?.start ?? 0), 9);
          expect(Math.abs(start - (was?.start ?? 0))).toBeLessThanOrEqual(index * FRAME + 1e-9);
        }
        expect(copy.durationSeconds).toBe(result.durationSeconds + map.addedSeconds);
        expect(copy.generated).toEqual(copy.cues);
        // What is said goes on around each hold, and is nowhere heard in one.
        const said = copy.dialogue ?? [];
        const spoken = said.reduce((sum, line) => sum + line.end - line.start, 0);
        expect(spoken).toBeCloseTo(57, 6);
        for (const { at } of map.holds) {
          const hold = { start: map.arrival(at) - OFFSET, end: map.departure(at) - OFFSET };
          expect(said.every(({ start, end }) => end <= hold.start + 1e-6 || start >= hold.end - 1e-6)).toBe(true);
        }
      }),
    );
  });

  test("is a run of its own, with nothing of the sound, the pauses and the findings that belong to the other clock", () => {
    const result = extended([{ at: 5, lead: 1, held: 3 }]);
    const { result: copy } = copyOf(result);
    expect(copy).toMatchObject({ runId: "run-1-held", track: "ad_only", findings: [], voiced: {} });
    expect(copy.settings).toEqual(result.settings);
    for (const gone of ["held", "audio", "pieces", "toWrite", "standing"]) expect(copy).not.toHaveProperty(gone);
  });

  test("there is none where nothing is held, or nobody knows where", () => {
    const { held: _, ...standard } = extended([]);
    expect(heldCopyOf(standard, RATE)).toBeNull();
    const { held, ...rest } = extended([{ at: 5, lead: 1, held: 3 }]);
    expect(heldCopyOf({ ...rest, held: { holds: null, heard: held?.heard ?? {} } }, RATE)).toBeNull();
    expect(heldCopyOf({ ...rest, held: { holds: [], heard: {} } }, RATE)).toBeNull();
  });
});

describe("what goes onto a held copy", () => {
  const result = extended([
    { at: 5, lead: 1, held: 3 },
    { at: 20, lead: 2, held: 4 },
  ]);
  const { map, result: copy } = copyOf(result);
  const note = (id: string, start: number, end = start): TimelineMarker => ({ id, start, end, name: id, comment: "" });
  const MARKERS = [
    note("before", 3),
    note("at", 15),
    note("across", 14, 16),
    note("behind", 40, 41),
    note("up to", 10, 15),
  ];
  const asCopied = timelineOf([soundTrack([soundClip("take.wav", 0, 60)], { name: "Audio 1" })], MARKERS);
  const apply = (now: typeof asCopied, plan: ReturnType<typeof planHeldPlacement>) =>
    applyPlan(now, plan, (path) => ({ location: path, channels: 1, sampleRate: 48_000 })).timeline;
  const clips = copy.cues.map(({ id, start, end }) => ({
    path: `/${id}.wav`,
    place: { cueId: id, name: `aside-${id}.wav`, start: start + OFFSET, durationSeconds: end - start },
  }));
  const placement = { map, result: copy, sequence: { id: "s1", rate: RATE }, asCopied, clips };

  test("are its lines as markers and clips, and the editor's own markers, which stay with their picture", () => {
    const now = withHolds(asCopied, map);
    const plan = planHeldPlacement({ ...placement, now });
    expect(plan.groups.map(({ label }) => label)).toEqual([
      "Take 3 markers along",
      "Place 2 description markers",
      "Place narration",
    ]);
    const after = apply(now, plan);
    const places = Object.fromEntries(after.markers.map(({ id, start, end }) => [id, [start, end]]));
    expect(places).toEqual({
      before: [3, 3],
      "up to": [10, 15],
      c0: [14, 18],
      across: [14, 19],
      at: [18, 18],
      c1: [31, 37],
      behind: [47, 48],
    });
    expect(after.tracks.at(-1)?.clips.map(({ name, start }) => [name, start])).toEqual([
      ["aside-c0.wav", 14],
      ["aside-c1.wav", 31],
    ]);
  });

  test("where a host took the markers along, they are left as they are, and so are ours and those it cannot name", () => {
    const first = apply(withHolds(asCopied, map), planHeldPlacement({ ...placement, now: withHolds(asCopied, map) }));
    const nameless: TimelineMarker = { start: 50, end: 50, name: "", comment: "" };
    const old = { id: "c9", start: 30, end: 31, name: "AD 9 · 1.0 s", comment: "Old.\nAD·c9" };
    const copied = { ...asCopied, markers: [...MARKERS, nameless, old] };
    const now = { ...first, markers: [...first.markers, nameless, old] };
    const plan = planHeldPlacement({ ...placement, asCopied: copied, now });
    expect(plan.groups).toEqual([
      { label: "Place 2 description markers", steps: [{ kind: "remove-marker", cueId: "c9", markerId: "c9" }] },
    ]);
    const one = { ...now, markers: now.markers.map((marker) => (marker.id === "at" ? note("at", 15) : marker)) };
    const again = planHeldPlacement({ ...placement, asCopied: copied, now: one });
    expect(again.groups[0]).toEqual({
      label: "Take 1 marker along",
      steps: [{ kind: "change-marker", cueId: "marker-1", markerId: "at", start: 18, duration: 0 }],
    });
  });
});
