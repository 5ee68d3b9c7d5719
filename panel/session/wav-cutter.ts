import { readWaveHead, WAVE_HEAD_BYTES } from "../../src/formats/wave/read-wave.ts";
import { stretchBytes, wavOfStretch } from "../../src/formats/wave/wave-stretch.ts";
import type { PanelEnvironment } from "./environment.ts";

/** Cuts stretches out of a WAV file. */
export interface WavCutter {
  /** Writes a stretch, in seconds from the file's start, as a file of its own. */
  cut(start: number, end: number, into: string): Promise<void>;
}

/** Opens a sound for cutting; `null` where it is no WAV. */
export async function openWavCutter(
  { files }: Pick<PanelEnvironment, "files">,
  path: string,
): Promise<WavCutter | null> {
  const head = await files.readBytes(path, 0, WAVE_HEAD_BYTES);
  const header = readWaveHead(head);
  if (header === null) return null;
  return {
    async cut(start, end, into) {
      const { position, length } = stretchBytes(header, start, end);
      const samples = await files.readBytes(path, position, length);
      const wav = wavOfStretch(head.subarray(0, header.dataOffset), samples);
      const writer = await files.openWriter(into);
      await writer.write(0, wav.buffer).finally(() => writer.close());
    },
  };
}
