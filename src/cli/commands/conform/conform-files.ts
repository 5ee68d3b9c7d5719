import { basename, dirname, join } from "node:path";
import type { Cue } from "../../../core/cue.ts";
import { timelineEnd } from "../../../core/shown-media.ts";
import type { Timeline } from "../../../core/timeline.ts";
import { readCues } from "../../../formats/index.ts";
import { cutOf } from "../../../host/edit-plan.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { placedSounds } from "../../../host/headless/timeline-edit.ts";
import { type ConformInput, type ConformPlan, planConform } from "../../../workflow/conform/conform-sequence.ts";
import { readBack } from "../../../workflow/place/read-back.ts";
import type { Surroundings } from "../../service-run/service-run.ts";
import { chosenReading } from "../../shell/run-command.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { unread } from "../../source/cue-source.ts";
import { readTextFile } from "../../source/text-file.ts";
import { readTimelineText, type TimelineFileText, textAfterPlan, writtenAnew } from "../../source/timeline-source.ts";
import type { ConformCall } from "./conform-call.ts";
import { type NewPlan, type NewResult, planNew, withNewDescribed } from "./describe-new.ts";

/** What conforming files came to. */
export interface Conformed {
  readonly conform: ConformPlan;
  /** The new cut as it was read. */
  readonly timeline: Timeline;
  /** What <out> cannot hold of it, in sentences. */
  readonly losses: readonly string[];
  /** What is new in the cut; `null` where nobody asked. */
  readonly plan: NewPlan | null;
  /** What came of describing it; `null` where nothing was described. */
  readonly result: Pick<NewResult, "described" | "added" | "notices"> | null;
  /** Whether <out> was written. */
  readonly isWritten: boolean;
}

/**
 * Conforms a timeline file to a new cut, with descriptions of what is new in it where the call says so. <out> is written once
 * everything is there.
 *
 * @param onPlan Told what is new before anything of it is sent.
 */
export async function conformFiles(
  call: ConformCall,
  surroundings: Surroundings,
  onPlan: (plan: NewPlan) => void,
): Promise<Conformed> {
  const [placed, recut] = [await readTimelineText(call.placed), await readTimelineText(call.recut)];
  const cues = await cuesOf(placed.timeline, call.cues);
  const { describesNew } = call;
  if (describesNew?.isDryRun !== true && !call.overwrites && (await nodeFiles.size(call.out)) !== null) {
    throw new UsageError(`"${basename(call.out)}" is there already; --force overwrites it`);
  }
  const { timeline } = recut;
  const record = {
    cues,
    generated: cues,
    offsetSeconds: 0,
    durationSeconds: Number.MAX_SAFE_INTEGER,
    placed: { markerIds: {}, layout: cutOf(placed.timeline) },
  };
  const input: ConformInput = { sequence: { id: "recut", rate: timeline.rate }, timeline, record };
  const losses = call.format === recut.format ? [] : writtenAnew(timeline, basename(call.out));
  const plan = describesNew === undefined ? null : planNew(input, describesNew);
  if (plan !== null) onPlan(plan);
  if (describesNew?.isDryRun === true) {
    return { conform: planConform(input), timeline, losses, plan, result: null, isWritten: false };
  }
  if (describesNew === undefined || plan === null || plan.stretches.length === 0) {
    const conform = await write(call, recut, input, null);
    return { conform, timeline, losses, plan, result: null, isWritten: true };
  }
  const folder = join(dirname(call.out), `${basename(call.out).replace(/\.\w+$/, "")}-narration`);
  const work = {
    recut: call.recut,
    folder,
    overwrites: call.overwrites,
    call: describesNew,
    input,
    stretches: plan.stretches,
  };
  return withNewDescribed(work, surroundings, async (result) => {
    const conform = await write(call, recut, input, result);
    return { conform, timeline, losses, plan, result, isWritten: true };
  });
}

async function write(
  call: ConformCall,
  recut: TimelineFileText,
  input: ConformInput,
  result: NewResult | null,
): Promise<ConformPlan> {
  const conform = planConform(result === null ? input : { ...input, added: result.added });
  const known = await placedSounds(added(conform, result), nodeFiles, result?.finalPathOf ?? ((path) => path));
  const own = new Set(result?.added.sounds.map(({ path }) => path));
  const soundOf = (path: string) => (own.has(path) ? known(path) : { location: path, channels: 1, sampleRate: 48_000 });
  const text = textAfterPlan(recut, conform.plan, call.format, soundOf);
  await result?.deliver();
  await nodeFiles.writeText(call.out, text);
  return conform;
}

/** The part of a plan that places sounds of this run. */
function added({ plan }: ConformPlan, result: NewResult | null) {
  return { ...plan, groups: [{ label: "", steps: result?.added.sounds ?? [] }] };
}

/** The cues that were placed: those of a file, else those of the markers of ours. */
async function cuesOf(timeline: Timeline, path: string | undefined): Promise<readonly Cue[]> {
  if (path !== undefined) {
    const { rate, isDropFrame, startFrame } = timeline;
    const durationSeconds = timelineEnd(timeline);
    const options = {
      filename: basename(path),
      ...chosenReading(),
      grid: { rate, isDropFrame, startFrame },
      holds: "descriptions",
      ...(durationSeconds > 0 ? { durationSeconds } : {}),
    } as const;
    const read = readCues(await readTextFile(path), options);
    const held = unread(basename(path), read);
    if (held !== null) throw held;
    return read.cues;
  }
  const { cues } = readBack({ timeline, record: null, offsetSeconds: 0, durationSeconds: Number.MAX_SAFE_INTEGER });
  if (cues.length > 0) return cues;
  throw new UsageError("<placed> has no markers of ours; give the cues that were placed with --cues");
}
