import { type Worded, worded } from "../src/core/pattern.ts";
import type { english } from "./strings.ts";

/** The strings of a language: all of `strings.ts`. */
export type Strings = typeof english;

/** The panel's words, once {@link speak} has been given a language: before anything is drawn. */
export const words = {} as Worded<Strings>;

/** Lets the panel speak a language. */
export function speak(strings: Strings): void {
  Object.assign(words, worded(strings));
}
