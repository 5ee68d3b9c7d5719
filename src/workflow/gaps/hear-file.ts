import { type LocalFile, type SentFile, sendFile, type UploadParts } from "../../client/upload.ts";
import type { Heard } from "../../core/heard.ts";

/** What was heard in a file. */
export type HeardFile = Pick<Heard, "speech" | "music">;

/** How far hearing a file is: `send` has a share that is done, `listen` has none. */
export interface HearingProgress {
  readonly stage: "send" | "listen";
  /** 0 to 1. */
  readonly fraction?: number;
}

/** How hearing a file is followed and ended. */
export interface HearingControls {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: HearingProgress) => void;
}

/**
 * Has our own service hear where there is speech and music in a file. No job is made there, and it keeps nothing: what was
 * sent is removed, however this ends. To a service that does not say that it listens nothing is sent.
 *
 * @returns `null` where the service does not listen.
 * @throws What the client raises; the signal's reason when it aborts.
 */
export async function hearFile(
  parts: UploadParts,
  file: LocalFile,
  { signal, onProgress }: HearingControls,
): Promise<HeardFile | null> {
  const { client } = parts;
  if ((await client.longestHeardSeconds({ signal })) === null) return null;
  let begun: SentFile | undefined;
  try {
    onProgress?.({ stage: "send", fraction: 0 });
    const sent = await sendFile(parts, file, {
      signal,
      onAddress: (address) => {
        begun = address;
      },
      onProgress: ({ doneBytes, totalBytes = 0 }) =>
        onProgress?.({ stage: "send", fraction: totalBytes > 0 ? doneBytes / totalBytes : 0 }),
    });
    onProgress?.({ stage: "listen" });
    const { speech, music } = await client.listen(sent, { signal });
    begun = undefined;
    const ranges = (list: typeof speech) => list.map(([start, end, confidence]) => ({ start, end, confidence }));
    return { speech: ranges(speech), music: ranges(music) };
  } finally {
    // Nobody waits for it: what cannot be removed now is removed by the service's next sweep.
    if (begun !== undefined) void client.dropSound(begun).catch(() => undefined);
  }
}
