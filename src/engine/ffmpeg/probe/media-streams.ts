import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_CLEAN_EFFECTS,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DEPENDENT,
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_DISPOSITION_KARAOKE,
  AV_DISPOSITION_NON_DIEGETIC,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_DISPOSITION_VISUAL_IMPAIRED,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
} from "node-av/constants";
import { avGetCodecName, Codec, type FormatContext, type Stream } from "node-av/lib";
import type { FrameRate } from "../../../core/frame-rate.ts";

/** Dispositions of streams that hold stills: cover art, chapter thumbnails. None of them is a programme's picture. */
const STILLS = [AV_DISPOSITION_ATTACHED_PIC, AV_DISPOSITION_TIMED_THUMBNAILS, AV_DISPOSITION_STILL_IMAGE] as const;

/** Dispositions of sounds that stand beside a programme's own, whatever a writer marks as default. */
const OTHER_SOUNDS = [
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_VISUAL_IMPAIRED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_CLEAN_EFFECTS,
  AV_DISPOSITION_NON_DIEGETIC,
  AV_DISPOSITION_KARAOKE,
  AV_DISPOSITION_DEPENDENT,
] as const;

/**
 * Titles of such sounds, in the languages that films come in: Matroska files and many MP4 files say it in words alone. Each is
 * looked for in a title without accents, in small letters.
 */
const OTHER_SOUND_TITLES: readonly RegExp[] = [
  /\baudio[ -]?des[ck]\w*|\bdescri(bed|ptive|ptions?)\b|\bad\b|\bdvs\b|\bhorfilm|\bbildbeschreibung|\baudiovision\b/,
  /\baudiodescri\w*|\bsyntolk\w*|\bsynstolk\w*|\baudiodeskrypcja|\bbeeldbeschrijving|\bkuvailutulk\w*|тифлокомментар|аудиодескрипц/,
  /音声(解説|ガイド)|口述影像|화면 ?해설/,
  /\bcommentar(y|ies)\b|\b(director|writer|cast)s?['\u2019]?s? (notes|talk)\b|\b(audio)?kommentar|\bcommentaires?\b|\bcomentarios?\b/,
  /\bcommenti?o?\b(?= (del|audio))|\bcommento\b|\bcommentaar\b|\bkomentarz\b|\bkommentti|комментари|コメンタリ|评论音轨|코멘터리/,
  /\bmusic (and|&) effects\b|\bm ?& ?e\b|\bmusic\b(?! video)|\bmusique\b|\bmusik\b|\bmusica\b|\bmuziek\b|\bmusikk\b|\bmuzyka\b|музыка|音楽|음악/,
  /\beffects\b|\bsfx\b|\bfoley\b|\bgerausche\b|\beffekte\b|\befectos\b|\beffets\b|\beffetti\b|\binternational (sound|track)\b|\bit[ -]?ton\b|効果音/,
];

/** A title that names the dialogue, beside what else it names ("Dialogue, Music & Effects"), is the programme's own sound. */
const OWN_SOUND_TITLE = /\bdialog\w*|\bfull mix\b|対白|対話|台词/;

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

/**
 * The stream that a programme's sound is taken from; `null` when there is none that can be decoded.
 *
 * Of several, one that is a description, a commentary or music and effects alone, by its flags or its title, is taken only
 * where there is nothing else: what is said in the film would not be heard in it, or twice. Else as with pictures.
 */
export function soundStream(context: FormatContext): Stream | null {
  return (
    chooseStream(context, AVMEDIA_TYPE_AUDIO, (stream) => sounds(stream) && !isOtherSound(stream)) ??
    chooseStream(context, AVMEDIA_TYPE_AUDIO, sounds)
  );
}

/** All sound tracks of a file, in its order: the first is track 1, as editing systems and players count. */
export function soundTracks({ streams }: FormatContext): Stream[] {
  return streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
}

/** Whether a sound can be decoded. */
export function isReadable(stream: Stream): boolean {
  return sounds(stream) && Codec.findDecoder(stream.codecpar.codecId) !== null;
}

function sounds({ codecpar }: Stream): boolean {
  return codecpar.sampleRate > 0 && codecpar.channels > 0;
}

/** Codec of the first sound that {@link soundStream} does not take because nobody decodes it; `null` where there is none. */
export function unreadSound(context: FormatContext): string | null {
  const [sound] = soundTracks(context);
  return sound === undefined ? null : (avGetCodecName(sound.codecpar.codecId) ?? "unknown");
}

/** Whether a sound says of itself that it is not the programme's own. */
export function isOtherSound(stream: Stream): boolean {
  if (OTHER_SOUNDS.some((flag) => stream.hasDisposition(flag))) return true;
  const { title, handler_name: handler } = stream.metadata?.getAll() ?? {};
  return [title, handler].some((name) => name !== undefined && namesOtherSound(name));
}

/** Whether a title says that a sound is a description, a commentary, or music and effects alone. */
export function namesOtherSound(title: string): boolean {
  const plain = title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
  return !OWN_SOUND_TITLE.test(plain) && OTHER_SOUND_TITLES.some((words) => words.test(plain));
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

/** Language of a stream as its file states it, an ISO 639-2 code as a rule; `und` where it states none. */
export function streamLanguage(stream: Stream): string {
  return stream.metadata?.getAll()["language"] ?? "und";
}

/** What writers put in place of a title: names of programs and of their parts. */
const NO_TITLE = /handler|core media|^iso media|produced by/i;

/** The title of a stream as its file states it; MP4 keeps it as the name of a handler. `null` where it states none. */
export function titleOf(stream: Stream): string | null {
  const { title, handler_name: handler = "" } = stream.metadata?.getAll() ?? {};
  return title ?? (handler.trim() === "" || NO_TITLE.test(handler) ? null : handler);
}

/** The picture stream that a programme is taken from: the default one, attached cover art never. */
export interface PictureStream {
  /** Index among all streams of the file. */
  readonly index: number;
  readonly codec: string;
  /** Size as shown: after rotation and pixel aspect. */
  readonly width: number;
  readonly height: number;
  /** The stream's nominal rate; `null` when the file has none that makes sense. */
  readonly rate: FrameRate | null;
  /** Whether frames come at uneven times, so that frame numbers cannot be computed from times. */
  readonly isVariableRate: boolean;
  /** Seconds from the programme's time 0 to the first picture. */
  readonly startSeconds: number;
  readonly durationSeconds: number | null;
}

/** The sound stream that a programme is taken from: the default one, or several of one channel each as one. */
export interface SoundStream {
  /** Index among all streams of the file; the first of several. */
  readonly index: number;
  /** The sound tracks that it is taken from, counted from 1 among the sound tracks of the file. */
  readonly tracks: readonly number[];
  readonly codec: string;
  readonly channels: number;
  /** FFmpeg's name of the channel layout: `mono`, `stereo`, `5.1(side)`, ... */
  readonly layout: string;
  readonly sampleRate: number;
  /** Seconds from the programme's time 0 to the first sample. */
  readonly startSeconds: number;
  readonly durationSeconds: number | null;
  readonly language: string | null;
}

/** What is known of a media file before any of it is decoded. */
export interface MediaProbe {
  /** FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string;
  /**
   * Length of the programme in seconds: to the end of the picture, or of sound that goes on half a second and more behind it;
   * `null` when neither says.
   * A subtitle or data track that runs on longer does not count.
   */
  readonly durationSeconds: number | null;
  /** Length in seconds that the file states, where it is cut short and ends before; `null` for a whole file. */
  readonly statedSeconds: number | null;
  /**
   * Where the programme's time 0 lies on the file's own clock, in seconds: the earlier start of the picture and the sound
   * below. Most files have 0; a transport stream, or a part cut out of a longer one, does not.
   */
  readonly originSeconds: number;
  readonly picture: PictureStream | null;
  readonly sound: SoundStream | null;
  /** Which of several sound tracks were taken, as a sentence; `null` where there was no choice. */
  readonly soundChoice: string | null;
  /**
   * Codec of sound that cannot be decoded, where the file holds no other: it is not known whether anybody speaks. `null` where
   * the sound can be decoded, and where there truly is none.
   */
  readonly unreadSound: string | null;
  /** Start timecode as the file states it (`01:00:00:00`), `null` without one. */
  readonly startTimecode: string | null;
}
