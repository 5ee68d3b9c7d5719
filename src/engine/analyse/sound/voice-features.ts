import type { TimeRange } from "../../../core/time-range.ts";
import { LANES } from "../speech-network/network-layer.ts";
import { NETWORK_FRAME, type NetworkVersion, SpeechNetwork } from "../speech-network/speech-network.ts";
import { EVENER_LOOKAHEAD, EVENER_STEP, evenGain, GrowingFloats, NETWORK_RATE, stepLevel } from "./gain-evener.ts";
import { LevelTrack } from "./level-track.ts";
import { PitchTrack } from "./pitch-track.ts";
import { heardUnderMusic, type SpeechEvidence } from "./speech-decision.ts";

/** Where the voice begins; rumble below it says nothing about speech. */
const VOICE_HERTZ = 150;

/** Gathers what the decision about speech goes by, block by block. */
export class VoiceFeatures {
  readonly #networks: readonly SpeechNetwork[];
  readonly #speech: SpeechDetector;
  readonly #band = new HighPass(NETWORK_RATE, VOICE_HERTZ);
  readonly #levels = new LevelTrack(NETWORK_RATE);
  readonly #pitch = new PitchTrack();

  private constructor(networks: readonly SpeechNetwork[]) {
    this.#networks = networks;
    this.#speech = new SpeechDetector(networks);
  }

  /** Loads the network, with both of its versions: the older one is for speech under music. */
  static async start(versions: readonly NetworkVersion[] = ["v6", "v5"]): Promise<VoiceFeatures> {
    return new VoiceFeatures(await Promise.all(versions.map((version) => SpeechNetwork.load(version))));
  }

  /** One for another signal. They share the networks, which keep nothing from one call to the next. */
  another(): VoiceFeatures {
    return new VoiceFeatures(this.#networks);
  }

  /** Takes in the next stretch of dialogue, mono at 16 kHz. */
  add(dialogue: Float32Array): void {
    this.#levels.add([this.#band.filter(dialogue)]);
    this.#pitch.add(dialogue);
    this.#speech.add(dialogue);
  }

  /**
   * Ends the sound.
   *
   * @param music Where there is music: the older network is asked there too.
   */
  finish(durationSeconds: number, music: readonly TimeRange[] = []): SpeechEvidence {
    const [probabilities = new Float32Array(), older] = this.#speech.finish();
    return {
      probabilities,
      // Where a voice is looked for, both count; how much it is one is judged by the newer alone.
      ...(older === undefined ? {} : { heard: heardUnderMusic(probabilities, older, music) }),
      levels: this.#levels.levels(),
      pitches: this.#pitch.pitches(),
      durationSeconds,
    };
  }
}

/** Takes out what lies below the voice: rumble, wind and hum. Two first-order stages, 12 dB per octave. */
export class HighPass {
  readonly #keep: number;
  readonly #state = [0, 0, 0, 0];

  /** @param cutoffHertz Where the signal is 6 dB down. */
  constructor(sampleRate: number, cutoffHertz: number) {
    this.#keep = Math.exp((-2 * Math.PI * cutoffHertz) / sampleRate);
  }

  /** The filtered signal, as long as the given one; filtering goes on from call to call. */
  filter(samples: Float32Array): Float32Array {
    const keep = this.#keep;
    let [in1 = 0, out1 = 0, in2 = 0, out2 = 0] = this.#state;
    const filtered = samples.map((sample) => {
      out1 = keep * (out1 + sample - in1);
      in1 = sample;
      out2 = keep * (out2 + out1 - in2);
      in2 = out1;
      return out2;
    });
    this.#state.splice(0, 4, in1, out1, in2, out2);
    return filtered;
  }
}

/** Length of a part: 30 s. */
const PART_SAMPLES = 938 * NETWORK_FRAME;

/** Parts that the network hears side by side. */
const PARTS = LANES;

/** Frames before a part that the network hears first, to be in the state it would be in: 5 s. */
const RUN_UP_FRAMES = 156;
const RUN_UP_SAMPLES = RUN_UP_FRAMES * NETWORK_FRAME;

/**
 * Runs speech networks over a sound of any length, given block by block. Holds about two minutes of sound, cut into
 * parts that are heard side by side.
 */
export class SpeechDetector {
  readonly #networks: readonly Pick<SpeechNetwork, "probabilities">[];
  readonly #probabilities: readonly GrowingFloats[];
  readonly #levels = new GrowingFloats();
  /** Sound from sample `#heldFrom` on. */
  #held = new Float32Array(30 * NETWORK_RATE);
  #heldFrom = 0;
  #heldLength = 0;
  #heardTo = 0;

  /** @param networks Each hears all of the sound. */
  constructor(networks: readonly Pick<SpeechNetwork, "probabilities">[]) {
    this.#networks = networks;
    this.#probabilities = networks.map(() => new GrowingFloats());
  }

  /** Adds sound at 16 kHz. */
  add(samples: Float32Array): void {
    this.#hold(samples);
    this.#measure();
    while (this.#heldFrom + this.#heldLength >= this.#heardTo + PARTS * PART_SAMPLES + EVENER_LOOKAHEAD) {
      this.#hear(PARTS * PART_SAMPLES);
    }
  }

  /** Hears what is left and gives all probabilities, one per frame of 32 ms, of each network. */
  finish(): Float32Array[] {
    const end = this.#heldFrom + this.#heldLength;
    const measured = this.#levels.length * EVENER_STEP;
    if (measured < end) this.#levels.add(stepLevel(this.#part(measured, end)));
    while (this.#heardTo < end) this.#hear(Math.min(PARTS * PART_SAMPLES, end - this.#heardTo));
    return this.#probabilities.map((values) => values.toArray());
  }

  #hold(samples: Float32Array): void {
    if (this.#heldLength + samples.length > this.#held.length) this.#makeRoom(samples.length);
    this.#held.set(samples, this.#heldLength);
    this.#heldLength += samples.length;
  }

  /** Lets go of what was heard, but for the next run-up; grows only when that is not enough. */
  #makeRoom(count: number): void {
    const keepFrom = Math.max(this.#heldFrom, this.#heardTo - RUN_UP_SAMPLES);
    this.#held.copyWithin(0, keepFrom - this.#heldFrom, this.#heldLength);
    this.#heldLength -= keepFrom - this.#heldFrom;
    this.#heldFrom = keepFrom;
    if (this.#heldLength + count <= this.#held.length) return;
    const larger = new Float32Array(Math.max(2 * this.#held.length, this.#heldLength + count));
    larger.set(this.#held.subarray(0, this.#heldLength));
    this.#held = larger;
  }

  #measure(): void {
    for (;;) {
      const from = this.#levels.length * EVENER_STEP;
      if (from + EVENER_STEP > this.#heldFrom + this.#heldLength) return;
      this.#levels.add(stepLevel(this.#part(from, from + EVENER_STEP)));
    }
  }

  /** Hears the next `count` samples in parts side by side, each with its run-up. */
  #hear(count: number): void {
    const from = this.#heardTo;
    const starts = Array.from({ length: Math.ceil(count / PART_SAMPLES) }, (_, part) => from + part * PART_SAMPLES);
    const levels = this.#levels.toArray();
    const sounds = starts.map((start) => {
      const begin = Math.max(0, start - RUN_UP_SAMPLES);
      return evenGain(this.#part(begin, Math.min(start + PART_SAMPLES, from + count)), begin, levels);
    });
    for (const [index, network] of this.#networks.entries()) {
      for (const [part, values] of network.probabilities(sounds).entries()) {
        const runUp = Math.min(RUN_UP_FRAMES, Math.floor((starts[part] ?? 0) / NETWORK_FRAME));
        for (const value of values.subarray(runUp)) this.#probabilities[index]?.add(value);
      }
    }
    this.#heardTo = from + count;
  }

  #part(from: number, to: number): Float32Array {
    return this.#held.subarray(from - this.#heldFrom, to - this.#heldFrom);
  }
}
