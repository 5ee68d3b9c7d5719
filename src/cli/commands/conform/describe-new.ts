import { join, resolve } from "node:path";
import { fingerprintOf } from "../../../core/bytes.ts";
import { type NewStretch, newStretches } from "../../../core/new-stretches.ts";
import { timelineEnd } from "../../../core/shown-media.ts";
import { totalDuration } from "../../../core/time-range.ts";
import { cutOf, type PlaceAudio, programmeOf } from "../../../host/edit-plan.ts";
import { voicedCues } from "../../../result/stale.ts";
import type { ConformAddition, ConformInput } from "../../../workflow/conform/conform-sequence.ts";
import { type DescribedStretch, describeStretches } from "../../../workflow/conform/describe-stretches.ts";
import { type NewCue, newCuesOf } from "../../../workflow/conform/new-cues.ts";
import { RECORD_VERSION, stretchRunId } from "../../../workflow/describe/recovery.ts";
import { type Estimate, estimateRun } from "../../../workflow/describe/run.ts";
import { explain } from "../../../workflow/explain.ts";
import { folderRecovery } from "../../out-folder/folder-record.ts";
import { narrationFiles } from "../../out-folder/kept-programme.ts";
import { OutFolder } from "../../out-folder/out-folder.ts";
import { type Surroundings, serviceIdentity, withService } from "../../service-run/service-run.ts";
import { Cancelled } from "../../shell/usage-error.ts";
import { openSource } from "../../source/described-source.ts";
import type { DescribeNewCall } from "./conform-call.ts";

/** What describing the new picture of a cut would take. */
export interface NewPlan {
  readonly stretches: readonly NewStretch[];
  readonly seconds: number;
  readonly estimate: Estimate;
}

/** Finds the stretches of a cut that were never described, and what describing them would take. */
export function planNew({ timeline, record }: ConformInput, call: DescribeNewCall): NewPlan {
  const programme = programmeOf(timeline);
  const window = { start: 0, end: timelineEnd(programme) };
  const stretches = newStretches(record.placed.layout, cutOf(timeline), timeline.rate, window);
  const seconds = totalDuration(stretches);
  const kind = call.track === "none" ? "text" : "audio";
  const isLocal = call.server === undefined;
  return { stretches, seconds, estimate: estimateRun({ durationSeconds: seconds, kind, sizeBytes: 0, isLocal }) };
}

/** The new picture of a cut, described; nothing is where it belongs yet. */
export interface NewResult {
  readonly described: readonly DescribedStretch[];
  readonly added: ConformAddition;
  /** Where a sound of {@link added} will be. */
  readonly finalPathOf: (path: string) => string;
  readonly notices: readonly string[];
  /** Puts the sounds where they belong, and forgets the run. */
  deliver(): Promise<void>;
}

/** A description of new picture: where it is made, and of what. */
export interface DescribeNew {
  /** Timeline file of the new cut. */
  readonly recut: string;
  /** Folder that the clips of the new voices go to. */
  readonly folder: string;
  readonly overwrites: boolean;
  readonly call: DescribeNewCall;
  readonly input: ConformInput;
  readonly stretches: readonly NewStretch[];
}

/**
 * Describes the new stretches of a cut and hands on what came of them, while the folder is held. What was begun before is
 * gone on with; where it ends early, what is worth it is kept for the next time.
 */
export async function withNewDescribed<T>(
  work: DescribeNew,
  surroundings: Surroundings,
  use: (result: NewResult) => Promise<T>,
): Promise<T> {
  const source = await openSource(work.recut, surroundings.signal);
  const { call, stretches } = work;
  const wishes = JSON.stringify([call.settings, call.track, stretches]);
  const runId = fingerprintOf("new", await source.fingerprint(), wishes, serviceIdentity(call));
  await using folder = await OutFolder.open(resolve(work.folder), work.overwrites);
  const recovery = folderRecovery(folder);
  // Known as a run, its hidden folder outlives a cut-off one.
  const startedAt = new Date().toISOString();
  await recovery.save({ version: RECORD_VERSION, runId, startedAt, name: "" });
  const run: NewRun = { ...work, folder, runId, runFolder: await folder.runFolder(runId), surroundings };
  try {
    const host = source.hostIn(run.runFolder, (path) => path);
    const described = await withService(call, { host, recovery }, surroundings, (ports, sendsAgain, controls) =>
      describeStretches(
        ports,
        {
          runId,
          settings: call.settings,
          track: call.track,
          sendsAgain,
          audioPathOf: (number) => join(run.runFolder, `narration-${number}.wav`),
          sentenceOf: (error) => explain(error).sentence,
        },
        stretches,
        controls,
      ),
    );
    return await use(await resultOf(run, described, source.notices));
  } catch (error) {
    await tidyUp(run, error);
    throw error;
  }
}

interface NewRun extends Omit<DescribeNew, "folder"> {
  readonly folder: OutFolder;
  readonly runId: string;
  readonly runFolder: string;
  readonly surroundings: Surroundings;
}

async function resultOf(
  run: NewRun,
  described: readonly DescribedStretch[],
  notices: readonly string[],
): Promise<NewResult> {
  const { folder, runFolder, input } = run;
  const cues = newCuesOf(input, described);
  const sounds: PlaceAudio[] = [];
  for (const [index, { run: made }] of described.entries()) {
    if (made?.audio === undefined) continue;
    const clips = await clipsOf(
      run,
      made,
      cues.filter(({ stretch }) => stretch === index),
    );
    for (const { path, place } of clips) {
      const { name: clipName, start, durationSeconds } = place;
      sounds.push({ kind: "place-audio", path, clipName, start, durationSeconds });
    }
  }
  return {
    described,
    added: { cues: cues.map(({ cue }) => cue), sounds },
    finalPathOf: (path) => path.replace(runFolder, folder.path),
    notices: [...new Set([...notices, ...described.flatMap(({ run: made }) => made?.result.notices ?? [])])],
    async deliver() {
      const names = sounds.map(({ path }) => path.slice(runFolder.length + 1));
      if (names.length > 0) await folder.deliver(runFolder, names);
      await forget(run);
    },
  };
}

/** The voices of a stretch, a clip for each cue that comes in. */
async function clipsOf(
  { runFolder, surroundings }: NewRun,
  { result, sequence }: NonNullable<DescribedStretch["run"]>,
  cues: readonly NewCue[],
) {
  // Under the ids that they have in the cut, on the clock of their sound.
  const spoken = cues.map(({ cue, original }) => ({ ...original, id: cue.id }));
  const { rate } = sequence;
  const sounds = await narrationFiles(
    { ...result, cues: spoken, voiced: voicedCues(spoken, result.settings) },
    { rate, runFolder, isInClips: true, signal: surroundings.signal },
  );
  return sounds?.placed.clips ?? [];
}

/** Keeps a run that can be gone on with, and forgets any other. */
async function tidyUp(run: NewRun, error: unknown): Promise<void> {
  const recovery = folderRecovery(run.folder);
  for (const number of run.stretches.keys()) {
    const record = await recovery.load(stretchRunId(run.runId, number + 1)).catch(() => null);
    const isAnswered = record?.result !== undefined || record?.refusal !== undefined;
    const isPaidFor = isAnswered || record?.submission !== undefined;
    const isSent = record?.sent !== undefined || record?.media !== undefined;
    if (isPaidFor || (isSent && (run.call.server !== undefined || error instanceof Cancelled))) return;
  }
  await forget(run);
}

async function forget({ folder, runId, stretches }: NewRun): Promise<void> {
  const recovery = folderRecovery(folder);
  const ids = [...stretches.keys()].map((index) => stretchRunId(runId, index + 1));
  for (const id of [...ids, runId]) await recovery.remove(id).catch(() => undefined);
  await folder.discard(runId);
}
