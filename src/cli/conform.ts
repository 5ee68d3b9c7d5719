import { basename } from "node:path";
import type { Cue } from "../core/cue.ts";
import { framesFromSeconds } from "../core/frame-rate.ts";
import { formatTimecode } from "../core/timecode.ts";
import type { Timeline } from "../core/timeline.ts";
import type { ConformPlan } from "../workflow/conform-sequence.ts";
import type { Arguments, Command } from "./command.ts";
import { tableOf } from "./table.ts";
import { EXIT, UsageError } from "./usage-error.ts";

/** Brings descriptions to where their pictures went in a new cut. */
export const CONFORM: Command = {
  name: "conform",
  summary: "After a re-cut, bring every description to where its picture went.",
  synopsis: "<placed> <recut> <out> [options]",
  notes: [
    "<placed> is the timeline that the descriptions were placed on, with their markers; <recut> is the new cut, with or\nwithout them. Both are .otio, .xml (Final Cut Pro 7) or .fcpxml; <out> is .otio or .xml.",
    "In the format of <recut> nothing but markers and clips of ours is changed. Touched and orphaned descriptions are\nlisted with the reason, and marked in a colour of their own.",
  ],
  options: {
    cues: { value: "FILE", help: "Cues of <placed>, where it has no markers of ours." },
    force: { help: "Overwrite <out>." },
    json: { help: "Print what became of every description as JSON." },
  },
  async run(given, { output }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [
      { planConform, CONFORM_REASONS },
      { layoutOf },
      { readTimelineText },
      { textAfterPlan },
      { writtenAnew },
      { nodeFiles },
    ] = await Promise.all([
      import("../workflow/conform-sequence.ts"),
      import("../core/layout.ts"),
      import("./timeline-text.ts"),
      import("./write-plan.ts"),
      import("./timeline-source.ts"),
      import("../host/headless/files.ts"),
    ]);
    const { NARRATION_TRACK_NAME } = await import("../host/edit-plan.ts");
    const call = callOf(given);
    const [placed, recut] = [await readTimelineText(call.placed), await readTimelineText(call.recut)];
    const cues = await cuesOf(placed.timeline, call.cues);
    if (!call.overwrites && (await nodeFiles.size(call.out)) !== null) {
      throw new UsageError(`"${basename(call.out)}" is there already; --force overwrites it`);
    }
    const record = {
      cues,
      generated: cues,
      markerIds: {},
      offsetSeconds: 0,
      durationSeconds: Number.MAX_SAFE_INTEGER,
      layout: layoutOf(placed.timeline, NARRATION_TRACK_NAME),
    };
    const { timeline } = recut;
    const conform = planConform({ sequence: { id: "recut", rate: timeline.rate }, timeline, record });
    await nodeFiles.writeText(call.out, textAfterPlan(recut, conform.plan, call.format));
    const losses = call.format === recut.format ? [] : writtenAnew(timeline, basename(call.out));
    if (call.isJson) output.print(JSON.stringify({ ...reportOf(conform, call.out), losses }));
    else {
      const reasons = conform.descriptions.filter(({ reason }) => reason !== undefined);
      const rows = reasons.map(({ cueId, state, reason, start, text }) => [
        labelOf(timeline, start),
        state,
        cueId,
        reason === undefined ? "" : CONFORM_REASONS[reason],
        text.slice(0, 40),
      ]);
      if (rows.length > 0) output.print(`${tableOf(["at", "", "cue", "why", "words"], rows)}\n`);
      for (const loss of losses) output.tell(loss);
      output.print(`${countsOf(conform)}. Written to ${call.out}.`);
      if (conform.isStemStale) {
        output.print(
          'The narration file holds descriptions that are elsewhere now: "aside revoice" with this timeline and --record makes it again; only changed lines are spoken anew.',
        );
      }
    }
    return EXIT.done;
  },
};

interface ConformCall {
  readonly placed: string;
  readonly recut: string;
  readonly out: string;
  readonly format: "otio" | "fcp7-xml";
  readonly cues?: string;
  readonly overwrites: boolean;
  readonly isJson: boolean;
}

function callOf({ positionals, values }: Arguments): ConformCall {
  const [placed, recut, out, ...more] = positionals;
  if (placed === undefined || recut === undefined || out === undefined || more.length > 0) {
    throw new UsageError(
      'conform needs three files: aside conform <placed> <recut> <out>. See "aside conform --help".',
    );
  }
  const format = /\.otio$/i.test(out) ? "otio" : /\.xml$/i.test(out) ? "fcp7-xml" : null;
  if (format === null) throw new UsageError("the name of <out> must end in .otio or .xml");
  const cues = values["cues"];
  return {
    placed,
    recut,
    out,
    format,
    ...(typeof cues === "string" ? { cues } : {}),
    overwrites: values["force"] === true,
    isJson: values["json"] === true,
  };
}

/** The cues that were placed: those of a file, else those of the markers of ours. */
async function cuesOf(timeline: Timeline, path: string | undefined): Promise<readonly Cue[]> {
  if (path !== undefined) {
    const [{ readCues }, { readTextFile }] = await Promise.all([
      import("../formats/index.ts"),
      import("./text-file.ts"),
    ]);
    const { rate, isDropFrame, startFrame } = timeline;
    return readCues(await readTextFile(path), { filename: basename(path), grid: { rate, isDropFrame, startFrame } })
      .cues;
  }
  const { readBack } = await import("../workflow/read-back.ts");
  const { cues } = readBack({ timeline, record: null, offsetSeconds: 0, durationSeconds: Number.MAX_SAFE_INTEGER });
  if (cues.length > 0) return cues;
  throw new UsageError("<placed> has no markers of ours; give the cues that were placed with --cues");
}

function labelOf(timeline: Timeline, seconds: number): string {
  return formatTimecode(timeline.startFrame + framesFromSeconds(seconds, timeline.rate), timeline);
}

function countsOf({ descriptions }: ConformPlan): string {
  const states = ["unchanged", "moved", "touched", "orphaned"] as const;
  const parts = states.map((state) => `${descriptions.filter((one) => one.state === state).length} ${state}`);
  return `${descriptions.length} descriptions: ${parts.join(", ")}`;
}

function reportOf({ descriptions, isStemStale }: ConformPlan, out: string) {
  return { out, stem_is_stale: isStemStale, descriptions };
}
