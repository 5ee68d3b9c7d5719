import type { ReceiptBuilder } from "../parse-issue.ts";

/** Groups of RTF that hold no text of the document (RTF 1.9.1, "Destinations"). */
const SILENT =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header[lrf]?|footer[lrf]?|footnote|annotation|themedata|datastore|generator|listtable|listoverridetable|rsidtbl|xmlnstbl|fldinst|shp|do)$/;

/** Groups whose words stand elsewhere than in the text, as they are called in a receipt. */
const UNSEEN: Readonly<Record<string, string>> = { annotation: "comment", footnote: "footnote", shp: "text box" };

/** Formats of characters that take them out of what is read, as they are called in a receipt. */
const HIDING = {
  v: "hidden passage",
  deleted: "tracked deletion",
  strike: "struck-out passage",
  striked: "struck-out passage",
} as const;

function isHiding(word: string): word is keyof typeof HIDING {
  return word in HIDING;
}

/** Control words that stand for characters. */
const CHARACTERS: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  row: "\n",
  cell: "\t",
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
};

/** A control word with its number, a control sign, a byte, a brace, or a run of plain text. */
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}]+)/gs;

/** Text, or a byte of the document's code page. */
type RtfPart = string | number;

/** What a group has been told so far. */
interface RtfGroup {
  isSilent: boolean;
  /** Which of the formats in {@link HIDING} are on. */
  hiding: readonly (keyof typeof HIDING)[];
  /** Characters that stand behind a `\u` for readers that do not know it. */
  fallback: number;
}

/** Whether a text begins as RTF does. */
export function isRtf(text: string): boolean {
  return /^\s*\{\\rtf\d?\b/.test(text.slice(0, 100));
}

/**
 * The text of an RTF document: paragraphs and rows of tables as lines, cells parted by tabs. Pictures, fields' instructions and
 * whatever else is not read out is left out. Accepts any text.
 *
 * @param rtf The file, each byte as the character of its number.
 * @param decode Decodes bytes of the document's code page, such as 1252.
 * @param receipt Is told what is left out, because it is hidden, deleted, struck out or stands beside the text.
 */
export function rtfText(
  rtf: string,
  decode: (bytes: Uint8Array, codePage: number) => string,
  receipt?: ReceiptBuilder,
): string {
  const codePage = Number(
    /\\ansicpg(\d{3,5})/.exec(rtf.slice(0, 4000))?.[1] ?? (/\\mac\b/.test(rtf.slice(0, 200)) ? 10000 : 1252),
  );
  const groups: RtfGroup[] = [{ isSilent: false, hiding: [], fallback: 1 }];
  const parts: RtfPart[] = [];
  let skipped = 0;
  let isOptional = false;
  const inCodePage = (bytes: Uint8Array) => decode(bytes, codePage);
  /** The passage that is being left out, and why; empty where nothing is. */
  let left: { readonly why: string; readonly parts: RtfPart[] } = { why: "", parts: [] };
  /** Goes on with the passage, or ends it. */
  const leave = (why: string, part: RtfPart) => {
    if (why !== left.why) {
      if (left.why !== "") receipt?.leaveOut(left.why, 1, [textOf(left.parts, inCodePage)]);
      left = { why, parts: [] };
    }
    if (why !== "") left.parts.push(part);
  };
  for (const [, word, number, hex, sign, brace, plain] of rtf.matchAll(TOKEN)) {
    const group = groups.at(-1) ?? { isSilent: false, hiding: [], fallback: 1 };
    /** Whether words are left out here; what stands together is one passage. */
    const isLeftOut = (part: RtfPart) => {
      const [first] = group.hiding;
      const why = first === undefined ? "" : HIDING[first];
      if (!group.isSilent && String(part).trim() !== "") leave(why, part);
      return group.isSilent || why !== "";
    };
    const write = (text: string) => {
      const rest = skipped > 0 ? text.slice(skipped) : text;
      skipped = Math.max(0, skipped - text.length);
      if (rest !== "" && !isLeftOut(rest)) parts.push(rest);
    };
    if (brace === "{") groups.push({ ...group });
    else if (brace === "}") {
      if (groups.length > 1) groups.pop();
    } else if (plain !== undefined) write(plain.replace(/[\r\n\0]/g, ""));
    else if (hex !== undefined) {
      if (skipped > 0) skipped -= 1;
      else if (!isLeftOut(Number.parseInt(hex, 16))) parts.push(Number.parseInt(hex, 16));
    } else if (sign !== undefined) {
      if (sign === "*") isOptional = true;
      else if (sign === "~") write("\u00a0");
      else if (sign === "\n" || sign === "\r") write("\n");
      else if (/[\\{}]/.test(sign)) write(sign);
      continue;
    } else if (word !== undefined) {
      // Destinations that a reader need not know are passed over.
      if (!group.isSilent && UNSEEN[word] !== undefined) receipt?.leaveOut(UNSEEN[word]);
      if (isOptional || SILENT.test(word)) group.isSilent = true;
      else if (word === "plain") group.hiding = [];
      else if (isHiding(word)) {
        const others = group.hiding.filter((one) => one !== word);
        group.hiding = number === "0" ? others : [...others, word];
      } else if (word === "uc") group.fallback = Number(number ?? 1);
      else if (word === "u" && number !== undefined) {
        write(String.fromCharCode(Number(number) & 0xffff));
        skipped = group.fallback;
      } else if (word in CHARACTERS) write(CHARACTERS[word] ?? "");
    }
    isOptional = false;
  }
  leave("", "");
  // A cell before the end of its row has one tab too many.
  return textOf(parts, inCodePage).replace(/\t\n/g, "\n");
}

/** Text and bytes as text; bytes that stand together are decoded together. */
function textOf(parts: readonly RtfPart[], decode: (bytes: Uint8Array) => string): string {
  let bytes: number[] = [];
  const texts: string[] = [];
  const flush = () => {
    if (bytes.length > 0) texts.push(decode(Uint8Array.from(bytes)));
    bytes = [];
  };
  for (const part of parts) {
    if (typeof part === "number") bytes.push(part);
    else {
      flush();
      texts.push(part);
    }
  }
  flush();
  return texts.join("");
}
