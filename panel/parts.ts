import { AudioDescriptionError } from "../src/core/error.ts";
import { words } from "./words.ts";

// The script that the page loads holds what the first view needs. The rest is `work.js` beside it, read when something is
// first done: what is imported here under the name "work", and only so, is put there by the bundler.

/** `work.js` is not there, or does not run. */
class PartMissingError extends AudioDescriptionError<"part_missing"> {}

/** What describing a sequence takes. @throws PartMissingError */
export async function describePart(): Promise<typeof import("./describe/describe-part.ts")> {
  return fromWork(() => import(/* webpackChunkName: "work" */ "./describe/describe-part.ts"));
}

/** What works on results: review, placing, and what follows. @throws PartMissingError */
export async function reviewPart(): Promise<typeof import("./review/review-part.ts")> {
  return fromWork(() => import(/* webpackChunkName: "work" */ "./review/review-part.ts"));
}

/** Reads a module of `work.js`. @throws PartMissingError */
export async function fromWork<Module>(read: () => Promise<Module>): Promise<Module> {
  try {
    return await read();
  } catch (error) {
    throw new PartMissingError("part_missing", words.partMissing, { cause: error });
  }
}
