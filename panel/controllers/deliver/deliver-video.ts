import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { fingerprintOf } from "../../../src/core/bytes.ts";
import { AudioDescriptionError } from "../../../src/core/error.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { isLocalAddress } from "../../../src/core/ports.ts";
import { mediaLength } from "../../../src/host/files.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { describedType, soundingCues } from "../../../src/result/result.ts";
import type { ManifestFile } from "../../../src/workflow/deliver/delivery-manifest.ts";
import { describe, type FinishedRun } from "../../../src/workflow/describe/describe.ts";
import { estimateRun, type StepProgress } from "../../../src/workflow/describe/run.ts";
import { checkScriptedVideo, isResultGone, videoOrder } from "../../../src/workflow/revoice/scripted-video.ts";
import { programmeGrid } from "../../../src/workflow/spoken-lines.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import type { DeliverState, VideoHindrance, VideoOffer } from "../../state/delivery-state.ts";
import { exportOf } from "../../state/form.ts";
import { jobOf } from "../../state/panel-state.ts";
import type { ReviewState } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import { hostOf } from "../describe/new-job.ts";
import { beginOnKeptMedia, scriptMemoryOf } from "../describe/voice-changed.ts";
import type { DeliveryWriting } from "./write-delivery-file.ts";

/** Bytes of a video that are hashed at a time. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** The service does not have what the video would be made of, or the video that it made. */
class VideoLostError extends AudioDescriptionError<"media_gone" | "video_gone"> {}

/** A video as it lies in the delivery. */
export interface DeliveredVideo {
  readonly file: ManifestFile;
  /** Its length and where its descriptions are heard, held against programme and texts. */
  readonly findings: readonly Finding[];
  /** Sentences for people from the run. */
  readonly notices: readonly string[];
}

/** Whether a video can be made of a result, what it costs, and how an order for it stands. */
export async function videoOffer(
  { library: { recovery } }: Session,
  shown: ReviewState,
  { isHuman }: DeliverState,
): Promise<VideoOffer> {
  const { result, job } = shown;
  const isLocal = isLocalAddress(job.serviceAddress);
  const { durationSeconds } = result;
  const { credits } = estimateRun({ durationSeconds, kind: "video", sizeBytes: 0, isLocal });
  const submission = (await recovery.load(videoRunId(shown)))?.submission;
  const hasMedia = submission !== undefined || (await recovery.load(result.runId))?.media !== undefined;
  const isRecut = result.isRecut === true;
  const hindrance: VideoHindrance | null = isHuman ? "human" : isRecut ? "recut" : hasMedia ? null : "noMedia";
  const standing =
    submission?.state === "accepted" ? "ordered" : submission !== undefined && !isLocal ? "unknown" : "new";
  return { hindrance, standing, credits };
}

/**
 * Has the service make the video of a result, and fetches it into the folder. The same words, voice and kind are the same
 * run: whatever ended it, it is gone on with, and not paid again.
 *
 * @throws VideoLostError; what {@link describe} raises; the signal's reason when it aborts.
 */
export async function deliverVideo(
  parts: { readonly session: Session; readonly connection: ServiceConnection },
  shown: ReviewState,
  delivery: DeliverState,
  { name, ...writing }: DeliveryWriting & { readonly name: string; readonly onStep: (progress: StepProgress) => void },
): Promise<DeliveredVideo> {
  const { environment, folder } = writing;
  const path = environment.pathIn(folder, name);
  const { cues, notices } = (await orderVideo(parts, shown, delivery, { path, ...writing })).result;
  const { result } = shown;
  const durationSeconds = await mediaLength(environment.files, path);
  const findings = checkScriptedVideo(
    { name, durationSeconds, heard: cues },
    {
      cues: soundingCues(result),
      settings: result.settings,
      type: describedType(result),
      programmeSeconds: result.durationSeconds,
    },
  );
  const video = durationSeconds === null ? {} : { video: { duration_seconds: durationSeconds } };
  return { file: { name, ...(await hashed(path, writing)), ...video }, findings, notices };
}

async function orderVideo(
  { session, connection }: { readonly session: Session; readonly connection: ServiceConnection },
  shown: ReviewState,
  { ordersVideoAgain, video }: DeliverState,
  to: { readonly path: string; readonly signal: AbortSignal; readonly onStep: (progress: StepProgress) => void },
): Promise<FinishedRun> {
  const { environment, library } = session;
  const { recovery } = library;
  const { result, job, sequence } = shown;
  const runId = videoRunId(shown);
  const client = await connection.client(job.serviceAddress);
  await keepVideoRun(session, result.runId, runId);
  const kept = await recovery.load(runId);
  if (kept === null) await beginOnKeptMedia(session, result, runId);
  else if (ordersVideoAgain && video?.standing !== "ordered") {
    const { submission: _, result: __, videoPath: ___, ...begun } = kept;
    await recovery.save(begun);
  }
  const ports = {
    ...environment,
    client,
    recovery,
    // The video is of the programme that the service has: the cut of today is another matter.
    host: { ...(await hostOf(session, { ...job, runId })), exportSequence: refuseExport },
    scriptMemory: scriptMemoryOf(session, job.serviceAddress),
  };
  const { settings } = result;
  const grid = programmeGrid(sequence, result.offsetSeconds);
  const isOurService = result.voicing !== undefined;
  const order = {
    ...videoOrder({
      settings,
      type: describedType(result),
      cues: soundingCues(result),
      grid,
      path: to.path,
      isOurService,
    }),
    runId,
    export: exportOf(job.form),
    audioPath: job.audioPath,
    sendsAgain: isLocalAddress(job.serviceAddress),
  };
  try {
    return await describe(ports, order, { signal: to.signal, onProgress: to.onStep });
  } catch (error) {
    to.signal.throwIfAborted();
    const left = await recovery.load(runId);
    if (left?.media === undefined) {
      await recovery.remove(runId);
      throw new VideoLostError("media_gone", words.videoMediaGone, { cause: error });
    }
    if (left.submission?.state !== "accepted" || !isResultGone(error)) throw error;
    throw new VideoLostError("video_gone", `${words.videoGone} ${words.videoNotAgain}`, { cause: error });
  }
}

function refuseExport(): Promise<never> {
  const state = "nothing was exported";
  return Promise.reject(new HostError("file_not_found", words.videoMediaGone, { operation: "make the video", state }));
}

/** The same for the same words at the same times, voice and kind; a result stays with its service. */
function videoRunId({ result }: ReviewState): string {
  const { language, voice, volume } = result.settings;
  const cues = soundingCues(result).map(({ start, end, text }) => [start, end, text]);
  const what = JSON.stringify([describedType(result), language, voice, volume ?? null, cues]);
  return `${result.runId}-video-${fingerprintOf(what)}`;
}

/** Notes with the job that a run belongs to it, so that both are removed together. */
async function keepVideoRun(session: Session, runId: string, videoRun: string): Promise<void> {
  const { videos = [] } = jobOf(session.state, runId) ?? {};
  if (!videos.includes(videoRun)) await session.changeJob(runId, { videos: [...videos, videoRun] });
}

/** Size and hash of a file, read piece by piece: it may be larger than the memory. */
async function hashed(path: string, { environment, signal, onProgress }: DeliveryWriting) {
  const { clock, files } = environment;
  const bytes = (await files.size(path)) ?? 0;
  const hash = sha256.create();
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    await clock.sleep(0, signal);
    hash.update(await files.readBytes(path, at, Math.min(PIECE_BYTES, bytes - at)));
    onProgress(Math.min(1, (at + PIECE_BYTES) / bytes));
  }
  return { bytes, sha256: bytesToHex(hash.digest()) };
}
