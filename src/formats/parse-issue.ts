import type { Receipt } from "../core/verdict.ts";

/**
 * What became of the place an issue names: `dropped`: its content is not in the result; `repaired`: it was read against
 * the letter of the format; `assumed`: the text leaves something open and a choice was made; `note`: nothing was lost.
 */
export type IssueEffect = "dropped" | "repaired" | "assumed" | "note";

/** Every issue a reader can report, with its effect and its sentence. */
const ISSUES = {
  "empty-text": ["dropped", "there is nothing to read"],
  "unknown-format": ["dropped", "the text is in no format that can be read"],
  unsure: ["note", "nothing was read, because it may be meant in several ways"],
  "not-of-this-film": ["dropped", "nothing was read, because it cannot be of this film"],
  "no-words": ["dropped", "nothing was read"],
  "no-cues": ["note", "no cue was found"],
  "bad-timing": ["dropped", "the times cannot be read"],
  "missing-timing": ["dropped", "text without a time"],
  "missing-text": ["dropped", "a time without text"],
  "missing-end": ["assumed", "no end is given; it was estimated from the length of the text"],
  "end-before-start": ["repaired", "the end is not after the start; it was estimated from the length of the text"],
  "duplicate-id": ["repaired", "the identifier is used twice; the later one got a number"],
  "out-of-order": ["repaired", "cues were not in order of time and have been ordered"],
  "odd-time": ["repaired", "the time is not written as the format asks, but clear"],
  "blank-line-in-text": ["repaired", "a blank line inside the text was taken as part of it"],
  "escaped-text": [
    "repaired",
    "the words stand there as in HTML; references such as &nbsp; were read as their characters",
  ],
  "missing-header": ["repaired", "the header line of the format is missing"],
  "stray-text": ["dropped", "a line belongs to nothing"],
  "bad-event": ["dropped", "the event cannot be read"],
  "unknown-line": ["note", "the line means nothing here"],
  "label-out-of-range": ["repaired", "a timecode has a part above its range; it was carried over"],
  "dropped-label": ["repaired", "drop-frame has no such timecode; the next one was taken"],
  "assumed-rate": ["assumed", "the text does not say its frame rate"],
  "assumed-start": ["assumed", "the timecode of the programme's start was inferred"],
  "assumed-unit": ["assumed", "the text does not say what its times count"],
  "assumed-stretch": ["assumed", "the times were made for another frame rate"],
  "whole-seconds": ["note", "the times are whole seconds"],
  "left-out-before": ["dropped", "it lies before the programme's start and is not of it"],
  "frame-mode-conflict": ["assumed", "the text and the sequence disagree on drop-frame"],
  "text-from-clip-name": ["assumed", "no comment carries text; clip names were taken for it"],
  "never-shown": ["dropped", "it, or what it stands in, ends before it begins, so that it is never shown"],
  "block-count": ["note", "the head names another number of blocks"],
  overlap: ["note", "it begins while another is shown"],
  "name-not-words": ["note", "a name of a file, reel or shot was not taken for words"],
  direction: ["note", "directions to the voice are kept with the words, and not spoken"],
  "length-mismatch": ["note", "source and record differ in length, and no change of speed says why"],
  "before-start": ["repaired", "a time lies before the programme's start and was moved to it"],
  "bad-json": ["dropped", "the text is not JSON"],
  "bad-entry": ["dropped", "an entry has no readable time or text"],
  "bad-xml": ["repaired", "the XML is broken"],
  "no-timeline": ["dropped", "the text holds no timeline"],
  "bad-time": ["repaired", "a time is missing or no number"],
  "hidden-marker": ["dropped", "a marker lies outside what its clip shows"],
  "unknown-object": ["note", "an object of unknown kind was passed over"],
  "assumed-frame-mode": ["assumed", "the text does not say whether its timecode is drop-frame; non-drop was assumed"],
  "unknown-marker": ["dropped", "there is no marker of this id to change or remove"],
  "clip-in-the-way": ["repaired", "the track is taken at this time; another track was made"],
  encoding: ["assumed", "the encoding is not stated and was inferred"],
  "bad-bytes": ["repaired", "bytes that are no character were replaced"],
  "more-issues": ["note", "there are more issues than are listed"],
} as const satisfies Record<string, readonly [IssueEffect, string]>;

/** Stable name of a kind of issue. */
export type ParseIssueCode = keyof typeof ISSUES;

/** Every kind of issue there is. */
// The keys of the table are its type's keys, which Object.keys forgets.
export const PARSE_ISSUE_CODES = Object.keys(ISSUES) as readonly ParseIssueCode[];

/** Something a reader met that is not as the format says. Reading goes on. */
export interface ParseIssue {
  readonly code: ParseIssueCode;
  readonly effect: IssueEffect;
  /** Line counted from 1; 0 when the issue is about the whole text. */
  readonly line: number;
  /** What stands there, cut to 120 characters. */
  readonly text: string;
  /** A sentence for people, without full stop; names what was assumed where there was a choice. */
  readonly message: string;
  /** How many of them there are, where one stands for several. */
  readonly count?: number;
}

/** Issues a reader keeps; a broken text of any length stays small. */
const ISSUE_LIMIT = 1000;

const TEXT_LIMIT = 120;

/** Of what is left out, as much is shown as a person looks through. */
const MOST_SHOWN = 20;

function excerptOf(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT - 1)}…` : text;
}

/** Gathers what is told of something that was read, whatever became of it. */
export class ReceiptBuilder {
  readonly #facts: string[] = [];
  readonly #leftOut = new Map<string, { count: number; readonly words: string[] }>();

  /** Adds a sentence without full stop. */
  fact(sentence: string): void {
    this.#facts.push(sentence);
  }

  /** Counts something that is not taken in, by its name in the singular, and keeps some of what stands there. */
  leaveOut(what: string, count = 1, words: readonly string[] = []): void {
    if (count <= 0) return;
    const known = this.#leftOut.get(what) ?? { count: 0, words: [] };
    known.count += count;
    for (const one of words) {
      if (known.words.length === MOST_SHOWN) break;
      const shown = excerptOf(one.replace(/\s+/g, " ").trim());
      if (shown !== "") known.words.push(shown);
    }
    this.#leftOut.set(what, known);
  }

  /** What was gathered so far. */
  finish(): Receipt {
    const leftOut = [...this.#leftOut].map(([what, { count, words }]) => ({
      ...{ what, count },
      ...(words.length === 0 ? {} : { words: [...words] }),
    }));
    return { facts: [...this.#facts], leftOut };
  }
}

/** Why a text gave no cue, by the first of its issues that lost one, in a sentence without full stop. */
export function whyNothing(issues: readonly ParseIssue[], otherwise = "nothing in it has a time"): string {
  const first = issues.find(({ effect }) => effect === "dropped") ?? issues[0];
  if (first === undefined) return otherwise;
  return first.line === 0 ? first.message : `${first.message} (line ${first.line})`;
}

/** Gathers issues, at most {@link ISSUE_LIMIT}; after that it only counts. */
export class IssueList {
  readonly #issues: ParseIssue[] = [];
  #unlisted = 0;

  /** Adds an issue; `detail` follows its sentence after a colon, `count` says how many it stands for. */
  add(code: ParseIssueCode, line: number, text = "", detail = "", count?: number): void {
    if (this.#issues.length >= ISSUE_LIMIT) {
      this.#unlisted += 1;
      return;
    }
    const [effect, sentence] = ISSUES[code];
    this.#issues.push({
      code,
      effect,
      line,
      text: excerptOf(text),
      message: detail === "" ? sentence : `${sentence}: ${detail}`,
      ...(count === undefined ? {} : { count }),
    });
  }

  /** The issues in order of line; a last one counts those that are not listed. */
  finish(): ParseIssue[] {
    const issues = [...this.#issues].sort((a, b) => a.line - b.line);
    if (this.#unlisted > 0) {
      const [effect, sentence] = ISSUES["more-issues"];
      issues.push({ code: "more-issues", effect, line: 0, text: "", message: `${sentence}: ${this.#unlisted} more` });
    }
    return issues;
  }
}
