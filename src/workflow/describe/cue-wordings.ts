import type { JobReport } from "../../contract/job.ts";
import { foldedWords } from "../../core/align-cues.ts";
import type { Cue } from "../../core/cue.ts";
import type { Wording } from "../../result/result.ts";

/**
 * The other wordings that a service wrote for its cues, by cue id; cues without any are left out, and `undefined` stands for
 * none at all. They are told apart by the words that were chosen: not every format brings the ids along.
 */
export function cueWordings(
  cues: readonly Pick<Cue, "id" | "text">[],
  report: Pick<JobReport, "wordings"> | undefined,
): Record<string, readonly Wording[]> | undefined {
  if (report?.wordings === undefined) return undefined;
  const byWords = new Map(report.wordings.map(({ said, others }) => [foldedWords(said), others]));
  return Object.fromEntries(
    cues.flatMap(({ id, text }) => {
      const others = byWords.get(foldedWords(text));
      return others === undefined ? [] : [[id, others]];
    }),
  );
}
