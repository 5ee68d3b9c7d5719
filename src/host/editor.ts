import type { GivenCaptions } from "../core/settings.ts";
import type { KeptText } from "./edit-plan.ts";
import type { ApplyReport, Host, HostOperation, SequenceCopier } from "./host.ts";

/** Text kept with a sequence, inside the project, as a step of its own. */
export interface SequenceNote extends KeptText {
  /** What the host's undo menu calls the keeping of it. */
  readonly label: string;
}

/** An export preset that can be chosen. */
export interface PresetChoice {
  /** What the list shows, and what {@link ExportRequest.preset} takes. */
  readonly name: string;
  /** `false` while nobody has exported with it in a real host. */
  readonly isProven: boolean;
  /** Bits per second of what it makes, picture and sound together; absent where it states none. */
  readonly bitsPerSecond?: number;
}

/** Forms in which a host writes a sequence for other programs: AAF, OpenTimelineIO, and Final Cut Pro 7's XML. */
export type InterchangeForm = "aaf" | "otio" | "xml";
/** An empty stretch that is to be in a sequence. */
export interface GapToOpen {
  /** Seconds on the sequence clock as it is before any gap, on the frame grid. */
  readonly at: number;
  /** A whole number of frames. */
  readonly seconds: number;
  /** A silent sound file as long as the gap, for hosts that open a gap by inserting something. */
  readonly path: string;
}

/** Which gaps are opened, and where. */
export interface GapOrder {
  readonly sequenceId: string;
  /** What the host's undo menu calls it. */
  readonly label: string;
  readonly gaps: readonly GapToOpen[];
}

/** A value of a clip's volume at an instant; between two it glides. */
export interface LevelPoint {
  /** Seconds on the clock of the clip's source: a point stays with what is heard, wherever the clip is moved. */
  readonly at: number;
  /** Linear, on the host's own scale: only ratios mean anything. */
  readonly gain: number;
}

/** The volume of a sound clip. */
export interface ClipLevel {
  /** Place of its track in `Timeline.tracks`, and of the clip in that track. */
  readonly trackIndex: number;
  readonly clipIndex: number;
  /** Identity of what it plays; empty where the host tells none. */
  readonly sourceId: string;
  /** The one gain of a clip, linear; `null` where its volume varies, and where the host tells none. */
  readonly gain: number | null;
  /** In order; none where the volume stands still. */
  readonly points: readonly LevelPoint[];
}

/** What becomes of a clip's volume: points, or, without any, one gain. */
export interface LevelChange {
  readonly trackIndex: number;
  readonly clipIndex: number;
  readonly points: readonly LevelPoint[];
  /** Counts where there are no points. */
  readonly gain: number;
}

/** Which volumes are changed. A clip that has points takes further ones beside them: where others are to stand, the old go first. */
export interface LevelOrder {
  readonly sequenceId: string;
  /** What the host's undo menu calls each of the steps. */
  readonly label: string;
  readonly changes: readonly LevelChange[];
  /**
   * Text that is kept with the sequence: in the first of the steps, so that it is there whatever becomes of the others; an empty
   * one, which clears what was kept, in the last.
   */
  readonly note: KeptText;
}

/** An editing application with a person in front of it: what a panel needs beside {@link Host}. */
export interface Editor extends Host, SequenceCopier {
  /** Most markers that are placed in one step of the host's undo history. */
  readonly markersPerUndoStep: number;
  /**
   * Opens gaps in a sequence: what lies behind one, on every track, comes later, and what lies across it is parted. The timeline is
   * then read back, and tracks that did not open are told. Markers may go along or stay. There is no way back but the host's
   * own: it is meant for a copy. Raises as {@link Host.apply} does.
   */
  openGaps(order: GapOrder, operation: HostOperation): Promise<ApplyReport>;
  /** The volumes of all sound clips of a sequence. */
  readLevels(sequenceId: string): Promise<readonly ClipLevel[]>;
  /**
   * Changes volumes, reads them back and tells every one that is not as it should be, changed or not. Raises as
   * {@link Host.apply} does.
   */
  changeLevels(order: LevelOrder, operation: HostOperation): Promise<ApplyReport>;
  /** Moves the playhead to a time in seconds on the sequence clock. */
  movePlayhead(sequenceId: string, seconds: number): Promise<void>;
  /** Where the playhead of a sequence stands, in seconds on the sequence clock. */
  playhead(sequenceId: string): Promise<number>;
  /**
   * Puts back the in and out point of the active sequence where an export of a stretch could not, because the panel was closed
   * meanwhile. Nothing happens while one is under way, or where none is left behind.
   */
  restoreRange(): Promise<void>;
  /**
   * Calls a function when another sequence may be active, or something in it may have changed. A hint: read again.
   * Returns a function that ends it.
   */
  watch(listener: () => void): () => void;
  /** Text kept with a sequence, by name; `null` where there is none. */
  readNote(sequenceId: string, name: string): Promise<string | null>;
  /** Keeps text with a sequence. A step of the host's undo history. */
  writeNote(sequenceId: string, note: SequenceNote, signal: AbortSignal): Promise<void>;
  /**
   * What is said in the active sequence, from the transcripts of its clips, as captions on the clock of an export that
   * starts at `offsetSeconds`; `null` when no clip has a transcript.
   */
  transcribedCaptions(offsetSeconds: number): Promise<GivenCaptions | null>;
  /**
   * Writes the active sequence as a file for other programs, by the host's own converter. Raises `export_failed` where the host
   * has none or writes nothing.
   */
  convert(file: { readonly form: InterchangeForm; readonly path: string }, signal: AbortSignal): Promise<void>;
  /** Imports a file into our bin, without laying it anywhere. Raises `apply_failed` when it does not show in time. */
  importFile(path: string, signal: AbortSignal): Promise<void>;
  /** Identity of the open project; `null` when none is open. */
  projectId(): Promise<string | null>;
  /** Folder of the open project on this computer; `null` for one that was never saved or lies elsewhere. */
  projectFolder(): Promise<string | null>;
  /** Whether there is a program beside the host that exports while the host goes on: see `ExportRequest.by`. */
  hasEncoder(): Promise<boolean>;
  /** Export presets, the preferred one first. */
  presets(): Promise<readonly PresetChoice[]>;
}
