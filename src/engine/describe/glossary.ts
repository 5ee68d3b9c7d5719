import { readFile } from "node:fs/promises";
import { JobFailure } from "../isolate/job-failure.ts";
import type { Environment } from "../outgoing/environment.ts";

/** Characters of a glossary at the most: it goes out with every request to a model. */
const MOST_CHARACTERS = 8_000;

/**
 * Reads the file that `ASIDE_GLOSSARY` names: names and terms of a programme for a model, one a line, as `term` or
 * `term = what it is`; `#` starts a comment line.
 *
 * @returns `term` or `term: what it is`, in the order of the file; none where the variable is not set.
 * @throws JobFailure `internal_error` when the file cannot be read or is too long.
 */
export async function readGlossary(environment: Environment): Promise<string[]> {
  const path = environment["ASIDE_GLOSSARY"]?.trim() ?? "";
  if (path === "") return [];
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new JobFailure("internal_error", "The file that ASIDE_GLOSSARY names cannot be read.", { cause });
  });
  if (text.length > MOST_CHARACTERS) {
    throw new JobFailure(
      "internal_error",
      `The file that ASIDE_GLOSSARY names has ${text.length} characters; at most ${MOST_CHARACTERS} are sent to a model.`,
    );
  }
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.replace(/\s*=\s*/, ": ").replace(/: $/, ""));
}
