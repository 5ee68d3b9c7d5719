import { overlapWithRanges, rangeDuration, type TimeRange } from "./time-range.ts";

/**
 * How far narration shall stand above what is heard with it, in LU: over music, and over ambience and effects, which are
 * more like speech (Torcoli et al., JAES 67(12), 2019: at least 10 and 15).
 */
const MARGIN_LU = { music: 10, ambience: 15 } as const;

/** The programme is never lowered by more than this many dB: the deepest step that broadcast control tracks know (ESEF). */
export const MAX_DUCK_DB = 21;

/** Seconds in which the programme goes down before narration, and comes back up after it. */
const DUCK_SECONDS = { down: 0.15, up: 0.5 } as const;

/** Between narrations closer than this many seconds the programme stays down: coming up and going down again would pump. */
const STAY_DOWN_SECONDS = 0.85;

/** A line as it will be heard. */
export interface HeardLine extends TimeRange {
  readonly cueId: string;
  /** Loudness of the narration in the mix, in LUFS. */
  readonly narrationLufs: number;
  /** Loudness of the programme while it is spoken, in LUFS; `-Infinity` for silence. */
  readonly programmeLufs: number;
}

/** What was decided for a line. */
interface DuckedLine extends HeardLine {
  readonly isOverMusic: boolean;
  /** By how much the programme is lowered while it is spoken, in dB; 0 or more. */
  readonly duckDb: number;
  /** Narration above the lowered programme, in LU; `Infinity` over silence. */
  readonly marginLu: number;
}

/** A stretch in which the programme's gain glides from one value to another, in dB; between stretches it stands still. */
export interface DuckGlide extends TimeRange {
  readonly fromDb: number;
  readonly toDb: number;
}

/** The programme's gain over time: 0 dB before the first glide. */
export interface DuckPlan {
  /** In the order of the lines. */
  readonly lines: readonly DuckedLine[];
  /** In order of time and disjoint. */
  readonly glides: readonly DuckGlide[];
}

/**
 * Plans how the programme makes room: for each line just as far as it needs, and at least so far all the while it is spoken.
 *
 * @param lines In order of start.
 * @param music Ordered and disjoint, in seconds.
 */
export function planDucking(lines: readonly HeardLine[], music: readonly TimeRange[]): DuckPlan {
  const ducked = lines.map((line) => duckLine(line, music));
  return { lines: ducked, glides: glidesBetween(loweredStretches(ducked.filter(({ duckDb }) => duckDb > 0))) };
}

function duckLine(line: HeardLine, music: readonly TimeRange[]): DuckedLine {
  const musicSeconds = overlapWithRanges(line, music);
  const isOverMusic = musicSeconds > 0 && musicSeconds >= rangeDuration(line) / 2;
  const margin = isOverMusic ? MARGIN_LU.music : MARGIN_LU.ambience;
  const there = line.narrationLufs - line.programmeLufs;
  const duckDb = Number.isFinite(there) ? Math.min(MAX_DUCK_DB, Math.max(0, margin - there)) : 0;
  return { ...line, isOverMusic, duckDb, marginLu: there + duckDb };
}

/** A stretch through which the programme stays down at one level. */
interface LoweredStretch {
  start: number;
  end: number;
  duckDb: number;
}

/**
 * Lines that overlap keep the programme down together, by the deepest of them; so do neighbours of which one is too short
 * for a glide down and one up to lie in it.
 */
function loweredStretches(lines: readonly DuckedLine[]): LoweredStretch[] {
  const lowered: LoweredStretch[] = [];
  const isShort = ({ start, end }: LoweredStretch) => end - start < DUCK_SECONDS.down + DUCK_SECONDS.up;
  for (const { start, end, duckDb } of lines) {
    const last = lowered.at(-1);
    const stretch = { start, end, duckDb };
    const isJoined =
      last !== undefined &&
      (start < last.end || (start - last.end < STAY_DOWN_SECONDS && (isShort(last) || isShort(stretch))));
    if (isJoined) {
      last.end = Math.max(last.end, end);
      last.duckDb = Math.max(last.duckDb, duckDb);
    } else lowered.push(stretch);
  }
  return lowered;
}

/** The glides into, between and out of lowered stretches; a change between two near ones gives room early and takes it back late. */
function glidesBetween(lowered: readonly LoweredStretch[]): DuckGlide[] {
  const glides: DuckGlide[] = [];
  const down = (at: number, fromDb: number, toDb: number) =>
    glides.push({ start: at - DUCK_SECONDS.down, end: at, fromDb, toDb });
  const up = (at: number, fromDb: number, toDb: number) =>
    glides.push({ start: at, end: at + DUCK_SECONDS.up, fromDb, toDb });
  const isNear = (a: LoweredStretch, b: LoweredStretch) => b.start - a.end < STAY_DOWN_SECONDS;
  for (const [index, stretch] of lowered.entries()) {
    const before = lowered[index - 1];
    const after = lowered[index + 1];
    if (before === undefined || !isNear(before, stretch)) down(stretch.start, 0, -stretch.duckDb);
    if (after === undefined || !isNear(stretch, after)) up(stretch.end, -stretch.duckDb, 0);
    else if (after.duckDb > stretch.duckDb) down(after.start, -stretch.duckDb, -after.duckDb);
    else if (after.duckDb < stretch.duckDb) up(stretch.end, -stretch.duckDb, -after.duckDb);
  }
  return glides;
}

/** A glide in samples. */
interface SampleGlide {
  readonly start: number;
  readonly end: number;
  readonly fromDb: number;
  readonly toDb: number;
}

/**
 * The programme's gain at every sample: raised-cosine glides in decibels, so that neither gain nor slope ever jumps, and
 * level stretches between them.
 */
export class GainCurve {
  readonly #glides: readonly SampleGlide[];
  #next = 0;
  #levelDb = 0;

  constructor(glides: readonly DuckGlide[], sampleRate: number) {
    this.#glides = glides.map(({ start, end, fromDb, toDb }) => ({
      start: Math.round(start * sampleRate),
      end: Math.round(end * sampleRate),
      fromDb,
      toDb,
    }));
  }

  /** Multiplies blocks, one array per channel, that begin at sample `at`. Calls go on where the last one ended. */
  apply(planes: readonly Float32Array[], at: number): void {
    const length = planes[0]?.length ?? 0;
    for (let from = at; from < at + length; ) {
      const glide = this.#glides[this.#next];
      if (glide === undefined || glide.start > from) {
        const to = Math.min(at + length, glide?.start ?? Number.POSITIVE_INFINITY);
        this.#applyLevel(planes, from - at, to - at);
        from = to;
        continue;
      }
      const to = Math.min(at + length, glide.end);
      if (to > from) applyGlide(planes, from - at, to - at, glide, at);
      from = Math.max(from, to);
      if (from >= glide.end) {
        this.#levelDb = glide.toDb;
        this.#next += 1;
      }
    }
  }

  #applyLevel(planes: readonly Float32Array[], from: number, to: number): void {
    if (this.#levelDb === 0) return;
    const gain = 10 ** (this.#levelDb / 20);
    for (const plane of planes) for (let i = from; i < to; i++) plane[i] = (plane[i] ?? 0) * gain;
  }
}

/** The programme's gain inside a glide, in dB, at a share of its length from 0 to 1. */
export function glideLevel({ fromDb, toDb }: Pick<DuckGlide, "fromDb" | "toDb">, share: number): number {
  return fromDb + (toDb - fromDb) * raisedCosine(share);
}

function raisedCosine(share: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * share);
}

function applyGlide(planes: readonly Float32Array[], from: number, to: number, glide: SampleGlide, at: number): void {
  const length = glide.end - glide.start;
  for (let i = from; i < to; i++) {
    const share = raisedCosine((at + i - glide.start) / length);
    const gain = 10 ** ((glide.fromDb + (glide.toDb - glide.fromDb) * share) / 20);
    for (const plane of planes) plane[i] = (plane[i] ?? 0) * gain;
  }
}
