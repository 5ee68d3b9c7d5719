import { fingerprintOf } from "../../core/fingerprint.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { HostError } from "../../host/host-error.ts";

/** Bytes that are looked at in each of three places of a file. */
const SAMPLE_BYTES = 65_536;

/**
 * A cheap identity of a file by its content: size, and the bytes at its start, middle and end. Neither its name nor its
 * time counts, so that a copied or moved file is the same.
 *
 * @throws HostError when it is not there or cannot be read.
 */
export async function fileFingerprint(path: string): Promise<string> {
  const size = await nodeFiles.size(path);
  if (size === null) {
    throw new HostError("file_not_found", "the file is not there", {
      operation: "look at a file",
      state: "nothing was changed",
    });
  }
  const middle = Math.max(0, Math.floor((size - SAMPLE_BYTES) / 2));
  const samples = await Promise.all(
    [0, middle, Math.max(0, size - SAMPLE_BYTES)].map((position) => nodeFiles.readBytes(path, position, SAMPLE_BYTES)),
  );
  return fingerprintOf(String(size), ...samples);
}
