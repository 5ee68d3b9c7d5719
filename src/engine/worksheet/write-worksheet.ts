import { readFileSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cue, compareCues } from "../../core/cue.ts";
import { type PauseToWrite, pauseRoom } from "../../core/pause-to-write.ts";
import type { FrameGrid } from "../../core/settings.ts";
import {
  countWords,
  ESTIMATED_WORDS_PER_MINUTE,
  isCountedInCharacters,
  UNSPACED_CHARACTERS_PER_SECOND,
} from "../../core/speaking-time.ts";
import { escapeHtml } from "../../core/text.ts";
import { overlapDuration, type TimeRange } from "../../core/time-range.ts";
import { timecodeAt } from "../../core/timecode.ts";
import { type Thumbnail, thumbnailOf } from "../ffmpeg/decode/small-picture.ts";
import type { KeyFrame } from "../programme-analysis.ts";

/** What a worksheet shows. Times are seconds on the programme clock. */
export interface Worksheet {
  /** The same for the same programme: drafts are kept under it. */
  readonly id: string;
  /** BCP-47 code of the words. */
  readonly language: string;
  /** Name of the voice whose pace counts; `null` where the pace is estimated. */
  readonly voice: string | null;
  /** Time that the voice takes, relative to `estimateSpeakingSeconds`. */
  readonly pace: number;
  readonly pauses: readonly PauseToWrite[];
  /** What is spoken already: part of the script that is saved, and open to changes. */
  readonly cues: readonly Cue[];
  /** Text on screen that nobody could read: what is known of it, as sentences for people. In order of time. */
  readonly unread?: readonly (Partial<TimeRange> & { readonly message: string })[];
  /** In order of time. */
  readonly keyFrames: readonly KeyFrame[];
  /** Folder that holds them. */
  readonly keyFrameFolder: string;
  /** How times are labelled. */
  readonly grid: FrameGrid;
}

/** A line of the sheet: a pause, or what is spoken already. */
type SheetLine = PauseToWrite & { readonly text: string };

/** Width of a picture in pixels. */
const PICTURE_WIDTH = 256;

/** Pictures shown of a pause itself, at most. */
const MOST_INSIDE = 3;

const STYLE = readFileSync(new URL("./page.css", import.meta.url), "utf8");
const SCRIPT = readFileSync(new URL("./page.js", import.meta.url), "utf8");

/**
 * Writes the worksheet as a page of its own, which needs no network: pictures, dialogue and hints for each pause, a field for
 * the words, and a script to save. Line by line: nothing holds all of its pictures.
 */
export async function writeWorksheet(path: string, sheet: Worksheet): Promise<void> {
  const lines = linesOf(sheet);
  const pictures = new SheetPictures(sheet.keyFrameFolder);
  const file = await open(path, "w");
  try {
    await file.write(headOf(sheet, unreadBeside(sheet, lines)));
    for (const [index, line] of lines.entries()) await writeLine(file, { sheet, line, number: index + 1, pictures });
    await file.write(`</ol>\n</main>\n<script>\n${SCRIPT}</script>\n</body>\n</html>\n`);
  } finally {
    await file.close();
  }
}

function linesOf({ pauses, cues, pace, language }: Worksheet): SheetLine[] {
  const unit = isCountedInCharacters(language) ? ({ unit: "characters" } as const) : {};
  const spoken = cues.map((cue): SheetLine => {
    const words = Math.max(
      countWords(cue.text),
      Math.floor(((cue.end - cue.start) * ESTIMATED_WORDS_PER_MINUTE) / 60 / pace),
    );
    return { ...cue, words, ...unit, hints: [] };
  });
  return [...pauses.map((pause) => ({ ...pause, text: "" })), ...spoken].sort(compareCues);
}

/** Whether text on screen that nobody read stands in a line. */
function standsIn({ start, end }: Partial<TimeRange>, line: TimeRange): boolean {
  return start !== undefined && end !== undefined && overlapDuration({ start, end }, line) > 0;
}

/** What is said of unread text that stands in none of the lines, such as over dialogue: a list, or nothing. */
function unreadBeside({ unread = [], grid }: Worksheet, lines: readonly SheetLine[]): string {
  const beside = unread.filter((text) => !lines.some((line) => standsIn(text, line)));
  if (beside.length === 0) return "";
  const items = beside.map(({ start, message }) => {
    const place = start === undefined ? "" : `${timecodeAt(grid, start)}: `;
    return `<li>${escapeHtml(`${place}${message}.`)}</li>\n`;
  });
  return `<section aria-label="Text on screen beside the lines below">\n<ul>\n${items.join("")}</ul>\n</section>\n`;
}

function headOf({ id, language, voice, pace, pauses, cues }: Worksheet, unread: string): string {
  const seconds = pauses.reduce((sum, { start, end }) => sum + end - start, 0);
  const count = pauses.length === 1 ? "1 pause" : `${pauses.length} pauses`;
  const by = voice === null ? "at an estimated pace" : `at the pace of the voice ${voice}`;
  const spoken =
    cues.length === 0
      ? ""
      : " Lines that are spoken already, such as text on screen, stand among them and can be changed.";
  const unit = isCountedInCharacters(language) ? "characters" : "words";
  // No page may name other files: what stands in a caption stays text whatever it looks like.
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  const facts = {
    key: `aside-worksheet-${id}`,
    language,
    pace: pace.toFixed(4),
    "words-per-minute": String(ESTIMATED_WORDS_PER_MINUTE),
    "characters-per-second": String(UNSPACED_CHARACTERS_PER_SECOND),
    unit,
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Worksheet for audio description</title>
<style>
${STYLE}</style>
</head>
<body>
<header>
<h1>Worksheet for audio description</h1>
<p>${count} to write, ${seconds.toFixed(1)} s in all, ${escapeHtml(by)} (${escapeHtml(language)}).${spoken}</p>
<p>Write what the picture shows and the sound does not tell. Leave a field empty where silence is better. “Save as script” gives a WebVTT file with the lines that are written: <kbd>aside describe film.mp4 --script script.vtt</kbd> speaks them, and the panel takes it as a script of your own.</p>
<noscript><p>Without JavaScript this page counts and saves nothing; it can be printed and written on.</p></noscript>
</header>
<section id="save" aria-label="Script">
<button type="button" data-does="save" hidden>Save as script</button>
<button type="button" data-does="print" hidden>Print</button>
<p id="status" role="status"></p>
</section>
${unread}<main aria-label="Lines to write">
<ol id="lines"${Object.entries(facts)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join("")}>
`;
}

async function writeLine(
  file: FileHandle,
  { sheet, line, number, pictures }: { sheet: Worksheet; line: SheetLine; number: number; pictures: SheetPictures },
): Promise<void> {
  const { start, end, text, hints, before, after } = line;
  const label = (seconds: number) => timecodeAt(sheet.grid, seconds);
  const id = `line-${number}`;
  const state = text === "" ? `to write: ${pauseRoom(line)}` : `spoken already: ${(end - start).toFixed(1)} s`;
  await file.write(`<li>\n<h2 id="${id}-title">${number}. ${label(start)}, ${state}</h2>\n`);
  const shown = picturesOf(line, sheet.keyFrames);
  if (shown.length > 0) {
    await file.write(`<ul class="pictures" aria-label="Pictures of line ${number}">\n`);
    for (const frame of shown) await file.write(await pictures.item(frame, line, label(frame.at)));
    await file.write("</ul>\n");
  }
  const said = (when: string, words: string | undefined) =>
    words === undefined ? "" : `<p>Dialogue ${when}: <q>${escapeHtml(words)}</q></p>\n`;
  const unread = (sheet.unread ?? []).filter((text) => standsIn(text, line));
  const untold = unread.map(({ message }) => `<p class="unread">${escapeHtml(message)}.</p>\n`);
  await file.write(`${said("before", before)}${said("after", after)}${untold.join("")}${
    hints.length === 0 ? "" : `<p class="hints">Measured: ${escapeHtml(hints.join(", "))}</p>\n`
  }<label for="${id}">Words for ${label(start)}</label>
<textarea id="${id}" lang="${escapeHtml(sheet.language)}" dir="auto" placeholder=" " aria-describedby="${id}-count" data-cue="${escapeHtml(line.id)}" data-start="${start.toFixed(3)}" data-end="${end.toFixed(3)}" data-words="${line.words}">${escapeHtml(text)}</textarea>
<div class="ruled"></div>
<p class="count" id="${id}-count">${pauseRoom(line)}</p>
</li>
`);
}

/** The pictures before, in and after a line, in order. */
function picturesOf({ start, end }: SheetLine, keyFrames: readonly KeyFrame[]): KeyFrame[] {
  const inside = keyFrames.filter(({ at }) => at >= start && at < end);
  const step = Math.max(1, inside.length / MOST_INSIDE);
  const some = inside.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const before = keyFrames.findLast(({ at }) => at < start);
  const after = keyFrames.find(({ at }) => at >= end);
  return [before, ...some, after].filter((frame) => frame !== undefined);
}

/** Small pictures as they stand in the page; the last few are kept, because neighbours show the same. */
class SheetPictures {
  readonly #folder: string;
  readonly #made = new Map<string, Thumbnail>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async item({ at, file }: KeyFrame, { start, end }: SheetLine, label: string): Promise<string> {
    const { jpeg, width, height } = await this.#thumbnail(file);
    const [place, distance] =
      at < start
        ? ["before", `${(start - at).toFixed(1)} s before the line`]
        : at >= end
          ? ["after", `${(at - end).toFixed(1)} s after the line`]
          : ["in it", `${(at - start).toFixed(1)} s into the line`];
    const source = `data:image/jpeg;base64,${jpeg.toString("base64")}`;
    return `<li><img src="${source}" width="${width}" height="${height}" loading="lazy" decoding="async" alt="Picture at ${label}, ${distance}"> <span>${place}, ${label}</span></li>\n`;
  }

  async #thumbnail(file: string): Promise<Thumbnail> {
    const known = this.#made.get(file);
    if (known !== undefined) return known;
    const made = thumbnailOf(await readFile(join(this.#folder, file)), PICTURE_WIDTH);
    this.#made.set(file, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MOST_INSIDE + 2 && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }
}
