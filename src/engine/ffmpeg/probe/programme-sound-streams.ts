import { AV_CHANNEL_ORDER_NATIVE } from "node-av/constants";
import {
  avChannelLayoutDefault,
  avGetCodecName,
  type ChannelLayout,
  type FormatContext,
  type Stream,
} from "node-av/lib";
import { isOtherSound, soundStream, streamLanguage } from "./media-streams.ts";

/** The streams that a programme's sound is taken from, and the layout of their channels together. */
export interface SoundStreams {
  /** In the order of the layout's channels; several only where each holds one channel. */
  readonly streams: readonly [Stream, ...Stream[]];
  readonly layout: ChannelLayout;
}

/** Channels that streams without places are joined to, by how many there are: 5.1 stands on the first six of eight. */
const JOINED_CHANNELS = [
  { streams: 6, channels: 6 },
  { streams: 2, channels: 2 },
] as const;

/**
 * The sound of a programme; `null` for a file without. Editing systems and broadcast files keep each channel in a stream of
 * its own: uncompressed streams of one channel and one rate and language are joined, by the places that they name, else in
 * their order (two are left and right, six and more begin with 5.1 as SMPTE ST 320 orders it). Everything else is one stream.
 */
export function soundStreams(context: FormatContext): SoundStreams | null {
  const chosen = soundStream(context);
  if (chosen === null) return null;
  const alone: SoundStreams = { streams: [chosen], layout: chosen.codecpar.channelLayout };
  if (!isSingleChannel(chosen)) return alone;
  const like = context.streams.filter((stream) => isSingleChannel(stream) && isLike(stream, chosen));
  return byPlaces(like) ?? byOrder(like) ?? alone;
}

function isSingleChannel({ codecpar }: Stream): boolean {
  return codecpar.channels === 1 && (avGetCodecName(codecpar.codecId) ?? "").startsWith("pcm_");
}

function isLike(stream: Stream, chosen: Stream): boolean {
  return (
    stream.codecpar.codecId === chosen.codecpar.codecId &&
    stream.codecpar.sampleRate === chosen.codecpar.sampleRate &&
    streamLanguage(stream) === streamLanguage(chosen) &&
    !isOtherSound(stream)
  );
}

/** Streams that each name another place. */
function byPlaces(streams: readonly Stream[]): SoundStreams | null {
  const maskOf = ({ codecpar }: Stream) => codecpar.channelLayout.mask;
  const masks = streams.map(maskOf);
  if (masks.length < 2 || masks.includes(0n) || new Set(masks).size < masks.length) return null;
  const [first, ...others] = [...streams].sort((a, b) => (maskOf(a) < maskOf(b) ? -1 : 1));
  if (first === undefined) return null;
  const mask = masks.reduce((all, one) => all | one, 0n);
  return { streams: [first, ...others], layout: { order: AV_CHANNEL_ORDER_NATIVE, nbChannels: masks.length, mask } };
}

function byOrder(streams: readonly Stream[]): SoundStreams | null {
  const joined = JOINED_CHANNELS.find((way) => streams.length >= way.streams);
  const [first, ...others] = streams.slice(0, joined?.channels ?? 0);
  if (joined === undefined || first === undefined) return null;
  return { streams: [first, ...others], layout: avChannelLayoutDefault(joined.channels) };
}
