import { parseEdlEventLine } from "./cmx3600/edl-event.ts";
import { parseRowHead } from "./plain-text.ts";
import { linesOf } from "./text-lines.ts";

/** Formats of text that the interface of a service knows: of results, captions and scripts. */
export type ServiceFormat = "vtt" | "srt" | "edl" | "json" | "plaintext";

/** The format a text is in, with how sure that is. */
export interface Detected<Format extends string> {
  readonly format: Format;
  /** 0 to 1: 1 is a signature no other format has, 0.5 an even guess. */
  readonly confidence: number;
}

/** How much of a text is looked at, in characters; formats show themselves early. */
const PROBE_LENGTH = 64 * 1024;

/** What a matching name adds to a finding. */
const NAME_WEIGHT = 0.2;

/** How sure a name alone makes. */
const NAME_ONLY = 0.1;

/** What a file name's ending says. */
export const SERVICE_ENDINGS: ReadonlyMap<string, ServiceFormat> = new Map<string, ServiceFormat>([
  ["vtt", "vtt"],
  ["webvtt", "vtt"],
  ["srt", "srt"],
  ["edl", "edl"],
  ["json", "json"],
  ["txt", "plaintext"],
]);

/**
 * Names the format of a text that was exchanged with a service, or `null` when nothing in it can be read. The text counts
 * more than the name: a name decides only where the text leaves it open.
 */
export function detectServiceFormat(text: string, filename?: string): Detected<ServiceFormat> | null {
  return likeliest(text, serviceCandidates, SERVICE_ENDINGS.get(endingOf(filename)));
}

/** A file name's ending in small letters, without its dot; empty when it has none. */
export function endingOf(filename = ""): string {
  return /\.([^.]*)$/.exec(filename)?.[1]?.trim().toLowerCase() ?? "";
}

/** The candidate that text and name speak for; the name alone counts where there is none. */
export function likeliest<Format extends string>(
  text: string,
  candidates: (probe: string) => readonly Detected<Format>[],
  named: Format | undefined,
): Detected<Format> | null {
  const best = candidates(text.slice(0, PROBE_LENGTH)).reduce<Detected<Format> | null>((best, one) => {
    const confidence = Math.min(1, one.confidence + (one.format === named ? NAME_WEIGHT : 0));
    return best === null || confidence > best.confidence ? { format: one.format, confidence } : best;
  }, null);
  if (best !== null || named === undefined || text.trim() === "") return best;
  return { format: named, confidence: NAME_ONLY };
}

/** What a text may be, with how sure that is. */
export function serviceCandidates(text: string): Detected<ServiceFormat>[] {
  const head = headOf(text);
  if (head === "") return [];
  if (/^WEBVTT(?=\s|$)/.test(head)) return [{ format: "vtt", confidence: 1 }];
  return isLikeJson(head) ? [{ format: "json", confidence: 0.9 }] : candidatesOfLines(linesOf(text));
}

/** A text from its first sign on, without a byte order mark. */
export function headOf(text: string): string {
  return text.replace(/^\ufeff/, "").trimStart();
}

/** Whether a text begins as JSON does, and not as a row with its time in brackets. */
export function isLikeJson(head: string): boolean {
  return /^[[{]\s*(?:["{[\]}\d-]|$)/.test(head) && parseRowHead(head.slice(0, 200)) === null;
}

const ARROW_LINE = /\d\s*-{1,3}>\s*\d/;

/** Formats without a signature, by the lines that only they have. */
function candidatesOfLines(lines: readonly string[]): Detected<ServiceFormat>[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const arrows = filled.filter((line) => ARROW_LINE.test(line));
  const others = filled.filter((line) => !ARROW_LINE.test(line));
  const isEvent = (line: string) => /^\s*\d/.test(line) && parseEdlEventLine(line) !== null;
  const isHead = (line: string) => /^\s*(?:TITLE|FCM)\s*:/i.test(line);
  const hasHead = others.some(isHead);
  const found: Detected<ServiceFormat>[] = [];
  if (others.some(isEvent)) found.push({ format: "edl", confidence: hasHead ? 1 : 0.9 });
  else if (hasHead) found.push({ format: "edl", confidence: 0.5 });
  if (arrows.length > 0) found.push(...candidatesOfArrows(lines, arrows));
  const rows = others.filter((line) => !isEvent(line) && !isHead(line) && parseRowHead(line) !== null).length;
  if (rows > 0) found.push({ format: "plaintext", confidence: Math.min(0.85, 0.4 + rows / filled.length / 2) });
  return found;
}

/** SubRip has numbers above its times and commas in them; WebVTT without its signature has neither. */
function candidatesOfArrows(lines: readonly string[], arrows: readonly string[]): Detected<ServiceFormat>[] {
  const hasComma = arrows.some((line) => /\d,\d{1,3}\s*-{1,3}>/.test(line));
  const isNumbered = /^\s*\d+\s*$/.test(lines[lines.findIndex((line) => ARROW_LINE.test(line)) - 1] ?? "");
  const confidence = hasComma && isNumbered ? 0.95 : hasComma || isNumbered ? 0.8 : 0.6;
  const vtt: Detected<ServiceFormat>[] = hasComma ? [] : [{ format: "vtt", confidence: isNumbered ? 0.5 : 0.59 }];
  return [{ format: "srt", confidence }, ...vtt];
}
