import { framesPerSecond } from "../../core/frame-rate.ts";
import { type FrameGrid, trackLanguage } from "../../core/settings.ts";

/** Kinds of files in a delivery, as they are called where a house has no word of its own. */
export const FILE_KINDS = [
  "descriptions",
  "script",
  "narration",
  "mix",
  "adm",
  "described",
  "sequence",
  "captions",
] as const;

/** One of {@link FILE_KINDS}. */
export type FileKind = (typeof FILE_KINDS)[number];

/** What a name may hold, and what stands there. */
const PLACES: Readonly<Record<string, (order: NamedOrder) => string>> = {
  title: ({ title }) => plainName(title) || "untitled",
  reference: ({ reference = "" }) => plainName(reference),
  language: ({ language }) => plainName(language),
  // Of three letters, as ISO 639-2 and broadcasters have them.
  language3: ({ language }) => trackLanguage(language),
  date: ({ createdAt }) => createdAt.slice(0, 10).replaceAll("-", ""),
  // To hundredths and without a point, as names have it: 25, 2398, 2997.
  rate: ({ grid: { rate } }) => String(Math.round(framesPerSecond(rate) * 100)).replace(/00$/, ""),
};

/** What a file of a delivery is named by. */
interface NamedOrder {
  readonly title: string;
  /** BCP-47 code. */
  readonly language: string;
  readonly reference?: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  readonly grid: FrameGrid;
  readonly preset: {
    readonly fileName: string;
    readonly kindNames: Readonly<Partial<Record<FileKind, string>>>;
    readonly plainNames: boolean;
  };
}

/**
 * What is wrong with a pattern for names, as a sentence without full stop; `null` for one that can be used. With it every file
 * of a delivery has a name of its own.
 */
export function fileNameFault(pattern: string): string | null {
  const places = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const known = [...Object.keys(PLACES), "kind", "ending"];
  const unknown = places.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `there is no {${unknown}} in a name, only ${known.map((one) => `{${one}}`).join(", ")}`;
  if (!pattern.endsWith(".{ending}")) return 'a name ends with ".{ending}"';
  return places.includes("kind") ? null : "a name needs {kind}, or several files had the same";
}

/**
 * What is wrong with the number of a programme, as a sentence without full stop; `null` where nothing is, as with none that no name
 * needs. The head of a sound holds 32 characters of ASCII (EBU Tech 3285).
 */
export function referenceFault(reference: string | undefined, pattern: string): string | null {
  if (reference === undefined) return pattern.includes("{reference}") ? "there is no number for {reference}" : null;
  return /^[ -~]{1,32}$/.test(reference) ? null : "a number has 1 to 32 letters, digits and signs of ASCII";
}

/** Name of a file of a delivery, as its preset wants it. Characters that file systems do not take become "-". */
export function deliveryName(order: NamedOrder, kind: FileKind, ending: string): string {
  const { fileName, kindNames, plainNames } = order.preset;
  const placeOf = (name: string): string => {
    if (name === "kind") return kindNames[kind] ?? kind;
    return name === "ending" ? ending : (PLACES[name]?.(order) ?? "");
  };
  const name = fileName
    .replace(/\{(\w+)\}/g, (_, place: string) => placeOf(place))
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, "-")
    .replace(/^\.+/, "");
  return plainNames ? asciiName(name) : name;
}

/** A text that may be part of a file's name, at most 80 characters long. */
export function plainName(part: string): string {
  return part
    .replace(/[\p{Cc}\\/:*?"<>|{}]+/gu, "-")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 80);
}

/** A name of unaccented letters, digits, `.`, `-` and `_`: all that some houses' systems take. */
function asciiName(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\w.-]+/g, "_");
}
