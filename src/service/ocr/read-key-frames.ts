import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Shot } from "../../core/shot.ts";
import { formatClockTime } from "../../formats/clock-time.ts";
import type { OnscreenReading, OnscreenText } from "../onscreen-text.ts";
import type { KeyFrame } from "../programme-analysis.ts";
import { findLanguageData } from "./language-data.ts";
import { TextReader } from "./text-reader.ts";

/** What is to be read. */
export interface ReadingOrder {
  readonly shots: readonly Shot[];
  readonly keyFrames: readonly KeyFrame[];
  /** Folder that holds the key frames. */
  readonly folder: string;
  /** BCP-47 code of the language to read, beside English. */
  readonly language: string;
  /** `true` reads every key frame, `false` those of title cards. */
  readonly readsAll: boolean;
  /** `ASIDE_OCR_DATA` and `TESSDATA_PREFIX`, see `findLanguageData`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const NO_DATA =
  "Text on screen was not read: there is no language data for it. Name a folder with Tesseract's data in ASIDE_OCR_DATA, " +
  "and add what stands on title cards.";

/**
 * Reads the text of a programme's key frames. The engine is only loaded where there is something to read.
 *
 * @throws the signal's reason when it aborts.
 */
export async function readKeyFrames(order: ReadingOrder, signal?: AbortSignal): Promise<OnscreenReading> {
  const frames = order.keyFrames.flatMap((frame) => {
    const shot = order.shots.find(({ start, end }) => frame.at >= start && frame.at < end);
    return shot !== undefined && (order.readsAll || shot.titleCard) ? [{ ...frame, shot }] : [];
  });
  if (frames.length === 0) return { isRead: false, texts: [], notes: [] };
  const data = await findLanguageData(order.language, order.environment);
  if (data.length === 0) return { isRead: false, texts: [], notes: [NO_DATA] };
  const reader = await TextReader.open(data).catch(() => null);
  if (reader === null) return { isRead: false, texts: [], notes: ["The language data for text on screen is damaged."] };
  using opened = reader;
  const texts: OnscreenText[] = [];
  const partial = new Set<number>();
  for (const [index, { file, shot, at }] of frames.entries()) {
    // Reading blocks; a cancelled job must not wait for all of it.
    await setImmediate();
    signal?.throwIfAborted();
    const { lines, isPartial } = opened.read(await readFile(join(order.folder, file)));
    if (isPartial) partial.add(shot.start);
    if (lines.length === 0) continue;
    const next = frames[index + 1];
    const isFirst = frames[index - 1]?.shot !== shot;
    const end = next?.shot === shot ? next.at : shot.end;
    addText(texts, { start: isFirst ? shot.start : at, end, lines });
  }
  return { isRead: true, texts, notes: partialNotes([...partial]) };
}

/** Places that a note names at most. */
const NAMED_PLACES = 8;

/** What was left out is named: half a card may say something else than all of it. */
function partialNotes(starts: readonly number[]): string[] {
  if (starts.length === 0) return [];
  const places = starts.slice(0, NAMED_PLACES).map((start) => formatClockTime(start).slice(0, 8));
  const more = starts.length > NAMED_PLACES ? ", …" : "";
  return [`Some text on screen could not be read for certain and is left out: look at ${places.join(", ")}${more}.`];
}

/** Seconds between two sights of the same text for it to be one text. */
const SAME_TEXT_SECONDS = 5;

/** Adds a text, or lengthens the one before where it is the same or part of it. */
function addText(texts: OnscreenText[], text: OnscreenText): void {
  const before = texts.at(-1);
  if (before === undefined || text.start - before.end > SAME_TEXT_SECONDS) {
    texts.push(text);
    return;
  }
  const [old, seen] = [wordsOf(before), wordsOf(text)];
  const isPart = seen.every((word) => old.includes(word));
  const isMore = old.every((word) => seen.includes(word));
  if (!isPart && !isMore) texts.push(text);
  else texts[texts.length - 1] = { ...before, end: text.end, lines: isMore ? text.lines : before.lines };
}

function wordsOf({ lines }: OnscreenText): string[] {
  return (
    lines
      .join(" ")
      .toLocaleLowerCase("en")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
