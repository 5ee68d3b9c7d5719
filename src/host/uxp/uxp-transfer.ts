import type { DownloadRequest, FileTransfer, TransferReply, UploadRequest } from "../../core/file-transfer.ts";
import { downloadFile } from "./download.ts";
import { type UxpUploadOptions, uploadFile } from "./upload.ts";

/** Moves files by UXP's `XMLHttpRequest` and `fs`, slice by slice. */
export class UxpTransfer implements FileTransfer {
  readonly #options: UxpUploadOptions;

  constructor(options: UxpUploadOptions) {
    this.#options = options;
  }

  upload(request: UploadRequest): Promise<TransferReply> {
    return uploadFile(this.#options, request);
  }

  download(request: DownloadRequest): Promise<TransferReply> {
    return downloadFile(this.#options, request);
  }
}
