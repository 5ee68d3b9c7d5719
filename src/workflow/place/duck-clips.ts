import type { DuckGlide } from "../../core/duck-plan.ts";
import { gainFromDecibels } from "../../core/level.ts";
import { isObject } from "../../core/objects.ts";
import { ROUNDING_ERROR_SECONDS } from "../../core/time-range.ts";
import type { Timeline, TimelineClip } from "../../core/timeline.ts";
import { isNarrationClip, NARRATION_TRACK_NAME } from "../../host/edit-plan.ts";
import type { ClipLevel, LevelChange, LevelPoint } from "../../host/editor.ts";

/** Name of the note in which a sequence keeps what was done to its volumes. */
export const DUCK_NOTE = "duck";

/** The volume of a clip as it was left, and the gain that it had. */
interface DuckedClip {
  readonly sourceId: string;
  readonly gain: number;
  readonly points: readonly LevelPoint[];
}

/** What is to be done to the volumes of a sequence. */
export interface DuckClips {
  readonly changes: readonly LevelChange[];
  /** What is kept of it with the sequence, for {@link planUnduck}; empty where nothing is. */
  readonly note: string;
  /** Names of clips under a line that are left alone, with the reason: they have a volume or a speed of their own. */
  readonly leftAlone: readonly string[];
}

/** Points whose instants, in seconds, and gains, as a share, differ by less are the same: what is kept of them is rounded. */
const SAME_INSTANT = 1e-5;
const SAME_GAIN = 1e-4;

/**
 * Plans the volumes that lower a programme under its lines: on each clip that is heard there, points on the clock of its source,
 * by which its own gain is multiplied. The curve is that of the mix. A clip that has points of its own, and one at another
 * speed, whose points nobody has measured, are left alone.
 *
 * @param glides On the sequence clock.
 */
export function planDuckClips(
  timeline: Timeline,
  levels: readonly ClipLevel[],
  glides: readonly DuckGlide[],
): DuckClips {
  const changes: LevelChange[] = [];
  const ducked: DuckedClip[] = [];
  const leftAlone: string[] = [];
  for (const level of levels) {
    const track = timeline.tracks[level.trackIndex];
    const clip = track?.clips[level.clipIndex];
    if (track === undefined || clip === undefined || !isHeard(track, clip)) continue;
    const curve = curveOf(clip, glides);
    if (curve.length === 0) continue;
    if (level.gain === null || level.points.length > 0 || clip.speed !== 1) {
      leftAlone.push(`${clip.name} (${track.name})`);
      continue;
    }
    const { gain } = level;
    const points = curve.map(({ at, gain: ratio }) => ({
      at: clip.sourceStart + (at - clip.start),
      gain: gain * ratio,
    }));
    changes.push({ trackIndex: level.trackIndex, clipIndex: level.clipIndex, points, gain });
    ducked.push({ sourceId: level.sourceId, gain, points });
  }
  return { changes, note: changes.length === 0 ? "" : writeNote(ducked), leftAlone };
}

/**
 * Plans the way back: every clip whose points are those that were laid on it gets its one gain again, wherever it lies by now, and so
 * does each part of one that was cut. Points that somebody has changed since stay, and are listed.
 *
 * @param note As it was kept; `null` where there is none.
 */
export function planUnduck(timeline: Timeline, levels: readonly ClipLevel[], note: string | null): DuckClips {
  const kept = readNote(note);
  const changes: LevelChange[] = [];
  const leftAlone: string[] = [];
  for (const { trackIndex, clipIndex, sourceId, points, gain } of levels) {
    const ofSource = kept.get(sourceId);
    if (ofSource === undefined || gain !== null) continue;
    const was = ofSource.find((one) => isAmong(points, one.points));
    if (was !== undefined) changes.push({ trackIndex, clipIndex, points: [], gain: was.gain });
    else {
      const track = timeline.tracks[trackIndex];
      leftAlone.push(`${track?.clips[clipIndex]?.name ?? ""} (${track?.name ?? ""})`);
    }
  }
  return { changes, note: "", leftAlone };
}

function isHeard({ kind, name, isEnabled }: Timeline["tracks"][number], clip: TimelineClip): boolean {
  return kind === "audio" && isEnabled && name !== NARRATION_TRACK_NAME && !isNarrationClip(clip) && clip.isEnabled;
}

/** The curve over a clip as ratios, on the sequence clock: where it bends, and at the clip's edges; none where it is 1 throughout. */
function curveOf({ start, end }: TimelineClip, glides: readonly DuckGlide[]): LevelPoint[] {
  const near = glides.filter((glide) => glide.start < end && glide.end > start);
  const bends = near
    .flatMap((glide) => [glide.start, glide.end])
    .filter((at) => at > start + ROUNDING_ERROR_SECONDS && at < end - ROUNDING_ERROR_SECONDS);
  // A glide that begins or ends with the clip has a point there, too, though the gain is none but the clip's own.
  const isOnEdge = (at: number) =>
    near.some((glide) => [glide.start, glide.end].some((bend) => Math.abs(bend - at) <= ROUNDING_ERROR_SECONDS));
  const edges = [start, end].filter((at) => ratioAt(at, glides) !== 1 || isOnEdge(at));
  const times = [...new Set([...bends, ...edges])].sort((a, b) => a - b);
  const curve = times.map((at) => ({ at, gain: ratioAt(at, glides) }));
  // Under one line all the time: one point says it.
  const isSteady = near.length === 0 && curve.length > 0;
  return isSteady ? curve.slice(0, 1) : curve;
}

/** The gain at a time as a ratio. Inside a glide it runs as the host's own does, in a straight line. */
function ratioAt(at: number, glides: readonly DuckGlide[]): number {
  let db = 0;
  for (const glide of glides) {
    if (glide.start > at) break;
    if (at < glide.end) {
      const share = (at - glide.start) / (glide.end - glide.start);
      const [from, to] = [gainFromDecibels(glide.fromDb), gainFromDecibels(glide.toDb)];
      return from + (to - from) * share;
    }
    db = glide.toDb;
  }
  return db === 0 ? 1 : gainFromDecibels(db);
}

/** Whether all points are among those that were planned: what was stopped half way has some of them. */
function isAmong(points: readonly LevelPoint[], planned: readonly LevelPoint[]): boolean {
  return points.every((point) =>
    planned.some(
      ({ at, gain }) =>
        Math.abs(point.at - at) < SAME_INSTANT && Math.abs(point.gain - gain) <= SAME_GAIN * Math.abs(gain),
    ),
  );
}

/** A clip as it is kept: source, gain, and the instants and gains of its points. */
type KeptClip = readonly [sourceId: string, gain: number, points: readonly (readonly [at: number, gain: number])[]];

function writeNote(ducked: readonly DuckedClip[]): string {
  const clips = ducked.map(
    ({ sourceId, gain, points }): KeptClip => [
      sourceId,
      gain,
      points.map(({ at, gain: value }) => [Number(at.toFixed(6)), Number(value.toPrecision(6))] as const),
    ],
  );
  return JSON.stringify({ version: 1, clips });
}

/** What was kept, by source. A note that cannot be read tells nothing: what it was about stays. */
function readNote(note: string | null): Map<string, DuckedClip[]> {
  const kept = new Map<string, DuckedClip[]>();
  for (const [sourceId, gain, points] of keptClips(note ?? "")) {
    const clip = { sourceId, gain, points: points.map(([at, value]) => ({ at, gain: value })) };
    kept.set(sourceId, [...(kept.get(sourceId) ?? []), clip]);
  }
  return kept;
}

function keptClips(note: string): readonly KeptClip[] {
  try {
    const value: unknown = JSON.parse(note);
    if (!isObject(value) || value["version"] !== 1) return [];
    const { clips } = value;
    return Array.isArray(clips) ? clips.filter(isKeptClip) : [];
  } catch {
    return [];
  }
}

function isKeptClip(value: unknown): value is KeptClip {
  if (!Array.isArray(value)) return false;
  const [sourceId, gain, points] = value;
  const isPoint = (point: unknown) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  return typeof sourceId === "string" && Number.isFinite(gain) && Array.isArray(points) && points.every(isPoint);
}
