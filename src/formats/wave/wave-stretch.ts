import type { WaveHead } from "./read-wave.ts";

/** Where a stretch of time lies in a WAV file, in bytes: whole frames of samples. Seconds from the file's start. */
export function stretchBytes(
  { channels, sampleRate, bits, dataOffset, dataBytes }: WaveHead,
  start: number,
  end: number,
): { readonly position: number; readonly length: number } {
  const frameBytes = channels * Math.ceil(bits / 8);
  const last = dataBytes === null ? Number.POSITIVE_INFINITY : Math.floor(dataBytes / frameBytes);
  const first = Math.min(last, Math.max(0, Math.round(start * sampleRate)));
  const frames = Math.max(0, Math.min(last, Math.round(end * sampleRate)) - first);
  return { position: dataOffset + first * frameBytes, length: frames * frameBytes };
}

/**
 * A WAV file of some samples of another: its head with other sizes, whatever the coding of the samples.
 *
 * @param head The other file up to where its samples begin.
 */
export function wavOfStretch(head: Uint8Array, samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + samples.length);
  bytes.set(head);
  bytes.set(samples, head.length);
  const view = new DataView(bytes.buffer);
  // A long file's head says RF64 and holds a chunk of long sizes; a short stretch needs neither.
  if (bytes[2] === "6".charCodeAt(0)) putWord(bytes, 12, "JUNK");
  putWord(bytes, 0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(head.length - 4, samples.length, true);
  return bytes;
}

function putWord(bytes: Uint8Array, at: number, word: string): void {
  for (let index = 0; index < word.length; index++) bytes[at + index] = word.charCodeAt(index);
}
