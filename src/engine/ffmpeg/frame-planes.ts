import type { Frame } from "node-av/lib";

/**
 * The samples of a planar float frame, in place: one array per channel. They are the frame's own memory, gone with it.
 *
 * @param count Samples per channel; default those that the frame says it holds.
 */
export function planesOf(frame: Frame, count: number = frame.nbSamples): Float32Array[] {
  return (frame.extendedData ?? []).map(({ buffer, byteOffset }) => new Float32Array(buffer, byteOffset, count));
}
