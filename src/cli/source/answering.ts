import { basename } from "node:path";
import { hostErrorFrom } from "../../host/headless/system-error.ts";
import { HostError } from "../../host/host-error.ts";
import { makeFolder } from "../../service/storage/make-folder.ts";

/** How long a disk may take to answer, in milliseconds: a lost network drive and a pipe that nobody writes never do. */
const LONGEST_WAIT_MS = 8_000;

/**
 * What a place on a disk answers.
 *
 * @param place What is waited for, as a native path.
 * @throws HostError `host_failed` when it does not answer in time; what the work raises.
 */
export async function answering<T>(place: string, work: Promise<T>, limitMs = LONGEST_WAIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const context = { operation: "open a file or folder", state: "nothing was changed" };
      reject(new HostError("host_failed", `"${basename(place)}" does not answer: a lost drive, or a pipe`, context));
    }, limitMs);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}

/**
 * Makes a folder for results, with those above it.
 *
 * @returns See {@link makeFolder}.
 * @throws HostError when it cannot be made, or its place does not answer.
 */
export async function makeResultsFolder(path: string): Promise<string | undefined> {
  try {
    return await answering(path, makeFolder(path));
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw hostErrorFrom(error, path, "make the results folder", "nothing was changed");
  }
}
