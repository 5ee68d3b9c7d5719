import fc from "fast-check";
import { expect, test } from "vitest";
import { frameRate, framesFromSeconds, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { unrounded } from "../../../src/workflow/revoice/unrounded.ts";

const RATE = frameRate(24000, 1001);
const FRAME = secondsFromFrames(1, RATE);
const onFrame = (seconds: number) => secondsFromFrames(framesFromSeconds(seconds, RATE), RATE);

/** Cues five seconds apart, at times that lie on no frame. */
const cues = fc
  .array(
    fc.record({
      shift: fc.double({ min: 0, max: 1, noNaN: true }),
      seconds: fc.double({ min: 0.5, max: 3, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((list) =>
    list.map(({ shift, seconds }, index) => {
      const start = 5 * index + shift;
      return { id: `cue-${index}`, start, end: start + seconds, text: `Line ${index}.` };
    }),
  );

test("what a list of frames rounds is no change, and a frame is one", () => {
  const law = fc.property(cues, fc.nat(), fc.integer({ min: -3, max: 3 }), (exact, pick, frames) => {
    const written = exact.map((cue) => ({ ...cue, start: onFrame(cue.start), end: onFrame(cue.end) }));
    const edited = pick % exact.length;
    const by = frames * FRAME;
    const inFile = written.map((cue, index) =>
      index === edited ? { ...cue, start: cue.start + by, end: cue.end + by } : cue,
    );
    fc.pre(inFile.every(({ start }) => start >= 0));
    const read = unrounded(inFile, exact, written, FRAME / 2);
    for (const [index, cue] of exact.entries()) {
      const now = read.find(({ id }) => id === cue.id);
      if (index !== edited || frames === 0) expect(now).toEqual(cue);
      else {
        expect(now?.start).not.toBe(cue.start);
        expect(now).toMatchObject({ text: cue.text, start: inFile[index]?.start });
      }
    }
  });
  fc.assert(law);
});
