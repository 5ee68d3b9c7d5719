import { htmlReferenceAt } from "../html-reference.ts";
import { splitOnSpaces } from "./settings.ts";
import { isAsciiSpace, TimestampScanner } from "./timestamp.ts";

/** A node of a cue's text (WebVTT, section 6.4). */
export type WebVttNode = WebVttSpan | WebVttText | WebVttTimestamp;

/** A tag and what stands inside it. */
interface WebVttSpan {
  readonly kind: "c" | "i" | "b" | "u" | "ruby" | "rt" | "v" | "lang";
  /** Classes after the tag's name, without empty ones. */
  readonly classes: readonly string[];
  /** The speaker of `v`; empty for the others. */
  readonly voice: string;
  /** Language of the innermost `lang` around it; empty when there is none. */
  readonly language: string;
  readonly children: readonly WebVttNode[];
}

/** Characters, references already replaced. */
interface WebVttText {
  readonly kind: "text";
  readonly value: string;
}

/** When the text behind it appears, in seconds. */
interface WebVttTimestamp {
  readonly kind: "timestamp";
  readonly seconds: number;
}

/** A span while its children are still being found. */
interface OpenSpan {
  readonly kind: WebVttSpan["kind"] | "root";
  readonly children: WebVttNode[];
}

/** The tree of a cue's text by the "WebVTT cue text parsing rules"; anything is accepted. */
export function parseWebVttCueText(input: string): readonly WebVttNode[] {
  const stack: OpenSpan[] = [{ kind: "root", children: [] }];
  const languages: string[] = [];
  const root = stack[0];
  let position = 0;
  while (position < input.length) {
    const current = stack.at(-1);
    if (current === undefined) break;
    if (input.charCodeAt(position) !== 0x3c) {
      const end = nextTag(input, position);
      current.children.push({ kind: "text", value: withReferences(input.slice(position, end)) });
      position = end;
      continue;
    }
    const tag = readTag(input, position + 1);
    position = tag.end;
    if (tag.kind === "start") openSpan(tag, stack, current, languages);
    else if (tag.kind === "end") closeSpan(tag.name, stack, current, languages);
    else {
      const seconds = timestampOf(tag.name);
      if (seconds !== null) current.children.push({ kind: "timestamp", seconds });
    }
  }
  return root?.children ?? [];
}

/** A tag as the tokenizer finds it. `end` is the position behind it. */
interface Tag {
  readonly kind: "start" | "end" | "timestamp";
  readonly name: string;
  readonly classes: readonly string[];
  readonly annotation: string;
  readonly end: number;
}

/** Reads the tag whose `<` stands before `start`; it ends with `>` or with the text. */
function readTag(input: string, start: number): Tag {
  const first = input.charCodeAt(start);
  const close = input.indexOf(">", start);
  const stop = close === -1 ? input.length : close;
  const end = close === -1 ? stop : stop + 1;
  if (first === 0x2f) return { kind: "end", name: input.slice(start + 1, stop), classes: [], annotation: "", end };
  if (first >= 0x30 && first <= 0x39) {
    return { kind: "timestamp", name: input.slice(start, stop), classes: [], annotation: "", end };
  }
  const head = headEnd(input, start, stop);
  const [name = "", ...classes] = input.slice(start, head).split(".");
  const annotation = head < stop ? withFoldedSpace(withReferences(input.slice(head, stop))) : "";
  return { kind: "start", name, classes: classes.filter((one) => one !== ""), annotation, end };
}

function headEnd(input: string, start: number, stop: number): number {
  let head = start;
  // A carriage return never reaches cue text, so that the four characters of the tokenizer are all white space there is.
  while (head < stop && !isAsciiSpace(input.charCodeAt(head))) head += 1;
  return head;
}

const SPANS: ReadonlySet<string> = new Set<WebVttSpan["kind"]>(["c", "i", "b", "u", "ruby", "rt", "v", "lang"]);

function isSpanName(name: string): name is WebVttSpan["kind"] {
  return SPANS.has(name);
}

function openSpan(tag: Tag, stack: OpenSpan[], current: OpenSpan, languages: string[]): void {
  if (!isSpanName(tag.name) || (tag.name === "rt" && current.kind !== "ruby")) return;
  if (tag.name === "lang") languages.push(tag.annotation);
  const span = {
    kind: tag.name,
    classes: tag.classes,
    voice: tag.name === "v" ? tag.annotation : "",
    language: languages.at(-1) ?? "",
    children: [],
  };
  current.children.push(span);
  stack.push(span);
}

function closeSpan(name: string, stack: OpenSpan[], current: OpenSpan, languages: string[]): void {
  if (current.kind !== "root" && name === current.kind) {
    stack.pop();
    if (name === "lang") languages.pop();
  } else if (name === "ruby" && current.kind === "rt") {
    stack.pop();
    stack.pop();
  }
}

function timestampOf(text: string): number | null {
  const scanner = new TimestampScanner(text);
  const seconds = scanner.timestamp();
  return seconds >= 0 && scanner.position === text.length ? seconds : null;
}

function nextTag(input: string, from: number): number {
  const tag = input.indexOf("<", from);
  return tag === -1 ? input.length : tag;
}

/** Every character reference replaced, with and without semicolon, by HTML's rules. */
function withReferences(text: string): string {
  let decoded = "";
  let from = 0;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", Math.max(from, at + 1))) {
    const reference = htmlReferenceAt(text, at);
    if (reference === null) continue;
    decoded += text.slice(from, at) + reference.value;
    from = at + reference.length;
  }
  return decoded + text.slice(from);
}

function withFoldedSpace(text: string): string {
  return splitOnSpaces(text).join(" ");
}
