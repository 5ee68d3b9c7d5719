import { isObject } from "../../core/objects.ts";
import broadcast from "./profiles/broadcast.json" with { type: "json" };
import standard from "./profiles/default.json" with { type: "json" };
import streaming from "./profiles/streaming.json" with { type: "json" };

/** Limits of one check: passing `warn` is worth a look, passing `fail` breaks the profile. */
export interface CheckLimits {
  readonly warn: number;
  readonly fail: number;
  readonly unit: string;
  /** Where the numbers come from. */
  readonly source: string;
}

/** Numbers that a result is held against; those of the default profile are traced to `field.md` 2.5. */
export interface CheckProfile {
  readonly name: string;
  /** What a list of profiles shows. */
  readonly title: string;
  /** Seconds of a cue that lie over speech; more is worse. Standard AD. */
  readonly speechOverlap: CheckLimits;
  /** How sure it must be that what a cue lies over is speech: less than `fail` only warns, less than `warn` is no speech. */
  readonly speechConfidence: CheckLimits;
  /** Seconds between a cue's end and the next speech; less is worse. */
  readonly clearance: CheckLimits;
  /** Words per minute within a cue; more is worse. */
  readonly pace: CheckLimits;
  /** Seconds of the pause that a cue uses; less is worse. */
  readonly gapUsed: CheckLimits;
  /** Seconds that two cues share; more is worse. */
  readonly cueOverlap: CheckLimits;
  /** Seconds by which a cue passes the programme's end; more is worse. */
  readonly pastEnd: CheckLimits;
  /** Seconds of a voice behind its cue's end that lie over speech, another cue, or past the programme; more is worse. */
  readonly voiceOverrun: CheckLimits;
  /** Seconds by which the narration's length differs from the programme's; more is worse. */
  readonly narrationLength: CheckLimits;
  /** Seconds between where a description stands and where its narration is heard; more is worse. */
  readonly narrationShift: CheckLimits;
  /** Loudness of the narration above music, and above anything else, in LU; less is worse. */
  readonly levelOverMusic: CheckLimits;
  readonly levelOverAmbience: CheckLimits;
  /** True peak of the sound that is delivered; more is worse. */
  readonly truePeak: CheckLimits;
  /** Words of one sentence; more is worse. */
  readonly sentenceWords: CheckLimits;
  /** Seconds of a pause that no cue uses; noted from `warn` on. */
  readonly unusedGap: CheckLimits;
  /** Phrases that a description does without, in lower case. */
  readonly forbiddenPhrases: readonly string[];
}

/** The default profile. */
export const DEFAULT_PROFILE: CheckProfile = standard;

/** The profiles that come with the product: the default one, and what differs from it in the others. */
export const PROFILES: readonly CheckProfile[] = [
  DEFAULT_PROFILE,
  { ...DEFAULT_PROFILE, ...broadcast },
  { ...DEFAULT_PROFILE, ...streaming },
];

/**
 * A profile of one's own: what it says, over the default one. Limits need `warn` and `fail`; unit and source are those of
 * the default where it does not say.
 *
 * @returns The profile, or a sentence about the first thing in it that cannot be used.
 */
export function parseProfile(text: string): CheckProfile | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is no JSON";
  }
  if (!isObject(value)) return "it is no JSON object";
  return profileFrom(value, { ...DEFAULT_PROFILE, name: "own", title: "A profile of one's own" });
}

/**
 * A profile that differs from another one in what is given.
 *
 * @returns The profile, or a sentence about the first thing given that cannot be used.
 */
export function profileFrom(given: object, base: CheckProfile): CheckProfile | string {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const known = Object.entries(base).find(([name]) => name === key)?.[1];
    if (known === undefined) return `there is no "${key}" in a profile`;
    const field = fieldOf(known, value);
    if (field === null) return `"${key}" cannot be used: see docs/round-trip.md for an example`;
    fields[key] = field;
  }
  return { ...base, ...fields };
}

function fieldOf(known: CheckLimits | string | readonly string[], given: unknown): unknown {
  if (typeof known === "string") return typeof given === "string" ? given : null;
  if (Array.isArray(known)) {
    return Array.isArray(given) && given.every((one) => typeof one === "string") ? given : null;
  }
  if (typeof given !== "object" || given === null) return null;
  const { warn, fail }: { warn?: unknown; fail?: unknown } = given;
  return typeof warn === "number" && typeof fail === "number" ? { ...known, ...given } : null;
}
