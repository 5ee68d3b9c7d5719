import type { BibleEntry, BiblePerson, FilmBible } from "../core/film-bible.ts";
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
    Story: story === "" ? [] : [oneLine(story)],
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
  let section: Section = "Words";
  const story: string[] = [];
  const persons: BiblePerson[] = [];
  const lists: Record<"Places" | "Things", BibleEntry[]> = { Places: [], Things: [] };
  const words: string[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    const plain = line.replace(/^\s*[-*•]\s+/, "").trim();
    if (plain === "" || plain.startsWith("//")) continue;
    const heading = sectionNamed(plain);
    if (heading !== null) {
      section = heading;
      continue;
    }
    if (section === "Story") story.push(plain);
    else if (section === "Words") words.push(plain.replace(/\s*=\s*/, ": ").replace(/: $/, ""));
    else if (section !== "Persons") lists[section].push(entryFrom(plain));
    else if (!readDetail(plain, persons)) persons.push(entryFrom(plain));
    else if (persons.length === 0) issues.add("stray-text", index + 1, line);
  }
  const bible = { story: story.join(" "), persons, places: lists.Places, things: lists.Things, words };
  return { bible, issues: issues.finish() };
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

/** Takes a line that says more of the last person; `false` for any other line. */
function readDetail(line: string, persons: BiblePerson[]): boolean {
  const [, what = "", value = ""] = /^(name|also|picture)\s*:\s*(.*)$/i.exec(line) ?? [];
  if (what === "") return false;
  const person = persons.pop();
  if (person === undefined) return true;
  persons.push({ ...person, ...detailOf(what.toLowerCase(), value.trim()) });
  return true;
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
