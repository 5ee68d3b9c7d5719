import { openReview } from "../../../panel/state/opened-review.ts";
import {
  acceptAll,
  deleteChosen,
  editCue,
  fitChosen,
  mergeSelectedWithNext,
  nudgeChosen,
  redoStep,
  retimeChosen,
  splitSelected,
  toggleAccepted,
  toggleExtended,
  toggleMuted,
  toggleSilent,
  undoStep,
  withFilmNotes,
  withMergedCues,
  withReviewIds,
  withVoicedLine,
} from "../../../panel/state/review-edits.ts";
import { historyFor, idsOfStep, keptHistory } from "../../../panel/state/review-history.ts";
import { listedCues, markTo, pausesIn, type ReviewState, selectCue } from "../../../panel/state/review-state.ts";
import { replaceFound } from "../../../panel/state/script-rows.ts";
import { type Cue, compareCues, cueIdAt } from "../../../src/core/cue.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { SeededRandom } from "../../fakes/seeded-random.ts";
import { jobEntry } from "../session-in-memory.ts";

/** What a random session of reviewing came to. */
export interface ReviewSession {
  /** What was done, in order. */
  readonly steps: readonly string[];
  /** How many of them changed something, and were undone and done again. */
  readonly turned: number;
  /** What did not hold. */
  readonly faults: readonly string[];
}

/** Lines of the film that sessions are about, and the pauses between them that nobody has written. */
const LINES = 9;
const PAUSES = 2;

const WORDS = "rain, a harbour at night and the old man who waits by his boat until morning comes".split(" ");

type Act = (state: ReviewState, random: SeededRandom) => ReviewState;

/**
 * Reviews a film at random, as a person with many tools and no plan. Whatever is done, undoing it has to give the state before it, and
 * doing it again the state after it: at once, and after all that is undone, done again, closed and opened in between.
 */
export function playReviewSession(seed: number, count: number): ReviewSession {
  const random = new SeededRandom(seed);
  const steps: string[] = [];
  const faults: string[] = [];
  let turned = 0;
  let state = firstReview(random);
  // Every state that undo and redo lead to, and which of them is the one now.
  let trail = [reviewed(state)];
  const at = () => state.past.length;
  const fault = (what: string) => faults.push(`step ${steps.length} (${steps.at(-1)}): ${what}`);
  for (let index = 0; index < count; index++) {
    const [name, act] = random.oneOf(ACTS) ?? ACTS[0];
    steps.push(name);
    const before = chosenAtRandom(state, random);
    const after = withoutImpossible(before, (review) => act(review, random));
    const isStep = after.past !== before.past && !["undo", "redo", "close and open"].includes(name);
    state = after;
    if (isStep) {
      turned += 1;
      const isTypedOn = after.past.length === before.past.length;
      trail = [...trail.slice(0, isTypedOn ? at() : before.past.length + 1), reviewed(after)];
      const undone = undoStep(after);
      if (reviewed(undone) !== trail[at() - 1]) fault("undone, it is not as before");
      if (reviewed(redoStep(undone)) !== reviewed(after)) fault("done again, it is not as after");
      if (!isInSight(undone, after)) fault("undone out of sight");
    }
    if (reviewed(state) !== trail[at()]) fault("another state than the one that was left");
    if (trail.length !== state.past.length + state.future.length + 1) fault("steps are missing");
    const [outside, happen] = random.next() < 0.1 ? (random.oneOf(FROM_OUTSIDE) ?? FROM_OUTSIDE[0]) : [null, null];
    if (outside === null) continue;
    steps.push(outside);
    const [lines, was] = [state.result.cues, trail];
    state = happen(state, random);
    trail = trailOf(state);
    if (outside === OTHER_IDS && trail.join() !== was.map((one) => renamed(one, lines, state.result.cues)).join()) {
      fault("with other ids for its lines, something else is another too");
    }
    if (reviewed(state) !== trail[at()]) fault("all undone and done again, it is another");
  }
  if (trailOf(state).join() !== trail.join()) fault("all undone and done again, not every state is as it was");
  return { steps, turned, faults };
}

/** All of a result that a person changes in review, with what the checks say of it. */
function reviewed({ result }: ReviewState): string {
  const { cues, acceptedIds, mutedIds, extendedIds, timedIds, silentIds, bible, findings } = result;
  return JSON.stringify([cues, acceptedIds, mutedIds, extendedIds, timedIds, silentIds, bible, findings]);
}

/** The states that undo and redo lead to, the first one first: by undoing all, and doing all again. */
function trailOf(state: ReviewState): string[] {
  let first = state;
  while (first.past.length > 0) first = undoStep(first);
  const trail = [reviewed(first)];
  for (let next = first; next.future.length > 0; trail.push(reviewed(next))) next = redoStep(next);
  return trail;
}

/** Whether what a step changed is selected and listed after it was undone; film notes, and all lines at once, are another matter. */
function isInSight(undone: ReviewState, { past }: ReviewState): boolean {
  const step = past.at(-1);
  const ids = step === undefined ? [] : idsOfStep(step);
  const rows = listedCues({ ...undone, filter: "all" });
  const changed = rows.filter(({ id }) => ids.includes(id));
  if (ids.length === 0 || rows.length === 0) return true;
  const isListed = listedCues(undone).some(({ id }) => id === undone.selectedId);
  return isListed && (changed.length === 0 || changed[0]?.id === undone.selectedId);
}

/** A pause that is to be written, or one that was left silent. */
function pauseAtRandom({ result }: ReviewState, random: SeededRandom): string | null {
  return random.oneOf(result.toWrite ?? [])?.id ?? null;
}

function withoutImpossible(state: ReviewState, act: (state: ReviewState) => ReviewState): ReviewState {
  try {
    return act(state);
  } catch (error) {
    if (error instanceof RangeError) return state;
    throw error;
  }
}

function firstReview(random: SeededRandom): ReviewState {
  const at = (index: number) => 2 + index * 5;
  const cues = Array.from({ length: LINES }, (_, index): Cue => {
    const start = at(index) + random.next();
    return { id: cueIdAt(index), start, end: start + 1 + random.next() * 2, text: said(random) };
  });
  const toWrite = Array.from({ length: PAUSES }, (_, index) => {
    const start = at(LINES + index);
    return { id: `pause-000${index + 1}`, start, end: start + 1.2, words: 3, hints: [] };
  });
  const speech = toWrite.map(({ end }) => ({ start: end + 0.1, end: end + 2 }));
  const accepted = cues.flatMap(({ id }) => (random.next() < 0.3 ? [id] : []));
  const more = random.next() < 0.5 ? { bible: { text: "STORY\nRain." } } : {};
  const result = placedResult(cues, { toWrite, speech, acceptedIds: accepted, durationSeconds: 80, ...more });
  // The checks have seen it, as they have every result that is opened.
  const { result: checked } = toggleMuted(
    selectCue(toggleMuted(selectCue(openReview(result, jobEntry()), "cue-0001", false)), "cue-0001", false),
  );
  return openReview(checked, jobEntry());
}

function said(random: SeededRandom): string {
  return Array.from({ length: random.whole(1, 9) }, () => random.oneOf(WORDS) ?? "").join(" ");
}

function chosenAtRandom(state: ReviewState, random: SeededRandom): ReviewState {
  const filter = random.oneOf(["all", "all", "findings", "unaccepted", "to-write"] as const) ?? "all";
  const one = { ...state, filter };
  const ids = listedCues(one).map(({ id }) => id);
  const chosen = selectCue(one, random.oneOf(ids) ?? null, random.next() < 0.3);
  const to = random.next() < 0.3 ? random.oneOf(ids) : undefined;
  return to === undefined || chosen.selectedId === null ? chosen : markTo(chosen, to);
}

const edge = (random: SeededRandom) => (random.next() < 0.5 ? "start" : "end");
const frames = (random: SeededRandom) => random.whole(-20, 20);

/** What a person does. */
const ACTS: readonly [readonly [string, Act], ...(readonly [string, Act])[]] = [
  ["words", (state, random) => editCue(state, state.selectedId ?? "", { text: said(random) })],
  ["words", (state, random) => editCue(state, state.selectedId ?? "", { text: said(random) })],
  ["write", (state, random) => editCue(state, random.oneOf(pausesIn(state.result))?.id ?? "", { text: said(random) })],
  ["replace", (state, random) => replaceFound(state, { find: "a", replacement: random.oneOf(WORDS) ?? "" })],
  ["time", (state, random) => retimeChosen(state, edge(random), `+${Math.abs(frames(random))}`) ?? state],
  [
    "nudge",
    (state, random) => nudgeChosen(state, random.oneOf(["start", "end", "both"] as const) ?? "end", frames(random)),
  ],
  ["fit", fitChosen],
  ["split", (state, random) => splitSelected(state, random.whole(0, 40))],
  ["merge", mergeSelectedWithNext],
  ["delete", deleteChosen],
  ["accept", toggleAccepted],
  ["accept", toggleAccepted],
  ["accept all", acceptAll],
  ["mute", toggleMuted],
  ["extended", toggleExtended],
  ["leave silent", (state, random) => toggleSilent(selectCue(state, pauseAtRandom(state, random), false))],
  ["notes", (state, random) => withFilmNotes(state, { text: `STORY\n${said(random)}`, correctedAt: "now" }, undefined)],
  [
    "type notes",
    (state, random) => withFilmNotes(state, { text: `STORY\n${said(random)}` }, `story ${random.below(2)}`),
  ],
  ["read markers", (state, random) => withMergedCues(state, movedMarkers(state, random))],
  ["undo", undoStep],
  ["undo", undoStep],
  ["redo", redoStep],
  ["redo", redoStep],
  ["close and open", closedAndOpened],
];

const OTHER_IDS = "other ids";

/** With ids that no line has or had. */
function withOtherIds(state: ReviewState, random: SeededRandom): ReviewState {
  const mark = random.whole(0, 1_000_000);
  return withReviewIds(state, new Map(state.result.cues.map(({ id }) => [id, `${id}'${mark}`])));
}

/** What {@link reviewed} gave, with the ids that some lines have now; a pause that is left silent keeps its own. */
function renamed(state: string, before: readonly Cue[], now: readonly Cue[]): string {
  const ids = new Map(before.map(({ id }, index) => [id, now[index]?.id ?? id]));
  const idOf = (id: string) => ids.get(id) ?? id;
  const [cues, accepted, muted, extended, timed, silent, bible, findings] = JSON.parse(state) as ReviewedParts;
  const list = (some: readonly string[] | null) => some?.map(idOf) ?? null;
  return JSON.stringify([
    cues.map((cue) => ({ ...cue, id: idOf(cue.id) })),
    list(accepted),
    list(muted),
    list(extended),
    list(timed),
    silent,
    bible,
    findings.map((finding) => ({ ...finding, cueIds: finding.cueIds.map(idOf) })),
  ]);
}

type ReviewedParts = readonly [
  cues: readonly Cue[],
  accepted: readonly string[],
  muted: readonly string[] | null,
  extended: readonly string[] | null,
  timed: readonly string[] | null,
  silent: unknown,
  bible: unknown,
  findings: readonly { readonly cueIds: readonly string[] }[],
];

/** What comes by itself, or changes the whole: a line that was voiced, other names for lines. */
const FROM_OUTSIDE: readonly [readonly [string, Act], ...(readonly [string, Act])[]] = [
  ["voice a line", voicedAtRandom],
  [OTHER_IDS, withOtherIds],
];

/** Some lines as an editor moved, deleted and rewrote their markers. */
function movedMarkers({ result }: ReviewState, random: SeededRandom): Cue[] {
  const moved = result.cues.flatMap((cue): Cue[] => {
    if (result.mutedIds?.includes(cue.id) === true || random.next() < 0.1) return [];
    if (random.next() < 0.8) return [cue];
    const start = cue.start + random.next();
    return [{ ...cue, start, end: start + 2, text: random.next() < 0.5 ? cue.text : said(random) }];
  });
  return moved.sort(compareCues);
}

function voicedAtRandom(state: ReviewState, random: SeededRandom): ReviewState {
  const cue = random.oneOf(state.result.cues);
  if (cue === undefined) return state;
  const seconds = 0.5 + random.next() * 3;
  const piece = { path: `/${cue.id}.wav`, start: cue.start, durationSeconds: seconds };
  return withVoicedLine(state, { cue, settings: state.result.settings, piece, seconds, rate: 1 });
}

/** As the panel keeps it on the disk, and reads it again. */
function closedAndOpened(state: ReviewState): ReviewState {
  const written = <Kept>(kept: Kept): Kept => JSON.parse(JSON.stringify(kept)) as Kept;
  const result = written(state.result);
  return openReview(result, state.job, historyFor(result, written(keptHistory(state.result, state))));
}
