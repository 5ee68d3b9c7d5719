import { JobFailure } from "../isolate/job-failure.ts";
import type { Environment } from "../outgoing/environment.ts";

/** What a mix aims at. */
export interface LoudnessProfile {
  readonly name: string;
  /** Integrated loudness of the narration as heard from the finished track, in LUFS. */
  readonly narrationLufs: number;
  /** Highest true peak of the track in dBTP. */
  readonly truePeakDbtp: number;
  /** Where the numbers come from. */
  readonly source: string;
}

/**
 * The targets on offer. The narration is brought to the target, the programme's own loudness is left as it is: a
 * programme mixed to a target brings its dialogue to the same level.
 */
export const LOUDNESS_PROFILES = {
  broadcast: {
    name: "broadcast",
    narrationLufs: -23,
    truePeakDbtp: -2,
    source: "EBU R 128; -23 LUFS proposed as the starting point for narration (field.md 2.3)",
  },
  nearfield: {
    name: "nearfield",
    narrationLufs: -27,
    truePeakDbtp: -2,
    source: "near-field delivery sheets: -27 LKFS dialogue-gated, -2 dBTP, 48 kHz, 24 bit (field.md 2.3)",
  },
  streaming: {
    name: "streaming",
    narrationLufs: -16,
    truePeakDbtp: -2,
    source: "narration of web video found right by practitioners: about -15 LUFS (field.md 1.4)",
  },
} as const satisfies Record<string, LoudnessProfile>;

/** Used where nothing else is asked for. */
export const DEFAULT_PROFILE: LoudnessProfile = LOUDNESS_PROFILES.broadcast;

/**
 * The profile that `ASIDE_LOUDNESS` names; the default where it names none.
 *
 * @throws JobFailure `internal_error` for a name that is not on offer.
 */
export function loudnessProfileFrom(environment: Environment): LoudnessProfile {
  const name = environment["ASIDE_LOUDNESS"]?.trim() ?? "";
  if (name === "") return DEFAULT_PROFILE;
  const profile = Object.values(LOUDNESS_PROFILES).find((one) => one.name === name);
  if (profile !== undefined) return profile;
  const names = Object.keys(LOUDNESS_PROFILES).join(", ");
  throw new JobFailure("internal_error", `ASIDE_LOUDNESS is "${name}"; choose one of ${names}.`);
}
