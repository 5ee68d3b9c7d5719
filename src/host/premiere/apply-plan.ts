import { type EditGroup, type EditPlan, type EditStep, type MuteTrack, NARRATION_TRACK_NAME } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import type { ApplyReport, HostOperation } from "../host.ts";
import { HostError } from "../host-error.ts";
import { type AudioStep, applyAudio } from "./apply-audio.ts";
import { applyMarkers, type MarkerStep } from "./apply-markers.ts";
import { compareMarkers } from "./compare-markers.ts";
import { compareTracks, trackAt, unnamedTrack } from "./compare-tracks.ts";
import { withFreshHandles } from "./host-fault.ts";
import { activeSequence, openSequence } from "./open-sequence.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { keptText } from "./sequence-note.ts";
import type { SequenceSnapshot } from "./snapshot.ts";
import { type ApplyContext, attempt, type TransactionPart, Transactor } from "./transactor.ts";

/** What applying a plan needs. */
export interface ApplyOptions extends Pick<ApplyContext, "premiere" | "clock" | "pace" | "copyFile"> {
  readonly files: Pick<Files, "size">;
}

/**
 * Applies a plan to the sequence it was made for, then reads the timeline back. Steps that do not take each other's place
 * in the undo history share a transaction; the pace decides how many.
 *
 * Raises `apply_failed`, `file_not_found` or `no_sequence` when nothing was changed, and the signal's reason when it aborts before
 * anything was. After the first change every failure becomes a report of what is not as planned.
 */
export async function applyPlan(options: ApplyOptions, plan: EditPlan, operation: HostOperation): Promise<ApplyReport> {
  const steps = plan.groups.flatMap((group) => group.steps);
  const context = await startApplying(options, plan, operation, steps);
  const last = plan.note === undefined ? [] : [keptText(options.premiere, context.before.reference, plan.note)];
  const failures = await attempt(context, "apply the plan", async () => {
    for (const [index, group] of plan.groups.entries()) {
      await applyGroup(context, group, index === plan.groups.length - 1 ? last : []);
    }
  });
  const after = await withFreshHandles(() => readSnapshot(options.premiere, context.before.reference));
  const markers = compareMarkers(context.before, after, steps.filter(isMarkerStep));
  const trackSteps = steps.filter((step) => !isMarkerStep(step));
  const naming = await namingOf(context, unnamedTrack(context.before, after, trackSteps));
  const tracks = compareTracks(context.before, after, trackSteps);
  const differences = [...failures.differences, ...markers.differences, ...tracks, ...naming.differences];
  const outcome = differences.length === 0 ? "done" : "partial";
  const { undoSteps, hasImported } = context.transactor;
  const { tried } = failures;
  const { notices } = naming;
  return { outcome, differences, notices, tried, markerIds: markers.markerIds, undoSteps, hasImported };
}

/** What to tell of a new track without its name: nothing depends on it, so where Premiere names no tracks all is as it can be. */
async function namingOf(
  { premiere, before }: ApplyContext,
  unnamed: ReturnType<typeof unnamedTrack>,
): Promise<Required<Pick<ApplyReport, "differences" | "notices">>> {
  if (unnamed === null) return { differences: [], notices: [] };
  const { index, name } = unnamed;
  // Read after the timeline was changed: what cannot be asked any more is no reason to fail.
  const canBeNamed = await withFreshHandles(async () => {
    const { sequence } = await openSequence(premiere, before.reference);
    return "createSetNameAction" in (await sequence.getAudioTrack(index));
  }).catch(() => true);
  const byHand = `name "${name}" by hand "${NARRATION_TRACK_NAME}"; the narration is in place`;
  return canBeNamed
    ? { differences: [`this Premiere did not name the new track: ${byHand}`], notices: [] }
    : { differences: [], notices: [`this Premiere names no tracks: ${byHand}`] };
}

async function startApplying(
  options: ApplyOptions,
  plan: EditPlan,
  operation: HostOperation,
  steps: readonly EditStep[],
): Promise<ApplyContext> {
  const { premiere, clock, pace, copyFile, files } = options;
  const { signal } = operation;
  signal.throwIfAborted();
  const active = await activeSequence(premiere);
  const reference = { projectId: active.projectId, sequenceId: plan.sequenceId };
  const before = await withFreshHandles(() => readSnapshot(premiere, reference));
  await refuseImpossible(steps, before, files);
  let done = 0;
  const onCommit = (actions: number) => {
    done += actions;
    operation.onProgress?.({ fraction: Math.min(1, done / Math.max(1, steps.length)) });
  };
  const transactor = new Transactor({ premiere, reference, clock, pace, signal, onCommit });
  return { premiere, before, clock, pace, copyFile, signal, transactor };
}

/** What is known to fail before anything is touched: Premiere answers "true" for files that do not exist. */
async function refuseImpossible(
  steps: readonly EditStep[],
  { videoTracks, audioTracks }: SequenceSnapshot,
  files: ApplyOptions["files"],
): Promise<void> {
  const state = "nothing was changed";
  for (const step of steps) {
    if (step.kind === "place-audio" && ((await files.size(step.path)) ?? 0) === 0) {
      const message = `There is no sound at ${step.path}. Fetch the narration again from the history.`;
      throw new HostError("file_not_found", message, { operation: "import the narration", state });
    }
    if (step.kind === "mute-track" && step.trackIndex >= videoTracks.length + audioTracks.length) {
      const message = `There is no track ${step.trackIndex + 1} to mute.`;
      const tried = ["Sequence.getVideoTrackCount and Sequence.getAudioTrackCount count fewer"];
      throw new HostError("apply_failed", message, { operation: "mute the other tracks", state, tried });
    }
  }
}

/** A step with the kind of work it belongs to. */
type WorkKind = "markers" | "audio" | "mute";

/**
 * Applies the steps of a group in order; `last` is part of its last transaction. Clips that follow markers share the
 * transaction of the markers: what goes along with a cut is one step to undo, up to the pace.
 */
async function applyGroup(context: ApplyContext, group: EditGroup, last: readonly TransactionPart[]): Promise<void> {
  let rest = group.steps;
  // Mutes are no transaction, so what belongs to the last one goes with the steps before them.
  const ending = group.steps.map((step) => workOf(step) !== "mute").lastIndexOf(true);
  let first: readonly TransactionPart[] = [];
  if (ending < 0 && last.length > 0) await context.transactor.run(group.label, ...last);
  while (rest.length > 0) {
    const begin = group.steps.length - rest.length;
    const work = workOf(rest[0]);
    const end = rest.findIndex((step) => workOf(step) !== work);
    const run = end < 0 ? rest : rest.slice(0, end);
    rest = rest.slice(run.length);
    const ends = ending >= begin && ending < begin + run.length ? last : [];
    if (work === "markers") {
      first = await applyMarkers(context, run.filter(isMarkerStep), group.label, ends, workOf(rest[0]) === "audio");
    }
    if (work === "audio") {
      await applyAudio(context, run.filter(isAudioStep), group.label, { first, last: ends });
      first = [];
    }
    if (work === "mute") for (const step of run.filter(isOf("mute-track"))) await mute(context, step);
  }
}

/** Mutes are outside Premiere's undo history and need no lock. */
async function mute(context: ApplyContext, step: MuteTrack): Promise<void> {
  context.signal.throwIfAborted();
  const { kind, index } = trackAt(context.before, step.trackIndex);
  const { sequence } = await openSequence(context.premiere, context.before.reference);
  const track = await (kind === "video" ? sequence.getVideoTrack(index) : sequence.getAudioTrack(index));
  const isDone = await track.setMute(step.isMuted);
  // From here on something was asked of the timeline, so a failure becomes a report.
  context.transactor.committed += 1;
  if (isDone) return;
  throw new HostError("apply_failed", `Premiere did not ${step.isMuted ? "mute" : "unmute"} a track. Do it by hand.`, {
    operation: "mute the other tracks",
    state: "the rest is applied",
    tried: [`${kind === "video" ? "VideoTrack" : "AudioTrack"}.setMute answered false`],
  });
}

function workOf(step: EditStep | undefined): WorkKind {
  if (step?.kind === "place-audio" || step?.kind === "remove-audio") return "audio";
  return step?.kind === "mute-track" ? "mute" : "markers";
}

function isAudioStep(step: EditStep): step is AudioStep {
  return step.kind === "place-audio" || step.kind === "remove-audio";
}

function isMarkerStep(step: EditStep): step is MarkerStep {
  return step.kind === "add-marker" || step.kind === "change-marker" || step.kind === "remove-marker";
}

function isOf<Kind extends EditStep["kind"]>(
  kind: Kind,
): (step: EditStep) => step is Extract<EditStep, { kind: Kind }> {
  return (step): step is Extract<EditStep, { kind: Kind }> => step.kind === kind;
}
