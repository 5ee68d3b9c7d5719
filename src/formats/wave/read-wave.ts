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

/** Bytes from the start of a file in which its head is looked for; editors put long notes before the samples. */
export const WAVE_HEAD_BYTES = 1 << 16;

/** Where the samples of a WAV file are, in bytes. */
interface SamplePlace {
  readonly dataOffset: number;
  /**
   * Bytes of samples as the header says; `null` when it does not (0 or 0xFFFFFFFF, as servers write that stream): all that
   * follows.
   */
  readonly dataBytes: number | null;
}

/** What the head of a WAV file says, however its samples are coded. */
export interface WaveHead extends SamplePlace {
  /** How samples are coded: 1 as integers, 3 as floats, others in ways that are not read (RFC 2361). */
  readonly coding: number;
  readonly channels: number;
  /** Samples per second and channel. */
  readonly sampleRate: number;
  /** Bits of one sample. */
  readonly bits: number;
  /** As in {@link WaveFormat}. */
  readonly channelMask: number;
  /** From the broadcast extension; absent without one before the samples. */
  readonly timeReferenceSamples?: number;
}

/** Where the samples of a WAV file are, and how they are stored. */
export interface WaveLayout extends SamplePlace {
  readonly format: WaveFormat;
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
 * Reads the header of a WAV, RF64 or BW64 file from its first bytes ({@link WAVE_HEAD_BYTES}), for samples that this project
 * reads. Nothing in it is trusted: sizes that make no sense end the reading with a code.
 */
export function readWaveHeader(bytes: Uint8Array): WaveReading {
  const head = headOf(bytes);
  if (typeof head === "string") return refuse(head);
  const { dataOffset, dataBytes, timeReferenceSamples } = head;
  const format = formatOf(head);
  if (format === null) return refuse("unsupported_encoding");
  const time = timeReferenceSamples === undefined ? {} : { timeReferenceSamples };
  return { ok: true, layout: { format, dataOffset, dataBytes, ...time } };
}

/** Reads the same however the samples are coded; `null` for what is no WAV file. */
export function readWaveHead(bytes: Uint8Array): WaveHead | null {
  const head = headOf(bytes);
  return typeof head === "string" || head.bits === 0 ? null : head;
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

/** Length in seconds of a file of `fileBytes` bytes, however its samples are coded. */
export function waveSeconds(head: WaveHead, fileBytes: number): number {
  const there = Math.max(0, fileBytes - head.dataOffset);
  const bytes = Math.min(there, head.dataBytes ?? there);
  return bytes / (head.channels * (head.bits / 8) * head.sampleRate);
}

function headOf(bytes: Uint8Array): WaveHead | WaveIssueCode {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = fourCharacters(bytes, 0);
  if (!["RIFF", "RF64", "BW64"].includes(kind) || fourCharacters(bytes, 8) !== "WAVE") return "not_wave";
  let coded: Coding | null = null;
  let largeDataBytes: number | null = null;
  let time: Pick<WaveHead, "timeReferenceSamples"> = {};
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = fourCharacters(bytes, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (id === "data") {
      if (coded === null) return "bad_format";
      const isOpen = size === 0 || size === LARGEST_RIFF;
      return { ...coded, dataOffset: body, dataBytes: isOpen ? largeDataBytes : size, ...time };
    }
    if (id === "fmt " && size >= 16 && body + size <= bytes.length) coded = readCoding(view, body, size);
    if (id === "ds64" && size >= 24 && body + 24 <= bytes.length) {
      largeDataBytes = Number(view.getBigUint64(body + 8, true)) || null;
    }
    if (id === "bext" && size >= 346 && body + 346 <= bytes.length) {
      time = { timeReferenceSamples: Number(view.getBigUint64(body + 338, true)) };
    }
    at = body + size + (size % 2);
  }
  return "no_samples";
}

type Coding = Pick<WaveHead, "coding" | "channels" | "sampleRate" | "bits" | "channelMask">;

function readCoding(view: DataView, at: number, size: number): Coding | null {
  const isExtended = view.getUint16(at, true) === EXTENSIBLE && size >= 40;
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  if (channels === 0 || sampleRate === 0) return null;
  return {
    coding: isExtended ? view.getUint16(at + 24, true) : view.getUint16(at, true),
    channels,
    sampleRate,
    bits: view.getUint16(at + 14, true),
    channelMask: isExtended ? view.getUint32(at + 20, true) : 0,
  };
}

function formatOf({ coding, channels, sampleRate, bits, channelMask }: WaveHead): WaveFormat | null {
  if (coding === 1 && [8, 16, 24, 32].includes(bits))
    return { channels, sampleRate, encoding: "integer", bits, channelMask };
  if (coding === 3 && [32, 64].includes(bits)) return { channels, sampleRate, encoding: "float", bits, channelMask };
  return null;
}

function refuse(code: WaveIssueCode): WaveReading {
  return { ok: false, code };
}

function fourCharacters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
