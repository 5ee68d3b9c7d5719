import { join } from "node:path";
import { scriptsOf } from "../../core/scripts.ts";
import type { Shot } from "../../core/shot.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { languageName, lettersName } from "../language-name.ts";
import { NOTHING_READ, type OnscreenReading, type OnscreenText, type UnreadText } from "../onscreen-text.ts";
import type { KeyFrame, LetteringFrame } from "../programme-analysis.ts";
import { dataNameOf } from "./language-data.ts";
import type { ScreenTextReader, UnreadableReason } from "./text-reading.ts";
import type { WritingSystem } from "./writing-net.ts";

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
  if (frames.length === 0) return NOTHING_READ;
  const texts: OnscreenText[] = [];
  const unread: UnreadStretch[] = [];
  for (const { file, start, end, isTitleCard } of frames) {
    signal?.throwIfAborted();
    const read = await reading.read(join(order.folder, file));
    if (typeof read === "string") return { ...NOTHING_READ, notes: [UNREADABLE[read]] };
    if (read.isPartial || read.unread !== null) addStretch(unread, { start, end, system: read.unread });
    const lines = isTitleCard ? read.lines : read.lines.filter((line) => !isBareNumber(line));
    if (lines.length > 0) addText(texts, { start, end, lines });
  }
  return { isRead: true, texts, unread: await Promise.all(unread.map((one) => unreadText(one, reading))), notes: [] };
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

interface UnreadStretch extends TimeRange {
  readonly system: WritingSystem | null;
}

/** Seconds between two sights of text that could not be read for it to be one place to look at. */
const ONE_PLACE_SECONDS = 10;

/** Adds a place to look at, or lengthens the one before. What is known of one sight holds for those beside it. */
function addStretch(unread: UnreadStretch[], { start, end, system }: UnreadStretch): void {
  const before = unread.at(-1);
  const isSame = before !== undefined && (system === null || before.system === null || system === before.system);
  if (!isSame || start - before.end > ONE_PLACE_SECONDS) unread.push({ start, end, system });
  else unread[unread.length - 1] = { start: before.start, end, system: before.system ?? system };
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

/** The language that a film most likely shows in a writing system, by its first subtag. */
const LIKELY: Readonly<Record<WritingSystem, string | null>> = {
  Latin: "en", Cyrillic: "ru", Greek: "el", Arabic: "ar", Hebrew: "he", Devanagari: "hi", Bengali: "bn", Gujarati: "gu",
  Gurmukhi: "pa", Tamil: "ta", Telugu: "te", Kannada: "kn", Malayalam: "ml", Thai: "th", Han: "cmn", Japanese: "ja",
  Hangul: "ko", Georgian: null, Armenian: null,
}; // biome-ignore format: a table reads better in rows

/** Says of text that was not read what is known of it. */
export async function unreadText(
  { start, end, system }: TimeRange & { readonly system: WritingSystem | null },
  reading: Pick<ScreenTextReader, "language" | "canRead">,
): Promise<UnreadText> {
  const own = reading.language.split("-")[0] ?? "";
  const isOwn = system === null || isWrittenIn(own, system);
  const language = isOwn ? own : LIKELY[system];
  const isReadable = language !== null && (await reading.canRead(language));
  const message = `${whatOf(language, system, isOwn, isReadable)}. It is not spoken: add what it says`;
  return { start, end, letters: system === null ? null : lettersName(system), message };
}

function isWrittenIn(language: string, system: WritingSystem): boolean {
  const scripts = scriptsOf(language);
  return scripts.includes(system) || (system === "Japanese" && scripts.includes("Hiragana"));
}

function whatOf(language: string | null, system: WritingSystem | null, isOwn: boolean, isReadable: boolean): string {
  const text = system === null ? "Text on screen" : `Text on screen in ${lettersName(system)}`;
  if (language === null) return `${text} cannot be read here`;
  const name = languageName(language);
  if (isOwn && isReadable) return `${text} could not be read for certain`;
  const missing = `there is no language data for ${name} (${dataNameOf(language)}.traineddata, in a folder that ASIDE_OCR_DATA names)`;
  if (isOwn && system === null) return `${text} could not be read for certain: ${missing}`;
  if (isOwn || system === null) return `${name} text on screen cannot be read here: ${missing}`;
  const others =
    system === "Han"
      ? "Chinese or Japanese text on screen"
      : `${name} text on screen, or other text in ${lettersName(system)},`;
  if (isReadable) return `${others} is read in descriptions in its own language alone`;
  return `${others} cannot be read here: ${missing}`;
}
