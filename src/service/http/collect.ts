import type { Readable } from "node:stream";

/** Bytes as they came, not yet put together: that takes its time, and waits for its turn. */
export interface CollectedBytes {
  readonly chunks: readonly Uint8Array[];
  readonly sizeBytes: number;
}

/** Reads a stream to its end. `null` as soon as there is more than `maximumBytes`; its sender is still to be answered then. */
export async function collect(stream: Readable, maximumBytes: number): Promise<CollectedBytes | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    sizeBytes += bytes.length;
    if (sizeBytes > maximumBytes) return null;
    chunks.push(bytes);
  }
  return { chunks, sizeBytes };
}
