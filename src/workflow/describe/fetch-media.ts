import { fetchResult } from "../../client/download.ts";
import { DownloadError } from "../../client/errors.ts";
import type { DoneJob } from "../../client/job-reply.ts";
import { MOST_BOXES, mp4Boxes } from "../../formats/mp4-boxes.ts";
import { readStatedHeader, WAVE_HEAD_BYTES, waveLength } from "../../formats/wave/read-wave.ts";
import type { StatedFormat } from "../../formats/wave/wave-format.ts";
import type { FinishedJob } from "./finish-job.ts";
import type { Run } from "./run.ts";

/** Sound that was fetched and found whole. */
export interface FetchedAudio {
  readonly path: string;
  readonly format: StatedFormat;
  readonly durationSeconds: number;
}

/** A video that was fetched and found whole. */
export interface FetchedVideo {
  readonly path: string;
  readonly sizeBytes: number;
}

/** A page to write on that was fetched and found whole. */
export interface FetchedWorksheet {
  readonly path: string;
}

/** Fetches the sound of a finished job, unless an earlier run has it whole. */
export function fetchAudio(run: Run, finished: FinishedJob): Promise<FetchedAudio> {
  const file = {
    keptAs: "audioPath",
    what: "sound file",
    linkOf: (job: DoneJob) => job.audioUrl,
    read: readAudio,
  } as const;
  return fetchMedia(run, finished, run.order.audioPath, file);
}

/** Fetches the video of a finished job, unless an earlier run has it whole. */
export function fetchVideo(run: Run, finished: FinishedJob, path: string): Promise<FetchedVideo> {
  const file = { keptAs: "videoPath", what: "video", linkOf: (job: DoneJob) => job.videoUrl, read: readVideo } as const;
  return fetchMedia(run, finished, path, file);
}

/** Fetches the worksheet of a finished job, unless an earlier run has it whole. */
export function fetchWorksheet(run: Run, finished: FinishedJob, path: string): Promise<FetchedWorksheet> {
  const file = {
    keptAs: "worksheetPath",
    what: "worksheet",
    linkOf: (job: DoneJob) => job.worksheetUrl,
    read: readWorksheet,
  } as const;
  return fetchMedia(run, finished, path, file);
}

/** One kind of file that a job brings. */
interface MediaKind<T> {
  /** Member of the run's record that holds its place. */
  readonly keptAs: "audioPath" | "videoPath" | "worksheetPath";
  readonly what: string;
  readonly linkOf: (job: DoneJob) => string | undefined;
  /** A file as fetched; a few words on what is wrong with it, to follow "the file", when it cannot be used. */
  readonly read: (run: Run, path: string) => Promise<T | string>;
}

async function fetchMedia<T>(run: Run, finished: FinishedJob, path: string, kind: MediaKind<T>): Promise<T> {
  const { client } = run.ports;
  const { signal } = run.controls;
  if (run.record[kind.keptAs] === path) {
    const kept = await kind.read(run, path);
    if (typeof kept !== "string") return kept;
  }
  const linkOf = (job: DoneJob) => {
    const url = kind.linkOf(job);
    if (url !== undefined) return url;
    throw new DownloadError("result_unavailable", `the finished job names no ${kind.what}`, { status: null });
  };
  const link = async (isFresh: boolean) => {
    if (!isFresh && finished.job !== undefined) return linkOf(finished.job);
    const job = await client.getResults(finished.jobId, { signal });
    if (job.status === "done") return linkOf(job);
    throw new DownloadError("result_unavailable", "the service no longer calls the job done", { status: null });
  };
  const fault = async () => {
    const read = await kind.read(run, path);
    return typeof read === "string" ? read : null;
  };
  await run.step("fetch", (report) => {
    const onProgress = ({ doneBytes, totalBytes }: { doneBytes: number; totalBytes?: number }) =>
      report(totalBytes === undefined || totalBytes === 0 ? undefined : doneBytes / totalBytes);
    return fetchResult(run.ports, { link, path, fault }, { signal, onProgress });
  });
  await run.keep({ [kind.keptAs]: path });
  const fetched = await kind.read(run, path);
  if (typeof fetched !== "string") return fetched;
  throw new DownloadError("result_damaged", `the fetched ${kind.what} ${fetched}`, { status: null });
}

/** What the page ends with: cut off anywhere, it does not. */
const PAGE_END = "</html>\n";

async function readWorksheet({ ports: { files } }: Run, path: string): Promise<FetchedWorksheet | string> {
  const sizeBytes = await files.size(path);
  if (sizeBytes === null) return "is not there";
  const end = await files.readBytes(path, Math.max(0, sizeBytes - PAGE_END.length), PAGE_END.length);
  return String.fromCharCode(...end) === PAGE_END ? { path } : "is cut off";
}

async function readAudio(run: Run, path: string): Promise<FetchedAudio | string> {
  const { files } = run.ports;
  const sizeBytes = await files.size(path);
  if (sizeBytes === null) return "is not there";
  const reading = readStatedHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (!reading.ok) return "is not a WAV file";
  const { seconds, isCut } = waveLength(reading.layout, sizeBytes);
  return isCut ? "is cut off" : { path, format: reading.layout.format, durationSeconds: seconds };
}

/** Whether an MP4 file is whole: it begins with `ftyp` and ends where its last box does. */
async function readVideo(run: Run, path: string): Promise<FetchedVideo | string> {
  const { files } = run.ports;
  const sizeBytes = await files.size(path);
  if (sizeBytes === null) return "is not there";
  let [end, count] = [0, 0];
  for await (const box of mp4Boxes((offset, length) => files.readBytes(path, offset, length), 0, sizeBytes)) {
    if (count === 0 && box.type !== "ftyp") return "is not an MP4 file";
    end = box.end;
    count++;
  }
  if (count === 0) return "is not an MP4 file";
  if (end === sizeBytes || count === MOST_BOXES) return { path, sizeBytes };
  // Cut off within a box, or within the header of the next one.
  return sizeBytes - end < 8 ? "is cut off" : "is damaged";
}
