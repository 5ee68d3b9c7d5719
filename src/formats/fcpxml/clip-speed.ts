import type { TimelineClip } from "../../core/timeline.ts";
import { SAME_SPEED } from "../../core/tolerance.ts";
import { childAt, childrenNamed, type XmlElement } from "../xml/xml-element.ts";
import { parseRationalTime, timeSeconds } from "./rational-time.ts";

/** A part of a clip that runs at one speed. Times are seconds on the clip's own clock. */
interface SpeedPart {
  readonly start: number;
  readonly end: number;
  /** Time of the source's clock at `start`. */
  readonly sourceStart: number;
  /** Source seconds per second; 0 holds one picture, below 0 runs backwards. */
  readonly speed: number;
}

/** How a clip's own clock runs against that of its source. */
export interface ClipSpeed {
  /** The parts of a stretch of the clip, in order and without holes. */
  parts(start: number, end: number): SpeedPart[];
  /** The time of the source's clock at a time of the clip's. */
  sourceTime(clipTime: number): number;
}

interface Point {
  readonly time: number;
  readonly value: number;
}

/** A clip whose speed is not changed. */
export const NORMAL_SPEED: ClipSpeed = {
  parts: (start, end) => [{ start, end, sourceStart: start, speed: 1 }],
  sourceTime: (clipTime) => clipTime,
};

/**
 * The speed of a clip, by its `timeMap`: points that say which time of the source is shown at which time of the clip.
 * Between them, and beyond the first and the last, the speed is even: eased changes of speed become steps.
 *
 * @returns `null` for a map with fewer than two points that can be read.
 */
export function clipSpeed(clip: XmlElement): ClipSpeed | null {
  const map = childAt(clip, "timeMap");
  if (map === undefined) return NORMAL_SPEED;
  const points = childrenNamed(map, "timept")
    .flatMap((point): Point[] => {
      const time = parseRationalTime(point.attributes.get("time"));
      const value = parseRationalTime(point.attributes.get("value"));
      return time === null || value === null ? [] : [{ time: timeSeconds(time), value: timeSeconds(value) }];
    })
    .sort((a, b) => a.time - b.time)
    .filter((point, index, all) => index === 0 || point.time > (all[index - 1]?.time ?? 0));
  const lines = linesOf(points);
  return lines.length === 0 ? null : new MappedSpeed(lines);
}

/** A clip whose media runs at another pace than its own clock says, from a time of that clock on. */
export function atPace(local: number, pace: number): ClipSpeed {
  return new MappedSpeed([{ time: local, value: local, speed: pace }]);
}

/** A line of the map: from a point on, at a speed. */
interface SpeedLine extends Point {
  readonly speed: number;
}

/** The lines between the points; points on one line are left out. */
function linesOf(points: readonly Point[]): SpeedLine[] {
  const lines: SpeedLine[] = [];
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    if (next === undefined) break;
    const speed = (next.value - point.value) / (next.time - point.time);
    const last = lines.at(-1);
    if (last === undefined || Math.abs(last.speed - speed) > SAME_SPEED) lines.push({ ...point, speed });
  }
  return lines;
}

class MappedSpeed implements ClipSpeed {
  readonly #lines: readonly SpeedLine[];

  constructor(lines: readonly SpeedLine[]) {
    this.#lines = lines;
  }

  parts(start: number, end: number): SpeedPart[] {
    const inside = this.#lines.slice(1).flatMap(({ time }) => (time > start && time < end ? [time] : []));
    const edges = [start, ...inside, end];
    return edges.slice(0, -1).map((from, index) => {
      const { speed } = this.#lineAt(from);
      return { start: from, end: edges[index + 1] ?? end, sourceStart: this.sourceTime(from), speed };
    });
  }

  sourceTime(clipTime: number): number {
    const { time, value, speed } = this.#lineAt(clipTime);
    return value + (clipTime - time) * speed;
  }

  #lineAt(clipTime: number): SpeedLine {
    const [first, ...later] = this.#lines;
    const begun = later.filter(({ time }) => time <= clipTime).at(-1);
    return begun ?? first ?? { time: 0, value: 0, speed: 1 };
  }
}

/**
 * A clip as one clip for each part of it that runs at one speed; what hangs on it stays with the first.
 *
 * @param local Time of the clip's own clock at its start.
 * @param zero Time of the source's clock at the source's first instant.
 */
export function atSpeed(clip: TimelineClip, speed: ClipSpeed, local: number, zero: number): TimelineClip[] {
  if (speed === NORMAL_SPEED) return [clip];
  const parts = speed.parts(local, local + (clip.end - clip.start));
  return parts.map((part, index) => ({
    ...clip,
    start: index === 0 ? clip.start : clip.start + (part.start - local),
    end: index === parts.length - 1 ? clip.end : clip.start + (part.end - local),
    sourceStart: part.sourceStart - zero,
    speed: part.speed,
    markers: index === 0 ? clip.markers : [],
  }));
}
