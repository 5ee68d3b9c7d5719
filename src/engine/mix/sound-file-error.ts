import { AudioDescriptionError } from "../../core/error.ts";

/** `disk_full`: there is no room for the file. `not_writable`: the folder or the file system refused it. */
export type SoundFileErrorCode = "disk_full" | "not_writable";

/** A sound file could not be written; nothing of it was left behind. */
export class SoundFileError extends AudioDescriptionError<SoundFileErrorCode> {}

/** The error for what a file operation raised. */
export function soundFileError(cause: unknown): SoundFileError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new SoundFileError(
      "disk_full",
      "There is no room left on the disk for the sound. Free some and try again.",
      { cause },
    );
  }
  return new SoundFileError("not_writable", "The sound could not be written. Check the folder and its permissions.", {
    cause,
  });
}
