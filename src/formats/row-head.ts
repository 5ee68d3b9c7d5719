import { parseTimeText, type TimeText } from "./clock-time.ts";

/** Times and identifier at the head of a row, and what follows. */
export interface RowHead {
  readonly id: string;
  readonly start: TimeText;
  readonly end: TimeText | null;
  readonly rest: string;
  /** Whether its times are numbers of seconds without brackets. */
  readonly isBareSeconds: boolean;
}

/** An identifier: letters and at least one digit (`f000001`, `12`, `12.`). */
const ID = /^(?=[^\s]*\d)([A-Za-z]{0,16}[-_]?\d{1,16})[.)]?\s+/;
const OPENING = /^\s*[[({<]?\s*/;
const CLOCK =
  /^(?:\d{1,4}\s?:\s?)?\d{1,4}\s?:\s?\d\d(?:[.,]\d{1,9}|[:;]\d{2,3})?(?!\d|:\d)|^\d{1,3};\d\d;\d\d;\d\d(?!\d)/;
const SECONDS = /^\d{1,9}[.,]\d{1,9}(?!\d|[:.]\d)(?:\s?s\b)?|^\d{1,2}\.[0-5]\d\.\d\d(?![\d:]|\.\d)|^\d{1,9}s\b/;
const CLOSING = /^\s?[\])}>]/;
const BETWEEN = /^\s*(?:-{1,3}>|[-–—~|/,;]|to\b)\s*[[({<]?\s*|^\s+/;
const BEHIND = /^(?:\s*[:|]+\s*|\s*[-–—>,;]\s+|\s+)/;
const BEHIND_BRACKET = /^:?\s*/;
const QUOTED = /^"(.*)"$/;
const ID_BEHIND = /^([A-Za-z]{1,16}[-_]?\d{1,16})\s+(?=")/;

/** The head of a row that begins with a time; `null` for any other line. */
export function parseRowHead(line: string): RowHead | null {
  return headAt(line, "") ?? headBehindId(line);
}

function headBehindId(line: string): RowHead | null {
  const id = ID.exec(line.trimStart());
  if (id?.[1] === undefined) return null;
  const head = headAt(line.trimStart().slice(id[0].length), id[1]);
  // A number before a lone time is more likely prose ("4 3:30 pm trains") than an identifier.
  return head?.end === null ? null : head;
}

function headAt(line: string, id: string): RowHead | null {
  const opening = OPENING.exec(line)?.[0] ?? "";
  const isBracketed = opening.trim() !== "";
  const first = timeAt(line, opening.length);
  if (first === null) return null;
  const close = isBracketed ? (CLOSING.exec(line.slice(first.end))?.[0].length ?? 0) : 0;
  const second = secondTime(line, first.end + close, close > 0 ? "" : shapeOf(first.text));
  if (first.isSeconds && second === null && !isBracketed) return null;
  const tail = line.slice(second?.end ?? first.end + close);
  const closed = isBracketed ? tail.replace(CLOSING, "") : tail;
  const isClosed = close > 0 || closed.length < tail.length;
  if (closed !== "" && !isClosed && !BEHIND.test(closed)) return null;
  const rest = closed.replace(isClosed ? BEHIND_BRACKET : BEHIND, "");
  const behind = isClosed ? null : ID_BEHIND.exec(rest);
  const name = id === "" ? (behind?.[1] ?? "") : id;
  const said = rest.slice(behind?.[0].length ?? 0);
  const isBareSeconds = first.isSeconds && !isBracketed;
  return {
    id: name,
    start: first.time,
    end: second?.time ?? null,
    rest: name === "" ? said : unquoted(said),
    isBareSeconds,
  };
}

/** A time found in a line; `end` is the position behind it. */
interface FoundTime {
  readonly time: TimeText;
  readonly text: string;
  readonly end: number;
  readonly isSeconds: boolean;
}

function timeAt(line: string, from: number): FoundTime | null {
  const tail = line.slice(from, from + 64);
  const clock = CLOCK.exec(tail)?.[0];
  const text = clock ?? SECONDS.exec(tail)?.[0];
  if (text === undefined) return null;
  const time = parseTimeText(text);
  return time === null ? null : { time, text, end: from + text.length, isSeconds: clock === undefined };
}

/** The second time of a row. Blanks alone part two times only if the second is written in the shape of the first. */
function secondTime(line: string, from: number, shape: string): FoundTime | null {
  const between = BETWEEN.exec(line.slice(from, from + 64))?.[0];
  if (between === undefined) return null;
  const second = timeAt(line, from + between.length);
  if (second === null) return null;
  return between.trim() !== "" || shapeOf(second.text) === shape ? second : null;
}

function shapeOf(time: string): string {
  return time.replace(/\d+/g, "0").replace(",", ".");
}

function unquoted(text: string): string {
  const inner = QUOTED.exec(text.trim())?.[1];
  return inner === undefined || inner.replaceAll('\\"', "").includes('"') ? text : inner.replaceAll('\\"', '"');
}
