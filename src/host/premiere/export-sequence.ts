import type { premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import type { Timeline } from "../../core/timeline.ts";
import { cutOf } from "../edit-plan.ts";
import { type Files, mediaLength } from "../files.ts";
import type { ExportedMedia, ExportOperation, ExportRequest, QueuedExport } from "../host.ts";
import { HostError } from "../host-error.ts";
import type { Learnt } from "../learnt.ts";
import type { PresetSource } from "../preset-files.ts";
import { EncoderIdleError, exportInQueue, QUEUED_LENGTH_TOLERANCE, waitForQueued } from "./encoder-queue.ts";
import { hostFault, withFreshHandles } from "./host-fault.ts";
import { activeSequence, openSequence } from "./open-sequence.ts";
import type { Pace } from "./pace.ts";
import { choosePresets, mediaTypeOf, type UsablePreset } from "./presets.ts";
import { withRangePoints } from "./range-points.ts";
import { readFacts, type SequenceFacts } from "./read-snapshot.ts";
import { readTimeline } from "./read-timeline.ts";
import { rateFromTicksPerFrame, secondsFromTicks, ticksOnGrid } from "./ticks.ts";
import { mayBeCancelled, waitForExport } from "./wait-for-export.ts";

/** What exporting needs. */
export interface ExportOptions {
  readonly premiere: premierepro;
  readonly clock: Clock;
  readonly files: Pick<Files, "size" | "remove" | "readBytes">;
  readonly presets: PresetSource;
  /** A native path for a new file of this ending, in a folder that exists and that nothing else uses. */
  readonly newFile: (extension: string) => Promise<string>;
  /** Default: the handbook's safe pace. */
  readonly pace?: Pace;
  /** What was learnt of this Premiere; nothing is kept between sessions without it. */
  readonly learnt?: Learnt;
  /** Longest wait for an answer of Premiere's, in milliseconds; none without it. */
  readonly answerLimitMs?: number;
  /** As {@link ApplyContext.copyFile}. */
  readonly copyFile?: (path: string) => Promise<string>;
}

/** A file may be this much longer or shorter than the range it was made from: a frame at each end, and sound's own grid. */
const LENGTH_TOLERANCE_FRAMES = 3;

/**
 * Exports the active sequence, whole, from in to out, or a stretch of it: inside Premiere, which shows its own dialog meanwhile and
 * gives no percentage, or in Media Encoder's queue. For a stretch the in and out point are set meanwhile, and then put back. Raises
 * `no_sequence`, `sequence_empty`, `file_not_found` (media offline, or no preset), `export_failed`, `disk_full`, and the
 * signal's reason.
 */
export async function exportSequence(
  options: ExportOptions,
  request: ExportRequest,
  operation: ExportOperation,
): Promise<ExportedMedia> {
  const { premiere, files } = options;
  const { signal } = operation;
  signal.throwIfAborted();
  try {
    const { queued } = request;
    if (queued !== undefined) {
      const made = await unlessIdle(() => queuedExport(options, queued, operation), operation);
      if (made !== null) return made;
    }
    const reference = await activeSequence(premiere);
    const facts = await withFreshHandles(() => readFacts(premiere, reference));
    const range = rangeOf(facts, request);
    const timeline = await withFreshHandles(() => readTimeline(premiere, reference, files));
    refuseOffline(timeline, range);
    const presets = await choosePresets(premiere, reference, options.presets, request);
    const isStretch = typeof request.range === "object";
    // In and out of a stretch stand while it is exported: nobody could edit meanwhile.
    let isBeside = request.by === "encoder" && queued === undefined && !isStretch;
    const mediaOf = (path: string, preset: UsablePreset): QueuedExport => ({
      path,
      contentType: mediaTypeOf(preset.extension),
      durationSeconds: range.end - range.start,
      offsetSeconds: range.start,
      isTemporary: true,
      layout: cutOf(timeline),
    });
    const render = async (preset: UsablePreset): Promise<Rendered> => {
      const media = mediaOf(await options.newFile(preset.extension), preset);
      const { path } = media;
      await files.remove(path);
      signal.throwIfAborted();
      operation.onProgress?.({});
      const opened = async () => (await openSequence(premiere, reference)).sequence;
      const isWhole = request.range === "whole";
      if (isBeside) {
        const onQueued = async () => operation.onQueued?.(media);
        const order = { ...options, ...media, openSequence: opened, presetPath: preset.path, isWhole, onQueued };
        const queuedBytes = await unlessIdle(() => exportInQueue(order, operation), operation);
        if (queuedBytes !== null) return { preset, media: { ...media, sizeBytes: queuedBytes } };
        // Into a file of its own: the one in the queue may still be made.
        isBeside = false;
        return render(preset);
      }
      const type = premiere.Constants.ExportType.IMMEDIATELY;
      const manager = await premiere.EncoderManager.getManager();
      const answer = manager.exportSequence(await opened(), type, path, preset.path, isWhole);
      const isThere = async () => isAsLong(await mediaLength(files, path), media, lengthTolerance(facts));
      const wait = { premiere, clock: options.clock, files, path, signal, isWhole: isThere };
      const sizeBytes = await waitForExport(answer, wait);
      return { preset, media: { ...media, sizeBytes } };
    };
    const work = () => withNextPreset(presets, render, signal);
    const { preset, media } = await (isStretch
      ? withRangePoints({ ...options, reference, signal }, range, work)
      : work());
    await refuseWrongLength(files, media, lengthTolerance(facts));
    // That it cannot be remembered changes nothing about the export.
    await options.presets.worked?.(preset.path).catch(() => undefined);
    return media;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw hostFault(error, { operation: "export the sequence", state: "nothing was exported", code: "export_failed" });
  }
}

/** An export with the preset that it was made with. */
interface Rendered {
  readonly preset: UsablePreset;
  readonly media: ExportedMedia;
}

/** What Media Encoder makes; `null` where it does nothing, which is told: Premiere then exports by itself. */
async function unlessIdle<Made>(work: () => Promise<Made>, { onNotice }: ExportOperation): Promise<Made | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EncoderIdleError)) throw error;
    onNotice?.("Media Encoder did not begin the export, so Premiere exports it. Remove it from Media Encoder's queue.");
    return null;
  }
}

/** An export that the queue was given earlier, once it is there. */
async function queuedExport(
  { premiere, clock, files }: ExportOptions,
  queued: QueuedExport,
  operation: ExportOperation,
): Promise<ExportedMedia> {
  const sizeBytes = await waitForQueued({ premiere, clock, files, ...queued }, operation);
  await refuseWrongLength(files, queued, QUEUED_LENGTH_TOLERANCE);
  return { ...queued, sizeBytes };
}

/** Renders with the first preset, and with the next where one fails by its own fault. @throws what the last one raised. */
async function withNextPreset<Rendered>(
  [first, ...others]: readonly [UsablePreset, ...UsablePreset[]],
  render: (preset: UsablePreset) => Promise<Rendered>,
  signal: AbortSignal,
): Promise<Rendered> {
  try {
    return await render(first);
  } catch (error) {
    const [second, ...rest] = others;
    const isPresets = error instanceof HostError && error.code === "export_failed" && !mayBeCancelled(error);
    if (second === undefined || signal.aborted || !isPresets) throw error;
    return withNextPreset([second, ...rest], render, signal);
  }
}

interface ExportedRange {
  /** Seconds on the sequence clock. */
  readonly start: number;
  readonly end: number;
}

function rangeOf(facts: SequenceFacts, request: ExportRequest): ExportedRange {
  const tried = ["Sequence.getEndTime", "Sequence.getInPoint", "Sequence.getOutPoint"].map((member, index) => {
    const ticks = [facts.end, facts.inPoint, facts.outPoint][index];
    return `${member} answered ${ticks === null ? "that it is not set" : `${String(ticks)} ticks`}`;
  });
  const context = { operation: "export the sequence", state: "nothing was exported", tried };
  if (facts.end <= 0n) {
    throw new HostError(
      "sequence_empty",
      `The sequence "${facts.name}" holds no clips. Edit something into it.`,
      context,
    );
  }
  const { start, end } = ticksOf(facts, request);
  if (end <= start) {
    const message = `Between in and out point of "${facts.name}" there is nothing. Set in and out points, or clear them.`;
    throw new HostError("sequence_empty", message, context);
  }
  return { start: secondsFromTicks(start), end: secondsFromTicks(end) };
}

function ticksOf(facts: SequenceFacts, { range }: ExportRequest): { readonly start: bigint; readonly end: bigint } {
  if (range === "whole") return { start: 0n, end: facts.end };
  if (range === "in-to-out") return { start: facts.inPoint ?? 0n, end: facts.outPoint ?? facts.end };
  const [start, end] = [range.start, range.end].map((seconds) => ticksOnGrid(seconds, facts.ticksPerFrame));
  return { start: start ?? 0n, end: end === undefined || end > facts.end ? facts.end : end };
}

/** Premiere would render "Media offline" slides, and the service would describe them. */
function refuseOffline(timeline: Timeline, range: ExportedRange): void {
  const offline = offlineIn(timeline, range);
  if (offline === undefined) return;
  const message = `The media of "${offline}" is offline. Link it again, or disable the clip, then start again.`;
  throw new HostError("file_not_found", message, { operation: "export the sequence", state: "nothing was exported" });
}

function offlineIn(timeline: Timeline, range: ExportedRange): string | undefined {
  for (const track of timeline.tracks) {
    if (!track.isEnabled) continue;
    for (const clip of track.clips) {
      if (!clip.isEnabled || clip.end <= range.start || clip.start >= range.end) continue;
      const { source } = clip;
      if (source.kind === "media" && source.location === null) return clip.name;
      const inner = source.kind === "nested" ? offlineIn(source.timeline, WHOLE) : undefined;
      if (inner !== undefined) return `${inner}" in "${clip.name}`;
    }
  }
  return undefined;
}

const WHOLE: ExportedRange = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** An export was seen to obey a stray out point; a file of the wrong length would put every cue in the wrong place. */
async function refuseWrongLength(
  files: ExportOptions["files"],
  media: QueuedExport,
  toleranceSeconds: number,
): Promise<void> {
  const { path, durationSeconds: wanted } = media;
  const length = await mediaLength(files, path);
  if (length === null || isAsLong(length, media, toleranceSeconds)) return;
  await files.remove(path);
  throw new HostError(
    "export_failed",
    `The export is ${length.toFixed(1)} s long instead of ${wanted.toFixed(1)} s. Check the in and out points, then try again.`,
    {
      operation: "export the sequence",
      state: "the file was removed",
      tried: ["EncoderManager.exportSequence made a file of another length than was asked for"],
    },
  );
}

function isAsLong(length: number | null, { durationSeconds }: QueuedExport, toleranceSeconds: number): boolean {
  return length !== null && Math.abs(length - durationSeconds) <= toleranceSeconds;
}

/** By how much a file may be longer or shorter than its range, in seconds. */
function lengthTolerance({ ticksPerFrame }: SequenceFacts): number {
  const rate = rateFromTicksPerFrame(ticksPerFrame);
  return Math.max(0.2, (LENGTH_TOLERANCE_FRAMES * rate.denominator) / rate.numerator);
}
