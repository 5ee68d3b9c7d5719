import type { TrialBench } from "../../host-error.ts";
import { mediaTrials } from "./media-trials.ts";
import { sequenceTrials } from "./sequence-trials.ts";
import { trackTrials } from "./track-trials.ts";
import { Bench, type TrialOptions } from "./trial-bench.ts";

/** Questions that Premiere answers on a copy of the sequence, by what it then does. */
export function premiereTrials(options: TrialOptions): TrialBench {
  const bench = new Bench(options);
  return {
    probes: [...sequenceTrials(bench), ...trackTrials(bench), ...mediaTrials(bench)],
    clear: () => bench.clear(),
  };
}
