import type { Cue } from "../core/cue.ts";
import { spokenText } from "../core/direction.ts";
import { isObject, parsedJson } from "../core/objects.ts";
import { millisecondsFrom, parseTimeText, type TimeText } from "./clock-time.ts";
import type { CueDocument } from "./cue-list.ts";
import type { Format } from "./format.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { TextRows } from "./gate/text-rows.ts";
import { addTimedRows, type TimedRow } from "./gate/timed-rows.ts";
import type { IssueList } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";
import { parseWebVtt } from "./webvtt/webvtt.ts";

/** What a JSON document holds. */
export interface CueJsonDocument extends CueDocument {
  /** BCP-47 code where the document states one. */
  readonly language?: string;
}

/** Names under which an entry's values are found, first one first. */
const START_NAMES = ["start_time", "start", "begin", "in", "startTime", "time", "timestamp"];
const END_NAMES = ["end_time", "end", "out", "endTime"];
const DURATION_NAMES = ["duration", "dur"];
const TEXT_NAMES = ["description", "text", "transcript", "content", "lines", "payload", "comment"];
/** Where a description stands with the directions to the voice that were typed in it. */
const TYPED_NAME = "as_typed";
const ID_NAMES = ["id", "cue_id", "identifier"];

/** Names under which the list of entries, or something that holds it, is found. */
const LIST_NAMES = [
  "segments",
  "items",
  "cues",
  "descriptions",
  "fragments",
  "captions",
  "content",
  "output",
  "result",
  "results",
  "chunks",
  "transcription",
  "utterances",
  "channels",
  "alternatives",
  "paragraphs",
  "sentences",
];

/** Names whose numbers are seconds by the interface they stand in; of any other the film tells what they count. */
const SECONDS_NAMES = new Set(["start_time", "end_time"]);

/** Pairs of times that tools of speech write: names, and what their numbers count. */
const PAIR_NAMES = ["timestamps", "timestamp", "offsets"];

/** Objects and strings inside each other that are followed before a document counts as none of ours. */
const DEEPEST = 8;

/**
 * Reads cues from JSON: text or an already parsed value. Takes an array of entries, objects that hold one under a usual
 * name at any depth up to eight (`output.content` as text or array, `output.segments`, `output.items`), and WebVTT under
 * `vtt` where there are no entries. Times are seconds or texts; names of an entry's values have the usual aliases.
 */
export function parseCueJson(input: unknown, reading: FilmReading = {}): CueJsonDocument {
  const gathered = new TextRows(reading);
  const { issues } = gathered;
  const value = typeof input === "string" ? jsonOf(input, issues) : input;
  const found = findEntries(value, 0);
  if (found === null) {
    const vtt = findWebVtt(value, 0);
    if (vtt !== null) return { ...parseWebVtt(vtt, {}, reading), ...language(value) };
  }
  const rows: TimedRow[] = [];
  for (const [index, entry] of (found ?? []).entries()) {
    const row = rowOf(entry);
    if (row === null) issues.add("bad-entry", 0, excerpt(entry), `entry ${index + 1}`);
    else rows.push(row);
  }
  addTimedRows(rows, gathered);
  return { ...gathered.document(), ...language(value) };
}

function jsonOf(text: string, issues: IssueList): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    issues.add("bad-json", 0, text, error instanceof Error ? error.message : "");
    return null;
  }
}

/** The list of entries in a document, one that is not empty before one that is; `null` when it holds none. */
function findEntries(value: unknown, depth: number): readonly unknown[] | null {
  if (depth > DEEPEST) return null;
  if (Array.isArray(value))
    return value.some((entry) => rowOf(entry) !== null) ? value : (listsIn(value, depth) ?? value);
  // Text inside JSON need not be JSON: the search goes on elsewhere.
  if (typeof value === "string") return findEntries(parsedJson(value), depth + 1);
  if (!isObject(value)) return null;
  let empty: readonly unknown[] | null = null;
  for (const name of LIST_NAMES) {
    const entries = Object.hasOwn(value, name) ? findEntries(value[name], depth + 1) : null;
    if (entries !== null && entries.length > 0) return entries;
    empty ??= entries;
  }
  return empty;
}

/** The entries of lists inside the items of one that holds no times itself: channels, paragraphs; `null` where there are none. */
function listsIn(items: readonly unknown[], depth: number): readonly unknown[] | null {
  const inner = items.flatMap((item) => (isObject(item) ? (findEntries(item, depth) ?? []) : []));
  return inner.some((entry) => rowOf(entry) !== null) ? inner : null;
}

/** A WebVTT text in a document that holds no entries. */
function findWebVtt(value: unknown, depth: number): string | null {
  if (depth > DEEPEST || !isObject(value)) return null;
  for (const name of ["vtt", "content"]) {
    const text = value[name];
    if (typeof text === "string" && /^\ufeff?WEBVTT/.test(text)) return text;
  }
  return findWebVtt(value["output"], depth + 1);
}

function rowOf(entry: unknown): TimedRow | null {
  if (!isObject(entry)) return null;
  const pair = pairOf(entry);
  const start = pair?.start ?? timeNamed(entry, START_NAMES);
  if (start === null) return null;
  const said = textOf(first(entry, TEXT_NAMES));
  if (said === null) return null;
  // Whoever changed the description did not change what was typed before.
  const typed = textOf(entry[TYPED_NAME]);
  const text = typed !== null && spokenText(typed) === said ? typed : said;
  const id = first(entry, ID_NAMES);
  return {
    id: typeof id === "string" || typeof id === "number" ? foldWhiteSpace(String(id)) : "",
    start,
    end: pair === null ? timeNamed(entry, END_NAMES) : pair.end,
    duration: pair === null ? timeOf(first(entry, DURATION_NAMES)) : null,
    text,
    line: 0,
  };
}

function first(entry: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const name of names) {
    const value = entry[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function timeNamed(entry: Readonly<Record<string, unknown>>, names: readonly string[]): TimeText | null {
  const name = names.find((one) => entry[one] !== undefined && entry[one] !== null) ?? "";
  return timeOf(entry[name], SECONDS_NAMES.has(name));
}

/** @param isSeconds Whether a number is known to count seconds. */
function timeOf(value: unknown, isSeconds = false): TimeText | null {
  if (typeof value === "number" && !Number.isFinite(value)) return null;
  if (typeof value === "number") return { kind: "clock", seconds: value, ...(isSeconds ? {} : { isNumber: true }) };
  return typeof value === "string" ? parseTimeText(value.trim()) : null;
}

/** Start and end that stand together: `[1.2, 3.4]` in seconds, `{ "from": 1200, "to": 3400 }` in milliseconds, or as clock times. */
function pairOf(
  entry: Readonly<Record<string, unknown>>,
): { readonly start: TimeText; readonly end: TimeText | null } | null {
  const value = first(entry, PAIR_NAMES);
  const [from, to] = Array.isArray(value) ? value : isObject(value) ? [value["from"], value["to"]] : [];
  const scaled = (time: unknown) => (typeof time === "number" && isObject(value) ? time / 1000 : time);
  const start = timeOf(scaled(from), true);
  return start === null ? null : { start, end: timeOf(scaled(to), true) };
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return foldWhiteSpace(value);
  if (!Array.isArray(value)) return null;
  return foldWhiteSpace(value.filter((line) => typeof line === "string").join("\n"));
}

function language(value: unknown, depth = 0): { readonly language?: string } {
  if (depth > DEEPEST || !isObject(value)) return {};
  const own = value["language"];
  return typeof own === "string" && own !== "" ? { language: own } : language(value["output"], depth + 1);
}

function excerpt(entry: unknown): string {
  return isObject(entry) ? `{ ${Object.keys(entry).join(", ")} }` : String(entry);
}

/**
 * Writes cues as a JSON array, one entry a line: `id`, `start_time` and `end_time` in seconds rounded to the millisecond,
 * `description`, and the description `as_typed` where directions to the voice stand in it.
 */
export function writeCueJson(cues: readonly Cue[]): string {
  const entries = cues.map((cue) => {
    const start = millisecondsFrom(cue.start);
    const end = Math.max(start + 1, millisecondsFrom(cue.end));
    const description = spokenText(cue.text);
    const typed = description === cue.text ? {} : { [TYPED_NAME]: cue.text };
    return JSON.stringify({ id: cue.id, start_time: start / 1000, end_time: end / 1000, description, ...typed });
  });
  return entries.length === 0 ? "[]\n" : `[\n  ${entries.join(",\n  ")}\n]\n`;
}

/** JSON: every shape of a service's reply, usual names of times and texts. */
export const CUE_JSON = {
  title: "JSON, in every shape of a service's reply",
  endings: ["json"],
  shows: ({ isLikeJson }) => (isLikeJson ? 0.9 : 0),
  read: parseCueJson,
  write: ({ cues }) => writeCueJson(cues),
  lacks: { language: true },
} as const satisfies Format;
