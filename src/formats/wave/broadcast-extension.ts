import type { StatedFormat } from "./wave-format.ts";

/** Loudness as measured over the programme, for the broadcast extension. What is not known is written as "not stated". */
export interface WaveLoudness {
  /** Integrated loudness in LUFS. */
  readonly integratedLufs: number;
  /** Loudness range in LU (EBU Tech 3342). */
  readonly rangeLu?: number;
  /** Highest true peak in dBTP. */
  readonly truePeakDbtp: number;
  /** Highest momentary (400 ms) loudness in LUFS. */
  readonly momentaryLufs: number;
  /** Highest short-term (3 s) loudness in LUFS. */
  readonly shortTermLufs: number;
}

/** What the broadcast extension (`bext`, EBU Tech 3285 version 2) of a file says. Characters outside ASCII are written as `?`. */
export interface BroadcastExtension {
  /** At most 256 characters. */
  readonly description: string;
  /** Who made the file, at most 32 characters. */
  readonly originator: string;
  /** The originator's own number of the sound, at most 32 characters; empty when absent. */
  readonly originatorReference?: string;
  /** Samples from midnight to the first sample: where an editor lays the file. */
  readonly timeReferenceSamples: number;
  /** When the sound was made, `YYYY-MM-DD` and `HH:MM:SS`; left empty when absent. */
  readonly origination?: { readonly date: string; readonly time: string };
  readonly loudness?: WaveLoudness;
  /** What was done to the sound, a line each as {@link codingHistoryLine} writes them, the oldest first; none when absent. */
  readonly codingHistory?: readonly string[];
}

/** Bytes of the extension before the coding history (EBU Tech 3285, section 2.3). */
const FIXED_BYTES = 602;

/** Where loudness range, and the other values around it, begin; each has two bytes and holds hundredths. */
const LOUDNESS_OFFSET = 412;

/** Stands for a loudness that is not stated. */
const NOT_STATED = 0x7fff;

/** Version from which the extension holds loudness. */
const LOUDNESS_VERSION = 2;

/** The extension as the body of its chunk. Its length depends on the coding history alone. */
export function broadcastBytes(broadcast: BroadcastExtension): Uint8Array<ArrayBuffer> {
  const history = (broadcast.codingHistory ?? []).map((line) => asciiBytes(line));
  const length = FIXED_BYTES + history.reduce((sum, line) => sum + line.length + 2, 0);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const { origination, loudness } = broadcast;
  bytes.set(asciiBytes(broadcast.description.slice(0, 256)), 0);
  bytes.set(asciiBytes(broadcast.originator.slice(0, 32)), 256);
  bytes.set(asciiBytes((broadcast.originatorReference ?? "").slice(0, 32)), 288);
  bytes.set(asciiBytes((origination?.date ?? "").slice(0, 10)), 320);
  bytes.set(asciiBytes((origination?.time ?? "").slice(0, 8)), 330);
  view.setBigUint64(338, BigInt(Math.max(0, Math.round(broadcast.timeReferenceSamples))), true);
  view.setUint16(346, LOUDNESS_VERSION, true);
  const { integratedLufs, rangeLu, truePeakDbtp, momentaryLufs, shortTermLufs } = loudness ?? {};
  for (const [index, value] of [integratedLufs, rangeLu, truePeakDbtp, momentaryLufs, shortTermLufs].entries()) {
    view.setInt16(LOUDNESS_OFFSET + 2 * index, hundredths(value), true);
  }
  let at = FIXED_BYTES;
  for (const line of history) {
    bytes.set(line, at);
    bytes.set([0x0d, 0x0a], at + line.length);
    at += line.length + 2;
  }
  return bytes;
}

/** Reads the body of a `bext` chunk of any version; `null` for one that is too short to hold a time reference. */
export function readBroadcast(bytes: Uint8Array): BroadcastExtension | null {
  if (bytes.length < 346) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) => asciiText(bytes.subarray(from, to));
  const originatorReference = text(288, 320);
  // Their separators are free: EBU Tech 3285 names hyphen, underscore, colon, space and stop.
  const date = /^(\d{4}).(\d\d).(\d\d)$/.exec(text(320, 330));
  const time = /^(\d\d).(\d\d).(\d\d)$/.exec(text(330, 338));
  const codingHistory = text(FIXED_BYTES, bytes.length)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "");
  const loudness = readLoudness(view);
  return {
    description: text(0, 256),
    originator: text(256, 288),
    ...(originatorReference === "" ? {} : { originatorReference }),
    timeReferenceSamples: Number(view.getBigUint64(338, true)),
    ...(date === null || time === null
      ? {}
      : { origination: { date: date.slice(1).join("-"), time: time.slice(1).join(":") } }),
    ...(loudness === null ? {} : { loudness }),
    ...(codingHistory.length === 0 ? {} : { codingHistory }),
  };
}

/**
 * A line of the coding history (EBU R 98): coding, samples per second, bits, mode, and what was done as free text. Commas part
 * its fields, so that none stand in the text. The mode of more than two channels has no word there and is left out.
 */
export function codingHistoryLine(
  { sampleRate, bits, channels }: Pick<StatedFormat, "sampleRate" | "bits" | "channels">,
  done: string,
): string {
  const mode = channels === 1 ? ",M=mono" : channels === 2 ? ",M=stereo" : "";
  return `A=PCM,F=${sampleRate},W=${bits}${mode},T=${done.replace(/[,\r\n]+/g, ";")}`;
}

/** The loudness that an extension states; `null` unless all of it but the range is there. */
function readLoudness(view: DataView): WaveLoudness | null {
  if (view.byteLength < FIXED_BYTES || view.getUint16(346, true) < LOUDNESS_VERSION) return null;
  const [integratedLufs, rangeLu, truePeakDbtp, momentaryLufs, shortTermLufs] = [0, 1, 2, 3, 4].map((index) => {
    const value = view.getInt16(LOUDNESS_OFFSET + 2 * index, true);
    return value === NOT_STATED ? undefined : value / 100;
  });
  const isThere =
    integratedLufs !== undefined &&
    truePeakDbtp !== undefined &&
    momentaryLufs !== undefined &&
    shortTermLufs !== undefined;
  if (!isThere) return null;
  const range = rangeLu === undefined ? {} : { rangeLu };
  return { integratedLufs, ...range, truePeakDbtp, momentaryLufs, shortTermLufs };
}

function hundredths(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value)) return NOT_STATED;
  return Math.max(-0x8000, Math.min(NOT_STATED - 1, Math.round(value * 100)));
}

/** A text in ASCII, one byte a character; others than printable ones are written as `?`. */
export function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code >= 0x20 && code < 0x7f ? code : 0x3f;
  });
}

/** The text of a field that zeros fill up, without spaces around it. Bytes beyond ASCII are read as Latin-1. */
function asciiText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  let text = "";
  for (const byte of end < 0 ? bytes : bytes.subarray(0, end)) text += String.fromCharCode(byte);
  return text.trim();
}
