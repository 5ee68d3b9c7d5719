import { AV_CHANNEL_ORDER_NATIVE } from "node-av/constants";
import {
  avChannelLayoutDefault,
  avGetCodecName,
  type ChannelLayout,
  type FormatContext,
  type Stream,
} from "node-av/lib";
import { isOtherSound, soundStream, soundTracks, streamLanguage, titleOf } from "./media-streams.ts";

/** The streams that a programme's sound is taken from, and the layout of their channels together. */
export interface SoundStreams {
  /** In the order of the layout's channels; several only where each holds one channel. */
  readonly streams: readonly [Stream, ...Stream[]];
  readonly layout: ChannelLayout;
  /** Whether the streams are folded to the layout's two channels: odd ones left, even ones right, a last one alone on both sides. */
  readonly isFolded: boolean;
}

/** Which of a file's sounds is the programme's. Plain data: it crosses process borders. */
export interface SoundChoice {
  /** Sound tracks, counted from 1: one, or several of a channel each. Not empty. */
  readonly tracks: readonly number[];
  /** Why: a person asked for it, or speech was found there and not where the file itself points. */
  readonly basis: "asked" | "heard";
}

/** How {@link soundStreams} shall choose. */
export interface SoundStreamOptions {
  /** The tracks to take, counted from 1; without it, what the file says of its tracks decides. */
  readonly tracks?: readonly number[] | undefined;
  /** `false` leaves each of three to five streams a channel of its own, for whoever wants one of them. Default `true`. */
  readonly isFolded?: boolean;
}

/** Channels of 5.1, which stands on the first six of eight streams: the others repeat it in stereo. */
const SURROUND_CHANNELS = 6;

/**
 * The sound of a programme; `null` for a file without. Editing systems and broadcast files keep each channel in a stream of
 * its own: uncompressed streams of one channel and one rate and language are joined, by the places that they name, else in
 * their order (two are left and right, six and more begin with 5.1 as SMPTE ST 320 orders it). Three to five are pairs, all of them
 * heard: dialogue may stand on any. Everything else is one stream.
 */
export function soundStreams(
  context: FormatContext,
  { tracks, isFolded = true }: SoundStreamOptions = {},
): SoundStreams | null {
  const asked = tracks === undefined ? [] : soundTracks(context).filter((_, index) => tracks.includes(index + 1));
  const chosen = asked[0] ?? soundStream(context);
  if (chosen === null) return null;
  const alone: SoundStreams = { streams: [chosen], layout: chosen.codecpar.channelLayout, isFolded: false };
  if (!isSingleChannel(chosen)) return alone;
  const among = asked.length > 0 ? asked : context.streams.filter((stream) => !isOtherSound(stream));
  const like = among.filter((stream) => isSingleChannel(stream) && isLike(stream, chosen));
  return byPlaces(like) ?? byOrder(like, isFolded) ?? alone;
}

/** The numbers, from 1, of the tracks that a sound is taken from. */
export function tracksOf(context: FormatContext, { streams }: SoundStreams): number[] {
  return soundTracks(context).flatMap((track, index) =>
    streams.some((stream) => stream.index === track.index) ? [index + 1] : [],
  );
}

/** Whether two streams are channels of one sound: uncompressed, of one channel each, and alike. */
export function areChannels(a: Stream, b: Stream): boolean {
  return isSingleChannel(a) && isSingleChannel(b) && isLike(a, b);
}

/**
 * Which sound tracks were taken for the programme's, as a sentence that counts them from 1; `null` where there was no choice.
 */
export function soundChoice(
  context: FormatContext,
  sounds: SoundStreams,
  basis: SoundChoice["basis"] | null = null,
): string | null {
  const numbers = tracksOf(context, sounds);
  const tracks = soundTracks(context);
  if (numbers.length === tracks.length) return null;
  const named = (isTaken: boolean) => {
    const list = tracks.flatMap((track, index) =>
      numbers.includes(index + 1) === isTaken ? [`${index + 1}${nameOfTrack(track)}`] : [],
    );
    return `${list.length === 1 ? "track" : "tracks"} ${list.join(", ")}`;
  };
  const why = { asked: ", as asked", heard: ": speech was found there" };
  const reason = basis === null ? "" : why[basis];
  return `Of ${tracks.length} sound tracks, ${named(true)} ${numbers.length === 1 ? "was" : "were"} taken for the film's own${reason}; left out: ${named(false)}.`;
}

/** What a track says of itself, in brackets behind its number; empty where it says nothing. */
export function nameOfTrack(stream: Stream): string {
  const language = streamLanguage(stream);
  const title = titleOf(stream);
  const told = [
    ...(language === "und" || language === "" ? [] : [language]),
    ...(title === null ? [] : [`“${title}”`]),
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
    streamLanguage(stream) === streamLanguage(chosen)
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
