import type { Cue } from "../../core/cue.ts";
import { formatMilliseconds, millisecondsFrom } from "../clock-time.ts";
import { foldWhiteSpace, plainFromMarkup } from "../plain-markup.ts";

/** What stands in a WebVTT file beside its cues. */
export interface WebVttWriting {
  /** BCP-47 code, written as `Language:` below the signature. */
  readonly language?: string;
  /** Written behind the signature. */
  readonly title?: string;
}

/** Writes cues as WebVTT, in order, times rounded to the millisecond, each cue at least one millisecond long. */
export function writeWebVtt(cues: readonly Cue[], writing: WebVttWriting = {}): string {
  const title = inHeader(writing.title ?? "");
  const language = inHeader(writing.language ?? "");
  const header = `WEBVTT${title === "" ? "" : ` ${title}`}${language === "" ? "" : `\nKind: descriptions\nLanguage: ${language}`}\n`;
  const blocks = cues.map((cue) => {
    const start = millisecondsFrom(cue.start);
    const end = Math.max(start + 1, millisecondsFrom(cue.end));
    return `\n${identifier(cue.id)}${formatMilliseconds(start)} --> ${formatMilliseconds(end)}\n${escapeCueText(cue.text)}\n`;
  });
  return header + blocks.join("");
}

/**
 * Plain text as cue text: one line, with `&`, `<` and `>` as references, so that no `-->` can arise; `{` too where players
 * that take override blocks from SubRip would see one.
 */
function escapeCueText(text: string): string {
  const line = foldWhiteSpace(text);
  const escaped = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.includes("{") && plainFromMarkup(escaped) !== line ? escaped.replaceAll("{", "&#123;") : escaped;
}

/** A cue's id on a line of its own; nothing where it would be read as something else. */
function identifier(id: string): string {
  const line = id.replace(/[\r\n\0]+/g, " ");
  return line === "" || line.includes("-->") ? "" : `${line}\n`;
}

function inHeader(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("-->", "->").trim();
}
