import * as z from "zod/mini";
import type { JobFinding } from "../../../contract/job.ts";
import type { BiblePerson, FilmBible } from "../../../core/film-bible.ts";
import { countSpokenWords, estimateSpeakingSeconds } from "../../../core/speaking-time.ts";
import { literalPattern } from "../../../core/text.ts";
import { overlapDuration, type TimeRange } from "../../../core/time-range.ts";
import type { DescribeRequest } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker } from "./asker.ts";
import { isInLanguage, languageFault, languageFinding } from "./in-language.ts";
import { bibleLines, eventLine, type Knowledge } from "./know.ts";
import type { LogEvent } from "./look.ts";
import {
  CONFIDENCE_RULE,
  categoryAdvice,
  DATA_RULE,
  dataBlock,
  dialogueLine,
  IMPORTANCE_RULE,
  instructionsRule,
  languageRule,
  prompt,
  quoted,
  roomFromTo,
  roomWords,
  seconds,
} from "./rules.ts";
import { type BeatEvent, LINE_WORDS, type RoomyBeat, type Scene } from "./scenes.ts";
import { isFilmTalk, shortenToSentences, tidyWording } from "./wording.ts";

/** A line as it was written for a scene, not yet placed. */
export interface DraftLine {
  readonly text: string;
  /** What it tells of. */
  readonly events: readonly LogEvent[];
  /** When all that it tells is seen, until that is over. */
  readonly picture: TimeRange;
  readonly importance: number;
  readonly confidence: number;
}

const WRITE = answerShape(
  "lines",
  z.object({
    lines: z.array(
      z.object({
        events: z.array(z.number()),
        text: z.string(),
        importance: z._default(z.number(), 0.6),
        confidence: z._default(z.number(), 0.8),
      }),
    ),
  }),
  "lines",
);

type WrittenLine = z.output<typeof WRITE.parser>["lines"][number];

/** How far over its budget a beat may be written before the model is asked again: speaking time decides in the end. */
const TOLERANCE = 1.25;

/**
 * The rules that lines are written by: DCMP Description Key, Netflix's guide, WCAG F113, and what users of generated
 * descriptions complained of (invented action, words before the event, names given away).
 */
const rules = (request: DescribeRequest) => [
  "You write audio description: short lines, spoken in the pauses of a film, that tell blind people what the picture shows.",
  "You are given a scene's log of what is seen, in beats, each with the room that there is. Choose what matters to follow the story, and say each thing in the beat in which it begins to be seen.",
  `A line has ${roomFromTo(LINE_WORDS.least, LINE_WORDS.most, request)} and is one plain sentence: present tense, active voice, third person. Never pass the room of a beat; a beat with room may hold two lines.`,
  `Where little room is left for an event, a line that tells it has no more than that; less than ${roomWords(LINE_WORDS.least, request)} only for what the story fails without.`,
  "Tell only what the log has. Evident expressions may be told (a frightened face); do not interpret, judge or guess motives and relations.",
  "First who does what; place and time where the scene changes; then expressions and looks. Hold a surprise until it is seen, and tell before it whatever it needs.",
  "Put together only what is seen at nearly the same time. What is under speech can be told in the next beat with room, where it still matters.",
  'Never write "we see", "the scene shows", "the camera" or anything about film-making.',
  "Do not repeat what can be heard: no dialogue, no sounds, no music.",
  "Call each person by the label of the bible, and by a name only from the second that the bible states. Where a pronoun could mean two, use the label.",
  "Any line may be left out in the end for want of time: each must be understood without the line before it.",
  "Read out on-screen text that matters, introduced by what shows it.",
  "Do not tell again what a line spoken before has told.",
  "Silence is better than filler: leave a beat empty when nothing in it is worth telling.",
];

/** The instructions that hold for the writing of a whole film. */
function writeSystem(request: DescribeRequest, { category }: Knowledge): string {
  const isExtended = request.type === "extended";
  return prompt([
    ...rules(request),
    isExtended
      ? "The film is held while a line is spoken, so every hold costs the audience its flow: hold only for what matters, one event a line."
      : "",
    isExtended && request.readsAllOnscreenText
      ? "Read out ALL on-screen text, word for word, in reading order, instead of summarising it; such lines may be as long as the text."
      : "",
    categoryAdvice(category),
    '"events": the numbers of the events that the line tells.',
    IMPORTANCE_RULE,
    CONFIDENCE_RULE,
    DATA_RULE,
    languageRule(request.language),
    instructionsRule(request),
    'Answer with JSON only: {"lines": [{"events": [12], "text": "...", "importance": 0.6, "confidence": 0.9}]}, or {"lines": []}.',
  ]);
}

/** Seconds of dialogue around a scene that its writer is told. */
const DIALOGUE_SECONDS = 15;

/** What a scene is written from. */
export interface SceneMaterial {
  readonly scene: Scene;
  readonly knowledge: Knowledge;
  /** Lines that are spoken before it, and those of the film before them that speak of the same things. */
  readonly spoken: readonly string[];
}

function scenePrompt({ scene, knowledge, spoken }: SceneMaterial, request: DescribeRequest): string {
  const near = { start: scene.start - DIALOGUE_SECONDS, end: scene.end + DIALOGUE_SECONDS };
  const dialogue = request.transcript.filter((line) => overlapDuration(line, near) > 0);
  const total = request.type === "extended" ? ` At most ${roomWords(scene.words, request)} in all.` : "";
  return prompt([
    `Write the lines of the scene from ${seconds(scene.start)} to ${seconds(scene.end)} of ${seconds(request.durationSeconds)}.${total}`,
    ...dataBlock("The bible of the film:", bibleLines(knowledge.bible)),
    ...dataBlock("Names and terms, to be written so:", request.glossary),
    ...dataBlock("Spoken before:", spoken),
    ...dataBlock("Heard (what comes later must not be given away):", dialogue.map(dialogueLine)),
    ...dataBlock(
      "The log, beat by beat:",
      scene.beats.flatMap((beat, index) => beatLines(beat, index, request)),
    ),
  ]);
}

function beatLines(beat: RoomyBeat, index: number, request: DescribeRequest): string[] {
  const room = beat.words < LINE_WORDS.least ? "no room" : `at most ${roomWords(beat.words, request)}`;
  const head = `Beat ${index + 1}, ${seconds(beat.start)} to ${seconds(beat.end)}, ${room}:`;
  return [head, ...beat.events.map((event) => eventLine(event, leftText(event, beat, request)))];
}

/** How many words are left for an event that comes shortly before its pause ends. */
function leftText({ wordsLeft }: BeatEvent, beat: RoomyBeat, request: DescribeRequest): string {
  if (wordsLeft === undefined || beat.words < LINE_WORDS.least || wordsLeft >= LINE_WORDS.most) return "";
  return wordsLeft < LINE_WORDS.shortest ? ", no room left" : `, at most ${roomWords(wordsLeft, request)} left`;
}

/** What people are told of the writing beside its lines. */
export interface WritingReport {
  readonly notes: string[];
  /** Lines that are not spoken because of their language. */
  readonly findings: JobFinding[];
}

/** Writes the lines of a scene; in two halves where there is no usable answer on the whole. */
export async function writeScene(
  material: SceneMaterial,
  request: DescribeRequest,
  asker: Asker,
  report: WritingReport,
  isHalf = false,
): Promise<DraftLine[]> {
  const { scene, knowledge } = material;
  const hasRoom = scene.beats.some(({ words }) => words >= LINE_WORDS.least);
  const hasEvents = scene.beats.some(({ events }) => events.length > 0);
  // A hold makes room where there is none.
  if (request.type === "standard" && !(hasRoom && hasEvents)) return [];
  const outcome = await asker.ask({
    system: writeSystem(request, knowledge),
    shape: WRITE,
    parts: [{ text: scenePrompt(material, request) }],
    faultOf: ({ lines }) => faultOf(lines, material, request),
  });
  if (outcome.kind !== "answer" && !isHalf && scene.beats.length > 1) {
    const [first, second] = halvesOf(scene);
    const before = await writeScene({ ...material, scene: first }, request, asker, report, true);
    const spoken = [...material.spoken, ...before.map(({ text }) => text)];
    return [...before, ...(await writeScene({ ...material, scene: second, spoken }, request, asker, report, true))];
  }
  if (outcome.kind !== "answer") {
    const what = outcome.kind === "refusal" ? "The model refused to write" : "The model gave no usable answer for";
    report.notes.push(`${what} the scene from ${seconds(scene.start)} to ${seconds(scene.end)}.`);
    return [];
  }
  return settled(outcome.answer.lines, material, request, report);
}

function halvesOf({ start, end, beats, words }: Scene): [Scene, Scene] {
  const middle = Math.ceil(beats.length / 2);
  const at = beats[middle]?.start ?? end;
  const half = Math.ceil(words / 2);
  return [
    { start, end: at, beats: beats.slice(0, middle), words: half },
    { start: at, end, beats: beats.slice(middle), words: half },
  ];
}

function faultOf(
  lines: readonly WrittenLine[],
  { scene, knowledge }: SceneMaterial,
  request: DescribeRequest,
): string | null {
  const foreign = languageFault(
    lines.map(({ text }) => text),
    request.language,
  );
  if (foreign !== null) return foreign;
  const events = eventsByNumber(scene);
  for (const { text, events: numbers } of lines) {
    const unknown = numbers.find((number) => !events.has(number));
    if (unknown !== undefined) return `There is no event ${unknown} in this scene (${quoted(text)}).`;
    if (numbers.length === 0) return `${quoted(text)} names no event that it tells.`;
    if (isFilmTalk(text)) return `${quoted(text)} talks about the film; tell only what is visible.`;
    const told = eventsOf(numbers, events);
    const most = mostWords(told, request);
    if (countSpokenWords(text) > most * TOLERANCE) return `${quoted(text)} is longer than ${roomWords(most, request)}.`;
    const early = nameTooEarly(text, told, knowledge.bible);
    if (early !== null)
      return `${quoted(early.name ?? "")} may not be named before ${seconds(early.nameFrom ?? 0)}; write ${quoted(early.label)} (${quoted(text)}).`;
  }
  for (const [index, beat] of scene.beats.entries()) {
    if (beat.words < LINE_WORDS.least || request.readsAllOnscreenText) continue;
    const inBeat = lines.filter(({ events: numbers }) =>
      beat.events.some(({ number }) => number === Math.max(...numbers)),
    );
    const words = Math.round(inBeat.reduce((sum, { text }) => sum + countSpokenWords(text), 0));
    if (words > beat.words * TOLERANCE + 1) {
      return `The lines of beat ${index + 1} have ${roomWords(words, request)}; at most ${roomWords(beat.words, request)} fit.`;
    }
  }
  return null;
}

function eventsByNumber({ beats }: Scene): Map<number, LogEvent> {
  return new Map(beats.flatMap(({ events }) => events.map((event) => [event.number, event] as const)));
}

function eventsOf(numbers: readonly number[], events: ReadonlyMap<number, LogEvent>): LogEvent[] {
  return numbers.flatMap((number) => events.get(number) ?? []).sort((a, b) => a.seen.start - b.seen.start);
}

/** Words that reading all text of a screen may take: a full slide. */
const ALL_TEXT_WORDS = 150;

function mostWords(told: readonly LogEvent[], request: DescribeRequest): number {
  const isText = told.some(({ kind }) => kind === "text");
  if (isText && request.readsAllOnscreenText && request.type === "extended") return ALL_TEXT_WORDS;
  // What stands on screen is as long as it is.
  return isText ? LINE_WORDS.most * 2 : LINE_WORDS.most;
}

/** The first person whose name a text uses before the film has given it. */
function nameTooEarly(text: string, told: readonly LogEvent[], { persons }: FilmBible): BiblePerson | null {
  const at = told.at(-1)?.seen.start ?? 0;
  return persons.find((person) => isTooEarly(person, at) && namePattern(person).test(text)) ?? null;
}

function isTooEarly({ name, nameFrom, label }: BiblePerson, at: number): boolean {
  return name !== undefined && name !== "" && name !== label && nameFrom !== undefined && at < nameFrom;
}

function namePattern({ name = "" }: BiblePerson): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literalPattern(name)}(?![\\p{L}\\p{N}])`, "giu");
}

/** Makes the best of an answer: texts tidied, over-long ones shortened to whole sentences, hopeless ones left out. */
function settled(
  lines: readonly WrittenLine[],
  { scene, knowledge }: SceneMaterial,
  request: DescribeRequest,
  { notes, findings }: WritingReport,
): DraftLine[] {
  const events = eventsByNumber(scene);
  const isHeld = request.type === "extended";
  return lines.flatMap((line): DraftLine[] => {
    const told = eventsOf(line.events, events);
    const last = told.at(-1);
    const words = withoutEarlyNames(tidyWording(line.text, request.language), told, knowledge.bible);
    if (words === "") return [];
    if (last === undefined) {
      notes.push(`Dropped, because it tells nothing that was logged: "${words}"`);
      return [];
    }
    if (!isInLanguage(words, request.language)) {
      findings.push(languageFinding(words, { start: last.seen.start, end: firstEnd(told) }, request.language));
      return [];
    }
    const most = mostWords(told, request) * TOLERANCE;
    // One that is too long throughout is asked for again when it is known what fits.
    const text = shortenToSentences(words, most, countSpokenWords, request.language) || words;
    const surest = Math.min(...told.map(({ confidence }) => confidence));
    return [
      {
        text,
        events: told,
        picture: {
          // A film that is held shows nothing new while it is told.
          start: isHeld
            ? last.seen.start
            : Math.max(told[0]?.seen.start ?? 0, last.seen.start - leadOf(text, told.length)),
          end: firstEnd(told),
        },
        importance: Math.min(1, Math.max(0.1, line.importance)) ** LOSS_POWER,
        confidence: Math.min(surest, Math.max(0, line.confidence)),
      },
    ];
  });
}

/** When the first of several events is over that are seen together: a line that tells a deed and its place is late after the deed. */
function firstEnd(told: readonly { readonly seen: TimeRange }[]): number {
  const from = Math.max(...told.map(({ seen }) => seen.start));
  const ends = told.map(({ seen }) => seen.end);
  return Math.min(...ends.filter((end) => end > from), Math.max(...ends));
}

/** Power of importance by which a line counts in placing: what a story fails without outweighs two things worth telling. */
export const LOSS_POWER = 1.5;

/** Seconds that what comes before the last of several events takes to say: so much earlier a line of them may begin. */
export function leadOf(text: string, events: number): number {
  return (estimateSpeakingSeconds(text) * (events - 1)) / (events + 1);
}

/** A text in which whoever may not be named yet has their label. */
function withoutEarlyNames(text: string, told: readonly LogEvent[], { persons }: FilmBible): string {
  const at = told.at(-1)?.seen.start ?? 0;
  return persons
    .filter((person) => isTooEarly(person, at))
    .reduce((words, person) => tidyWording(words.replace(namePattern(person), person.label)), text);
}
