import { join } from "node:path";
import { pauseRoom } from "../../../core/pause-to-write.ts";
import { formatClockTime } from "../../../formats/clock-time.ts";
import type { RunReport } from "../../../workflow/deliver/run-report.ts";
import { WORKSHEET_FILE } from "../../out-folder/out-folder.ts";
import type { Command } from "../../shell/command.ts";
import { showingProgress } from "../../shell/progress.ts";
import { JOBS_STOP_LIMIT_MS } from "../../shell/running-jobs.ts";
import { EXIT } from "../../shell/usage-error.ts";
import { DESCRIBE_OPTIONS } from "./describe-call.ts";

/** Describes one media file or timeline, from the file to everything an editor needs of it. */
export const DESCRIBE: Command = {
  name: "describe",
  summary: "Describe a video or a timeline: cues, narration and a timeline, in one go.",
  synopsis: "<media> [options]",
  notes: [
    "Without --server everything happens on this computer, and nothing leaves it unless a model elsewhere is configured.",
    "To continue a run that was cut off, give the same command again.",
  ],
  options: DESCRIBE_OPTIONS,
  stopLimitMs: JOBS_STOP_LIMIT_MS,
  async run(given, { output, screen, env, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ describeCallFrom }, { describeMedia, orderMedia }, { isIncomplete }] = await Promise.all([
      import("./describe-call.ts"),
      import("./describe-media.ts"),
      import("../../../workflow/deliver/run-report.ts"),
    ]);
    const call = await describeCallFrom(given, env);
    const shown = call.isJson ? null : screen;
    const { server } = call;
    if (server !== undefined && call.isDetached) {
      const jobId = await showingProgress(shown, (progress) => orderMedia(call, { env, signal, progress }));
      output.print(call.isJson ? JSON.stringify({ job_id: jobId }) : orderedText({ jobId, url: server.url }));
      return EXIT.done;
    }
    const report = await showingProgress(shown, (progress) => describeMedia(call, { env, signal, progress }));
    output.print(call.isJson ? JSON.stringify({ ...report, folder: call.out }) : summaryOf(report, call.out));
    return isIncomplete(report) ? EXIT.findings : EXIT.done;
  },
};

/** What is said of a job that nobody waits for. */
function orderedText({ jobId, url }: { readonly jobId: string; readonly url: string }): string {
  return [
    `Job ${jobId} is ordered at ${new URL(url).host}.`,
    `Watch it: aside jobs watch ${jobId} --server ${url}`,
    `Stop it: aside jobs cancel ${jobId} --server ${url}`,
    "Fetch its result: run the same command without --detach.",
  ].join("\n");
}

/** Findings and notices that are listed one by one; the report has all of them. */
const LISTED = 10;

/** A finished run in words: the cues as a table, what to look at, and where the files are. */
export function summaryOf(report: RunReport, folder: string): string {
  const blocks = [
    cueTable(report),
    ...toWriteOf(report, folder),
    ...scriptOf(report),
    ...findingsOf(report),
    ...noticesOf(report),
    filesOf(report, folder),
  ];
  return blocks.join("\n\n");
}

function cueTable(report: RunReport): string {
  const { cues, programme } = report;
  const head = `${programme.name}: ${count(cues.length, "cue")} in ${programme.duration_seconds.toFixed(1)} s`;
  const rows = cues.map((cue) => {
    const seconds = `${(cue.end - cue.start).toFixed(1)} s`.padStart(7);
    return `  ${cue.timecode}  ${seconds}  ${cue.text}`;
  });
  return [head, ...rows].join("\n");
}

/** The pauses that are left to a person, and how they are written. */
function toWriteOf({ to_write: pauses = [] }: RunReport, folder: string): string[] {
  if (pauses.length === 0) return [];
  const head = `${count(pauses.length, "pause")} to write: open ${join(folder, WORKSHEET_FILE)}, save the script, and describe again with --script.`;
  const rows = pauses.slice(0, LISTED).map((pause) => `  ${pause.timecode}  ${pauseRoom(pause)}`);
  return [[head, ...rows, ...moreThan(pauses.length)].join("\n")];
}

/** What became of a given script, in a line. */
function scriptOf({ script }: RunReport): string[] {
  if (script === undefined) return [];
  const { given, as_written: asWritten, moved, left_out: leftOut } = script.counts;
  return [`Script: ${count(given, "line")}: ${asWritten} as written, ${moved} moved, ${leftOut} left out.`];
}

function findingsOf({ findings }: RunReport): string[] {
  if (findings.length === 0) return ["No findings."];
  const rows = findings.slice(0, LISTED).map((finding) => {
    const place = finding.range === undefined ? "" : `${formatClockTime(finding.range.start).slice(0, 8)}: `;
    const about = finding.cueIds.length === 0 ? place : `${finding.cueIds.join(", ")}: `;
    return `  ${finding.severity === "fail" ? "!" : "-"} ${about}${finding.message}`;
  });
  return [[count(findings.length, "finding"), ...rows, ...moreThan(findings.length)].join("\n")];
}

function noticesOf({ notices, issues }: RunReport): string[] {
  const lines = [
    ...notices,
    ...issues.map(({ line, message }) =>
      line === 0 ? `The text: ${message}.` : `The text, line ${line}: ${message}.`,
    ),
  ];
  if (lines.length === 0) return [];
  return [["Notes", ...lines.slice(0, LISTED).map((line) => `  ${line}`), ...moreThan(lines.length)].join("\n")];
}

function filesOf({ files }: RunReport, folder: string): string {
  return ["Files", ...files.map((name) => `  ${join(folder, name)}`)].join("\n");
}

function moreThan(total: number): string[] {
  return total > LISTED ? [`  and ${total - LISTED} more; see the report`] : [];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
