import { readWaveHeader } from "../../formats/wave/read-wave.ts";
import { samplesFromWave, type WaveFormat } from "../../formats/wave/wave-format.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { SpeechError } from "./voice.ts";

/** Rates that speech comes at; anything else is a damaged header. */
const SAMPLE_RATES = { minimum: 8_000, maximum: 192_000 };

/**
 * The line in what an engine gave: a WAV file, or with `rawRate` samples without any header (16 bits, mono, that many per
 * second). Channels become one, silence at the ends is cut off. What the header says of sizes is not trusted: streaming
 * servers leave them open.
 *
 * @throws SpeechError `speech_unreadable`; `source` names the engine in its sentence.
 */
export function spokenFromBytes(bytes: Uint8Array, source: string, rawRate: number | null = null): SpokenLine {
  const reading = readWaveHeader(bytes);
  if (!reading.ok && rawRate !== null && reading.code === "not_wave") {
    return lineFrom(bytes, { channels: 1, sampleRate: rawRate, encoding: "integer", bits: 16, channelMask: 0 });
  }
  if (!reading.ok) {
    throw new SpeechError(
      "speech_unreadable",
      `${source} gave no WAV sound (${reading.code.replaceAll("_", " ")}). Set it to answer with WAV.`,
    );
  }
  const { format, dataOffset, dataBytes } = reading.layout;
  if (format.sampleRate < SAMPLE_RATES.minimum || format.sampleRate > SAMPLE_RATES.maximum) {
    throw new SpeechError("speech_unreadable", `${source} gave sound at ${format.sampleRate} samples per second.`);
  }
  return lineFrom(bytes.subarray(dataOffset, dataBytes === null ? bytes.length : dataOffset + dataBytes), format);
}

function lineFrom(bytes: Uint8Array, format: WaveFormat): SpokenLine {
  const channels = samplesFromWave(bytes, format);
  const [first = new Float32Array(0)] = channels;
  const mono = first.map((_, i) => {
    let sum = 0;
    for (const channel of channels) sum += channel[i] ?? 0;
    const sample = sum / channels.length;
    return Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0;
  });
  return trimSilence({ samples: mono, sampleRate: format.sampleRate });
}

/** Length of the windows in which loudness is compared. */
const WINDOW_SECONDS = 0.005;

/**
 * How far below the loudest window a window counts as silence, in dB. Soft consonants (f, h, th) lie 25 to 35 dB under
 * vowels; the noise of a quiet room lies 45 dB and more under a voice that speaks into a near microphone.
 */
const SILENCE_DEPTH_DB = 40;

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
  if (loudest === 0) return { samples: new Float32Array(0), sampleRate };
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
