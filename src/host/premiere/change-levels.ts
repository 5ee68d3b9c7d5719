import type { Action, AudioClipTrackItem, AudioComponentChain, ComponentParam, premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import { isSameTime } from "../../core/time-range.ts";
import type { KeptText } from "../edit-plan.ts";
import type { ClipLevel, LevelChange, LevelOrder, LevelPoint } from "../editor.ts";
import type { ApplyReport, HostOperation } from "../host.ts";
import { clipsOn, identityOf, listed, ticksOf } from "./answers.ts";
import { isStaleHandle, withFreshHandles } from "./host-fault.ts";
import { changedMeanwhile } from "./lay-clips.ts";
import { activeProject, openSequence } from "./open-sequence.ts";
import { batchesOf, type Pace } from "./pace.ts";
import { keptText, readNote } from "./sequence-note.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks, ticksFromSeconds, tickTime } from "./ticks.ts";
import { unboxed } from "./traced-premiere.ts";
import { attempt, type TransactionPart, Transactor } from "./transactor.ts";

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
      const parts = batch.map((work) => partOf(premiere, reference, work, before, label));
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
  keyframe.position = tickTime(premiere, ticksFromSeconds(at));
  return level.createAddKeyframeAction(keyframe);
}

function partOf(
  premiere: premierepro,
  reference: SequenceReference,
  { handle: { trackIndex, clipIndex, effectIndex }, make }: LevelWork,
  before: readonly LevelHandle[],
  label: string,
): TransactionPart {
  const clipCount = before.filter((one) => one.trackIndex === trackIndex).length;
  return async () => {
    const videoTracks = await (await openSequence(premiere, reference)).sequence.getVideoTrackCount();
    const { sequence } = await openSequence(premiere, reference);
    const items = await clipsOn(premiere, await sequence.getAudioTrack(trackIndex - videoTracks));
    const item = items[clipIndex];
    if (item === undefined || items.length !== clipCount) throw changedMeanwhile(label);
    const level = await levelOf(await item.getComponentChain(), effectIndex ?? 0);
    return (add) => {
      for (const action of make(level)) add(action);
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

/** Clips that are asked at once; between two such rounds the handles are fetched anew. */
const CLIPS_AT_ONCE = 100;

/** The volume among the effects of every sound clip ("Internal Volume Stereo"): its parameters are Mute and Level. */
const VOLUME = /^Internal Volume\b/;
const LEVEL = 1;

/** Gains that differ by less, as a share, are the same: Premiere keeps them in 32 bits. */
const SAME_GAIN = 1e-5;

/** A volume with the place of its parameter, which is found by the name of its effect. */
export interface LevelHandle extends ClipLevel {
  /** Place of the volume among the clip's effects; `null` where it has none. */
  readonly effectIndex: number | null;
  /** Whether it varies over time, with points or without. */
  readonly varies: boolean;
}

/** Reads the volumes of a sequence. `videoTracks` is how many tracks of the timeline come before those of sound. */
async function readLevels(
  premiere: premierepro,
  reference: SequenceReference,
  videoTracks: number,
): Promise<LevelHandle[]> {
  const count = await (await openSequence(premiere, reference)).sequence.getAudioTrackCount();
  const levels: LevelHandle[] = [];
  for (let index = 0; index < count; index++) {
    const items = async () => {
      const { sequence } = await openSequence(premiere, reference);
      return clipsOn(premiere, await sequence.getAudioTrack(index));
    };
    for (let from = 0, total = 1; from < total; from += CLIPS_AT_ONCE) {
      const round = await withFreshHandles(async () => {
        const effects = await Promise.all((await items()).slice(from, from + CLIPS_AT_ONCE).map(volumeIndex));
        const all = await items();
        total = all.length;
        const read = effects.map((effect, place) => readLevel(all[from + place], effect));
        return (await Promise.all(read)).map((level, place) => ({ ...level, effectIndex: effects[place] ?? null }));
      });
      for (const [place, level] of round.entries()) {
        levels.push({ trackIndex: videoTracks + index, clipIndex: from + place, ...level });
      }
    }
  }
  return levels;
}

/** The level of a clip: right after its effects were fetched. */
export async function levelOf(chain: AudioComponentChain, effectIndex: number): Promise<ComponentParam> {
  return (await chain.getComponentAtIndex(effectIndex)).getParam(LEVEL);
}

/** What the effects of a clip are called by Premiere, in order: right after they were fetched. */
export async function effectNames(chain: AudioComponentChain): Promise<string[]> {
  const places = Array.from({ length: await chain.getComponentCount() }, (_, index) => index);
  return Promise.all(places.map(async (index) => (await chain.getComponentAtIndex(index)).getMatchName()));
}

/** Whether two volumes are the same: of points, times and gains; else the one gain. */
function isSameLevel(a: Pick<ClipLevel, "points" | "gain">, b: Pick<ClipLevel, "points" | "gain">): boolean {
  if (a.points.length !== b.points.length) return false;
  if (a.points.length === 0) return isSameGain(a.gain ?? 0, b.gain ?? 0);
  return a.points.every((point, index) => {
    const other = b.points[index];
    return other !== undefined && isSameTime(point.at, other.at) && isSameGain(point.gain, other.gain);
  });
}

/** Whether two gains are the same to what Premiere keeps of them. */
function isSameGain(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_GAIN * Math.max(Math.abs(a), Math.abs(b));
}

async function volumeIndex(item: AudioClipTrackItem): Promise<number | null> {
  const names = await item.getComponentChain().then(effectNames);
  const index = names.findIndex((name) => VOLUME.test(name));
  return index < 0 ? null : index;
}

type ReadLevel = Pick<LevelHandle, "sourceId" | "gain" | "points" | "varies">;

async function readLevel(item: AudioClipTrackItem | undefined, effect: number | null): Promise<ReadLevel> {
  const none = { gain: null, points: [], varies: false };
  if (item === undefined) return { sourceId: "", ...none };
  const source = item.getProjectItem().then(
    (one) => one.getId(),
    () => "",
  );
  const level =
    effect === null ? none : item.getComponentChain().then(async (chain) => volumeOf(await levelOf(chain, effect)));
  return { sourceId: await source, ...(await level) };
}

async function volumeOf(level: ComponentParam): Promise<Omit<ReadLevel, "sourceId">> {
  if (!(await level.isTimeVarying())) {
    return { gain: await level.getStartValue().then(gainOf, goneAsNull), points: [], varies: false };
  }
  const times = listed("ComponentParam.getKeyframeListAsTickTimes", await level.getKeyframeListAsTickTimes());
  const points = await Promise.all(
    times.map(async (time): Promise<LevelPoint> => {
      const gain = gainOf(await level.getKeyframePtr(time)) ?? 0;
      return { at: secondsFromTicks(await ticksOf(time)), gain };
    }),
  );
  return { gain: null, points: points.sort((a, b) => a.at - b.at), varies: true };
}

function goneAsNull(error: unknown): null {
  if (isStaleHandle(error)) throw error;
  return null;
}

/** A number that Premiere hands out wrapped, once or twice; `null` where it is none. */
function gainOf(wrapped: unknown): number | null {
  const value = unboxed(wrapped);
  return typeof value === "number" ? value : null;
}
