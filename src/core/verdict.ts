import type { Cue } from "./cue.ts";

/**
 * What numbers without colons may count: seconds, thousandths, frames of the film, samples of its sound; `s.ff`: seconds, and behind
 * the point frames.
 */
export const TIME_UNITS = ["s", "ms", "frames", "samples", "s.ff"] as const;

/** What a number without colons counts. */
export type TimeUnit = (typeof TIME_UNITS)[number];

/** How a person writes {@link TextChoice.start}: as a label, or as a clock time. */
export const START_LABEL = /^\d{1,3}[:;]\d\d[:;]\d\d(?:[:;]\d{2,3}|[.,]\d{1,3})?$/;

/** How a person writes {@link TextChoice.rate}. */
export const RATE_NAME = /^\d{1,3}(?:\.\d{1,3})?$/;

/** What a person says of a text that may be meant in several ways. */
export interface TextChoice {
  /** What the film's first instant is called in the text: `10:00:00:00`, `10:00:00`, `10:00:00.000`. */
  readonly start?: string;
  /** What its numbers count. */
  readonly unit?: TimeUnit;
  /** The frame rate that its times were made for, as editors write it: `25`, `23.976`. */
  readonly rate?: string;
  /** The column of its words, by letter or head; or several of its columns: `start=A,duration=C,text=E`. */
  readonly column?: string;
}

/** One way in which something that came from outside may be meant. */
export interface Reading {
  /** As a person is told it, without full stop: `The column "Beschreibung"`, `Times in milliseconds`. */
  readonly label: string;
  /** What a person says to have it read so. */
  readonly choice: TextChoice;
  /** How well the film bears it out, 0 to 1; equal numbers are equally likely. */
  readonly fit: number;
  /** How many of its lines go with the film: lie in it and, where somebody listened, with the dialogue or beside it. */
  readonly fitting: number;
  /** How many lines it has. */
  readonly lines: number;
  /** The first cues under it, on the programme clock, so that a person sees what it would mean. */
  readonly preview: readonly Cue[];
}

/** Something that was not taken in, and how much of it: `{ what: "hidden row", count: 2 }`. */
export interface LeftOut {
  /** In the singular, as a person calls it. */
  readonly what: string;
  readonly count: number;
  /** What stands there, in order, as far as it can be told: the first 20 of them, each cut to 120 characters. */
  readonly words?: readonly string[];
}

/** What was read of something from outside, and from where: said of everything that is read, whatever became of it. */
export interface Receipt {
  /** A sentence each, the most important first: `12 descriptions from the column "Beschreibung"`. Without full stop. */
  readonly facts: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** What a person can say otherwise, with what was taken: one of the facts, or a sentence of its own. */
  readonly choices?: ReceiptChoices;
}

/** What was taken for each thing that a person can say of a text, in sentences without full stop. */
export type ReceiptChoices = Readonly<Partial<Record<keyof TextChoice, string>>>;

/**
 * What is held of something that came from outside: a text, a table, a sound, a picture, a server's answer.
 *
 * - `fits`: it can be true of this film as it was read.
 * - `repaired`: it could not, or was broken; what was done about it is said in `how`.
 * - `unsure`: several readings can be true. Nothing of it is used before a person has chosen.
 * - `does not fit`: no reading can be true of this film, or it is something else; `why` says it without full stop. `mend`:
 *   what a person can say so that it is read after all.
 */
export type Verdict =
  | { readonly kind: "fits" }
  | { readonly kind: "repaired"; readonly how: readonly string[] }
  | { readonly kind: "unsure"; readonly question: string; readonly readings: readonly Reading[] }
  | { readonly kind: "does not fit"; readonly why: string; readonly mend?: keyof TextChoice };

/** What is told of something that was read, a line each: from where, and what was left out. */
export function receiptLines(receipt: Receipt | undefined): string[] {
  if (receipt === undefined) return [];
  const leftOut = receipt.leftOut.map(({ what, count }) => `${count} ${count === 1 ? what : inPlural(what)}`);
  return [...receipt.facts, ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.join(", ")}`])];
}

/** Something left out in the plural: its first noun is the one that is counted. */
function inPlural(what: string): string {
  return what.replace(/^.*?(?=$| (?:of|inside|over|to) )/, (noun) => (noun.endsWith("x") ? `${noun}es` : `${noun}s`));
}
