import { AudioDescriptionError } from "../../core/error.ts";

/** Why a voice outside this process did not speak. */
export type SpeechErrorCode =
  /** The server gave no answer, or not in time. */
  | "speech_unreachable"
  /** It answered with an error: a wrong key, no such model or voice. */
  | "speech_refused"
  /** What came back is no sound that can be read. */
  | "speech_unreadable"
  /** The command could not be started, ended badly, or took too long. */
  | "speech_command_failed"
  /** The folder of recordings has none of the line. */
  | "recording_missing";

/** A speech server, command or recording did not give the sound of a line. Never holds a key. */
export class SpeechError extends AudioDescriptionError<SpeechErrorCode> {}
