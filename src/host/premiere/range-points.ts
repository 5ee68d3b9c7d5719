import type { premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { HostError } from "../host-error.ts";
import { ticksOf } from "./answers.ts";
import { withFreshHandles } from "./host-fault.ts";
import { openSequence } from "./open-sequence.ts";
import { type Pace, SAFE_PACE } from "./pace.ts";
import { readFacts } from "./read-snapshot.ts";
import { keptText, readNote } from "./sequence-note.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks, ticksOnGrid, tickTime, UNSET_POINT_TICKS } from "./ticks.ts";
import { type TransactionPart, Transactor } from "./transactor.ts";

/** What changing in and out point needs. */
export interface RangePointsOptions {
  readonly premiere: premierepro;
  readonly reference: SequenceReference;
  readonly clock: Clock;
  readonly pace?: Pace;
}

/** In and out point in ticks on the sequence clock; {@link UNSET_POINT_TICKS} where not set. */
interface Points {
  readonly in: bigint;
  readonly out: bigint;
}

/** Note that holds the editor's own points while others are set: it outlives a closed panel and a closed project. */
const NOTE = "range";

/** What Premiere's undo menu calls the two changes. */
const SET_LABEL = "Set in and out for an export";
const RESTORE_LABEL = "Put in and out back";

/**
 * Does something while in and out point enclose a stretch, and puts them back, however it ends. The editor's own points are
 * kept with the sequence meanwhile: where they cannot be put back now, {@link restoreRangePoints} does it later.
 *
 * @throws HostError `export_failed` when Premiere does not take the points; what the work raises.
 */
export async function withRangePoints<T>(
  options: RangePointsOptions & { readonly signal: AbortSignal },
  range: TimeRange,
  work: () => Promise<T>,
): Promise<T> {
  const { premiere, reference } = options;
  const { ticksPerFrame } = await withFreshHandles(() => readFacts(premiere, reference));
  const own = (await keptPoints(options))?.own ?? (await readPoints(options));
  const set = { in: ticksOnGrid(range.start, ticksPerFrame), out: ticksOnGrid(range.end, ticksPerFrame) };
  try {
    const note = { name: NOTE, text: [own.in, own.out, set.in, set.out].join(" ") };
    const transactor = new Transactor({ ...options, pace: options.pace ?? SAFE_PACE });
    await transactor.run(SET_LABEL, keptText(premiere, reference, note), settingIn(options, set.in));
    await transactor.run(SET_LABEL, settingOut(options, set.out));
    if (!isSame(await readPoints(options), set)) throw refused();
    return await work();
  } finally {
    // What fails here is done when the panel looks at the sequence the next time; the work's own end counts.
    await putBack(options, { own, set }).catch(() => undefined);
  }
}

/** Puts back points that were left behind, unless the editor has set others since. */
export async function restoreRangePoints(options: RangePointsOptions): Promise<void> {
  const kept = await keptPoints(options);
  if (kept !== null) await putBack(options, kept);
}

async function putBack(options: RangePointsOptions, { own, set }: KeptPoints): Promise<void> {
  const { premiere, reference, clock, pace = SAFE_PACE } = options;
  const now = await readPoints(options);
  // The panel may have closed between two changes: each point may be as it was or as it was set.
  const isOurs = [own.in, set.in].includes(now.in) && [own.out, set.out].includes(now.out);
  const transactor = new Transactor({ premiere, reference, clock, pace, signal: new AbortController().signal });
  if (isOurs && now.in !== own.in) await transactor.run(RESTORE_LABEL, settingIn(options, own.in));
  const out = isOurs && now.out !== own.out ? [settingOut(options, own.out)] : [];
  const noted = (text: string) => keptText(premiere, reference, { name: NOTE, text });
  try {
    await transactor.run(RESTORE_LABEL, ...out, noted(""));
  } catch {
    // Where nothing can be cleared, the points come back all the same, and a word that is none takes their place.
    await transactor.run(RESTORE_LABEL, ...out, noted("none"));
  }
}

// The in point first, and the out point in a transaction of its own: both in one drop the in point (`premiere-uxp.md` 2.4).

function settingIn({ premiere }: RangePointsOptions, ticks: bigint): TransactionPart {
  return async () =>
    (add, { sequence }) =>
      add(sequence.createSetInPointAction(tickTime(premiere, ticks)));
}

function settingOut({ premiere }: RangePointsOptions, ticks: bigint): TransactionPart {
  return async () =>
    (add, { sequence }) =>
      add(sequence.createSetOutPointAction(tickTime(premiere, ticks)));
}

/** Reads the points of a sequence. */
export async function readPoints({ premiere, reference }: RangePointsOptions): Promise<Points> {
  const { inPoint, outPoint } = await withFreshHandles(() => readFacts(premiere, reference));
  return { in: inPoint ?? UNSET_POINT_TICKS, out: outPoint ?? UNSET_POINT_TICKS };
}

function isSame(a: Points, b: Points): boolean {
  return a.in === b.in && a.out === b.out;
}

interface KeptPoints {
  readonly own: Points;
  readonly set: Points;
}

async function keptPoints({ premiere, reference }: RangePointsOptions): Promise<KeptPoints | null> {
  const text = await withFreshHandles(() => readNote(premiere, reference, NOTE));
  if (text === null || !/^-?\d+( -?\d+){3}$/.test(text)) return null;
  const [ownIn = 0n, ownOut = 0n, setIn = 0n, setOut = 0n] = text.split(" ").map(BigInt);
  return { own: { in: ownIn, out: ownOut }, set: { in: setIn, out: setOut } };
}

function refused(): HostError {
  const message =
    "Premiere did not set the in and out point that the export needs. Click into the timeline, try again.";
  return new HostError("export_failed", message, {
    operation: "export a stretch",
    state: "nothing was exported",
    tried: ["Sequence.createSetInPointAction and createSetOutPointAction left other points than were asked for"],
  });
}

/** Moves the playhead of a sequence to a time in seconds on the sequence clock, on the frame nearest to it. */
export async function movePlayhead(
  premiere: premierepro,
  reference: SequenceReference,
  seconds: number,
): Promise<void> {
  const { ticksPerFrame } = await readFacts(premiere, reference);
  const { sequence } = await openSequence(premiere, reference);
  const time = tickTime(premiere, ticksOnGrid(Math.max(0, seconds), ticksPerFrame));
  if (await sequence.setPlayerPosition(time)) return;
  throw new HostError("host_failed", "Premiere did not move the playhead. Click into the timeline, then try again.", {
    operation: "move the playhead",
    state: "nothing was changed",
    tried: ["Sequence.setPlayerPosition answered false"],
  });
}

/** Where the playhead of a sequence stands, in seconds on the sequence clock. */
export async function readPlayhead(premiere: premierepro, reference: SequenceReference): Promise<number> {
  const { sequence } = await openSequence(premiere, reference);
  return secondsFromTicks(await ticksOf(await sequence.getPlayerPosition()));
}
