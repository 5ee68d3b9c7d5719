import { SAMPLE_TRUTH } from "../../../src/cli/sample.ts";
import type { Cue } from "../../../src/core/cue.ts";
import { frameRate, framesFromSeconds, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { formatRateName, formatTimecode, framesPerDay } from "../../../src/core/timecode.ts";
import { formatClockTime } from "../../../src/formats/clock-time.ts";
import { type FilmReading, type ReadDocument, readDocument } from "../../../src/formats/index.ts";
import { chosenBy } from "../../../src/formats/read-by.ts";

/** What became of a text: right, asked with the right answer among the choices, refused, or wrong without a word. */
export type Outcome = "right" | "unsure" | "refused" | "wrong";

/** A text of the matrix, with what is true of it. */
export interface DialectCell {
  readonly name: string;
  readonly text: string;
  readonly filename: string;
  readonly film: FilmReading;
  readonly truth: readonly Pick<Cue, "start" | "end" | "text">[];
  /** How far a time may lie off, in seconds, where it is not a frame of 25. */
  readonly tolerance?: number;
}

const RATE = frameRate(25);
const FORMAT = { rate: RATE, isDropFrame: false };
const DAY_SECONDS = 86_400;

/** How far a time may lie off: a frame, and what rounding to it adds. */
const TOLERANCE_SECONDS = 0.041;

/** The same of labels of another version: start and length are rounded to its frames, and a frame that the film's rate does not have is carried. */
const VERSION_TOLERANCE_SECONDS = 1 / 24 + 0.042;

/** A film: its length, and what is said in it. */
interface Film {
  readonly name: string;
  readonly durationSeconds: number;
  readonly lines: DialectCell["truth"];
}

const SAMPLE: Film = {
  name: "sample",
  durationSeconds: SAMPLE_TRUTH.durationSeconds,
  lines: SAMPLE_TRUTH.speech.map(({ start, end, text }) => onFrames(start, end, text)),
};

/** The sample's lines over and over, at distances that are never the same: two hours in which everything fits that fits in less. */
const LONG: Film = {
  name: "two hours",
  durationSeconds: 7200,
  lines: Array.from({ length: 400 }, (_, index) => {
    const line = SAMPLE.lines[index % SAMPLE.lines.length] ?? onFrames(0, 2, "Hello.");
    const start = 8 + index * 17.6 + ((index * 7) % 11) / 2;
    return onFrames(start, start + line.end - line.start, line.text);
  }),
};

function onFrames(start: number, end: number, text: string): DialectCell["truth"][number] {
  const snapped = (seconds: number) => secondsFromFrames(framesFromSeconds(seconds, RATE), RATE);
  return { start: snapped(start), end: snapped(end), text };
}

/** What times count from, the film's own timecode, and whether the film states it. */
const CLOCKS = [
  { name: "from 0", zero: 0, own: 0 },
  { name: "from 0, film at 10 h", zero: 0, own: 36_000 },
  { name: "the film's 10 h", zero: 36_000, own: 36_000 },
  { name: "the film's 1 h", zero: 3600, own: 3600 },
  { name: "an odd start", zero: 35_970, own: 35_970 },
  { name: "10 h, film states none", zero: 36_000, own: 0 },
  { name: "1 h, film states none", zero: 3600, own: 0 },
  { name: "across midnight", zero: DAY_SECONDS - 20, own: DAY_SECONDS - 20 },
] as const;

const clock = (seconds: number, decimal: "." | "," = ".") => formatClockTime(seconds % DAY_SECONDS, { decimal });
const label = (seconds: number) => {
  const frame = framesFromSeconds(seconds, RATE) % framesPerDay(FORMAT);
  return formatTimecode(frame, FORMAT);
};

type Lines = DialectCell["truth"];

/** Texts whose times are clock times or labels. */
const CLOCKED: Readonly<Record<string, { readonly filename: string; write(lines: Lines): string }>> = {
  SubRip: {
    filename: "a.srt",
    write: (lines) =>
      lines
        .map(({ start, end, text }, at) => `${at + 1}\n${clock(start, ",")} --> ${clock(end, ",")}\n${text}\n`)
        .join("\n"),
  },
  WebVTT: {
    filename: "a.vtt",
    write: (lines) =>
      `WEBVTT\n\n${lines.map(({ start, end, text }) => `${clock(start)} --> ${clock(end)}\n${text}\n`).join("\n")}`,
  },
  SBV: {
    filename: "a.sbv",
    write: (lines) => lines.map(({ start, end, text }) => `${clock(start)},${clock(end)}\n${text}\n`).join("\n"),
  },
  TTML: {
    filename: "a.ttml",
    write: (lines) =>
      `<tt xmlns="http://www.w3.org/ns/ttml"><body><div>${lines.map(({ start, end, text }) => `<p begin="${clock(start)}" end="${clock(end)}">${text}</p>`).join("")}</div></body></tt>`,
  },
  ASS: {
    filename: "a.ass",
    write: (lines) =>
      `[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Text\n${lines.map(({ start, end, text }) => `Dialogue: 0,${clock(start)},${clock(end)},Default,${text}`).join("\n")}\n`,
  },
  "plain text, clock": {
    filename: "a.txt",
    write: (lines) => lines.map(({ start, end, text }) => `[${clock(start)} - ${clock(end)}] ${text}`).join("\n"),
  },
  "plain text, labels": {
    filename: "a.txt",
    write: (lines) => lines.map(({ start, end, text }) => `${label(start)} ${label(end)} ${text}`).join("\n"),
  },
  EDL: {
    filename: "a.edl",
    write: (lines) =>
      `TITLE: A\nFCM: NON-DROP FRAME\n\n${lines.map(({ start, end, text }, at) => `${String(at + 1).padStart(3, "0")}  AX  V  C  00:00:00:00 ${label(end - start)} ${label(start)} ${label(end)}\n* COMMENT: ${text}\n`).join("")}`,
  },
  "Avid's markers": {
    filename: "a.txt",
    write: (lines) =>
      lines
        .map(
          ({ start, end, text }, at) =>
            `M${at}\t${label(start)}\tV1\tgreen\t${text}\t${framesFromSeconds(end - start, RATE)}\n`,
        )
        .join(""),
  },
  "Spruce STL": {
    filename: "a.stl",
    write: (lines) =>
      `$FontName = Arial\n${lines.map(({ start, end, text }) => `${label(start)} , ${label(end)} , ${text}\n`).join("")}`,
  },
};

/** Heads of tables: start, end and text, in the languages of the interface. */
const HEADS = {
  English: ["Start", "End", "Text"],
  German: ["Anfang", "Ende", "Text"],
  French: ["Début", "Fin", "Texte"],
  Spanish: ["Inicio", "Final", "Texto"],
  Italian: ["Inizio", "Fine", "Testo"],
  Portuguese: ["Início", "Fim", "Texto"],
  Dutch: ["Begintijd", "Eindtijd", "Tekst"],
  Polish: ["Początek", "Koniec", "Tekst"],
  Japanese: ["開始", "終了", "テキスト"],
} as const;

/** Numbers in each unit, and how a head says it. */
const UNITS = {
  s: { of: (seconds: number) => seconds.toFixed(2), head: "s" },
  ms: { of: (seconds: number) => String(Math.round(seconds * 1000)), head: "ms" },
  frames: { of: (seconds: number) => String(framesFromSeconds(seconds, RATE)), head: "frames" },
  samples: { of: (seconds: number) => String(Math.round(seconds * 48_000)), head: null },
  "seconds and frames": {
    of: (seconds: number) => {
      const frame = framesFromSeconds(seconds, RATE);
      return `${Math.floor(frame / 25)}.${String(frame % 25).padStart(2, "0")}`;
    },
    head: null,
  },
} as const;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Every text of the matrix; `isWhole` with both films and all languages, else the sample and one language in each clock. */
export function* dialects(isWhole: boolean): Iterable<DialectCell> {
  yield* rateCells();
  for (const film of isWhole ? [SAMPLE, LONG] : [SAMPLE]) {
    for (const hears of [true, false]) {
      yield* clockedCells(film, hears);
      yield* tableCells(film, hears, isWhole);
    }
  }
}

function known({ durationSeconds, lines }: Film, own: number, hears: boolean): FilmReading {
  const startFrame = framesFromSeconds(own, RATE);
  return {
    grid: { ...FORMAT, startFrame },
    durationSeconds,
    holds: "dialogue",
    ...(hears ? { speech: lines.map(({ start, end }) => ({ start, end })) } : {}),
  };
}

function* clockedCells(film: Film, hears: boolean): Iterable<DialectCell> {
  for (const [format, { filename, write }] of Object.entries(CLOCKED)) {
    for (const { name, zero, own } of CLOCKS) {
      const shifted = film.lines.map(({ start, end, text }) => ({ start: start + zero, end: end + zero, text }));
      yield {
        name: `${format}, ${name}, ${film.name}, ${hears ? "heard" : "unheard"}`,
        text: write(shifted),
        filename,
        film: known(film, own, hears),
        truth: film.lines,
      };
    }
  }
}

/**
 * Films, versions of them for which texts were made, and seconds of the film to a second of the version. An unheard film tells them
 * apart by its end alone, where the version is longer.
 */
const VERSIONS = [
  { film: frameRate(24), version: "25", factor: 25 / 24 },
  { film: frameRate(24_000, 1001), version: "25", factor: (25 * 1.001) / 24 },
  { film: frameRate(30_000, 1001), version: "25", factor: (25 * 1.001) / 24 },
  { film: frameRate(24_000, 1001), version: "24", factor: 1.001 },
  { film: frameRate(30_000, 1001), version: "30", factor: 1.001 },
  { film: frameRate(24), version: "23.976", factor: 1 / 1.001 },
  { film: RATE, version: "24", factor: 24 / 25 },
  { film: RATE, version: "23.976", factor: 24 / 25 / 1.001 },
  { film: frameRate(24), version: "24", factor: 1 },
  { film: frameRate(30_000, 1001), version: "29.97", factor: 1 },
] as const;

/** Texts made for a version of two hours at another frame rate, or at the film's own. */
function* rateCells(): Iterable<DialectCell> {
  for (const { film: rate, version, factor } of VERSIONS) {
    const told = LONG.lines.map(({ start, end, text }) => ({ start: start / factor, end: end / factor, text }));
    // Labels are written at 25 frames a second here: those of other versions would be other texts.
    const formats = Object.entries(CLOCKED).filter(([name]) => version === "25" || !LABELLED.includes(name));
    for (const [format, { filename, write }] of formats) {
      for (const hears of [true, false]) {
        if (!hears && factor > 0.99) continue;
        yield {
          name: `${format}, made for ${version}, film of ${formatRateName({ rate, isDropFrame: false })}, ${hears ? "heard" : "unheard"}`,
          text: write(told),
          filename,
          film: { ...known(LONG, 0, hears), grid: { rate, isDropFrame: false, startFrame: 0 } },
          truth: LONG.lines,
          ...(LABELLED.includes(format) ? { tolerance: VERSION_TOLERANCE_SECONDS } : {}),
        };
      }
    }
  }
}

/** Formats whose times are labels of frames. */
const LABELLED: readonly string[] = ["plain text, labels", "EDL", "Avid's markers", "Spruce STL"];

function* tableCells(film: Film, hears: boolean, isWhole: boolean): Iterable<DialectCell> {
  const reading = known(film, 0, hears);
  for (const [unit, { of, head }] of Object.entries(UNITS)) {
    const rows = film.lines.map(({ start, end, text }) => [of(start), of(end), text] as const);
    const name = (what: string) => `${what}, ${unit}, ${film.name}, ${hears ? "heard" : "unheard"}`;
    const json = film.lines.map(({ start, end, text }) => ({ start: Number(of(start)), end: Number(of(end)), text }));
    // A number of JSON does not say how many digits it had.
    if (unit !== "seconds and frames")
      yield { name: name("JSON"), text: JSON.stringify(json), filename: "a.json", film: reading, truth: film.lines };
    for (const [language, titles] of Object.entries(HEADS).slice(0, isWhole ? undefined : 2)) {
      const [start, end, text] = titles;
      const stated = head === null ? [] : [[`${start} (${head})`, `${end} (${head})`, text]];
      for (const columns of [titles, ...stated]) {
        const lines = [columns.join(","), ...rows.map(([from, to, words]) => [from, to, quoted(words)].join(","))];
        const isStated = columns !== titles;
        yield {
          name: name(`table, ${language}${isStated ? ", unit in the head" : ""}`),
          text: lines.join("\n"),
          filename: "a.csv",
          film: reading,
          truth: film.lines,
        };
      }
    }
  }
}

/** What is made of a text of the matrix. */
export function outcomeOf({ text, filename, film, truth, tolerance = TOLERANCE_SECONDS }: DialectCell): Outcome {
  const read = readDocument(text, { filename, ...film });
  if (read.verdict?.kind === "unsure") {
    const isAmong = read.verdict.readings.some(({ choice }) =>
      isTrue(readDocument(text, { filename, ...film, ...chosenBy(choice) }), truth, tolerance),
    );
    return isAmong ? "unsure" : "wrong";
  }
  if (read.cues.length === 0) return read.issues.length > 0 ? "refused" : "wrong";
  return isTrue(read, truth, tolerance) ? "right" : "wrong";
}

function isTrue({ cues }: Pick<ReadDocument, "cues">, truth: DialectCell["truth"], tolerance: number): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) <= tolerance;
  return (
    cues.length === truth.length &&
    truth.every(({ start, end, text }, index) => {
      const cue = cues[index];
      return cue !== undefined && near(cue.start, start) && near(cue.end, end) && cue.text === text;
    })
  );
}
