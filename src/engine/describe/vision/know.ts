import * as z from "zod/mini";
import {
  type BibleEntry,
  type BiblePerson,
  callsOf,
  correctedBible,
  EMPTY_BIBLE,
  type FilmBible,
} from "../../../core/film-bible.ts";
import { defined } from "../../../core/objects.ts";
import type { DescribeRequest } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker } from "./asker.ts";
import type { FilmLog, LogEvent } from "./look.ts";
import {
  CATEGORIES,
  DATA_RULE,
  dataBlock,
  dialogueLine,
  instructionsRule,
  languageRule,
  prompt,
  seconds,
} from "./rules.ts";

/** What is known of a film before anything is written. */
export interface Knowledge {
  readonly bible: FilmBible;
  /** The category of the programme: the one asked for, or the one found. */
  readonly category: string;
}

const Entry = z.object({ label: z.string(), looks: z._default(z.string(), "") });

const KNOW = answerShape(
  "bible",
  z.object({
    story: z._default(z.string(), ""),
    category: z._default(z.string(), ""),
    persons: z._default(
      z.array(
        z.object({
          label: z.string(),
          looks: z._default(z.string(), ""),
          name: z._default(z.nullable(z.string()), null),
          nameFrom: z._default(z.nullable(z.number()), null),
          pictureAt: z._default(z.nullable(z.number()), null),
          alsoCalled: z._default(z.array(z.string()), []),
        }),
      ),
      [],
    ),
    places: z._default(z.array(Entry), []),
    things: z._default(z.array(Entry), []),
  }),
);

type KnowAnswer = z.output<typeof KNOW.parser>;

/** Events of the log in one request; a longer film is read in parts, each with what the parts before it gave. */
const EVENTS_AT_ONCE = 500;

/** Persons that a film's bible holds at the most, those seen most often. */
const MOST_PERSONS = 40;

function knowSystem(request: DescribeRequest): string {
  return prompt([
    "You draw up the bible of a film for the people who write its audio description. You are given the log of what is seen, by time, and what is said.",
    '"persons": everyone who matters. "label": the one short description that is used for the person until a name is known, the same throughout ("the man in the red coat"). "looks": what they look like. "alsoCalled": other words that the log uses for the same one. "name": only a name that the dialogue or the screen gives, else null; "nameFrom": the second from which it may be used, which is when it is first given. "pictureAt": a time of the log at which they are seen well.',
    '"places" and "things": those that come back or that the story turns on, each under one label.',
    '"story": what happens, in a paragraph, to its end, so that whoever writes a scene knows what it is for and gives nothing away before its time.',
    request.category === "Auto" ? `"category": what kind of programme it is, one of: ${CATEGORIES.join(", ")}.` : "",
    "Take only what the log and the dialogue give; where they leave something open, leave it out.",
    DATA_RULE,
    languageRule(request.language),
    instructionsRule(request),
    'Answer with JSON only: {"story": "...", "category": "...", "persons": [{"label": "...", "looks": "...", "name": null, "nameFrom": null, "pictureAt": 12.5, "alsoCalled": []}], "places": [{"label": "...", "looks": "..."}], "things": [{"label": "...", "looks": "..."}]}.',
  ]);
}

/**
 * Draws up a film's bible from its log. What the editor says of the film stands as it is.
 *
 * @param notes gets a sentence where the model was of no use; the film is described all the same.
 */
export async function know(request: DescribeRequest, log: FilmLog, asker: Asker, notes: string[]): Promise<Knowledge> {
  let bible = EMPTY_BIBLE;
  let category = "";
  const system = knowSystem(request);
  const atOnce = asker.small?.logEvents ?? EVENTS_AT_ONCE;
  for (let from = 0; from < Math.max(1, log.events.length); from += atOnce) {
    const events = log.events.slice(from, from + atOnce);
    const until = log.events[from + atOnce]?.seen.start ?? Number.POSITIVE_INFINITY;
    const since = from === 0 ? Number.NEGATIVE_INFINITY : (events[0]?.seen.start ?? 0);
    const isIn = (at: number) => at >= since && at < until;
    const outcome = await asker.ask({
      system,
      shape: KNOW,
      parts: [{ text: knowPrompt({ request, log, events, isIn, before: bible }) }],
    });
    if (outcome.kind !== "answer") {
      notes.push("The model gave no usable account of the whole film; its persons keep the words of each scene.");
      continue;
    }
    bible = bibleOf(outcome.answer, log);
    if (CATEGORIES.includes(outcome.answer.category)) category = outcome.answer.category;
  }
  const known = correctedBible(bible, request.bible);
  if (request.category !== "Auto") return { bible: known, category: request.category };
  if (category !== "") notes.push(`Described as ${category}, which the model took it for.`);
  return { bible: known, category };
}

function knowPrompt({
  request,
  log,
  events,
  isIn,
  before,
}: {
  readonly request: DescribeRequest;
  readonly log: FilmLog;
  readonly events: readonly LogEvent[];
  readonly isIn: (at: number) => boolean;
  readonly before: FilmBible;
}): string {
  const persons = log.persons.filter(({ at }) => isIn(at));
  return prompt([
    ...dataBlock("The editor says of the film:", bibleLines(request.bible)),
    ...dataBlock("Names and terms, to be written so:", request.glossary),
    ...dataBlock("The bible of what came before, to be completed:", bibleLines(before)),
    ...dataBlock("People as they were seen:", seenPersons(persons)),
    ...dataBlock(
      "Places:",
      log.places.filter(({ at }) => isIn(at)).map(({ at, place }) => `${seconds(at)} ${place}`),
    ),
    ...dataBlock(
      "Seen:",
      events.map((event) => eventLine(event)),
    ),
    ...dataBlock("Heard:", request.transcript.filter(({ start }) => isIn(start)).map(dialogueLine)),
    "Draw up the bible of the whole film so far.",
  ]);
}

/** One line for each label, with the first looks and every name. */
function seenPersons(persons: FilmLog["persons"]): string[] {
  const byLabel = new Map<string, { looks: string; at: number; times: number; name: string }>();
  for (const { label, looks, at, name } of persons) {
    const known = byLabel.get(label);
    if (known === undefined) byLabel.set(label, { looks, at, times: 1, name });
    else byLabel.set(label, { ...known, times: known.times + 1, name: known.name || name });
  }
  return [...byLabel].map(
    ([label, { looks, at, times, name }]) =>
      `${label}: ${looks} (first seen at ${seconds(at)}, in ${times} of the looks${name === "" ? "" : `; called ${name}`})`,
  );
}

/** An event of the log on one line; `room` says how much can be told of it, and stands beside its times. */
export function eventLine({ number, seen, what, who, importance, confidence }: LogEvent, room = ""): string {
  const by = who.length === 0 ? "" : ` (${who.join(", ")})`;
  return `Event ${number}, ${seconds(seen.start)} to ${seconds(seen.end)}${room}, importance ${importance.toFixed(1)}, sure ${confidence.toFixed(1)}: ${what}${by}`;
}

/** A bible on lines, for a model. */
export function bibleLines({ story, persons, places, things, words }: FilmBible): string[] {
  return [
    ...(story === "" ? [] : [`Story: ${story}`]),
    ...persons.map(personLine),
    ...places.map(({ label, looks }) => `Place: ${label}: ${looks}`),
    ...things.map(({ label, looks }) => `Thing: ${label}: ${looks}`),
    ...words.map((word) => `Write: ${word}`),
  ];
}

/** The persons of a film on lines, for a model that needs not know the story. */
export function peopleLines({ bible }: Knowledge): string[] {
  return bibleLines({ ...bible, story: "", places: [], things: [], words: [] });
}

function personLine(person: BiblePerson): string {
  const { label, looks, name, nameFrom, alsoCalled = [] } = person;
  const also = alsoCalled.length === 0 ? "" : `; the log also says ${alsoCalled.join(", ")}`;
  const from = nameFrom === undefined ? "from the beginning" : `not before ${seconds(nameFrom)}`;
  const named = name === undefined ? "no name is known" : name === "" ? "never to be named" : `name ${name}, ${from}`;
  return `Person: ${label}: ${looks}; ${named}${also}`;
}

function bibleOf({ story, persons, places, things }: KnowAnswer, log: FilmLog): FilmBible {
  const entry = ({ label, looks }: BibleEntry) => ({ label: label.trim(), looks: looks.trim() });
  const isNamed = ({ label }: BibleEntry) => label !== "";
  return {
    story: story.trim(),
    persons: persons
      .filter(({ label }) => label.trim() !== "")
      .slice(0, MOST_PERSONS)
      .map((person) => personOf(person, log)),
    places: places.map(entry).filter(isNamed),
    things: things.map(entry).filter(isNamed),
    words: [],
  };
}

function personOf(person: KnowAnswer["persons"][number], log: FilmLog): BiblePerson {
  const { label, looks, nameFrom, pictureAt, alsoCalled } = person;
  const name = person.name?.trim() ?? "";
  const called: BiblePerson = { label: label.trim(), looks: looks.trim(), alsoCalled };
  const calls = callsOf(called);
  const isCalled = (label: string) => callsOf({ label, looks: "" }).some((call) => calls.includes(call));
  const seen = log.events.find(({ who }) => who.some(isCalled));
  const picture = pictureAt ?? seen?.seen.start;
  return {
    ...called,
    ...(name === "" ? {} : { name, ...(nameFrom === null ? {} : { nameFrom: Math.max(0, nameFrom) }) }),
    ...defined({ pictureAt: picture }),
  };
}
