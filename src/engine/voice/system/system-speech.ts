import type { Environment } from "../../outgoing/environment.ts";

/** A voice that the system, or a program on it, has. */
export interface SystemVoice {
  /** As the program takes it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** BCP-47 code; a language alone where no more is known. */
  readonly language: string;
  /** `null` where the program does not say. */
  readonly gender: "female" | "male" | null;
  /** Higher for voices that sound more natural; 0 for the usual ones. */
  readonly quality: number;
}

/** A program that speaks on this computer, and its voices. */
export interface SystemSpeech {
  /** For people. */
  readonly title: string;
  /** As `ASIDE_VOICE_COMMAND` takes it. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What stands in a text for what the program would take as an order, where there is any. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** The most natural first; never none. */
  readonly voices: readonly SystemVoice[];
}

/** What the search needs of the computer. */
export interface SearchContext {
  readonly environment: Environment;
  /** Path of a program that `PATH` leads to; `null` where there is none. */
  readonly locate: (program: string) => Promise<string | null>;
  /** What a program writes to standard output. Rejects where it cannot be run or ends badly. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}
