import type { TranscriptLine } from "../../core/transcript.ts";
import { serverFetch } from "../outgoing/server-fetch.ts";
import { TranscriptionError } from "./transcription-error.ts";
import { readTranscription } from "./transcription-reply.ts";
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
  const { baseUrl, model, apiKey, timeoutSeconds } = settings;
  const { host } = new URL(baseUrl);
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  let reply: Response;
  let answer: unknown;
  try {
    reply = await serverFetch(isWhisperCpp(baseUrl) ? baseUrl : `${baseUrl}/audio/transcriptions`, {
      method: "POST",
      body: formOf(wave, language, settings),
      headers: apiKey === "" ? {} : { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.any([signal, limit]),
    });
    answer = await reply.json().catch(() => null);
  } catch (cause) {
    signal.throwIfAborted();
    const what = limit.aborted ? `gave no answer within ${timeoutSeconds} s` : "could not be reached";
    throw new TranscriptionError("transcription_unreachable", `The transcription server at ${host} ${what}.`, {
      cause,
    });
  }
  signal.throwIfAborted();
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
