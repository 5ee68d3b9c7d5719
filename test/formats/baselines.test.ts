import { createHash } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { frameRate, secondsFromFrames } from "../../src/core/frame-rate.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { writeAdm } from "../../src/formats/adm/write-adm.ts";
import { decodeFile } from "../../src/formats/decode-file.ts";
import {
  convertCues,
  convertToOffice,
  OFFICE_FORMATS,
  type ParseIssue,
  type ReadDocument,
  readDocument,
  WRITABLE_FORMATS,
  writeFcp7Xml,
  writeOtio,
} from "../../src/formats/index.ts";
import { corpusBytes, corpusPaths } from "../corpus/corpus-files.ts";

// How each format is written, to the letter, and what is read of each file of others: whoever changes one of them looks at the
// difference, and holds it against the format's standard or the file.

const baseline = (name: string) => `baselines/${name}`;

const NTSC = frameRate(30_000, 1001);
const GRID = { rate: NTSC, isDropFrame: true, startFrame: 107_892 };
const at = (frame: number) => secondsFromFrames(frame, NTSC);
const CUES = [
  { id: "cue-0001", start: at(30), end: at(90), text: 'A woman <in red> sits & reads "Tom | Jerry".' },
  {
    id: "k3f9",
    start: at(90),
    end: at(150),
    text: "=She rises; the door opens, and a long line of words goes on past the edge of a list.",
  },
  { id: "z", start: at(149), end: at(151), text: "Ü 漢字" },
];
const DOCUMENT = { format: null, cues: CUES, title: "Ferry & Co", language: "en-GB", issues: [], extras: [] } as const;

test.each(WRITABLE_FORMATS)("cues as %s", async (format) => {
  await expect(convertCues(DOCUMENT, { format, grid: GRID }).text).toMatchFileSnapshot(baseline(`cues.${format}.txt`));
});

test.each(OFFICE_FORMATS)("cues as %s, part by part", async (format) => {
  const parts = Object.entries(unzipSync(convertToOffice(DOCUMENT, { format, grid: GRID }).bytes));
  const text = parts.map(([path, bytes]) => `== ${path}\n${strFromU8(bytes)}`).join("\n");
  await expect(text).toMatchFileSnapshot(baseline(`cues.${format}.txt`));
});

const MEDIA = {
  kind: "media",
  name: "a b.mov",
  location: "/Volumes/Ä/a b.mov",
  durationSeconds: at(3000),
  rate: NTSC,
  startFrame: 1800,
  hasVideo: true,
  audioChannels: 2,
  frameSize: { width: 1920, height: 1080 },
} as const;
const clip = (name: string, start: number, end: number, speed = 1) => ({
  ...{ name, start: at(start), end: at(end), isEnabled: true, sourceStart: at(600), speed, effects: [], markers: [] },
  source: MEDIA,
});
const MARKER = { start: at(30), end: at(90), name: "1", comment: "A woman\nsits.", colour: "red" };
const INNER: Timeline = {
  ...{ name: "Inner", rate: NTSC, isDropFrame: false, startFrame: 0, markers: [] },
  tracks: [{ kind: "video", name: "", isEnabled: true, clips: [clip("in", 0, 60)], transitions: [] }],
};
const TIMELINE: Timeline = {
  ...{ name: "Harbour", rate: NTSC, isDropFrame: true, startFrame: 107_892, frameSize: { width: 1920, height: 1080 } },
  markers: [MARKER],
  tracks: [
    {
      kind: "video",
      name: "V1",
      isEnabled: true,
      transitions: [{ name: "Cross Dissolve", start: at(50), end: at(70) }],
      clips: [
        { ...clip("a", 0, 60), effects: ["Blur"], markers: [MARKER] },
        clip("b", 60, 120, -2),
        { ...clip("c", 150, 180), source: { kind: "nested", timeline: INNER } },
        { ...clip("d", 180, 200, 0), isEnabled: false, source: { kind: "empty", name: "Slug" } },
        { ...clip("e", 200, 220), source: { ...MEDIA, name: "e.png", location: "/e.png", isStill: true } },
      ],
    },
    { kind: "audio", name: "A1", isEnabled: false, transitions: [], clips: [clip("a", 0, 60), clip("b", 60, 120)] },
  ],
};

test.each([
  ["otio", writeOtio],
  ["fcp7-xml", writeFcp7Xml],
] as const)("a timeline as %s", async (name, write) => {
  await expect(write(TIMELINE)).toMatchFileSnapshot(baseline(`timeline.${name}`));
});

test.each([1, 2, 6] as const)("an audio definition with %i channels of the programme", async (programmeChannels) => {
  const text = writeAdm({ title: "Ferry & Co", language: "en-GB", programmeChannels, seconds: 3725.5 });
  await expect(text).toMatchFileSnapshot(baseline(`adm-${programmeChannels}.xml`));
});

/** A short mark of a value: two that differ have different ones. */
const markOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 8);
const round = (seconds: number) => Number(seconds.toFixed(6));

function issuesIn(issues: readonly ParseIssue[]): string {
  const told = issues.map(({ code, line }) => `${code}@${line}`);
  const more = told.length > 12 ? ` and ${told.length - 12} more` : "";
  return told.length === 0 ? "" : `; ${told.slice(0, 12).join(" ")}${more} ${markOf(issues)}`;
}

/** A timeline in its times, which JSON keeps as far as they can be told apart. */
function timesOf(timeline: Timeline): unknown {
  return JSON.parse(
    JSON.stringify(timeline, (_, value: unknown) => (typeof value === "number" ? round(value) : value)),
  );
}

function readingOf({ format, cues, issues, timeline, language, title, extras }: ReadDocument): string {
  const times = cues.map(({ id, start, end, text }) => [id, round(start), round(end), text]);
  const length = cues.reduce((sum, { start, end }) => sum + end - start, 0);
  const span = cues.length === 0 ? "" : ` from ${round(cues[0]?.start ?? 0)}, ${round(length)} s`;
  const words = `${cues.length} cues${span} ${markOf(times)}`;
  const clips = timeline?.tracks.map((track) => `${track.kind[0]}${track.clips.length}`).join(" ") ?? "";
  const edit = timeline === undefined ? "" : `; ${clips} ${markOf(timesOf(timeline))}`;
  const more = [language, title, ...extras.map(({ name, count }) => `${count} ${name}`)].filter(Boolean);
  return `${format}: ${words}${edit}${more.length === 0 ? "" : `; ${more.join(", ")}`}${issuesIn(issues)}`;
}

/** Readings on two grids: labels count otherwise on them. */
const GRIDS = [{ rate: frameRate(25), isDropFrame: false, startFrame: 0 }, GRID];

test.each([
  ["edl", "dapt", "srt"],
  ["xml"],
  ["exchange/fcpxml", "exchange/ttml", "exchange/dapt"],
  ["exchange/edl", "exchange/ale", "exchange/markers", "exchange/protools"],
  ["exchange/ass", "exchange/scc", "exchange/ebu-stl", "exchange/documents"],
])("what is read of the files in %s", async (...folders) => {
  const isElse = /\.(?:json|md|tsv|xsd|zip|epr|py)$|premiere-presets|dapt\/(?:schema|registries)/;
  const lines = folders
    .flatMap(corpusPaths)
    .filter((path) => !isElse.test(path))
    .flatMap((path) => {
      const decoded = decodeFile(corpusBytes(path));
      if (decoded === null) return [`${path}: no text`];
      const filename = path.split("/").at(-1) ?? "";
      const readings = GRIDS.map((grid) => readingOf(readDocument(decoded.text, { filename, grid })));
      return [...new Set(readings)].map((reading) => `${path}: ${reading}`);
    });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
    baseline(`readings-${folders.join("-").replaceAll("/", "-")}.txt`),
  );
});
