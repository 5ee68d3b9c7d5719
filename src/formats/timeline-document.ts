import type { Timeline } from "../core/timeline.ts";
import type { ParseIssue } from "./parse-issue.ts";

/** What every reader of timelines returns. */
export interface TimelineDocument {
  /** `null` when the text holds no timeline that can be read. */
  readonly timeline: Timeline | null;
  readonly issues: readonly ParseIssue[];
}

/** Which timeline of a text that may hold several is meant. */
export interface TimelineChoice {
  /** Its name; the first one where absent. */
  readonly name?: string;
}
