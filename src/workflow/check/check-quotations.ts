import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { PictureMeasure, ReadFrame } from "../../core/picture-measure.ts";
import { mergeRanges, type TimeRange } from "../../core/time-range.ts";
import { REACH } from "./check-shots.ts";
import { quotationsIn } from "./quotations.ts";
import { bareText, isAlike } from "./text-likeness.ts";

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
  const isExplained = (doubt: string) =>
    texts.some((text) => text.includes(doubt) || isAlike(doubt, text, MAYBE_SAME)) || doubt.length < quoted.length / 2;
  const isQuoted = (doubt: string) => quoted.includes(doubt) || isAlike(quoted, doubt, MAYBE_SAME);
  if (doubtful.some((doubt) => isQuoted(doubt) || !isExplained(doubt))) return null;
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
