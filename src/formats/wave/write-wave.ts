import { utf8Bytes } from "../../core/bytes.ts";
import type { AdmTrack } from "../adm/write-adm.ts";
import { asciiBytes, type BroadcastExtension, broadcastBytes } from "./broadcast-extension.ts";
import { frameBytes, type WaveFormat, type WaveMarker } from "./wave-format.ts";

/** What a WAV file is to hold beside its samples. */
export interface WaveContents {
  readonly format: WaveFormat;
  /** Samples per channel. */
  readonly sampleCount: number;
  readonly broadcast?: BroadcastExtension;
  /** What the channels are (ITU-R BS.2088): tracks in the order of the channels, and the definition that they refer to. */
  readonly definition?: { readonly xml: string; readonly tracks: readonly AdmTrack[] };
  /** Written behind the samples, as `cue ` points with `labl` and `ltxt` (region length) entries. */
  readonly markers?: readonly WaveMarker[];
}

const LARGEST_RIFF = 0xffff_ffff;
const DS64_BYTES = 28;
const EXTENSIBLE = 0xfffe;
const CODES = { integer: 1, float: 3 } as const;
/** Tail of the sub-format identifiers of WAVEFORMATEXTENSIBLE, behind the two bytes of the code. */
const SUBFORMAT_TAIL = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

/**
 * Everything before the samples. Its length depends on the format and on the broadcast extension's coding history, but on
 * no value, so that a file can be begun with zeros for what is measured last and its header written over.
 *
 * Above 4 GiB it is an RF64 file (EBU Tech 3306), with a definition a BW64 file (ITU-R BS.2088); below, room for that is kept as
 * a `JUNK` chunk.
 */
export function waveHeader(contents: WaveContents): Uint8Array<ArrayBuffer> {
  const { format, sampleCount, broadcast, definition } = contents;
  const dataBytes = sampleCount * frameBytes(format);
  const extension = broadcast === undefined ? [] : [chunk("bext", broadcastBytes(broadcast))];
  if (definition !== undefined) {
    extension.push(chunk("chna", trackBytes(definition.tracks)), chunk("axml", utf8Bytes(definition.xml)));
  }
  const stored = chunk("fmt ", formatBytes(format));
  const headerBytes = 12 + 8 + DS64_BYTES + sum(extension) + stored.length + 8;
  const riffBytes = headerBytes - 8 + dataBytes + waveTrailer(contents).length;
  const isLarge = riffBytes > LARGEST_RIFF;
  const ds64 = new Uint8Array(DS64_BYTES);
  if (isLarge) {
    const view = new DataView(ds64.buffer);
    view.setBigUint64(0, BigInt(riffBytes), true);
    view.setBigUint64(8, BigInt(dataBytes), true);
    view.setBigUint64(16, BigInt(sampleCount), true);
  }
  return join([
    asciiBytes(isLarge ? (definition === undefined ? "RF64" : "BW64") : "RIFF"),
    uint32(isLarge ? LARGEST_RIFF : riffBytes),
    asciiBytes("WAVE"),
    chunk(isLarge ? "ds64" : "JUNK", ds64),
    ...extension,
    stored,
    asciiBytes("data"),
    uint32(isLarge ? LARGEST_RIFF : dataBytes),
  ]);
}

/** Everything behind the samples: the padding byte of an odd number of bytes, and the markers. */
export function waveTrailer(contents: WaveContents): Uint8Array<ArrayBuffer> {
  const { format, sampleCount, markers = [] } = contents;
  const padding = new Uint8Array((sampleCount * frameBytes(format)) % 2);
  if (markers.length === 0) return padding;
  const points = markers.map(({ sample }, index) =>
    join([uint32(index + 1), uint32(sample), asciiBytes("data"), uint32(0), uint32(0), uint32(sample)]),
  );
  const notes = markers.flatMap(({ label, lengthSamples }, index) => {
    const labelled = chunk("labl", join([uint32(index + 1), utf8Bytes(label), new Uint8Array(1)]));
    if (lengthSamples === 0) return [labelled];
    const region = join([uint32(index + 1), uint32(lengthSamples), asciiBytes("rgn "), new Uint8Array(8)]);
    return [labelled, chunk("ltxt", region)];
  });
  return join([
    padding,
    chunk("cue ", join([uint32(markers.length), ...points])),
    chunk("LIST", join([asciiBytes("adtl"), ...notes])),
  ]);
}

function formatBytes(format: WaveFormat): Uint8Array<ArrayBuffer> {
  // Plain PCM for what old readers know; more than two channels cannot say where they belong without the extension.
  const isExtended = format.channels > 2;
  const view = new DataView(new ArrayBuffer(isExtended ? 40 : 16));
  view.setUint16(0, isExtended ? EXTENSIBLE : CODES[format.encoding], true);
  view.setUint16(2, format.channels, true);
  view.setUint32(4, format.sampleRate, true);
  view.setUint32(8, format.sampleRate * frameBytes(format), true);
  view.setUint16(12, frameBytes(format), true);
  view.setUint16(14, format.bits, true);
  if (isExtended) {
    view.setUint16(16, 22, true);
    view.setUint16(18, format.bits, true);
    view.setUint32(20, format.channelMask, true);
    view.setUint16(24, CODES[format.encoding], true);
    for (const [index, byte] of SUBFORMAT_TAIL.entries()) view.setUint8(26 + index, byte);
  }
  return new Uint8Array(view.buffer);
}

/** The list of channels: their number, that of the identifiers, and 40 bytes for each. */
function trackBytes(tracks: readonly AdmTrack[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + 40 * tracks.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, tracks.length, true);
  view.setUint16(2, tracks.length, true);
  for (const [index, { uid, trackFormat, packFormat }] of tracks.entries()) {
    const at = 4 + 40 * index;
    view.setUint16(at, index + 1, true);
    bytes.set(asciiBytes(uid), at + 2);
    bytes.set(asciiBytes(trackFormat), at + 14);
    bytes.set(asciiBytes(packFormat), at + 28);
  }
  return bytes;
}

function chunk(id: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return join([asciiBytes(id), uint32(body.length), body, new Uint8Array(body.length % 2)]);
}

function uint32(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(sum(parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function sum(parts: readonly Uint8Array[]): number {
  return parts.reduce((bytes, part) => bytes + part.length, 0);
}
