/** What a comment line is about. */
type EdlCommentKind =
  /** Words for people: `COMMENT`, `DESCRIPTION`, `NOTE`. */
  | "comment"
  /** A locator with its own time: `LOC`. */
  | "locator"
  /** A marker of DaVinci Resolve: `|C:colour |M:name |D:frames`. */
  | "marker"
  | "from-clip-name"
  | "to-clip-name"
  /** Known and technical: effects, source files, colour, filters, patches, frame counts. */
  | "technical"
  /** Anything else behind a star. */
  | "free";

/** A comment line taken apart. */
export interface EdlComment {
  readonly kind: EdlCommentKind;
  /** What stands behind the key. */
  readonly text: string;
  readonly line: number;
}

/** Keys as they stand before a colon, in capitals. */
const KEYS: ReadonlyMap<string, EdlCommentKind> = new Map<string, EdlCommentKind>([
  ["COMMENT", "comment"],
  ["COMMENTS", "comment"],
  ["DESCRIPTION", "comment"],
  ["DESCRIPT", "comment"],
  ["NOTE", "comment"],
  ["NOTES", "comment"],
  ["FINISHING", "comment"],
  ["LOC", "locator"],
  ["FROM CLIP NAME", "from-clip-name"],
  ["TO CLIP NAME", "to-clip-name"],
  ["KEY CLIP NAME", "technical"],
  ["SOURCE FILE", "technical"],
  ["EFFECT NAME", "technical"],
  ["EFFECTS NAME IS", "technical"],
  ["FROM CLIP", "technical"],
  ["TO CLIP", "technical"],
  ["FROM FILE", "technical"],
  ["TO FILE", "technical"],
  ["FROM CLIP IS A STILL", "technical"],
  ["TO CLIP IS A STILL", "technical"],
  ["FROM CLIP MEDIA", "technical"],
  ["CLIP FILTER", "technical"],
  ["AUDIO FILTER", "technical"],
  ["AUDIO GAIN", "technical"],
  ["TIMEWARP EFFECT", "technical"],
  ["REEL", "technical"],
  ["SOURCE", "technical"],
  ["SOURCE TABLE", "technical"],
  ["ASC_SOP", "technical"],
  ["ASC_SAT", "technical"],
  ["ASC_CC_XML", "technical"],
  ["FRMC START", "technical"],
  ["PATCH", "technical"],
  ["CAMERA", "technical"],
  ["LUT", "technical"],
  ["SCENE", "technical"],
  ["TAKE", "technical"],
]);

/** Lines without a colon that are technical by their first words. */
const TECHNICAL =
  /^(?:ASC_|BLEND,|FREEZE FRAME|\* FREEZE FRAME|PATCH |FRMC |STILL|OVERLAPPING|TIMEWARP|FROM CLIP IS|TO CLIP IS|FROM SOURCE|PROBLEM WITH EDIT|A\d+ VOL|(?:AUDIO|VIDEO|OPACITY) LEVEL AT\b|REEL \S.* IS CLIP\b|[A-Z][A-Z\d]*(?:\.[A-Z\d]+){2,}:)/i;

/** A Resolve marker: `note |C:ResolveColorBlue |M:name |D:12`, each part optional but one. */
const MARKER = /\|[CMD]:/;

/**
 * Takes a comment line apart. Comments begin with `*`; clip names, effects and Resolve's markers are also found without.
 * `null` for lines that carry no comment.
 */
export function parseEdlComment(line: string, number: number): EdlComment | null {
  const trimmed = line.trim();
  const isStarred = trimmed.startsWith("*");
  const text = isStarred ? trimmed.slice(1).trim() : trimmed;
  // Behind a star and a key a marker's bars are words; a bare line is a marker before it is anything else.
  if (!isStarred && MARKER.test(text)) return { kind: "marker", text, line: number };
  const colon = text.indexOf(":");
  const key = colon === -1 ? "" : text.slice(0, colon).trim().toUpperCase();
  const kind = KEYS.get(key);
  if (kind !== undefined) return { kind, text: text.slice(colon + 1).trim(), line: number };
  if (/^EFFECTS? NAME IS\s/i.test(text)) return { kind: "technical", text, line: number };
  if (!isStarred) return null;
  if (MARKER.test(text)) return { kind: "marker", text, line: number };
  return { kind: text === "" || TECHNICAL.test(text) ? "technical" : "free", text, line: number };
}

/** A Resolve marker's parts. */
export interface EdlMarker {
  readonly note: string;
  readonly name: string;
  /** Frames it lasts; 1 when it does not say. */
  readonly frames: number;
}

/** Takes `note |C:ResolveColorBlue |M:name |D:12` apart. */
export function parseResolveMarker(text: string): EdlMarker {
  const parts = text.split(/\|(?=[CMD]:)/);
  const partNamed = (key: string) =>
    parts
      .find((part) => part.startsWith(key))
      ?.slice(key.length)
      .trim() ?? "";
  const first = parts[0] ?? "";
  const frames = Number.parseInt(partNamed("D:"), 10);
  return {
    note: /^[CMD]:/.test(first) ? "" : first.replace(/^\|/, "").trim(),
    name: partNamed("M:"),
    frames: frames > 0 ? frames : 1,
  };
}

/** A locator: `01:00:01:14 RED     ANIM FIX NEEDED`. */
export interface EdlLocator {
  readonly label: string;
  readonly text: string;
}

const LOCATOR = /^(\d{1,3}[:;]\d\d[:;]\d\d[:;]\d{2,3})\s+[A-Za-z]+(?:\s+(.*))?$/;

/** Takes a locator apart; `null` when it has no time. */
export function parseEdlLocator(text: string): EdlLocator | null {
  const parts = LOCATOR.exec(text);
  if (parts?.[1] === undefined) return null;
  return { label: parts[1], text: (parts[2] ?? "").trim() };
}
