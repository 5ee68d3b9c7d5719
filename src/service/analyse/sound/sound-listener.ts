import { type Heard, type HeardRange, mergeKnown } from "../../../core/heard.ts";
import { rangeDuration, subtractRanges, type TimeRange } from "../../../core/time-range.ts";
import { channelLayout } from "../../loudness/channel-layout.ts";
import { LoudnessMeter } from "../../loudness/loudness-meter.ts";
import type { HeardBlock } from "./heard-block.ts";
import { LevelTrack } from "./level-track.ts";
import { decideMusic } from "./music-decision.ts";
import { MusicListener } from "./music-listener.ts";
import { decideSilence } from "./silence-decision.ts";
import { decideSpeech } from "./speech-decision.ts";
import { VoiceListener } from "./voice-listener.ts";

/** Shape of the sound that is listened to. */
export interface SoundShape {
  readonly sampleRate: number;
  readonly channels: number;
  /** FFmpeg's name of the channel layout. */
  readonly layout: string;
}

/** All that was heard in a sound. */
export interface SoundFindings {
  readonly heard: Heard;
  /** Integrated loudness in LUFS; `null` when nothing passes the gate. */
  readonly loudnessLufs: number | null;
}

/** Listens to a sound block by block: speech, music, silence, loudness. */
export class SoundListener {
  readonly #voice: VoiceListener;
  /** Listens to the centre alone, as soon as there is one. */
  #centre: VoiceListener | null = null;
  readonly #music = new MusicListener();
  readonly #levels: LevelTrack;
  readonly #loudness: LoudnessMeter;

  private constructor(voice: VoiceListener, shape: SoundShape) {
    this.#voice = voice;
    this.#levels = new LevelTrack(shape.sampleRate);
    this.#loudness = new LoudnessMeter(shape.sampleRate, channelLayout(shape.layout, shape.channels).weights);
  }

  /** Gets ready to listen. */
  static async start(shape: SoundShape): Promise<SoundListener> {
    return new SoundListener(await VoiceListener.start(), shape);
  }

  /** Takes in the next stretch of sound. */
  add(block: HeardBlock): void {
    this.#levels.add(block.planes);
    this.#loudness.add(block.planes);
    this.#music.add(block.bed ?? block.dialogue);
    this.#voice.add(block.dialogue);
    if (block.centre === null) return;
    this.#centre ??= this.#voice.another();
    this.#centre.add(block.centre);
  }

  /** Ends the sound and decides. */
  finish(durationSeconds: number): SoundFindings {
    const silence = decideSilence(this.#levels.levels(), durationSeconds);
    // What either of them hears is speech: a missed word is worse than a lost gap.
    const voices = this.#centre === null ? [this.#voice] : [this.#voice, this.#centre];
    const speech = mergeKnown(voices.flatMap((voice) => decideSpeech(voice.finish(durationSeconds))));
    const music = withoutSilence(decideMusic(this.#music.scores(), durationSeconds), silence);
    const loudnessLufs = this.#loudness.integrated();
    return {
      heard: { speech, music, silence: silence.flatMap((range) => subtractRanges(range, [...speech, ...music])) },
      loudnessLufs: Number.isFinite(loudnessLufs) ? loudnessLufs : null,
    };
  }
}

/** Music is found to a second; a silence this long ends it exactly, or parts it. In seconds. */
const PARTING_SILENCE = 1;

function withoutSilence(music: readonly HeardRange[], silence: readonly TimeRange[]): HeardRange[] {
  const parting = silence.filter((range) => rangeDuration(range) >= PARTING_SILENCE);
  return music.flatMap((range) =>
    subtractRanges(range, parting)
      .filter((part) => rangeDuration(part) >= PARTING_SILENCE)
      .map((part) => ({ ...part, confidence: range.confidence })),
  );
}
