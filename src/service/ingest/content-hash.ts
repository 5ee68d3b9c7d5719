import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

const CHUNK_BYTES = 1 << 20;

/** SHA-256 of a file in hex, read as a stream. */
export async function contentHash(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) hash.update(chunk);
  return hash.digest("hex");
}
