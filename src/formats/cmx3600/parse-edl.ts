import type { IssueList } from "../parse-issue.ts";
import { linesOf } from "../text-lines.ts";
import { type EdlComment, parseEdlComment } from "./edl-comment.ts";
import { type EdlEventLine, isEdlLabel, parseEdlEventLine } from "./edl-event.ts";
import { EdlMarkerTable, type EdlTableMarker } from "./edl-marker-table.ts";

/** One line of an event: where it is recorded. Labels are as they stand. */
export interface EdlEdit extends EdlEventLine {
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
  /**
   * Whether the record side counts in drop-frame: what the first `FCM` line says, where it stands before the events; later ones are
   * about the reels. `null` when there is none.
   */
  readonly isDropFrame: boolean | null;
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
  isDropFrame: boolean | null = null;
  readonly events: OpenEvent[] = [];
  readonly #issues: IssueList;
  readonly #table = new EdlMarkerTable();
  /** Whether the line before is a name that goes on in the next: it reaches the edge at which lists are wrapped. */
  #isNameOpen = false;

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
    if (last?.edits[0]?.number === parsed.number) last.edits.push(edit);
    else this.events.push({ edits: [edit], comments: [], speedChanges: 0 });
    return true;
  }

  #readComment(line: string, number: number): boolean {
    const found = parseEdlComment(line, number);
    if (found === null) return false;
    const goesOn = this.#isNameOpen && found.kind === "free";
    const comment: EdlComment = goesOn ? { ...found, kind: "technical" } : found;
    this.events.at(-1)?.comments.push(comment);
    this.#isNameOpen = (goesOn || isName(comment)) && line.trimEnd().length >= WRAPPED_WIDTH;
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

function isName({ kind }: EdlComment): boolean {
  return kind === "from-clip-name" || kind === "to-clip-name" || kind === "technical";
}
