import { EspeakVoice } from "../../src/engine/voice/espeak.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";

const voice = new EspeakVoice();

/** Speech as a WAV file of 16 bits, with a quarter of a second of silence at either end, as engines give it. */
export async function spokenWave(text: string, rate: number): Promise<Buffer> {
  const { samples, sampleRate } = await voice.speak({ text: text.trim(), language: "en-US", voice: "Kore", rate });
  const silence = Math.round(sampleRate / 4);
  const data = Buffer.alloc(2 * (samples.length + 2 * silence));
  for (const [index, sample] of samples.entries())
    data.writeInt16LE(Math.round(sample * 32_767), 2 * (index + silence));
  const format = { channels: 1, sampleRate, encoding: "integer", bits: 16, channelMask: 4 } as const;
  return Buffer.concat([waveHeader({ format, sampleCount: data.length / 2 }), data]);
}
