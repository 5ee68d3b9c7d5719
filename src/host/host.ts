import type { FrameRate } from "../core/frame-rate.ts";
import type { PlacedClip } from "../core/layout.ts";
import type { TimeRange } from "../core/time-range.ts";
import type { Timeline } from "../core/timeline.ts";
import type { EditPlan } from "./edit-plan.ts";

/** What is needed of a sequence before anything is exported. Times are seconds on the sequence clock, from 0. */
export interface SequenceInfo {
  /** Identity within the host, stable while the project is open (and longer where the host can). */
  readonly id: string;
  readonly name: string;
  readonly rate: FrameRate;
  readonly isDropFrame: boolean;
  /** Frame number of the label of the first frame; shows in timecode labels only. */
  readonly startFrame: number;
  readonly durationSeconds: number;
  /** In and out point where set. */
  readonly inPoint?: number;
  readonly outPoint?: number;
}

/** Which part of a sequence is exported where no stretch is named. */
export type ExportRange = "whole" | "in-to-out";

/** What an export is asked for. */
export interface ExportRequest {
  /** All of it, from in to out, or a stretch in seconds on the sequence clock; its edges are moved to the nearest frames. */
  readonly range: ExportRange | TimeRange;
  /** Name of the preset, or path of a preset file; the host's own default where absent. */
  readonly preset?: string;
  /** Asks for the sound alone, as a WAV file, whatever the preset says. */
  readonly content?: "sound";
  /** Has the program make it that encodes beside the host, which is free meanwhile; the host itself where absent, and of stretches. */
  readonly by?: "encoder";
  /** An export that the queue of that program was given already: it is waited for, and no other is made. */
  readonly queued?: QueuedExport;
}

/** An export that another program's queue was given: what its file will be. */
export type QueuedExport = Omit<ExportedMedia, "sizeBytes">;

/** A finished export. */
export interface ExportedMedia {
  /** Where the file is, as the host's file port reads it. */
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Length of the file's programme in seconds. */
  readonly durationSeconds: number;
  /** Sequence time of the file's time 0: the export offset. */
  readonly offsetSeconds: number;
  /** Whether the file was made for this export and may be deleted afterwards; `false` for the user's own file. */
  readonly isTemporary: boolean;
  /** The cut that was exported; absent where the host cannot tell, or nobody can change it meanwhile. */
  readonly layout?: readonly PlacedClip[];
}

/** How far a long operation is: `fraction` 0 to 1, or absent where the host gives none. */
interface HostProgress {
  readonly fraction?: number;
}

/** What every long host operation takes. */
export interface HostOperation {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: HostProgress) => void;
}

/** What an export takes. */
export interface ExportOperation extends HostOperation {
  /** Called once a queue has the export, which goes on without whoever asked for it: to be kept, and asked for again. */
  readonly onQueued?: (queued: QueuedExport) => Promise<void>;
  /** Called with a sentence for people where it is done otherwise than asked for. */
  readonly onNotice?: (sentence: string) => void;
}

/** What {@link Host.apply} found when it read the timeline back. */
export interface ApplyReport {
  /** `done`: the timeline is as planned. `partial`: `differences` say what is not. */
  readonly outcome: "done" | "partial";
  readonly differences: readonly string[];
  /** What this host cannot do, and nothing depends on: for people. */
  readonly notices?: readonly string[];
  /** What was asked of the host and how it answered, where something is not as planned: for whoever mends it. */
  readonly tried?: readonly string[];
  /** Host identity of each marker placed, by cue id. */
  readonly markerIds: Readonly<Record<string, string>>;
  /** Steps of the host's undo history that the plan became; absent where there is no such history. */
  readonly undoSteps?: number;
  /** Whether files were imported for it, which are steps of the host's own beside those. */
  readonly hasImported?: boolean;
}

/** Which sequence is copied, and what the copy is to be called. */
export interface CopyRequest {
  readonly sequenceId: string;
  /** Where another sequence has this name, the copy gets a number behind it. */
  readonly name: string;
}

/** A host in which work can be done on a copy of a sequence. Every operation may raise a `HostError`. */
export interface SequenceCopier {
  /**
   * Copies a sequence whole, with its tracks, clips and markers, and makes the copy the active sequence. The original stays
   * as it is. Resolves with the copy: its identity, by which it is found again, and the name that it has. Raises `no_sequence`
   * where there is no such sequence, `apply_failed` when none was made, and the signal's reason when it aborts before one was.
   */
  copySequence(copy: CopyRequest, operation: HostOperation): Promise<SequenceInfo>;
  /** Makes a sequence of the project the active one. Raises `no_sequence` where it is gone. */
  openSequence(sequenceId: string): Promise<SequenceInfo>;
  /**
   * Removes a sequence whose tracks, clips and markers are still those given; `false`, and nothing is done, where they are not:
   * somebody has worked on it since. An empty sound track of ours counts as none. What no host tells (effects, captions, notes) is
   * not compared. Raises `apply_failed` where the host does not remove it. Not the active one, unless `opensInstead` says
   * which sequence becomes active.
   */
  removeSequence(sequenceId: string, removal: SequenceRemoval): Promise<boolean>;
}

/** How a sequence is removed. */
export interface SequenceRemoval {
  /** The sequence as it was left. */
  readonly asLeft: Timeline;
  /** The sequence that is made the active one before. */
  readonly opensInstead: string;
}

/**
 * The editing application: Premiere, or a file on disk. Every operation may raise a `HostError`, which says what was
 * being done, in what state the timeline was left, and what to do.
 */
export interface Host {
  /** The active sequence. */
  readSequence(): Promise<SequenceInfo>;
  /** The active sequence with its tracks, clips and markers. */
  readTimeline(): Promise<Timeline>;
  /** Renders the active sequence to a file. */
  exportSequence(request: ExportRequest, operation: ExportOperation): Promise<ExportedMedia>;
  /** Applies a plan, reads the timeline back and reports any difference. */
  apply(plan: EditPlan, operation: HostOperation): Promise<ApplyReport>;
}
