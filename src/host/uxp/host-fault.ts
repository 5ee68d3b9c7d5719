import { AudioDescriptionError } from "../../core/error.ts";
import { HostError, type HostErrorCode } from "../host-error.ts";

/** What a system says when a file or folder does not exist; UXP documents neither codes nor words. */
export function isMissing(error: unknown): boolean {
  return /ENOENT|no such|not found|does not exist|could not find/i.test(saidBy(error));
}

/** What a system says of a file that another program has open, as Windows does when it is to be removed. */
export function isHeld(error: unknown): boolean {
  return /EBUSY|busy|locked|in use|being used|sharing violation/i.test(saidBy(error));
}

/** Wraps what UXP's file system threw. `what` names the file for people: "the export", "the settings". */
export function fileFault(error: unknown, operation: string, what: string): unknown {
  if (error instanceof AudioDescriptionError) return error;
  const [code, sentence] = verdict(error, what);
  return new HostError(code, sentence, { operation, state: "the file was left as it was", cause: error });
}

function verdict(error: unknown, what: string): [HostErrorCode, string] {
  const said = saidBy(error);
  if (isMissing(error)) return ["file_not_found", `There is no file for ${what}.`];
  if (/ENOSPC|space|disk full|quota/i.test(said))
    return ["disk_full", `There is no room left on the disk for ${what}.`];
  if (isHeld(error)) return ["file_in_use", `The file of ${what} is open in another program.`];
  if (/EACCES|EPERM|EROFS|permission|denied|not allowed/i.test(said)) {
    return ["permission_denied", `The system does not allow access to ${what}.`];
  }
  return ["file_unreadable", `The file of ${what} cannot be used: ${said}.`];
}

function saidBy(error: unknown): string {
  if (error instanceof Error) return "code" in error ? `${String(error.code)} ${error.message}` : error.message;
  return String(error);
}
