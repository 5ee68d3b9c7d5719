import { readWavHeader, WAV_HEADER_BYTES } from "../../src/core/wav-header.ts";
import { stretchBytes, wavOfStretch } from "../../src/core/wav-stretch.ts";
import type { PanelEnvironment } from "./environment.ts";

/** Cuts stretches out of a WAV file. */
export interface WavCutter {
  /** Writes a stretch, in seconds from the file's start, as a file of its own. */
  cut(start: number, end: number, into: string): Promise<void>;
}

/** Opens a sound for cutting; `null` where it is no WAV. */
export async function openWav({ files }: Pick<PanelEnvironment, "files">, path: string): Promise<WavCutter | null> {
  const head = await files.readBytes(path, 0, WAV_HEADER_BYTES);
  const header = readWavHeader(head);
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
