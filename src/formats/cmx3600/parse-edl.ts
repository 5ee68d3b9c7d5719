import type { IssueList } from "../parse-issue.ts";
import { linesOf } from "../text-lines.ts";
import { type EdlComment, parseEdlComment } from "./edl-comment.ts";
import { type EdlEventLine, isEdlLabel, parseEdlEventLine } from "./edl-event.ts";
import { EdlMarkerTable, type EdlTableMarker } from "./edl-marker-table.ts";

/** One line of an event: where it is recorded. Labels are as they stand. */
interface EdlEdit extends EdlEventLine {
  /** Whether it lies under `FCM: DROP FRAME`; `null` when the text has no such line before it. */
  readonly isDropFrame: boolean | null;
  readonly line: number;
}

/** Edits that share a number, with what stands below them. */
export interface EdlEvent {
  /** More than one where a transition names both of its sides. */
  readonly edits: readonly EdlEdit[];
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
}

/** An event while its lines are still coming. */
interface OpenEvent {
  readonly edits: EdlEdit[];
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
  readonly events: OpenEvent[] = [];
  readonly #issues: IssueList;
  readonly #table = new EdlMarkerTable();
  #isDropFrame: boolean | null = null;

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
    const edit = { ...parsed, isDropFrame: this.#isDropFrame, line: number };
    const last = this.events.at(-1);
    if (last?.edits[0]?.number === parsed.number) last.edits.push(edit);
    else this.events.push({ edits: [edit], comments: [], speedChanges: 0 });
    return true;
  }

  #readComment(line: string, number: number): boolean {
    const comment = parseEdlComment(line, number);
    if (comment === null) return false;
    this.events.at(-1)?.comments.push(comment);
    return true;
  }

  #readHeader(line: string): boolean {
    const title = TITLE.exec(line);
    if (title !== null) this.title = (title[1] ?? "").trim();
    const mode = FRAME_MODE.exec(line);
    if (mode !== null) this.#isDropFrame = mode[1] === undefined;
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
