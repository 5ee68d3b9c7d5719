import type { JobFinding } from "../../contract/job.ts";
import type { TranscriptLine } from "../../core/dialogue.ts";
import type { FilmBible } from "../../core/film-bible.ts";
import type { Gap } from "../../core/gap.ts";
import type { Shot } from "../../core/shot.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { OnscreenReading } from "../onscreen-text.ts";
import type { KeyFrame } from "../programme-analysis.ts";

export type { TranscriptLine };

/** What would be spoken of descriptions if they were placed now. */
export interface Rehearsal {
  /** In order of time, on the programme clock. */
  readonly spoken: readonly (TimeRange & { readonly id: string; readonly text: string })[];
  /** Ids of those without a place. */
  readonly unspoken: readonly string[];
}

/** What a describer is given. Times are seconds on the programme clock. */
export interface DescribeRequest {
  readonly durationSeconds: number;
  readonly language: string;
  readonly category: string;
  readonly type: "standard" | "extended";
  readonly instructions: string;
  /** Names and terms of the programme, each `term` or `term: what it is`. */
  readonly glossary: readonly string[];
  /** What the editor says of the film; it stands over whatever a model finds. */
  readonly bible: FilmBible;
  /** Whether every word on screen is to be told; only extended AD has the time. */
  readonly readsAllOnscreenText: boolean;
  /** What stood on screen. */
  readonly onscreen: OnscreenReading;
  readonly shots: readonly Shot[];
  /** Where a cue may lie, in order. */
  readonly gaps: readonly Gap[];
  /** What is said, in order. */
  readonly transcript: readonly TranscriptLine[];
  readonly keyFrames: readonly KeyFrame[];
  /** Folder that holds the key frames. */
  readonly keyFrameFolder: string;
  /** Extended AD: the time that holds may add, as a share of the programme's length. */
  readonly maximumAddedShare: number;
  /** Money that asking a model may cost; `undefined` for any. */
  readonly maximumCost: number | undefined;
  /** Time that the chosen voice takes, relative to `estimateSpeakingSeconds`. */
  readonly pace: number;
  /** Places descriptions as the job will, to learn which of them are spoken. */
  readonly rehearse: (descriptions: readonly WrittenDescription[], signal: AbortSignal) => Promise<Rehearsal>;
}

/** One description, not yet placed: what it says and the picture it tells of. */
export interface WrittenDescription {
  readonly id: string;
  /** Wordings from the longest to the shortest, at least one; a longer one is worth more. */
  readonly wordings: readonly string[];
  /** The picture the words tell of; they are best spoken at its start or shortly before. */
  readonly picture: TimeRange;
  /** When each thing that it tells is seen, where they are several. */
  readonly moments?: readonly TimeRange[];
  /** How much is lost when it is left out, 0 to 1. */
  readonly importance: number;
  /** How sure its writer is that the picture shows it, 0 to 1; absent where nobody says. */
  readonly confidence?: number;
  /** Why a person should look at it, in a few words; absent for no doubt. */
  readonly doubt?: string;
}

/** What a describer returns. */
export interface WrittenDescriptions {
  /** Who wrote them, where that is not the describer that was asked. */
  readonly describer?: string;
  readonly descriptions: readonly WrittenDescription[];
  /** What was learned of the film, with the editor's corrections; absent where nobody looked. */
  readonly bible?: FilmBible;
  /** Sentences for people about what was left out or assumed. */
  readonly notes: readonly string[];
  /** What a person must know of the descriptions; absent where there is nothing. */
  readonly findings?: readonly JobFinding[];
  /** Descriptions of a script that begin after the programme's end; absent where none does. */
  readonly late?: readonly WrittenDescription[];
  /** What may be so and may not: it is spoken by nobody, and shown to whoever writes the pauses around it. */
  readonly unsure?: readonly WrittenDescription[];
  /** Whether the pauses without a description are left to a person to write. */
  readonly leavesRest?: boolean;
}

/** Writes description text. Raises `JobFailure` with `content_blocked` when its model refuses. */
export interface Describer {
  /** `script`, `vision` or `text`; shown in the result. */
  readonly name: string;
  /** @param onProgress is told the share that is written, 0 to 1, by a describer that takes long. */
  describe(
    request: DescribeRequest,
    signal: AbortSignal,
    onProgress?: (fraction: number) => void,
  ): Promise<WrittenDescriptions>;
}
