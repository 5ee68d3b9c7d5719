import type { premierepro } from "@adobe/premierepro";
import type { FrameRate } from "../../core/frame-rate.ts";
import { canDropFrames } from "../../core/timecode.ts";

/**
 * Codes of the time displays that drop labels, as ExtendScript's `videoDisplayFormat` numbers them: 29.97 and 59.94
 * drop-frame (`premiere-uxp.md` 2.4). UXP is likely, but not proven, to report the same numbers.
 */
const DROP_FRAME_CODES = [102, 106];

/** The other codes of that list: known displays that do not drop labels. */
const NON_DROP_CODES = [100, 101, 103, 104, 105, 107, 108, 109, 110, 111, 112, 113];

/** How the labels of a sequence are counted, and whether that was read or had to be assumed. */
export interface LabelCounting {
  readonly isDropFrame: boolean;
  /** `false` when Premiere reported a time display that no source names; non-drop is assumed then. */
  readonly isKnown: boolean;
}

/**
 * Whether a sequence's timecode drops labels, from the type of its time display. The running host's own constants win
 * over the codes of ExtendScript.
 */
export function labelCounting(
  displayType: number,
  rate: FrameRate,
  constants: premierepro["Constants"],
): LabelCounting {
  if (!canDropFrames(rate)) return { isDropFrame: false, isKnown: true };
  const formats = constants.VideoDisplayFormatType;
  const named = new Map<number, boolean>([
    ...DROP_FRAME_CODES.map((code): [number, boolean] => [code, true]),
    ...NON_DROP_CODES.map((code): [number, boolean] => [code, false]),
    [formats.FPS_23_976, false],
    [formats.FPS_25, false],
    [formats.FRAMES, false],
    [formats.FPS_29_97_NON_DROP, false],
    [formats.FPS_29_97, true],
  ]);
  const isDropFrame = named.get(displayType);
  return { isDropFrame: isDropFrame ?? false, isKnown: isDropFrame !== undefined };
}
