import type { Action, ComponentParam, premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/clock.ts";
import type { KeptText } from "../edit-plan.ts";
import type { LevelChange, LevelOrder, LevelPoint } from "../editor.ts";
import type { ApplyReport, HostOperation } from "../host.ts";
import { clipsOn, identityOf } from "./answers.ts";
import { attempt } from "./attempt.ts";
import { isSameLevel, type LevelHandle, levelOf, readLevels } from "./clip-levels.ts";
import { changedMeanwhile } from "./lay-clips.ts";
import { activeProject, openSequence } from "./open-sequence.ts";
import { batchesOf, type Pace } from "./pace.ts";
import { keptText, readNote } from "./sequence-note.ts";
import type { SequenceReference } from "./snapshot.ts";
import { ticksFromSeconds } from "./ticks.ts";
import { type TransactionPart, Transactor } from "./transactor.ts";

/** What changing volumes needs. */
export interface LevelOptions {
  readonly premiere: premierepro;
  readonly clock: Clock;
  readonly pace: Pace;
}

/** What is done to one volume in one transaction: so many actions. */
interface LevelWork {
  readonly change: LevelChange;
  readonly handle: LevelHandle;
  readonly actions: number;
  readonly make: (level: ComponentParam) => readonly Action[];
}

/** How many tracks of pictures and of sound a sequence has, and its volumes. */
export async function levelsOf(premiere: premierepro, reference: SequenceReference): Promise<LevelHandle[]> {
  const videoTracks = await (await openSequence(premiere, reference)).sequence.getVideoTrackCount();
  return readLevels(premiere, reference, videoTracks);
}

/**
 * Changes volumes, in two rounds of transactions: whether a level varies over time must be committed before its first keyframe
 * is added, and before its one value is set. Each transaction changes a few parameters, of one clip or several.
 *
 * Raises as applying a plan does; after the first change every failure is a difference in the report.
 */
export async function changeLevels(
  options: LevelOptions,
  order: LevelOrder,
  { signal, onProgress }: HostOperation,
): Promise<ApplyReport> {
  const { premiere, clock, pace } = options;
  signal.throwIfAborted();
  const projectId = await identityOf(await activeProject(premiere));
  const reference = { projectId, sequenceId: order.sequenceId };
  const before = await levelsOf(premiere, reference);
  const rounds = roundsOf(options, order.changes, before);
  const batches = rounds.map((works) => batchesOf(works, pace.parametersPerTransaction, ({ actions }) => actions));
  const total = batches.flat().length;
  let done = 0;
  const transactor = new Transactor({ premiere, reference, clock, pace, signal });
  const failures = await attempt({ transactor, signal }, order.label, async () => {
    for (const batch of batches.flat()) {
      done += 1;
      const label = total === 1 ? order.label : `${order.label} (${done} of ${total})`;
      const parts = partsOf(batch).map((works) => partOf(premiere, reference, works, before, label));
      const isNoted = done === (order.note.text === "" ? total : 1);
      await transactor.run(label, ...parts, ...(isNoted ? [keptText(premiere, reference, order.note)] : []));
      onProgress?.({ fraction: done / total });
    }
    if (total === 0) await transactor.run(order.label, keptText(premiere, reference, order.note));
  });
  const after = await levelsOf(premiere, reference);
  const differences = [
    ...failures.differences,
    ...levelDifferences(before, after, order.changes),
    ...(failures.differences.length === 0 ? await noteDifferences(premiere, reference, order.note) : []),
  ];
  const outcome = differences.length === 0 ? "done" : "partial";
  return { outcome, differences, tried: failures.tried, markerIds: {}, undoSteps: transactor.undoSteps };
}

/** First whether each level varies, then its keyframes, some at a time, or its value. */
function roundsOf(
  { premiere, pace }: LevelOptions,
  changes: readonly LevelChange[],
  before: readonly LevelHandle[],
): readonly (readonly LevelWork[])[] {
  const switched: LevelWork[] = [];
  const valued: LevelWork[] = [];
  for (const change of changes) {
    const handle = before.find((one) => isSameClip(one, change));
    if (handle === undefined || handle.effectIndex === null) continue;
    const varies = change.points.length > 0;
    if (varies !== handle.varies) {
      switched.push({ change, handle, actions: 1, make: (level) => [level.createSetTimeVaryingAction(varies)] });
    }
    if (!varies) {
      const make = (level: ComponentParam) => [level.createSetValueAction(level.createKeyframe(change.gain), true)];
      valued.push({ change, handle, actions: 1, make });
    }
    for (const points of batchesOf(change.points, pace.parametersPerTransaction)) {
      const make = (level: ComponentParam) => points.map((point) => addition(premiere, level, point));
      valued.push({ change, handle, actions: points.length, make });
    }
  }
  return [switched, valued];
}

function addition(premiere: premierepro, level: ComponentParam, { at, gain }: LevelPoint): Action {
  const keyframe = level.createKeyframe(gain);
  keyframe.position = premiere.TickTime.createWithTicks(ticksFromSeconds(at).toString());
  return level.createAddKeyframeAction(keyframe);
}

/** The works of each clip together: their handles are fetched once. */
function partsOf(works: readonly LevelWork[]): readonly (readonly LevelWork[])[] {
  const clips = new Map<LevelHandle, LevelWork[]>();
  for (const work of works) clips.set(work.handle, [...(clips.get(work.handle) ?? []), work]);
  return [...clips.values()];
}

function partOf(
  premiere: premierepro,
  reference: SequenceReference,
  works: readonly LevelWork[],
  before: readonly LevelHandle[],
  label: string,
): TransactionPart {
  const { trackIndex, clipIndex, effectIndex } = works[0]?.handle ?? { trackIndex: 0, clipIndex: 0, effectIndex: 0 };
  const clipCount = before.filter((one) => one.trackIndex === trackIndex).length;
  return async () => {
    const videoTracks = await (await openSequence(premiere, reference)).sequence.getVideoTrackCount();
    const { sequence } = await openSequence(premiere, reference);
    const items = await clipsOn(premiere, await sequence.getAudioTrack(trackIndex - videoTracks));
    const item = items[clipIndex];
    if (item === undefined || items.length !== clipCount) throw changedMeanwhile(label);
    const level = await levelOf(await item.getComponentChain(), effectIndex ?? 0);
    return (add) => {
      for (const work of works) for (const action of work.make(level)) add(action);
    };
  };
}

/** Without its note, nobody could take the change back later. */
async function noteDifferences(premiere: premierepro, reference: SequenceReference, note: KeptText): Promise<string[]> {
  const kept = await readNote(premiere, reference, note.name);
  if ((kept ?? "") === note.text) return [];
  return ["Premiere kept no note of the change: take it back by Premiere's Undo"];
}

function levelDifferences(
  before: readonly LevelHandle[],
  after: readonly LevelHandle[],
  changes: readonly LevelChange[],
): string[] {
  if (before.length !== after.length) return ["clips came or went meanwhile"];
  const gone = changes.filter((change) => !before.some((level) => isSameClip(change, level))).length;
  const changed = before.filter((level, index) => {
    const now = after[index];
    const wanted = changes.find((change) => isSameClip(change, level)) ?? level;
    return now === undefined || now.sourceId !== level.sourceId || !isSameLevel(wanted, now);
  }).length;
  const wrong = gone + changed;
  return wrong === 0 ? [] : [`${wrong} volume${wrong === 1 ? " is" : "s are"} not as planned`];
}

function isSameClip(
  a: Pick<LevelChange, "trackIndex" | "clipIndex">,
  b: Pick<LevelChange, "trackIndex" | "clipIndex">,
): boolean {
  return a.trackIndex === b.trackIndex && a.clipIndex === b.clipIndex;
}
