import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
} from "node-av/constants";
import { Codec, type FormatContext, type Stream } from "node-av/lib";

/** Dispositions of streams that hold stills: cover art, chapter thumbnails. None of them is a programme's picture. */
const STILLS = [AV_DISPOSITION_ATTACHED_PIC, AV_DISPOSITION_TIMED_THUMBNAILS, AV_DISPOSITION_STILL_IMAGE] as const;

/**
 * The stream that a programme's picture is taken from; `null` when there is none that can be decoded.
 *
 * Of several, the one marked as default, else the one FFmpeg prefers, is taken; stills never.
 */
export function pictureStream(context: FormatContext): Stream | null {
  return chooseStream(
    context,
    AVMEDIA_TYPE_VIDEO,
    (stream) =>
      !STILLS.some((flag) => stream.hasDisposition(flag)) && stream.codecpar.width > 0 && stream.codecpar.height > 0,
  );
}

/** The stream that a programme's sound is taken from; `null` when there is none that can be decoded. */
export function soundStream(context: FormatContext): Stream | null {
  return chooseStream(
    context,
    AVMEDIA_TYPE_AUDIO,
    (stream) => stream.codecpar.sampleRate > 0 && stream.codecpar.channels > 0,
  );
}

/**
 * FFmpeg's own choice (default flag, then size of picture, channels, bit rate) where it qualifies, else the first stream
 * that does, default ones before others.
 */
function chooseStream(
  context: FormatContext,
  type: AVMediaType,
  qualifies: (stream: Stream) => boolean,
): Stream | null {
  const streams = context.streams.filter(
    (stream) =>
      stream.codecpar.codecType === type && Codec.findDecoder(stream.codecpar.codecId) !== null && qualifies(stream),
  );
  const best = context.findBestStream(type);
  const preferred = streams.find((stream) => stream.index === best);
  const byDefault = streams.filter((stream) => stream.hasDisposition(AV_DISPOSITION_DEFAULT));
  if (preferred !== undefined && (byDefault.length === 0 || byDefault.includes(preferred))) return preferred;
  return byDefault[0] ?? preferred ?? streams[0] ?? null;
}

/** Seconds that a count of ticks of a stream's time base stands for; `null` for "unknown". */
export function streamSeconds(ticks: bigint, stream: Stream): number | null {
  if (ticks === AV_NOPTS_VALUE) return null;
  return (Number(ticks) * stream.timeBase.num) / stream.timeBase.den;
}

/**
 * Seconds on the file's own clock at which the programme begins: the earlier start of its picture and its sound. Tracks
 * of captions, timecode or data do not count.
 */
export function originSeconds(picture: Stream | null, sound: Stream | null): number {
  const starts = [picture, sound].flatMap((stream) => {
    const start = stream === null ? null : streamSeconds(stream.startTime, stream);
    return start === null ? [] : [start];
  });
  return starts.length === 0 ? 0 : Math.min(...starts);
}
