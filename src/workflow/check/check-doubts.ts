import type { LineDoubt } from "../../contract/job.ts";
import { foldedWords } from "../../core/align-cues.ts";
import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";

const SOURCE = "the describer's own second look at the pictures";

/**
 * Finds descriptions that their writer was not sure of, so that a person looks at them first. Lines are told apart by
 * their words: a cue that an editor has changed since is the editor's.
 */
export function checkDoubts(cues: readonly Cue[], doubts: readonly LineDoubt[]): Finding[] {
  const byWords = new Map(doubts.map((doubt) => [foldedWords(doubt.said), doubt]));
  return cues.flatMap((cue): Finding[] => {
    const doubt = byWords.get(foldedWords(cue.text));
    if (doubt === undefined) return [];
    const why = doubt.why === "" ? "" : `: ${doubt.why}`;
    return [
      {
        rule: "unsure",
        severity: "warn",
        cueIds: [cue.id],
        message: `the model is not sure that the picture shows this${why}`,
        measured: doubt.confidence,
        source: SOURCE,
      },
    ];
  });
}
