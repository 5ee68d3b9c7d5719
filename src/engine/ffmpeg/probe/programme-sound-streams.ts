import { AV_CHANNEL_ORDER_NATIVE, AVMEDIA_TYPE_AUDIO } from "node-av/constants";
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
  /** Whether the streams are folded to the layout's two channels: odd ones left, even ones right, a last one alone on both sides. */
  readonly isFolded: boolean;
}

/** Channels of 5.1, which stands on the first six of eight streams: the others repeat it in stereo. */
const SURROUND_CHANNELS = 6;

/**
 * The sound of a programme; `null` for a file without. Editing systems and broadcast files keep each channel in a stream of
 * its own: uncompressed streams of one channel and one rate and language are joined, by the places that they name, else in
 * their order (two are left and right, six and more begin with 5.1 as SMPTE ST 320 orders it). Three to five are pairs, all of them
 * heard: dialogue may stand on any. Everything else is one stream.
 *
 * @param isFolded `false` leaves each of three to five streams a channel of its own, for whoever wants one of them.
 */
export function soundStreams(context: FormatContext, isFolded = true): SoundStreams | null {
  const chosen = soundStream(context);
  if (chosen === null) return null;
  const alone: SoundStreams = { streams: [chosen], layout: chosen.codecpar.channelLayout, isFolded: false };
  if (!isSingleChannel(chosen)) return alone;
  const like = context.streams.filter((stream) => isSingleChannel(stream) && isLike(stream, chosen));
  return byPlaces(like) ?? byOrder(like, isFolded) ?? alone;
}

/**
 * Which sound tracks were taken for the programme's, as a sentence that counts them from 1; `null` where there was no choice.
 */
export function soundChoice(context: FormatContext, { streams }: SoundStreams): string | null {
  const tracks = context.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const taken = tracks.flatMap((track, index) =>
    streams.some((stream) => stream.index === track.index) ? [`${index + 1}${inBrackets(track)}`] : [],
  );
  if (taken.length === tracks.length) return null;
  const left = tracks.flatMap((track, index) =>
    streams.some((stream) => stream.index === track.index) ? [] : [`${index + 1}${inBrackets(track)}`],
  );
  const named = (list: readonly string[]) => `${list.length === 1 ? "track" : "tracks"} ${list.join(", ")}`;
  return `Of ${tracks.length} sound tracks, ${named(taken)} ${taken.length === 1 ? "was" : "were"} taken for the film's own; not heard: ${named(left)}.`;
}

/** What a track says of itself. */
function inBrackets(stream: Stream): string {
  const language = streamLanguage(stream);
  const title = stream.metadata?.getAll()["title"];
  const told = [
    ...(language === "und" || language === "" ? [] : [language]),
    ...(title === undefined ? [] : [`“${title}”`]),
  ];
  return told.length === 0 ? "" : ` (${told.join(", ")})`;
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
  const layout: ChannelLayout = { order: AV_CHANNEL_ORDER_NATIVE, nbChannels: masks.length, mask };
  return { streams: [first, ...others], layout, isFolded: false };
}

function byOrder(streams: readonly Stream[], folds: boolean): SoundStreams | null {
  const isSurround = streams.length >= SURROUND_CHANNELS;
  const [first, ...others] = isSurround ? streams.slice(0, SURROUND_CHANNELS) : streams;
  if (first === undefined || others.length === 0) return null;
  const channels = others.length + 1;
  const isFolded = folds && channels > 2 && !isSurround;
  return { streams: [first, ...others], layout: avChannelLayoutDefault(isFolded ? 2 : channels), isFolded };
}
