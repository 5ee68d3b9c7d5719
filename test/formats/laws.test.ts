import fc, { type Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../src/core/cue.ts";
import { type FrameRate, frameRate, framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import { defined } from "../../src/core/objects.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import { canDropFrames } from "../../src/core/timecode.ts";
import {
  convertCues,
  convertToOffice,
  decodeText,
  isOfficeFormat,
  needsGrid,
  OFFICE_FORMATS,
  readDocument,
  WRITABLE_FORMATS,
} from "../../src/formats/index.ts";
import { officeText } from "../../src/formats/office/office-text.ts";
import { brokenPromises, lineCount, READERS } from "./every-reader.ts";

const RATES: readonly FrameRate[] = [
  ...[24, 25, 30, 48, 50, 60, 100, 120].map((rate) => frameRate(rate)),
  ...[24, 30, 48, 60, 120].map((rate) => frameRate(rate * 1000, 1001)),
];
const GRIDS: readonly Omit<FrameGrid, "startFrame">[] = RATES.flatMap((rate) => [
  { rate, isDropFrame: false },
  ...(canDropFrames(rate) && rate.denominator === 1001 ? [{ rate, isDropFrame: true }] : []),
]);
const HUNDRED_HOURS = 100 * 3600;

/** Pieces that mean something in one format or another. */
const PIECES = [
  ..."<>&\"'|*{}[]()#:;,.-/\\!",
  ...["-->", "->", "<i>", "</i>", "<v Ann>", "<00:01.000>", "<rt>", "&amp;", "&lt", "&#65;", "&nbsp", "{\\an8}", "{i}"],
  ...["00:01", "00:00:01,000", "01:00:00:00", "12.5s", "[00:01 - 00:02]", "0:00:01.000,0:00:02.000", "001", "7"],
  ...["WEBVTT", "NOTE", "STYLE", "TITLE: x", "FCM:", "* COMMENT:", "LOC:", "|C:Blue |M:x |D:4", "M2", "AD x", "[br]"],
  ...[
    "id",
    "start",
    "text",
    "Marker Name",
    "<![CDATA[",
    "]]>",
    "<!--",
    "null",
    "{}",
    "[]",
    "a\u0301",
    "👩‍🚀",
    "שלום",
    "\u2028",
    "\u00a0",
  ],
];
const words = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.lorem({ maxCount: 4 }),
  fc.string({ unit: "grapheme", minLength: 1 }),
);
/** Words on one line, as a cue's text promises, without control codes, which XML has no place for. */
const text: Arbitrary<string> = fc
  .array(words, { minLength: 1, maxLength: 12 })
  .map((parts) =>
    parts
      .join(" ")
      .replace(/\p{Cc}|[\ufffe\uffff]/gu, "")
      .replace(/\s+/g, " ")
      .trim(),
  )
  .filter((line) => line !== "");
const id = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,11}$/);

/** Frames of the shortest cue that a format holds: a marker of Avid lasts one frame where nobody gave it a length. */
const shortestIn = (...formats: readonly string[]) => (formats.includes("avid-markers") ? 2 : 1);

/** Cues one behind the other, their times whole counts of a unit. */
function cuesOf(unitSeconds: (count: number) => number, longest: number, shortest = 1): Arbitrary<Cue[]> {
  const one = fc.record({
    id,
    text,
    wait: fc.integer({ min: 0, max: longest }),
    length: fc.integer({ min: shortest, max: longest }),
  });
  return fc.uniqueArray(one, { maxLength: 8, selector: (cue) => cue.id }).map((rows) => {
    let at = 0;
    return rows.map((row) => {
      const start = at + row.wait;
      at = start + row.length;
      return { id: row.id, text: row.text, start: unitSeconds(start), end: unitSeconds(at) };
    });
  });
}

const timesAndWords = (cues: readonly Cue[]) => cues.map((cue) => [cue.start, cue.end, cue.text]);

describe("what is written is read back the same", () => {
  const longest = (HUNDRED_HOURS * 1000) / 16;
  test.each(WRITABLE_FORMATS.filter((format) => !needsGrid(format)))("as %s, to the millisecond", (format) => {
    fc.assert(
      fc.property(
        cuesOf((count) => count / 1000, longest),
        (cues) => {
          const written = convertCues({ format: null, cues, issues: [], extras: [] }, { format }).text;
          const read = readDocument(written, { format });
          expect(timesAndWords(read.cues)).toEqual(timesAndWords(cues));
          if (["vtt", "json", "csv", "ttml"].includes(format)) expect(read.cues).toEqual(cues);
        },
      ),
      { numRuns: 300 },
    );
  });

  const grids = fc.tuple(fc.constantFrom(...GRIDS), fc.integer({ min: 0, max: 24 })).map(([grid, hour]): FrameGrid => {
    const startFrame = framesFromSeconds(hour * 3600, grid.rate);
    return { ...grid, startFrame };
  });
  test.each(WRITABLE_FORMATS.filter(needsGrid))("as %s, to the frame, at every rate, drop and non-drop", (format) => {
    const onGrid = grids.chain((grid) =>
      fc.tuple(
        fc.constant(grid),
        cuesOf((count) => secondsFromFrames(count, grid.rate), 24 * 3600 * 4, shortestIn(format)),
      ),
    );
    fc.assert(
      fc.property(onGrid, ([grid, cues]) => {
        const written = convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid }).text;
        const read = readDocument(written, { format, grid, durationSeconds: cues.at(-1)?.end ?? 0 });
        const inFrames = (list: readonly Cue[]) =>
          list.map((cue) => [framesFromSeconds(cue.start, grid.rate), framesFromSeconds(cue.end, grid.rate), cue.text]);
        expect(inFrames(read.cues)).toEqual(inFrames(cues));
        if (format === "edl") expect(read.cues.map((cue) => cue.id)).toEqual(cues.map((cue) => cue.id));
      }),
      { numRuns: 300 },
    );
  });

  test.each(OFFICE_FORMATS)("as %s, to the millisecond, and to the frame where there is a grid", (format) => {
    const byClock = cuesOf((count) => count / 1000, longest).map((cues) => ({ cues, grid: undefined }));
    const byFrame = grids.chain((grid) =>
      cuesOf((count) => secondsFromFrames(count, grid.rate), 24 * 3600 * 4).map((cues) => ({ cues, grid })),
    );
    fc.assert(
      fc.property(fc.oneof(byClock, byFrame), ({ cues, grid }) => {
        const { bytes, losses } = convertToOffice({ cues, extras: [] }, { format, ...defined({ grid }) });
        const read = readDocument(officeText(bytes), { ...defined({ grid }), durationSeconds: cues.at(-1)?.end ?? 0 });
        expect(timesAndWords(read.cues)).toEqual(timesAndWords(cues));
        expect(losses.map(({ code }) => code).filter((code) => code !== "identifiers")).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  // A marker of two of them may have no length, which is read as none.
  const isKeptWithout = (format: string) => format === "otio" || format === "fcp7-xml";
  test.each(WRITABLE_FORMATS.filter((format) => !isKeptWithout(format)))(
    "as %s, a cue without length is as short as the format can say it",
    (format) => {
      const grid: FrameGrid = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
      const unit = needsGrid(format) ? shortestIn(format) / 25 : 0.001;
      const cues = [1, 4].map((start) => ({ id: `k${start}`, start, end: start, text: "A door opens." }));
      const written = convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid }).text;
      const read = readDocument(written, { format, grid });
      expect(read.cues.map(({ start, end }) => [start, Math.round((end - start) * 1e6) / 1e6])).toEqual([
        [1, unit],
        [4, unit],
      ]);
      expect(read.issues).toEqual([]);
    },
  );

  test("through any two formats in turn, times on both their grids", () => {
    const grid: FrameGrid = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
    const pair = fc.tuple(fc.constantFrom(...WRITABLE_FORMATS), fc.constantFrom(...WRITABLE_FORMATS));
    fc.assert(
      fc.property(
        pair.chain((formats) =>
          fc.tuple(
            fc.constant(formats),
            cuesOf((count) => count / 25, 25_000, shortestIn(...formats)),
          ),
        ),
        ([[first, second], cues]) => {
          const start = { format: null, cues, issues: [], extras: [] };
          const once = readDocument(convertCues(start, { format: first, grid }).text, { format: first, grid });
          const twice = readDocument(convertCues(once, { format: second, grid }).text, { format: second, grid });
          expect(timesAndWords(twice.cues)).toEqual(timesAndWords(cues));
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Words that look like markup of one format or another. */
const TYPED = [
  "5 < 6 <b> &amp; done.",
  "A sign reads <EXIT>.",
  "R&amp;B &lt;3 &quot; on a wall.",
  "x<y and y>z, she writes.",
  "{b} and {y:i} stand on the card.",
  "Line [br] break, *star* and ^I caret.",
  "'=5 -5 @home",
  "[slowly] A door opens. {pause 1s} It shuts. (beat)",
];

/** What a person sees who opens a text of such a format as it is; all others have markup, or escapes that everybody reads. */
const SHOWN_AS_IT_IS = ["srt", "sbv", "plaintext", "csv", "tsv", "avid-markers", "json", "docx", "xlsx"] as const;

describe("words that look like markup are the person's", () => {
  const grid: FrameGrid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
  const cues = TYPED.map((text, index) => ({ id: `k${index}`, start: 2 * index + 1, end: 2 * index + 2, text }));

  test.each([...WRITABLE_FORMATS, ...OFFICE_FORMATS])("as %s they come back as they were typed", (format) => {
    const written = isOfficeFormat(format)
      ? officeText(convertToOffice({ cues, extras: [] }, { format }).bytes)
      : convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid }).text;
    const read = readDocument(written, { grid, ...(isOfficeFormat(format) ? {} : { format }) });
    expect(read.cues.map(({ text }) => text)).toEqual(TYPED);
  });

  test.each(SHOWN_AS_IT_IS)("as %s they stand there as they were typed", (format) => {
    const text = isOfficeFormat(format)
      ? officeText(convertToOffice({ cues, extras: [] }, { format }).bytes)
      : convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid }).text;
    // Of SubRip only a word that is a tag of its own has to stand otherwise.
    for (const words of format === "srt" ? TYPED.slice(1) : TYPED) expect(text).toContain(words);
  });
});

describe("every reader takes any text", () => {
  const lines = fc.oneof(
    fc.constantFrom("WEBVTT", "", "", "1", "00:01.000 --> 00:02.000", "00:00:01,000 --> 00:00:02,000", "TITLE: a"),
    fc.constantFrom("001  AX V C 01:00:00:00 01:00:01:00 01:00:00:00 01:00:01:00", "* COMMENT: a", "00:01\tb", "a,b,c"),
    fc.constantFrom("<tt><body><div begin='1s' end='2s'><p>a", "</p></div>", "<xmeml><sequence>", '{"OTIO_SCHEMA":'),
    words,
    fc.string({ unit: "binary" }),
  );
  const document = fc
    .tuple(fc.array(lines, { maxLength: 20 }), fc.constantFrom("\n", "\r\n", "\r", " "))
    .map(([parts, lineEnd]) => parts.join(lineEnd));

  test.each(Object.entries(READERS))("%s keeps its promises", (_, read) => {
    fc.assert(
      fc.property(document, (input) => {
        expect(brokenPromises(read(input), lineCount(input))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("any bytes are decoded to text that every reader takes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = decodeText(bytes)?.text ?? "";
        expect(brokenPromises(readDocument(decoded), lineCount(decoded))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
