import type { Command } from "../../shell/command.ts";
import { showingProgress } from "../../shell/progress.ts";
import { TEXT_OPTIONS } from "../../shell/run-command.ts";
import { JOBS_STOP_LIMIT_MS } from "../../shell/running-jobs.ts";
import { EXIT } from "../../shell/usage-error.ts";

/** Brings descriptions to where their pictures went in a new cut. */
export const CONFORM: Command = {
  name: "conform",
  summary: "After a re-cut, bring every description to where its picture went.",
  synopsis: "<placed> <recut> <out> [options]",
  notes: [
    "<placed> is the timeline that the descriptions were placed on, with their markers; <recut> is the new cut, with or\nwithout them. Both are .otio, .xml (Final Cut Pro 7) or .fcpxml; <out> is .otio or .xml.",
    "In the format of <recut> only Aside's markers and clips are changed. Touched and orphaned descriptions are\nlisted with the reason, and marked in their own colour.",
    "--describe-new describes picture that is new in <recut>, with 5 s around it, and adds its descriptions. Settings come\nfrom the results folder that <placed> is in, or the options; the clips of the new voices go to a folder beside <out>.\nTo continue a run that was cut off, give the same command again.",
  ],
  options: {
    cues: { value: "FILE", help: "Cues of <placed>, where it has no markers of Aside." },
    ...TEXT_OPTIONS,
    "describe-new": { help: "Describe the picture that is new in <recut>, and nothing else." },
    "dry-run": { help: "Say what --describe-new would take; write and send nothing." },
    track: { value: "TRACK", help: "Sound for new descriptions: ad_only (a clip for each), or none (text alone)." },
    language: { value: "CODE", help: "Language of the new descriptions, as a BCP-47 code." },
    voice: { value: "NAME", help: "Voice of the new descriptions." },
    category: { value: "NAME", help: "Category of the video." },
    instructions: { value: "TEXT", help: "Instructions: terms, style, focus." },
    server: { value: "URL", help: "Use the service at this address; its key comes from ASIDE_API_KEY." },
    data: { value: "DIR", help: "Data folder of the embedded service (default: one per user)." },
    resend: { help: "Send a request again if it is not known whether it was accepted." },
    force: { help: "Overwrite <out>." },
    json: { help: "Print what became of every description as JSON." },
  },
  stopLimitMs: JOBS_STOP_LIMIT_MS,
  async run(given, { output, screen, env, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ conformCallFrom }, { conformFiles }, { estimateOf, printConformed, reportOf }] = await Promise.all([
      import("./conform-call.ts"),
      import("./conform-files.ts"),
      import("./conform-report.ts"),
    ]);
    const call = await conformCallFrom(given, env);
    const done = await showingProgress(call.isJson ? null : screen, (progress) =>
      conformFiles(call, { env, signal, progress }, (plan) => {
        if (!call.isJson) output.tell(estimateOf(plan, call));
      }),
    );
    if (call.isJson) output.print(JSON.stringify(reportOf(call, done)));
    else printConformed(call, done, output);
    return EXIT.done;
  },
};
