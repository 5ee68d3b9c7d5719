import type { EncoderManager, premierepro, Sequence } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import { type Files, isSamePath, mediaLength } from "../files.ts";
import type { ExportOperation } from "../host.ts";
import { HostError } from "../host-error.ts";
import { hinted } from "./events.ts";
import { calledBy, orAborted } from "./host-fault.ts";
import { asCancellation, GrowingFile, POLL_MS } from "./wait-for-export.ts";

/** Longest wait for a first sign of an export that was ordered, in milliseconds: `startBatchEncode` was seen to do nothing. */
const BEGIN_MS = 120_000;
/** Looks in a row at which a file keeps its size where Media Encoder says nothing. */
const SILENT_POLLS = 5;
/** Lengths that differ by more are of files that are not whole: three frames of the slowest rates, in seconds. */
export const QUEUED_LENGTH_TOLERANCE = 0.25;

const OPERATION = "export the sequence in Media Encoder";

/** Media Encoder was given an export, and nothing tells that it does anything. */
export class EncoderIdleError extends HostError {}

/** What is told of an export in the queue by those events that are certainly about it. */
interface QueueNews {
  state: "pending" | "done" | "failed" | "cancelled";
  fraction?: number;
  error?: unknown;
  /** Whether the queue told of anything, of whichever job. */
  isAlive?: boolean;
}

/** The file that the queue makes. */
interface QueuedFile {
  readonly path: string;
  readonly durationSeconds: number;
}

/** What waiting for the queue needs. */
export interface QueueWait extends QueuedFile {
  readonly premiere: premierepro;
  readonly clock: Clock;
  readonly files: Pick<Files, "size" | "readBytes">;
}

/** What Media Encoder is to export. */
export interface QueueOrder extends QueueWait {
  /** A fresh handle of the sequence: none lasts longer than a wait. */
  readonly openSequence: () => Promise<Sequence>;
  readonly presetPath: string;
  /** Whether all of the sequence is exported, or from in to out. */
  readonly isWhole: boolean;
  /** Called once the queue has it, before it begins. */
  readonly onQueued: () => Promise<void>;
}

/** Whether Media Encoder is installed beside this Premiere, and can be told to begin, which versions before 26.3 cannot. */
export async function hasEncoder(premiere: premierepro): Promise<boolean> {
  try {
    const manager = await premiere.EncoderManager.getManager();
    return (await manager.isAMEInstalled) && "startBatchEncode" in manager && "launchEncoder" in manager;
  } catch {
    // What cannot be asked cannot be used.
    return false;
  }
}

/**
 * Puts an export into Media Encoder's queue, has the queue begin, and waits for the file. Premiere and the editor are free
 * meanwhile. The queue belongs to the editor: what waits in it begins too. An abort ends the waiting alone, for Premiere has no
 * call that takes a job out of the queue.
 *
 * @returns The size of the file in bytes.
 * @throws HostError `export_failed`; EncoderIdleError where nothing tells that it has begun; the signal's reason.
 */
export async function exportInQueue(order: QueueOrder, operation: ExportOperation): Promise<number> {
  const { premiere, path } = order;
  if (!(await hasEncoder(premiere))) {
    throw fault(
      "There is no Media Encoder that this Premiere can use. Choose Premiere under Export, then try again.",
      "EncoderManager.isAMEInstalled answered no, or startBatchEncode and launchEncoder are missing",
    );
  }
  const manager = async () => premiere.EncoderManager.getManager();
  const queue = new QueueListener(premiere, await manager(), path);
  try {
    await (await manager()).launchEncoder();
    const type = premiere.Constants.ExportType.QUEUE_TO_AME;
    const encoder = await manager();
    const sequence = await order.openSequence();
    const isQueued = await orAborted(
      encoder.exportSequence(sequence, type, path, order.presetPath, order.isWhole),
      operation.signal,
    );
    if (isQueued === false) {
      throw fault(
        "Media Encoder did not take the export. Start it once by hand, then try again.",
        "EncoderManager.exportSequence with QUEUE_TO_AME answered false",
      );
    }
    await order.onQueued();
    try {
      await (await manager()).startBatchEncode();
    } catch (error) {
      throw idle(calledBy(error));
    }
    queue.isOrdered();
    return await untilThere(order, queue.news, operation);
  } finally {
    queue.close();
  }
}

/** Waits for an export that the queue was given earlier, perhaps by a panel that was closed since. Likewise. */
export async function waitForQueued(wait: QueueWait, operation: ExportOperation): Promise<number> {
  const { premiere, path } = wait;
  const queue = new QueueListener(premiere, await premiere.EncoderManager.getManager(), path);
  try {
    return await untilThere(wait, queue.news, operation);
  } finally {
    queue.close();
  }
}

/**
 * What Media Encoder's events tell of one export. They name jobs by a number that no call gives: the file that a job made, and the
 * one job that was queued while ours was, are certain; with more than one nobody can say whose the percentage is.
 */
class QueueListener {
  readonly news: QueueNews = { state: "pending" };
  readonly #queued = new Set<unknown>();
  #isOrdered = false;
  readonly #stops: (() => void)[];

  constructor(premiere: premierepro, manager: EncoderManager, path: string) {
    const { EncoderManager: names, EventManager: events } = premiere;
    const { news } = this;
    const isOurs = (event: QueueEvent) => this.#queued.size === 1 && this.#queued.has(event.jobID);
    const listeners: readonly (readonly [() => string, (event: QueueEvent) => void])[] = [
      [() => names.EVENT_RENDER_QUEUE, ({ jobID }) => !this.#isOrdered && this.#queued.add(jobID)],
      [() => names.EVENT_RENDER_PROGRESS, (event) => isOurs(event) && takeFraction(news, event.progressAmount)],
      [
        () => names.EVENT_RENDER_COMPLETE,
        (event) => {
          const made = Array.isArray(event.outputFiles) ? event.outputFiles : [];
          if (made.length > 0 ? made.some((file) => isSamePath(String(file), path)) : isOurs(event))
            news.state = "done";
        },
      ],
      [
        () => names.EVENT_RENDER_ERROR,
        (event) => isOurs(event) && Object.assign(news, { state: "failed", error: event.inErrorNumber }),
      ],
      [() => names.EVENT_RENDER_CANCEL, (event) => isOurs(event) && Object.assign(news, { state: "cancelled" })],
    ];
    this.#stops = listeners.map(([nameOf, take]) => {
      const listener = (event?: object) => {
        // What was queued is no sign that anything is done.
        news.isAlive ||= this.#isOrdered;
        take(event ?? {});
      };
      return hinted(() => {
        const name = nameOf();
        events.addEventListener(manager, name, listener);
        return () => events.removeEventListener(manager, name, listener);
      });
    });
  }

  /** From here on, what is queued is somebody else's. An event may come a moment after the call that it tells of has answered. */
  isOrdered(): void {
    this.#isOrdered = true;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}

/** What the events carry, as far as anybody knows. */
interface QueueEvent {
  readonly jobID?: unknown;
  readonly progressAmount?: unknown;
  readonly outputFiles?: unknown;
  readonly inErrorNumber?: unknown;
}

function takeFraction(news: QueueNews, amount: unknown): void {
  const fraction = Number(amount);
  if (fraction >= 0 && fraction <= 1) news.fraction = fraction;
}

async function untilThere(wait: QueueWait, news: QueueNews, operation: ExportOperation): Promise<number> {
  const { clock, files, path } = wait;
  const file = new GrowingFile(files, path);
  const startedAt = clock.now();
  for (;;) {
    operation.onProgress?.(news.fraction === undefined ? {} : { fraction: news.fraction });
    await clock.sleep(POLL_MS, operation.signal);
    operation.signal.throwIfAborted();
    if (news.state === "cancelled") throw cancelled();
    if (news.state === "failed") {
      throw fault(
        `Media Encoder could not export the sequence (error ${String(news.error)}). Its own log says why. Choose Premiere ` +
          "under Export, then try again.",
        `EncoderManager.EVENT_RENDER_ERROR told of error ${String(news.error)}`,
      );
    }
    await file.look();
    const isSilent = news.state === "pending" && news.isAlive !== true && file.size === null;
    if (isSilent && clock.now() - startedAt >= BEGIN_MS) {
      throw idle(`EncoderManager.startBatchEncode began nothing in ${BEGIN_MS / 1000} s`);
    }
    const size = file.keptSize(news.state === "done" ? undefined : SILENT_POLLS);
    if (size !== null && (news.state === "done" || (await isWhole(wait)))) return size;
  }
}

/** A movie's header is written last: a file that states its length is there to its end. */
async function isWhole({ files, path, durationSeconds }: QueueWait): Promise<boolean> {
  const length = await mediaLength(files, path);
  return length !== null && Math.abs(length - durationSeconds) <= QUEUED_LENGTH_TOLERANCE;
}

function cancelled(): HostError {
  return asCancellation(
    fault(
      "The export was cancelled in Media Encoder. Start it again when you want it.",
      "EncoderManager.EVENT_RENDER_CANCEL told of it",
    ),
  );
}

function idle(tried: string): EncoderIdleError {
  const message = "Media Encoder did not begin the export. Remove it from its queue there, then try again.";
  const context = { operation: OPERATION, state: "the export is still in Media Encoder's queue", tried: [tried] };
  return new EncoderIdleError("export_failed", message, context);
}

function fault(message: string, tried: string): HostError {
  return new HostError("export_failed", message, {
    operation: OPERATION,
    state: "nothing was exported",
    tried: [tried],
  });
}
