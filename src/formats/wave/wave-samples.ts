import { frameBytes, type WaveFormat } from "./wave-format.ts";

/** Reads one sample at a byte offset; full scale is 1. */
type SampleReader = (view: DataView, at: number) => number;

/**
 * The samples in `bytes`, one array per channel, full scale 1. Bytes behind the last whole sample of all channels are
 * left out.
 */
export function samplesFromWave(bytes: Uint8Array, format: WaveFormat): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.floor(bytes.length / frameBytes(format));
  const read = sampleReader(format);
  const width = format.bits / 8;
  const channels = Array.from({ length: format.channels }, () => new Float32Array(length));
  let at = 0;
  for (let i = 0; i < length; i++) {
    for (const channel of channels) {
      channel[i] = read(view, at);
      at += width;
    }
  }
  return channels;
}

function sampleReader(format: WaveFormat): SampleReader {
  if (format.encoding === "float") {
    return format.bits === 64 ? (view, at) => view.getFloat64(at, true) : (view, at) => view.getFloat32(at, true);
  }
  if (format.bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (format.bits === 16) return (view, at) => view.getInt16(at, true) / 0x8000;
  if (format.bits === 24) return (view, at) => (view.getInt16(at + 1, true) * 256 + view.getUint8(at)) / 0x80_0000;
  return (view, at) => view.getInt32(at, true) / 0x8000_0000;
}
