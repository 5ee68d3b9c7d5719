import type { IssueList } from "../parse-issue.ts";
import { linesOf } from "../text-lines.ts";
import { type EdlComment, parseEdlComment } from "./edl-comment.ts";
import { type EdlEdit, isEdlLabel, parseEdlEventLine } from "./edl-event.ts";
import { EdlMarkerTable, type EdlTableMarker } from "./edl-marker-table.ts";

/** Edits that share a number, with what stands below them. */
export interface EdlEvent {
  readonly number: string;
  /** More than one where a transition names both of its sides. */
  readonly edits: readonly EdlEdit[];
  readonly comments: readonly EdlComment[];
  readonly speeds: readonly EdlSpeed[];
  /** Lines `SPLIT:`, which let sound and picture of the event begin apart. */
  readonly splits: readonly EdlSplit[];
}

/** A speed change, `M2`. */
interface EdlSpeed {
  readonly reel: string;
  /** Frames per second the source runs at: 0 is a still, negative runs backwards. */
  readonly framesPerSecond: number;
  /** Source label where it begins, as it stands. */
  readonly at: string;
}

/** A split edit: how much later sound or picture begins, as a label. */
interface EdlSplit {
  readonly delayed: "audio" | "video";
  readonly delay: string;
}

/** An EDL taken apart, nothing interpreted. */
export interface EdlDocument {
  readonly title: string;
  readonly events: readonly EdlEvent[];
  /** Comments before the first event. */
  readonly comments: readonly EdlComment[];
  /** Rows of the marker table behind the events. */
  readonly markers: readonly EdlTableMarker[];
}

/** An event while its lines are still coming. */
interface OpenEvent {
  readonly number: string;
  readonly edits: EdlEdit[];
  readonly comments: EdlComment[];
  readonly speeds: EdlSpeed[];
  readonly splits: EdlSplit[];
}

const TITLE = /^\s*TITLE\s*:\s*(.*)$/i;
const FRAME_MODE = /^\s*FCM\s*:\s*(NON[- ]?)?DROP/i;
const SPLIT = /^\s*SPLIT\s*:\s*(AUDIO|VIDEO)\s+DELAY\s*=\s*(\S+)/i;
const AUDIO_CHANNELS = /^\s*AUD\s+([\d\s]+)$/i;

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
  readonly comments: EdlComment[] = [];
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
    const edit = { ...parsed.edit, isDropFrame: this.#isDropFrame, line: number };
    const last = this.events.at(-1);
    if (last?.number === parsed.number) last.edits.push(edit);
    else this.events.push({ number: parsed.number, edits: [edit], comments: [], speeds: [], splits: [] });
    return true;
  }

  #readComment(line: string, number: number): boolean {
    const comment = parseEdlComment(line, number);
    if (comment === null) return false;
    (this.events.at(-1)?.comments ?? this.comments).push(comment);
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
    const split = SPLIT.exec(line);
    if (split !== null) {
      event.splits.push({ delayed: split[1]?.toUpperCase() === "AUDIO" ? "audio" : "video", delay: split[2] ?? "" });
      return true;
    }
    const channels = AUDIO_CHANNELS.exec(line);
    const edit = event.edits.at(-1);
    if (channels !== null && edit !== undefined) {
      const named = (channels[1] ?? "").trim().split(/\s+/);
      event.edits[event.edits.length - 1] = {
        ...edit,
        channels: [...edit.channels, ...named.map((name) => `A${name}`)],
      };
      return true;
    }
    return this.#readSpeed(line, event);
  }

  #readSpeed(line: string, event: OpenEvent): boolean {
    const words = line.trim().split(/\s+/);
    if (words[0]?.toUpperCase() !== "M2" || words.length < 3) return false;
    const at = words.at(-1) ?? "";
    const speed = Number(words.at(-2));
    if (!isEdlLabel(at) || Number.isNaN(speed)) return false;
    event.speeds.push({ reel: words.slice(1, -2).join(" "), framesPerSecond: speed, at });
    return true;
  }
}
