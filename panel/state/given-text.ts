import type { TimeRange } from "../../src/core/time-range.ts";
import { RATE_NAME, type Reading, START_LABEL, type TextChoice, TIME_UNITS } from "../../src/core/verdict.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import type { PickedReading, PickedText, UnderstoodText } from "../../src/workflow/describe/picked-text.ts";
import type { Form } from "./form.ts";

/** Which of the two texts that a form takes: captions of the film, or descriptions of the editor's own. */
export type TextKind = "captions" | "script";

/** A text that an editor picked, as it was read. */
export interface EditorText {
  readonly kind: TextKind;
  readonly picked: PickedText;
  /** What the editor said of it. */
  readonly choice: TextChoice;
  readonly understood: UnderstoodText;
}

/** A question about a text: nothing of it is used before it is answered. */
export interface TextQuestion {
  readonly text: EditorText;
  /** The film that it was held against. */
  readonly film: Pick<PickedReading, "durationSeconds" | "speech">;
  /** What a person is asked for by hand. */
  readonly byHand: keyof TextChoice;
  /** What stands in the field for that. */
  readonly handDraft: string;
  /** Whether it was opened by the editor, who wants it read otherwise than it was. */
  readonly isAsked: boolean;
}

/** What settles a question by hand: the first thing in which its readings differ, else the name of the first frame. */
export function askedByHand(readings: readonly Reading[]): keyof TextChoice {
  const isAsked = (one: keyof TextChoice) => new Set(readings.map(({ choice }) => choice[one])).size > 1;
  return CHANGED.find(isAsked) ?? "start";
}

/** What a person can say of a text, in the order of a receipt. */
export const CHANGED = ["column", "unit", "start", "rate"] as const satisfies readonly (keyof TextChoice)[];

/** What was typed by hand, as a choice; `null` for what cannot be meant. */
export function choiceByHand(what: keyof TextChoice, typed: string): TextChoice | null {
  switch (what) {
    case "column":
      return { column: typed };
    case "start":
      return START_LABEL.test(typed) ? { start: typed } : null;
    case "rate":
      return RATE_NAME.test(typed) && Number(typed) > 0 ? { rate: typed } : null;
    case "unit": {
      const unit = TIME_UNITS.find((one) => one === typed);
      return unit === undefined ? null : { unit };
    }
  }
}

/** What is known of the film that a text of a form belongs to: all of it where all of it is described. */
export function filmOfText(
  form: Pick<Form, "range">,
  sequence: SequenceInfo | null,
  speech: readonly TimeRange[] | undefined,
): Omit<PickedReading, "holds" | "choice"> {
  if (sequence === null || form.range !== "whole") return {};
  const { rate, isDropFrame, startFrame, durationSeconds } = sequence;
  return { grid: { rate, isDropFrame, startFrame }, durationSeconds, ...(speech === undefined ? {} : { speech }) };
}
