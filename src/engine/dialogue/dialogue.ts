import { join } from "node:path";
import { DOUBTED_BELOW, phraseEnds, songsOf, speechFromCaptions, type TranscriptLine } from "../../core/dialogue.ts";
import type { HeardRange } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import { mergeRanges, type TimeRange, totalDuration } from "../../core/time-range.ts";
import { soundsIn } from "../local/speech-setup.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { embeddedSubtitles } from "./embedded-subtitles.ts";
import { listenForSinging } from "./singing.ts";
import { transcribe } from "./transcribe.ts";
import { earsTranscriber, serverTranscriber, type Transcriber } from "./transcriber.ts";
import { findLocalTranscription, transcriptionConfiguration } from "./transcription-settings.ts";

/** What is known of a programme before it is asked what is said in it. */
export interface DialogueOrder {
  readonly mediaPath: string;
  /** Folder of this media alone, where a server's answers are kept. */
  readonly mediaFolder: string;
  readonly durationSeconds: number;
  /** The sound tracks that are the programme's, counted from 1, where that is not for the file itself to say. */
  readonly tracks?: readonly number[];
  /** What was heard as speech, seconds on the programme clock, in order. */
  readonly heard: readonly HeardRange[];
  /** Where nobody can tell what is heard, in order; default nowhere. */
  readonly unknown?: readonly TimeRange[];
  /** Where the sound dips inside long speech; default nowhere. */
  readonly dips?: readonly number[];
  /** What was heard as music; default nothing. */
  readonly music?: readonly TimeRange[];
  /** Captions that were given, in order; they may hold times of words. Empty for none. */
  readonly captions: readonly TranscriptLine[];
  /** BCP-47 code of the language of the description: subtitles in it are read best by whoever describes. */
  readonly language: string;
  /** Whether anybody may be asked who hears it: a transcription server, or a model that is installed here. */
  readonly mayAsk: boolean;
  /** Whether whatever is sung is kept clear like speech, its words known or not; default: what is known to be said alone. */
  readonly keepsSongs?: boolean;
  /** `ASIDE_TRANSCRIPTION_*`, see `transcriptionConfiguration`. */
  readonly environment: Environment;
  /** Does what waits for a server's answers (see `TaskContext.whileAsking`); default: at once. */
  readonly ask?: <T>(isHere: boolean, work: () => Promise<T>) => Promise<T>;
  /** Finds a server of this machine where none is configured. */
  readonly findLocal?: typeof findLocalTranscription;
  /** Is told the share of the listening that is done, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** What is said in a programme. */
export interface Dialogue {
  /** In order, seconds on the programme clock; empty where nothing tells. */
  readonly transcript: readonly TranscriptLine[];
  /** What neither the sound nor captions tell: nobody knows whether somebody speaks there. Ordered and disjoint. */
  readonly unknown: readonly TimeRange[];
  /** Where somebody sings, as far as an installed model heard it: ordered and disjoint. */
  readonly singing: readonly TimeRange[];
  /** Where somebody speaks, by what was heard and what is said, or may speak unheard: ordered and disjoint. */
  readonly speech: readonly TimeRange[];
  /** Instants at which a phrase ends, see `phraseEnds`; where no words tell for long, those at which the sound dips. */
  readonly phraseEnds: readonly number[];
  /** Sentences for people: what the words come from, and what went wrong. */
  readonly notes: readonly string[];
}

interface FoundWords {
  readonly lines: readonly TranscriptLine[];
  /** Whether they are all that is said, with times of words. */
  readonly isWhole: boolean;
  /** Whether they were made by somebody who heard all of the sound. */
  readonly areCaptions?: boolean;
  readonly notes: readonly string[];
}

/**
 * What is said in a programme, from the first of these that there is: the given captions, text subtitles in the file, a
 * transcription. Where an installed model tells singing from music, the music is listened to before: who transcribes on this
 * computer then hears sung words too. Whoever fails is told in a note: a description without it is worth having.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function dialogueOf(order: DialogueOrder, signal: AbortSignal): Promise<Dialogue> {
  const { heard, dips = [], music = [], keepsSongs = false } = order;
  const songs = await songsHeard(order, signal);
  const singing = songs.ranges;
  const words = await wordsOf(order, singing, signal);
  const { lines, isWhole, areCaptions } = words;
  const unknown = areCaptions === true ? [] : (order.unknown ?? []);
  const known = speechFromCaptions(heard, lines, { isWhole, music: [...music, ...singing] });
  return {
    transcript: lines,
    unknown,
    singing,
    speech: mergeRanges([...known, ...unknown, ...(keepsSongs ? singing : [])]),
    phraseEnds: endsOrDips(phraseEnds(lines), dips),
    notes: [...words.notes, ...songs.notes],
  };
}

/** Share of the listening that goes to singing where an installed model does it: one that transcribes takes longer. */
const SINGING_SHARE = 0.3;

async function songsHeard(
  order: DialogueOrder,
  signal: AbortSignal,
): Promise<{ readonly ranges: readonly TimeRange[]; readonly notes: readonly string[] }> {
  const { mediaPath, durationSeconds, tracks, heard, music = [], onProgress } = order;
  const sounds = order.mayAsk ? soundsIn(order.environment) : null;
  const doubted = heard.filter(({ confidence }) => confidence < DOUBTED_BELOW.alone);
  const where = [...music, ...doubted];
  if (sounds === null || where.length === 0) return { ranges: [], notes: [] };
  const folder = join(order.mediaFolder, "singing");
  const work = () =>
    listenForSinging(
      { mediaPath, durationSeconds, ...defined({ tracks }), where, folder },
      sounds,
      signal,
      (fraction) => onProgress?.(SINGING_SHARE * fraction),
    );
  const { ranges, listenedSeconds, failure } = await (order.ask === undefined ? work() : order.ask(true, work));
  const { title } = sounds.model;
  const notes: string[] = [];
  if (listenedSeconds > 0) {
    const songs = songsOf(ranges).length;
    const found =
      songs === 0
        ? "nobody sings there"
        : `somebody sings for ${totalDuration(ranges).toFixed(0)} s of it, in ${songs} ${songs === 1 ? "song" : "songs"}`;
    notes.push(`${title} on this computer listened to ${listenedSeconds.toFixed(0)} s of music: ${found}.`);
  }
  if (failure !== null) {
    const rest = listenedSeconds > 0 ? "the rest of the" : "the";
    notes.push(`Nobody listened whether somebody sings in ${rest} music. ${failure.message}`);
  }
  return { ranges, notes };
}

/** Seconds from a known end of a phrase within which no dip counts: a breath may part a sentence. */
const TOLD_SECONDS = 8;

function endsOrDips(ends: readonly number[], dips: readonly number[]): number[] {
  const untold = dips.filter((dip) => !ends.some((end) => Math.abs(end - dip) < TOLD_SECONDS));
  return [...ends, ...untold].sort((a, b) => a - b);
}

async function wordsOf(order: DialogueOrder, singing: readonly TimeRange[], signal: AbortSignal): Promise<FoundWords> {
  const { captions, mediaPath, language, tracks, heard, mayAsk } = order;
  if (captions.length > 0) return { lines: captions, isWhole: false, areCaptions: true, notes: [] };
  const embedded = await embeddedSubtitles(mediaPath, language, signal, tracks);
  if (embedded !== null) {
    const which = embedded.language === "und" ? "" : ` (${embedded.language})`;
    return {
      lines: embedded.lines,
      isWhole: false,
      areCaptions: true,
      notes: [`What is said was taken from subtitles in the file${which}.`],
    };
  }
  if (!mayAsk || heard.length + singing.length === 0) return NOTHING;
  const transcriber = await transcriberOf(order);
  if ("notes" in transcriber) return transcriber;
  // Elsewhere each second is paid.
  const speech = transcriber.isHere ? mergeRanges([...heard, ...singing]) : heard;
  return speech.length === 0 ? NOTHING : await askedWords(order, speech, transcriber, signal);
}

const NOTHING: FoundWords = { lines: [], isWhole: false, notes: [] };

/** Who is asked: what is configured, else an installed model, else a server that runs on this machine; or why there is none. */
async function transcriberOf(order: DialogueOrder): Promise<Transcriber | FoundWords> {
  const configuration = transcriptionConfiguration(order.environment);
  if (configuration.kind === "configured") return serverTranscriber(configuration.settings);
  if (configuration.kind === "here") return earsTranscriber(configuration.ears);
  if (configuration.kind === "off") return NOTHING;
  if (configuration.kind === "incomplete")
    return { ...NOTHING, notes: [`What is said was not transcribed: ${configuration.reason}.`] };
  const found = await (order.findLocal ?? findLocalTranscription)(configuration.timeoutSeconds);
  return found === null ? NOTHING : serverTranscriber(found);
}

async function askedWords(
  { mediaPath, mediaFolder, durationSeconds, tracks, dips, ask, onProgress }: DialogueOrder,
  speech: readonly TimeRange[],
  transcriber: Transcriber,
  signal: AbortSignal,
): Promise<FoundWords> {
  // The description's language says nothing about that of the programme.
  const sound = { mediaPath, durationSeconds, ...defined({ tracks, dips }), speech, language: null };
  const folder = join(mediaFolder, "transcription");
  const work = () =>
    transcribe({ ...sound, folder }, transcriber, signal, (fraction) =>
      onProgress?.(SINGING_SHARE + (1 - SINGING_SHARE) * fraction),
    );
  const found = await (ask === undefined ? work() : ask(transcriber.isHere, work));
  const { lines, requests, invented, failure } = found;
  const notes: string[] = [];
  if (failure === null || lines.length > 0) {
    const left = invented === 0 ? "" : `; ${invented} left out because nobody is heard there`;
    notes.push(
      `What is said was transcribed by ${transcriber.name}: ${lines.length} lines, ${requests} requests${left}.`,
    );
  }
  if (failure !== null) {
    const rest = lines.length > 0 ? "The rest of what" : "What";
    notes.push(`${rest} is said was not transcribed. ${failure.message}`);
  }
  const hasWords = lines.every(({ words }) => words !== undefined);
  return { lines, isWhole: transcriber.tellsAll && failure === null && lines.length > 0 && hasWords, notes };
}
