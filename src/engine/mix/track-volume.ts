import { decibelsFromGain } from "../../core/level.ts";
import type { VoiceSettings } from "../../core/settings.ts";

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
