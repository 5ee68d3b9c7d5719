import * as z from "zod/mini";
import { SEEN_PLACEMENT_PROFILE } from "../../../core/placement.ts";
import { countSpokenWords } from "../../../core/speaking-time.ts";
import { foldedWords } from "../../../core/text.ts";
import type { TimeRange } from "../../../core/time-range.ts";
import type { DescribeRequest, Rehearsal } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker } from "./asker.ts";
import { isInLanguage, languageFault } from "./in-language.ts";
import { inParallel } from "./in-parallel.ts";
import { bibleLines, type Knowledge } from "./know.ts";
import { DATA_RULE, dataBlock, dialogueLine, languageRule, prompt, quoted, roomWords, seconds } from "./rules.ts";
import { clearOf, secondsPerWord } from "./scenes.ts";

/** A line as it will be spoken, with what it may grow to where it stands. */
export interface LineToRead {
  readonly id: string;
  /** Seconds on the programme clock. */
  readonly start: number;
  readonly text: string;
  /** Words that it may have: what there is room for between its neighbours, and not many more than it has. */
  readonly mostWords: number;
}

/** What the last reading changes of a line. */
export interface Change {
  readonly id: string;
  /** Other words, or `null` to leave it out. */
  readonly text: string | null;
  readonly why: string;
  /** Whether its own words may be spoken where the other ones find no place: they mislead nobody. */
  readonly isMild: boolean;
}

/** What can be wrong with a line in its script. A place that is missing is mild; the others mislead. */
const FAULTS = ["repeated", "unclear", "place", "early", "name"] as const;

const READING = answerShape(
  "changes",
  z.object({
    changes: z.array(
      z.object({
        line: z.number(),
        fault: z._default(z.enum(FAULTS), "unclear"),
        text: z._default(z.string(), ""),
        why: z._default(z.string(), ""),
      }),
    ),
  }),
  "changes",
);

/** Lines of one reading, and lines of the reading before that are shown again. */
const LINES_AT_ONCE = 150;
const LEADING_LINES = 15;
/** Words by which a mended line may be longer than it was: it mends, and tells nothing new. */
const LONGER_WORDS = 5;

function readingSystem(request: DescribeRequest): string {
  return prompt([
    "You are the editor of a film's audio description. You read it through before it is spoken.",
    'Name only lines with one of these faults: "repeated", it tells again what an earlier line told; "unclear", a pronoun could mean two or stands for whom no line has told of; "place", a new place or time comes without a word; "early", it gives away what is to come; "name", it names somebody before the bible allows.',
    'For each give "line", "fault", "why" in a few words, and "text": the mended line, no longer than is stated for it (a place or a label that is missing may be added) and with nothing else new in it; or an empty text to leave it out. Most lines need nothing.',
    DATA_RULE,
    languageRule(request.language),
    'Answer with JSON only: {"changes": [{"line": 7, "fault": "unclear", "text": "...", "why": "..."}]}, or {"changes": []}.',
  ]);
}

/** Reads the whole spoken script once more: what is said twice, unclear or too early. */
export async function readThrough(
  lines: readonly LineToRead[],
  {
    request,
    knowledge,
    asker,
  }: { readonly request: DescribeRequest; readonly knowledge: Knowledge; readonly asker: Asker },
): Promise<Change[]> {
  const parts: number[] = [];
  const atOnce = asker.small?.readLines ?? LINES_AT_ONCE;
  const leading = Math.min(LEADING_LINES, Math.floor(atOnce / 4));
  for (let from = 0; from < lines.length; from += atOnce) parts.push(from);
  const changes = await inParallel(parts, asker.parallel, async (from) => {
    const first = Math.max(0, from - leading);
    const read = lines.slice(first, from + atOnce);
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
              read.map((line, index) => lineText(line, first + index + 1, request)),
            ),
          ]),
        },
      ],
      faultOf: ({ changes: said }) =>
        languageFault(
          said.map(({ text }) => text),
          request.language,
        ) ?? tooLong(said, lines, request),
    });
    if (outcome.kind !== "answer") return [];
    return outcome.answer.changes.flatMap(({ line, fault, text, why }): Change[] => {
      const meant = lines[line - 1];
      const mended = foldedWords(text);
      if (meant === undefined || line - 1 < from || line > from + atOnce || mended === meant.text) return [];
      if (mended === "") return [{ id: meant.id, text: null, why: why.trim(), isMild: false }];
      const isLonger = countSpokenWords(mended) > countSpokenWords(meant.text) + LONGER_WORDS;
      if (isLonger || !isInLanguage(mended, request.language)) return [];
      return [{ id: meant.id, text: mended, why: why.trim(), isMild: fault === "place" }];
    });
  });
  return changes.flat();
}

function lineText({ start, text, mostWords }: LineToRead, number: number, request: DescribeRequest): string {
  return `Line ${number}, ${seconds(start)}, at most ${roomWords(mostWords, request)}: ${text}`;
}

function tooLong(
  changes: readonly { readonly line: number; readonly text: string }[],
  lines: readonly LineToRead[],
  request: DescribeRequest,
): string | null {
  for (const { line, text } of changes) {
    const most = lines[line - 1]?.mostWords;
    if (most === undefined || countSpokenWords(text) <= most + 1) continue;
    return `${quoted(text)} is longer than ${roomWords(most, request)}.`;
  }
  return null;
}

/**
 * What a rehearsed script is read as: each line with the words that it may have where it stands, from when its picture
 * lets it begin, or the line before it ends, to the next line or the end of its pause.
 */
export function readingLines(
  spoken: Rehearsal["spoken"],
  pictures: ReadonlyMap<string, TimeRange>,
  request: DescribeRequest,
): LineToRead[] {
  const isHeld = request.type === "extended";
  const { maximumLead, minimumSeparation } = SEEN_PLACEMENT_PROFILE;
  const whole = { start: 0, end: request.durationSeconds };
  const pauses = clearOf(request);
  return spoken.map(({ id, start, end, text }, index) => {
    const own = Math.round(countSpokenWords(text));
    if (isHeld) return { id, start, text, mostWords: own + LONGER_WORDS };
    const pause = pauses.find((one) => one.start <= start && end <= one.end) ?? whole;
    const seen = (pictures.get(id)?.start ?? start) - maximumLead;
    const from = Math.max(pause.start, Math.min(seen, start), (spoken[index - 1]?.end ?? 0) + minimumSeparation);
    const until = Math.min(pause.end, (spoken[index + 1]?.start ?? whole.end) - minimumSeparation);
    const words = Math.floor((until - from) / secondsPerWord(request));
    return { id, start, text, mostWords: Math.min(Math.max(words, own), own + LONGER_WORDS) };
  });
}
