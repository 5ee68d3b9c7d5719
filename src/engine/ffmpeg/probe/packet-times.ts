import { AV_NOPTS_VALUE, AVDISCARD_ALL, AVDISCARD_DEFAULT, AVSEEK_FLAG_BACKWARD } from "node-av/constants";
import { type FormatContext, Packet, type Stream } from "node-av/lib";
import { streamSeconds } from "./media-streams.ts";

/** Enough frames to tell an even rate from an uneven one. */
const SAMPLED_FRAMES = 300;

/** What is read at most for {@link sampleFrameTimes}: an editing codec spends half a megabyte on each frame. */
const SAMPLED_BYTES = 32 * 1024 * 1024;

/** Presentation times in seconds, on the file's own clock, of the first frames of a stream, in the order of storage. */
export function sampleFrameTimes(context: FormatContext, stream: Stream): number[] {
  const times: number[] = [];
  let bytes = 0;
  readPackets(context, stream, (packet) => {
    const time = streamSeconds(packet.pts, stream);
    if (time !== null) times.push(time);
    bytes += packet.size;
    return times.length < SAMPLED_FRAMES && bytes < SAMPLED_BYTES;
  });
  return times;
}

/** How far before the stated end {@link measureEnd} starts to read; the longest usual distance of key frames. */
const TAIL_SECONDS = 20;

/**
 * The end of a stream whose header does not state it, in seconds on the file's own clock: found by reading the last
 * part of the file, or all of it where it cannot be sought; `null` for a stream without timed packets.
 */
export function measureEnd(context: FormatContext, stream: Stream): number | null {
  const stated = context.duration === AV_NOPTS_VALUE ? null : Number(context.duration) / 1e6;
  const start = context.startTime === AV_NOPTS_VALUE ? 0 : Number(context.startTime) / 1e6;
  if (stated !== null && stated > TAIL_SECONDS) {
    const target = ((start + stated - TAIL_SECONDS) * stream.timeBase.den) / stream.timeBase.num;
    if (context.seekFrameSync(stream.index, BigInt(Math.round(target)), AVSEEK_FLAG_BACKWARD) >= 0) {
      const end = lastEnd(context, stream);
      if (end !== null) return end;
    }
  }
  context.seekFrameSync(stream.index, 0n, AVSEEK_FLAG_BACKWARD);
  return lastEnd(context, stream);
}

function lastEnd(context: FormatContext, stream: Stream): number | null {
  let end: number | null = null;
  let [last, beforeLast] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  readPackets(context, stream, (packet) => {
    const at = streamSeconds(packet.pts, stream);
    if (at === null) return true;
    if (at > last) [beforeLast, last] = [last, at];
    else if (at > beforeLast && at < last) beforeLast = at;
    const stated = packet.duration > 0n ? (streamSeconds(packet.duration, stream) ?? 0) : 0;
    end = Math.max(end ?? at, at + stated);
    return true;
  });
  // A packet without a length of its own lasts as long as the one before it.
  if (end !== null && end <= last && Number.isFinite(beforeLast)) return last + (last - beforeLast);
  return end;
}

/** Feeds the packets of one stream to `take` until it answers `false` or the file ends; other streams are skipped. */
function readPackets(context: FormatContext, stream: Stream, take: (packet: Packet) => boolean): void {
  const others = context.streams.filter((other) => other.index !== stream.index);
  for (const other of others) other.discard = AVDISCARD_ALL;
  using packet = new Packet();
  packet.alloc();
  try {
    while (context.readFrameSync(packet) >= 0) {
      const goesOn = packet.streamIndex !== stream.index || take(packet);
      packet.unref();
      if (!goesOn) return;
    }
  } finally {
    for (const other of others) other.discard = AVDISCARD_DEFAULT;
  }
}
