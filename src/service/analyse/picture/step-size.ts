import { type FrameMeasures, lumaDistance, makeUpDistance } from "./frame-measures.ts";

/** How much changes from one frame to another: in place, and in what the picture is made up of. */
export function stepSize(a: FrameMeasures, b: FrameMeasures): number {
  return Math.sqrt(lumaDistance(a, b) * makeUpDistance(a, b));
}
