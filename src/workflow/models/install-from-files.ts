import { type LocalFile, type SentFile, sendFile, type UploadParts } from "../../client/upload.ts";
import type { ModelsReply } from "../../contract/models.ts";

/** How an installation is followed and ended. */
export interface InstallControls {
  readonly signal: AbortSignal;
  /** Told what share of the files the service has, 0 to 1: each counts the same. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Sends the files of a model to a service of ours, one after the other, and has it installed from them: nothing comes from the
 * internet. The service checks them as it checks what it fetches, and keeps none of what was sent.
 *
 * @param model Its name in the service's list.
 * @param files Its files by their names, or archives of them.
 * @returns What the service says of its models, the installation under way.
 * @throws What the client raises; the signal's reason when it aborts.
 */
export async function installFromFiles(
  parts: UploadParts,
  model: string,
  files: readonly LocalFile[],
  { signal, onProgress }: InstallControls,
): Promise<ModelsReply> {
  const begun: SentFile[] = [];
  try {
    const sent: SentFile[] = [];
    for (const [index, file] of files.entries()) {
      const one = await sendFile(parts, file, {
        signal,
        onAddress: (address) => void begun.push(address),
        onProgress: ({ doneBytes, totalBytes = 0 }) =>
          onProgress?.((index + (totalBytes > 0 ? doneBytes / totalBytes : 0)) / files.length),
      });
      sent.push(one);
    }
    const reply = await parts.client.fetchModel(model, { sent, signal });
    // The service removes them from here on.
    begun.length = 0;
    return reply;
  } finally {
    // Nobody waits for it: what cannot be removed now is removed by the service's next sweep.
    for (const address of begun) void parts.client.dropSound(address).catch(() => undefined);
  }
}
