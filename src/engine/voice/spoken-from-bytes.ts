import { readWaveHeader } from "../../formats/wave/read-wave.ts";
import type { WaveFormat } from "../../formats/wave/wave-format.ts";
import { samplesFromWave } from "../../formats/wave/wave-samples.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { SpeechError } from "./speech-error.ts";
import { trimSilence } from "./trim-silence.ts";

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
