import * as z from "zod/mini";
import type { Shot } from "../../../core/shot.ts";
import { foldedWords } from "../../../core/text.ts";
import { overlapDuration, ROUNDING_ERROR_SECONDS, type TimeRange } from "../../../core/time-range.ts";
import type { PromptPart } from "../../models/question.ts";
import type { KeyFrame } from "../../programme-analysis.ts";
import type { DescribeRequest } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker, QuestionOutcome } from "./asker.ts";
import { inParallel } from "./in-parallel.ts";
import {
  CONFIDENCE_RULE,
  DATA_RULE,
  dataBlock,
  dialogueLine,
  IMPORTANCE_RULE,
  instructionsRule,
  languageRule,
  prompt,
  quoted,
  roomFromTo,
  screenLine,
  seconds,
} from "./rules.ts";

/** Something that is seen, as the first look at the film noted it. */
export interface LogEvent {
  /** Counted from 1 in the order of the film. */
  readonly number: number;
  /** From the picture that first shows it to the end of the last that does, on the programme clock. */
  readonly seen: TimeRange;
  readonly what: string;
  readonly who: readonly string[];
  readonly kind: string;
  /** 0 to 1. */
  readonly importance: number;
  readonly confidence: number;
}

/** A person as one request saw them. */
interface SeenPerson {
  readonly label: string;
  readonly looks: string;
  readonly name: string;
  /** When, in seconds on the programme clock. */
  readonly at: number;
}

/** The factual log of a film. */
export interface FilmLog {
  readonly events: readonly LogEvent[];
  readonly persons: readonly SeenPerson[];
  /** Where it plays, as said for the pictures from `at` on. */
  readonly places: readonly { readonly at: number; readonly place: string }[];
}

/** The pictures of one request, with the shots they belong to. */
export interface LookPlan {
  readonly pictures: readonly { readonly frame: KeyFrame; readonly shot: number }[];
  /** How many of the first pictures only lead up to the rest: they were in the request before. */
  readonly context: number;
}

const EVENT_KINDS = ["action", "person", "place", "look", "expression", "text", "object", "transition"] as const;

const LOOK = answerShape(
  "log",
  z.object({
    place: z._default(z.string(), ""),
    people: z._default(
      z.array(
        z.object({
          label: z.string(),
          looks: z._default(z.string(), ""),
          name: z._default(z.nullable(z.string()), null),
        }),
      ),
      [],
    ),
    events: z.array(
      z.object({
        at: z.number(),
        until: z._default(z.nullable(z.number()), null),
        what: z.string(),
        who: z._default(z.array(z.string()), []),
        kind: z._default(z.string(), "action"),
        importance: z._default(z.number(), 0.6),
        confidence: z._default(z.number(), 0.7),
      }),
    ),
  }),
  "events",
);

type LookAnswer = z.output<typeof LOOK.parser>;

/** What a small model is asked: it names the shot and the picture, because it tells times wrong. */
const LOOK_BY_SHOT = answerShape(
  "log",
  z.object({
    // First, for an answer that is too long breaks off at its end.
    events: z.array(
      z.object({
        shot: z.number(),
        picture: z._default(z.number(), 0),
        what: z.string(),
        who: z._default(z.array(z.string()), []),
        kind: z._default(z.enum(EVENT_KINDS), "action"),
        importance: z._default(z.number(), 0.6),
        confidence: z._default(z.number(), 0.7),
      }),
    ),
    people: z._default(z.array(z.object({ label: z.string(), looks: z._default(z.string(), "") })), []),
    place: z._default(z.string(), ""),
  }),
  "events",
);

type LookByShot = z.output<typeof LOOK_BY_SHOT.parser>;

/**
 * Shares the pictures of a film out to requests: whole shots together, as many as a request takes; a longer shot goes on
 * in the next request, which sees its last picture once more. Every key frame is in a request, and every request has one.
 */
export function planLooks(shots: readonly Shot[], keyFrames: readonly KeyFrame[], most: number): LookPlan[] {
  const numbered = keyFrames.map((frame) => ({ frame, shot: shotNumberAt(shots, frame.at) }));
  const plans: LookPlan[] = [];
  let open: LookPlan["pictures"][number][] = [];
  let context = 0;
  const close = () => {
    if (open.length > context) plans.push({ pictures: open, context });
    open = [];
    context = 0;
  };
  for (const [index, picture] of numbered.entries()) {
    const isNewShot = picture.shot !== numbered[index - 1]?.shot;
    const left = most - open.length;
    const inShot = isNewShot ? picturesFrom(numbered, index) : 0;
    if (left <= 0 || (isNewShot && inShot > left && open.length >= (2 * most) / 3)) {
      const last = open.at(-1);
      close();
      if (last !== undefined && !isNewShot && most > 1) {
        open = [last];
        context = 1;
      }
    }
    open.push(picture);
  }
  close();
  return plans;
}

/** How many pictures in a row from an index on are of the same shot. */
function picturesFrom(pictures: LookPlan["pictures"], index: number): number {
  let end = index;
  while (end < pictures.length && pictures[end]?.shot === pictures[index]?.shot) end++;
  return end - index;
}

/** Number of the shot at a time, counted from 1. */
export function shotNumberAt(shots: readonly TimeRange[], at: number): number {
  return Math.max(1, shots.findLastIndex(({ start }) => start <= at + ROUNDING_ERROR_SECONDS) + 1);
}

/** The instructions of the first look. */
function lookSystem(request: DescribeRequest): string {
  return prompt([
    "You log a film for the people who will write its audio description. Look at the pictures and note what can be SEEN, fact by fact. Nothing you write is spoken.",
    "Compare neighbouring pictures: what moved, who came, who left, what changed hands is an action, and actions matter most.",
    `For each fact: what happens in ${roomFromTo(4, 12, request)}, present tense, active voice; who does it; one fact an entry, so that each can be told at its own moment.`,
    'Call people and animals by what is seen ("a man in a red coat"), and the same one by the same words. Use a name only where a caption on screen or the dialogue gives it.',
    'Note evident expressions ("frightened face"), places and times of day, text on screen word for word (kind "text"), and changes of scene. Do not guess at motives, relations or what lies between the pictures.',
    `"at": the time of the picture that first shows it; "until": the time of the last that still does. Both must be times of pictures that you were given.`,
    `"kind": one of ${EVENT_KINDS.join(", ")}.`,
    IMPORTANCE_RULE,
    CONFIDENCE_RULE,
    '"people": everyone who is seen, with looks, and a name where it is given. "place": where it plays, in a few words.',
    DATA_RULE,
    languageRule(request.language),
    instructionsRule(request),
    'Answer with JSON only: {"place": "...", "people": [{"label": "...", "looks": "...", "name": null}], "events": [{"at": 12.5, "until": 14.0, "what": "...", "who": ["..."], "kind": "action", "importance": 0.6, "confidence": 0.9}]}.',
  ]);
}

/** The same for a model that has little room for instructions and none for exceptions. */
function lookByShotSystem(request: DescribeRequest): string {
  return prompt([
    "Look at the pictures above and note what can be SEEN, for audio description. One fact an entry, the most important first.",
    `"what": what happens, in ${roomFromTo(4, 12, request)}, present tense. Say who does what. Do not guess at what cannot be seen.`,
    '"shot" and "picture": the numbers that stand above the picture that shows it first.',
    `"kind": one of ${EVENT_KINDS.join(", ")}. Text on screen word for word has the kind "text".`,
    IMPORTANCE_RULE,
    CONFIDENCE_RULE,
    '"people": who is seen, and what they look like. "place": where it plays.',
    DATA_RULE,
    languageRule(request.language),
    instructionsRule(request),
    'Answer with JSON only: {"events": [{"shot": 1, "picture": 1, "what": "...", "who": ["..."], "kind": "action", "importance": 0.6, "confidence": 0.9}], "people": [{"label": "...", "looks": "..."}], "place": "..."}.',
  ]);
}

/** What lasts as long as the picture that shows it. */
const BRIEF_KINDS: ReadonlySet<string> = new Set(["action", "expression", "transition"]);

/** What is wrong with the shots that an answer names. */
function shotFault({ events }: LookByShot, { pictures }: LookPlan): string | null {
  const shots = [...new Set(pictures.map(({ shot }) => shot))];
  const wrong = events.find(({ shot }) => !shots.includes(shot));
  return wrong === undefined ? null : `There is no shot ${wrong.shot} in these pictures: ${shots.join(", ")}.`;
}

/**
 * An answer by shots as one by times: from the picture that is named, where it is one of the shot, else from the shot's first; to
 * the last picture of the shot. What names a shot that is not shown is left out.
 */
function timed({ place, people, events }: LookByShot, { pictures }: LookPlan): LookAnswer {
  return {
    place,
    people: people.map((one) => ({ ...one, name: null })),
    events: events.flatMap(({ shot, picture, ...event }) => {
      const shown = pictures.filter((one) => one.shot === shot);
      const named = pictures[picture - 1];
      const first = named?.shot === shot ? named : shown[0];
      const last = shown.at(-1);
      if (first === undefined || last === undefined) return [];
      // A deed is over sooner than its shot.
      const isBrief = first === named && BRIEF_KINDS.has(event.kind);
      return [{ ...event, at: first.frame.at, until: isBrief ? first.frame.at : last.frame.at }];
    }),
  };
}

/** Seconds around the pictures from which dialogue is told. */
const DIALOGUE_SECONDS = 8;

async function partsOf(plan: LookPlan, request: DescribeRequest, asker: Asker): Promise<PromptPart[]> {
  const { start, end } = rangeOf(plan);
  const near = { start: start - DIALOGUE_SECONDS, end: end + DIALOGUE_SECONDS };
  const dialogue = request.transcript.filter((line) => overlapDuration(line, near) > 0);
  const onscreen = request.onscreen.texts.filter((text) => text.end > start - 1 && text.start < end + 1);
  const head = prompt([
    `${plan.pictures.length} pictures follow, each under its number, its shot and its time.`,
    plan.context > 0 ? "The first was logged before: it only shows what the second continues from." : "",
    ...dataBlock("Names and terms of the film, to be written so:", [...request.glossary, ...request.bible.words]),
    ...dataBlock("Heard:", dialogue.map(dialogueLine)),
    ...dataBlock("On screen, as a machine read it:", onscreen.map(screenLine)),
  ]);
  const pictures = await Promise.all(
    plan.pictures.map(({ frame, shot }, index) => asker.picture(frame, pictureLabel(index, shot, frame.at))),
  );
  return [{ text: head }, ...pictures.flat()];
}

/** The words above a picture in a request. */
export function pictureLabel(index: number, shot: number, at: number): string {
  return `Picture ${index + 1}, shot ${shot}, ${seconds(at)}:`;
}

function rangeOf({ pictures }: LookPlan): TimeRange {
  return { start: pictures[0]?.frame.at ?? 0, end: pictures.at(-1)?.frame.at ?? 0 };
}

/** Looks at the whole film: a log of what is seen, also under dialogue. Requests go out in parallel. */
export async function look(
  request: DescribeRequest,
  asker: Asker,
  report: { readonly notes: string[]; readonly onDone: (fraction: number) => void },
): Promise<FilmLog> {
  const { durationSeconds, keyFrames } = request;
  const shown = pickKeyFrames(keyFrames, { start: 0, end: Number.POSITIVE_INFINITY }, mostShown(durationSeconds));
  const plans = planLooks(request.shots, shown, asker.mostPictures);
  const system = lookSystem(request);
  let done = 0;
  const lookAt = async (plan: LookPlan): Promise<QuestionOutcome<LookAnswer>> => {
    if (asker.small !== null) {
      const outcome = await asker.ask({
        system: lookByShotSystem(request),
        parts: await partsOf(plan, request, asker),
        shape: LOOK_BY_SHOT,
        faultOf: (answer) => shotFault(answer, plan),
      });
      return outcome.kind === "answer" ? { ...outcome, answer: timed(outcome.answer, plan) } : outcome;
    }
    const times = plan.pictures.map(({ frame }) => frame.at);
    return await asker.ask({
      system,
      parts: await partsOf(plan, request, asker),
      shape: LOOK,
      faultOf: (answer) => timeFault(answer, times),
      bestOf: (first, second) => timedByEither(first, second, times),
    });
  };
  const answers = await inParallel(plans, asker.parallel, async (plan) => {
    const outcome = await lookAt(plan);
    const looks = [{ plan, outcome }];
    // Often it is one picture, or the length of the answer, that is in the way.
    if (outcome.kind !== "answer" && plan.pictures.length > plan.context + 1) {
      looks.pop();
      for (const half of halvesOf(plan)) looks.push({ plan: half, outcome: await lookAt(half) });
    }
    done++;
    report.onDone(done / plans.length);
    return looks;
  });
  const events: Omit<LogEvent, "number">[] = [];
  const persons: SeenPerson[] = [];
  const places: { at: number; place: string }[] = [];
  for (const { plan, outcome } of answers.flat()) {
    const range = rangeOf(plan);
    if (outcome.kind !== "answer") {
      const what = outcome.kind === "refusal" ? "The model refused to look at" : "The model gave no usable answer for";
      report.notes.push(`${what} the pictures from ${seconds(range.start)} to ${seconds(range.end)}.`);
      continue;
    }
    const { answer } = outcome;
    if (answer.place.trim() !== "") places.push({ at: range.start, place: answer.place.trim() });
    for (const { label, looks, name } of answer.people) {
      if (label.trim() !== "")
        persons.push({ label: label.trim(), looks: looks.trim(), name: name?.trim() ?? "", at: range.start });
    }
    events.push(...eventsOf(answer, plan, { ...request, keyFrames: shown }, report.notes));
  }
  return { events: numbered(events), persons, places };
}

function halvesOf({ pictures, context }: LookPlan): [LookPlan, LookPlan] {
  const middle = Math.ceil((pictures.length + context) / 2);
  return [
    { pictures: pictures.slice(0, middle), context },
    { pictures: pictures.slice(middle), context: 0 },
  ];
}

/** Seconds that a time in an answer may be off a picture's: it was told with one decimal. */
const ROUNDING = 0.06;

function pictureAt(at: number, times: readonly number[]): number | undefined {
  return times.find((time) => Math.abs(time - at) <= ROUNDING);
}

/**
 * The picture that first shows something: the one of the time named. Where none was taken then, the first one from there to
 * the last that shows it is one that does, and it is not too early.
 */
function firstPicture({ at, until }: Pick<LookAnswer["events"][number], "at" | "until">, times: readonly number[]) {
  const last = until === null ? undefined : pictureAt(until, times);
  return pictureAt(at, times) ?? (last === undefined ? undefined : times.find((time) => time >= Math.min(at, last)));
}

function timeFault({ events }: LookAnswer, times: readonly number[]): string | null {
  const wrong = events.find((event) => firstPicture(event, times) === undefined);
  if (wrong === undefined) return null;
  return `No picture was taken at ${seconds(wrong.at)} (${quoted(wrong.what)}). "at" must be the time of the picture that first shows it: ${times.map((time) => time.toFixed(1)).join(", ")}.`;
}

/** The second answer, with the times of the first where only that one names a picture. */
function timedByEither(first: LookAnswer, second: LookAnswer, times: readonly number[]): LookAnswer {
  const isTimed = (event: LookAnswer["events"][number]) => firstPicture(event, times) !== undefined;
  const events = second.events.map((event) => {
    if (isTimed(event)) return event;
    return first.events.find((one) => isTimed(one) && one.what === event.what) ?? event;
  });
  return { ...second, events };
}

/** Below this a model does not believe itself. */
const LEAST_CONFIDENCE = 0.3;

function eventsOf(
  { events }: LookAnswer,
  { pictures, context }: LookPlan,
  { shots, keyFrames, durationSeconds }: DescribeRequest,
  notes: string[],
): Omit<LogEvent, "number">[] {
  const times = pictures.map(({ frame }) => frame.at);
  return events.flatMap(({ at, until, what, who, kind, importance, confidence }) => {
    const words = foldedWords(what);
    if (words === "" || confidence < LEAST_CONFIDENCE) return [];
    const first = firstPicture({ at, until }, times);
    if (first === undefined) {
      notes.push(`Dropped, because no picture was taken at the time it names (${seconds(at)}): "${words}"`);
      return [];
    }
    // What the leading pictures alone show was logged with them.
    const lastSeen = times.findLast((time) => time <= Math.max(first, until ?? first) + ROUNDING) ?? first;
    if (context > 0 && lastSeen < (times[context] ?? first)) return [];
    const next = keyFrames.find((frame) => frame.at > lastSeen + ROUNDING)?.at ?? Number.POSITIVE_INFINITY;
    const shotEnd = shots.find(({ end }) => end > lastSeen + ROUNDING_ERROR_SECONDS)?.end ?? durationSeconds;
    // It is gone by the next picture; half the way is the best guess, and a cut ends it for certain.
    const end = Math.min(shotEnd, next === Number.POSITIVE_INFINITY ? shotEnd : (lastSeen + next) / 2);
    const known = (EVENT_KINDS as readonly string[]).includes(kind) ? kind : "action";
    return [
      {
        seen: { start: first, end: Math.max(first, end) },
        what: words,
        who: who.map((one) => one.trim()).filter((one) => one !== ""),
        kind: known,
        importance: share(importance),
        confidence: share(confidence),
      },
    ];
  });
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** In the order of the film; what two requests noted in the same words of touching time is one. */
function numbered(events: readonly Omit<LogEvent, "number">[]): LogEvent[] {
  const ordered = [...events].sort((a, b) => a.seen.start - b.seen.start || b.importance - a.importance);
  const kept: Omit<LogEvent, "number">[] = [];
  for (const event of ordered) {
    const index = kept.findLastIndex(({ what }) => what.toLowerCase() === event.what.toLowerCase());
    const same = kept[index];
    if (same === undefined || event.seen.start > same.seen.end + SAME_SECONDS) kept.push(event);
    else kept[index] = { ...same, seen: { start: same.seen.start, end: Math.max(same.seen.end, event.seen.end) } };
  }
  return kept.map((event, index) => ({ number: index + 1, ...event }));
}

/** Seconds within which the same words mean the same event. */
const SAME_SECONDS = 2;

/** A key frame with how much is new in it beside the one that stays before it. */
interface Thinned {
  readonly frame: KeyFrame;
  readonly novelty: number;
  /** Whether it must stay as long as others can go. */
  readonly isHeld: boolean;
}

/**
 * The key frames of a stretch, at most `most`, those left out in which least is new. The first and the last one stay, and one of each
 * shot, as far as `most` allows. A stretch without a key frame has the last one before it; none is given only where the
 * programme has none before the end of the stretch.
 *
 * @param keyFrames In order of time.
 * @param range Seconds on the programme clock.
 * @throws RangeError when `most` is below 1.
 */
export function pickKeyFrames(keyFrames: readonly KeyFrame[], range: TimeRange, most: number): KeyFrame[] {
  if (!(most >= 1)) throw new RangeError(`most must be at least 1, not ${most}`);
  const inside = keyFrames.filter(({ at }) => at >= range.start && at < range.end);
  if (inside.length === 0) return keyFrames.filter(({ at }) => at < range.end).slice(-1);
  let kept = inside.map((frame, index): Thinned => {
    const isHeld = index === 0 || index === inside.length - 1 || frame.novelty === 1;
    return { frame, novelty: frame.novelty, isHeld };
  });
  while (kept.length > most) kept = withoutOne(kept);
  return kept.map(({ frame }) => frame);
}

/** All but the one in which least is new. What is new in it passes to the next one of its shot, which must now show it. */
function withoutOne(kept: readonly Thinned[]): Thinned[] {
  const out = kept.reduce((least, _, index) => (isLessWorth(kept, index, least) ? index : least), kept.length - 1);
  return kept.flatMap((one, index) => {
    if (index === out) return [];
    const isNext = index === out + 1 && one.frame.novelty < 1;
    return [isNext ? { ...one, novelty: one.novelty + (kept[out]?.novelty ?? 0) } : one];
  });
}

/** Whether a frame can rather be missed than another. The first never can, the last only beside the first alone. */
function isLessWorth(kept: readonly Thinned[], index: number, other: number): boolean {
  const [one, two] = [kept[index], kept[other]];
  if (one === undefined || two === undefined || index === 0 || index === kept.length - 1) return false;
  if (other === kept.length - 1) return true;
  if (one.isHeld !== two.isHeld) return two.isHeld;
  if (one.novelty !== two.novelty) return one.novelty < two.novelty;
  return secondsAround(kept, index) < secondsAround(kept, other);
}

/** Seconds that would lie between the neighbours of a frame without it. */
function secondsAround(kept: readonly Thinned[], index: number): number {
  return (kept[index + 1]?.frame.at ?? 0) - (kept[index - 1]?.frame.at ?? 0);
}

/** Pictures of a film that are looked at in any case, and more of them for each second. */
const SHOWN = { always: 1800, perSecond: 0.6 };

/**
 * Pictures of a film that are looked at, at the most: all of a film of half an hour; of a longer one in which all moves those
 * in which least is new are left out, for each look takes time and money.
 */
export function mostShown(durationSeconds: number): number {
  return Math.ceil(SHOWN.always + SHOWN.perSecond * durationSeconds);
}
