import { AV_NOPTS_VALUE, AVMEDIA_TYPE_DATA } from "node-av/constants";
import { avChannelLayoutDescribe, avGetCodecName, type FormatContext, type Stream } from "node-av/lib";
import { OpenMedia, openMedia } from "../open.ts";
import type { MediaProbe, PictureStream, SoundStream } from "./media-probe.ts";
import { originSeconds, pictureStream, streamLanguage, streamSeconds } from "./media-streams.ts";
import { measureEnd, sampleFrameTimes } from "./packet-times.ts";
import { pictureGeometry } from "./picture-geometry.ts";
import { judgePictureRate } from "./picture-rate.ts";
import { type SoundStreams, soundStreams } from "./programme-sound-streams.ts";
import { readTimecodeTrack } from "./quicktime-timecode.ts";

/**
 * Reads what a local media file holds, without decoding it: a few hundred packets at most, and its last seconds where
 * the header does not state a length.
 *
 * A file without picture, or with none that can be decoded, is no error: its `picture` is `null`.
 *
 * @throws MediaProcessError see {@link openMedia}.
 */
export async function probeMedia(path: string): Promise<MediaProbe> {
  const opened = await openMedia(path).catch(
    async (error: unknown) => (await probeTimecodeTrack(path)) ?? rethrow(error),
  );
  if (!(opened instanceof OpenMedia)) return opened;
  using media = opened;
  const { context } = media;
  const picture = pictureStream(context);
  const sound = soundStreams(context);
  const origin = originSeconds(picture, sound?.streams[0] ?? null);
  const pictureFacts = picture === null ? null : describePicture(context, picture, origin);
  const soundFacts = sound === null ? null : describeSound(context, sound, origin);
  return {
    container: context.iformat?.name ?? "unknown",
    durationSeconds: endOf(pictureFacts) ?? endOf(soundFacts),
    originSeconds: origin,
    picture: pictureFacts,
    sound: soundFacts,
    startTimecode: startTimecode(context, picture),
  };
}

async function probeTimecodeTrack(path: string): Promise<MediaProbe | null> {
  const track = await readTimecodeTrack(path).catch(() => null);
  if (track === null) return null;
  const { durationSeconds, startTimecode } = track;
  return { container: "mov", durationSeconds, originSeconds: 0, picture: null, sound: null, startTimecode };
}

function rethrow(error: unknown): never {
  throw error;
}

function describePicture(context: FormatContext, stream: Stream, origin: number): PictureStream {
  const times = sampleFrameTimes(context, stream);
  const { rate, isVariableRate } = judgePictureRate(stream, times, stream.timeBase.num / stream.timeBase.den);
  const { width, height } = pictureGeometry(stream);
  return {
    index: stream.index,
    codec: avGetCodecName(stream.codecpar.codecId) ?? "unknown",
    width,
    height,
    rate,
    isVariableRate,
    startSeconds: startOf(stream, origin),
    durationSeconds: lengthOf(context, stream),
  };
}

function describeSound(context: FormatContext, { streams, layout }: SoundStreams, origin: number): SoundStream {
  const [stream] = streams;
  const { codecpar } = stream;
  return {
    index: stream.index,
    codec: avGetCodecName(codecpar.codecId) ?? "unknown",
    channels: layout.nbChannels,
    layout: avChannelLayoutDescribe(layout) ?? `${layout.nbChannels} channels`,
    sampleRate: codecpar.sampleRate,
    startSeconds: startOf(stream, origin),
    durationSeconds: lengthOf(context, stream),
    language: languageOf(stream),
  };
}

function startOf(stream: Stream, origin: number): number {
  return Math.max(0, (streamSeconds(stream.startTime, stream) ?? origin) - origin);
}

/** Length of a stream: as its header states, as a Matroska tag states, else measured. */
function lengthOf(context: FormatContext, stream: Stream): number | null {
  const stated = stream.duration === AV_NOPTS_VALUE ? null : streamSeconds(stream.duration, stream);
  if (stated !== null && stated > 0) return stated;
  const start = streamSeconds(stream.startTime, stream) ?? 0;
  const end = taggedDuration(stream) ?? measureEnd(context, stream);
  return end === null || end <= start ? null : end - start;
}

/** Matroska writers state the end of a track, on the file's clock, in a tag `DURATION` of the form 00:00:05.000000000. */
function taggedDuration(stream: Stream): number | null {
  const match = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(stream.metadata?.getAll()["DURATION"] ?? "");
  if (match === null) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  const total = hours * 3600 + minutes * 60 + seconds;
  return total > 0 ? total : null;
}

function endOf(
  stream: { readonly startSeconds: number; readonly durationSeconds: number | null } | null,
): number | null {
  if (stream === null || stream.durationSeconds === null) return null;
  return stream.startSeconds + stream.durationSeconds;
}

/** `und` is ISO 639-2 for "undetermined". */
function languageOf(stream: Stream): string | null {
  const language = streamLanguage(stream);
  return language === "" || language === "und" ? null : language;
}

/** Start timecode: of the picture stream, else of a timecode track, else of the container. */
function startTimecode(context: FormatContext, picture: Stream | null): string | null {
  const tracks = context.streams.filter((stream) => stream.codecpar.codecType === AVMEDIA_TYPE_DATA);
  const holders = [...(picture === null ? [] : [picture]), ...tracks, context];
  for (const holder of holders) {
    const timecode = holder.metadata?.getAll()["timecode"];
    if (timecode !== undefined && timecode !== "") return timecode;
  }
  return null;
}
