import type { FrameRate } from "./frame-rate.ts";
import { parseTimecode } from "./parse-timecode.ts";
import { canDropFrames } from "./timecode.ts";

/**
 * The frame that a file's own first label stands for: drop-frame only where the label is written so and the rate has it; 0
 * where there is no label, or none that can be read.
 */
export function startLabel(label: string | null, rate: FrameRate): { isDropFrame: boolean; startFrame: number } {
  const isDropFrame = label?.includes(";") === true && canDropFrames(rate);
  const parsed =
    label === null ? null : parseTimecode(label, { rate, isDropFrame }, { dropped: "next", overflow: "carry" });
  return { isDropFrame, startFrame: parsed?.ok === true ? parsed.frame : 0 };
}
