import { type BroadcastExtension, readBroadcast } from "./broadcast-extension.ts";
import { frameBytes, type StatedFormat, type WaveFormat } from "./wave-format.ts";

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
export interface WaveLayout<Format extends StatedFormat = WaveFormat> {
  readonly format: Format;
  /** Byte at which the samples begin. */
  readonly dataOffset: number;
  /**
   * Bytes of samples as the header says; `null` when it does not (0 or 0xFFFFFFFF, as servers write that stream): all that
   * follows.
   */
  readonly dataBytes: number | null;
  /** What the broadcast extension says; absent without one before the samples. */
  readonly broadcast?: BroadcastExtension;
}

/** A WAV header that was read, or why it could not be. */
export type WaveReading<Format extends StatedFormat = WaveFormat> =
  | { readonly ok: true; readonly layout: WaveLayout<Format> }
  | { readonly ok: false; readonly code: WaveIssueCode };

/** Bytes from the start of a file in which its header is looked for; editors put long notes before the samples. */
export const WAVE_HEAD_BYTES = 65_536;

const LARGEST_RIFF = 0xffff_ffff;
const EXTENSIBLE = 0xfffe;

/**
 * Reads the header of a WAV, RF64 or BW64 file whose samples are to be read, from its first {@link WAVE_HEAD_BYTES}.
 * Nothing in it is trusted: sizes that make no sense end the reading with a code.
 */
export function readWaveHeader(bytes: Uint8Array): WaveReading {
  const reading = readStatedHeader(bytes);
  if (!reading.ok) return reading;
  const { format } = reading.layout;
  return isReadable(format) ? { ok: true, layout: { ...reading.layout, format } } : refuse("unsupported_encoding");
}

/** As {@link readWaveHeader}, for who needs no samples: those of any encoding will do. */
export function readStatedHeader(bytes: Uint8Array): WaveReading<StatedFormat> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = fourCharacters(bytes, 0);
  if (!["RIFF", "RF64", "BW64"].includes(kind) || fourCharacters(bytes, 8) !== "WAVE") return refuse("not_wave");
  let format: StatedFormat | null = null;
  let largeDataBytes: number | null = null;
  let broadcast: BroadcastExtension | null = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = fourCharacters(bytes, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (id === "data") {
      if (format === null) return refuse("bad_format");
      const isOpen = size === 0 || size === LARGEST_RIFF;
      const dataBytes = isOpen ? largeDataBytes : size;
      return {
        ok: true,
        layout: { format, dataOffset: body, dataBytes, ...(broadcast === null ? {} : { broadcast }) },
      };
    }
    if (id === "fmt " && size >= 16 && body + size <= bytes.length) format = readFormat(view, body, size);
    if (id === "ds64" && size >= 16 && body + 16 <= bytes.length) {
      largeDataBytes = Number(view.getBigUint64(body + 8, true)) || null;
    }
    if (id === "bext") broadcast = readBroadcast(bytes.subarray(body, body + size));
    at = body + size + (size % 2);
  }
  return refuse("no_samples");
}

/**
 * Whole samples per channel of a file of `fileBytes` bytes, their length in seconds, and whether the file ends before the
 * samples its header announces.
 */
export function waveLength(
  layout: WaveLayout<StatedFormat>,
  fileBytes: number,
): { readonly samples: number; readonly seconds: number; readonly isCut: boolean } {
  const there = Math.max(0, fileBytes - layout.dataOffset);
  const bytes = Math.min(there, layout.dataBytes ?? there);
  const samples = Math.floor(bytes / frameBytes(layout.format));
  return { samples, seconds: samples / layout.format.sampleRate, isCut: there < (layout.dataBytes ?? 0) };
}

function readFormat(view: DataView, at: number, size: number): StatedFormat | null {
  const isExtended = view.getUint16(at, true) === EXTENSIBLE && size >= 40;
  const code = isExtended ? view.getUint16(at + 24, true) : view.getUint16(at, true);
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  if (channels === 0 || sampleRate === 0 || bits === 0) return null;
  const channelMask = isExtended ? view.getUint32(at + 20, true) : 0;
  return { channels, sampleRate, encoding: encodingOf(code, bits), bits, channelMask };
}

function encodingOf(code: number, bits: number): StatedFormat["encoding"] {
  if (code === 1 && [8, 16, 24, 32].includes(bits)) return "integer";
  return code === 3 && [32, 64].includes(bits) ? "float" : "other";
}

function isReadable(format: StatedFormat): format is WaveFormat {
  return format.encoding !== "other";
}

function refuse(code: WaveIssueCode): { readonly ok: false; readonly code: WaveIssueCode } {
  return { ok: false, code };
}

function fourCharacters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
