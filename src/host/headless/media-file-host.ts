import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { FrameRate } from "../../core/frame-rate.ts";
import { withoutEnding } from "../../core/local-file.ts";
import { defined } from "../../core/objects.ts";
import type { Timeline, TimelineClip, Track } from "../../core/timeline.ts";
import type { EditPlan } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import type { ApplyReport, ExportedMedia, ExportRequest, Host, HostOperation, SequenceInfo } from "../host.ts";
import { HostError } from "../host-error.ts";
import { applyPlan } from "./apply-plan.ts";
import { CopyingHost, type KeptSequence, SequenceCopies } from "./sequence-copies.ts";
import { placedSounds, timelineDifferences } from "./timeline-edit.ts";

/** What a probe says about a media file. */
export interface ProgrammeFile {
  /** Native path. */
  readonly path: string;
  readonly contentType: string;
  readonly durationSeconds: number;
  /** Rate of the picture, or the one that an editor would give a sequence without picture. */
  readonly rate: FrameRate;
  readonly isDropFrame: boolean;
  /** Frame number of the label of the first frame. */
  readonly startFrame: number;
  readonly frameSize?: { readonly width: number; readonly height: number };
  readonly hasVideo: boolean;
  /** 0 without sound. */
  readonly audioChannels: number;
  readonly audioSampleRate?: number;
}

/** A file that the timeline is written to, in one format. */
export interface TimelineFile {
  readonly path: string;
  write(timeline: Timeline): string;
  /** Reads the file back for the comparison after a plan is applied; `null` when it cannot be read. */
  read(text: string): Timeline | null;
}

/** What a {@link MediaFileHost} is made from. */
export interface MediaFileHostOptions {
  readonly programme: ProgrammeFile;
  readonly files: Files;
  /** Written whenever a plan is applied. */
  readonly timelineFiles: readonly TimelineFile[];
  /** Where a file will be once everything is in place; default: where it is. */
  readonly finalPathOf?: (path: string) => string;
}

/** A media file as a sequence of one clip. Plans are applied by writing the timeline to files for any editor. */
export class MediaFileHost extends CopyingHost<KeptSequence> implements Host {
  readonly #options: MediaFileHostOptions;

  constructor(options: MediaFileHostOptions) {
    const { programme, files, timelineFiles } = options;
    const { path } = programme;
    const original = { name: withoutEnding(basename(path)), timeline: programmeTimeline(programme) };
    const sequences = new SequenceCopies<KeptSequence>(pathToFileURL(path).href, original);
    super(
      sequences,
      files,
      timelineFiles.map((file) => file.path),
    );
    this.#options = options;
  }

  async readSequence(): Promise<SequenceInfo> {
    const { rate, isDropFrame, startFrame, durationSeconds } = this.#options.programme;
    const { activeId: id, active } = this.sequences;
    return { id, name: active.name, rate, isDropFrame, startFrame, durationSeconds };
  }

  /** The file itself: nothing has to be rendered, and its time 0 is the sequence's. */
  async exportSequence({ range }: ExportRequest, operation: HostOperation): Promise<ExportedMedia> {
    operation.signal.throwIfAborted();
    const { path, contentType, durationSeconds } = this.#options.programme;
    if (typeof range === "object") {
      const context = { operation: "export the sequence", state: "nothing was changed" };
      throw new HostError("export_failed", `"${basename(path)}" is a file: no part of it can be exported`, context);
    }
    const sizeBytes = await this.#options.files.size(path);
    if (sizeBytes === null) {
      const message = `"${basename(path)}" no longer exists`;
      throw new HostError("file_not_found", message, {
        operation: "export the sequence",
        state: "nothing was changed",
      });
    }
    return { path, contentType, sizeBytes, durationSeconds, offsetSeconds: 0, isTemporary: false };
  }

  async apply(plan: EditPlan, operation: HostOperation): Promise<ApplyReport> {
    const { id } = await this.readSequence();
    if (plan.sequenceId !== id) {
      const context = { operation: "apply a plan", state: "nothing was changed" };
      throw new HostError("apply_failed", "the plan was made for another sequence", context);
    }
    operation.signal.throwIfAborted();
    const { files, finalPathOf = (path) => path } = this.#options;
    const soundOf = await placedSounds(plan, files, finalPathOf);
    const kept = this.sequences.active;
    const { timeline, markerIds } = applyPlan(kept.timeline, plan, soundOf);
    const differences: string[] = [];
    for (const file of this.#options.timelineFiles) {
      const path = this.sequences.pathOf(file.path);
      await files.writeText(path, file.write(timeline));
      const written = file.read(await files.readText(path));
      differences.push(
        ...timelineDifferences(timeline, written).map((difference) => `${basename(path)}: ${difference}`),
      );
    }
    this.sequences.active = { ...kept, timeline };
    return { outcome: differences.length === 0 ? "done" : "partial", differences, markerIds };
  }
}

/** A timeline that shows a media file from its first frame to its last, with its picture on V1 and its sound on A1. */
function programmeTimeline(programme: ProgrammeFile): Timeline {
  const { path, durationSeconds, rate, isDropFrame, startFrame, frameSize, hasVideo, audioChannels } = programme;
  const size = defined({ frameSize });
  const clip: TimelineClip = {
    name: basename(path),
    start: 0,
    end: durationSeconds,
    isEnabled: true,
    sourceStart: 0,
    speed: 1,
    source: {
      kind: "media",
      name: basename(path),
      location: pathToFileURL(path).href,
      durationSeconds,
      rate,
      startFrame,
      hasVideo,
      audioChannels,
      ...size,
      ...defined({ audioSampleRate: programme.audioSampleRate }),
    },
    effects: [],
    markers: [],
  };
  const track = (kind: Track["kind"], name: string): Track => ({
    kind,
    name,
    isEnabled: true,
    clips: [clip],
    transitions: [],
  });
  return {
    name: withoutEnding(basename(path)),
    rate,
    isDropFrame,
    startFrame,
    ...size,
    tracks: [...(hasVideo ? [track("video", "V1")] : []), ...(audioChannels > 0 ? [track("audio", "A1")] : [])],
    markers: [],
  };
}
