import { frameBytes, type WaveFormat } from "./wave-format.ts";

/** Why bytes are no WAV file that can be read. */
type WaveIssueCode =
  /** The bytes do not begin as a WAV file. */
  | "not_wave"
  /** No usable `fmt ` chunk stands before the samples. */
  | "bad_format"
  /** The samples are compressed or of a width that is not read. */
  | "unsupported_encoding"
  /** No samples are announced within the bytes given. */
  | "no_samples";

/** Where the samples of a WAV file are, and how they are stored. */
export interface WaveLayout {
  readonly format: WaveFormat;
  /** Byte at which the samples begin. */
  readonly dataOffset: number;
  /**
   * Bytes of samples as the header says; `null` when it does not (0 or 0xFFFFFFFF, as servers write that stream): all that
   * follows.
   */
  readonly dataBytes: number | null;
  /** From the broadcast extension; absent without one before the samples. */
  readonly timeReferenceSamples?: number;
}

/** A WAV header that was read, or why it could not be. */
export type WaveReading =
  | { readonly ok: true; readonly layout: WaveLayout }
  | { readonly ok: false; readonly code: WaveIssueCode };

const LARGEST_RIFF = 0xffff_ffff;
const EXTENSIBLE = 0xfffe;

/**
 * Reads the header of a WAV, RF64 or BW64 file from its first bytes (64 KiB hold any header this project writes). Nothing
 * in it is trusted: sizes that make no sense end the reading with a code.
 */
export function readWaveHeader(bytes: Uint8Array): WaveReading {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = fourCharacters(bytes, 0);
  if (!["RIFF", "RF64", "BW64"].includes(kind) || fourCharacters(bytes, 8) !== "WAVE") return refuse("not_wave");
  let format: WaveFormat | WaveIssueCode = "bad_format";
  let largeDataBytes: number | null = null;
  let timeReferenceSamples: number | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = fourCharacters(bytes, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (id === "data") {
      if (typeof format === "string") return refuse(format);
      const isOpen = size === 0 || size === LARGEST_RIFF;
      const dataBytes = isOpen ? largeDataBytes : size;
      const time = timeReferenceSamples === undefined ? {} : { timeReferenceSamples };
      return { ok: true, layout: { format, dataOffset: body, dataBytes, ...time } };
    }
    if (id === "fmt " && size >= 16 && body + size <= bytes.length) format = readFormat(view, body, size);
    if (id === "ds64" && size >= 24 && body + 24 <= bytes.length) {
      largeDataBytes = Number(view.getBigUint64(body + 8, true)) || null;
    }
    if (id === "bext" && size >= 346 && body + 346 <= bytes.length) {
      timeReferenceSamples = Number(view.getBigUint64(body + 338, true));
    }
    at = body + size + (size % 2);
  }
  return refuse(typeof format === "string" && format !== "bad_format" ? format : "no_samples");
}

/**
 * Whole samples per channel of a file of `fileBytes` bytes, and whether the file ends before the samples its header
 * announces.
 */
export function waveLength(
  layout: WaveLayout,
  fileBytes: number,
): { readonly samples: number; readonly isCut: boolean } {
  const there = Math.max(0, fileBytes - layout.dataOffset);
  const bytes = Math.min(there, layout.dataBytes ?? there);
  return { samples: Math.floor(bytes / frameBytes(layout.format)), isCut: there < (layout.dataBytes ?? 0) };
}

function readFormat(view: DataView, at: number, size: number): WaveFormat | WaveIssueCode {
  const isExtended = view.getUint16(at, true) === EXTENSIBLE && size >= 40;
  const code = isExtended ? view.getUint16(at + 24, true) : view.getUint16(at, true);
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  if (channels === 0 || sampleRate === 0) return "bad_format";
  const channelMask = isExtended ? view.getUint32(at + 20, true) : 0;
  if (code === 1 && [8, 16, 24, 32].includes(bits))
    return { channels, sampleRate, encoding: "integer", bits, channelMask };
  if (code === 3 && [32, 64].includes(bits)) return { channels, sampleRate, encoding: "float", bits, channelMask };
  return "unsupported_encoding";
}

function refuse(code: WaveIssueCode): WaveReading {
  return { ok: false, code };
}

function fourCharacters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
