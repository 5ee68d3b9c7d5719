import { ConnectionError } from "../core/error.ts";
import type { Clock, FileTransfer, TransferProgress } from "../core/ports.ts";
import { DownloadError } from "./errors.ts";
import { MAX_TRANSFER_ATTEMPTS, retryDelayMs } from "./retry.ts";

/** One result to fetch. */
export interface ResultDownload {
  /** Gives a link: the one at hand first, a fresh one on each further call. */
  readonly link: (isFresh: boolean) => Promise<string>;
  /** Where the file goes. */
  readonly path: string;
  /** Looks at the fetched file and says what is wrong with it; `null` when it is whole and what it should be. */
  readonly fault: () => Promise<string | null>;
}

/** Fresh links and second fetches that are tried before giving up. */
const MAX_SECOND_TRIES = 1;

/**
 * Fetches a result: at once, for its link lives for minutes. A link that is refused is asked for anew, a damaged file
 * fetched anew, each once; a broken line is tried again after a growing pause.
 *
 * @throws DownloadError; the host's error when the file cannot be written.
 */
export async function fetchResult(
  parts: { readonly transfer: FileTransfer; readonly clock: Clock; readonly random?: () => number },
  result: ResultDownload,
  options: { readonly signal: AbortSignal; readonly onProgress?: (progress: TransferProgress) => void },
): Promise<void> {
  let status: number | null = null;
  for (let tries = 0; tries <= MAX_SECOND_TRIES; tries++) {
    const url = await result.link(tries > 0);
    status = await fetchOnce(parts, { ...options, url, path: result.path });
    if (status !== 200) continue;
    const fault = await result.fault();
    if (fault === null) return;
    if (tries === MAX_SECOND_TRIES) throw new DownloadError("result_damaged", `the fetched file ${fault}`, { status });
  }
  throw new DownloadError("result_unavailable", `storage does not hand out the result (HTTP ${status})`, { status });
}

async function fetchOnce(
  parts: { readonly transfer: FileTransfer; readonly clock: Clock; readonly random?: () => number },
  request: Parameters<FileTransfer["download"]>[0],
): Promise<number> {
  let waitedMs = 0;
  for (let attempts = 1; ; attempts++) {
    let status: number | null = null;
    let cause: unknown;
    try {
      ({ status } = await parts.transfer.download(request));
      if (status < 500 && status !== 408 && status !== 429) return status;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      cause = error;
    }
    const failure = { kind: "no-answer", mayHaveArrived: true } as const;
    const delayMs = retryDelayMs(
      { failure, repeat: "safe", attempts, waitedMs, maxAttempts: MAX_TRANSFER_ATTEMPTS },
      parts.random ?? Math.random,
    );
    if (delayMs === null) {
      const answer = status === null ? "the connection broke" : `storage answered HTTP ${status}`;
      throw new DownloadError("result_unavailable", `the result could not be fetched: ${answer} each time`, {
        status,
        cause,
      });
    }
    await parts.clock.sleep(delayMs, request.signal);
    waitedMs += delayMs;
  }
}
