import type { Actions } from "../actions.ts";
import type { ElementNode } from "../document/element.ts";
import type { ReviewState } from "../review/review-state.ts";
import { cuePieces, stripPieces } from "../review/strip.ts";
import { words } from "../words.ts";
import { programmeStrip } from "./programme-strip.ts";

/** The programme from left to right: speech where it is known, cues below; cues with findings are taller. */
export function stripView({ review }: ReviewState, actions: Actions): ElementNode {
  const { cues, findings, exported, speech } = review;
  const { durationSeconds } = exported;
  const flagged = new Set(findings.flatMap(({ cueIds }) => cueIds));
  const label = words.stripLabel({
    cues: cues.length,
    speech: speech === null ? words.stripSpeechUnknown : words.stripSpeechKnown,
  });
  return programmeStrip(
    label,
    [
      ["speech", words.stripSpeech, speech === null ? [] : stripPieces(speech, durationSeconds)],
      ["cue", words.stripCues, cuePieces(cues, durationSeconds, flagged)],
    ],
    (share) => actions.reviewing.jump(share * durationSeconds),
  );
}
