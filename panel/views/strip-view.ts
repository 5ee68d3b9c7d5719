import type { Actions } from "../controllers/actions.ts";
import type { ElementNode } from "../document/element.ts";
import type { ReviewState } from "../state/review-state.ts";
import { cuePieces, stripPieces } from "../state/strip.ts";
import { words } from "../words/words.ts";
import { programmeStrip } from "./programme-strip.ts";

/** The programme from left to right: speech where it is known, cues below; cues with findings are taller. */
export function stripView({ result }: ReviewState, actions: Actions): ElementNode {
  const { cues, findings, durationSeconds, speech } = result;
  const flagged = new Set(findings.flatMap(({ cueIds }) => cueIds));
  const label = words.stripLabel({
    cues: cues.length,
    speech: speech === undefined ? words.stripSpeechUnknown : words.stripSpeechKnown,
  });
  return programmeStrip(
    label,
    [
      ["speech", words.stripSpeech, stripPieces(speech ?? [], durationSeconds)],
      ["cue", words.stripCues, cuePieces(cues, durationSeconds, flagged)],
    ],
    (share) => actions.reviewController.jump(share * durationSeconds),
  );
}
