import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** Bytes as they came, not yet put together: that takes its time, and waits for its turn. */
export interface CollectedBytes {
  readonly chunks: readonly Uint8Array[];
  readonly sizeBytes: number;
}

/** Bytes after which others have their turn: sixty senders at once would else be read for a tenth of a second on end. */
const BYTES_PER_TURN = 65_536;

/** Reads a stream to its end. `null` as soon as there is more than `maximumBytes`; its sender is still to be answered then. */
export async function collect(stream: Readable, maximumBytes: number): Promise<CollectedBytes | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let turnBytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    sizeBytes += bytes.length;
    if (sizeBytes > maximumBytes) return null;
    chunks.push(bytes);
    turnBytes += bytes.length;
    if (turnBytes < BYTES_PER_TURN) continue;
    turnBytes = 0;
    await setImmediate();
  }
  return { chunks, sizeBytes };
}
