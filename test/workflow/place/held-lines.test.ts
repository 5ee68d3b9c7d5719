import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { partsAround, TimeMap } from "../../../src/core/time-map.ts";
import { overlapDuration, ROUNDING_ERROR_SECONDS } from "../../../src/core/time-range.ts";
import type { Result } from "../../../src/result/result.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { heldCopyOf } from "../../../src/workflow/place/held-copy.ts";
import { heldForLines, heldLine } from "../../../src/workflow/place/held-lines.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { RATE } from "./timelines.ts";

const OFFSET = 10;
const FRAME = 1 / 25;
const BREATH = 0.2;

/** A film of a minute: a line in every pause, each of which may be longer than it, and some of which the film is held for. */
const films = fc
  .array(fc.record({ pause: fc.integer({ min: 10, max: 50 }), seconds: fc.integer({ min: 5, max: 90 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((rows) => fc.tuple(fc.constant(rows), fc.subarray(rows.map((_, index) => `c${index}`))))
  .map(([rows, extendedIds]) => {
    let at = 1.013;
    const speech = [{ start: 0, end: 1 }];
    const cues = rows.map(({ pause, seconds }, index): Cue => {
      const start = at + 0.2;
      const length = extendedIds.includes(`c${index}`) ? seconds / 10 : Math.min(seconds, pause - 5) / 10;
      speech.push({ start: at + pause / 10, end: at + pause / 10 + 3 });
      at += pause / 10 + 3.011;
      return { id: `c${index}`, start, end: start + Math.max(0.3, length), text: `Line ${index} is said.` };
    });
    return filmOf(cues, { speech, extendedIds, mutedIds: extendedIds });
  });

function filmOf(cues: readonly Cue[], change: Partial<Result>): Result {
  const { settings } = placedResult(cues);
  const { placed: _, ...result } = placedResult(cues, {
    offsetSeconds: OFFSET,
    audio: { path: "/narration.wav", durationSeconds: 60 },
    voiced: voicedCues(cues, settings),
    ...change,
  });
  return result;
}

/** A film before one of its lines was marked. */
const heardIn = ({ mutedIds = [], ...film }: Result, { id }: Cue): Result => ({
  ...film,
  mutedIds: mutedIds.filter((one) => one !== id),
});

const secondsOf = ({ start, end }: { readonly start: number; readonly end: number }) => end - start;

describe("lines of a standard description that the film is held for", () => {
  test("are heard whole on the copy, in nobody's speech and over no other line, and everything else stays with its picture", () => {
    fc.assert(
      fc.property(films, (film) => {
        const held = heldForLines(film, RATE);
        const asked = new Set(film.extendedIds);
        if (held === null) {
          const tooLong = film.cues.filter(
            (cue) => asked.has(cue.id) && heldLine(heardIn(film, cue), cue, RATE).addedSeconds > 0,
          );
          expect(tooLong).toEqual([]);
          return;
        }
        const copy = heldCopyOf(held, RATE, "kept");
        if (copy === null) throw new Error("the film is held");
        const said = (film.speech ?? []).flatMap(({ start, end }) =>
          partsAround({ start: start + OFFSET, end: end + OFFSET }, copy.map).map(({ after }) => after),
        );
        for (const cue of copy.result.cues) {
          const was = film.cues.find(({ id }) => id === cue.id) ?? cue;
          expect(secondsOf(cue)).toBeCloseTo(secondsOf(was), 6);
          const heard = { start: cue.start + OFFSET, end: cue.end + OFFSET };
          if (asked.has(cue.id)) {
            for (const range of said) expect(overlapDuration(range, heard)).toBeLessThan(FRAME);
          } else expect(heard.start).toBeCloseTo(copy.map.arrival(was.start + OFFSET), 6);
        }
        const inOrder = [...copy.result.cues].sort((a, b) => a.start - b.start);
        for (const [index, cue] of inOrder.entries()) {
          expect((inOrder[index + 1]?.start ?? Number.POSITIVE_INFINITY) - cue.end).toBeGreaterThan(-FRAME);
        }
      }),
    );
  });

  test("make the film longer by no more than they lack, a breath, and a frame", () => {
    fc.assert(
      fc.property(films, (film) => {
        for (const cue of film.cues) {
          // As long as it is heard: what is muted is estimated.
          const { start, seconds, addedSeconds } = heldLine(heardIn(film, cue), cue, RATE);
          expect(seconds).toBeCloseTo(secondsOf(cue), 6);
          expect(start).toBeCloseTo(cue.start, 6);
          const end = (film.speech ?? []).find((range) => range.start > cue.start)?.start ?? 0;
          const missing = seconds - (end - 0.1 - start);
          if (missing <= ROUNDING_ERROR_SECONDS) expect(addedSeconds).toBe(0);
          else {
            expect(addedSeconds).toBeGreaterThanOrEqual(missing + BREATH - FRAME);
            expect(addedSeconds).toBeLessThanOrEqual(missing + BREATH + 2 * FRAME);
          }
        }
        const held = heldForLines(film, RATE);
        const lines = film.cues.filter(({ id }) => film.extendedIds?.includes(id));
        const each = lines
          .map((cue) => heldLine(heardIn(film, cue), cue, RATE).addedSeconds)
          .reduce((sum, one) => sum + one, 0);
        expect(new TimeMap(held?.held?.holds ?? []).addedSeconds).toBeCloseTo(each, 6);
      }),
    );
  });

  test("hold it for nothing where they fill their pauses to the last digit", () => {
    // As times come out of sums: 1.213 and 2.5 are a hair more than 3.713.
    const cue = { id: "c0", start: 1.2129999999999999, end: 3.713, text: "Line 0 is said." };
    const speech = [
      { start: 0, end: 1 },
      { start: 3.8129999999999997, end: 6.813 },
    ];
    const film = filmOf([cue], { speech, extendedIds: ["c0"], mutedIds: ["c0"] });
    expect(heldLine(heardIn(film, cue), cue, RATE).addedSeconds).toBe(0);
    expect(heldForLines(heardIn(film, cue), RATE)).toBeNull();
  });

  const two = filmOf(
    [
      { id: "c0", start: 2, end: 5, text: "A woman sits at a desk." },
      { id: "c1", start: 10, end: 11, text: "She opens a letter." },
      { id: "c2", start: 20, end: 21, text: "Nobody wants this." },
    ],
    {
      speech: [{ start: 4, end: 9 }],
      mutedIds: ["c0", "c2"],
      extendedIds: ["c0"],
      pieces: { c0: { path: "/c0.wav", start: 2, durationSeconds: 3 } },
    },
  );

  test("are to be voiced, as long as their voice takes; the others keep their sound, and what is muted stays so", () => {
    const held = heldForLines(two, RATE, new Map([["c0", 4.4]]));
    expect(held?.mutedIds).toEqual(["c2"]);
    expect([Object.keys(held?.voiced ?? {}), held?.pieces, held?.audio]).toEqual([["c1", "c2"], {}, two.audio]);
    const copy = heldCopyOf(held ?? two, RATE, "kept");
    expect(copy?.result.audio).toEqual(two.audio);
    expect(Object.keys(copy?.result.voiced ?? {})).toEqual(["c1", "c2"]);
    const [first] = copy?.result.cues ?? [];
    expect([first?.start, first?.end]).toEqual([2, expect.closeTo(6.4, 6)]);
    // From a mix nothing can be cut.
    expect(heldCopyOf({ ...(held ?? two), track: "mixed" }, RATE, "kept")?.result).toMatchObject({ voiced: {} });
    expect(heldCopyOf({ ...(held ?? two), track: "mixed" }, RATE, "kept")?.result.audio).toBeUndefined();
  });

  test("that stand in somebody's speech are heard in the nearest pause", () => {
    const [line] = two.cues;
    if (line === undefined) throw new Error("there is a line");
    const late = { ...line, start: 8.5, end: 12.5 };
    const film = filmOf([late], { speech: [{ start: 4, end: 9 }], mutedIds: ["c0"], extendedIds: ["c0"] });
    expect(heldLine(film, late, RATE)).toMatchObject({ start: expect.closeTo(9.1, 6), addedSeconds: 0 });
    const early = { ...line, start: 4.5, end: 7 };
    expect(heldLine({ ...film, cues: [early] }, early, RATE)).toMatchObject({ start: expect.closeTo(3.9, 6) });
  });

  test("are none where none is marked, or what is marked is heard in the film again", () => {
    const { extendedIds: _, ...none } = two;
    const { mutedIds: __, ...heard } = two;
    expect([heldForLines(none, RATE), heldForLines(heard, RATE)]).toEqual([null, null]);
  });
});
