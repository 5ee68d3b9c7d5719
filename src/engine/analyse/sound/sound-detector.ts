import { type Heard, type HeardRange, mergeKnown } from "../../../core/gap.ts";
import { rangeDuration, subtractRanges, type TimeRange } from "../../../core/time-range.ts";
import { decideSilence, LevelTrack } from "./level-track.ts";
import { decideMusic, MusicDetector } from "./music-detector.ts";
import type { DetectorBlock } from "./sound-detection.ts";
import { decideSpeech } from "./speech-decision.ts";
import { dipsIn } from "./speech-edges.ts";
import { VoiceFeatures } from "./voice-features.ts";

/** Detects block by block what is in a sound: speech, music, silence. */
export class SoundDetector {
  readonly #voice: VoiceFeatures;
  /** Of the centre alone, as soon as there is one. */
  #centre: VoiceFeatures | null = null;
  readonly #music = new MusicDetector();
  readonly #levels: LevelTrack;

  private constructor(voice: VoiceFeatures, sampleRate: number) {
    this.#voice = voice;
    this.#levels = new LevelTrack(sampleRate);
  }

  /** Loads the networks. */
  static async start(sampleRate: number): Promise<SoundDetector> {
    return new SoundDetector(await VoiceFeatures.start(), sampleRate);
  }

  /** Takes in the next stretch of sound. */
  add(block: DetectorBlock): void {
    this.#levels.add(block.planes);
    this.#music.add(block.bed ?? block.dialogue);
    this.#voice.add(block.dialogue);
    if (block.centre === null) return;
    this.#centre ??= this.#voice.another();
    this.#centre.add(block.centre);
  }

  /** Ends the sound and decides. */
  finish(durationSeconds: number): Heard {
    const levels = this.#levels.levels();
    const silence = decideSilence(levels, durationSeconds);
    // What either of them finds is speech: a missed word is worse than a lost gap.
    const voices = this.#centre === null ? [this.#voice] : [this.#voice, this.#centre];
    const music = withoutSilence(decideMusic(this.#music.scores(), durationSeconds), silence);
    const speech = mergeKnown(voices.flatMap((voice) => decideSpeech(voice.finish(durationSeconds, music))));
    const dips = dipsIn(speech, levels);
    return {
      speech,
      music,
      silence: silence.flatMap((range) => subtractRanges(range, [...speech, ...music])),
      ...(dips.length === 0 ? {} : { dips }),
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
