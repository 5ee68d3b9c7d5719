import type { TimeRange } from "../../src/core/time-range.ts";
import type { Reading, TextChoice } from "../../src/core/verdict.ts";
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
  /** What stands in the field by which a person settles it by hand, see {@link askedByHand}. */
  readonly handDraft: string;
  /** Whether it was opened by the editor, who wants it read otherwise than it was. */
  readonly isAsked: boolean;
}

/** What a person is asked for by hand: the column of the words where that is the question, else the name of the first frame. */
export function askedByHand(readings: readonly Reading[]): "start" | "column" {
  return readings.some(({ choice }) => choice.column !== undefined) ? "column" : "start";
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
