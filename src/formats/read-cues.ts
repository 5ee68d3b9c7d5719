import { parseCmx3600 } from "./cmx3600/cmx3600.ts";
import { parseCueJson } from "./cue-json.ts";
import type { CueDocument } from "./cue-list.ts";
import { parseCueTable } from "./cue-table.ts";
import { type CueFormat, type DocumentFormat, detectFormat, isCueFormat } from "./detect.ts";
import type { LabelReading } from "./label-clock.ts";
import { IssueList } from "./parse-issue.ts";
import { parsePlainText } from "./plain-text.ts";
import { parseSbv } from "./sbv.ts";
import { parseSubRip } from "./subrip.ts";
import { parseWebVtt } from "./webvtt/webvtt.ts";

/** What a caller knows about a text before it is read. */
export interface CueReading extends LabelReading {
  /** The format, where it is known for certain; detected otherwise. */
  readonly format?: CueFormat;
  /** A hint: its ending names a format. */
  readonly filename?: string;
}

/** Cues of a text in any format. */
export interface ReadCues extends CueDocument {
  /** The format it was read as; `null` when it is in none that carries cues. */
  readonly format: CueFormat | null;
  /** How sure the format is, 0 to 1; 1 when the caller gave it. */
  readonly confidence: number;
  /** BCP-47 code where the text states one. */
  readonly language?: string;
}

/** How sure a text must be of another format to overrule the one a caller gives. */
const OVERRULES = 0.95;

/**
 * Reads cues from a text in any format. Never throws on a text: what cannot be read is in the issues, and cues are empty
 * when nothing can. A format given by the caller gives way where the text plainly is in another, or yields no cue in it.
 * Timelines, TTML and other formats that are seldom handed around are named but not read here; `readDocument` reads them,
 * at four times the weight.
 */
export function readCues(text: string, reading: CueReading = {}): ReadCues {
  const given = reading.format;
  const detected = detectFormat(text, reading.filename);
  const isOverruled = detected !== null && detected.format !== given && detected.confidence >= OVERRULES;
  if (given !== undefined && !isOverruled) {
    const read = readAs(given, text, reading);
    if (read.cues.length > 0) return { ...read, format: given, confidence: 1 };
  }
  if (detected === null) return unreadable(text, given ?? null);
  const { format } = detected;
  if (!isCueFormat(format)) return unreadable(text, null, format);
  return { ...readAs(format, text, reading), format, confidence: format === given ? 1 : detected.confidence };
}

function readAs(format: CueFormat, text: string, reading: CueReading): CueDocument & { readonly language?: string } {
  switch (format) {
    case "vtt": {
      const { cues, issues, metadata } = parseWebVtt(text);
      return { cues, issues, ...stated(metadata.get("Language")) };
    }
    case "srt":
      return parseSubRip(text);
    case "edl": {
      const { cues, issues } = parseCmx3600(text, reading);
      return { cues, issues };
    }
    case "json":
      return parseCueJson(text, reading);
    case "sbv":
      return parseSbv(text);
    case "plaintext":
      return parsePlainText(text, reading);
    case "csv":
    case "tsv":
      return parseCueTable(text, reading);
  }
}

function stated(language: string | undefined): { readonly language?: string } {
  return language === undefined || language === "" ? {} : { language };
}

function unreadable(text: string, given: CueFormat | null, found?: DocumentFormat): ReadCues {
  const issues = new IssueList();
  const isEmpty = text.trim() === "";
  const detail = found === undefined ? "" : `it is ${found}, which "aside convert" turns into WebVTT`;
  issues.add(isEmpty ? "empty-text" : "unknown-format", 0, text.trim().slice(0, 200), detail);
  return { cues: [], issues: issues.finish(), format: given, confidence: 0 };
}
