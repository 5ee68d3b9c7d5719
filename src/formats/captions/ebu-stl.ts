import { frameRate } from "../../core/frame-rate.ts";
import { type CueDocument, CueListBuilder } from "../cue-list.ts";
import type { Format } from "../format.ts";
import { addFrameRows, type FrameRow } from "../frame-rows.ts";
import { LabelClock, type LabelReading, onOwnGrid } from "../label-clock.ts";
import { IssueList } from "../parse-issue.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { stlText } from "./stl-text.ts";

/** Lengths of the head and of each block behind it, in bytes (EBU Tech 3264, 3 and 5). */
const HEAD_LENGTH = 1024;
const BLOCK_LENGTH = 128;

/** Where a text stands in its block. */
const TEXT_AT = 16;

/** Numbers of the last block of a subtitle, and of blocks that hold data of their maker. */
const LAST_BLOCK = 0xff;
const USER_DATA = 0xfe;

/** The code of a page, and of the format with its rate: `850STL25.01`. */
const HEAD = /^\d{3}STL(\d\d)\.\d\d/;

/** Whether a text whose characters are bytes is EBU STL. */
export function isEbuStl(text: string): boolean {
  return HEAD.test(text) && text.length >= HEAD_LENGTH;
}

/** A subtitle whose blocks are still coming. */
interface OpenSubtitle {
  readonly group: number;
  readonly number: number;
  readonly times: { readonly start: number; readonly end: number };
  readonly line: number;
  text: string;
}

/**
 * Reads subtitles of EBU STL (EBU Tech 3264), given as a text whose characters are the bytes of the file. Times count from the
 * programme's start that the head names. Comments and blocks of makers are left out and counted; so is what is never
 * shown. Never throws on a text.
 */
export function parseEbuStl(text: string, reading: LabelReading = {}): CueDocument {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  const nominal = Number(HEAD.exec(text)?.[1] ?? 25);
  const own = { rate: frameRate(nominal === 30 ? 30 : 25), isDropFrame: false };
  const onOwn = onOwnGrid(reading, own, framesOf(digits(text, 256), nominal));
  const clock = new LabelClock(onOwn, { highestFrame: nominal - 1, isDropFrame: false }, issues);
  const blocks = Math.floor(Math.max(0, text.length - HEAD_LENGTH) / BLOCK_LENGTH);
  const stated = Number(text.slice(238, 243));
  if (stated !== blocks) issues.add("block-count", 0, text.slice(238, 243), `${blocks} are there`);
  addFrameRows(rowsOf(text, blocks, nominal, issues), clock, builder, onOwn);
  return { cues: builder.finish(), issues: issues.finish() };
}

function rowsOf(text: string, blocks: number, nominal: number, issues: IssueList): FrameRow[] {
  const table = text.slice(12, 14);
  const rows: FrameRow[] = [];
  let open: OpenSubtitle | null = null;
  let others = 0;
  let shownUntil = -1;
  const close = (subtitle: OpenSubtitle) => {
    const { times, line } = subtitle;
    const words = foldWhiteSpace(subtitle.text);
    if (times.end <= times.start) issues.add("never-shown", line, words);
    else if (words !== "") {
      if (times.start < shownUntil) issues.add("overlap", line, words);
      shownUntil = Math.max(shownUntil, times.end);
      rows.push({ ...times, text: words, line });
    }
  };
  for (let index = 0; index < blocks; index++) {
    const block = text.slice(HEAD_LENGTH + index * BLOCK_LENGTH, HEAD_LENGTH + (index + 1) * BLOCK_LENGTH);
    const byte = (at: number) => block.charCodeAt(at) & 0xff;
    const time = (at: number) => framesOf([byte(at), byte(at + 1), byte(at + 2), byte(at + 3)], nominal);
    const [part, isComment] = [byte(3), byte(15) === 1];
    if (part === USER_DATA || isComment) {
      others += 1;
      continue;
    }
    const [group, number] = [byte(0), byte(1) + 256 * byte(2)];
    const words = stlText(block.slice(TEXT_AT), table);
    const isMore: boolean = open !== null && open.group === group && open.number === number;
    if (open !== null && !isMore) {
      close(open);
      open = null;
    }
    if (open === null) {
      const [start, end] = [time(5), time(9)];
      // The file has no lines: an issue is about the whole.
      if (start === null || end === null) {
        issues.add("bad-timing", 0, foldWhiteSpace(words));
        continue;
      }
      open = { group, number, times: { start, end }, line: 0, text: words };
    } else open.text += ` ${words}`;
    if (part === LAST_BLOCK) {
      close(open);
      open = null;
    }
  }
  if (open !== null) close(open);
  if (others > 0) issues.add("stray-text", 0, "", `${others} blocks of comments or of the maker's data`);
  return rows;
}

/** Four pairs of digits: a timecode of the head. */
function digits(text: string, at: number): number[] {
  return [0, 2, 4, 6].map((offset) => Number(text.slice(at + offset, at + offset + 2)));
}

/** Frames of a label; `null` for one that does not exist. */
function framesOf(parts: readonly number[], nominal: number): number | null {
  const [hours = Number.NaN, minutes = Number.NaN, seconds = Number.NaN, frames = Number.NaN] = parts;
  const exists = hours < 24 && minutes < 60 && seconds < 60 && frames < nominal;
  return exists ? ((hours * 60 + minutes) * 60 + seconds) * nominal + frames : null;
}

/** Subtitles of broadcasters (EBU Tech 3264). */
export const EBU_STL = {
  title: "EBU STL",
  endings: ["stl"],
  shows: ({ text }) => (isEbuStl(text) ? 1 : 0),
  read: parseEbuStl,
} as const satisfies Format;
