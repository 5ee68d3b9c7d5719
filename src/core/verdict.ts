import type { Cue } from "./cue.ts";

/** One way in which something that came from outside may be meant. */
export interface Reading {
  /** As a person is told it, without full stop: `The column "Beschreibung"`, `Times in milliseconds`. */
  readonly label: string;
  /** Option of the command line that chooses it, with its value: `--columns text=C`. */
  readonly option: string;
  /** How well the film bears it out, 0 to 1; equal numbers are equally likely. */
  readonly fit: number;
  /** The first cues under it, on the programme clock, so that a person sees what it would mean. */
  readonly preview: readonly Cue[];
}

/** Something that was not taken in, and how much of it: `{ what: "hidden row", count: 2 }`. */
export interface LeftOut {
  /** In the singular, as a person calls it. */
  readonly what: string;
  readonly count: number;
}

/** What was read of something from outside, and from where: said of everything that is read, whatever became of it. */
export interface Receipt {
  /** A sentence each, the most important first: `12 descriptions from the column "Beschreibung"`. Without full stop. */
  readonly facts: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * What is held of something that came from outside: a text, a table, a sound, a picture, a server's answer.
 *
 * - `fits`: it can be true of this film as it was read.
 * - `repaired`: it could not, or was broken; what was done about it is said in `how`.
 * - `unsure`: several readings can be true. Nothing of it is used before a person has chosen.
 * - `does not fit`: no reading can be true of this film, or it is something else; `why` says it, with what to do.
 */
export type Verdict =
  | { readonly kind: "fits" }
  | { readonly kind: "repaired"; readonly how: readonly string[] }
  | { readonly kind: "unsure"; readonly question: string; readonly readings: readonly Reading[] }
  | { readonly kind: "does not fit"; readonly why: string };
