/** Time as a port, so that what waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** How many bytes of a transfer are done. `totalBytes` is absent where the other side does not say. */
export interface TransferProgress {
  readonly doneBytes: number;
  readonly totalBytes?: number;
}

/** What storage answered to a transfer: any status; the body only for errors, cut to a few kilobytes. */
export interface TransferReply {
  readonly status: number;
  readonly body: string;
}

/** One upload. */
export interface UploadRequest {
  readonly path: string;
  readonly url: string;
  /** Where the file can be sent in slices with `Content-Range`, if the service offers it. */
  readonly resumableUrl?: string;
  readonly contentType: string;
  readonly signal: AbortSignal;
  /** Waited for before each slice: a way to hold an upload. Raises the signal's reason when it aborts. */
  readonly mayGoOn?: () => Promise<void>;
  readonly onProgress?: (progress: TransferProgress) => void;
}

/** One download. */
export interface DownloadRequest {
  readonly url: string;
  /** Where the file goes; written under a temporary name and renamed when whole. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TransferProgress) => void;
}

/**
 * Moves files to and from storage without holding them in memory. A status of any kind is a reply; when no answer comes
 * at all, the transfer raises a `ConnectionError`; when the file cannot be read or written, the host's own error. Never
 * sends the API key. Never names the address in an error.
 */
export interface FileTransfer {
  /** `PUT`s a file with its content type and nothing else of ours. */
  upload(request: UploadRequest): Promise<TransferReply>;
  /** Fetches an address into a file. On any status but 200 the file is not written. */
  download(request: DownloadRequest): Promise<TransferReply>;
}

/** Whether an address is this computer's own: nothing that is sent there leaves it. */
export function isLocalAddress(address: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/i.test(address.trim());
}
