import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { framesFromSeconds, snapToFrame } from "../../core/frame-rate.ts";
import { withoutEnding } from "../../core/local-file.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { TimelineEdit, TimelineEditResult } from "../../formats/timeline-document.ts";
import type { EditPlan, EditStep } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import type { ApplyReport, ExportedMedia, ExportRequest, Host, HostOperation, SequenceInfo } from "../host.ts";
import { HostError } from "../host-error.ts";
import { applyPlan, frameSeconds } from "./apply-plan.ts";
import { CopyingHost, type KeptSequence, SequenceCopies } from "./sequence-copies.ts";
import { placedSounds, timelineDifferences, timelineEditOf } from "./timeline-edit.ts";

/** A file that an edited timeline is written to. */
interface EditedTimelineFile {
  readonly path: string;
  /** A document, and its timeline, with the changes made, everything else as it was. */
  edit(text: string, timeline: Timeline, change: TimelineEdit): TimelineEditResult;
  /** Reads the file back after a plan is applied; `null` when it cannot be read. */
  read(text: string): Timeline | null;
}

/** What a {@link TimelineHost} is made from. */
export interface TimelineHostOptions {
  /** Native path of the timeline file. */
  readonly path: string;
  /** What the file holds, and what it says. */
  readonly text: string;
  readonly timeline: Timeline;
  /** Length of the cut in seconds. */
  readonly durationSeconds: number;
  readonly files: Files;
  /** Where the cut is rendered to, as an MP4 file; a stretch of it goes beside it. */
  readonly renderPath: string;
  /** Renders a stretch of the cut, whole frames in seconds, to a path. Raises a `HostError` when it cannot. */
  readonly render: (stretch: TimeRange, path: string, operation: HostOperation) => Promise<void>;
  /** Written whenever a plan is applied. */
  readonly output: EditedTimelineFile;
  /** Where a file will be once everything is in place. */
  readonly finalPathOf: (path: string) => string;
}

/** A timeline file as a sequence: its cut is rendered, and plans are applied by editing its document. */
export class TimelineHost extends CopyingHost<KeptSequence & { readonly text: string }> implements Host {
  readonly #options: TimelineHostOptions;

  constructor(options: TimelineHostOptions) {
    const { path, text, timeline, files, output } = options;
    const name = timeline.name || withoutEnding(basename(path));
    super(new SequenceCopies(pathToFileURL(path).href, { name, text, timeline }), files, [output.path]);
    this.#options = options;
  }

  async readSequence(): Promise<SequenceInfo> {
    const { activeId: id, active } = this.sequences;
    const { rate, isDropFrame, startFrame } = active.timeline;
    return { id, name: active.name, rate, isDropFrame, startFrame, durationSeconds: this.#options.durationSeconds };
  }

  async exportSequence({ range }: ExportRequest, operation: HostOperation): Promise<ExportedMedia> {
    const { files, render, renderPath, durationSeconds } = this.#options;
    operation.signal.throwIfAborted();
    const { rate } = this.sequences.active.timeline;
    const isStretch = typeof range === "object";
    const start = isStretch ? Math.max(0, snapToFrame(range.start, rate)) : 0;
    const end = isStretch ? Math.min(durationSeconds, snapToFrame(range.end, rate)) : durationSeconds;
    const path = isStretch
      ? renderPath.replace(/(?=\.\w+$)/, `-${framesFromSeconds(start, rate)}-${framesFromSeconds(end, rate)}`)
      : renderPath;
    await render({ start, end }, path, operation);
    const sizeBytes = await files.size(path);
    if (sizeBytes === null || sizeBytes === 0) {
      const context = { operation: "render the timeline", state: "nothing was changed" };
      throw new HostError("export_failed", "rendering the timeline made no file", context);
    }
    const media = { path, contentType: "video/mp4", sizeBytes, durationSeconds: end - start };
    return { ...media, offsetSeconds: start, isTemporary: true };
  }

  async apply(plan: EditPlan, operation: HostOperation): Promise<ApplyReport> {
    const { files, output, finalPathOf } = this.#options;
    const kept = this.sequences.active;
    const { timeline } = kept;
    const outputPath = this.sequences.pathOf(output.path);
    const context = { operation: "apply a plan", state: "nothing was changed" };
    if (plan.sequenceId !== (await this.readSequence()).id) {
      throw new HostError("apply_failed", "the plan was made for another sequence", context);
    }
    operation.signal.throwIfAborted();
    const steps = plan.groups.flatMap((group) => group.steps);
    const soundOf = await placedSounds(plan, files, finalPathOf);
    // Sound that finds its track taken goes onto another one, so only markers and mutes are foretold.
    const foretold = steps.filter(({ kind }) => kind !== "place-audio" && kind !== "remove-audio");
    const expected = applyPlan(timeline, { ...plan, groups: [{ label: "", steps: foretold }] }, soundOf);
    const edited = output.edit(kept.text, timeline, {
      ...timelineEditOf(steps, timeline, expected.timeline, soundOf),
      ...(outputPath === output.path ? {} : { newName: kept.name }),
    });
    if (!edited.ok) {
      const reason = edited.issues[0]?.message ?? "its document cannot be changed";
      throw new HostError("apply_failed", `the timeline was not edited: ${reason}`, context);
    }
    await files.writeText(outputPath, edited.text);
    const written = output.read(await files.readText(outputPath));
    const differences = [
      ...edited.issues.map(({ message }) => message),
      ...timelineDifferences({ ...expected.timeline, tracks: [] }, written),
      ...missingSounds(steps, written),
    ].map((difference) => `${basename(outputPath)}: ${difference}`);
    this.sequences.active = { ...kept, text: edited.text, timeline: written ?? timeline };
    const markerIds = idsOf(steps, written ?? timeline);
    return { outcome: differences.length === 0 ? "done" : "partial", differences, markerIds };
  }
}

/** Which marker of a document, as it is read now, stands for which cue. */
function idsOf(steps: readonly EditStep[], { markers, rate }: Timeline): Record<string, string> {
  const free = [...markers];
  const entries = steps.flatMap((step): [string, string][] => {
    if (step.kind !== "add-marker") return [];
    const index = free.findIndex(
      ({ start, comment }) =>
        comment.trim() === step.comment.trim() && Math.abs(start - step.start) < frameSeconds(rate),
    );
    const id = index < 0 ? undefined : free.splice(index, 1)[0]?.id;
    return id === undefined ? [] : [[step.cueId, id]];
  });
  return Object.fromEntries(entries);
}

function missingSounds(steps: readonly EditStep[], written: Timeline | null): string[] {
  const names = new Set(
    (written?.tracks ?? [])
      .filter(({ kind }) => kind === "audio")
      .flatMap(({ clips }) => clips.map(({ name }) => name)),
  );
  return steps.flatMap((step) =>
    step.kind === "place-audio" && !names.has(step.clipName) ? [`the sound "${step.clipName}" is missing`] : [],
  );
}
