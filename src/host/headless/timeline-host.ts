import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { framesFromSeconds, snapToFrame } from "../../core/frame-rate.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { TimelineEdit, TimelineEditResult } from "../../formats/timeline-edit.ts";
import type { EditPlan, EditStep } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import type { ApplyReport, ExportedMedia, ExportRequest, Host, HostOperation, SequenceInfo } from "../host.ts";
import { HostError } from "../host-error.ts";
import { applyPlan } from "./apply-plan.ts";
import { placedSounds } from "./placed-sounds.ts";
import { timelineDifferences } from "./timeline-differences.ts";
import { timelineEditOf } from "./timeline-edit-of.ts";

/** A file that an edited timeline is written to. */
interface EditedTimelineFile {
  readonly path: string;
  /** The document with the changes made, everything else as it was. */
  edit(change: TimelineEdit): TimelineEditResult;
  /** Reads the file back for the comparison after a plan is applied; `null` when it cannot be read. */
  read(text: string): Timeline | null;
}

/** What a {@link TimelineHost} is made from. */
export interface TimelineHostOptions {
  /** Native path of the timeline file. */
  readonly path: string;
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
export class TimelineHost implements Host {
  readonly #options: TimelineHostOptions;

  constructor(options: TimelineHostOptions) {
    this.#options = options;
  }

  async readSequence(): Promise<SequenceInfo> {
    const { path, timeline, durationSeconds } = this.#options;
    const { rate, isDropFrame, startFrame } = timeline;
    const name = timeline.name || basename(path).replace(/(?<=.)\.[^.]*$/, "");
    return { id: pathToFileURL(path).href, name, rate, isDropFrame, startFrame, durationSeconds };
  }

  async readTimeline(): Promise<Timeline> {
    return this.#options.timeline;
  }

  async exportSequence({ range }: ExportRequest, operation: HostOperation): Promise<ExportedMedia> {
    const { files, render, renderPath, durationSeconds, timeline } = this.#options;
    operation.signal.throwIfAborted();
    const { rate } = timeline;
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
    const { files, output, timeline, finalPathOf } = this.#options;
    const context = { operation: "apply a plan", state: "nothing was changed" };
    if (plan.sequenceId !== (await this.readSequence()).id) {
      throw new HostError("apply_failed", "the plan was made for another sequence", context);
    }
    operation.signal.throwIfAborted();
    const steps = plan.groups.flatMap((group) => group.steps);
    const soundOf = await placedSounds(plan, files, finalPathOf);
    // Sound that finds its track taken goes onto another one, so only the markers are foretold.
    const markers = steps.filter(({ kind }) => kind.endsWith("-marker"));
    const expected = applyPlan(timeline, { ...plan, groups: [{ label: "", steps: markers }] }, soundOf);
    const edited = output.edit(timelineEditOf(steps, timeline, expected.timeline, soundOf));
    if (!edited.ok) {
      const reason = edited.issues[0]?.message ?? "its document cannot be changed";
      throw new HostError("apply_failed", `the timeline was not edited: ${reason}`, context);
    }
    await files.writeText(output.path, edited.text);
    const written = output.read(await files.readText(output.path));
    const differences = [
      ...edited.issues.map(({ message }) => message),
      ...timelineDifferences({ ...expected.timeline, tracks: [] }, written),
      ...missingSounds(steps, written),
    ].map((difference) => `${basename(output.path)}: ${difference}`);
    return { outcome: differences.length === 0 ? "done" : "partial", differences, markerIds: expected.markerIds };
  }
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
