/** Limits of one check: passing `warn` is worth a look, passing `fail` breaks the profile. */
export interface CheckLimits {
  readonly warn: number;
  readonly fail: number;
  readonly unit: string;
  /** Where the numbers come from. */
  readonly source: string;
}

/** Numbers that a result is held against; every one traced to `field.md` 2.5. */
export interface CheckProfile {
  /** Seconds of a cue that lie over speech; more is worse. Standard AD. */
  readonly speechOverlap: CheckLimits;
  /** Seconds between a cue's end and the next speech; less is worse. */
  readonly clearance: CheckLimits;
  /** Words per minute within a cue; more is worse. */
  readonly pace: CheckLimits;
  /** Seconds that two cues share; more is worse. */
  readonly cueOverlap: CheckLimits;
  /** Seconds by which a cue passes the programme's end; more is worse. */
  readonly pastEnd: CheckLimits;
  /** Seconds by which the narration's length differs from the programme's; more is worse. */
  readonly narrationLength: CheckLimits;
}

/** The default profile. */
export const DEFAULT_PROFILE: CheckProfile = {
  speechOverlap: { warn: 0, fail: 0.2, unit: "s", source: "WCAG 2.x 1.2.5; Netflix AD style guide 2.5" },
  clearance: { warn: 0.35, fail: 0.1, unit: "s", source: "ITC guidance on AD (2000), figures from practice" },
  pace: { warn: 160, fail: 180, unit: "words/min", source: "DCMP and ACB practice (160), Microsoft's pipeline (180)" },
  cueOverlap: { warn: 0, fail: 0.2, unit: "s", source: "one narrator speaks one line at a time" },
  pastEnd: { warn: 0, fail: 0.2, unit: "s", source: "Standard AD keeps the runtime" },
  narrationLength: {
    warn: 0.042,
    fail: 2,
    unit: "s",
    source: "Prime Video and YouTube delivery: length of the picture",
  },
};
