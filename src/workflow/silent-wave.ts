import { frameBytes } from "../formats/wave/wave-format.ts";
import { waveHeader } from "../formats/wave/write-wave.ts";
import type { Files } from "../host/files.ts";
import { writeWhole } from "./write-whole.ts";

const FORMAT = { channels: 2, sampleRate: 48_000, encoding: "integer", bits: 16, channelMask: 0 } as const;

/**
 * Writes a silent sound that is no shorter than so many seconds, by less than a sample: an editor floors a sound to frames. A file
 * of that length that is there is taken as it is.
 *
 * @throws HostError when it cannot be written.
 */
export async function writeSilence(
  files: Pick<Files, "size" | "openWriter" | "rename">,
  path: string,
  seconds: number,
): Promise<void> {
  const sampleCount = Math.ceil(seconds * FORMAT.sampleRate);
  const header = waveHeader({ format: FORMAT, sampleCount });
  const width = frameBytes(FORMAT);
  const length = header.length + sampleCount * width;
  if ((await files.size(path)) === length) return;
  await writeWhole(files, path, async (writer) => {
    await writer.write(0, header.buffer);
    // What lies between is zeros.
    if (sampleCount > 0) await writer.write(length - width, new ArrayBuffer(width));
  });
}
