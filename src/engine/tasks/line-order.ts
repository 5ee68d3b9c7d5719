import type { VoiceSettings, Voicing } from "../../core/settings.ts";

/** One line that is to be voiced as a job would voice it: plain data, sent to a child process. */
export interface LineOrder {
  readonly text: string;
  /** BCP-47 code. */
  readonly language: string;
  /** Name from the voice catalogue. */
  readonly voice: string;
  readonly volume?: VoiceSettings["volume"];
  /** Length of its cue in seconds, which it is spoken to fit; default: it takes as long as it takes. */
  readonly seconds?: number;
  /** Gains of an earlier mix, in dB; default: found from this line alone. */
  readonly kept: Pick<Voicing, "narrationGainDb" | "trackGainDb">;
  /** Folder of the team, in which spoken lines are kept. */
  readonly narrationFolder: string;
}

/** A line as it was voiced. */
export interface VoicedWave {
  /** A whole WAV file, as `mixNarration` writes narration alone. */
  readonly wave: Uint8Array;
  /** Length of the speech in seconds. */
  readonly seconds: number;
  /** Relative to the voice's normal rate. */
  readonly rate: number;
  /** Whether it is no longer than was asked for. */
  readonly fits: boolean;
}
