import type { DownloadRequest, FileTransfer, TransferReply, UploadRequest } from "../../core/file-transfer.ts";
import { downloadFile } from "./download.ts";
import { type UploadOptions, uploadFile } from "./upload.ts";

/** Moves files by UXP's `XMLHttpRequest` and `fs`, slice by slice. */
export class UxpTransfer implements FileTransfer {
  readonly #options: UploadOptions;

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  upload(request: UploadRequest): Promise<TransferReply> {
    return uploadFile(this.#options, request);
  }

  download(request: DownloadRequest): Promise<TransferReply> {
    return downloadFile(this.#options, request);
  }
}
