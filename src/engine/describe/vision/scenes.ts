import { type Beat, beatsOf } from "../../../core/beats.ts";
import { SEEN_PLACEMENT_PROFILE } from "../../../core/placement.ts";
import { ESTIMATED_WORDS_PER_MINUTE } from "../../../core/speaking-time.ts";
import { mergeRanges, type TimeRange } from "../../../core/time-range.ts";
import type { DescribeRequest } from "../describer.ts";
import type { LogEvent } from "./look.ts";

/** A beat with what begins to be seen in it, and the words to be written for it. */
export interface RoomyBeat extends TimeRange {
  /** Words that fit, and some more to choose from; 0 under speech. In extended AD, what a hold of a bearable length takes. */
  readonly words: number;
  readonly events: readonly BeatEvent[];
}

/** What begins to be seen in a beat. */
export interface BeatEvent extends LogEvent {
  /** Words that fit from its first picture to the end of its pause; absent where the film is held for it. */
  readonly wordsLeft?: number;
}

/** Beats that are written in one request: a scene, or a part of a long one. */
export interface Scene extends TimeRange {
  readonly beats: readonly RoomyBeat[];
  /** Words that all lines of it may have together. */
  readonly words: number;
}

/**
 * A line of audio description: words at the least and at the most. With fewer, down to `shortest`, it is hard to follow; that
 * is for what the story fails without, where its pause ends.
 */
export const LINE_WORDS = { shortest: 2, least: 4, most: 12 } as const;

/** Words of two lines that are neither breathless nor empty: a beat with room for so many may end. */
const GOOD_WORDS = 14;

/** Seconds of a pause that clearance to the speech before and after it takes. */
const CLEARANCE = { before: 0.2, after: 0.35 } as const;

/** Seconds that a line takes beside its words: the pause to the next, and the voice's own at its end. */
const SEPARATION_SECONDS = 0.45;

/** Seconds of a usual line. */
const LINE_SECONDS = 3.5;

/**
 * Words that are written for each that can be spoken: what matters most of them is placed, the rest goes, or is asked for in
 * the words that fit.
 */
const WRITTEN_SHARE = 1.4;

/** Events in one request, and seconds of film, at the most. */
const SCENE_EVENTS = 60;
const SCENE_SECONDS = 90;

/** Seconds of a reel at the least: a shorter one would lack too much of what is spoken before it. */
const REEL_SECONDS = 900;

/** Seconds of film over which scenes that are written in part are put together. */
const TOGETHER_SECONDS = 300;

/** Seconds that a word takes the chosen voice. */
export function secondsPerWord({ pace }: DescribeRequest): number {
  return (pace * 60) / ESTIMATED_WORDS_PER_MINUTE;
}

/** Cuts a film into scenes of beats. @param mostEvents In one scene, about. */
export function scenesOf(
  request: DescribeRequest,
  events: readonly LogEvent[],
  mostEvents: number = SCENE_EVENTS,
): Scene[] {
  const perWord = secondsPerWord(request);
  const wordsIn = (seconds: number) => {
    const lines = Math.max(1, Math.round(seconds / LINE_SECONDS));
    return Math.max(0, Math.floor((WRITTEN_SHARE * (seconds - lines * SEPARATION_SECONDS)) / perWord));
  };
  const isExtended = request.type === "extended";
  const pauses = clearOf(request);
  const wordsLeft = (at: number) => {
    const pause = pauses.find(({ start, end }) => start <= at && at < end);
    const from = Math.max(pause?.start ?? at, at - SEEN_PLACEMENT_PROFILE.maximumLead);
    return Math.floor(((pause?.end ?? at) - from) / perWord);
  };
  const whole = { start: 0, end: request.durationSeconds };
  const beats = beatsOf({
    durationSeconds: request.durationSeconds,
    cuts: request.shots.map(({ start }) => start),
    changes: events.map(({ seen }) => seen.start),
    free: isExtended ? [whole] : pauses,
    leastSeconds: LINE_WORDS.least * perWord + SEPARATION_SECONDS,
    goodSeconds: GOOD_WORDS * perWord + SEPARATION_SECONDS,
  });
  const roomy = beats.map((beat, index): RoomyBeat => {
    const isLast = index === beats.length - 1;
    const inside = events
      .filter(({ seen }) => seen.start >= beat.start && (seen.start < beat.end || isLast))
      .map((event) => (isExtended ? event : { ...event, wordsLeft: wordsLeft(event.seen.start) }));
    return { start: beat.start, end: beat.end, words: wordsOf(beat, isExtended, wordsIn), events: inside };
  });
  return cutIntoScenes(roomy, request, mostEvents).map((parts): Scene => {
    const start = parts[0]?.start ?? 0;
    const end = parts.at(-1)?.end ?? 0;
    const words = isExtended
      ? wordsIn((end - start) * request.maximumAddedShare + freeSeconds(request, start, end))
      : parts.reduce((sum, beat) => sum + beat.words, 0);
    return { start, end, beats: parts, words };
  });
}

/**
 * Shares the scenes of a long film out to reels that can be written side by side: as many as may be, of about as much to
 * write, none shorter than a quarter of an hour; a shorter film is one reel.
 */
export function reelsOf(scenes: readonly Scene[], most: number): Scene[][] {
  const seconds = (scenes.at(-1)?.end ?? 0) - (scenes[0]?.start ?? 0);
  const count = Math.max(1, Math.min(most, Math.floor(seconds / REEL_SECONDS)));
  const reels: Scene[][] = Array.from({ length: count }, () => []);
  for (const [index, scene] of scenes.entries()) reels[Math.floor((index * count) / scenes.length)]?.push(scene);
  return reels.filter((reel) => reel.length > 0);
}

/** Puts scenes of which a part is to be written together with their neighbours, as many as one request takes. */
export function scenesTogether(scenes: readonly Scene[], mostEvents: number = SCENE_EVENTS): Scene[] {
  const together: Scene[] = [];
  const eventsIn = ({ beats }: Scene) => beats.reduce((sum, { events }) => sum + events.length, 0);
  for (const scene of scenes) {
    const open = together.at(-1);
    const fits =
      open !== undefined &&
      scene.end - open.start <= TOGETHER_SECONDS &&
      eventsIn(open) + eventsIn(scene) <= mostEvents;
    if (!fits) together.push(scene);
    else {
      const [beats, words] = [[...open.beats, ...scene.beats], open.words + scene.words];
      together[together.length - 1] = { start: open.start, end: scene.end, beats, words };
    }
  }
  return together;
}

function wordsOf({ freeSeconds }: Beat, isExtended: boolean, wordsIn: (seconds: number) => number): number {
  if (freeSeconds === 0) return 0;
  return isExtended ? 2 * LINE_WORDS.most : wordsIn(freeSeconds);
}

/** Pauses less the clearance at their ends; the programme's own ends need none. */
export function clearOf({ gaps, durationSeconds }: DescribeRequest): TimeRange[] {
  return mergeRanges(gaps).map(({ start, end }) => ({
    start: start <= 0 ? 0 : start + CLEARANCE.before,
    end: end >= durationSeconds ? end : end - CLEARANCE.after,
  }));
}

function freeSeconds(request: DescribeRequest, start: number, end: number): number {
  return clearOf(request).reduce(
    (sum, gap) => sum + Math.max(0, Math.min(gap.end, end) - Math.max(gap.start, start)),
    0,
  );
}

/** A scene ends where a shot opens softly, else at a cut, else between beats. */
function cutIntoScenes(beats: readonly RoomyBeat[], { shots }: DescribeRequest, mostEvents: number): RoomyBeat[][] {
  const soft = new Set(
    shots.filter(({ opening }) => opening === "fade" || opening === "dissolve").map(({ start }) => start),
  );
  const cuts = new Set(shots.map(({ start }) => start));
  const scenes: RoomyBeat[][] = [];
  let open: RoomyBeat[] = [];
  for (const beat of beats) {
    const filled = Math.max(
      ((open.at(-1)?.end ?? 0) - (open[0]?.start ?? 0)) / SCENE_SECONDS,
      open.reduce((sum, { events }) => sum + events.length, 0) / mostEvents,
    );
    const ends = filled >= 1 || (filled >= 0.8 && cuts.has(beat.start)) || (filled >= 0.4 && soft.has(beat.start));
    if (open.length > 0 && ends) {
      scenes.push(open);
      open = [];
    }
    open.push(beat);
  }
  if (open.length > 0) scenes.push(open);
  return scenes;
}
