import type { Command } from "../../shell/command.ts";
import { SILENT, showProgress } from "../../shell/progress.ts";
import { EXIT } from "../../shell/usage-error.ts";
import { DESCRIBE_OPTIONS } from "./describe-options.ts";
import { summaryOf } from "./summary.ts";

/** Describes one media file or timeline, from the file to everything an editor needs of it. */
export const DESCRIBE: Command = {
  name: "describe",
  summary: "Describe a video or a timeline: cues, narration and a timeline, in one go.",
  synopsis: "<media> [options]",
  notes: [
    "Without --server everything happens on this computer, and nothing leaves it unless a model elsewhere is configured.",
    "A run that was cut off goes on when the same command is given again.",
  ],
  options: DESCRIBE_OPTIONS,
  async run(given, { output, env, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ describeCallFrom }, { describeMedia }] = await Promise.all([
      import("./describe-call.ts"),
      import("./describe-media.ts"),
    ]);
    const call = await describeCallFrom(given, env);
    const progress = call.isJson ? SILENT : showProgress(process.stderr);
    try {
      const report = await describeMedia(call, { env, signal, progress });
      progress.end();
      output.print(call.isJson ? JSON.stringify({ ...report, folder: call.out }) : summaryOf(report, call.out));
      return (report.script?.counts.left_out ?? 0) > 0 ? EXIT.findings : EXIT.done;
    } finally {
      progress.end();
    }
  },
};
