import { ServiceError } from "../../client/errors.ts";
import type { DoneJob } from "../../client/job-reply.ts";
import { type SentFile, sendFile, type VerifiedUpload, verifyUpload } from "../../client/upload.ts";
import { waitForJob } from "../../client/wait.ts";
import { isRequestErrorCode, REQUEST_ERRORS, type RequestErrorCode } from "../../contract/error-codes.ts";
import { fileNameOf } from "../../core/local-file.ts";
import type { TransferProgress } from "../../core/ports.ts";
import type { ExportedMedia } from "../../host/host.ts";
import { JobFailedError } from "../errors.ts";
import type { RunMedia, RunResult } from "./recovery.ts";
import type { Run } from "./run.ts";
import { submit } from "./submit.ts";

/** A finished job's text, and the job itself where it was asked for in this run. */
export interface FinishedJob {
  readonly jobId: string;
  readonly result: RunResult;
  /** Absent when the text was on record already: its links would be stale. */
  readonly job?: DoneJob;
}

/**
 * Brings the job of a run to its end: uploads, submits, waits, and keeps the text. What an earlier run did is used where
 * the service still knows it; where it does not, that part is done again, once.
 *
 * @param exportOnce The exported file, made where it is not there.
 * @throws JobFailedError when the job fails; the upload is kept for another job.
 */
export async function finishJob(run: Run, exportOnce: () => Promise<ExportedMedia>): Promise<FinishedJob> {
  const { result, submission } = run.record;
  if (result !== undefined && submission?.state === "accepted") return { jobId: submission.jobId, result };
  return withOrder(run, exportOnce, async (jobId) => {
    const job = await waitForResult(run, jobId);
    return { jobId, job, result: await keepResult(run, job) };
  });
}

/** Brings a run up to its job, as {@link finishJob} does, and resolves with the job's id: that of an earlier run where it is on record. */
export function orderJob(run: Run, exportOnce: () => Promise<ExportedMedia>): Promise<string> {
  return withOrder(run, exportOnce, async (jobId) => jobId);
}

async function withOrder<T>(
  run: Run,
  exportOnce: () => Promise<ExportedMedia>,
  use: (jobId: string) => Promise<T>,
): Promise<T> {
  for (let isSecond = false; ; isSecond = true) {
    const wasOnRecord = run.record.media !== undefined;
    try {
      // The second time a file of an earlier run may be gone, and is exported again.
      const media = await uploadMedia(run, await exportOnce());
      return await use(await submit(run, media));
    } catch (error) {
      if (isSecond || !(await canStartOver(run, error, wasOnRecord))) throw error;
    }
  }
}

async function waitForResult(run: Run, jobId: string): Promise<DoneJob> {
  const { client, clock } = run.ports;
  const { signal } = run.controls;
  return run.step("wait", async (report) => {
    const end = await waitForJob(client, jobId, {
      clock,
      signal,
      onProgress: (job) => report(job.progress?.fraction, job.progress?.stage ?? job.word, job.cost),
    });
    if (end.status === "done") return end;
    await run.forget("submission");
    throw new JobFailedError(end.code, end.message, {
      jobId,
      ...(end.foreignCode === undefined ? {} : { foreignCode: end.foreignCode }),
    });
  });
}

async function keepResult(run: Run, job: DoneJob): Promise<RunResult> {
  if (job.text === null && run.order.track === "none") {
    throw new ServiceError("reply_unreadable", "the job is done, but its reply holds no text", { status: 200 });
  }
  const { format, content } = job.text ?? { format: null, content: "" };
  const result = { format, content, ...(job.report === undefined ? {} : { report: job.report }) };
  await run.keep({ result });
  return result;
}

/** Whether an error means that the service has lost what this run relies on, and forgets that part if so. */
async function canStartOver(run: Run, error: unknown, mediaWasOnRecord: boolean): Promise<boolean> {
  if (!(error instanceof ServiceError)) return false;
  const { submission } = run.record;
  if (error.code === "upload_failed" && submission === undefined && error.uploadStatus !== "failed") {
    await run.forget("media", "sent");
    return true;
  }
  if (error.code !== "not_found") return false;
  if (submission?.state === "accepted") {
    if (!run.order.sendsAgain) return false;
    await run.forget("submission", "media", "sent");
    return true;
  }
  if (mediaWasOnRecord) await run.forget("media", "sent");
  return mediaWasOnRecord;
}

/**
 * The media of a run: the one on record, or the exported file sent through the signed flow and verified. A refused
 * upload is sent once more.
 *
 * @throws ServiceError with the reason when the upload is refused again, or for a reason that another upload would meet.
 */
async function uploadMedia(run: Run, exported: ExportedMedia): Promise<RunMedia> {
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
  let begun: SentFile | undefined;
  const sent = await run.step("upload", async (report) => {
    const onProgress = ({ doneBytes, totalBytes = exported.sizeBytes }: TransferProgress) => {
      report(
        totalBytes === 0 ? undefined : doneBytes / totalBytes,
        `${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`,
      );
    };
    const { signal } = run.controls;
    const onAddress = (sending: SentFile) => {
      begun = sending;
    };
    try {
      return await sendFile(run.ports, file, { signal, onProgress, onAddress });
    } catch (error) {
      // Who stopped it may want what has arrived removed.
      if (signal.aborted && begun !== undefined) await run.keep({ sending: begun });
      throw error;
    }
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
