import type { DuckPlan } from "../../core/duck-plan.ts";
import { decibelsFromGain } from "../../core/level.ts";
import type { VoiceSettings } from "../../core/settings.ts";
import { ROUNDING_ERROR_SECONDS } from "../../core/time-range.ts";
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

/**
 * Peak of a track asked for with `volume_option` `auto`, in dBFS: the interface's "default peak level". A decibel of room
 * is left for peaks between samples under the -2 dBTP of delivery sheets.
 */
export const DEFAULT_PEAK_DBFS = -3;

/** Nothing is raised by more than this many dB, so that a near-silent track does not become noise. */
const MAX_RAISE_DB = 40;

/**
 * The gain in dB that the whole finished track gets for a volume setting.
 *
 * - Absent: none. The narration has its profile's loudness, the peak stays at or below the profile's.
 * - `auto`: the track's highest sample comes to {@link DEFAULT_PEAK_DBFS}.
 * - `max`: it comes to the level asked for, or to 0 dBFS without one: as loud as the file allows.
 *
 * It is one gain for the whole returned track: with `ad_only` for the narration, with `mixed` for narration and programme
 * together, whose balance stays as mixed. The level is that of samples, as dBFS says, so a measurement of true peaks may
 * show some tenths more.
 */
export function volumeGainDb(volume: VoiceSettings["volume"], samplePeak: number): number {
  if (volume === undefined || samplePeak === 0) return 0;
  const wanted = volume.option === "auto" ? DEFAULT_PEAK_DBFS : (volume.levelDbfs ?? 0);
  return Math.min(MAX_RAISE_DB, wanted - decibelsFromGain(samplePeak));
}
