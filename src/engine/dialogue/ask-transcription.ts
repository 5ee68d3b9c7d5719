import * as z from "zod/mini";
import type { SpokenWord, TranscriptLine } from "../../core/dialogue.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { parsedJson } from "../../core/objects.ts";
import { foldedWords } from "../../core/text.ts";
import { AnswerTooLong, readWithin } from "../models/exchange.ts";
import { knownCost, LEDGER_HEADER } from "../outgoing/ledger.ts";
import { serverFetch } from "../outgoing/send-request.ts";
import { isWhisperCpp, type TranscriptionSettings } from "./transcription-settings.ts";

/** Bytes per second of what is sent: 16 kHz, 16 bits, one channel. */
const BYTES_PER_SECOND = 32_000;

/**
 * Asks a server once what is said in a piece of sound.
 *
 * @param language First subtag of a BCP-47 code; `null` leaves it to the model.
 * @returns Lines in order, in seconds from the start of the piece.
 * @throws TranscriptionError when it cannot be asked or understood; the signal's reason when it aborts.
 */
export async function askTranscription(
  wave: Uint8Array<ArrayBuffer>,
  language: string | null,
  settings: TranscriptionSettings,
  signal: AbortSignal,
): Promise<TranscriptLine[]> {
  const { baseUrl, model, apiKey, timeoutSeconds, price } = settings;
  const { host } = new URL(baseUrl);
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  let reply: Response;
  let answer: unknown;
  let refusal: string | null = null;
  try {
    const minutes = wave.length / BYTES_PER_SECOND / 60;
    reply = await serverFetch(
      isWhisperCpp(baseUrl) ? baseUrl : `${baseUrl}/audio/transcriptions`,
      {
        method: "POST",
        body: formOf(wave, language, settings),
        headers: apiKey === "" ? {} : { Authorization: `Bearer ${apiKey}` },
        signal: AbortSignal.any([signal, limit]),
      },
      knownCost(price === undefined ? null : price * minutes),
    );
    if (reply.headers.get(LEDGER_HEADER) === "ceiling") refusal = await reply.text();
    else answer = reply.body === null ? null : parsedJson(await readWithin(reply.body).then(String, withoutTooLong));
  } catch (cause) {
    signal.throwIfAborted();
    const what = limit.aborted ? `gave no answer within ${timeoutSeconds} s` : "could not be reached";
    throw new TranscriptionError("transcription_unreachable", `The transcription server at ${host} ${what}.`, {
      cause,
    });
  }
  signal.throwIfAborted();
  // The book of the job lets it go no further; nobody was asked.
  if (refusal !== null) throw new TranscriptionError("transcription_refused", refusal);
  if (!reply.ok) {
    throw new TranscriptionError(
      "transcription_refused",
      `The transcription server at ${host} refused the request with status ${reply.status}. ` +
        "Check ASIDE_TRANSCRIPTION_MODEL and ASIDE_TRANSCRIPTION_KEY.",
    );
  }
  const lines = readTranscription(answer, wave.length / BYTES_PER_SECOND);
  if (lines === null) {
    throw new TranscriptionError(
      "transcription_unusable",
      `The transcription server at ${host} gave no times with its words. Use a model that does${model === "" ? "" : `, not ${model}`}, such as whisper-1.`,
    );
  }
  return lines;
}

/** Nothing in place of an answer that is far too long. */
function withoutTooLong(error: unknown): string {
  if (error instanceof AnswerTooLong) return "";
  throw error;
}

/** Fields of a request. `diarize` models tell speakers, take no times of words, and must be told to cut long sound. */
function formOf(
  wave: Uint8Array<ArrayBuffer>,
  language: string | null,
  { baseUrl, model }: TranscriptionSettings,
): FormData {
  const form = new FormData();
  form.append("file", new Blob([wave], { type: "audio/wav" }), "sound.wav");
  if (model !== "") form.append("model", model);
  // whisper.cpp takes English for granted.
  if (language !== null || isWhisperCpp(baseUrl)) form.append("language", language ?? "auto");
  if (/diarize/i.test(model)) {
    form.append("response_format", "diarized_json");
    form.append("chunking_strategy", "auto");
    return form;
  }
  form.append("response_format", "verbose_json");
  form.append("timestamp_granularities[]", "word");
  form.append("timestamp_granularities[]", "segment");
  form.append("temperature", "0");
  return form;
}

/** A word as servers give it: LocalAI says `text`, all others `word`. */
const Word = z.object({
  start: z.number(),
  end: z.number(),
  word: z.optional(z.string()),
  text: z.optional(z.string()),
});

const Segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  speaker: z.optional(z.nullable(z.string())),
  words: z.optional(z.nullable(z.array(Word))),
  no_speech_prob: z.optional(z.nullable(z.number())),
  avg_logprob: z.optional(z.nullable(z.number())),
});

const Reply = z.object({
  segments: z.optional(z.nullable(z.array(Segment))),
  words: z.optional(z.nullable(z.array(Word))),
});

/** A Whisper model says so itself when it heard nothing, and is unsure of what it wrote all the same. */
const INVENTED = { noSpeech: 0.6, logProbability: -1 };

/** Times beyond this many seconds of a piece are nanoseconds, as older LocalAI servers give them. */
const LONGEST_SECONDS = 1e6;

/**
 * The lines of a server's answer about one piece of sound, in order; seconds from its start. `null` when it holds no times.
 *
 * @param lengthSeconds Length of the piece; nothing is said beyond it.
 */
export function readTranscription(answer: unknown, lengthSeconds: number): TranscriptLine[] | null {
  const read = z.safeParse(Reply, answer);
  if (!read.success) return null;
  const { segments, words: allWords } = read.data;
  if (segments === undefined || segments === null) return null;
  const ends = [...segments, ...(allWords ?? [])].map(({ end }) => end);
  const unit = Math.max(0, ...ends) > LONGEST_SECONDS ? 1e-9 : 1;
  const clamp = (value: number) => Math.min(lengthSeconds, Math.max(0, value * unit));
  const timed = (list: readonly z.infer<typeof Word>[]) =>
    joinTokens(list.map((one) => ({ start: clamp(one.start), end: clamp(one.end), text: one.word ?? one.text ?? "" })));
  const loose = timed(allWords ?? []);
  const lines = segments.flatMap((segment): TranscriptLine[] => {
    const [start, end, text] = [clamp(segment.start), clamp(segment.end), foldedWords(segment.text)];
    const isInvented =
      (segment.no_speech_prob ?? 0) > INVENTED.noSpeech && (segment.avg_logprob ?? 0) < INVENTED.logProbability;
    if (text === "" || end <= start || isInvented) return [];
    const own =
      segment.words !== undefined && segment.words !== null && segment.words.length > 0
        ? timed(segment.words)
        : loose.filter((word) => (word.start + word.end) / 2 >= start && (word.start + word.end) / 2 < end);
    const speaker = segment.speaker ?? "";
    const words = withSigns(own, text);
    return [{ start, end, text, ...(speaker === "" ? {} : { speaker }), ...(words.length === 0 ? {} : { words }) }];
  });
  return lines.filter((line, index) => line.text !== lines[index - 1]?.text || line.text !== lines[index - 2]?.text);
}

/** Words of whisper.cpp are parts of words: one that begins a word begins with a blank. Marks such as `[_BEG_]` are none. */
function joinTokens(tokens: readonly SpokenWord[]): SpokenWord[] {
  const areTokens = tokens.some(({ text }) => text.startsWith(" "));
  const words: SpokenWord[] = [];
  for (const { start, end, text } of tokens) {
    const last = words.at(-1);
    if (text.trim() === "" || /^\[_.*\]$/.test(text.trim())) continue;
    if (!areTokens || text.startsWith(" ") || last === undefined) words.push({ start, end, text: text.trim() });
    else words.splice(-1, 1, { start: last.start, end: Math.max(last.end, end), text: `${last.text}${text.trim()}` });
  }
  return words.filter((word) => word.end > word.start);
}

/** The words as the text of their line writes them: some servers leave signs out of words. */
function withSigns(words: readonly SpokenWord[], text: string): SpokenWord[] {
  const written = text.split(" ");
  return written.length === words.length
    ? words.map((word, index) => ({ ...word, text: written[index] ?? word.text }))
    : [...words];
}

/** Why a transcription server could not be asked, or not be used. */
export type TranscriptionErrorCode =
  /** No answer came, or not in time. */
  | "transcription_unreachable"
  /** It answered with an error: a wrong key, no such model, a broken request. */
  | "transcription_refused"
  /** Its answer holds no times, or cannot be read. */
  | "transcription_unusable";

/** A transcription server could not be asked or used. Names its host at most, never the key. */
export class TranscriptionError extends AudioDescriptionError<TranscriptionErrorCode> {}
