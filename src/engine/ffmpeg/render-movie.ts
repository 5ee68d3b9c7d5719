import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_EAC3,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_MP3,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_VISUAL_IMPAIRED,
  AV_LOG_ERROR,
  AVMEDIA_TYPE_SUBTITLE,
} from "node-av/constants";
import { Log, type Packet, type Stream } from "node-av/lib";
import type { Cue } from "../../core/cue.ts";
import { frameRate, secondsFromFrames } from "../../core/frame-rate.ts";
import { TimeMap } from "../../core/time-map.ts";
import { isHighDynamicRange } from "./decode/held-picture.ts";
import { CaptionTrack } from "./encode/caption-track.ts";
import { CopiedPicture, canCopyPicture, UncopiableError } from "./encode/copied-picture.ts";
import { CopiedTrack, leftOutTracks } from "./encode/copied-track.ts";
import { EncodedPicture } from "./encode/encoded-picture.ts";
import type { PictureClock, PictureTrack } from "./encode/picture-track.ts";
import { SoundEncoder } from "./encode/sound-encoder.ts";
import { SoundTrack } from "./encode/sound-track.ts";
import { MovieFile } from "./movie-file.ts";
import { MediaProcessError, type OpenMedia, openMedia } from "./open.ts";
import { packetsOf } from "./packets.ts";
import { type MediaProbe, originSeconds, pictureStream, soundStream, streamLanguage } from "./probe/media-streams.ts";
import { pictureGeometry } from "./probe/picture-geometry.ts";
import { soundStreams } from "./probe/programme-sound-streams.ts";
import { SplicedPicture, spliceShape } from "./splice/spliced-picture.ts";

/** A movie to be made from a programme and the sound for it. */
export interface MovieOrder {
  readonly source: string;
  readonly probe: MediaProbe;
  /** MP4 file to write; it appears when whole. */
  readonly path: string;
  /** Where the programme is held. */
  readonly map: TimeMap;
  /** Height of the picture in lines; `null` keeps the programme's, and with it, where it can be copied, every bit. */
  readonly height: number | null;
  /** Programme with narration; the first and default sound. */
  readonly mixedPath: string;
  /** Narration alone; the last sound. */
  readonly narrationPath: string;
  /** ISO 639-2 code of the narration's language, `und` where there is none. */
  readonly language: string;
  /** Captions for a text track, on the programme clock, in order; empty for none. */
  readonly captions: readonly Cue[];
  readonly durationSeconds: number;
  /** Sounds whose true peak is measured as they are once encoded, for a coder adds to peaks; default none. */
  readonly heard?: readonly AddedSound[];
}

/** What a movie turned out to be. */
export interface MadeMovie {
  /** Whether the picture was copied, but for {@link MadeMovie.encodedSeconds}. */
  readonly isPictureCopied: boolean;
  /** Seconds of a copied picture that were encoded: its pauses, and from each to the next key frame. */
  readonly encodedSeconds: number;
  /** Sentences about tracks of the programme that it does not hold. */
  readonly notes: readonly string[];
  /** True peaks of the sounds that were heard, as gains. */
  readonly truePeaks: { readonly [kind in AddedSound]?: number };
}

/** What a movie is made with. */
export interface MovieContext {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** The sounds that are made for a movie. */
type AddedSound = keyof typeof SOUND_TRACKS;

/** Said of a picture that would have been copied, had nothing been held. */
const ENCODED_NOTE = "The picture was encoded again, as H.264: its frame rate would be uneven in a copy with holds.";

/** Rate at which frames are repeated where the programme has none that makes sense. */
const FALLBACK_RATE = frameRate(25);

/** Sound that MP4 holds and players expect in it. */
const COPIED_SOUNDS = [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3];

/**
 * Makes the video of a description: the picture copied wherever MP4 can hold it, held at the pauses; the mixed sound as the
 * first track, the programme's own sound as the second where nothing is held, the narration alone as the last, marked as
 * description; captions on the video's clock. Streams: memory does not grow with the programme.
 *
 * @throws MediaProcessError; the signal's reason when aborted. Nothing is left at the path then.
 */
export async function renderMovie(order: MovieOrder, context: MovieContext): Promise<MadeMovie> {
  Log.setLevel(AV_LOG_ERROR);
  for (const way of order.map.holds.length > 0 ? (["splice", "copy"] as const) : (["copy"] as const)) {
    try {
      return await renderOnce(order, context, way);
    } catch (error) {
      if (!(error instanceof UncopiableError)) throw error;
    }
  }
  return await renderOnce(order, context, "encode");
}

/**
 * How the picture gets into the movie: copied with frames of its own rate in its pauses, copied with one long frame in each,
 * or encoded. Each falls back on the next where the picture cannot be treated so from the start. One long frame makes an even
 * rate uneven, which players and editors take for another one: only a picture that has none, or that would lose its dynamic
 * range by being encoded, is held so.
 */
type Way = "splice" | "copy" | "encode";

async function renderOnce(order: MovieOrder, context: MovieContext, way: Way): Promise<MadeMovie> {
  using media = await openMedia(order.source);
  const picture = pictureStream(media.context);
  if (picture === null) throw new MediaProcessError("media_undecodable", "The file has no picture.");
  const sounds = soundStreams(media.context, { tracks: order.probe.sound?.tracks });
  const sound = sounds?.streams[0] ?? null;
  const movie = new MovieFile(order.path);
  await using owned = new AsyncDisposableStack();
  try {
    const clock = clockOf(order, originSeconds(picture, sound));
    const rate = order.probe.picture?.rate ?? null;
    const isEven = rate !== null && order.probe.picture?.isVariableRate === false;
    const isCopiable = way !== "encode" && canCopyPicture(media.context, picture) && keepsHeight(picture, order.height);
    const shape = isCopiable && way === "splice" && isEven ? spliceShape(media.context, picture, rate) : null;
    const isHeld = order.map.holds.length > 0;
    const isPictureCopied =
      isCopiable && (shape !== null || !isHeld || !isEven || isHighDynamicRange(picture.codecpar));
    const splice = shape === null ? null : new SplicedPicture(movie, media.context, shape, clock);
    const pictureTrack: PictureTrack = owned.use(
      splice ??
        (isPictureCopied
          ? new CopiedPicture(movie, media.context, picture, clock)
          : new EncodedPicture(movie, picture, clock, { height: order.height, rate: rate ?? FALLBACK_RATE })),
    );
    const encoding = owned.use(new SoundEncoder(context.signal));
    const mixed = owned.use(await encodedSound("mixed", movie, order, encoding));
    const copied: CopiedTrack[] = [];
    if (sound !== null && sounds?.streams.length === 1 && !isHeld && COPIED_SOUNDS.includes(sound.codecpar.codecId)) {
      const label = { title: "Original sound", language: streamLanguage(sound), disposition: 0 };
      copied.push(
        new CopiedTrack(movie, { context: media.context, source: sound, label }, clock, Number.POSITIVE_INFINITY),
      );
    }
    // A thread takes some 25 MB, which work on a picture needs more; beside a plain copy, two are done earlier.
    const isPlainCopy = isPictureCopied && splice === null;
    const beside = isPlainCopy ? owned.use(new SoundEncoder(context.signal)) : encoding;
    const narration = owned.use(await encodedSound("narration", movie, order, beside));
    const fed: Fed[] = [mixed, narration];
    const captions = clipCaptions(order.captions, order.durationSeconds);
    if (captions.length > 0) {
      const label = { title: "Captions", language: "und", disposition: 0 };
      fed.push(owned.use(new CaptionTrack(movie, captions, order.map, label)));
    }
    for (const stream of captionStreams(media)) {
      const label = { title: titleOf(stream), language: streamLanguage(stream), disposition: 0 };
      copied.push(
        new CopiedTrack(movie, { context: media.context, source: stream, label }, clock, order.durationSeconds),
      );
    }
    movie.begin();
    await run(media, { picture, pictureTrack, fed, copied }, order, context);
    await movie.finish();
    const encodedSeconds = splice === null || rate === null ? 0 : secondsFromFrames(splice.encodedFrames, rate);
    return {
      isPictureCopied,
      encodedSeconds,
      notes: [
        ...leftOutTracks(media.context, sounds?.streams ?? []),
        ...(isCopiable && !isPictureCopied ? [ENCODED_NOTE] : []),
      ],
      truePeaks: {
        ...(mixed.truePeak === null ? {} : { mixed: mixed.truePeak }),
        ...(narration.truePeak === null ? {} : { narration: narration.truePeak }),
      },
    };
  } catch (error) {
    await movie.discard();
    throw error;
  }
}

/** A track that is written as far as the picture has come. */
interface Fed {
  advance(seconds: number): void | Promise<void>;
}

interface Tracks {
  readonly picture: Stream;
  readonly pictureTrack: PictureTrack;
  readonly fed: readonly Fed[];
  readonly copied: readonly CopiedTrack[];
}

async function run(media: OpenMedia, tracks: Tracks, order: MovieOrder, context: MovieContext): Promise<void> {
  const { picture, pictureTrack, fed, copied } = tracks;
  const total = order.durationSeconds + order.map.addedSeconds;
  const take = async (packet: Packet | null) => {
    for (const reached of pictureTrack.take(packet)) {
      for (const track of fed) await track.advance(reached);
      context.onProgress(Math.min(1, reached / total));
    }
  };
  const indexes = [picture.index, ...copied.map(({ index }) => index)];
  for await (const packet of packetsOf(media, indexes, context.signal)) {
    if (packet.streamIndex === picture.index) await take(packet);
    else copied.find(({ index }) => index === packet.streamIndex)?.take(packet);
  }
  await take(null);
}

function clockOf({ map, probe }: MovieOrder, origin: number): PictureClock {
  const picture = probe.picture;
  const isEven = picture !== null && picture.rate !== null && !picture.isVariableRate;
  const toleranceSeconds = isEven ? picture.rate.denominator / picture.rate.numerator / 2 : 0.0005;
  return { originSeconds: origin, map, toleranceSeconds };
}

function keepsHeight(picture: Stream, height: number | null): boolean {
  return height === null || height === pictureGeometry(picture).height;
}

/** Labels of the two sounds that are made. Browsers and players choose the first track unless told otherwise. */
const SOUND_TRACKS = {
  mixed: { title: "With audio description", disposition: AV_DISPOSITION_DEFAULT | AV_DISPOSITION_VISUAL_IMPAIRED },
  narration: { title: "Audio description alone", disposition: AV_DISPOSITION_DESCRIPTIONS },
} as const;

async function encodedSound(
  kind: AddedSound,
  movie: MovieFile,
  order: MovieOrder,
  encoding: SoundEncoder,
): Promise<SoundTrack> {
  const path = kind === "mixed" ? order.mixedPath : order.narrationPath;
  using media = await openMedia(path);
  const stream = soundStream(media.context);
  if (stream === null) throw new MediaProcessError("media_undecodable", "The mixed sound cannot be read back.");
  const { sampleRate, channelLayout: layout } = stream.codecpar;
  const durationSeconds = Number(stream.duration) / sampleRate;
  const isHeard = order.heard?.includes(kind) ?? false;
  const label = { ...SOUND_TRACKS[kind], language: order.language };
  return new SoundTrack(movie, encoding, { path, sampleRate, layout, durationSeconds, isHeard }, label);
}

function clipCaptions(captions: readonly Cue[], end: number): Cue[] {
  return captions.filter(({ start }) => start < end).map((cue) => ({ ...cue, end: Math.min(cue.end, end) }));
}

function captionStreams({ context }: OpenMedia): Stream[] {
  return context.streams.filter(
    ({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_SUBTITLE && codecpar.codecId === AV_CODEC_ID_MOV_TEXT,
  );
}

function titleOf(stream: Stream): string {
  return stream.metadata?.getAll()["title"] ?? "Captions";
}

/** A programme that is to be delivered as a video with its description. Plain data: it crosses a process border. */
export interface DescribedMovieOrder {
  readonly source: string;
  /** MP4 file to write; it appears when whole. */
  readonly path: string;
  readonly mixedPath: string;
  readonly narrationPath: string;
  /** ISO 639-2 code of the narration's language, `und` where there is none. */
  readonly language: string;
  /** Captions for a text track, on the programme clock, in order; empty for none. */
  readonly captions: readonly Cue[];
  /** Which sound track is the programme's, by number, language or title; where absent it is heard. */
  readonly audioTrack?: string;
}

/**
 * Puts a finished mix and narration beside a programme's picture, in an MP4 file of the programme's own length; see
 * {@link renderMovie}.
 *
 * @param probe Of the source.
 * @throws MediaProcessError; the signal's reason when aborted.
 */
export async function addDescription(
  order: DescribedMovieOrder,
  probe: MediaProbe,
  context: MovieContext,
): Promise<MadeMovie> {
  if (probe.durationSeconds === null) throw new MediaProcessError("media_undecodable", "The file states no length.");
  return renderMovie(
    { ...order, probe, map: new TimeMap([]), height: null, durationSeconds: probe.durationSeconds },
    context,
  );
}
