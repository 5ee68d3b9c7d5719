import { readFile } from "node:fs/promises";
import type { JobFinding } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import { otherLanguage } from "../../core/other-language.ts";
import { foldedWords } from "../../core/text.ts";
import { type FilmReading, heldBackReason, readCues } from "../../formats/index.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import { languageName, otherLanguageName } from "../language-name.ts";
import type { Environment } from "../outgoing/local-only.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "./describer.ts";

/**
 * Takes descriptions from a given script (EDL, WebVTT, SubRip, JSON or timestamped plain text) instead of writing any.
 * Words, order and times are the script's own; each line is told to be about the picture at its time.
 *
 * @param film What is known of the programme: how its labels count, and where somebody speaks.
 */
export function scriptDescriber(script: string, film: FilmReading): Describer {
  return { name: "script", describe: async (request) => readScript(script, film, request) };
}

/** Issues that are told one by one; a script in the wrong format has one in every line. */
const MOST_ISSUES = 20;

function readScript(
  script: string,
  film: FilmReading,
  { durationSeconds, language }: Pick<DescribeRequest, "durationSeconds" | "language">,
): WrittenDescriptions {
  const { cues, issues, verdict } = readCues(script, { ...film, durationSeconds, holds: "descriptions" });
  if (cues.length === 0) {
    const why = heldBackReason(verdict);
    const sentence =
      why === null ? "The given script holds no line with a time and a text." : `The script was not spoken: ${why}.`;
    throw new JobFailure("script_unreadable", sentence);
  }
  const within = cues.filter((cue) => cue.start < durationSeconds);
  const late = cues.filter((cue) => cue.start >= durationSeconds);
  const notes = issues.slice(0, MOST_ISSUES).map(({ line, message, text }) => {
    const where = line === 0 ? "Script" : `Script, line ${line}`;
    return `${where}: ${message}${text === "" ? "" : ` ("${text.slice(0, 80)}")`}.`;
  });
  const more = issues.length - notes.length;
  if (more > 0) notes.push(`The script has ${more} more places like these.`);
  return {
    descriptions: within.map(descriptionOf),
    notes,
    findings: languageFindings(within, language),
    ...(late.length === 0 ? {} : { late: late.map(descriptionOf) }),
  };
}

/** That most of a script is in another language than the voice that speaks it: one who orders may have forgotten to say. */
function languageFindings(cues: readonly Pick<Cue, "text">[], language: string): JobFinding[] {
  const others = cues.map(({ text }) => otherLanguage(text, language)).filter((other) => other !== null);
  if (others.length === 0 || 2 * others.length <= cues.length) return [];
  const counts = [...new Set(others)].map((other) => ({ other, count: others.filter((one) => one === other).length }));
  const { other } = counts.reduce((most, one) => (one.count > most.count ? one : most));
  const message = `The script is in ${otherLanguageName(other)} for the most part, and a voice for ${languageName(language)} speaks it: order the language that it is written in`;
  return [{ rule: "other-language", severity: "warn", message }];
}

function descriptionOf({
  id,
  start,
  end,
  text,
}: {
  id: string;
  start: number;
  end: number;
  text: string;
}): WrittenDescription {
  return { id, wordings: [text], picture: { start, end }, importance: 1 };
}

/** Characters of a glossary at the most: it goes out with every request to a model. */
const MOST_CHARACTERS = 8_000;

/**
 * Reads the file that `ASIDE_GLOSSARY` names: names and terms of a programme for a model, one a line, as `term` or
 * `term = what it is`; `#` starts a comment line.
 *
 * @returns `term` or `term: what it is`, in the order of the file; none where the variable is not set.
 * @throws JobFailure `setup_incomplete` when the file cannot be read or is too long.
 */
export async function readGlossary(environment: Environment): Promise<string[]> {
  const path = environment["ASIDE_GLOSSARY"]?.trim() ?? "";
  if (path === "") return [];
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new JobFailure("setup_incomplete", "The file that ASIDE_GLOSSARY names cannot be read.", { cause });
  });
  if (text.length > MOST_CHARACTERS) {
    throw new JobFailure(
      "setup_incomplete",
      `The file that ASIDE_GLOSSARY names has ${text.length} characters; at most ${MOST_CHARACTERS} are sent to a model.`,
    );
  }
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map(foldedWords)
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.replace(/\s*=\s*/, ": ").replace(/: $/, ""));
}
