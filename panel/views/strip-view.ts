import type { Actions } from "../controllers/actions.ts";
import type { ElementNode } from "../document/element.ts";
import { type ReviewState, timecodeOf } from "../state/review-state.ts";
import { cuePieces, levelBars, rulerTimes, stripPieces } from "../state/strip.ts";
import { words } from "../words/words.ts";
import { programmeStrip } from "./programme-strip.ts";

/**
 * The programme from left to right under a ruler, with the playhead: speech where it is known, cues below; cues with findings
 * are taller.
 */
export function stripView(review: ReviewState, playhead: number | null, actions: Actions): ElementNode {
  const { cues, findings, durationSeconds, speech, levels = [] } = review.result;
  const flagged = new Set(findings.flatMap(({ cueIds }) => cueIds));
  const label = words.stripLabel({
    cues: cues.length,
    speech: speech === undefined ? words.stripSpeechUnknown : words.stripSpeechKnown,
  });
  return programmeStrip({
    label,
    lanes: [
      ["speech", words.stripSpeech, stripPieces(speech ?? [], durationSeconds)],
      ["cue", words.stripCues, cuePieces(cues, durationSeconds, flagged)],
    ],
    levels: levelBars(levels),
    // Frames are too fine to be told apart here.
    marks: rulerTimes(durationSeconds).map((seconds) => ({
      at: seconds / durationSeconds,
      label: timecodeOf(review, seconds).slice(0, -3),
    })),
    playhead: playhead === null ? null : playhead / durationSeconds,
    jump: (share) => actions.reviewController.jump(share * durationSeconds),
  });
}
