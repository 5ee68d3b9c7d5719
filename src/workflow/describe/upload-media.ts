import { ServiceError } from "../../client/errors.ts";
import { type SentFile, sendFile, type VerifiedUpload, verifyUpload } from "../../client/upload.ts";
import { isRequestErrorCode, REQUEST_ERRORS, type RequestErrorCode } from "../../contract/error-codes.ts";
import { fileNameOf } from "../../core/file-name.ts";
import type { TransferProgress } from "../../core/file-transfer.ts";
import type { ExportedMedia } from "../../host/host.ts";
import type { RunMedia } from "./recovery.ts";
import type { Run } from "./run.ts";

/**
 * The media of a run: the one on record, or the exported file sent through the signed flow and verified. A refused
 * upload is sent once more.
 *
 * @throws ServiceError with the reason when the upload is refused again, or for a reason that another upload would meet.
 */
export async function uploadMedia(run: Run, exported: ExportedMedia): Promise<RunMedia> {
  if (run.record.media !== undefined) return run.record.media;
  for (let isSecond = false; ; isSecond = true) {
    const verified = await sendAndVerify(run, exported);
    if (verified.outcome === "ready") {
      const media = { mediaId: verified.mediaId, isVerified: verified.isVerified };
      await run.keep({ media });
      return media;
    }
    await run.forget("sent");
    const code = refusalCode(verified.code);
    if (isSecond || REQUEST_ERRORS[code].retry === "never") {
      const message = verified.message ?? "the uploaded file failed verification";
      throw new ServiceError(code, message, { status: REQUEST_ERRORS[code].status, uploadStatus: "failed" });
    }
  }
}

async function sendAndVerify(run: Run, exported: ExportedMedia): Promise<VerifiedUpload> {
  const kept = run.record.sent;
  if (kept !== undefined) {
    try {
      return await verify(run, kept);
    } catch (error) {
      // The service has forgotten the upload of an earlier run: it is made again.
      if (!(error instanceof ServiceError) || !["not_found", "invalid_input"].includes(error.code)) throw error;
      await run.forget("sent");
    }
  }
  return verify(run, await send(run, exported));
}

async function send(run: Run, exported: ExportedMedia): Promise<SentFile> {
  const file = {
    path: exported.path,
    filename: fileNameOf(exported.path) || "programme",
    contentType: exported.contentType,
  };
  const sent = await run.step("upload", (report) => {
    const onProgress = ({ doneBytes, totalBytes = exported.sizeBytes }: TransferProgress) => {
      report(
        totalBytes === 0 ? undefined : doneBytes / totalBytes,
        `${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`,
      );
    };
    return sendFile(run.ports, file, { signal: run.controls.signal, onProgress });
  });
  await run.keep({ sent });
  return sent;
}

async function verify(run: Run, sent: SentFile): Promise<VerifiedUpload> {
  return run.step("verify", () => verifyUpload(run.ports, sent, { signal: run.controls.signal }));
}

function refusalCode(word: string | undefined): RequestErrorCode {
  return word !== undefined && isRequestErrorCode(word) ? word : "upload_failed";
}

function megabytes(bytes: number): string {
  const count = bytes / 1_000_000;
  return count < 10 ? count.toFixed(1) : String(Math.round(count));
}
