import { join } from "node:path";
import { mergeRanges, overlapWithRanges } from "../core/time-range.ts";
import type { RunReport } from "../workflow/deliver/deliver.ts";
import type { Command } from "./command.ts";
import { runCommand } from "./command-line.ts";
import { DESCRIBE_OPTIONS } from "./describe/describe-options.ts";
import { summaryOf } from "./describe/summary.ts";
import { showProgress } from "./progress.ts";
import { ensureSample, type Sample } from "./sample.ts";
import { EXIT } from "./usage-error.ts";
import { userFolder } from "./user-folder.ts";

/** What `npm start` does: describes a file, or the sample clip, and shows how to go on. */
const START: Command = {
  name: "start",
  summary: "Describe a sample clip, or a file of your own, and show what came of it.",
  synopsis: "[media] [options]",
  notes: [],
  options: DESCRIBE_OPTIONS,
  async run(given, { output, env, signal }) {
    const [{ describeCallFrom }, { describeMedia }] = await Promise.all([
      import("./describe/describe-call.ts"),
      import("./describe/describe-media.ts"),
    ]);
    const progress = showProgress(process.stderr);
    try {
      const isOwn = given.positionals.length > 0;
      const sample = isOwn ? undefined : await makeSample(env, signal, progress.update);
      const positionals = sample === undefined ? given.positionals : [sample.path];
      const call = await describeCallFrom({ ...given, positionals }, env);
      const report = await describeMedia(call, { env, signal, progress });
      progress.end();
      output.print(summaryOf(report, call.out));
      if (sample !== undefined) output.print(`\n${sampleNote(report, sample)}`);
      output.print("\nOn a file of your own:  npm start -- my.mp4   or   npx aside describe my.mp4");
      output.print("All options:            npx aside describe --help");
      return EXIT.done;
    } finally {
      progress.end();
    }
  },
};

async function makeSample(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  update: ReturnType<typeof showProgress>["update"],
): Promise<Sample> {
  update({ step: "sample", state: "begun" });
  const sample = await ensureSample(join(userFolder(env), "sample", "aside-sample.mp4"), signal);
  update({ step: "sample", state: "done" });
  return sample;
}

/** How the result stands against what is known of the sample, because it was made here. */
function sampleNote(report: RunReport, { truth }: Sample): string {
  const speech = mergeRanges(truth.speech);
  const over = report.cues.filter((cue) => overlapWithRanges(cue, speech) > 0);
  const lines = `The sample has ${speech.length} lines of dialogue at known times`;
  return over.length === 0
    ? `${lines}; no description lies over any of them.`
    : `${lines}; ${over.length} of ${report.cues.length} descriptions lie over one.`;
}

await runCommand(START, process.argv.slice(2));
