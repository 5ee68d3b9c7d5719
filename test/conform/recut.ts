import { type FrameRate, secondsFromFrames, snapToFrame } from "../../src/core/frame-rate.ts";
import type { TimeRange } from "../../src/core/time-range.ts";
import type { Timeline, TimelineClip } from "../../src/core/timeline.ts";
import type { SeededRandom } from "../fakes/seeded-random.ts";

/** A stretch of the old cut and what became of it. */
interface Block extends TimeRange {
  readonly fate: "kept" | "faster" | "replaced" | "foreign";
}

/** A re-cut, and the truth about it. */
export interface Recut {
  readonly timeline: Timeline;
  /** Names of what was done, for a log. */
  readonly deeds: readonly string[];
  /** Where a range of the old cut went as a whole, in seconds later; `null` when it did not stay whole. */
  shiftOf(range: TimeRange): number | null;
}

/** The end of the last clip. */
export function endOf(timeline: Timeline): number {
  return Math.max(0, ...timeline.tracks.flatMap((track) => track.clips.map((clip) => clip.end)));
}

/** Cuts a timeline anew: trims, lifts, inserts, swaps, changes of speed, replaced media, one to five of them. */
export function recut(timeline: Timeline, random: SeededRandom): Recut {
  const { rate } = timeline;
  const deeds: string[] = [];
  let blocks: Block[] = [{ start: 0, end: endOf(timeline), fate: "kept" }];
  const count = random.whole(1, 5);
  for (let deed = 0; deed < count; deed++) {
    blocks = bladed(bladed(blocks, rate, random), rate, random);
    const at = random.whole(0, blocks.length - 1);
    const name = random.oneOf(Object.keys(DEEDS)) ?? "lift";
    deeds.push(name);
    blocks = DEEDS[name]?.(blocks, at, rate, random) ?? blocks;
  }
  return { timeline: assembled(timeline, blocks), deeds, shiftOf: (range) => shiftIn(blocks, range, rate) };
}

type Deed = (blocks: Block[], at: number, rate: FrameRate, random: SeededRandom) => Block[];

const withFate =
  (fate: Block["fate"]): Deed =>
  (blocks, at) =>
    blocks.map((block, index) => (index === at && block.fate === "kept" ? { ...block, fate } : block));

const DEEDS: Readonly<Record<string, Deed>> = {
  lift: (blocks, at) => (blocks.length > 1 ? blocks.filter((_, index) => index !== at) : blocks),
  "trim the head": (blocks, at, rate, random) =>
    blocks.map((block, index) => {
      const frames = secondsFromFrames(random.whole(1, 30), rate);
      const mayTrim = index === at && block.fate === "kept" && block.end - block.start > 2 * frames;
      return mayTrim ? { ...block, start: block.start + frames } : block;
    }),
  insert: (blocks, at, rate, random) => {
    const length = secondsFromFrames(random.whole(5, 200), rate);
    return [...blocks.slice(0, at), { start: 0, end: length, fate: "foreign" }, ...blocks.slice(at)];
  },
  swap: (blocks, at) => {
    const [one, two] = [blocks[at], blocks[at + 1]];
    if (one === undefined || two === undefined) return blocks;
    return [...blocks.slice(0, at), two, one, ...blocks.slice(at + 2)];
  },
  "change the speed": withFate("faster"),
  "replace the media": withFate("replaced"),
};

function bladed(blocks: Block[], rate: FrameRate, random: SeededRandom): Block[] {
  const at = random.whole(0, blocks.length - 1);
  const block = blocks[at];
  if (block === undefined || block.fate !== "kept") return blocks;
  const frames = Math.round((block.end - block.start) / secondsFromFrames(1, rate));
  if (frames < 4) return blocks;
  const first = Math.round(block.start / secondsFromFrames(1, rate));
  const middle = secondsFromFrames(first + random.whole(1, frames - 1), rate);
  return [...blocks.slice(0, at), { ...block, end: middle }, { ...block, start: middle }, ...blocks.slice(at + 1)];
}

/** Length of a block in the new cut: whole frames, as an editor's cuts are. */
function lengthOf({ start, end, fate }: Block, rate: FrameRate): number {
  return fate === "faster" ? snapToFrame((end - start) / 2, rate, "floor") : end - start;
}

function assembled(timeline: Timeline, blocks: readonly Block[]): Timeline {
  const { rate } = timeline;
  const tracks = timeline.tracks.map((track) => {
    const clips: TimelineClip[] = [];
    let at = 0;
    for (const block of blocks) {
      if (block.fate === "foreign") clips.push(foreignClip(at, lengthOf(block, rate)));
      else clips.push(...track.clips.flatMap((clip) => placed(clip, block, at, lengthOf(block, rate))));
      at += lengthOf(block, rate);
    }
    return { ...track, clips, transitions: [] };
  });
  return { ...timeline, tracks };
}

/** The part of a clip inside a block, at the block's new place. */
function placed(clip: TimelineClip, block: Block, at: number, length: number): TimelineClip[] {
  const start = Math.max(clip.start, block.start);
  const end = Math.min(clip.end, block.end);
  if (end <= start) return [];
  const speed = block.fate === "faster" ? 2 : 1;
  const source = block.fate === "replaced" ? mediaOf(`other-${clip.name}`, clip.source) : clip.source;
  return [
    {
      ...clip,
      start: at + (start - block.start) / speed,
      end: Math.min(at + length, at + (end - block.start) / speed),
      sourceStart: clip.sourceStart + (start - clip.start) * clip.speed,
      speed: clip.speed * speed,
      source,
    },
  ];
}

/** A file of another place, with what is known of the source it takes the place of. */
function mediaOf(name: string, like?: TimelineClip["source"]): TimelineClip["source"] {
  const known = like?.kind === "media" ? like : { hasVideo: true, audioChannels: 1 };
  return { ...known, kind: "media", name, location: `file:///elsewhere/${name}` };
}

function foreignClip(at: number, length: number): TimelineClip {
  return {
    name: "insert.mov",
    start: at,
    end: at + length,
    isEnabled: true,
    sourceStart: 0,
    speed: 1,
    source: mediaOf("insert.mov"),
    effects: [],
    markers: [],
  };
}

/** A range is whole when every part of it is kept and lies as far on as every other. */
function shiftIn(blocks: readonly Block[], range: TimeRange, rate: FrameRate): number | null {
  const tolerance = secondsFromFrames(1, rate) / 4;
  let at = 0;
  let covered = 0;
  const shifts: number[] = [];
  for (const block of blocks) {
    const start = Math.max(range.start, block.start);
    const end = Math.min(range.end, block.end);
    if (block.fate === "kept" && end > start) {
      covered += end - start;
      shifts.push(at - block.start);
    }
    at += lengthOf(block, rate);
  }
  const [first] = shifts;
  const isWhole = covered >= range.end - range.start - tolerance;
  return first !== undefined && isWhole && shifts.every((shift) => Math.abs(shift - first) < tolerance) ? first : null;
}
