import fc from "fast-check";
import { expect, test } from "vitest";
import { frameRate, framesFromSeconds, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { unrounded } from "../../../src/workflow/revoice/revoice.ts";
import { numbersBetween } from "../../numbers-between.ts";

const RATE = frameRate(24000, 1001);
const FRAME = secondsFromFrames(1, RATE);
const onFrame = (seconds: number) => secondsFromFrames(framesFromSeconds(seconds, RATE), RATE);

/** Cues five seconds apart, at times that lie on no frame. */
const cues = fc
  .array(
    fc.record({
      shift: numbersBetween(0, 1),
      seconds: numbersBetween(0.5, 3),
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

test("a length, a word and a line of the editor's own are changes, each for itself", () => {
  const law = fc.property(cues, fc.nat(), fc.integer({ min: 2, max: 9 }), (exact, pick, frames) => {
    const written = exact.map((cue) => ({ ...cue, start: onFrame(cue.start), end: onFrame(cue.end) }));
    const at = pick % exact.length;
    const with_ = (change: object) => written.map((cue, index) => (index === at ? { ...cue, ...change } : cue));
    const edited = (inFile: typeof written) => {
      const read = unrounded(inFile, exact, written, FRAME / 2);
      // Nothing else is touched by it.
      for (const [index, cue] of exact.entries()) if (index !== at) expect(read).toContainEqual(cue);
      return read.find(({ id }) => id === exact[at]?.id);
    };
    const [was, had] = [exact[at], written[at]];
    if (was === undefined || had === undefined) return;
    // A length (by two frames and more: by one it may be the exact one again) counts from the exact start, so that the line does not slide by a part of a frame.
    const longer = had.end - had.start + frames * FRAME;
    const lengthened = edited(with_({ end: had.start + longer }));
    expect(lengthened).toMatchObject({ start: was.start, text: was.text });
    expect((lengthened?.end ?? 0) - was.start).toBeCloseTo(longer, 9);
    expect(edited(with_({ text: "Somebody sings." }))).toEqual({ ...was, text: "Somebody sings." });
    // As formats change what lies between words, the words are the result's.
    expect(edited(with_({ text: was.text.replace(" ", "\n ") }))).toEqual(was);
    const own = { id: "", start: 45 + frames, end: 46 + frames, text: "A line of my own." };
    expect(unrounded([...written, own], exact, written, FRAME / 2).at(-1)).toMatchObject({
      ...own,
      id: expect.anything(),
    });
  });
  fc.assert(law);
});

test("a time that is the exact one again is no change, whatever the format had made of it", () => {
  const [exact, written] = [
    [{ id: "a", start: 1.02, end: 2.51, text: "A." }],
    [{ id: "a", start: 1, end: 2.5, text: "A." }],
  ];
  expect(unrounded(exact, exact, written, 0.001)).toEqual(exact);
  expect(unrounded(written, exact, written, 0.001)).toEqual(exact);
});
