import type { TimeRange } from "../core/time-range.ts";

/** Text that stood on screen, in seconds on the programme clock. */
export interface OnscreenText extends TimeRange {
  /** In reading order, as read; at least one. */
  readonly lines: readonly string[];
}

/** Text that stood on screen and that nobody could read for certain: it is not spoken. */
export interface UnreadText extends TimeRange {
  /** What it is written in, such as `Cyrillic letters`; `null` where that cannot be told. */
  readonly letters: string | null;
  /** A sentence for people: in which language, why, and what to do. */
  readonly message: string;
}

/** What was read of a programme's picture. Plain data. */
export interface OnscreenReading {
  /** Whether an engine read; `false` when there was none, or nothing to read. */
  readonly isRead: boolean;
  /** In order of time. */
  readonly texts: readonly OnscreenText[];
  /** In order of time. */
  readonly unread: readonly UnreadText[];
  /** Sentences for people about what could not be read. */
  readonly notes: readonly string[];
}

/** Nothing was read, and there is nothing to say about it. */
export const NOTHING_READ: OnscreenReading = { isRead: false, texts: [], unread: [], notes: [] };
