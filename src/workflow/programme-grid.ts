import { framesFromSeconds } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { SequenceInfo } from "../host/host.ts";

/** The frame grid of a programme exported from a sequence: its first frame is the sequence's at the export offset. */
export function programmeGrid(
  sequence: Pick<SequenceInfo, "rate" | "isDropFrame" | "startFrame">,
  offsetSeconds: number,
): FrameGrid {
  const { rate, isDropFrame } = sequence;
  return { rate, isDropFrame, startFrame: sequence.startFrame + framesFromSeconds(offsetSeconds, rate) };
}
