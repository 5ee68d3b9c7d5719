import * as z from "zod/mini";
import { defined } from "../../../core/objects.ts";
import { SEEN_PLACEMENT_PROFILE } from "../../../core/placement.ts";
import { countSpokenWords } from "../../../core/speaking-time.ts";
import { clipRanges, mergeRanges, subtractRanges, type TimeRange, totalDuration } from "../../../core/time-range.ts";
import type { DescribeRequest, Rehearsal, WrittenDescription } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker } from "./asker.ts";
import type { LineToCheck } from "./check.ts";
import { isInLanguage, languageFault } from "./in-language.ts";
import { inParallel } from "./in-parallel.ts";
import { type Knowledge, peopleLines } from "./know.ts";
import { DATA_RULE, dataBlock, languageRule, prompt, quoted, roomWords, seconds } from "./rules.ts";
import { LINE_WORDS, secondsPerWord } from "./scenes.ts";
import { tidyWording } from "./wording.ts";
import { LOSS_POWER, leadOf } from "./write.ts";

/** What is asked of a line without a place: the same in exactly the words there is room for, alone or with a neighbour. */
interface ExactWordsTask {
  readonly left: WrittenDescription;
  /** The line that is spoken there, where the two are to become one. */
  readonly neighbour: WrittenDescription | null;
  readonly words: number;
}

const EXACT = answerShape(
  "wordings",
  z.object({ wordings: z.array(z.object({ line: z.number(), text: z.string() })) }),
  "wordings",
);

/** Below this importance a line without a place stays unspoken. */
const LEAST_IMPORTANCE = 0.5 ** LOSS_POWER;
/** Seconds after its picture in which a line may still begin. */
const LATE_SECONDS = 1;
/** Seconds between two lines. */
const SEPARATION_SECONDS = 0.25;
/** Tasks in one request. */
const TASKS_AT_ONCE = 10;
/** Words that a wording may have where so many are asked for: a word more is not asked about again, speaking time decides. */
function mostFor(words: number): number {
  return Math.max(words * 1.2, words + 1);
}

function exactSystem(request: DescribeRequest): string {
  return prompt([
    "You edit audio description. Each line below found no place in its pause. Say what it says in the length stated: keep who does what, leave out what matters least, add nothing.",
    'Where two lines are given, say both in one plain sentence of the length stated; where that cannot be done, give an empty "text".',
    "Present tense, whole sentences. Call each person by the label of the bible; a pronoun will do where what is spoken before leaves no doubt.",
    DATA_RULE,
    languageRule(request.language),
    'Answer with JSON only: {"wordings": [{"line": 1, "text": "..."}]}, one entry for each line.',
  ]);
}

/**
 * Asks once more, after placing, for exactly the words that fit, and gives the descriptions with the wordings that came.
 * Nothing is lost: the first wording stays, and two lines become one only where the new one holds both.
 */
export async function withExactWords(
  descriptions: readonly WrittenDescription[],
  rehearsal: Rehearsal,
  {
    request,
    asker,
    knowledge,
    areShown = async (lines) => lines.map(() => true),
  }: {
    readonly request: DescribeRequest;
    readonly asker: Asker;
    readonly knowledge: Knowledge;
    /** Holds new wordings against their pictures; those that are not shown are not taken. */
    readonly areShown?: (lines: readonly LineToCheck[]) => Promise<boolean[]>;
  },
): Promise<WrittenDescription[]> {
  const tasks = tasksOf(descriptions, rehearsal, request);
  const batches: ExactWordsTask[][] = [];
  const atOnce = asker.small?.fittedLines ?? TASKS_AT_ONCE;
  for (let from = 0; from < tasks.length; from += atOnce) batches.push(tasks.slice(from, from + atOnce));
  const answers = await inParallel(batches, asker.parallel, async (batch) => {
    const outcome = await asker.ask({
      system: exactSystem(request),
      shape: EXACT,
      parts: [
        {
          text: prompt([
            ...dataBlock("The bible of the film:", peopleLines(knowledge)),
            ...dataBlock("Spoken before and after them:", aroundLines(batch, rehearsal.spoken)),
            ...dataBlock(
              "The lines:",
              batch.map((task, index) => taskLine(task, index, request)),
            ),
          ]),
        },
      ],
      faultOf: ({ wordings }) =>
        languageFault(
          wordings.map(({ text }) => text),
          request.language,
        ) ?? tooLong(wordings, batch, request),
    });
    return outcome.kind === "answer" ? outcome.answer.wordings : [];
  });
  const fitting = batches.flatMap((batch, index) =>
    (answers[index] ?? []).flatMap(({ line, text }) => {
      const task = batch[line - 1];
      const wording = tidyWording(text, request.language);
      if (task === undefined || wording === "" || !isInLanguage(wording, request.language)) return [];
      if (countSpokenWords(wording) > mostFor(task.words)) return [];
      return [{ task, wording }];
    }),
  );
  const shown = await areShown(
    fitting.map(({ task, wording }) => ({
      text: wording,
      moments: [task.left, task.neighbour].flatMap((line) => (line === null ? [] : (line.moments ?? [line.picture]))),
    })),
  );
  const changed = new Map(descriptions.map((description) => [description.id, description]));
  for (const [index, { task, wording }] of fitting.entries()) {
    if (shown[index] !== true) continue;
    if (task.neighbour === null) addWording(changed, task.left, wording);
    else joinLines(changed, task.left, task.neighbour, wording);
  }
  return descriptions.flatMap(({ id }) => changed.get(id) ?? []);
}

function taskLine({ left, neighbour, words }: ExactWordsTask, index: number, request: DescribeRequest): string {
  const head = `Line ${index + 1}, at most ${roomWords(words, request)}:`;
  const own = left.wordings[0] ?? "";
  return neighbour === null ? `${head} ${own}` : `${head} ${neighbour.wordings[0] ?? ""} + ${own}`;
}

/** What is spoken around the lines of a batch, each once and in order. */
function aroundLines(batch: readonly ExactWordsTask[], spoken: Rehearsal["spoken"]): string[] {
  const around = batch.flatMap(({ left, neighbour }) => {
    const isOther = ({ id }: { readonly id: string }) => id !== left.id && id !== neighbour?.id;
    const others = spoken.filter(isOther);
    const next = others.findIndex(({ start }) => start > left.picture.start);
    const at = next < 0 ? others.length : next;
    return others.slice(Math.max(0, at - 1), at + 1);
  });
  return [...new Set(around)].sort((a, b) => a.start - b.start).map(({ start, text }) => `${seconds(start)}: ${text}`);
}

function tooLong(
  wordings: readonly { readonly line: number; readonly text: string }[],
  batch: readonly ExactWordsTask[],
  request: DescribeRequest,
): string | null {
  for (const { line, text } of wordings) {
    const task = batch[line - 1];
    if (task === undefined || countSpokenWords(text) <= mostFor(task.words)) continue;
    return `${quoted(text)} is longer than ${roomWords(task.words, request)}.`;
  }
  return null;
}

function addWording(changed: Map<string, WrittenDescription>, left: WrittenDescription, wording: string): void {
  const now = changed.get(left.id);
  if (now === undefined || now.wordings.includes(wording)) return;
  const wordings = [...now.wordings, wording].sort((a, b) => countSpokenWords(b) - countSpokenWords(a));
  // What is said sooner may not begin as soon.
  const shortest = wordings.at(-1) ?? wording;
  const { moments = [], picture } = now;
  const seen = moments.at(-1)?.start ?? picture.start;
  const start = Math.max(picture.start, seen - leadOf(shortest, moments.length));
  changed.set(left.id, { ...now, wordings, picture: moments.length < 2 ? picture : { ...picture, start } });
}

/** One line for two: it can be spoken once both are seen. The neighbour's own words stay as the way back. */
function joinLines(
  changed: Map<string, WrittenDescription>,
  left: WrittenDescription,
  neighbour: WrittenDescription,
  wording: string,
): void {
  const [a, b] = [changed.get(left.id), changed.get(neighbour.id)];
  if (a === undefined || b === undefined) return;
  const later = a.picture.start > b.picture.start ? a : b;
  const shorter = b.wordings.filter((own) => countSpokenWords(own) < countSpokenWords(wording));
  const doubt = b.doubt ?? a.doubt;
  changed.delete(left.id);
  changed.set(neighbour.id, {
    ...b,
    wordings: [wording, ...shorter],
    picture: later.picture,
    importance: Math.max(a.importance, b.importance),
    ...confidenceOf(a, b),
    ...defined({ doubt }),
  });
}

function confidenceOf(a: WrittenDescription, b: WrittenDescription): Pick<WrittenDescription, "confidence"> {
  const sure = [a.confidence, b.confidence].filter((one) => one !== undefined);
  return sure.length === 0 ? {} : { confidence: Math.min(...sure) };
}

/**
 * What is to be asked: for each line that matters and found no place, it and the lines around it in the words that all of
 * them have room for; where that is too little for two lines, the nearest two in one sentence. Lines that are too long for
 * any place are asked for in the words of a line.
 */
function tasksOf(
  descriptions: readonly WrittenDescription[],
  { spoken, unspoken }: Rehearsal,
  request: DescribeRequest,
): ExactWordsTask[] {
  if (request.type === "extended") return heldTasksOf(descriptions, unspoken, request);
  const perWord = secondsPerWord(request);
  const places = new Map(spoken.map((line) => [line.id, line]));
  const left = new Set(unspoken);
  const tasks = new Map<string, ExactWordsTask>();
  const isWanted = ({ id, importance }: WrittenDescription) => left.has(id) && importance >= LEAST_IMPORTANCE;
  for (const [index, description] of descriptions.entries()) {
    if (!isWanted(description)) continue;
    const cluster = clusterAround(descriptions, index, places);
    const shares = sharedWords(cluster, roomFor(cluster, request, spoken), perWord);
    for (const [at, line] of cluster.entries()) {
      const words = shares[at] ?? 0;
      const known = tasks.get(line.id);
      if (known?.neighbour !== undefined && known.neighbour !== null) continue;
      if (words >= LINE_WORDS.least && words < lengthOf(line) && (known === undefined || known.words > words)) {
        tasks.set(line.id, { left: line, neighbour: null, words });
      }
    }
    const own = shares[cluster.indexOf(description)] ?? 0;
    const neighbour = own >= LINE_WORDS.least ? undefined : nearestOf(cluster, description);
    if (neighbour === undefined || tasks.get(neighbour.id)?.neighbour) continue;
    const words = Math.min(LINE_WORDS.most, (shares[cluster.indexOf(neighbour)] ?? 0) + Math.max(2, own));
    if (words >= LINE_WORDS.least + 2) tasks.set(description.id, { left: description, neighbour, words });
  }
  for (const line of descriptions) {
    if (!tasks.has(line.id) && lengthOf(line) > LINE_WORDS.most * TOO_LONG && !request.readsAllOnscreenText) {
      tasks.set(line.id, { left: line, neighbour: null, words: LINE_WORDS.most });
    }
  }
  return [...tasks.values()];
}

/**
 * What is to be asked where the film is held, and the time that may be added is too short for all that matters: what found
 * no place, in as much fewer words as all would have to be told in.
 */
function heldTasksOf(
  descriptions: readonly WrittenDescription[],
  unspoken: readonly string[],
  request: DescribeRequest,
): ExactWordsTask[] {
  const wanted = descriptions.filter(({ importance }) => importance >= LEAST_IMPORTANCE);
  const needed = wanted.reduce((sum, line) => sum + lengthOf(line), 0);
  const { gaps, durationSeconds, maximumAddedShare } = request;
  const room = (totalDuration(gaps) + maximumAddedShare * durationSeconds) / secondsPerWord(request);
  const left = new Set(unspoken);
  return wanted.flatMap((line) => {
    const share = Math.min(FEWER, room / needed);
    const words = Math.max(LINE_WORDS.least, Math.floor(lengthOf(line) * share));
    return left.has(line.id) && words < lengthOf(line) ? [{ left: line, neighbour: null, words }] : [];
  });
}

/** Share of its words that a line is asked for at the most where it found no time to be held for. */
const FEWER = 0.75;

/** A wording with so many times the words of a line was never meant to be spoken. */
const TOO_LONG = 2;

function lengthOf({ wordings }: WrittenDescription): number {
  return Math.round(countSpokenWords(wordings[0] ?? ""));
}

/** A line without a place, and the lines whose moments are near: they compete for the same time. */
function clusterAround(
  descriptions: readonly WrittenDescription[],
  index: number,
  places: ReadonlyMap<string, TimeRange>,
): WrittenDescription[] {
  const middle = descriptions[index];
  if (middle === undefined) return [];
  const isNear = (one: WrittenDescription) => {
    const at = places.get(one.id)?.start ?? one.picture.start;
    return one === middle || (places.has(one.id) && Math.abs(at - middle.picture.start) <= NEAR_SECONDS);
  };
  return descriptions.slice(Math.max(0, index - NEAR_LINES), index + NEAR_LINES + 1).filter(isNear);
}

/** Seconds, and lines to either side, that a cluster reaches from its middle. */
const NEAR_SECONDS = 4;
const NEAR_LINES = 3;

/** Free seconds from shortly before a cluster's first moment to shortly after its last, less what other lines take. */
function roomFor(
  cluster: readonly WrittenDescription[],
  request: DescribeRequest,
  spoken: Rehearsal["spoken"],
): number {
  const { gaps } = request;
  const perWord = secondsPerWord(request);
  const ids = new Set(cluster.map(({ id }) => id));
  const mine = spoken.filter(({ id }) => ids.has(id));
  const { maximumLead } = SEEN_PLACEMENT_PROFILE;
  const start = Math.min(
    ...cluster.map(({ picture }) => picture.start - maximumLead),
    ...mine.map((line) => line.start),
  );
  // A line may run on over what comes after its picture.
  const ends = cluster.map((line) =>
    Math.max(line.picture.end + LATE_SECONDS, line.picture.start + lengthOf(line) * perWord),
  );
  const end = Math.max(...ends, ...mine.map((line) => line.end));
  const others = mergeRanges(
    spoken
      .filter(({ id }) => !ids.has(id))
      .map((line) => ({ start: line.start - SEPARATION_SECONDS, end: line.end + SEPARATION_SECONDS })),
  );
  const free = clipRanges(mergeRanges(gaps), { start, end });
  return free.reduce((sum, gap) => sum + totalDuration(subtractRanges(gap, clipRanges(others, gap))), 0);
}

/**
 * The words of each line of a cluster when all share its room: what is too much is given up by length, and more by what
 * matters less.
 */
function sharedWords(cluster: readonly WrittenDescription[], seconds: number, perWord: number): number[] {
  const lengths = cluster.map(lengthOf);
  const needed = lengths.reduce((sum, words) => sum + words, 0);
  const room = (seconds - cluster.length * SEPARATION_SECONDS) / perWord;
  const slack = cluster.length > 1 ? SLACK : 1;
  const tooMuch = Math.max(0, needed - slack * room);
  const yielding = cluster.map(({ importance }, index) => (lengths[index] ?? 0) * (YIELD_OF_ALL + 1 - importance));
  const all = yielding.reduce((sum, share) => sum + share, 0);
  return lengths.map((words, index) => Math.floor(words - (tooMuch * (yielding[index] ?? 0)) / all));
}

/** What gives up words though the story fails without it, beside 1 of what matters not at all. */
const YIELD_OF_ALL = 0.3;

/** Share of a room that lines can fill: their moments do not come one right after the other. */
const SLACK = 0.85;

/** The line of a cluster that can be told in one sentence with another. */
function nearestOf(cluster: readonly WrittenDescription[], line: WrittenDescription): WrittenDescription | undefined {
  return cluster
    .filter((one) => one !== line && Math.abs(one.picture.start - line.picture.start) <= TOGETHER_SECONDS)
    .sort((a, b) => Math.abs(a.picture.start - line.picture.start) - Math.abs(b.picture.start - line.picture.start))[0];
}

/** Seconds between two pictures within which one sentence can tell both. */
const TOGETHER_SECONDS = 1.5;
