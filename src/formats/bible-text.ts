import { type BibleEntry, type BiblePerson, EMPTY_BIBLE, type FilmBible } from "../core/film-bible.ts";
import { formatClockTime, parseClockTime } from "./clock-time.ts";
import { IssueList, type ParseIssue } from "./parse-issue.ts";
import { linesOf } from "./text-lines.ts";

/** Headings of the sections, in their order. */
const SECTIONS = ["Story", "Persons", "Places", "Things", "Words"] as const;

type Section = (typeof SECTIONS)[number];

/** Says at the head of the file what it is for and how it is read; lines of this kind are passed over. */
const HEAD = [
  "// What is known of this film. Correct it, and describe again: what stands here counts.",
  "// Persons: what they are called = what they look like. Under it, where there is one:",
  "//   name: Anna, from 00:12:30      (from when the name may be used)",
  "//   name: none                     (never to be named)",
  "// Words: names and terms, written so; with = what it is.",
];

/**
 * Writes a film's bible as plain text that people read and correct: a section for each kind of entry, `label = looks` on a
 * line, with what belongs to it indented below. {@link readBible} reads it back without a difference.
 */
export function writeBible({ story, persons, places, things, words }: FilmBible): string {
  const parts = sectionsOf({ story, persons, places, things, words });
  const whole = SECTIONS.map((section) => [`# ${section}`, ...parts[section]].join("\n"));
  return `${[HEAD.join("\n"), ...whole].join("\n\n")}\n`;
}

/**
 * An editor's bible as it was typed, letter by letter, followed by the entries of a later one that it lacks.
 *
 * @param bible Holds the editor's entries too, as `correctedBible` gives it.
 */
export function completeBible(typed: string, bible: FilmBible): string {
  const { bible: known } = readBible(typed);
  const isNew = ({ label }: BibleEntry, entries: readonly BibleEntry[]) => !entries.some((one) => one.label === label);
  const added = sectionsOf({
    story: known.story === "" ? bible.story : "",
    persons: bible.persons.filter((person) => isNew(person, known.persons)),
    places: bible.places.filter((place) => isNew(place, known.places)),
    things: bible.things.filter((thing) => isNew(thing, known.things)),
    words: bible.words.filter((word) => !known.words.includes(word)),
  });
  const parts = SECTIONS.filter((section) => added[section].length > 0).map((section) =>
    [`# ${section}`, ...added[section]].join("\n"),
  );
  return parts.length === 0 ? typed : `${[typed.trimEnd(), ...parts].join("\n\n")}\n`;
}

function sectionsOf({ story, persons, places, things, words }: FilmBible): Record<Section, readonly string[]> {
  return {
    Story: [oneLine(story)]
      .filter((line) => line !== "")
      .map((line) => (sectionNamed(line) === null ? line : `${line}.`)),
    Persons: persons.flatMap(personLines),
    Places: places.map(entryLine),
    Things: things.map(entryLine),
    Words: words.map((word) => noHeading(oneLine(word).replace(/^([^:]+): /, "$1 = "))),
  };
}

function personLines(person: BiblePerson): string[] {
  const { name, nameFrom, pictureAt, alsoCalled = [] } = person;
  const from = nameFrom === undefined ? "" : `, from ${formatClockTime(nameFrom)}`;
  return [
    entryLine(person),
    ...(name === undefined ? [] : [`  name: ${name === "" ? "none" : `${oneLine(name)}${from}`}`]),
    ...(alsoCalled.length === 0 ? [] : [`  also: ${alsoCalled.map(oneLine).join("; ")}`]),
    ...(pictureAt === undefined ? [] : [`  picture: ${formatClockTime(pictureAt)}`]),
  ];
}

function entryLine({ label, looks }: BibleEntry): string {
  // The first sign of equality parts the two.
  const called = oneLine(label.replaceAll("=", "-")).replace(/^(name|also|picture)\s*:/i, "$1 -");
  if (looks !== "") return `${called} = ${oneLine(looks)}`;
  return entryFrom(called).label === called ? noHeading(called) : `${called} =`;
}

/** A line that is not read as the heading of a section: nothing follows its sign of equality. */
function noHeading(line: string): string {
  return sectionNamed(line) === null ? line : `${line} =`;
}

/** Text on one line that no reader takes for a heading or a remark, or for a point of a list. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:(?:#+|\/\/+|[-*•](?=\s))\s*)+/, "");
}

/** A bible as read, with what could not be. */
export interface BibleDocument {
  readonly bible: FilmBible;
  readonly issues: readonly ParseIssue[];
}

/**
 * Reads a film's bible as {@link writeBible} writes it, or as people write such lists: headings in any case, with or
 * without a sign before them, `:` for `=`, bullets. Accepts any text; lines before the first heading are words.
 */
export function readBible(text: string): BibleDocument {
  const issues = new IssueList();
  const { entries, stray } = outlineOf(linesOf(text));
  for (const { index, text: line } of stray) issues.add("stray-text", index + 1, line);
  const said = (section: Section) => entries[section].map((lines) => lines.map((line) => line.text));
  const bible = {
    story: said("Story").flat().join(" "),
    persons: said("Persons").map(personFrom),
    places: said("Places").map(([line = ""]) => entryFrom(line)),
    things: said("Things").map(([line = ""]) => entryFrom(line)),
    words: said("Words").map(([line = ""]) => line.replace(/\s*=\s*/, ": ").replace(/: $/, "")),
  };
  return { bible, issues: issues.finish() };
}

/** A change of one entry of a bible. `at` is its place in its list, the list's length for a new one; `null` takes it out. */
export type BibleChange =
  | { readonly part: "story"; readonly to: string }
  | { readonly part: "persons"; readonly at: number; readonly to: BiblePerson | null }
  | { readonly part: "places" | "things"; readonly at: number; readonly to: BibleEntry | null }
  | { readonly part: "words"; readonly at: number; readonly to: string | null };

/**
 * A bible with one entry changed. Every line that is not of this entry stays as it was typed, remarks too. An entry needs a
 * letter or a digit to be called by: without one nothing changes.
 */
export function changeBible(text: string, change: BibleChange): string {
  if (!isCalledSomething(change)) return text;
  const lines = linesOf(text);
  const { entries, headings } = outlineOf(lines);
  const { section, written } = linesToWrite(change);
  const here = entries[section];
  // All lines of the story are one entry.
  const own = change.part === "story" ? here.flat() : (here[change.at] ?? []);
  const [first] = own;
  const gone = new Set(own.map(({ index }) => index));
  const after = here.at(-1)?.at(-1)?.index ?? headings.get(section);
  const changed = lines.flatMap((line, index) => [
    ...(index === first?.index ? written : []),
    ...(gone.has(index) ? [] : [line]),
    ...(first === undefined && index === after ? written : []),
  ]);
  if (first !== undefined || after !== undefined || written.length === 0) return changed.join("\n");
  const rest = changed.join("\n").trimEnd();
  const heading = `# ${section}`;
  return `${[...(rest === "" ? [] : [rest, ""]), heading, ...written].join("\n")}\n`;
}

function isCalledSomething({ part, to }: BibleChange): boolean {
  if (part === "story" || to === null) return true;
  return /[\p{L}\p{N}]/u.test(typeof to === "string" ? to : to.label);
}

function linesToWrite(change: BibleChange): { readonly section: Section; readonly written: readonly string[] } {
  const { part, to } = change;
  const bible = { ...EMPTY_BIBLE, [part]: part === "story" ? to : to === null ? [] : [to] };
  const section = SECTIONS.find((name) => name.toLowerCase() === part) ?? "Words";
  return { section, written: sectionsOf(bible)[section] };
}

/** A line that says something: where it stands in the text, from 0, and what it says. */
interface SayingLine {
  readonly index: number;
  readonly text: string;
}

/** Where in a text everything stands. */
interface Outline {
  /** The entries of each section, each the lines that it stands on. */
  readonly entries: Readonly<Record<Section, readonly (readonly SayingLine[])[]>>;
  /** The line of each section's last heading. */
  readonly headings: ReadonlyMap<Section, number>;
  /** Lines that say more of a person where none was named. */
  readonly stray: readonly SayingLine[];
}

function outlineOf(lines: readonly string[]): Outline {
  const entries: Record<Section, SayingLine[][]> = { Story: [], Persons: [], Places: [], Things: [], Words: [] };
  const headings = new Map<Section, number>();
  const stray: SayingLine[] = [];
  let section: Section = "Words";
  for (const [index, line] of lines.entries()) {
    const text = line.replace(/^\s*[-*•]\s+/, "").trim();
    if (text === "" || text.startsWith("//")) continue;
    const heading = sectionNamed(text);
    if (heading !== null) {
      section = heading;
      headings.set(section, index);
    } else if (section === "Persons" && DETAIL.test(text)) (entries.Persons.at(-1) ?? stray).push({ index, text });
    else entries[section].push([{ index, text }]);
  }
  return { entries, headings, stray };
}

function sectionNamed(line: string): Section | null {
  const heading = /^#+\s*(\p{L}+)\s*:?$|^(\p{L}+):?$/u.exec(line);
  const name = (heading?.[1] ?? heading?.[2] ?? "").toLowerCase();
  return SECTIONS.find((section) => section.toLowerCase() === name) ?? null;
}

function entryFrom(line: string): BibleEntry {
  const parts = /^([^=]+?)\s*=\s*(.*)$/.exec(line) ?? /^([^:]+?):\s+(.*)$/.exec(line);
  return { label: (parts?.[1] ?? line).trim(), looks: (parts?.[2] ?? "").trim() };
}

/** A line that says more of the person above it. */
const DETAIL = /^(name|also|picture)\s*:\s*(.*)$/i;

function personFrom([line = "", ...details]: readonly string[]): BiblePerson {
  const said = details.map((detail) => {
    const [, what = "", value = ""] = DETAIL.exec(detail) ?? [];
    return detailOf(what.toLowerCase(), value.trim());
  });
  return Object.assign({}, entryFrom(line), ...said);
}

function detailOf(what: string, value: string): Partial<BiblePerson> {
  if (what === "also") return { alsoCalled: value.split(/\s*;\s*/).filter((call) => call !== "") };
  if (what === "picture") {
    const at = parseClockTime(value);
    return at === null || at < 0 ? {} : { pictureAt: at };
  }
  const [, name = value, from = ""] = /^(.*?),?\s+from\s+([\d:.,]+)$/i.exec(value) ?? [];
  if (/^(?:none|never|-|)$/i.test(name.trim())) return { name: "" };
  const nameFrom = parseClockTime(from);
  return nameFrom === null || nameFrom < 0 ? { name: name.trim() } : { name: name.trim(), nameFrom };
}
