import { readWaveHeader } from "../../formats/wave/read-wave.ts";
import { frameBytes, samplesFromWave, type WaveFormat } from "../../formats/wave/wave-format.ts";
import { decodeShortSound } from "../ffmpeg/decode/short-sound.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { SpeechError } from "./voice.ts";

/** Rates that speech comes at; anything else is a damaged header. */
const SAMPLE_RATES = { minimum: 8_000, maximum: 192_000 };

/** How a WAV file begins, the name of its first chunk included: samples do not look so by chance. */
const WAVE_BEGINS = /(?:RIFF|RF64)[\s\S]{4}WAVE[A-Za-z0-9_ ]{4}/g;

/**
 * The line in what an engine gave: a WAV file, with `rawRate` samples without any header (16 bits, mono, that many per
 * second), else whatever FFmpeg decodes. Channels become one, silence at the ends is cut off.
 *
 * What the header says of sizes is not trusted: streaming servers leave them open, state their first piece alone, or send a
 * file for each piece.
 *
 * @throws SpeechError `speech_unreadable`; `source` names the engine in its sentence.
 */
export async function spokenFromBytes(
  bytes: Uint8Array,
  source: string,
  rawRate: number | null = null,
): Promise<SpokenLine> {
  const sound = waveSound(bytes, source) ?? (rawRate === null ? null : rawSound(bytes, rawRate));
  if (sound !== null) return lineFrom(sound.channels, sound.sampleRate);
  const decoded = await decodeShortSound(bytes);
  if (decoded === null) {
    throw new SpeechError("speech_unreadable", `${source} gave no sound that can be read. Set it to answer with WAV.`);
  }
  return lineFrom(decoded.channels, decoded.sampleRate);
}

/** Samples as they came, one array per channel. */
interface ReadSound {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

/** The sound of all WAV files that follow each other; `null` where there is none, or of an encoding that is not read here. */
function waveSound(bytes: Uint8Array, source: string): ReadSound | null {
  const pieces = wavePieces(bytes);
  const [first] = pieces;
  if (first === undefined) return null;
  const { format } = first;
  if (format.sampleRate < SAMPLE_RATES.minimum || format.sampleRate > SAMPLE_RATES.maximum) {
    throw new SpeechError("speech_unreadable", `${source} gave sound at ${format.sampleRate} samples per second.`);
  }
  if (pieces.some((piece) => JSON.stringify(piece.format) !== JSON.stringify(format))) {
    throw new SpeechError("speech_unreadable", `${source} gave sound in pieces of different kinds.`);
  }
  const frame = frameBytes(format);
  const whole = pieces.map(({ data }) => data.subarray(0, data.length - (data.length % frame)));
  return { channels: samplesFromWave(Buffer.concat(whole), format), sampleRate: format.sampleRate };
}

/** The samples of each WAV file in the bytes; none where the bytes begin as something else, or one cannot be read. */
function wavePieces(bytes: Uint8Array): { readonly format: WaveFormat; readonly data: Uint8Array }[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const starts = [...text.matchAll(WAVE_BEGINS)].map(({ index }) => index);
  if (starts[0] !== 0) return [];
  const pieces = [];
  for (const [index, start] of starts.entries()) {
    const piece = bytes.subarray(start, starts[index + 1]);
    const reading = readWaveHeader(piece);
    if (!reading.ok) return [];
    const { format, dataOffset, dataBytes } = reading.layout;
    const data = piece.subarray(dataOffset);
    pieces.push({ format, data: data.subarray(0, samplesEnd(data, dataBytes)) });
  }
  return pieces;
}

/** Where samples end: where the header says so and something else follows, or nothing; else at the end of the bytes. */
function samplesEnd(data: Uint8Array, stated: number | null): number {
  if (stated === null || stated >= data.length) return data.length;
  const isFollowed = isChunks(data.subarray(stated)) || isChunks(data.subarray(stated + (stated % 2)));
  return isFollowed ? stated : data.length;
}

/** Whether bytes are chunks of a RIFF file from their first to their last: a name of four letters, a size, so many bytes. */
function isChunks(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 8 <= bytes.length) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (!/^[A-Za-z0-9_ ]{4}$/.test(name)) return false;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  // The last chunk may go without its filling byte; one byte may be the filling of the samples.
  return at > 0 ? at - bytes.length <= 1 : bytes.length <= 1;
}

function rawSound(bytes: Uint8Array, sampleRate: number): ReadSound {
  const format: WaveFormat = { channels: 1, sampleRate, encoding: "integer", bits: 16, channelMask: 0 };
  return { channels: samplesFromWave(bytes, format), sampleRate };
}

function lineFrom(channels: readonly Float32Array[], sampleRate: number): SpokenLine {
  const [first = new Float32Array(0)] = channels;
  const mono = first.map((_, i) => {
    let sum = 0;
    for (const channel of channels) sum += channel[i] ?? 0;
    const sample = sum / channels.length;
    return Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0;
  });
  return trimSilence({ samples: mono, sampleRate });
}

/** Length of the windows in which loudness is compared. */
const WINDOW_SECONDS = 0.005;

/**
 * How far below the loudest window a window counts as silence, in dB. Soft consonants (f, h, th) lie 25 to 35 dB under
 * vowels; the noise of a quiet room lies 45 dB and more under a voice that speaks into a near microphone.
 */
const SILENCE_DEPTH_DB = 40;

/** A sound whose loudest window lies lower is silent, in dB below full scale: the hiss of a converter, no voice. */
const NO_SOUND_DBFS = -70;

/** Sound kept on either side of the speech, so that no onset is cut; its outer part is faded as a click guard. */
const GUARD_SECONDS = 0.012;

/** Length of the fade at either end. */
const FADE_SECONDS = 0.004;

/** The line without the silence that an engine puts before and after speech; no samples when it is silent throughout. */
export function trimSilence(line: SpokenLine): SpokenLine {
  const { samples, sampleRate } = line;
  const window = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate));
  const energies = windowEnergies(samples, window);
  const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
  if (loudest < 10 ** (NO_SOUND_DBFS / 10)) return { samples: new Float32Array(0), sampleRate };
  const threshold = loudest * 10 ** (-SILENCE_DEPTH_DB / 10);
  const first = energies.findIndex((energy) => energy >= threshold);
  const last = energies.findLastIndex((energy) => energy >= threshold);
  const guard = Math.round(GUARD_SECONDS * sampleRate);
  const start = Math.max(0, first * window - guard);
  const end = Math.min(samples.length, (last + 1) * window + guard);
  const trimmed = samples.slice(start, end);
  fadeEnds(trimmed, Math.round(FADE_SECONDS * sampleRate));
  return { samples: trimmed, sampleRate };
}

function windowEnergies(samples: Float32Array, window: number): number[] {
  const energies: number[] = [];
  for (let at = 0; at < samples.length; at += window) {
    const part = samples.subarray(at, at + window);
    let energy = 0;
    for (const sample of part) energy += sample * sample;
    energies.push(energy / part.length);
  }
  return energies;
}

/** Raised-cosine fades, so that the first and the last sample are zero whatever the engine left there. */
function fadeEnds(samples: Float32Array, length: number): void {
  const fade = Math.min(length, samples.length >> 1);
  for (let i = 0; i < fade; i++) {
    const gain = 0.5 - 0.5 * Math.cos((Math.PI * i) / fade);
    const end = samples.length - 1 - i;
    samples[i] = (samples[i] ?? 0) * gain;
    samples[end] = (samples[end] ?? 0) * gain;
  }
}
