import type { Heard } from "../../../core/gap.ts";
import { clipRanges, mergeRanges, subtractRanges, type TimeRange } from "../../../core/time-range.ts";
import { decodeProgramme, type ProgrammePart } from "../../ffmpeg/decode/decode-programme.ts";
import type { MediaProbe } from "../../ffmpeg/probe/media-streams.ts";
import { MISSING_SECONDS } from "../../ffmpeg/probe/probe.ts";
import { probeProgramme } from "./choose-sound.ts";
import { type DetectorBlock, SoundDetection } from "./sound-detection.ts";

/** How {@link analyseSound} shall go. */
export interface AnalyseSoundOptions {
  /** Length of the programme in seconds. */
  readonly durationSeconds: number;
  /** What is known of its sound beforehand; without it, what lies behind the last sound counts as silence. */
  readonly probe?: SoundFacts;
  readonly signal?: AbortSignal;
}

/**
 * Analyses a media file's sound alone, without decoding its picture: some hundred times faster than it plays. A file
 * without sound is silent throughout.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function analyseSound(path: string, options: AnalyseSoundOptions): Promise<Heard> {
  const { durationSeconds, probe } = options;
  let end: SoundEnd = { soundSeconds: 0, holes: [] };
  await using detection = new LazyDetection();
  for await (const part of decodeProgramme(path, { ...options, tracks: probe?.sound?.tracks, withPicture: false })) {
    if (part.kind === "sound") await detection.add(part.block, part.sampleRate);
    else if (part.kind === "end") end = part;
  }
  return withUnknown(await detection.finish(durationSeconds), unknownSound(end, durationSeconds, probe));
}

/** What a probe knows of a sound. */
type SoundFacts = Pick<MediaProbe, "sound" | "unreadSound">;

/** How the decoding of a sound ended. */
type SoundEnd = Pick<Extract<ProgrammePart, { kind: "end" }>, "soundSeconds" | "holes">;

/**
 * Where it is not known what is heard: all of a sound that nobody decodes, holes, and what its header states beyond the last
 * sound that could be decoded. In order, seconds on the programme clock.
 */
export function unknownSound(
  { soundSeconds, holes }: SoundEnd,
  durationSeconds: number,
  { sound, unreadSound }: SoundFacts = { sound: null, unreadSound: null },
): TimeRange[] {
  const programme = { start: 0, end: durationSeconds };
  if (unreadSound !== null) return durationSeconds > 0 ? [programme] : [];
  const statedEnd = sound?.durationSeconds == null ? 0 : sound.startSeconds + sound.durationSeconds;
  const from = Math.max(soundSeconds, sound?.startSeconds ?? 0);
  const rest = Math.min(statedEnd, durationSeconds) > from + MISSING_SECONDS ? [{ start: from, end: statedEnd }] : [];
  return clipRanges(mergeRanges([...holes, ...rest]), programme);
}

/** What was heard, with no silence where it is unknown. */
export function withUnknown(heard: Heard, unknown: readonly TimeRange[]): Heard {
  if (unknown.length === 0) return heard;
  return { ...heard, silence: heard.silence.flatMap((range) => subtractRanges(range, unknown)), unknown };
}

/** A {@link SoundDetection} that begins with the first sound. */
export class LazyDetection implements AsyncDisposable {
  #detection: SoundDetection | null = null;

  /** See {@link SoundDetection.add}. */
  async add(block: DetectorBlock, sampleRate: number): Promise<void> {
    this.#detection ??= new SoundDetection(sampleRate);
    await this.#detection.add(block);
  }

  /** What was found; silence throughout when there was no sound. */
  async finish(durationSeconds: number): Promise<Heard> {
    if (this.#detection !== null) return await this.#detection.finish(durationSeconds);
    return { speech: [], music: [], silence: durationSeconds > 0 ? [{ start: 0, end: durationSeconds }] : [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#detection?.[Symbol.asyncDispose]();
  }
}

/** Where speech is looked for. */
export interface DetectSpeechOrder {
  readonly path: string;
  /** Which sound track is the programme's, by number, language or title; where absent it is heard. */
  readonly audioTrack?: string;
  /** Longest programme that is looked into, in seconds; any where absent. */
  readonly maximumSeconds?: number;
}

/** What was found in a sound, or in the sound of a video. */
export interface DetectedSpeech {
  /** Length of the programme in seconds; 0 where the file does not say. */
  readonly durationSeconds: number;
  /** As in `MediaProbe`: what a file that is cut short states of its length, the choice of tracks, a codec that nobody decodes. */
  readonly statedSeconds: number | null;
  readonly soundChoice: string | null;
  readonly unreadSound: string | null;
  /** `null` where the programme is longer than was asked for; a file without sound is silent throughout. */
  readonly heard: Heard | null;
}

/**
 * Looks once into a file for speech, music and silence alone.
 *
 * @throws MediaProcessError when the file cannot be opened; JobFailure for a track that it does not have; the signal's reason
 * when it aborts.
 */
export async function detectSpeech(
  { path, audioTrack, maximumSeconds }: DetectSpeechOrder,
  signal: AbortSignal,
): Promise<DetectedSpeech> {
  const probe = await probeProgramme(path, audioTrack, signal);
  const { statedSeconds, soundChoice, unreadSound } = probe;
  const told = { durationSeconds: probe.durationSeconds ?? 0, statedSeconds, soundChoice, unreadSound };
  const { durationSeconds } = told;
  if (maximumSeconds !== undefined && durationSeconds > maximumSeconds) return { ...told, heard: null };
  return { ...told, heard: await analyseSound(path, { durationSeconds, probe, signal }) };
}
