import { createHash } from "node:crypto";
import { countWords } from "../../../src/core/speaking-time.ts";
import { type Fact, type FilmFacts, picturesOf, plain, quotes } from "./facts.ts";

/** A request as it reaches a model: words and the times of its pictures, in order. */
export interface OracleRequest {
  /** Name of the shape that is asked for. */
  readonly shape: string;
  /** All words of the first user turn. */
  readonly prompt: string;
  /** Times that its pictures are labelled with, in seconds. */
  readonly pictures: readonly number[];
  /** How often the model was asked back. */
  readonly askedBack: number;
}

/** How often the oracle is wrong on purpose, as shares of its answers or of what is in them. */
const FAULTS = {
  /** Requests answered with a refusal, and with JSON that breaks off. */
  refusal: 0.03,
  broken: 0.03,
  /** Log entries that were never there, and such whose time is no picture's. */
  invented: 0.06,
  wrongTime: 0.05,
  /** Lines longer than allowed. */
  tooLong: 0.03,
  /** Verdicts that are wrong: invented facts let through, and true lines refused. */
  missed: 0.03,
  falseAlarm: 0.01,
} as const;

/** What the oracle invents; nothing of it is in any of the films. */
const INVENTIONS = [
  "a yellow submarine drifts past the window",
  "a juggler drops three oranges",
  "an old clown hides behind a piano",
  "a zebra crosses the frozen lake",
  "two nuns repair a bicycle wheel",
  "a lighthouse keeper lights his pipe",
  "a parrot steals a silver spoon",
  "a violinist bows to an empty hall",
  "a camel kneels beside a petrol pump",
  "a chef flips a pancake into the sea",
] as const;

const IMPORTANCE: Readonly<Record<1 | 2 | 3, number>> = { 3: 1, 2: 0.6, 1: 0.3 };

/** Words of one line at the most. */
const LINE_WORDS = 12;
const LEAST_WORDS = 4;

/**
 * Answers like an honest model that sees only the pictures of each request and reads only its prompt: it knows a film's
 * facts, tells those that the pictures show, and is wrong now and then by a seed. It never sees where a pause is but
 * through the prompt.
 */
export class Oracle {
  readonly #film: FilmFacts;
  readonly #luck: string;
  /** Everything invented that was handed out, once each. */
  readonly invented = new Set<string>();
  /** Facts that the log has, and that a line was written of. */
  readonly logged = new Set<string>();
  readonly written = new Set<string>();
  #inventions = 0;

  /** @param luck which of its answers are wrong: another word, others. */
  constructor(film: FilmFacts, luck = "") {
    this.#film = film;
    this.#luck = luck;
  }

  /** The words of an answer. */
  answer(request: OracleRequest): string {
    const random = randomOf(
      `${this.#luck}${request.shape}|${request.askedBack}|${request.prompt}|${request.pictures.join()}`,
    );
    if (random() < FAULTS.refusal) return "I'm sorry, but I can't help with that.";
    const isBroken = random() < FAULTS.broken;
    const words = JSON.stringify(this.#answerOf(request, random));
    return isBroken ? words.slice(0, Math.floor(words.length / 2)) : words;
  }

  #answerOf(request: OracleRequest, random: () => number): unknown {
    switch (request.shape) {
      case "log":
        return this.#log(request, random);
      case "bible":
        return this.#bible();
      case "lines":
        return this.#lines(request, random);
      case "verdicts":
        return this.#verdicts(request, random);
      case "wordings":
        return this.#wordings(request);
      case "changes":
        return this.#changes(request);
      case "descriptions":
        return this.#descriptions(request);
      default:
        throw new Error(`The oracle knows no shape "${request.shape}".`);
    }
  }

  #looks(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.#film.persons.find((person) => person.id === id)?.looks ?? []);
  }

  /** The first look: every fact that the pictures show, some inventions, some times that are no picture's. */
  #log({ pictures }: OracleRequest, random: () => number) {
    const seen = this.#film.facts.flatMap((fact) => {
      const shown = picturesOf(fact, pictures);
      const first = shown[0];
      const last = shown.at(-1);
      return first === undefined || last === undefined ? [] : [{ fact, at: first, until: last }];
    });
    for (const { fact } of seen) this.logged.add(fact.id);
    const events = seen.map(({ fact, at, until }) => ({
      at: random() < FAULTS.wrongTime ? at + 0.37 : at,
      until,
      what: fact.kind === "text" ? `on screen: ${fact.words}` : fact.words,
      who: this.#looks(fact.who),
      kind: fact.kind,
      importance: IMPORTANCE[fact.importance],
      confidence: 0.9,
    }));
    for (const _ of seen) {
      if (random() >= FAULTS.invented) continue;
      const at = pictures[Math.floor(random() * pictures.length)] ?? 0;
      events.push({ ...INVENTED_EVENT, at, until: at, what: this.#invent() });
    }
    const people = this.#film.persons
      .filter(({ id }) => seen.some(({ fact }) => fact.who.includes(id)))
      .map(({ looks }) => ({ label: looks, looks, name: null }));
    return { place: "", people, events };
  }

  #invent(): string {
    const base = INVENTIONS[this.#inventions % INVENTIONS.length] ?? "";
    const round = Math.floor(this.#inventions / INVENTIONS.length);
    this.#inventions++;
    const words = round === 0 ? base : `${base} number ${round + 1}`;
    this.invented.add(words);
    return words;
  }

  #bible() {
    const persons = this.#film.persons.map(({ looks }) => ({
      label: looks,
      looks,
      name: null,
      nameFrom: null,
      pictureAt: null,
      alsoCalled: [],
    }));
    return { story: "", category: "Narrative Story", persons, places: [], things: [] };
  }

  /** Scene by scene: what matters most in each beat, in the words that it has, nothing that was spoken before. */
  #lines({ prompt }: OracleRequest, random: () => number) {
    const spoken = blockOf(prompt, "Spoken before:").join(" | ");
    const done = new Set<number>();
    const told = new Set(this.#film.facts.filter((fact) => quotes(spoken, fact)).map(({ id }) => id));
    const lines: { events: number[]; text: string; importance: number; confidence: number }[] = [];
    let waiting: LoggedEvent[] = [];
    let left = Number(/ At most (\d+) words in all\./.exec(prompt)?.[1] ?? Number.POSITIVE_INFINITY);
    for (const beat of beatsIn(prompt)) {
      // What cannot be said where it is seen can still be said a little later.
      const late = waiting.filter(({ until }) => until >= beat.start - 1.5);
      // A later beat has its own end.
      waiting = [...late.map((event) => ({ ...event, wordsLeft: Number.POSITIVE_INFINITY })), ...beat.events];
      const open = waiting.flatMap((event): Candidate[] => {
        const fact = this.#factOf(event.what);
        if (done.has(event.number) || (fact !== undefined && told.has(fact.id))) return [];
        return [
          {
            event,
            fact,
            long: fact?.kind === "text" ? event.what : (fact?.words ?? event.what),
            short: fact?.short ?? event.what,
          },
        ];
      });
      for (const group of linesFor(open, Math.min(beat.words, left))) {
        const words = joined(group.map((part) => part.words));
        for (const {
          candidate: { event, fact },
        } of group) {
          done.add(event.number);
          if (fact === undefined) continue;
          told.add(fact.id);
          this.written.add(fact.id);
        }
        const isLong = random() < FAULTS.tooLong;
        lines.push({
          events: group.map(({ candidate }) => candidate.event.number),
          text: sentence(isLong ? `${words}, slowly and with great care, as everybody around can plainly see` : words),
          importance: Math.max(...group.map(({ candidate }) => candidate.event.importance)),
          confidence: 0.9,
        });
        left -= countWords(words);
      }
    }
    return { lines };
  }

  #factOf(what: string): Fact | undefined {
    const said = plain(what).trimEnd();
    return this.#film.facts.find((fact) =>
      [fact.words, `on screen: ${fact.words}`].some((words) => `${said} `.startsWith(plain(words))),
    );
  }

  /** The second look: a line is right when the pictures of this request show every fact in it. */
  #verdicts({ prompt, pictures }: OracleRequest, random: () => number) {
    const lines = blockOf(prompt, "The lines:").flatMap((line) => {
      const [, number, text] = /^Line (\d+), told of .*? s to .*? s: (.*)$/.exec(line) ?? [];
      return number === undefined || text === undefined ? [] : [{ number: Number(number), text }];
    });
    return {
      lines: lines.map(({ number, text }) => {
        const isInvented = [...this.invented].some((one) => plain(text).includes(plain(one)));
        if (isInvented) {
          if (random() < FAULTS.missed) return verdict(number, "right");
          const shown = this.#film.facts.filter((fact) => quotes(text, fact) && picturesOf(fact, pictures).length > 0);
          const mended = shown.length === 0 ? "" : sentence(joined(shown.map(({ short }) => short)));
          return verdict(number, "wrong", "something in it is nowhere to be seen", mended);
        }
        if (random() < FAULTS.falseAlarm) return verdict(number, "wrong", "it seems not to be there");
        const facts = this.#film.facts.filter((fact) => quotes(text, fact));
        const isShown = facts.some((fact) => picturesOf(fact, pictures).length > 0);
        return isShown ? verdict(number, "right") : verdict(number, "unsure", "the pictures cannot tell");
      }),
    };
  }

  #wordings({ prompt }: OracleRequest) {
    const lines = blockOf(prompt, "The lines:").flatMap((line) => {
      const [, number, words, text] = /^Line (\d+), at most (\d+) words: (.*)$/.exec(line) ?? [];
      return text === undefined ? [] : [{ line: Number(number), words: Number(words), text }];
    });
    return {
      wordings: lines.map(({ line, words, text }) => {
        const parts = text.split(" + ").map((part) => this.#film.facts.filter((fact) => quotes(part, fact)));
        const isEmpty = parts.some((facts) => facts.length === 0);
        const shorts = parts.flatMap((facts) => facts.map(({ short }) => short));
        // Of one line the last part is left out before all of it is; of two lines neither.
        while (parts.length === 1 && shorts.length > 1 && countWords(joined(shorts)) > words) shorts.pop();
        const whole = joined(shorts);
        const isWhole = !isEmpty && countWords(whole) <= words;
        return { line, text: isWhole ? sentence(whole) : "" };
      }),
    };
  }

  /** The last reading: what is told a second time goes. */
  #changes({ prompt }: OracleRequest) {
    const told = new Set<string>();
    const changes: { line: number; text: string; why: string }[] = [];
    for (const line of blockOf(prompt, "The lines:")) {
      const [, number, text = ""] = /^Line (\d+), [\d.]+ s(?:, at most \d+ [a-z]+)?: (.*)$/.exec(line) ?? [];
      const facts = this.#film.facts.filter((fact) => quotes(text, fact));
      if (facts.length > 0 && facts.every(({ id }) => told.has(id))) {
        changes.push({ line: Number(number), text: "", why: "told before" });
      }
      for (const { id } of facts) told.add(id);
    }
    return { changes };
  }

  /** The one request of older versions: so many descriptions of a stretch, each in three lengths. */
  #descriptions({ prompt, pictures }: OracleRequest) {
    const [, most = "1", long = "10", medium = "7", short = "5"] =
      /Write at most (\d+) descriptions?.*?at most (\d+) words.*?at most (\d+).*?at most (\d+)/s.exec(prompt) ?? [];
    const already = prompt.slice(prompt.indexOf("Already described:"));
    const isTold = (fact: Fact) => prompt.includes("Already described:") && quotes(already, fact);
    const seen = this.#film.facts
      .filter((fact) => picturesOf(fact, pictures).length > 0 && !isTold(fact))
      .sort((a, b) => b.importance - a.importance || a.start - b.start)
      .slice(0, Number(most) * 3)
      .sort((a, b) => a.start - b.start);
    const each = Math.ceil(seen.length / Number(most)) || 1;
    const descriptions = [];
    for (let from = 0; from < seen.length; from += each) {
      const facts = seen.slice(from, from + each).sort((a, b) => b.importance - a.importance);
      const [first] = facts;
      if (first === undefined) continue;
      descriptions.push({
        at: picturesOf(first, pictures)[0] ?? 0,
        long: factsIn(facts, Number(long)),
        medium: factsIn(facts, Number(medium)),
        short: factsIn(facts, Number(short)),
        importance: IMPORTANCE[first.importance],
      });
    }
    return { descriptions: descriptions.filter((one) => one.short !== "") };
  }
}

function verdict(line: number, said: "right" | "wrong" | "unsure", why = "", mended = "") {
  return { line, verdict: said, why, mended };
}

const INVENTED_EVENT = { who: [], kind: "action", importance: 0.8, confidence: 0.85 };

/** Facts in so many words: the first whole or short, more as they fit. */
function factsIn(facts: readonly Fact[], words: number): string {
  let text = "";
  for (const fact of facts) {
    const fitting = [fact.words, fact.short].map((one) => (text === "" ? one : `${text}, ${one}`));
    text = fitting.find((one) => countWords(one) <= words) ?? text;
  }
  return text === "" ? "" : sentence(text);
}

interface LoggedEvent {
  readonly number: number;
  readonly at: number;
  readonly until: number;
  readonly importance: number;
  readonly what: string;
  /** Words that are left from its moment to the end of its pause. */
  readonly wordsLeft: number;
}

/** Something to tell, with its two wordings. */
interface Candidate {
  readonly event: LoggedEvent;
  readonly fact: Fact | undefined;
  readonly long: string;
  readonly short: string;
}

/** What one line tells, each part with the words that it has now. */
type Group = { readonly candidate: Candidate; words: string }[];

/** Seconds between what one sentence tells. */
const TOGETHER_SECONDS = 1.2;

/**
 * Lines for what is seen: what matters most first, each in the fewest words that are a sentence, alone or together with what is
 * seen at nearly the same time; details only where nothing else is told. Then in full, as there is room.
 */
function linesFor(open: readonly Candidate[], room: number): Group[] {
  const groups: Group[] = [];
  const used = () => groups.reduce((sum, group) => sum + lengthOf(group), 0);
  const byWorth = [...open].sort((a, b) => b.event.importance - a.event.importance || a.event.at - b.event.at);
  for (const candidate of byWorth) {
    if (candidate.event.importance < 0.5 && groups.length > 0) continue;
    const near = isText(candidate)
      ? undefined
      : groups.find((group) =>
          group.every(
            ({ candidate: other }) =>
              !isText(other) && Math.abs(other.event.at - candidate.event.at) <= TOGETHER_SECONDS,
          ),
        );
    const { wordsLeft, importance } = candidate.event;
    const wholes = isText(candidate) ? [candidate.long] : [candidate.short, candidate.long];
    const fits = (words: string, least: number) => countWords(words) >= least && countWords(words) <= wordsLeft;
    // Where few words are left, what the story fails without is told in fewer than a line has.
    const isPressed = importance === 1 && wordsLeft < LINE_WORDS;
    const alone =
      wholes.find((words) => fits(words, LEAST_WORDS)) ?? wholes.find((words) => isPressed && fits(words, 2));
    const free = room - used();
    const most = Math.min(candidate.event.wordsLeft, near === undefined ? LINE_WORDS : mostWords(near));
    const joins = near !== undefined && lengthOf(near) + countWords(candidate.short) + 1 <= most;
    if (joins && countWords(candidate.short) + 1 <= free) near.push({ candidate, words: candidate.short });
    else if (alone !== undefined && countWords(alone) <= free) groups.push([{ candidate, words: alone }]);
  }
  for (const part of groups.flat().sort((a, b) => b.candidate.event.importance - a.candidate.event.importance)) {
    const group = groups.find((one) => one.includes(part)) ?? [];
    const before = part.words;
    part.words = part.candidate.long;
    if (used() > room || (lengthOf(group) > mostWords(group) && !isText(part.candidate))) part.words = before;
  }
  for (const group of groups) group.sort((a, b) => a.candidate.event.at - b.candidate.event.at);
  return groups.sort((a, b) => (a[0]?.candidate.event.at ?? 0) - (b[0]?.candidate.event.at ?? 0));
}

/** Words that a line may have: those of a line, and no more than are left for what it tells. */
function mostWords(group: Group): number {
  return Math.min(LINE_WORDS, ...group.map(({ candidate }) => candidate.event.wordsLeft));
}

function lengthOf(group: Group): number {
  return countWords(joined(group.map(({ words }) => words)));
}

function isText({ fact }: Candidate): boolean {
  return fact?.kind === "text";
}

/** Parts of a sentence, told in one breath. */
function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
}

/** The lines of a block of material under a title. */
function blockOf(prompt: string, title: string): string[] {
  const start = prompt.indexOf(`${title} <<<`);
  if (start < 0) return [];
  const end = prompt.indexOf("\n>>>", start);
  const lines = prompt.slice(start, end < 0 ? prompt.length : end).split("\n");
  return lines.slice(1).map((line) => line.trim());
}

interface BeatInPrompt {
  readonly start: number;
  readonly end: number;
  readonly words: number;
  readonly events: readonly LoggedEvent[];
}

function beatsIn(prompt: string): BeatInPrompt[] {
  const beats: (Omit<BeatInPrompt, "events"> & { events: LoggedEvent[] })[] = [];
  for (const line of blockOf(prompt, "The log, beat by beat:")) {
    const beat = /^Beat \d+, ([\d.]+) s to ([\d.]+) s, (?:at most (\d+) words|no room):$/.exec(line);
    if (beat !== null) {
      beats.push({ start: Number(beat[1]), end: Number(beat[2]), words: Number(beat[3] ?? 0), events: [] });
      continue;
    }
    const event =
      /^Event (\d+), ([\d.]+) s to ([\d.]+) s(?:, (?:at most (\d+) words|no room) left)?, importance ([\d.]+), sure [\d.]+: (.*?)(?: \([^()]*\))?$/.exec(
        line,
      );
    if (event === null) continue;
    beats.at(-1)?.events.push({
      number: Number(event[1]),
      at: Number(event[2]),
      until: Number(event[3]),
      wordsLeft: line.includes(", no room left, ") ? 0 : Number(event[4] ?? Number.POSITIVE_INFINITY),
      importance: Number(event[5]),
      what: event[6] ?? "",
    });
  }
  return beats;
}

/** A stream of numbers from 0 to 1 that is the same for the same text. */
function randomOf(text: string): () => number {
  let count = 0;
  return () => {
    const hash = createHash("sha256").update(`${count++}|${text}`).digest();
    return hash.readUInt32BE(0) / 2 ** 32;
  };
}
