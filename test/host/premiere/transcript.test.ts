import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWebVtt } from "../../../src/formats/webvtt/webvtt.ts";
import { readTranscript, shownSegments, webVttOfSegments } from "../../../src/host/premiere/transcript.ts";

const SEGMENT = { start: 1, duration: 2, words: [{ text: " Cast" }, { text: " " }, { text: "off. " }] };
const read = (...segments: readonly unknown[]) => readTranscript(JSON.stringify({ segments }));

describe("a transcript", () => {
  test("is read segment by segment, its words parted by one space", () => {
    expect(read(SEGMENT)).toEqual([{ start: 1, end: 3, text: "Cast off." }]);
  });

  test.each([
    {},
    null,
    7,
    "text",
    [SEGMENT],
    { ...SEGMENT, start: "1" },
    { ...SEGMENT, start: null },
    { ...SEGMENT, duration: undefined },
    { ...SEGMENT, duration: 0 },
    { ...SEGMENT, duration: -1 },
    { ...SEGMENT, words: [] },
    { ...SEGMENT, words: "Cast off" },
    { ...SEGMENT, words: [null, { text: 3 }, {}, "off", { text: "  " }] },
  ])("leaves out %j, and keeps its neighbours", (odd) => {
    expect(read(SEGMENT, odd, SEGMENT)).toEqual([...read(SEGMENT), ...read(SEGMENT)]);
    expect(read(odd)).toEqual([]);
  });

  test.each(["", "{", "null", "[]", '{"segments":{}}', '{"segments":null}', '"segments"'])("%s is none", (text) => {
    expect(readTranscript(text)).toEqual([]);
  });
});

const segment = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom("a", "b & c", "<i>", "--> d"))
  .map(([start, length, text]) => ({ start, end: start + length, text }));

test("what a clip shows of a transcript is what is said in the shown part of its source, moved along with it", () => {
  fc.assert(
    fc.property(
      fc.array(segment),
      fc.nat(60),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(60),
      (said, start, length, from) => {
        const shown = shownSegments(said, { shown: { start, end: start + length }, sourceStart: from });
        const spoken = (list: readonly { start: number; end: number; text: string }[], at: number) =>
          list.filter((one) => one.start <= at && at < one.end).map(({ text }) => text);
        for (let at = 0; at < length; at++) expect(spoken(shown, start + at)).toEqual(spoken(said, from + at));
        for (const one of shown) {
          expect(one.start).toBeGreaterThanOrEqual(start);
          expect(one.end).toBeLessThanOrEqual(start + length);
          expect(one.end).toBeGreaterThan(one.start);
        }
      },
    ),
  );
});

test("captions of it are read back as it was, in order, from the export's beginning on", () => {
  const times = fc.array(
    fc.tuple(segment, fc.integer({ min: 0, max: 400_000_000 })).map(([one, ms]) => ({
      ...one,
      start: one.start + ms / 1000,
      end: one.end + ms / 1000,
    })),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(times, fc.nat(300_000), (said, offset) => {
      const heard = said
        .map(({ start, end, text }) => ({ start: start - offset, end: end - offset, text }))
        .filter(({ end }) => end > 0)
        .sort((a, b) => a.start - b.start || a.end - b.end);
      const { cues } = parseWebVtt(webVttOfSegments(said, offset));
      expect(cues.map(({ text }) => text)).toEqual(heard.map(({ text }) => text));
      for (const [index, { start, end }] of heard.entries()) {
        expect(cues[index]?.start).toBeCloseTo(Math.max(0, start), 3);
        expect(cues[index]?.end).toBeCloseTo(end, 3);
      }
    }),
  );
});
