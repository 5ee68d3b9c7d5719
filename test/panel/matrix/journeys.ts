import { expect, vi } from "vitest";
import { words } from "../../../panel/words/words.ts";
import { readMarkerComment } from "../../../src/core/cue.ts";
import { type Faults, NO_FAULTS } from "../../fakes/premiere/faults.ts";
import type { WellAnswers } from "../../fakes/premiere/otherwise.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import type { SequenceState } from "../../fakes/premiere/state.ts";
import { recut, sequenceOf } from "../controllers/conform/recut.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../open-panel.ts";
import { type Column, isBelieved } from "./columns.ts";

/** What an editor does with a panel, in the order in which the matrix lists it. */
export const JOURNEYS = ["open", "describe", "place", "edit", "read back", "take back", "conform"] as const;

/** One of {@link JOURNEYS}. */
type Journey = (typeof JOURNEYS)[number];

/**
 * What a journey ended in: `done`, as if nothing was wrong; or in what the editor was told, which is `named` where it names a member,
 * what was tried and what to send.
 */
type Ending = "done" | { readonly said: string; readonly isNamed: boolean };

/** Longest wait for an answer that never comes, in milliseconds of the panel's clock: long enough for a busy computer. */
const ANSWER_LIMIT_MS = 40_000;

/** Where the panel keeps what it has learnt of a version. */
const LEARNT = "/data/premiere-learnt.json";

/** How long it is waited for the end of a journey, and for a word where it cannot be gone at all, in milliseconds. */
const LONGEST_MS = 45_000;
const SHORTEST_MS = 1000;
const BELIEVED_MS = 5000;

/** When an editor calls off what Premiere does not end, in milliseconds. */
const PATIENCE_MS = 3000;

/** How long the panel may take to go on after it has told of something, in milliseconds. */
const SETTLED_MS = 15;

/** A journey: what is done, and when it is done. */
interface Steps {
  readonly act: () => Promise<void> | void;
  readonly isDone: () => boolean;
  /** What the editor does instead where it could not be done in a Premiere that is well again; the same where it is not said. */
  readonly instead?: () => Promise<void> | void;
}

/** What every journey of a column ended in. */
export type Endings = Readonly<Record<Journey, Ending>>;

/** Path of the project: narration lies beside it, below `~/Documents`. */
const FOLDER = "/Users/editor/Documents";
const PROJECT = `${FOLDER}/Harbour.prproj`;

/**
 * Goes through every journey while Premiere misbehaves. Where one ends in a sentence, what was done is undone, Premiere gets well,
 * and the journey is made again, so that each begins where the one before it should have ended. What is taken for the truth cannot be
 * taken back like that: there each journey has a panel of its own, and the ones before it are gone in good health.
 *
 * @param well Filled with how members answer that are well.
 */
export async function runJourneys(column: Column, well?: WellAnswers): Promise<Endings> {
  if (!isBelieved(column)) return goThrough(column, null, well);
  const endings: Partial<Record<Journey, Ending>> = {};
  for (const journey of JOURNEYS) endings[journey] = (await goThrough(column, journey, well))[journey];
  // Each journey was gone.
  return endings as Endings;
}

/** @param only The journey that is gone while Premiere misbehaves, and ends it; each where it is `null`. */
async function goThrough(column: Column, only: Journey | null, well: WellAnswers | undefined): Promise<Endings> {
  const panel = await openPanel(column, well);
  const { premiere } = panel;
  const tracks = sequenceOf(panel).audioTracks.map(({ id }) => id);
  const endings: Partial<Record<Journey, Ending>> = {};
  const go = async (journey: Journey, prepare: () => Promise<void> | void, steps: Steps) => {
    if (only !== null && endings[only] !== undefined) return;
    await prepare();
    const faults = only === null || only === journey ? column.faults : {};
    const one = { column: { ...column, faults }, isLast: only === journey };
    endings[journey] = await ending(panel, one, steps, othersOf(sequenceOf(panel), tracks), tracks);
  };
  await go("open", () => undefined, {
    act: () => {
      // A version that was not met before.
      panel.disk.files.delete(LEARNT);
      panel.open();
    },
    isDone: () => panel.page().find("sequence")?.textContent.startsWith("Harbour_v7") === true,
  });
  await go("describe", () => undefined, {
    act: async () => {
      panel.page().click("tab-describe");
      await panel.order();
    },
    isDone: () => panel.page().find("cue-count")?.textContent.startsWith("2 descriptions") === true,
  });
  await go("place", () => see(panel, "place"), {
    act: () => panel.page().click("place"),
    isDone: () => panel.page().find("take-back") !== null && ours(panel) === "2,2" && isQuiet(panel),
  });
  await go("edit", () => panel.openCue(), {
    act: () => {
      panel.page().type("cue-text", "A woman sits.");
      panel.menu().click("place-markers");
    },
    instead: async () => {
      if (panel.page().find("cue-text") === null) await panel.openCue();
      panel.page().type("cue-text", "A woman sits.");
      panel.menu().click("place-markers");
    },
    isDone: () => firstWords(panel) === "A woman sits." && isQuiet(panel),
  });
  await go("take back", () => see(panel, "take-back"), {
    act: () => panel.page().click("take-back"),
    // What was taken back in part cannot be taken back again.
    instead: () => changeByHand(panel, 0, "A woman sits.", "A woman sits at a desk."),
    isDone: () => firstWords(panel) === "A woman sits at a desk." && isQuiet(panel),
  });
  await go("read back", () => changeByHand(panel, 1, "She opens a letter.", "A red letter."), {
    act: () => panel.menu().click("read-markers"),
    isDone: () => panel.page().root.said.includes("A red letter."),
  });
  await go("conform", () => cutAnew(panel), {
    act: () => {
      if (panel.page().view !== "conform") panel.page().click("open-conform");
      panel.page().click("conform");
    },
    instead: async () => {
      premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
      await openConform(panel);
      panel.page().click("conform");
    },
    isDone: () => framesOf(panel) === "15,90" && isQuiet(panel),
  });
  expect(premiere.machine.violations).toEqual([]);
  // Each journey was gone.
  return endings as Endings;
}

/** Connected, on a computer whose clock runs fast. */
async function openPanel(column: Column, well: WellAnswers | undefined): Promise<PanelOnDoubles> {
  const { version } = column;
  const panel = await panelOnDoubles({ path: PROJECT }, {}, "direct", {
    version: `${version ?? NO_FAULTS.version}.0`,
    ...(neverAnswers(column) ? { answerLimitMs: ANSWER_LIMIT_MS } : {}),
    isHurried: true,
    ...(well === undefined ? {} : { well }),
  });
  Object.assign(panel.premiere.faults, wellOf(column));
  panel.disk.folders.add(FOLDER);
  for (const media of ["/media/harbour.mp4", "/media/music.wav"]) panel.disk.files.set(media, new Uint8Array(1));
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  return panel;
}

/** Whether some member never answers. */
export function neverAnswers({ faults: { members = {} } }: Column): boolean {
  return Object.values(members).includes("never");
}

/** A Premiere of a version in good health. */
function wellOf({ version = NO_FAULTS.version }: Pick<Column, "version">): Faults {
  return { ...NO_FAULTS, version };
}

/** Makes a journey while Premiere misbehaves, and again while it is well where it did not get through. */
async function ending(
  panel: PanelOnDoubles,
  { column, isLast }: { readonly column: Column; readonly isLast: boolean },
  { act, isDone, instead }: Steps,
  before: string,
  tracks: readonly number[],
): Promise<Ending> {
  const { machine, user } = panel.premiere;
  const steps = machine.undoStack.length;
  // Whatever becomes of ours: what is the editor's stays as it is.
  const isWell = () => isDone() && othersOf(sequenceOf(panel), tracks) === before;
  dismiss(panel);
  Object.assign(panel.premiere.faults, column.faults);
  try {
    const end = await untilEnd(panel, column, act, isWell);
    await untilFree(panel);
    // Or the editor is told how to get it back.
    const isTold = end !== "done" && /instead of a new track/.test(end.said);
    if (!isTold) expect(othersOf(sequenceOf(panel), tracks)).toBe(before);
    return end;
  } finally {
    Object.assign(panel.premiere.faults, wellOf(column));
    await untilFree(panel);
    if (!isWell() && !isLast) {
      while (machine.undoStack.length > steps) user.undo();
      dismiss(panel);
      if (panel.page().find("merge-cancel") !== null) panel.page().click("merge-cancel");
      await lookAgain(panel);
      await (instead ?? act)();
      await expect.poll(isWell, { interval: 5 }).toBe(true);
    }
    await untilFree(panel);
    if (!isLast) expect(othersOf(sequenceOf(panel), tracks)).toBe(before);
    dismiss(panel);
  }
}

/** Goes a journey until it is done, or the editor is told why not. What Premiere never ends they call off. */
async function untilEnd(
  panel: PanelOnDoubles,
  column: Column,
  act: Steps["act"],
  isDone: () => boolean,
): Promise<Ending> {
  let end: Ending | null = null;
  const look = (isLast: boolean) => {
    const said = faultOf(panel);
    if (said !== null) end = { said, isNamed: isNamed(panel, said) };
    else if (isDone()) end = "done";
    else if (isLast && isHanging && panel.page().find("stop-placing") !== null) {
      panel.page().click("stop-placing");
      end = { said: "called off by Stop", isNamed: true };
    } else if (isLast) end = { said: panel.page().root.said, isNamed: false };
    if (end === null && isHanging && Date.now() - startedAt > PATIENCE_MS && panel.page().find("cancel") !== null) {
      panel.page().click("cancel");
      end = { said: "called off by Cancel", isNamed: true };
    }
    if (end === null) throw new Error(`neither done nor told: ${panel.page().root.said}`);
  };
  const startedAt = Date.now();
  const isHanging = neverAnswers(column);
  let isPossible = true;
  try {
    await act();
  } catch {
    // What is to be pressed is not there: the page says why, or shows what it takes for the truth.
    isPossible = false;
  }
  const timeout = !isPossible ? SHORTEST_MS : isBelieved(column) ? BELIEVED_MS : LONGEST_MS;
  await vi.waitFor(() => look(false), { timeout, interval: 5 }).catch(() => look(true));
  return end ?? "done";
}

/** What the editor is told of a fault: at the foot of the panel, or in its header; `null` where nothing is wrong. */
function faultOf(panel: PanelOnDoubles): string | null {
  const page = panel.page();
  const message = page.find("message");
  if (message?.className.includes("is-fault") === true) return message.said;
  const isRead = page.find("sequence")?.textContent.startsWith("Harbour_v7") === true;
  const header = page.find("sequence-said")?.said ?? "";
  if (isRead || header === "" || header === words.noSequence) return null;
  return `${header} ${page.find("sequence-tried")?.said ?? ""}`.trim();
}

/** Whether a sentence names a member, and a report can be copied. */
function isNamed(panel: PanelOnDoubles, said: string): boolean {
  const canSend = ["remedy-copy-report", "copy-sequence-report"].some((id) => panel.page().find(id) !== null);
  return canSend && /\b[A-Z][A-Za-z]+\.[a-zA-Z]\w+/.test(said);
}

/** Waits until the panel does nothing on the timeline any more, nor goes on with what it was at. */
async function untilFree(panel: PanelOnDoubles): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  await expect
    .poll(() => panel.page().find("stop-placing") === null && panel.page().find("cancel") === null, { interval: 5 })
    .toBe(true);
}

/** Nothing is under way on the timeline. */
function isQuiet(panel: PanelOnDoubles): boolean {
  return panel.page().find("stop-placing") === null;
}

function dismiss(panel: PanelOnDoubles): void {
  if (panel.page().find("dismiss") !== null) panel.page().click("dismiss");
}

/** Has the panel read the sequence again, where it could not. */
async function lookAgain(panel: PanelOnDoubles): Promise<void> {
  if (panel.page().find("retry-sequence") === null) return;
  const { view } = panel.page();
  panel.page().click("retry-sequence");
  await panel.sees("Harbour_v7");
  if (view === "review") panel.page().click("tab-review");
}

async function see(panel: PanelOnDoubles, id: string): Promise<void> {
  await expect.poll(() => panel.page().find(id), { interval: 5 }).not.toBeNull();
}

/** The editor changes the words of a marker in Premiere. */
function changeByHand(panel: PanelOnDoubles, index: number, from: string, to: string): void {
  const marker = own(panel)[index];
  if (marker === undefined) throw new Error("two cues were placed");
  panel.premiere.user.changeMarker("sequence-sample", marker.guid, { comments: marker.comments.replace(from, to) });
}

/** The editor trims the beginning; the panel notices. */
async function cutAnew(panel: PanelOnDoubles): Promise<void> {
  recut(panel, [[10, 150]]);
  await openConform(panel);
}

async function openConform(panel: PanelOnDoubles): Promise<void> {
  panel.page().click("tab-review");
  await see(panel, "open-conform");
  panel.page().click("open-conform");
  await see(panel, "conform");
}

/** Markers of ours, in order of time, by the tag in their comment. */
function own(panel: PanelOnDoubles) {
  return sequenceOf(panel).markers.filter(({ comments }) => readMarkerComment(comments) !== null);
}

/** The words of the first description on the timeline. */
function firstWords(panel: PanelOnDoubles): string | undefined {
  return readMarkerComment(own(panel)[0]?.comments ?? "")?.text;
}

function framesOf(panel: PanelOnDoubles): string {
  const { ticksPerFrame } = sequenceOf(panel);
  return own(panel)
    .map(({ start }) => Number(start / ticksPerFrame))
    .join();
}

/** How many descriptions and clips of ours lie on the sequence. */
function ours(panel: PanelOnDoubles): string {
  const { audioTracks } = sequenceOf(panel);
  const clips = audioTracks.flatMap(({ items }) => items.filter(({ name }) => name.startsWith("aside-")));
  return [own(panel).length, clips.length].join();
}

/** What of a sequence is not ours, as text. A track of ours stays, for nothing in Premiere removes one. */
function othersOf({ videoTracks, audioTracks, markers }: SequenceState, tracks: readonly number[]): string {
  const others = {
    videoTracks,
    audioTracks: audioTracks.filter(({ id }) => tracks.includes(id)),
    markers: markers.filter(({ comments }) => readMarkerComment(comments) === null),
  };
  // Ticks are no numbers of JSON.
  return JSON.stringify(others, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
