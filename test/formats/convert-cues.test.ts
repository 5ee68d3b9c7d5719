import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { convertCues, detectFormat, needsGrid, readDocument, WRITABLE_FORMATS } from "../../src/formats/index.ts";
import { corpusText } from "../corpus/corpus-files.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90000 };
const VTT = `WEBVTT
Language: de

NOTE checked

STYLE
::cue { color: red }

a1
00:01.000 --> 00:02.010 line:0
<i>First</i>

b2
00:02.000 --> 00:04.000
Second
line
`;

test.each(WRITABLE_FORMATS.flatMap((from) => WRITABLE_FORMATS.map((to) => [from, to] as const)))(
  "converts %s to %s: the same cues, to the millisecond or frame",
  (from, to) => {
    const document = readDocument(
      "WEBVTT\n\n00:01.000 --> 00:02.000\nFirst\n\n00:03.000 --> 00:04.440\nSecond, line\n",
    );
    const first = convertCues(document, { format: from, grid: GRID }).text;
    expect(detectFormat(first)?.format).toBe(from);
    const second = convertCues(readDocument(first, { grid: GRID }), { format: to, grid: GRID });
    const { cues } = readDocument(second.text, { grid: GRID });
    expect(cues.map((cue) => [cue.start, cue.end, cue.text])).toEqual([
      [1, 2, "First"],
      [3, 4.44, "Second, line"],
    ]);
  },
);

test("names what a WebVTT file holds that SubRip cannot", () => {
  const { losses } = convertCues(readDocument(VTT), { format: "srt" });
  expect(losses.map((loss) => `${loss.count} ${loss.message}`)).toEqual([
    "1 notes are not kept",
    "1 style sheets are not kept",
    "1 cues placed on the picture are not kept",
    "1 cues with markup are not kept",
    "1 line breaks inside a cue are not kept",
    "2 identifiers have no place in the format",
    "1 the language (de) has no place in the format",
  ]);
});

test("names rounding to the frame and overlaps in an EDL", () => {
  const { losses } = convertCues(readDocument(VTT), { format: "edl", grid: GRID });
  expect(losses.find((loss) => loss.code === "rounded")).toMatchObject({
    count: 1,
    message: "times were rounded to the frame, by 10.0 ms at most",
  });
  expect(losses.find((loss) => loss.code === "overlap")?.count).toBe(1);
});

test("says nothing where nothing is lost", () => {
  const document = readDocument("WEBVTT\n\n00:01.000 --> 00:02.000\nFirst\n");
  for (const format of WRITABLE_FORMATS) expect(convertCues(document, { format, grid: GRID }).losses).toEqual([]);
});

test("a timeline becomes a timeline with its clips, and its markers become cues", () => {
  const document = readDocument(corpusText("xml/fcp7/premiere_example.xml"));
  expect(document.cues.map((cue) => cue.text)).toEqual(["so, this happened", "fsfsfs"]);
  const otio = readDocument(convertCues(document, { format: "otio" }).text);
  expect(otio.timeline?.tracks.flatMap((track) => track.clips)).toHaveLength(
    document.timeline?.tracks.flatMap((track) => track.clips).length ?? -1,
  );
  const { losses, text } = convertCues(document, { format: "vtt" });
  expect(losses.map((loss) => loss.message)).toContain("clips are not kept");
  expect(text).toContain("00:00:03.767 -->");
});

test("frames without a grid are refused, and taken from the document where it has one", () => {
  const document = readDocument("WEBVTT\n\n00:01.000 --> 00:02.000\nFirst\n");
  for (const format of WRITABLE_FORMATS.filter(needsGrid)) {
    expect(() => convertCues(document, { format })).toThrow(TypeError);
  }
  const timeline = readDocument(corpusText("xml/otio/premiere_example.otio"));
  expect(convertCues(timeline, { format: "edl" }).text).toContain("00:00:03:23");
});

test.each([
  ["xml/fcp7/premiere_example.xml", "otio", ["sizes of the picture are not kept"]],
  ["xml/fcpxml/25i.fcpxml", "fcp7-xml", ["effects are not kept"]],
  ["xml/fcpxml/24.fcpxml", "otio", ["markers of clips are not kept", "sizes of the picture are not kept"]],
] as const)("what of %s does not come along to %s is counted in what was written", (path, format, expected) => {
  const document = readDocument(corpusText(path));
  const { losses, text } = convertCues(document, { format });
  expect(losses.map(({ message }) => message)).toEqual(expected);
  const back = readDocument(text, { format }).timeline;
  expect(back?.tracks.length).toBe(document.timeline?.tracks.length);
});

test.each(["ttml", "edl"] as const)("identifiers that %s writes otherwise are declared", (format) => {
  const cues = ["scene 1", "b"].map((id, index) => ({ id, start: index * 2, end: index * 2 + 1, text: "A door." }));
  const { losses } = convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid: GRID });
  expect(losses).toEqual([
    { code: "identifiers", count: 1, message: "identifiers are written otherwise, as the format asks" },
  ]);
});

test("writes 12.5 frames a second as FCP 7 XML at 25, each cue at its time, and says so", () => {
  const document = readDocument("WEBVTT\n\n00:00.400 --> 00:01.040\nFirst\n\n00:59.920 --> 01:04.000\nSecond\n");
  const grid = { rate: frameRate(25, 2), isDropFrame: false, startFrame: 45000 };
  const { text, losses } = convertCues(document, { format: "fcp7-xml", grid });
  expect(losses.map(({ message }) => message)).toContain(
    "the format does not know 12.5 frames a second: it counts 25, at the same times",
  );
  const read = readDocument(text);
  expect(read.grid).toEqual({ rate: frameRate(25), isDropFrame: false, startFrame: 90000 });
  expect(read.cues.map(({ start, end }) => [start, end])).toEqual([
    [0.4, 1.04],
    [59.92, 64],
  ]);
  expect(convertCues(document, { format: "fcp7-xml", grid: GRID }).losses.map(({ code }) => code)).not.toContain(
    "rate",
  );
});

test("what of cues a format cannot hold is counted, by what it can", () => {
  const cues = [
    { id: "cue-12", start: 1, end: 2, text: "A." },
    { id: "cue-x", start: 1.5, end: 3.0004, text: "B." },
    { id: "cue-1", start: 2, end: 2.5, text: "C." },
    { id: "x cue-1", start: 3, end: 4.01, text: "D." },
  ];
  const document = { format: null, cues, issues: [], language: "de", extras: [{ name: "notes", count: 3 }] };
  const told = (format: (typeof WRITABLE_FORMATS)[number]) =>
    convertCues(document, { format, grid: GRID }).losses.map(
      ({ code, count, message }) => `${count} ${code}: ${message}`,
    );
  const notes = "3 extra: notes are not kept";
  const language = "1 language: the language (de) has no place in the format";
  const ids = "2 identifiers: identifiers have no place in the format";
  const toMillisecond = "1 rounded: times were rounded to the millisecond, by 0.4 ms at most";
  const toFrame = "3 rounded: times were rounded to the frame, by 20.0 ms at most";
  expect(told("srt")).toEqual([notes, ids, language, toMillisecond]);
  for (const format of ["sbv", "plaintext"] as const) expect(told(format), format).toEqual(told("srt"));
  for (const format of ["json", "csv"] as const) expect(told(format), format).toEqual([notes, language, toMillisecond]);
  expect(told("vtt")).toEqual([notes, toMillisecond]);
  for (const format of ["otio", "fcp7-xml", "avid-markers"] as const)
    expect(told(format), format).toEqual([notes, ids, language, toFrame]);
  expect(told("edl")).toEqual([
    ...[notes, language, toFrame, "3 overlap: cues overlap, which one track of an EDL cannot show"],
    "1 identifiers: identifiers are written otherwise, as the format asks",
  ]);
  expect(told("fcpxml")).toEqual([
    notes,
    ids,
    toFrame,
    "3 overlap: cues overlap another: they are markers without a caption",
  ]);
});

test("cues that touch do not overlap; one under a long one does, however many there are between", () => {
  const overlaps = (...times: readonly (readonly [number, number])[]) =>
    convertCues(
      {
        format: null,
        cues: times.map(([start, end], index) => ({ id: `cue-${index}`, start, end, text: "x" })),
        issues: [],
        extras: [],
      },
      { format: "fcpxml", grid: GRID },
    ).losses.find(({ code }) => code === "overlap")?.count ?? 0;
  expect([overlaps([1, 2], [2, 3]), overlaps([1, 9], [2, 3], [4, 5], [9, 10]), overlaps()]).toEqual([0, 2, 0]);
});
