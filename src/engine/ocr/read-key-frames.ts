import { join } from "node:path";
import type { Shot } from "../../core/shot.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { formatClockTime } from "../../formats/clock-time.ts";
import type { OnscreenReading, OnscreenText } from "../onscreen-text.ts";
import type { KeyFrame, LetteringFrame } from "../programme-analysis.ts";
import type { ScreenTextReader, UnreadableReason } from "./text-reading.ts";

/** What is to be read. */
export interface ReadingOrder {
  readonly shots: readonly Shot[];
  readonly keyFrames: readonly KeyFrame[];
  readonly lettering: readonly LetteringFrame[];
  /** Folder that holds the key frames and the frames with lettering. */
  readonly folder: string;
  /** `true` reads every shot, `false` those that show lettering or look like title cards. */
  readonly readsAll: boolean;
}

/** What is said where nothing can be read. */
const UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  "no-data":
    "Text on screen was not read: there is no language data for it. Name a folder with Tesseract's data in ASIDE_OCR_DATA, " +
    "and add what stands on title cards.",
  damaged: "The language data for text on screen is damaged.",
};

/**
 * Reads the text of a programme's key frames; those that the reading has begun with already are not read again.
 *
 * @throws the signal's reason when it aborts.
 */
export async function readKeyFrames(
  order: ReadingOrder,
  reading: ScreenTextReader,
  signal?: AbortSignal,
): Promise<OnscreenReading> {
  const frames = order.shots.flatMap((shot) => {
    const ofShot = <T extends { readonly at: number }>(frames: readonly T[]) =>
      frames.filter(({ at }) => at >= shot.start && at < shot.end);
    const watched = { shot, keyFrames: ofShot(order.keyFrames), lettering: ofShot(order.lettering) };
    return framesToRead(watched, order.readsAll);
  });
  if (frames.length === 0) return { isRead: false, texts: [], notes: [] };
  const texts: OnscreenText[] = [];
  const partial: { start: number; end: number }[] = [];
  for (const { file, start, end, isTitleCard } of frames) {
    signal?.throwIfAborted();
    const read = await reading.read(join(order.folder, file));
    if (typeof read === "string") return { isRead: false, texts: [], notes: [UNREADABLE[read]] };
    const { isPartial } = read;
    const lines = isTitleCard ? read.lines : read.lines.filter((line) => !isBareNumber(line));
    const last = partial.at(-1);
    if (isPartial && last?.end === start) last.end = end;
    else if (isPartial) partial.push({ start, end });
    if (lines.length > 0) addText(texts, { start, end, lines });
  }
  return { isRead: true, texts, notes: partialNotes(partial.map(({ start }) => start)) };
}

/** Seconds of a shot for which one key frame is read: text that can be read stands for seconds. */
const READ_SECONDS = 10;

/** A picture to read, with the stretch of its shot that it stands for. */
export interface FrameToRead extends TimeRange {
  readonly file: string;
  readonly isTitleCard: boolean;
}

/** Whether a line over a picture is a number that nobody can tell what it counts; a year stands by itself. */
function isBareNumber(line: string): boolean {
  return !/[\p{L}\p{Sc}%]/u.test(line) && !/^(?:1\d|20)\d\d$/.test(line);
}

/**
 * The pictures of a shot that are read: those with lettering. Where none was found in a title card, or every shot is read, it is of
 * each ten seconds the clearest key frame, where it is known, else the last, on which all is that appeared line by line.
 *
 * @param watched A shot with its own pictures, in order of time.
 */
export function framesToRead(
  { shot, keyFrames, lettering }: Pick<ReadingOrder, "keyFrames" | "lettering"> & { readonly shot: Shot },
  readsAll: boolean,
): FrameToRead[] {
  if (lettering.length > 0) {
    // A title card is nothing but its lettering, which fades in.
    return lettering.map(({ file, start, end }, index) => ({
      file,
      isTitleCard: shot.titleCard,
      start: shot.titleCard && index === 0 ? shot.start : start,
      end: shot.titleCard && index === lettering.length - 1 ? shot.end : end,
    }));
  }
  if (!readsAll && !shot.titleCard) return [];
  const read = new Map<number, KeyFrame>();
  for (const frame of keyFrames) {
    const slot = Math.floor((frame.at - shot.start) / READ_SECONDS);
    if (read.get(slot)?.at !== shot.keyFrameAt) read.set(slot, frame);
  }
  const chosen = [...read.values()];
  return chosen.map(({ file, at }, index) => ({
    file,
    isTitleCard: shot.titleCard,
    start: index === 0 ? shot.start : at,
    end: chosen[index + 1]?.at ?? shot.end,
  }));
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
