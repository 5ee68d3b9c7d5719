import type { DuckPlan } from "../../core/duck-plan.ts";
import { ROUNDING_ERROR_SECONDS } from "../../core/tolerance.ts";
import type { MeasuredNarration } from "./narration-track.ts";

/** What was measured and decided for one cue. Levels are those of the finished track. */
export interface MixedCue {
  readonly cueId: string;
  /** Seconds on the programme clock. */
  readonly start: number;
  /** Length of the narration in seconds. */
  readonly seconds: number;
  readonly narrationLufs: number;
  /** Loudness of the programme under it before it was lowered; `null` for silence, or where only narration is mixed. */
  readonly programmeLufs: number | null;
  readonly isOverMusic: boolean;
  /** By how much the programme was lowered, in dB. */
  readonly duckDb: number;
  /** Narration above the lowered programme in LU; `null` over silence. */
  readonly marginLu: number | null;
  /** Whether the narration was cut off because the programme ends. */
  readonly isCut: boolean;
}

/** What a mix measured of itself. */
export interface MixReport {
  /** Samples per channel, at 48 kHz. */
  readonly sampleCount: number;
  readonly channels: number;
  /** In order of start. */
  readonly cues: readonly MixedCue[];
  /** The programme under each line, exact; `null` for silence, and in all where only narration was mixed. */
  readonly programmeLufs: readonly (number | null)[] | null;
  /** Gain that brought the narration to its loudness, in dB. */
  readonly narrationGainDb: number;
  /** Gain of the whole track that a volume setting asked for, in dB; 0 without one. */
  readonly volumeGainDb: number;
  /** Integrated loudness of the track in LUFS; `null` for silence. */
  readonly integratedLufs: number | null;
  /** Highest true peak in dBTP; `null` for silence. */
  readonly truePeakDbtp: number | null;
}

/** A level as a report holds it: plain data has no infinities. */
export function levelOrNull(level: number): number | null {
  return Number.isFinite(level) ? level : null;
}

/** The report's part about cues. */
export function mixedCues(
  narration: MeasuredNarration,
  plan: DuckPlan,
  programmeSeconds: number,
  volumeGainDb: number,
): MixedCue[] {
  return plan.lines.map((line, index) => ({
    cueId: line.cueId,
    start: line.start,
    seconds: narration.lines[index]?.seconds ?? 0,
    narrationLufs: line.narrationLufs + volumeGainDb,
    programmeLufs: levelOrNull(line.programmeLufs + volumeGainDb),
    isOverMusic: line.isOverMusic,
    duckDb: line.duckDb,
    marginLu: levelOrNull(line.marginLu),
    isCut: line.end > programmeSeconds + ROUNDING_ERROR_SECONDS,
  }));
}
