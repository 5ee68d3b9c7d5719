import { worded } from "../../src/core/pattern.ts";
import { english } from "./strings.ts";

/** The panel's words, ready for use: a word with places is a function of them. */
export const words = worded(english);
