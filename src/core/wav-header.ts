/** What the head of a WAV file says. */
export interface WavHeader {
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  /** Where the samples begin, in bytes. */
  readonly dataOffset: number;
  /** Bytes of samples as stated; `null` when a writer that could not go back left it open. */
  readonly dataBytes: number | null;
}

/** Bytes from the start of a file in which the header is looked for; editors put long notes before the samples. */
export const WAV_HEADER_BYTES = 65_536;

/** Stands for "unknown" in a size of 32 bits; in RF64 (EBU Tech 3306) the true one is in the `ds64` chunk. */
const OPEN_SIZE = 0xffffffff;

/**
 * Reads the header of a WAV file (RIFF, or RF64 for files above 4 GB) from its first bytes; `null` when it is none, or
 * its samples begin beyond them.
 */
export function readWavHeader(bytes: Uint8Array): WavHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || word(view, 8) !== "WAVE") return null;
  const form = word(view, 0);
  if (form !== "RIFF" && form !== "RF64") return null;
  let format: Pick<WavHeader, "channels" | "sampleRate" | "bitsPerSample"> | null = null;
  let longDataBytes: number | null = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = word(view, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (id === "ds64" && size >= 16 && body + 16 <= bytes.length) {
      longDataBytes = Number(view.getBigUint64(body + 8, true));
    } else if (id === "fmt " && size >= 16 && body + 16 <= bytes.length) {
      format = {
        channels: view.getUint16(body + 2, true),
        sampleRate: view.getUint32(body + 4, true),
        bitsPerSample: view.getUint16(body + 14, true),
      };
    } else if (id === "data") {
      if (format === null || format.channels === 0 || format.sampleRate === 0 || format.bitsPerSample === 0)
        return null;
      return { ...format, dataOffset: body, dataBytes: size === OPEN_SIZE ? longDataBytes : size };
    }
    at = body + size + (size % 2); // Chunks are padded to even length.
  }
  return null;
}

/** Length in seconds of a WAV file of `sizeBytes`, by its stated samples, or by its size where those are left open. */
export function wavDurationSeconds(header: WavHeader, sizeBytes: number): number {
  const dataBytes = header.dataBytes ?? Math.max(0, sizeBytes - header.dataOffset);
  return dataBytes / (header.channels * (header.bitsPerSample / 8) * header.sampleRate);
}

function word(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}
