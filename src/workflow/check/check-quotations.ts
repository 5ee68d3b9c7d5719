import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { PictureMeasure, ReadFrame } from "../../core/measures.ts";
import { mergeRanges, type TimeRange } from "../../core/time-range.ts";
import { REACH } from "./check-shots.ts";

/** Letters that may differ, as a share: other spellings and misread letters, not other words. */
const SAME = 0.34;

/** The same for what could not be read for certain, a title that fades in. */
const MAYBE_SAME = 0.5;

/** Lines that a finding names at most. */
const TOLD_LINES = 4;

/** Numbers are written in digits and told in words. */
const NUMBER_WORDS =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million)\b/i;

const SOURCE = "text read on screen around the description; Aside's own limits";

/** Where the picture has to be read for {@link checkQuotations}, in order, in seconds on the programme clock. */
export function quotedStretches(cues: readonly Cue[], language: string): TimeRange[] {
  if (!/^en(?:-|$)/i.test(language)) return [];
  return mergeRanges(cues.filter(({ text }) => quotationsIn(text).length > 0).map(reachOf));
}

/**
 * Finds descriptions that quote a text while another one stands on screen, or none can. In English; only what is certain:
 * near them another text was read with trust, on more than one frame,
 * and nothing there resembles the quotation.
 */
export function checkQuotations(cues: readonly Cue[], { read }: PictureMeasure): Finding[] {
  return cues.flatMap((cue) => {
    const quotations = quotationsIn(cue.text);
    if (quotations.length === 0) return [];
    const finding = { rule: "picture-contradicts", severity: "warn", cueIds: [cue.id], source: SOURCE } as const;
    if (read === undefined) {
      const message = "it quotes text on screen, which could not be read here: see “aside describers”";
      return [{ ...finding, rule: "picture-unread", severity: "note", message }];
    }
    const { start, end } = reachOf(cue);
    const near = read.filter(({ at }) => at >= start && at < end);
    return quotations.flatMap((quotation): Finding[] => {
      const against = contradiction(quotation, near);
      return against === null ? [] : [{ ...finding, message: `it quotes “${quotation}”, and ${against}` }];
    });
  });
}

function reachOf({ start, end }: TimeRange): TimeRange {
  return { start: Math.max(0, start - REACH.before), end: end + REACH.after };
}

/** What speaks against a quotation; `null` for nothing that is certain. */
function contradiction(quotation: string, near: readonly ReadFrame[]): string | null {
  if (near.length === 0) return null;
  if (near.every(({ isPlain }) => isPlain)) return "the picture near it is empty";
  const lines = linesReadTwice(near);
  if (lines.length === 0 || near.some(isUnread)) return null;
  if (NUMBER_WORDS.test(quotation) && lines.some((line) => /\d/.test(line))) return null;
  const quoted = bareText(quotation);
  const texts = near.flatMap((frame) => [...frame.lines, frame.lines.join("")]).map(bareText);
  if (texts.some((text) => isAlike(quoted, text, SAME))) return null;
  // What was doubtful has to be some of what was certain a moment before or later, or too little to be the quotation: hair and leaves.
  const doubtful = near.flatMap((frame) => frame.doubtful).map(bareText);
  const isCertainElsewhere = (doubt: string) => texts.some((text) => text.includes(doubt));
  const isExplained = (doubt: string) =>
    texts.some((text) => isAlike(doubt, text, MAYBE_SAME)) || doubt.length < quoted.length / 2;
  const isQuoted = (doubt: string) => quoted.includes(doubt) || isAlike(quoted, doubt, MAYBE_SAME);
  if (doubtful.some((doubt) => !isCertainElsewhere(doubt) && (isQuoted(doubt) || !isExplained(doubt)))) return null;
  const more = lines.length > TOLD_LINES ? " / …" : "";
  return `on screen near it stands “${lines.slice(0, TOLD_LINES).join(" / ")}${more}”`;
}

/** What stands on more than one frame, each line once: leaves look like a word on one, and not on the next. */
function linesReadTwice(near: readonly ReadFrame[]): string[] {
  const told: string[] = [];
  for (const [index, { lines }] of near.entries()) {
    for (const line of lines) {
      const bare = bareText(line);
      const isAgain = near.some(
        (other, at) => at !== index && other.lines.some((one) => isAlike(bare, bareText(one), SAME)),
      );
      if (isAgain && !told.some((one) => isAlike(bare, bareText(one), SAME))) told.push(line);
    }
  }
  return told;
}

/** A title card that nothing could be made of, such as one in handwriting. */
function isUnread({ isTitle, lines, doubtful }: ReadFrame): boolean {
  return isTitle && lines.length === 0 && doubtful.length === 0;
}

/** What text stands on. */
const BEARERS =
  "(?:sign|title|caption|card|text|lettering|words|banner|headline|poster|screen|letter|note|label|plaque|inscription|" +
  "newspaper|page|display|billboard|placard|logo|message|graffiti)";

/** In quotation marks, or what follows without; see {@link quotationsIn}. */
const QUOTED = "[,:]?\\s+(?:[\"“‘'«]\\s*(.{1,120}?)\\s*[\"”’'»](?!\\p{L})|([^\"“‘'«.!?;,]{3,120}))";

/** A word of the bearer's own: "a rusty sign", but not "a man with a sign", who may speak. */
const OWN_WORD = "(?:(?!(?:an?|the|his|her|their|with|in|on|at|by|of|and)\\b)[\\p{L}’'-]+ )";

/** Ways of quoting what stands on screen. English. */
const FORMS: readonly RegExp[] = [
  // A sign above the door reads "HARBOUR".
  `(?:^|[.;:!?,] (?:and |as |then |while )?)(?:(?:an?|the|his|her|their) )?${OWN_WORD}{0,3}${BEARERS}\\b[^.:;!?"“‘,]{0,60}? (?:reads?|says?|spells?)${QUOTED}`,
  // He stops at a sign saying "HARBOUR".
  `\\b${BEARERS},? (?:reading|saying|spelling|(?:that|which) (?:reads?|says?)|(?:with|bearing) the words)${QUOTED}`,
  // The title "THE HARBOUR" appears.
  `\\b(?:title|caption|headline|lettering|inscription)${QUOTED}`,
].map((form) => new RegExp(form, "giu"));

/** On screen: THE HARBOUR. All of the sentence is meant. */
const TOLD =
  /(?:^|[.!?] )(?:on[- ]screen(?: text)?|(?:text|title) on[- ]screen|title|caption): *(.{3,}?(?=[.!?](?:\s|$)|$))/giu;

/** The shortest that is worth a comparison, in letters and digits. */
const LEAST_CHARACTERS = 3;

/**
 * Texts on screen that an English description quotes: in quotation marks where it names what they stand on, in capital
 * letters there, or after "On screen:". What somebody says is none of them.
 */
export function quotationsIn(text: string): string[] {
  const quoted = FORMS.flatMap((form) =>
    [...text.matchAll(form)].map(([, inMarks, without = ""]) => inMarks ?? (isInCapitals(without) ? without : "")),
  );
  // "On screen: a map" tells what is seen, in words of its own.
  const told = [...text.matchAll(TOLD)].map(([, words = ""]) => (/^\p{Ll}/u.test(words) ? "" : words));
  const all = [...quoted, ...told].map((one) => one.replace(/^["“‘'«\s]+|["”’'»\s.,;:]+$/gu, ""));
  return [...new Set(all)].filter((one) => (one.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_CHARACTERS);
}

function isInCapitals(text: string): boolean {
  return /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);
}

/** Letters and digits alone, in lower case and without accents: what is left of a text however it is set. */
function bareText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Letters below which a text is in every other. */
const LEAST_LETTERS = 3;

/**
 * Whether one of two texts stands in the other but for some letters.
 *
 * @param a Bare text, see {@link bareText}; so is `b`.
 * @param tolerance Letters of the shorter text that may be wrong, missing or too many, as a share of it.
 */
function isAlike(a: string, b: string, tolerance: number): boolean {
  const [part, whole] = a.length <= b.length ? [a, b] : [b, a];
  return part.length >= LEAST_LETTERS && editsWithin(part, whole) <= tolerance * part.length;
}

/** The least number of letters to change, add or take away for `part` to stand somewhere in `whole` (Sellers 1980). */
function editsWithin(part: string, whole: string): number {
  let before: number[] = Array(whole.length + 1).fill(0);
  for (const [row, letter] of [...part].entries()) {
    const now = [row + 1];
    for (let at = 0; at < whole.length; at++) {
      const change = (before[at] ?? 0) + (whole[at] === letter ? 0 : 1);
      now.push(Math.min(change, (before[at + 1] ?? 0) + 1, (now[at] ?? 0) + 1));
    }
    before = now;
  }
  return Math.min(...before);
}
