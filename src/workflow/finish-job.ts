import { fetchResult } from "../client/download.ts";
import { DownloadError, ServiceError } from "../client/errors.ts";
import type { DoneJob } from "../client/job-reply.ts";
import { waitForJob } from "../client/wait.ts";
import { readWavHeader, WAV_HEADER_BYTES, type WavHeader, wavDurationSeconds } from "../core/wav-header.ts";
import type { ExportedMedia } from "../host/host.ts";
import { JobFailedError } from "./errors.ts";
import type { RunResult } from "./recovery.ts";
import type { Run } from "./run.ts";
import { submit } from "./submit.ts";
import { uploadMedia } from "./upload-media.ts";

/** A finished job's text, and the job itself where it was asked for in this run. */
export interface FinishedJob {
  readonly jobId: string;
  readonly result: RunResult;
  /** Absent when the text was on record already: its links would be stale. */
  readonly job?: DoneJob;
}

/** Sound that was fetched and found whole. */
export interface FetchedAudio {
  readonly path: string;
  readonly header: WavHeader;
  readonly durationSeconds: number;
}

/**
 * Brings the job of a run to its end: uploads, submits, waits, and keeps the text. What an earlier run did is used where
 * the service still knows it; where it does not, that part is done again, once.
 *
 * @throws JobFailedError when the job fails; the upload is kept for another job.
 */
export async function finishJob(run: Run, exported: ExportedMedia): Promise<FinishedJob> {
  const { result, submission } = run.record;
  if (result !== undefined && submission?.state === "accepted") return { jobId: submission.jobId, result };
  for (let isSecond = false; ; isSecond = true) {
    const wasOnRecord = run.record.media !== undefined;
    try {
      const media = await uploadMedia(run, exported);
      const jobId = await submit(run, media);
      const job = await waitForResult(run, jobId);
      return { jobId, job, result: await keepResult(run, job) };
    } catch (error) {
      if (isSecond || !(await canStartOver(run, error, wasOnRecord))) throw error;
    }
  }
}

/** Fetches the sound of a finished job, unless an earlier run has it whole. */
export async function fetchAudio(run: Run, finished: FinishedJob): Promise<FetchedAudio> {
  const { files, client } = run.ports;
  const { signal } = run.controls;
  const path = run.order.audioPath;
  if (run.record.audioPath === path) {
    const kept = await readAudio(run, path);
    if (typeof kept !== "string") return kept;
  }
  const linkOf = (job: DoneJob) => {
    if (job.audioUrl !== undefined) return job.audioUrl;
    throw new DownloadError("result_unavailable", "the finished job names no sound file", { status: null });
  };
  const link = async (isFresh: boolean) => {
    if (!isFresh && finished.job !== undefined) return linkOf(finished.job);
    const job = await client.getResults(finished.jobId, { signal });
    if (job.status === "done") return linkOf(job);
    throw new DownloadError("result_unavailable", "the service does not call the job done any more", { status: null });
  };
  let audio: FetchedAudio | string = "was not fetched";
  const fault = async () => {
    audio = await readAudio(run, path);
    return typeof audio === "string" ? audio : null;
  };
  await run.step("fetch", (report) => {
    const onProgress = ({ doneBytes, totalBytes }: { doneBytes: number; totalBytes?: number }) =>
      report(totalBytes === undefined || totalBytes === 0 ? undefined : doneBytes / totalBytes);
    return fetchResult(run.ports, { link, path, fault }, { signal, onProgress });
  });
  await run.keep({ audioPath: path });
  const fetched = await readAudio(run, path);
  if (typeof fetched !== "string") return fetched;
  await files.remove(path);
  throw new DownloadError("result_damaged", `the fetched file ${fetched}`, { status: null });
}

/** A sound file as fetched; a few words on what is wrong with it, to follow "the file", when it cannot be used. */
async function readAudio(run: Run, path: string): Promise<FetchedAudio | string> {
  const { files } = run.ports;
  const sizeBytes = await files.size(path);
  if (sizeBytes === null) return "is not there";
  const header = readWavHeader(await files.readBytes(path, 0, WAV_HEADER_BYTES));
  if (header === null) return "is not a WAV file";
  if (header.dataBytes !== null && header.dataOffset + header.dataBytes > sizeBytes) return "is cut off";
  return { path, header, durationSeconds: wavDurationSeconds(header, sizeBytes) };
}

async function waitForResult(run: Run, jobId: string): Promise<DoneJob> {
  const { client, clock } = run.ports;
  const { signal } = run.controls;
  return run.step("wait", async (report) => {
    const end = await waitForJob(client, jobId, {
      clock,
      signal,
      onProgress: (job) => report(job.progress?.fraction, job.progress?.stage ?? job.word),
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
