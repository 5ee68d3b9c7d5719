import { AudioDescriptionError } from "../../core/error.ts";

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
