import type { IssueList } from "../parse-issue.ts";
import { linesOf } from "../text-lines.ts";
import { type EdlComment, parseEdlComment } from "./edl-comment.ts";

/** What an event line says. Labels are as they stand. */
export interface EdlEventLine {
  readonly number: string;
  readonly reel: string;
  /** Channels in capitals: `V`, `A2`, `AA/V`, `NONE`. */
  readonly channels: string;
  readonly sourceIn: string;
  readonly sourceOut: string;
  readonly recordIn: string;
  readonly recordOut: string;
}

const LABEL = /^\d{1,3}[:;.,]\d{1,2}[:;.,]\d{1,2}[:;.,]\d{1,3}$/;
const NUMBER = /^\d{1,9}[A-Za-z]?$/;
/**
 * Reel, channels, transition with its length: the reel may be of any length, blanks included. Some lists leave the letter of a
 * dissolve out and keep its length.
 */
const MIDDLE = /^(?:(.*) )?(NONE|B\d?|[AV][AV\d/,+]{0,63}) (?:(?:C|D|W\d{0,3}|K ?[BO]?)(?: \d{1,5}F?)?|\d{3}F?)$/i;

/** Whether a word is a timecode label, whatever its separators. */
function isEdlLabel(word: string): boolean {
  return LABEL.test(word);
}

/**
 * Takes an event line apart: number, reel, channels, transition, source in and out, record in and out. Columns may be
 * parted by any white space. `null` when it is no event line.
 */
export function parseEdlEventLine(line: string): EdlEventLine | null {
  const words = line.trim().split(/\s+/);
  const number = words[0] ?? "";
  if (words.length < 7 || !NUMBER.test(number)) return null;
  const labels = words.slice(-4);
  const [sourceIn = "", sourceOut = "", recordIn = "", recordOut = ""] = labels;
  const middle = MIDDLE.exec(words.slice(1, -4).join(" "));
  if (middle === null || !labels.every(isEdlLabel)) return null;
  const [, reel = "", channels = ""] = middle;
  return { number, reel, channels: channels.toUpperCase(), sourceIn, sourceOut, recordIn, recordOut };
}

/** Whether a line shows an EDL: an event, or its head. */
export function isEdlLine(line: string): boolean {
  return isEdlHead(line) || isEdlEvent(line);
}

/** Whether a line is one of the head of an EDL. */
export function isEdlHead(line: string): boolean {
  return /^\s*(?:TITLE|FCM)\s*:/i.test(line);
}

/** Whether a line is an event of an EDL. */
export function isEdlEvent(line: string): boolean {
  return /^\s*\d/.test(line) && parseEdlEventLine(line) !== null;
}

/** A row of the marker table that Avid Media Composer puts behind the events. */
export interface EdlTableMarker {
  readonly label: string;
  /** Label of its end; empty for a marker without length. */
  readonly endLabel: string;
  readonly name: string;
  readonly comment: string;
  readonly line: number;
}

const TABLE_TITLE = "Marker Metadata";
const ROW = /^\s*\d+\s/;
const MARKER_LABEL = /^\d{1,3}[:;]\d\d[:;]\d\d[:;]\d{2,3}$/;

/** Reads the table line by line: its title, its head, which says where the columns stand, its rows. */
export class EdlMarkerTable {
  readonly markers: EdlTableMarker[] = [];
  #isInside = false;
  #columns: readonly { readonly name: string; readonly start: number }[] = [];

  /** Whether a line (without its star, otherwise as it stands) belongs to the table. */
  read(line: string, number: number): boolean {
    const words = line.trim();
    if (words === TABLE_TITLE) this.#isInside = true;
    if (!this.#isInside) return /^[=-]{8,}$/.test(words);
    if (words.startsWith("Number") && words.includes("Start TC")) this.#columns = columnsOf(line);
    else if (this.#columns.length > 0 && ROW.test(line)) this.#readRow(line, number);
    return true;
  }

  #readRow(line: string, number: number): void {
    const label = this.#value(line, "Start TC");
    if (!MARKER_LABEL.test(label)) return;
    const end = this.#value(line, "End TC");
    this.markers.push({
      label,
      endLabel: MARKER_LABEL.test(end) ? end : "",
      name: this.#value(line, "Marker Name"),
      comment: this.#value(line, "Comment"),
      line: number,
    });
  }

  #value(line: string, name: string): string {
    const index = this.#columns.findIndex((column) => column.name === name);
    const column = this.#columns[index];
    return column === undefined ? "" : line.slice(column.start, this.#columns[index + 1]?.start).trim();
  }
}

/** Where each column begins: its name stands above the first character of its values. */
function columnsOf(head: string): { name: string; start: number }[] {
  return ["Number", "Color", "Marker Name", "Start TC", "End TC", "Duration", "Track", "Part", "Comment"]
    .map((name) => ({ name, start: head.indexOf(name) }))
    .filter((column) => column.start !== -1);
}

/** One line of an event: where it is recorded. Labels are as they stand. */
export interface EdlEdit extends EdlEventLine {
  readonly line: number;
}

/** Edits that share a number, with what stands below them. */
export interface EdlEvent {
  /** More than one where a transition names both of its sides. */
  readonly edits: readonly [EdlEdit, ...EdlEdit[]];
  readonly comments: readonly EdlComment[];
  /** How many lines change its speed (`M2`). */
  readonly speedChanges: number;
}

/** An EDL taken apart, nothing interpreted. */
export interface EdlDocument {
  readonly title: string;
  readonly events: readonly EdlEvent[];
  /** Rows of the marker table behind the events. */
  readonly markers: readonly EdlTableMarker[];
  /**
   * Whether the record side counts in drop-frame: what the first `FCM` line says, where it stands before the events; later ones are
   * about the reels. `null` when there is none.
   */
  readonly isDropFrame: boolean | null;
}

/** An event while its lines are still coming. */
interface OpenEvent {
  readonly edits: [EdlEdit, ...EdlEdit[]];
  readonly comments: EdlComment[];
  speedChanges: number;
}

const TITLE = /^\s*TITLE\s*:\s*(.*)$/i;
const FRAME_MODE = /^\s*FCM\s*:\s*(NON[- ]?)?DROP/i;
/** Split edits and further channels, which belong to an event and say nothing of its times. */
const DETAIL = /^\s*(?:SPLIT\s*:\s*(?:AUDIO|VIDEO)\s+DELAY\s*=\s*\S+|AUD\s+[\d\s]+$)/i;

/** Statements that say nothing about what is recorded: remarks, machine control, reel notes, source lists. */
const REMARK = /^\s*(?:REM\b|GPI\b|FINAL CUT PRO REEL|>>>|BLOCK\b|DLEDL|SWM\b|TRIGGER\b|FCM\b|DRIVE\b)/i;

/** Takes an EDL apart into events, in file order. Lines of no known kind are reported. */
export function parseEdl(text: string, issues: IssueList): EdlDocument {
  const reader = new EdlReader(issues);
  for (const [index, line] of linesOf(text).entries()) reader.read(line, index + 1);
  return reader;
}

class EdlReader implements EdlDocument {
  title = "";
  isDropFrame: boolean | null = null;
  readonly events: OpenEvent[] = [];
  readonly #issues: IssueList;
  readonly #table = new EdlMarkerTable();
  /** Whether the line before goes on in the next: it reaches the edge at which lists are wrapped. */
  #isOpen = false;
  /** The blank at which the line before was wrapped. */
  #wrapped = "";

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  get markers(): readonly EdlTableMarker[] {
    return this.#table.markers;
  }

  read(line: string, number: number): void {
    if (line.trim() === "") return;
    if (line.startsWith("*") && this.#table.read(line.slice(1), number)) return;
    if (/^\s*\d/.test(line) && this.#readEvent(line, number)) return;
    if (this.#readComment(line, number) || this.#readHeader(line) || this.#readDetail(line)) return;
    // Old systems end a file with SUB (Ctrl-Z).
    const isRemark = REMARK.test(line) || line.startsWith("\u001a");
    if (!isRemark) this.#issues.add("unknown-line", number, line);
  }

  #readEvent(line: string, number: number): boolean {
    const parsed = parseEdlEventLine(line);
    if (parsed === null) {
      const looksLikeEvent = /(?:\d\d?[:;.]){3}\d\d.*(?:\d\d?[:;.]){3}\d\d/.test(line.slice(0, 400));
      if (looksLikeEvent) this.#issues.add("bad-event", number, line);
      return looksLikeEvent;
    }
    const edit = { ...parsed, line: number };
    const last = this.events.at(-1);
    if (last?.edits[0].number === parsed.number) last.edits.push(edit);
    else this.events.push({ edits: [edit], comments: [], speedChanges: 0 });
    return true;
  }

  #readComment(line: string, number: number): boolean {
    const found = parseEdlComment(line, number);
    if (found === null) return false;
    const comments = this.events.at(-1)?.comments;
    const last = this.#isOpen && found.kind === "free" ? comments?.pop() : undefined;
    // Lists are cut anywhere, inside words too: what stands behind the star and its blank goes on as it is.
    const rest = line.replace(/^\s*\* ?/, "");
    comments?.push(last === undefined ? found : { ...last, text: `${last.text}${this.#wrapped}${rest.trimEnd()}` });
    this.#wrapped = /\s+$/.test(line) ? " " : "";
    this.#isOpen = (last !== undefined || mayWrap(found)) && line.trimEnd().length >= WRAPPED_WIDTH;
    return true;
  }

  #readHeader(line: string): boolean {
    const title = TITLE.exec(line);
    if (title !== null) this.title = (title[1] ?? "").trim();
    const mode = FRAME_MODE.exec(line);
    if (mode !== null && this.events.length === 0) this.isDropFrame ??= mode[1] === undefined;
    return title !== null || mode !== null;
  }

  #readDetail(line: string): boolean {
    const event = this.events.at(-1);
    if (event === undefined) return false;
    const words = line.trim().split(/\s+/);
    const isSpeed = words[0]?.toUpperCase() === "M2" && words.length >= 3 && isEdlLabel(words.at(-1) ?? "");
    if (!isSpeed || Number.isNaN(Number(words.at(-2)))) return DETAIL.test(line);
    event.speedChanges++;
    return true;
  }
}

/** Least length of a line that was wrapped, in characters: lists are wrapped at 80 columns, at a blank or inside a word. */
const WRAPPED_WIDTH = 70;

function mayWrap({ kind }: EdlComment): boolean {
  return ["from-clip-name", "to-clip-name", "technical", "comment", "free"].includes(kind);
}
