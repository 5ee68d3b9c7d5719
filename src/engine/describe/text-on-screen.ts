import type { JobFinding } from "../../contract/job.ts";
import { cueIdAt } from "../../core/cue.ts";
import { countSpokenWords, spokenWords } from "../../core/speaking-time.ts";
import type { UnreadText } from "../onscreen-text.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "./describer.ts";
import SENTENCES from "./on-screen.json" with { type: "json" };

/** Importance of text that was read: on a title card nothing else is to be seen. */
const IMPORTANCE = 0.95;

/** Words of one text at most, unless all text is asked for: nobody wants the credits read. */
const MOST_WORDS = 30;

/**
 * Describes without a model: it speaks the text that was read on screen, and leaves every other pause to a person. What is
 * measured of a picture is no description: spoken, it would cover the film's own sound and tell nothing.
 */
export const textDescriber: Describer = {
  name: "text",
  describe: async (request) => tellTexts(request),
};

function tellTexts(request: DescribeRequest): WrittenDescriptions {
  const { onscreen, instructions } = request;
  const said = new Set<string>();
  const descriptions: WrittenDescription[] = [];
  for (const { start, end, lines } of onscreen.texts) {
    const wordings = wordingsOf(lines, request).filter((wording) => isNew(wording, request, said));
    for (const wording of wordings) said.add(spokenWords(wording));
    if (wordings.length === 0) continue;
    const id = cueIdAt(descriptions.length);
    descriptions.push({ id, wordings, picture: { start, end }, importance: IMPORTANCE });
  }
  const notes = [
    ...onscreen.notes,
    ...(instructions === "" ? [] : ["The custom instructions could not be followed without a model."]),
  ];
  return { descriptions, notes, findings: unreadFindings(onscreen.unread), leavesRest: true };
}

/** Places that are told one by one at most: credits in other letters go on for minutes. */
const MOST_PLACES = 20;

function unreadFindings(unread: readonly UnreadText[]): JobFinding[] {
  const told = unread.slice(0, MOST_PLACES).map(({ start, end, message }): JobFinding => {
    return { rule: "text-not-read", severity: "warn", message, start, end };
  });
  const more = unread.length - told.length;
  if (more <= 0) return told;
  const message = `Text on screen stands unread in ${more} more ${more === 1 ? "place" : "places"}`;
  return [...told, { rule: "text-not-read", severity: "warn", message }];
}

/** A text that comes back is told once, whichever wording was fitted before, unless every word is asked for. */
function isNew(wording: string, { readsAllOnscreenText }: DescribeRequest, said: ReadonlySet<string>): boolean {
  return readsAllOnscreenText || !said.has(spokenWords(wording));
}

/** From all lines to the first alone; one where every word is asked for. */
function wordingsOf(lines: readonly string[], { language, readsAllOnscreenText }: DescribeRequest): string[] {
  const told = readsAllOnscreenText ? lines : firstLines(lines);
  const shorter = readsAllOnscreenText ? [] : [told.slice(0, 2), told.slice(0, 1)];
  return [...new Set([told, ...shorter].map((some) => onScreenSentence(some, language)))];
}

/** Whole lines up to {@link MOST_WORDS}, at least one. */
function firstLines(lines: readonly string[]): readonly string[] {
  let words = 0;
  const end = lines.findIndex((line, index) => {
    words += countSpokenWords(line);
    return index > 0 && words > MOST_WORDS;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** How a language says what stands on screen. */
interface Sentence {
  /** Holds `{text}`, which the lines that were read take the place of. */
  readonly onScreen: string;
  /** Parts two lines; default a comma and a space. */
  readonly comma?: string;
  /** Ends the sentence; default a full stop. */
  readonly stop?: string;
}

const BY_LANGUAGE: Readonly<Record<string, Sentence | undefined>> = SENTENCES;

/**
 * The sentence that tells lines on screen, with the pauses between them that a reader makes, and a full stop.
 *
 * @param language One of the interface's codes; its first subtag counts (`pt` of `pt-BR`).
 * @throws RangeError for any other language.
 */
function onScreenSentence(lines: readonly string[], language: string): string {
  const sentence = BY_LANGUAGE[language.split("-")[0] ?? ""];
  if (sentence === undefined) throw new RangeError(`there is no sentence for text on screen in ${language}`);
  const { onScreen, comma = ", ", stop = "." } = sentence;
  const parted = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    if (/\p{P}$/u.test(line) && !/[^\p{P}][\p{Pe}\p{Pf}"']$/u.test(line)) return isLast ? line : `${line} `;
    return `${line}${isLast ? stop : comma}`;
  });
  return onScreen.replace("{text}", () => parted.join(""));
}
