import { open } from "node:fs/promises";
import { SampleBytes } from "../../src/engine/mix/sample-bytes.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";
import { type RenderRequest, soundOf } from "./render-range.ts";

/** Renders the sound alone as Premiere would with a WAV preset: 16 bit, as long as the range. */
export async function renderSound(request: RenderRequest): Promise<void> {
  const { sampleRate, channels, blocks } = await soundOf(request);
  const sampleCount = Math.round((request.end - request.start) * sampleRate);
  const format = { channels, sampleRate, encoding: "integer", bits: 16, channelMask: 0 } as const;
  const encoder = new SampleBytes(format.bits);
  const file = await open(request.outputPath, "w");
  try {
    await file.write(waveHeader({ format, sampleCount }));
    let left = sampleCount;
    for await (const planes of blocks) {
      const taken = planes.map((plane) => plane.subarray(0, left));
      await file.write(encoder.encode(taken, 1));
      left -= taken[0]?.length ?? 0;
    }
    // Where the media's sound is shorter than its picture, it is silent.
    await file.write(new Uint8Array(left * channels * 2));
  } finally {
    await file.close();
  }
}
