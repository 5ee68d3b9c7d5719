import { join } from "node:path";
import { phraseEnds, speechFromCaptions, type TranscriptLine } from "../../core/dialogue.ts";
import type { HeardRange } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import { mergeRanges, type TimeRange } from "../../core/time-range.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { embeddedSubtitles } from "./embedded-subtitles.ts";
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
  /** Whether a transcription server may be asked. */
  readonly mayAsk: boolean;
  /** `ASIDE_TRANSCRIPTION_*`, see `transcriptionConfiguration`. */
  readonly environment: Environment;
  /** Does what waits for a server's answers (see `TaskContext.whileAsking`); default: at once. */
  readonly ask?: <T>(isHere: boolean, work: () => Promise<T>) => Promise<T>;
  /** Finds a server of this machine where none is configured. */
  readonly findLocal?: typeof findLocalTranscription;
}

/** What is said in a programme. */
export interface Dialogue {
  /** In order, seconds on the programme clock; empty where nothing tells. */
  readonly transcript: readonly TranscriptLine[];
  /** What neither the sound nor captions tell: nobody knows whether somebody speaks there. Ordered and disjoint. */
  readonly unknown: readonly TimeRange[];
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
 * transcription server. A server that fails is told in a note: a description without it is worth having.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function dialogueOf(order: DialogueOrder, signal: AbortSignal): Promise<Dialogue> {
  const { lines, isWhole, areCaptions, notes } = await wordsOf(order, signal);
  const unknown = areCaptions === true ? [] : (order.unknown ?? []);
  const known = speechFromCaptions(order.heard, lines, { isWhole, ...defined({ music: order.music }) });
  const speech = unknown.length === 0 ? known : mergeRanges([...known, ...unknown]);
  return { transcript: lines, unknown, speech, phraseEnds: endsOrDips(phraseEnds(lines), order.dips ?? []), notes };
}

/** Seconds from a known end of a phrase within which no dip counts: a breath may part a sentence. */
const TOLD_SECONDS = 8;

function endsOrDips(ends: readonly number[], dips: readonly number[]): number[] {
  const untold = dips.filter((dip) => !ends.some((end) => Math.abs(end - dip) < TOLD_SECONDS));
  return [...ends, ...untold].sort((a, b) => a - b);
}

async function wordsOf(order: DialogueOrder, signal: AbortSignal): Promise<FoundWords> {
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
  if (!mayAsk || heard.length === 0) return NOTHING;
  const transcriber = await transcriberOf(order);
  return "notes" in transcriber ? transcriber : await askedWords(order, transcriber, signal);
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
  { mediaPath, mediaFolder, durationSeconds, tracks, heard, dips, ask }: DialogueOrder,
  transcriber: Transcriber,
  signal: AbortSignal,
): Promise<FoundWords> {
  // The description's language says nothing about that of the programme.
  const sound = { mediaPath, durationSeconds, ...defined({ tracks, dips }), speech: heard, language: null };
  const work = () => transcribe({ ...sound, folder: join(mediaFolder, "transcription") }, transcriber, signal);
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
