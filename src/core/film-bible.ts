import { foldedWords } from "./text.ts";

/** A person of a film, as its descriptions speak of them. */
export interface BiblePerson {
  /** What descriptions call the person before a name is known: the same words throughout. */
  readonly label: string;
  /** What they look like. */
  readonly looks: string;
  /** Absent where the film gives none; empty where an editor wants none used. */
  readonly name?: string;
  /** Seconds on the programme clock from which the name may be used; absent: from the beginning. */
  readonly nameFrom?: number;
  /** Seconds on the programme clock of a picture that shows them well. */
  readonly pictureAt?: number;
  /** Other words that the log of the film calls them by. */
  readonly alsoCalled?: readonly string[];
}

/** A place or a thing of a film. */
export interface BibleEntry {
  readonly label: string;
  readonly looks: string;
}

/**
 * What whoever describes a film has to know of it: the "bible". A model draws it up from its log of the film; an editor
 * corrects it, and what the editor says stands.
 */
export interface FilmBible {
  /** The story in a paragraph; empty where there is none. */
  readonly story: string;
  readonly persons: readonly BiblePerson[];
  readonly places: readonly BibleEntry[];
  readonly things: readonly BibleEntry[];
  /** Names and terms and how they are written, each `term` or `term: what it is`. */
  readonly words: readonly string[];
}

/** Nothing is known of a film. */
export const EMPTY_BIBLE: FilmBible = { story: "", persons: [], places: [], things: [], words: [] };

/**
 * What was found about a film under what an editor says of it: every entry of the editor's stands as it is, and what was
 * found adds only what the editor does not speak of.
 */
export function correctedBible(found: FilmBible, editors: FilmBible): FilmBible {
  return {
    story: editors.story === "" ? found.story : editors.story,
    persons: [
      ...editors.persons,
      ...found.persons.filter((person) => !editors.persons.some((known) => isSamePerson(known, person))),
    ],
    places: [...editors.places, ...unknown(found.places, editors.places)],
    things: [...editors.things, ...unknown(found.things, editors.things)],
    words: [...editors.words, ...found.words.filter((word) => !editors.words.includes(word))],
  };
}

/** The words that the log and the editor use for a person. */
export function callsOf({ label, name, alsoCalled = [] }: BiblePerson): string[] {
  return [label, ...(name === undefined ? [] : [name]), ...alsoCalled].map(folded).filter((call) => call !== "");
}

function isSamePerson(a: BiblePerson, b: BiblePerson): boolean {
  const calls = callsOf(b);
  return callsOf(a).some((call) => calls.includes(call));
}

function unknown(found: readonly BibleEntry[], known: readonly BibleEntry[]): BibleEntry[] {
  return found.filter(({ label }) => !known.some((entry) => folded(entry.label) === folded(label)));
}

/** Words without capitals and articles: models change both at will. */
function folded(words: string): string {
  return foldedWords(words)
    .toLowerCase()
    .replace(/^(?:the|a|an) /, "");
}
