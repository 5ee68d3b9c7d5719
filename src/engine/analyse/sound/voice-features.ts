import { SpeechNetwork } from "../speech-network/speech-network.ts";
import { NETWORK_RATE } from "./gain-evener.ts";
import { HighPass } from "./high-pass.ts";
import { LevelTrack } from "./level-track.ts";
import { PitchTrack } from "./pitch-track.ts";
import type { SpeechEvidence } from "./speech-decision.ts";
import { SpeechDetector } from "./speech-detector.ts";

/** Where the voice begins; rumble below it says nothing about speech. */
const VOICE_HERTZ = 150;

/** Gathers what the decision about speech goes by, block by block. */
export class VoiceFeatures {
  readonly #network: SpeechNetwork;
  readonly #speech: SpeechDetector;
  readonly #band = new HighPass(NETWORK_RATE, VOICE_HERTZ);
  readonly #levels = new LevelTrack(NETWORK_RATE);
  readonly #pitch = new PitchTrack();

  private constructor(network: SpeechNetwork) {
    this.#network = network;
    this.#speech = new SpeechDetector(network);
  }

  /** Loads the network. */
  static async start(): Promise<VoiceFeatures> {
    return new VoiceFeatures(await SpeechNetwork.load());
  }

  /** One for another signal. They share the network, which keeps nothing from one call to the next. */
  another(): VoiceFeatures {
    return new VoiceFeatures(this.#network);
  }

  /** Takes in the next stretch of dialogue, mono at 16 kHz. */
  add(dialogue: Float32Array): void {
    this.#levels.add([this.#band.filter(dialogue)]);
    this.#pitch.add(dialogue);
    this.#speech.add(dialogue);
  }

  /** Ends the sound. */
  finish(durationSeconds: number): SpeechEvidence {
    return {
      probabilities: this.#speech.finish(),
      levels: this.#levels.levels(),
      pitches: this.#pitch.pitches(),
      durationSeconds,
    };
  }
}
