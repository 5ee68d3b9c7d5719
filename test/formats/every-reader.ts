import { strToU8, zipSync } from "fflate";
import type { Cue } from "../../src/core/cue.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import {
  detectFormat,
  FORMATS,
  OfficeFault,
  PARSE_ISSUE_CODES,
  type ParseIssue,
  parseCmx3600,
  parseCueJson,
  parseCueTable,
  parseFcp7Xml,
  parseFcpxml,
  parseOtio,
  parsePlainText,
  parseSbv,
  parseSubRip,
  parseTtml,
  parseWebVtt,
  readCues,
  readDocument,
} from "../../src/formats/index.ts";
import { officeText } from "../../src/formats/office/office-text.ts";
import { rtfText } from "../../src/formats/office/rtf-text.ts";

const SIGNED = ["ebu-stl", "scc", "ass", "avid-markers", "pro-tools"] as const;

/** Issues that a list of them keeps at most; a reader may join two lists. */
const MOST_ISSUES = 2 * 1001;

/** What any reader returns, as far as laws are about it. */
export interface Reading {
  readonly cues?: readonly Cue[];
  readonly timeline?: Timeline | null;
  readonly issues?: readonly ParseIssue[];
}

/** A document of Word or Excel; one that is refused holds nothing. */
function office(bytes: Uint8Array): Reading {
  try {
    return { cues: readDocument(officeText(bytes)).cues };
  } catch (error) {
    if (error instanceof OfficeFault) return {};
    throw error;
  }
}

const packed = (text: string, ...paths: readonly string[]) =>
  zipSync(Object.fromEntries(paths.map((path) => [path, strToU8(text)])), { level: 0 });

/** Every reader of text, by name; those of Word and Excel are given it as their parts, `archive` as its bytes. */
export const READERS: Readonly<Record<string, (text: string) => Reading>> = {
  vtt: parseWebVtt,
  "vtt-strict": (text) => parseWebVtt(text, { isStrict: true }),
  srt: parseSubRip,
  sbv: parseSbv,
  plaintext: parsePlainText,
  edl: parseCmx3600,
  json: parseCueJson,
  table: parseCueTable,
  ttml: parseTtml,
  otio: parseOtio,
  "fcp7-xml": parseFcp7Xml,
  fcpxml: parseFcpxml,
  ...Object.fromEntries(SIGNED.map((format) => [format, FORMATS[format].read])),
  rtf: (text) => ({ cues: readDocument(rtfText(text, (bytes) => String.fromCharCode(...bytes.slice(0, 1000)))).cues }),
  word: (text) => office(packed(text, "word/document.xml")),
  excel: (text) => office(packed(text, "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml")),
  archive: (text) => office(Buffer.from(text, "latin1")),
  detected: (text) => {
    detectFormat(text);
    readCues(text);
    const { cues, timeline, issues } = readDocument(text);
    return { cues, issues, ...(timeline === undefined ? {} : { timeline }) };
  },
};

/** What of a reading breaks a promise that every reader makes about it; empty when it keeps them all. */
export function brokenPromises({ cues = [], timeline, issues = [] }: Reading, lines: number): string[] {
  const broken: string[] = [];
  const ids = new Set<string>();
  let latest = 0;
  for (const { id, start, end, text } of cues) {
    const isTimed = Number.isFinite(start) && Number.isFinite(end) && start >= latest && end > start;
    if (!isTimed) broken.push(`cue ${id} is at ${start} to ${end} behind one at ${latest}`);
    if (text === "" || /^\s|\s$|[^\S ]|\s\s/.test(text)) broken.push(`cue ${id} says ${JSON.stringify(text)}`);
    if (id === "" || ids.has(id)) broken.push(`the id ${JSON.stringify(id)} is empty or not unique`);
    ids.add(id);
    latest = start;
  }
  for (const { code, line, text } of issues) {
    const isPlaced = Number.isSafeInteger(line) && line >= 0 && line <= lines;
    if (!isPlaced) broken.push(`issue ${code} is on line ${line} of ${lines}`);
    if (text.length > 120 || !PARSE_ISSUE_CODES.includes(code)) broken.push(`issue ${code} is not as promised`);
  }
  if (issues.length > MOST_ISSUES) broken.push(`${issues.length} issues`);
  return timeline ? [...broken, ...brokenInTimeline(timeline)] : broken;
}

function brokenInTimeline({ tracks, rate, startFrame, markers }: Timeline): string[] {
  const broken: string[] = [];
  if (!(rate.numerator > 0 && rate.denominator > 0)) broken.push("the rate is none");
  if (!Number.isSafeInteger(startFrame)) broken.push(`the start is frame ${startFrame}`);
  for (const { clips, transitions } of tracks) {
    let end = Number.NEGATIVE_INFINITY;
    for (const clip of clips) {
      const isPlaced = clip.start >= end - 1e-6 && clip.end >= clip.start && Number.isFinite(clip.end);
      if (!isPlaced) broken.push(`clip ${clip.name} is at ${clip.start} to ${clip.end} behind ${end}`);
      if (!Number.isFinite(clip.sourceStart)) broken.push(`clip ${clip.name} shows source time ${clip.sourceStart}`);
      if (!Number.isFinite(clip.speed)) broken.push(`clip ${clip.name} runs at speed ${clip.speed}`);
      end = clip.end;
      if (clip.source.kind === "nested") broken.push(...brokenInTimeline(clip.source.timeline));
    }
    if (!transitions.every(isRange)) broken.push("a transition lies nowhere");
  }
  if (!markers.every(isRange)) broken.push("a marker lies nowhere");
  return broken;
}

function isRange({ start, end }: { readonly start: number; readonly end: number }): boolean {
  return Number.isFinite(start) && Number.isFinite(end) && end >= start;
}

/** Lines of a text as editors of text count them. */
export function lineCount(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}
