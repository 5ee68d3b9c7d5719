import type { TimeRange } from "./time-range.ts";

/** How a shot begins: the first of the programme, a hard cut, or a gradual change ending at its start. */
export type ShotOpening = "start" | "cut" | "fade" | "dissolve";

/** How much the picture moves within a shot, by measured change between frames. */
export type Motion = "still" | "slow" | "fast";

/**
 * Picture between two cuts, with what was measured of it. Nothing here is an interpretation: a caller that describes
 * from it can be held to the numbers.
 */
export interface Shot extends TimeRange {
  readonly opening: ShotOpening;
  /** Mean luma of the shot, 0 (black) to 1 (white). */
  readonly brightness: number;
  /** Standard deviation of luma within a frame, averaged over the shot, 0 to 0.5. */
  readonly contrast: number;
  /** Saturation of the most saturated parts of its most saturated frame, 0 (grey) to 1. */
  readonly saturation: number;
  readonly motion: Motion;
  /** Up to three colours that cover most of the picture, most first; each `share` is of all pixels, 0 to 1. */
  readonly colours: readonly ShotColour[];
  /** Seconds of the shot in which the picture does not change at all. */
  readonly frozenSeconds: number;
  /** Whether it looks like a title card: large flat areas with sharp, text-like edges that stay in place. */
  readonly titleCard: boolean;
  /** The instant of the clearest frame, on the programme clock. */
  readonly keyFrameAt: number;
}

/** One dominant colour of a shot. */
export interface ShotColour {
  readonly name: ColourName;
  readonly share: number;
}

/** The colour names this project uses, after the basic colour terms of Berlin and Kay (1969). */
export type ColourName =
  | "black"
  | "white"
  | "grey"
  | "red"
  | "orange"
  | "yellow"
  | "green"
  | "blue"
  | "purple"
  | "pink"
  | "brown";

/** An edit point nearer to an edge that the picture showed than this, in seconds, is that edge. */
const SAME_EDGE_SECONDS = 0.15;

/** So long before the end of a gradual change, in seconds, the edit point under it lies at the most. */
const LONGEST_CHANGE_SECONDS = 3;

/** A still of a shot, as far as it matters here. */
interface Still {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** 1 for the first of a shot. */
  readonly novelty: number;
}

/**
 * Shots as the cut has them: an edit point inside a shot parts it, for two pictures may look alike. The edges that the picture
 * showed stay: a clip may hold a film that was cut before. An edit point without a key frame on either side parts nothing,
 * for every shot has one. Both halves keep what was measured of the whole.
 *
 * @param shots In order, without holes.
 * @param cuts Edit points in seconds on the programme clock, in any order.
 */
export function shotsByCut<Frame extends Still>(
  { shots, keyFrames }: { readonly shots: readonly Shot[]; readonly keyFrames: readonly Frame[] },
  cuts: readonly number[],
): { readonly shots: readonly Shot[]; readonly keyFrames: readonly Frame[] } {
  const edges = shots.filter(({ opening }) => opening === "fade" || opening === "dissolve").map(({ start }) => start);
  const hard = cuts
    .filter((cut) => !edges.some((edge) => edge >= cut && edge - cut < LONGEST_CHANGE_SECONDS))
    .sort((a, b) => a - b);
  const parted = shots.flatMap((shot) => partedShot(shot, hard, keyFrames));
  const first = new Set(
    parted.map(({ start, end }) => keyFrames.findIndex(({ at }) => at >= start && at < end)).filter((at) => at >= 0),
  );
  return {
    shots: parted,
    keyFrames: keyFrames.map((frame, index) => (first.has(index) ? { ...frame, novelty: 1 } : frame)),
  };
}

function partedShot(shot: Shot, cuts: readonly number[], keyFrames: readonly Still[]): Shot[] {
  const isShown = (from: number, to: number) => keyFrames.some(({ at }) => at >= from && at < to);
  const parts: Shot[] = [];
  let rest = shot;
  for (const cut of cuts) {
    const { start, end } = rest;
    if (cut - start < SAME_EDGE_SECONDS || end - cut < SAME_EDGE_SECONDS) continue;
    if (!isShown(start, cut) || !isShown(cut, end)) continue;
    parts.push(measuredAs(rest, { ...rest, end: cut }, keyFrames));
    rest = measuredAs(rest, { ...rest, start: cut, opening: "cut" }, keyFrames);
  }
  return [...parts, rest];
}

/** A part of a shot with its own share of what the whole has, and a picture that is in it. */
function measuredAs(whole: Shot, part: Shot, keyFrames: readonly Still[]): Shot {
  const share = (part.end - part.start) / (whole.end - whole.start);
  const isIn = (at: number) => at >= part.start && at < part.end;
  const shown = keyFrames.find(({ at }) => isIn(at))?.at ?? part.start;
  return {
    ...part,
    frozenSeconds: whole.frozenSeconds * share,
    keyFrameAt: isIn(whole.keyFrameAt) ? whole.keyFrameAt : shown,
  };
}
