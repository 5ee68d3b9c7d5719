import { AudioDescriptionError } from "../core/error.ts";

/** What can go wrong in a host or its file system. A test keeps every code explained. */
export const HOST_ERROR_CODES = [
  /** Nothing is open, or there is no sequence. */
  "no_sequence",
  /** The sequence holds nothing. */
  "sequence_empty",
  /** A file that was named does not exist. */
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
