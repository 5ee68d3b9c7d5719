import { basename } from "node:path";
import { isHeldError } from "../../core/held-file.ts";
import { HostError, type HostErrorCode } from "../host-error.ts";

/** What a system's error code means here, and the words for it; `%` stands for the file's name. */
const MEANINGS: Readonly<Record<string, readonly [HostErrorCode, string]>> = {
  ENOENT: ["file_not_found", '"%" does not exist'],
  ENOTDIR: ["file_in_the_way", '"%" cannot be reached: a file stands where a folder should be'],
  EISDIR: ["file_in_the_way", '"%" is a folder'],
  EEXIST: ["file_in_the_way", '"%" is there already'],
  ENOTEMPTY: ["file_in_the_way", '"%" is a folder that is not empty'],
  EACCES: ["permission_denied", 'the system does not allow access to "%"'],
  EPERM: ["permission_denied", 'the system does not allow access to "%"'],
  EROFS: ["permission_denied", '"%" lies on a disk that cannot be written to'],
  ENOSPC: ["disk_full", 'there is no room left on the disk for "%"'],
  EDQUOT: ["disk_full", 'your share of the disk is used up; there is no room for "%"'],
  EFBIG: ["disk_full", '"%" is larger than the disk can hold in one file'],
};

/**
 * An error of Node's file system as a host's error. The file is called by its name alone: folders are nobody else's
 * business.
 *
 * @param operation What was being done, in the words of a menu.
 * @param state How things were left.
 */
export function hostErrorFrom(cause: unknown, path: string, operation: string, state: string): HostError {
  const system = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  if (isHeldError(cause, process.platform)) {
    return new HostError("file_in_use", `"${basename(path)}" is open in another program`, { operation, state, cause });
  }
  const [code, words] = MEANINGS[system] ?? ["host_failed", `"%" could not be used (${system || "unknown reason"})`];
  return new HostError(code, words.replace("%", basename(path)), { operation, state, cause });
}

/** Whether an error comes from the file system; those of a broken line have other words. */
export function isFileSystemError(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "EIO" || isHeldError(error, process.platform) || Object.hasOwn(MEANINGS, String(error.code));
}
