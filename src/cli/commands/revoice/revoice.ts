import type { Command } from "../../shell/command.ts";
import { tableOf } from "../../shell/output.ts";
import { showingProgress } from "../../shell/progress.ts";
import { TEXT_OPTIONS } from "../../shell/run-command.ts";
import { JOBS_STOP_LIMIT_MS } from "../../shell/running-jobs.ts";
import { EXIT } from "../../shell/usage-error.ts";
import type { RevoiceReport } from "./place-recordings.ts";

/** Voices what was changed since a timeline was described, and nothing else. */
export const REVOICE: Command = {
  name: "revoice",
  summary: "Voice again only the descriptions that were changed.",
  synopsis: "<results or timeline> [options]",
  notes: [
    'Reads the markers of a timeline that "aside describe" wrote, lists the descriptions whose narration is out of date and\nwhy, voices them, and updates the narration, the timelines and the texts of the folder. What others put on a timeline\nstays, and with our service every sample of the other descriptions too.',
    "A description longer than its gap: --fit shorten takes a wording that a model writes, move begins it elsewhere in the\ngap, faster speaks up to 10 % faster, duck lays it over music, accept leaves it. Without --fit each is listed.",
    "Recordings are WAV files named by their cue: cue-0007.wav. They are never written to. To continue a run that was\ncut off, give the same command again.",
  ],
  options: {
    "dry-run": { help: "List what is out of date, and what could be done about it; change nothing." },
    record: { value: "DIR", help: "Folder of results that the timeline belongs to (default: the one it is in)." },
    cues: { value: "FILE", help: "Take the descriptions from this file in place of the markers." },
    ...TEXT_OPTIONS,
    fit: { value: "CHOICE", help: "For descriptions that are too long: shorten, move, faster, duck or accept." },
    recordings: { value: "DIR", help: "Recordings of a person, heard in place of the voice." },
    clips: { help: "Place a sound clip for each description." },
    stem: { help: "Place one sound file with all descriptions." },
    voice: { value: "NAME", help: "Another voice (default: the one they were voiced with)." },
    volume: { value: "OPTION", help: "Peak of the narration: auto or max." },
    "volume-level-db": { value: "N", help: "Peak for --volume max in dBFS, -10 to 0." },
    server: { value: "URL", help: "Use the service at this address; its key comes from ASIDE_API_KEY." },
    data: { value: "DIR", help: "Data folder of the embedded service (default: one per user)." },
    force: { help: "Overwrite files of the results that were changed by hand." },
    resend: { help: "Send a request again if it is not known whether it was accepted." },
    json: { help: "Print what was found and done as JSON, and nothing else, on standard output." },
  },
  stopLimitMs: JOBS_STOP_LIMIT_MS,
  async run(given, { output, screen, env, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ revoiceCallFrom }, { revoiceMedia }] = await Promise.all([
      import("./revoice-call.ts"),
      import("./revoice-media.ts"),
    ]);
    const call = revoiceCallFrom(given, env);
    const report = await showingProgress(call.isJson || call.isDryRun ? null : screen, (progress) =>
      revoiceMedia(call, { env, signal, progress }),
    );
    output.print(call.isJson ? JSON.stringify(report) : summaryOf(report));
    return EXIT.done;
  },
};

function summaryOf(report: RevoiceReport): string {
  const { stale, too_long: tooLong, notices, files, lines_spoken: spoken } = report;
  const blocks: string[] = [];
  if (stale.length === 0) blocks.push("Every description is voiced as it stands.");
  else {
    const rows = stale.map(({ timecode, id, why, text }) => [timecode, id, why.join("; "), text.slice(0, 40)]);
    blocks.push(tableOf(["at", "cue", "why", "words"], rows));
  }
  for (const { id, gap_seconds: gap, needed_seconds: needed, remedies } of tooLong) {
    const head = `${id} needs ${needed.toFixed(1)} s, and its gap has ${gap.toFixed(1)} s:`;
    const rows = remedies.map(
      ({ kind, possible, outcome }) => `  ${possible ? "+" : "-"} ${kind.padEnd(8)} ${outcome}`,
    );
    blocks.push([head, ...rows].join("\n"));
  }
  if (notices.length > 0) blocks.push(["Notes", ...notices.map((notice) => `  ${notice}`)].join("\n"));
  if (report.is_dry_run) blocks.push(`${stale.length} to voice. Nothing was changed.`);
  else if (files.length > 0) {
    const asked = spoken === undefined ? "" : ` The voice spoke ${spoken === 1 ? "once" : `${spoken} times`}.`;
    blocks.push(`${stale.length} brought up to date.${asked} Written to ${report.folder}.`);
  }
  return blocks.join("\n\n");
}
