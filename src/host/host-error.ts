import { AudioDescriptionError } from "../core/error.ts";

/** What can go wrong in a host or its file system. A test keeps every code explained. */
export const HOST_ERROR_CODES = [
  /** Nothing is open, or there is no sequence. */
  "no_sequence",
  /** The sequence holds nothing. */
  "sequence_empty",
  /** This file does not exist. */
  "file_not_found",
  /** A file exists and cannot be read as what it should be. */
  "file_unreadable",
  /** A media file holds no picture that can be read. */
  "no_video_stream",
  /** A file that is not ours stands where ours would go. */
  "file_in_the_way",
  /** Another run holds the folder that results would go to. */
  "folder_in_use",
  /** No room left on the device. */
  "disk_full",
  /** The system refuses access to a file or folder. */
  "permission_denied",
  /** Another program has a file open. */
  "file_in_use",
  /** The host was asked to export and did not. */
  "export_failed",
  /** The host did not apply a plan, or not all of it. */
  "apply_failed",
  /** The host's answer makes no sense; a fault in the host or in this project. */
  "host_failed",
] as const;

/** Code of a {@link HostError}. */
export type HostErrorCode = (typeof HOST_ERROR_CODES)[number];

/** The host or its file system refused. `state` says how the timeline or files were left. */
export class HostError extends AudioDescriptionError<HostErrorCode> {
  /** What was being done, in the words of a menu: "export the sequence". */
  readonly operation: string;
  /** How things were left: "nothing was changed", "12 of 20 markers are placed". */
  readonly state: string;
  /** What was asked of the host, and how it answered, in order; empty where the host did as it should. For whoever mends it. */
  readonly tried: readonly string[];

  constructor(
    code: HostErrorCode,
    message: string,
    context: {
      readonly operation: string;
      readonly state: string;
      readonly cause?: unknown;
      readonly tried?: readonly string[];
    },
  ) {
    super(code, message, { cause: context.cause });
    this.operation = context.operation;
    this.state = context.state;
    this.tried = context.tried ?? [];
  }
}

/**
 * A question about the host that no documentation answers. Asking changes nothing that stays. What the panel does by each answer
 * stands in `docs/first-run.md`.
 */
export interface Probe {
  readonly name: string;
  /** Files of the project that depend on the answer, parted by blanks. */
  readonly code: string;
  /** What was found, in a few words without names, paths and keys; raising is an answer too. */
  run(): Promise<string>;
}

/** What a probe works with that changes things: a copy of the sequence, which is active. */
export interface Trial {
  readonly originalId: string;
  /** Identity of the copy. */
  readonly sequenceId: string;
  /** Address of the service that the panel is connected to. */
  readonly address: string;
  readonly signal: AbortSignal;
}

/** A question that is asked by trying it on a copy. */
export interface TrialProbe extends Omit<Probe, "run"> {
  /** Longest time until an answer, in milliseconds, where it is not the usual one. */
  readonly limitMs?: number;
  run(trial: Trial): Promise<string>;
}

/** Questions that are asked on a copy, and the removing of what they leave beside it. */
export interface TrialBench {
  readonly probes: readonly TrialProbe[];
  /** Removes what was imported and written; says what stays. */
  clear(): Promise<string>;
}
