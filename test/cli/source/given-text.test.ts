import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readingTexts } from "../../../src/cli/shell/run-command.ts";
import { readGivenText } from "../../../src/cli/source/cue-source.ts";
import { markerComment } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import {
  convertCues,
  convertToOffice,
  OFFICE_FORMATS,
  readDocument,
  WRITABLE_FORMATS,
  writeOtio,
} from "../../../src/formats/index.ts";
import { readServiceText } from "../../../src/formats/service-formats.ts";
import { readGivenTexts } from "../../../src/workflow/describe/given-texts.ts";
import { corpusBytes } from "../../corpus/corpus-files.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
const CUES = [
  { id: "cue-1", start: 1, end: 2.96, text: "A woman waits at the rail." },
  { id: "cue-2", start: 4, end: 6, text: "She leaves." },
];
const DOCUMENT = { format: null, cues: CUES, issues: [], extras: [] };

async function given(name: string, content: string | Uint8Array) {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return readGivenText(path);
}

describe("captions and scripts reach a service in a format that its interface knows", () => {
  const texts = WRITABLE_FORMATS.map((format) => [format, convertCues(DOCUMENT, { format, grid: GRID }).text] as const);
  const documents = OFFICE_FORMATS.map((format) => [format, convertToOffice(DOCUMENT, { format }).bytes] as const);
  test.each([...texts, ...documents])("%s", async (format, content) => {
    const { content: sent, filename } = await given(`script.${format}`, content);
    const { cues } = readServiceText(sent, { filename, grid: GRID });
    expect(cues.map(({ text }) => text)).toEqual(CUES.map(({ text }) => text));
    for (const [index, { start }] of cues.entries()) expect(start).toBeCloseTo(CUES[index]?.start ?? Number.NaN, 1);
  });

  test.each(["ass/ass.ass", "ebu-stl/br_new_colors.stl"])("%s", async (path) => {
    const { content, filename } = await given(path.replace(/.*\//, ""), corpusBytes(`exchange/${path}`));
    expect(filename).toMatch(/\.vtt$/);
    expect(readServiceText(content, { filename }).cues.length).toBeGreaterThan(0);
  });

  test("one that the interface knows stays to the letter", async () => {
    const text = "WEBVTT\n\nNOTE mine\n\n00:01.000 --> 00:02.000 line:0\nA <i>woman</i> waits.\n";
    const told = ['"script.vtt", 1 cue'];
    expect(await given("script.vtt", text)).toEqual({ content: text, filename: "script.vtt", told });
  });

  test("of a timeline with markers of ours, these alone are the script", async () => {
    const markers = [
      { start: 0.2, end: 0.2, name: "Check the grade", comment: "" },
      ...CUES.map(({ id, start, end, text }) => ({ start, end, name: "AD", comment: markerComment(id, text) })),
    ];
    const { content } = await given("cut.otio", writeOtio({ name: "Cut", ...GRID, tracks: [], markers }));
    expect(readDocument(content).cues.map(({ text }) => text)).toEqual(CUES.map(({ text }) => text));
  });
});

const TABLE =
  "In,Out,Spoken,Said\n0:01,0:02,A door opens slowly.,Who is there now?\n0:03,0:04,She goes out again.,Nobody is there.\n";

test("a table whose words may stand in two columns is refused with the choices, and read with the one that was made", async () => {
  await expect(given("script.csv", TABLE)).rejects.toThrow(
    [
      '"script.csv": Which column holds the descriptions? Choose one:',
      '  --columns text=C: the column "Spoken" (2 of 2 lines fit)',
      "    00:00:01.000  A door opens slowly.",
      "    00:00:03.000  She goes out again.",
      '  --columns text=D: the column "Said" (2 of 2 lines fit)',
      "    00:00:01.000  Who is there now?",
    ].join("\n"),
  );
  const said: string[] = [];
  const output = { print: (line: string) => void said.push(line), tell: (line: string) => void said.push(line) };
  const values = { columns: "start=A, end=Out,text=Said" };
  const { content } = await readingTexts({ values, positionals: [] }, output, () => given("script.csv", TABLE));
  expect(readServiceText(content).cues.map(({ start, end, text }) => [start, end, text])).toEqual([
    [1, 2, "Who is there now?"],
    [3, 4, "Nobody is there."],
  ]);
  expect(said).toEqual([
    '"script.csv", 2 descriptions from the column "Said"',
    '"script.csv", left out: 2 cells of the column "Spoken"',
  ]);
});

test.each(["text", "words=C", "text=", "text=C,words=D"])(
  "--columns %s is told to name no columns",
  async (columns) => {
    const output = { print: () => undefined, tell: () => undefined };
    const reading = async () => readingTexts({ values: { columns }, positionals: [] }, output, async () => 0);
    await expect(reading()).rejects.toThrow(/--columns: .* names no columns; write start=A,duration=C,text=E/);
  },
);

test("what a person said of a text's start goes along with it: whoever knows the film asks no more", async () => {
  const film = { grid: { ...GRID, startFrame: 90_000 }, durationSeconds: 6100 };
  const text = "1\n01:04:00,000 --> 01:04:03,000\nWho is it?\n\n2\n01:40:00,000 --> 01:40:03,000\nNobody.\n";
  const path = join(await temporaryFolder(), "film.srt");
  await writeFile(path, text);
  const output = { print: () => undefined, tell: () => undefined };
  for (const [start, first] of [
    ["00:00:00", 3840],
    ["01:00:00", 240],
  ] as const) {
    const { content } = await readingTexts({ values: { "text-start": start }, positionals: [] }, output, () =>
      readGivenText(path, film),
    );
    expect(readGivenTexts({ captions: { content } }, film).captions?.[0]?.start).toBe(first);
  }
  // Nothing was said: the question comes before anything is ordered.
  await expect(readGivenText(path, film)).rejects.toThrow(
    "--text-start 01:00:00: Times count from 01:00:00 (2 of 2 lines fit)",
  );
});
