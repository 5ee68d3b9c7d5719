import { z } from "zod/mini";
import type { DescribeRequest } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker } from "./asker.ts";
import { inParallel } from "./in-parallel.ts";
import { bibleLines, type Knowledge } from "./know.ts";
import { DATA_RULE, dataBlock, dialogueLine, languageRule, prompt, seconds } from "./rules.ts";

/** A line as it will be spoken. */
export interface SpokenLine {
  readonly id: string;
  readonly start: number;
  readonly text: string;
}

/** What the last reading changes of a line: other words, or `null` to leave it out, and why. */
export interface Change {
  readonly id: string;
  readonly text: string | null;
  readonly why: string;
}

const READING = answerShape(
  "changes",
  z.object({
    changes: z.array(z.object({ line: z.number(), text: z._default(z.string(), ""), why: z._default(z.string(), "") })),
  }),
  "changes",
);

/** Lines of one reading, and lines of the reading before that are shown again. */
const LINES_AT_ONCE = 150;
const LEADING_LINES = 15;

function readingSystem(request: DescribeRequest): string {
  return prompt([
    "You read the whole audio description of a film once more before it is spoken, as its editor.",
    "Name only lines with one of these faults: it tells again what an earlier line told; a pronoun could mean two; a new place or time comes without a word; it gives away what is to come; it names somebody before the bible allows.",
    'For each give "line", "why" in a few words, and "text": the mended line, hardly longer than it is (a place or a label that is missing may be added) and with nothing else new in it; or an empty text to leave it out. Most lines need nothing.',
    DATA_RULE,
    languageRule(request.language),
    'Answer with JSON only: {"changes": [{"line": 7, "text": "...", "why": "..."}]}, or {"changes": []}.',
  ]);
}

/** Reads the whole spoken script once more: what is said twice, unclear or too early. */
export async function readThrough(
  lines: readonly SpokenLine[],
  {
    request,
    knowledge,
    asker,
  }: { readonly request: DescribeRequest; readonly knowledge: Knowledge; readonly asker: Asker },
): Promise<Change[]> {
  const parts: number[] = [];
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) parts.push(from);
  const changes = await inParallel(parts, asker.parallel, async (from) => {
    const first = Math.max(0, from - LEADING_LINES);
    const read = lines.slice(first, from + LINES_AT_ONCE);
    const since = read[0]?.start ?? 0;
    const until = (read.at(-1)?.start ?? 0) + 10;
    const outcome = await asker.ask({
      system: readingSystem(request),
      shape: READING,
      parts: [
        {
          text: prompt([
            ...dataBlock("The bible of the film:", bibleLines(knowledge.bible)),
            ...dataBlock(
              "Heard between the lines:",
              request.transcript.filter(({ start }) => start >= since && start <= until).map(dialogueLine),
            ),
            ...dataBlock(
              "The lines:",
              read.map(({ start, text }, index) => `Line ${first + index + 1}, ${seconds(start)}: ${text}`),
            ),
          ]),
        },
      ],
    });
    if (outcome.kind !== "answer") return [];
    return outcome.answer.changes.flatMap(({ line, text, why }): Change[] => {
      const meant = lines[line - 1];
      const mended = text.replace(/\s+/g, " ").trim();
      if (meant === undefined || line - 1 < from || line > from + LINES_AT_ONCE || mended === meant.text) return [];
      return [{ id: meant.id, text: mended === "" ? null : mended, why: why.trim() }];
    });
  });
  return changes.flat();
}
