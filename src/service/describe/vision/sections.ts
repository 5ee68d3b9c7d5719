import { countSpokenWords, ESTIMATED_WORDS_PER_MINUTE } from "../../../core/speaking-time.ts";
import { mergeRanges, overlapDuration, rangeDuration, type TimeRange } from "../../../core/time-range.ts";
import type { OnscreenText } from "../../onscreen-text.ts";
import type { KeyFrame } from "../../programme-analysis.ts";
import type { DescribeRequest, TranscriptLine } from "../describer.ts";

/** One request's worth of programme: the picture to tell of, and where the words will be spoken. */
export interface Section {
  /** The picture the descriptions are about, in seconds on the programme clock. */
  readonly picture: TimeRange;
  /** The gap they will be spoken in; `null` for extended AD, which makes its own room. */
  readonly gap: TimeRange | null;
  /** Words that all descriptions of it may have together: what fits the gap; for extended AD, a sensible most. */
  readonly budgetWords: number;
  /** How many descriptions are wanted at the most. */
  readonly descriptions: number;
  readonly frames: readonly KeyFrame[];
  /** Text that stands in the picture, as a machine read it. */
  readonly onscreen: readonly OnscreenText[];
  /** Speech shortly before, during and after. */
  readonly transcript: readonly TranscriptLine[];
}

/** Seconds of a gap that clearance to the speech around it takes. */
const CLEARANCE_SECONDS = 0.45;
/** Fewer words than this say nothing. */
const LEAST_WORDS = 2;
/** A gap longer than this is told in parts. */
const PART_SECONDS = 15;
/** A description tells at most this much time: one for each such stretch of a long gap. */
const SECONDS_PER_DESCRIPTION = 8;
/** The picture of a gap begins this long before it and ends this long after (AWS: 5 and 2). */
const LOOK_BACK_SECONDS = 5;
const LOOK_AHEAD_SECONDS = 2;
/** Most pictures in one request: servers limit them, and more do not help. */
const FRAMES = 6;
/** Speech told to the model, on either side. */
const TRANSCRIPT_SECONDS = 12;
/** Words of one extended description at the most. */
const EXTENDED_WORDS = 40;
/** Words of text on screen that may be there where no machine has read it: a full slide. */
const UNREAD_WORDS = 150;

/** Cuts a programme into sections, in order. */
export function sectionsOf(request: DescribeRequest): Section[] {
  return request.type === "extended" ? extendedSections(request) : standardSections(request);
}

function standardSections(request: DescribeRequest): Section[] {
  const gaps = mergeRanges(request.gaps).flatMap(partsOf);
  return gaps.flatMap((gap, index) => {
    const budgetWords = wordsIn(rangeDuration(gap) - CLEARANCE_SECONDS);
    if (budgetWords < LEAST_WORDS) return [];
    const previousEnd = gaps[index - 1]?.end ?? 0;
    const picture = {
      start: Math.max(previousEnd, gap.start - LOOK_BACK_SECONDS, 0),
      end: Math.min(gap.end + LOOK_AHEAD_SECONDS, request.durationSeconds),
    };
    return [sectionOf(request, picture, gap, budgetWords)];
  });
}

/** Runs of whole shots, each up to about a part long; a longer shot is a section of its own. */
function extendedSections(request: DescribeRequest): Section[] {
  const sections: Section[] = [];
  let start = 0;
  for (const [index, shot] of request.shots.entries()) {
    const next = request.shots[index + 1];
    if (next !== undefined && next.end - start <= PART_SECONDS) continue;
    const section = sectionOf(request, { start, end: shot.end }, null, EXTENDED_WORDS);
    const each = EXTENDED_WORDS + (request.readsAllOnscreenText ? wordsOnScreen(request, section) : 0);
    sections.push({ ...section, budgetWords: each * section.descriptions });
    start = shot.end;
  }
  return sections;
}

/** Words that reading all text of a section aloud takes; an ample guess where nothing could read it beforehand. */
function wordsOnScreen({ onscreen }: DescribeRequest, { onscreen: texts }: Section): number {
  if (!onscreen.isRead) return UNREAD_WORDS;
  return Math.ceil(texts.reduce((sum, { lines }) => sum + countSpokenWords(lines.join(" ")), 0));
}

function sectionOf(request: DescribeRequest, picture: TimeRange, gap: TimeRange | null, budgetWords: number): Section {
  const near = { start: picture.start - TRANSCRIPT_SECONDS, end: picture.end + TRANSCRIPT_SECONDS };
  return {
    picture,
    gap,
    budgetWords,
    descriptions: Math.max(1, Math.round(rangeDuration(gap ?? picture) / SECONDS_PER_DESCRIPTION)),
    frames: framesFor(request.keyFrames, picture),
    onscreen: request.onscreen.texts.filter((text) => overlapDuration(text, picture) > 0),
    transcript: request.transcript.filter((line) => line.end > near.start && line.start < near.end),
  };
}

/** Equal parts of a long gap. */
function partsOf(gap: TimeRange): TimeRange[] {
  const count = Math.ceil(rangeDuration(gap) / PART_SECONDS);
  const seconds = rangeDuration(gap) / count;
  return Array.from({ length: count }, (_, part) => ({
    start: gap.start + part * seconds,
    end: gap.start + (part + 1) * seconds,
  }));
}

/** Key frames of a stretch, evenly thinned to the most a request takes; the last one before it where it has none. */
function framesFor(keyFrames: readonly KeyFrame[], picture: TimeRange): KeyFrame[] {
  const inside = keyFrames.filter(({ at }) => at >= picture.start && at < picture.end);
  if (inside.length === 0) return keyFrames.filter(({ at }) => at < picture.end).slice(-1);
  if (inside.length <= FRAMES) return inside;
  return Array.from({ length: FRAMES }, (_, index) => inside[Math.floor((index * inside.length) / FRAMES)]).filter(
    (frame) => frame !== undefined,
  );
}

/** Words spoken in a time, rounded down. */
function wordsIn(seconds: number): number {
  return Math.max(0, Math.floor((seconds * ESTIMATED_WORDS_PER_MINUTE) / 60));
}
