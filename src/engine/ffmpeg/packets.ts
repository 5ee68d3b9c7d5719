import { setImmediate } from "node:timers/promises";
import { AVDISCARD_ALL, AVERROR_EOF } from "node-av/constants";
import { type Frame, Packet } from "node-av/lib";
import type { OpenMedia } from "./open.ts";

/**
 * How long FFmpeg may hold the event loop at a stretch, in milliseconds: a cancelled job has to notice within half a
 * second, and a lost parent process too.
 */
const STRETCH_MS = 40;

/** Read errors in a row after which a file counts as over: damaged parts are skipped, a torn-off end is not retried. */
const READ_ERRORS = 100;

/**
 * The packets of some streams, in the order of storage; every other stream is skipped by the demuxer. The same packet
 * object is given each time and is empty after the next step.
 *
 * The event loop gets its turn at least every {@link STRETCH_MS} of the time spent here and in the consumer.
 *
 * @throws the signal's reason as soon as it aborts.
 */
export async function* packetsOf(
  media: OpenMedia,
  indexes: readonly number[],
  signal?: AbortSignal,
): AsyncGenerator<Packet, void> {
  const { context } = media;
  for (const stream of context.streams) if (!indexes.includes(stream.index)) stream.discard = AVDISCARD_ALL;
  using packet = new Packet();
  packet.alloc();
  let turnAt = performance.now() + STRETCH_MS;
  let errors = 0;
  signal?.throwIfAborted();
  for (;;) {
    if (performance.now() >= turnAt) {
      await setImmediate();
      signal?.throwIfAborted();
      turnAt = performance.now() + STRETCH_MS;
    }
    const status = context.readFrameSync(packet);
    if (status === AVERROR_EOF) return;
    if (status < 0) {
      if (++errors > READ_ERRORS) return;
      continue;
    }
    errors = 0;
    if (indexes.includes(packet.streamIndex)) yield packet;
    packet.unref();
  }
}

/**
 * The samples of a planar float frame, in place: one array per channel. They are the frame's own memory, gone with it.
 *
 * @param count Samples per channel; default those that the frame says it holds.
 */
export function planesOf(frame: Frame, count: number = frame.nbSamples): Float32Array[] {
  return (frame.extendedData ?? []).map(({ buffer, byteOffset }) => new Float32Array(buffer, byteOffset, count));
}
