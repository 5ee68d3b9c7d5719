import { fingerprintOf } from "../core/bytes.ts";
import type { Cue, VoicedCue } from "../core/cue.ts";
import { spokenText } from "../core/direction.ts";
import { estimateSpeakingSeconds, wordsPerMinute } from "../core/speaking-time.ts";
import { foldedWords } from "../core/text.ts";
import { type Hold, TimeMap } from "../core/time-map.ts";
import { LONGEST_FRAME_SECONDS, rangeDuration, type TimeRange } from "../core/time-range.ts";
import { type HeardCue, type HeldCues, type Result, soundingCues, type VoicePiece } from "./result.ts";
import { soundStanding } from "./stale.ts";

/** How long a cue takes to say. */
export interface SpokenLength {
  /** In seconds. */
  readonly seconds: number;
  /** `heard`: as it is spoken in the video that is held for it. `cue`: its own length. `estimate`: nobody has spoken it. */
  readonly basis: "heard" | "cue" | "estimate";
}

/** What is kept of a programme that is held; `undefined` where it never is. */
export function heldCues(
  cues: readonly Cue[],
  held: { readonly holds: readonly Hold[]; readonly heard: readonly (TimeRange & { readonly id: string })[] },
): HeldCues | undefined {
  if (held.holds.length === 0) return undefined;
  const texts = new Map(cues.map(({ id, text }) => [id, text]));
  const heard = held.heard.flatMap(({ id, start, end }) => {
    const text = texts.get(id);
    return text === undefined
      ? []
      : [[id, { start, end, words: wordsOf(text), estimate: estimateSpeakingSeconds(text) }] as const];
  });
  return { holds: held.holds, heard: Object.fromEntries(heard) };
}

/**
 * How long a cue is spoken. That of an extended description is no part of the programme's time: a cue for which the
 * programme is held takes an instant there, and as long as its words in the video.
 */
export function spokenLength({ held }: { readonly held?: HeldCues | undefined }, cue: Cue): SpokenLength {
  if (held === undefined) return { seconds: rangeDuration(cue), basis: "cue" };
  const heard = heardNow(held, cue);
  if (heard !== undefined) return { seconds: rangeDuration(heard), basis: "heard" };
  return { seconds: estimateSpeakingSeconds(cue.text) * paceOfVoice(held), basis: "estimate" };
}

/** Pace of a cue in words per minute; `null` where nobody has spoken it. */
export function spokenPace(result: Pick<Result, "held">, cue: Cue): number | null {
  const { seconds, basis } = spokenLength(result, cue);
  return basis === "estimate" ? null : wordsPerMinute(cue.text, seconds);
}

/** When the cues whose words are as they were spoken are heard in the video: for a check. None where none is held. */
export function heardInVideo({ held, cues }: Pick<Result, "held" | "cues">): (TimeRange & { readonly id: string })[] {
  if (held === undefined) return [];
  return cues.flatMap((cue) => {
    const heard = heardNow(held, cue);
    return heard === undefined ? [] : [{ id: cue.id, start: heard.start, end: heard.end }];
  });
}

/** The same, of cues that have other ids. */
export function heldUnder(held: HeldCues, idOf: (id: string) => string): HeldCues {
  return { ...held, heard: Object.fromEntries(Object.entries(held.heard).map(([id, heard]) => [idOf(id), heard])) };
}

/** The two clocks of a result whose programme is held; `null` where nobody knows of holds in the cut as it is. */
export function timeMapOf({ held }: Pick<Result, "held">): TimeMap | null {
  return held === undefined || held.holds === null ? null : new TimeMap(held.holds);
}

/**
 * The cues on the clock of the described video, for that video or a copy of the sequence with its freeze frames: there their
 * markers, and their narration, lie where they are heard. `null` where nobody knows of holds in the cut as it is.
 */
export function cuesInVideo(result: Pick<Result, "held" | "cues">): Cue[] | null {
  const map = timeMapOf(result);
  const { held, cues } = result;
  if (map === null || held === undefined) return null;
  return cues.map((cue) => {
    const was = held.heard[cue.id];
    const start = was === undefined ? map.arrival(cue.start) : was.start;
    return { ...cue, start, end: start + spokenLength(result, cue).seconds };
  });
}

function heardNow(held: HeldCues, { id, text }: Cue): HeardCue | undefined {
  const heard = held.heard[id];
  return heard?.words === wordsOf(text) ? heard : undefined;
}

/** How much longer the voice speaks than is estimated, by all that was heard of it. */
function paceOfVoice({ heard }: HeldCues): number {
  const lines = Object.values(heard);
  const seconds = lines.reduce((sum, line) => sum + rangeDuration(line), 0);
  const estimated = lines.reduce((sum, { estimate }) => sum + estimate, 0);
  return estimated > 0 ? seconds / estimated : 1;
}

function wordsOf(text: string): string {
  return fingerprintOf(spokenText(foldedWords(text)));
}

/**
 * How long the voice of each cue is, in seconds by cue id: of all cues that sound and whose sound says their words. It begins
 * where the cue begins now, and may be longer than the cue.
 */
export function voiceLengths(result: Parameters<typeof soundStanding>[0]): ReadonlyMap<string, number> {
  const { voiced, pieces = {} } = result;
  const { untrue } = soundStanding(result);
  return new Map(
    soundingCues(result).flatMap(({ id }) => {
      const was = voiced[id];
      return was === undefined || untrue.has(id) ? [] : [[id, lengthOf(was, pieces[id])] as const];
    }),
  );
}

/** As long as somebody heard it; a piece is whole frames long, the last of which may be almost empty. */
function lengthOf({ start, end, seconds }: VoicedCue, piece: VoicePiece | undefined): number {
  const least = piece === undefined ? 0 : piece.start + piece.durationSeconds - LONGEST_FRAME_SECONDS - start;
  return seconds ?? Math.max(end - start, least);
}
