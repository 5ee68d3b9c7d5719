import { barShare, commonEdges } from "./black-bars.ts";
import { type FrameMeasures, lumaDistance, makeUpDistance } from "./frame-measures.ts";

/** Bars count up to this share of the picture: of a night scene more may be black at its edges. */
const MOST_BARS = 0.5;

/** How much changes from one frame to another, between the black bars of both: in place, and in what the picture is made up of. */
export function stepSize(a: FrameMeasures, b: FrameMeasures): number {
  // Bars are the same in both, so that all of a distance lies between them.
  const bars = Math.min(MOST_BARS, barShare(commonEdges(a.edges, b.edges), a.width, a.height));
  return Math.sqrt(lumaDistance(a, b) * makeUpDistance(a, b)) / (1 - bars);
}
