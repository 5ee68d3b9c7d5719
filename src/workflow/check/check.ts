import type { Cue } from "../../core/cue.ts";
import type { Finding, FindingSeverity } from "../../core/finding.ts";
import type { KnownSpeech } from "../../core/gap.ts";
import type { DescriptionType } from "../../core/settings.ts";
import { wordsPerMinute } from "../../core/speaking-time.ts";
import {
  firstEndingAfter,
  mergeRanges,
  overlapWithRanges,
  rangeDuration,
  TIMESTAMP_SECONDS,
  type TimeRange,
  toThousandth,
} from "../../core/time-range.ts";
import { type CheckLimits, type CheckProfile, DEFAULT_PROFILE } from "./check-profile.ts";

/** What is known of a result when it is checked. */
export interface CheckInput {
  /** In order of time. */
  readonly cues: readonly Cue[];
  readonly durationSeconds: number;
  readonly type: DescriptionType;
  /** Where somebody speaks, any order; absent when nobody has looked. */
  readonly speech?: readonly KnownSpeech[];
  /** When cues are heard in a video that is held for them, by id: longer than the programme runs under them. */
  readonly heardInVideo?: readonly (TimeRange & { readonly id: string })[];
  /** How long the voice of each cue is, by id; a cue without one is as long as it says. */
  readonly voices?: ReadonlyMap<string, number>;
  /** Length of the narration's file, where there is one. */
  readonly narrationSeconds?: number;
  readonly profile?: CheckProfile;
}

/** Longest cue that is an instant, in seconds: a frame at 23.976 in lists that count them. */
const INSTANT_SECONDS = 0.042;

/** Times closer than this count as equal, in seconds: a caption's timestamp is rounded by as much. */
export const TOLERANCE_SECONDS = TIMESTAMP_SECONDS / 2;

/**
 * Checks cues against the programme, in order of rule and time: over speech, clearance, pace, over each other, past the
 * end, voices that are longer than their cues, and the narration's length. Speech counts for standard descriptions only: extended ones lie in pauses.
 */
export function checkCues(input: CheckInput): Finding[] {
  const profile = input.profile ?? DEFAULT_PROFILE;
  const speech = input.type === "standard" && input.speech !== undefined ? input.speech : null;
  return [
    ...(speech === null ? [] : overSpeech(input.cues, speech, profile)),
    ...(speech === null ? [] : beforeSpeech(input.cues, certainSpeech(speech, profile), profile.clearance)),
    ...tooFast(input, profile.pace),
    ...overEachOther(
      input.type === "extended" ? input.cues.filter((cue) => !isInstant(cue)) : input.cues,
      profile.cueOverlap,
    ),
    ...pastTheEnd(input.cues, input.durationSeconds, profile.pastEnd),
    ...voiceOverrun(input, speech === null ? [] : certainSpeech(speech, profile), profile.voiceOverrun),
    ...narrationLength(input, profile.narrationLength),
  ];
}

/** The speech of which it is certain enough that a cue may fail for it, ordered and disjoint. */
export function certainSpeech(speech: readonly KnownSpeech[], { speechConfidence }: CheckProfile): TimeRange[] {
  return mergeRanges(
    speech.filter(({ confidence }) => confidence === undefined || confidence >= speechConfidence.fail),
  );
}

function overSpeech(cues: readonly Cue[], speech: readonly KnownSpeech[], profile: CheckProfile): Finding[] {
  const { speechOverlap: limits, speechConfidence } = profile;
  const certain = certainSpeech(speech, profile);
  const doubtful = speech.filter(
    ({ confidence = 1 }) => confidence >= speechConfidence.warn && confidence < speechConfidence.fail,
  );
  const anyDoubtful = mergeRanges(doubtful);
  const rule = "speech-overlap";
  return cues.flatMap((cue) => {
    const seconds = overlapWithRanges(cue, certain);
    const found = above(limits, seconds, rule, [cue], `narration lies over speech for ${seconds.toFixed(2)} s`);
    if (found.length > 0) return found;
    const unsure = overlapWithRanges(cue, anyDoubtful);
    if (unsure === 0) return [];
    const under = doubtful.filter((range) => range.start < cue.end && range.end > cue.start);
    const share = Math.round(100 * Math.max(0, ...under.map(({ confidence = 1 }) => confidence)));
    const message = `narration lies over what may be speech (${share} % sure) for ${unsure.toFixed(2)} s`;
    return above({ ...limits, fail: Number.POSITIVE_INFINITY }, unsure, rule, [cue], message);
  });
}

function beforeSpeech(cues: readonly Cue[], speech: readonly TimeRange[], limits: CheckLimits): Finding[] {
  return cues.flatMap((cue) => {
    const next = speech[firstEndingAfter(speech, cue.end)];
    if (next === undefined || next.start < cue.end) return []; // The end lies in speech: that is an overlap.
    const seconds = next.start - cue.end;
    const message = `the next line begins ${seconds.toFixed(2)} s after the description ends`;
    return below(limits, seconds, "clearance", [cue], message);
  });
}

function tooFast({ cues, type, heardInVideo = [] }: CheckInput, limits: CheckLimits): Finding[] {
  const heard = new Map(heardInVideo.map((one) => [one.id, one]));
  return cues.flatMap((cue) => {
    const inVideo = heard.get(cue.id);
    if (inVideo === undefined && type === "extended" && isInstant(cue)) return [];
    const pace = wordsPerMinute(cue.text, rangeDuration(inVideo ?? cue));
    return above(limits, pace, "pace", [cue], `the description needs ${Math.round(pace)} words per minute`);
  });
}

/**
 * Whether an extended description takes no programme time: the programme is held for all of it. Formats write it as the
 * shortest cue that they can.
 */
function isInstant(cue: Cue): boolean {
  return rangeDuration(cue) <= INSTANT_SECONDS;
}

function overEachOther(cues: readonly Cue[], limits: CheckLimits): Finding[] {
  const findings: Finding[] = [];
  let longest: Cue | undefined; // The cue before that ends last: a long one may reach over several.
  for (const cue of cues) {
    if (longest !== undefined && longest.end > cue.start) {
      const seconds = Math.min(longest.end, cue.end) - cue.start;
      const message = `two descriptions share ${seconds.toFixed(2)} s`;
      findings.push(...above(limits, seconds, "cue-overlap", [longest, cue], message));
    }
    if (longest === undefined || cue.end > longest.end) longest = cue;
  }
  return findings;
}

function pastTheEnd(cues: readonly Cue[], durationSeconds: number, limits: CheckLimits): Finding[] {
  return cues.flatMap((cue) => {
    const seconds = cue.end - durationSeconds;
    const message = `the description ends ${seconds.toFixed(2)} s after the programme`;
    return above(limits, seconds, "past-end", [cue], message);
  });
}

/** Voices that go on behind the end of their cue, to where something else is: what lies within a cue is found by the cue. */
function voiceOverrun(
  { cues, voices, durationSeconds }: CheckInput,
  speech: readonly TimeRange[],
  limits: CheckLimits,
): Finding[] {
  const rule = "voice-overrun";
  return cues.flatMap((cue, index) => {
    const end = cue.start + (voices?.get(cue.id) ?? 0);
    if (end <= cue.end + TOLERANCE_SECONDS) return [];
    const past = end - Math.max(durationSeconds, cue.end);
    const over = overlapWithRanges({ start: cue.end, end }, speech);
    const next = cues[index + 1];
    const into = next === undefined ? 0 : end - Math.max(next.start, cue.end);
    const goesOn = (seconds: number, where: string) => `its voice goes on for ${seconds.toFixed(2)} s ${where}`;
    return [
      ...above(limits, past, rule, [cue], goesOn(past, "after the programme's end")),
      ...above(limits, over, rule, [cue], goesOn(over, "into speech")),
      ...(next === undefined ? [] : above(limits, into, rule, [cue, next], goesOn(into, "into the next description"))),
    ];
  });
}

function narrationLength(input: CheckInput, limits: CheckLimits): Finding[] {
  if (input.narrationSeconds === undefined) return [];
  const seconds = Math.abs(input.narrationSeconds - input.durationSeconds);
  const word = input.narrationSeconds < input.durationSeconds ? "shorter" : "longer";
  return above(
    limits,
    seconds,
    "narration-length",
    [],
    `the sound file is ${seconds.toFixed(2)} s ${word} than the programme`,
  );
}

/** A finding about more than a limit allows, or none. */
export function above(
  limits: CheckLimits,
  measured: number,
  rule: string,
  cues: readonly Cue[],
  message: string,
): Finding[] {
  if (measured > limits.fail + TOLERANCE_SECONDS) return [finding(limits, "fail", measured, rule, cues, message)];
  if (measured > limits.warn + TOLERANCE_SECONDS) return [finding(limits, "warn", measured, rule, cues, message)];
  return [];
}

/** A finding about less than a limit asks for, or none. */
export function below(
  limits: CheckLimits,
  measured: number,
  rule: string,
  cues: readonly Cue[],
  message: string,
): Finding[] {
  if (measured < limits.fail - TOLERANCE_SECONDS) return [finding(limits, "fail", measured, rule, cues, message)];
  if (measured < limits.warn - TOLERANCE_SECONDS) return [finding(limits, "warn", measured, rule, cues, message)];
  return [];
}

function finding(
  limits: CheckLimits,
  severity: FindingSeverity & ("warn" | "fail"),
  measured: number,
  rule: string,
  cues: readonly Cue[],
  message: string,
): Finding {
  const { unit, source } = limits;
  const rounded = toThousandth(measured);
  return {
    rule,
    severity,
    cueIds: cues.map((cue) => cue.id),
    message,
    measured: rounded,
    limit: limits[severity],
    unit,
    source,
  };
}
