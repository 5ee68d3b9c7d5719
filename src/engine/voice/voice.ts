import type { VoiceGender } from "../../contract/choices.ts";
import type { JobFailureCode } from "../../contract/error-codes.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import type { SpokenLine } from "../spoken-line.ts";

/**
 * Most characters of one line: five minutes of speech, which no cue is. The limit bounds the memory a hostile script can
 * ask for.
 */
export const MAX_LINE_CHARACTERS = 4_000;

/** One line to be spoken. */
export interface VoiceRequest {
  /**
   * What is said, as the lexicon left it: plain text, in which no character is markup, of at most
   * {@link MAX_LINE_CHARACTERS}.
   */
  readonly text: string;
  /** The line as it stands in the description, for a person who read it out; absent where nobody knows. */
  readonly written?: string;
  /** BCP-47 code. */
  readonly language: string;
  /** Name from the voice catalogue. */
  readonly voice: string;
  /** Speaking rate relative to the voice's normal one: 1 normal, 1.1 ten per cent faster. */
  readonly rate: number;
}

/** Who is heard behind a name of the catalogue in a language. */
export interface Speaker {
  /** Tells it from the engine's other voices. */
  readonly id: string;
  /** What a person knows it by. */
  readonly title: string;
  /** `null` where nobody says. */
  readonly gender: VoiceGender | null;
}

/**
 * Speaks text. An adapter that does not speak the language with the voice raises `VoiceUnavailableError`; a text
 * without anything to pronounce gives a line of no samples. Equal requests give equal samples wherever the engine
 * behind it allows.
 */
export interface Voice {
  /** Identity of the adapter and its version, part of every narration cache key. */
  readonly id: string;
  /** How sentences name it: `The speech server at 127.0.0.1:8880`. */
  readonly name: string;
  /** Whether each line may cost money: then no line is asked for that may not be needed. */
  readonly isCharged: boolean;
  /** Whether its pace is measured, and put right: what it costs is time alone. Default: its own pace is the normal one. */
  readonly isMeasured?: boolean;
  /** Raises `VoiceUnavailableError` when the pairing cannot be spoken; costs nothing. */
  check(language: string, voice: string): void;
  /** Who is heard by the pairing, where the voice has several; raises what {@link check} does. */
  speaker?(language: string, voice: string): Speaker;
  /** Rejects with the signal's reason as soon as it can once the signal aborts. */
  speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine>;
}

/** @throws RangeError for a line that is longer than any cue, see {@link VoiceRequest.text}. */
export function requireLineLength({ text }: VoiceRequest): void {
  if (text.length <= MAX_LINE_CHARACTERS) return;
  throw new RangeError(`a line of ${text.length} characters; at most ${MAX_LINE_CHARACTERS} are spoken`);
}

/** Whether a text has anything to pronounce. */
export function isPronounceable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Why a voice outside this process did not speak. */
export type SpeechErrorCode =
  /** The server gave no answer, or not in time. */
  | "speech_unreachable"
  /** It answered with an error: a wrong key, no such model or voice. */
  | "speech_refused"
  /** The account has no money left. */
  | "speech_out_of_credit"
  /** It kept saying "later". */
  | "speech_rate_limited"
  /** What came back is no sound that can be read. */
  | "speech_unreadable"
  /** What came back is silent, though there are words to speak. */
  | "speech_silent"
  /** A model on this computer cannot be loaded, or failed. */
  | "speech_model_failed"
  /** The command could not be started, ended badly, or took too long. */
  | "speech_command_failed"
  /** The folder of recordings has none of the line. */
  | "recording_missing";

/** What a job fails with for each. */
const JOB_CODES: Readonly<Record<SpeechErrorCode, JobFailureCode>> = {
  speech_unreachable: "voice_unreachable",
  speech_refused: "voice_refused",
  speech_out_of_credit: "voice_out_of_credit",
  speech_rate_limited: "voice_rate_limited",
  speech_unreadable: "voice_unusable",
  speech_silent: "voice_unusable",
  speech_model_failed: "voice_unusable",
  speech_command_failed: "voice_unusable",
  recording_missing: "voice_unusable",
};

/** A speech server, command or recording did not give the sound of a line. Never holds a key. */
export class SpeechError extends AudioDescriptionError<SpeechErrorCode> {
  /** What a job fails with because of it. */
  get jobCode(): JobFailureCode {
    return JOB_CODES[this.code];
  }
}

/** The selected voice does not speak the requested language. */
export class VoiceUnavailableError extends JobFailure {
  constructor(message: string) {
    super("voice_unavailable", message);
  }
}
