import type { Gap } from "../../core/gap.ts";
import type { Shot } from "../../core/shot.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { OnscreenReading } from "../onscreen-text.ts";
import type { KeyFrame } from "../programme-analysis.ts";

/** A caption or transcript line near the picture, as context. */
export interface TranscriptLine extends TimeRange {
  readonly text: string;
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
  /** Whether every word on screen is to be told; only extended AD has the time. */
  readonly readsAllOnscreenText: boolean;
  /** What stood on screen. */
  readonly onscreen: OnscreenReading;
  readonly shots: readonly Shot[];
  /** Where a cue may lie, in order. */
  readonly gaps: readonly Gap[];
  readonly transcript: readonly TranscriptLine[];
  readonly keyFrames: readonly KeyFrame[];
  /** Folder that holds the key frames. */
  readonly keyFrameFolder: string;
}

/** One description, not yet placed: what it says and the picture it tells of. */
export interface WrittenDescription {
  readonly id: string;
  /** Wordings from the longest to the shortest, at least one; the longest that fits is spoken. */
  readonly wordings: readonly string[];
  /** The picture the words tell of; they are best spoken at its start or shortly before. */
  readonly picture: TimeRange;
  /** How much is lost when it is left out, 0 to 1. */
  readonly importance: number;
}

/** What a describer returns. */
export interface WrittenDescriptions {
  /** Who wrote them, where that is not the describer that was asked. */
  readonly describer?: string;
  readonly descriptions: readonly WrittenDescription[];
  /** Sentences for people about what was left out or assumed. */
  readonly notes: readonly string[];
}

/** Writes description text. Raises `JobFailure` with `content_blocked` when its model refuses. */
export interface Describer {
  /** `script`, `sketch` or `vision`; shown in the result. */
  readonly name: string;
  /** @param onProgress is told the share that is written, 0 to 1, by a describer that takes long. */
  describe(
    request: DescribeRequest,
    signal: AbortSignal,
    onProgress?: (fraction: number) => void,
  ): Promise<WrittenDescriptions>;
}
