import type { TranscriptLine } from "../../core/dialogue.ts";
import { isLocalAddress } from "../../core/ports.ts";
import { waveHeader } from "../../formats/wave/write-wave.ts";
import { SpeechEngineError } from "../local/speech-engine.ts";
import { type InstalledHearing, orderedModel } from "../local/speech-setup.ts";
import { askTranscription, TranscriptionError } from "./ask-transcription.ts";
import { askEars, EARS_PIECE_SECONDS } from "./ears.ts";
import type { TranscriptionSettings } from "./transcription-settings.ts";

/** Who writes down what is said: a server, or a model that is installed here. */
export interface Transcriber {
  /** For a sentence: "What is said was transcribed by {name}". */
  readonly name: string;
  /** What its answers depend on, beside the sound. */
  readonly identity: readonly unknown[];
  /** Whether a program on this computer answers. */
  readonly isHere: boolean;
  /** Whether what it does not write down may be held for no speech: it is asked for all, and tells times of words. */
  readonly tellsAll: boolean;
  readonly pieces: PieceLimits;
  /**
   * What is said in a piece: lines in order, in seconds from its start.
   *
   * @param language First subtag of a BCP-47 code; `null` leaves it to the model.
   * @throws TranscriptionError; the signal's reason when it aborts.
   */
  readonly ask: (
    samples: Int16Array<ArrayBuffer>,
    language: string | null,
    signal: AbortSignal,
  ) => Promise<TranscriptLine[]>;
}

/** How a programme is cut into pieces for a transcriber. */
export interface PieceLimits {
  /** Seconds of sound in one piece at most. */
  readonly longest: number;
  /** Seconds without speech that are not worth asking about. */
  readonly skipped: number;
}

/** For servers: 19 MB as it is sent, where 25 MB is the usual limit. */
export const SERVER_PIECES: PieceLimits = { longest: 600, skipped: 20 };

/** For models here: sentences stay together, and what is silent costs nothing. */
const EARS_PIECES: PieceLimits = { longest: EARS_PIECE_SECONDS, skipped: 1.5 };

/** A server as a transcriber. */
export function serverTranscriber(settings: TranscriptionSettings): Transcriber {
  const { model, baseUrl } = settings;
  return {
    name: `${model === "" ? "the server" : model} at ${new URL(baseUrl).host}`,
    identity: [baseUrl, model],
    isHere: isLocalAddress(baseUrl),
    tellsAll: true,
    pieces: SERVER_PIECES,
    ask: (samples, language, signal) => askTranscription(sentWave(samples), language, settings, signal),
  };
}

/** An installed model as a transcriber: what it leaves out is still speech where speech was heard. */
export function earsTranscriber(ears: InstalledHearing): Transcriber {
  const { id, title } = ears.model;
  return {
    name: `${title} on this computer`,
    identity: ["here", id, orderedModel(ears.model).version, ears.setup.version],
    isHere: true,
    tellsAll: false,
    pieces: EARS_PIECES,
    async ask(samples, _language, signal) {
      try {
        return await askEars(samples, ears, signal);
      } catch (error) {
        if (!(error instanceof SpeechEngineError)) throw error;
        throw new TranscriptionError("transcription_unusable", error.message, { cause: error });
      }
    },
  };
}

/** Samples per second of what is sent: what models listen at, and what detectors do. */
export const SENT_RATE = 16_000;

/** Samples as a WAV file of the kind that servers are sent: one channel, 16 kHz, 16 bits. */
export function sentWave(samples: Int16Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const format = { channels: 1, sampleRate: SENT_RATE, bits: 16, encoding: "integer", channelMask: 0 } as const;
  const header = waveHeader({ format, sampleCount: samples.length });
  const bytes = new Uint8Array(header.length + samples.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(samples.buffer), header.length);
  return bytes;
}
