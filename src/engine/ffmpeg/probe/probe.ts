import {
  AV_NOPTS_VALUE,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
  AVMEDIA_TYPE_DATA,
  AVSEEK_FLAG_BACKWARD,
} from "node-av/constants";
import { avChannelLayoutDescribe, avGetCodecName, type FormatContext, Packet, type Stream } from "node-av/lib";
import { OpenMedia, openMedia } from "../open.ts";
import { isCutShort } from "./cut-short.ts";
import {
  type MediaProbe,
  originSeconds,
  type PictureStream,
  pictureStream,
  type SoundStream,
  streamLanguage,
  streamSeconds,
  unreadSound,
} from "./media-streams.ts";
import { pictureGeometry } from "./picture-geometry.ts";
import { judgePictureRate } from "./picture-rate.ts";
import { type SoundChoice, type SoundStreams, soundChoice, soundStreams, tracksOf } from "./programme-sound-streams.ts";
import { readTimecodeTrack } from "./quicktime-timecode.ts";

/**
 * Reads what a local media file holds, without decoding it: a few hundred packets at most, and its last seconds where
 * the header does not state a length.
 *
 * A file without picture, or with none that can be decoded, is no error: its `picture` is `null`.
 *
 * @param choice Which of several sounds is the programme's; without it, what the file says of its tracks decides.
 * @throws MediaProcessError see {@link openMedia}.
 */
export async function probeMedia(path: string, choice: SoundChoice | null = null): Promise<MediaProbe> {
  const opened = await openMedia(path).catch(
    async (error: unknown) => (await probeTimecodeTrack(path)) ?? rethrow(error),
  );
  if (!(opened instanceof OpenMedia)) return opened;
  using media = opened;
  const { context } = media;
  const picture = pictureStream(context);
  const sound = soundStreams(context, { tracks: choice?.tracks });
  const origin = originSeconds(picture, sound?.streams[0] ?? null);
  const pictureFacts = picture === null ? null : describePicture(context, picture, origin);
  const soundFacts = sound === null ? null : describeSound(context, sound, origin);
  const statedSeconds = programmeEnd(endOf(pictureFacts), endOf(soundFacts));
  const readSeconds = (await isCutShort(path)) ? readableSeconds(context, [picture, sound?.streams[0]], origin) : null;
  const isShort = statedSeconds !== null && readSeconds !== null && readSeconds < statedSeconds - MISSING_SECONDS;
  return {
    container: context.iformat?.name ?? "unknown",
    durationSeconds: isShort ? readSeconds : statedSeconds,
    statedSeconds: isShort ? statedSeconds : null,
    originSeconds: origin,
    picture: pictureFacts,
    sound: soundFacts,
    soundChoice: sound === null ? null : soundChoice(context, sound, choice?.basis),
    unreadSound: sound === null ? unreadSound(context) : null,
    startTimecode: startTimecode(context, picture),
  };
}

async function probeTimecodeTrack(path: string): Promise<MediaProbe | null> {
  const track = await readTimecodeTrack(path).catch(() => null);
  if (track === null) return null;
  const { durationSeconds, startTimecode } = track;
  return {
    ...{ container: "mov", durationSeconds, statedSeconds: null, originSeconds: 0 },
    ...{ picture: null, sound: null, soundChoice: null, unreadSound: null, startTimecode },
  };
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

function describeSound(context: FormatContext, sounds: SoundStreams, origin: number): SoundStream {
  const { streams, layout } = sounds;
  const [stream] = streams;
  const { codecpar } = stream;
  return {
    index: stream.index,
    tracks: tracksOf(context, sounds),
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

/** Sound that goes on for so long behind the picture, in seconds, is of the programme; less is the rest of a coder's last frames. */
const OUTLASTING_SECONDS = 0.5;

function programmeEnd(pictureEnd: number | null, soundEnd: number | null): number | null {
  if (pictureEnd === null || soundEnd === null) return pictureEnd ?? soundEnd;
  return soundEnd > pictureEnd + OUTLASTING_SECONDS ? soundEnd : pictureEnd;
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

/** Enough frames to tell an even rate from an uneven one. */
const SAMPLED_FRAMES = 300;

/** What is read at most for {@link sampleFrameTimes}: an editing codec spends half a megabyte on each frame. */
const SAMPLED_BYTES = 32 * 1024 * 1024;

/** Presentation times in seconds, on the file's own clock, of the first frames of a stream, in the order of storage. */
function sampleFrameTimes(context: FormatContext, stream: Stream): number[] {
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

/** How much earlier than stated a programme may end, in seconds, before its header counts as wrong. */
export const MISSING_SECONDS = 1;

/** Where the packets of a file end that is cut short, in seconds on the programme clock; `null` where it has none. */
function readableSeconds(
  context: FormatContext,
  streams: readonly (Stream | null | undefined)[],
  origin: number,
): number | null {
  const ends = streams.flatMap((stream) => (stream == null ? [] : (measureEnd(context, stream) ?? [])));
  return ends.length === 0 ? null : Math.max(0, Math.max(...ends) - origin);
}

/**
 * The end of a stream in seconds on the file's own clock, whatever its header states: found by reading the last part of the
 * file, where that is missing a longer one, and all of it where it cannot be sought; `null` for a stream without timed packets.
 */
function measureEnd(context: FormatContext, stream: Stream): number | null {
  const stated = context.duration === AV_NOPTS_VALUE ? 0 : Number(context.duration) / 1e6;
  const start = context.startTime === AV_NOPTS_VALUE ? 0 : Number(context.startTime) / 1e6;
  for (let tail = TAIL_SECONDS; tail < stated; tail *= 2) {
    const target = ((start + stated - tail) * stream.timeBase.den) / stream.timeBase.num;
    if (context.seekFrameSync(stream.index, BigInt(Math.round(target)), AVSEEK_FLAG_BACKWARD) < 0) break;
    const end = lastEnd(context, stream);
    if (end !== null) return end;
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
