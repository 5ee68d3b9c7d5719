import type { AudioClipTrackItem, AudioComponentChain, ComponentParam, premierepro } from "@adobe/premierepro";
import { isSameTime } from "../../core/tolerance.ts";
import type { ClipLevel, LevelPoint } from "../editor.ts";
import { clipsOn, listed, ticksOf } from "./answers.ts";
import { isStaleHandle, withFreshHandles } from "./host-fault.ts";
import { openSequence } from "./open-sequence.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks } from "./ticks.ts";
import { unboxed } from "./traced-premiere.ts";

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
export async function readLevels(
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
export function isSameLevel(a: Pick<ClipLevel, "points" | "gain">, b: Pick<ClipLevel, "points" | "gain">): boolean {
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
