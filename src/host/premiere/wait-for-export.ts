import type { premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";
import { listenGlobally } from "./events.ts";
import { calledBy } from "./host-fault.ts";

/** After Premiere says it is done, a file may take this long to appear, and this long to stop growing. */
const APPEAR_MS = 15_000;
const SETTLE_MS = 120_000;
/** Looks at which a file has to keep its size where Premiere has said nothing yet. */
const SILENT_POLLS = 20;

/** What waiting for an export needs. */
export interface ExportWait {
  readonly premiere: premierepro;
  readonly clock: Clock;
  readonly files: Pick<Files, "size" | "remove">;
  readonly path: string;
  readonly signal: AbortSignal;
  /** Whether the file is there to its end, as far as it tells: for a Premiere that never says so. */
  readonly isWhole?: () => Promise<boolean>;
}

/** What Premiere has said so far. */
interface ExportVerdict {
  answer: "pending" | "done" | "refused" | "failed";
  error?: unknown;
}

/**
 * Waits until an export is there: Premiere says so, by its answer or its event, and the file exists, is not empty and
 * keeps its size. Returns the size in bytes. An abort ends the waiting only, since Premiere has no call that stops an
 * export; what it then still writes is removed.
 */
export async function waitForExport(answer: Promise<boolean>, wait: ExportWait): Promise<number> {
  const verdict: ExportVerdict = { answer: "pending" };
  const settled = Promise.resolve(answer).then(
    (isDone) => {
      // Only a refusal counts: whatever else is answered, the file tells.
      if (verdict.answer === "pending") verdict.answer = isDone === false ? "refused" : "done";
    },
    (error: unknown) => {
      verdict.answer = "failed";
      verdict.error = error;
    },
  );
  const stopListening = listenForEnd(wait.premiere, verdict);
  try {
    return await untilStable(wait, verdict, settled);
  } catch (error) {
    // Whatever Premiere still writes is nobody's any more.
    void settled.then(() => wait.files.remove(wait.path)).catch(() => undefined);
    throw error;
  } finally {
    stopListening();
  }
}

/** The event of a finished export counts as much as the answer, which may never come. */
function listenForEnd(premiere: premierepro, verdict: ExportVerdict): () => void {
  const success = () => premiere.Constants.OperationCompleteState.SUCCESS;
  return listenGlobally(
    premiere,
    ({ OperationCompleteEvent }) => OperationCompleteEvent.EXPORT_MEDIA_COMPLETE,
    (event) => {
      const isSuccess = event !== undefined && "state" in event && event.state === success();
      if (isSuccess && verdict.answer === "pending") verdict.answer = "done";
    },
  );
}

async function untilStable(wait: ExportWait, verdict: ExportVerdict, settled: Promise<void>): Promise<number> {
  const { clock, files, path, signal } = wait;
  const file = new GrowingFile(files, path);
  const startedAt = clock.now();
  let doneAt: number | null = null;
  for (;;) {
    if (verdict.answer === "pending") await Promise.race([settled, clock.sleep(POLL_MS, signal)]);
    else await clock.sleep(POLL_MS, signal);
    signal.throwIfAborted();
    if (verdict.answer === "refused") throw refused(clock.now() - startedAt);
    if (verdict.answer === "failed") throw failed(verdict.error);
    await file.look();
    if (verdict.answer === "pending") {
      const silent = file.keptSize(SILENT_POLLS);
      if (silent !== null && (await wait.isWhole?.()) === true) return silent;
      continue;
    }
    doneAt ??= clock.now();
    const size = file.keptSize();
    if (size !== null) return size;
    const waited = clock.now() - doneAt;
    if ((file.size ?? 0) === 0 && waited > APPEAR_MS) throw file.size === null ? noFile() : emptyFile();
    if (waited > SETTLE_MS) throw stillGrowing();
  }
}

const OPERATION = "export the sequence";

function fault(message: string, state: string, answer: string): HostError {
  const tried = [`EncoderManager.exportSequence ${answer}`];
  return new HostError("export_failed", message, { operation: OPERATION, state, tried });
}

/** A refusal that comes sooner than this is no person's: nobody cancels so fast. In milliseconds. */
const REFUSED_AT_ONCE_MS = 2000;

/** Refusals that may be cancellations by the person before Premiere. */
const CANCELLATIONS = new WeakSet<object>();

/** Whether what waiting for an export raised may have been the person's own doing. */
export function mayBeCancelled(error: object): boolean {
  return CANCELLATIONS.has(error);
}

/** An error that {@link mayBeCancelled} says yes to. */
export function asCancellation(error: HostError): HostError {
  CANCELLATIONS.add(error);
  return error;
}

function refused(afterMs: number): HostError {
  const error = fault(
    "Premiere did not export the sequence: the export was cancelled there, or refused. Start it again; if it is refused " +
      "again, choose another preset under Export.",
    "nothing was exported",
    `answered false after ${(afterMs / 1000).toFixed(1)} s`,
  );
  return afterMs >= REFUSED_AT_ONCE_MS ? asCancellation(error) : error;
}

function failed(error: unknown): HostError {
  const said = error instanceof Error ? error.message : String(error);
  const tried = [calledBy(error)];
  const context = { operation: OPERATION, state: "nothing was exported", cause: error, tried };
  if (/space|disk full|ENOSPC/i.test(said)) {
    const message = "There is not enough room on the disk for the export. Make room, or choose another folder.";
    return new HostError("disk_full", message, context);
  }
  const message = `Premiere could not export the sequence: ${said}. Export it by hand once to see why, then try again.`;
  return new HostError("export_failed", message, context);
}

function noFile(): HostError {
  return fault(
    "Premiere says the export is done, but there is no file. Choose another preset or another folder, then try again.",
    "there is no file",
    "made no file",
  );
}

function emptyFile(): HostError {
  return fault(
    "Premiere says the export is done, but the file is empty. Choose another preset, then try again.",
    "the empty file was removed",
    "made an empty file",
  );
}

function stillGrowing(): HostError {
  return fault(
    "Premiere says the export is done, but its file is still growing. Wait until the disk is quiet, then try again.",
    "the unfinished file is removed",
    `still writes its file after ${SETTLE_MS / 1000} s`,
  );
}

/** How often the file of an export is looked at, in milliseconds. */
export const POLL_MS = 1000;
/** Looks in a row at which a finished file keeps its size. */
const STABLE_POLLS = 2;

/** The file that an export writes: it may be there early, and grows. */
export class GrowingFile {
  readonly #files: Pick<Files, "size">;
  readonly #path: string;
  #size: number | null = null;
  #stablePolls = 0;

  constructor(files: Pick<Files, "size">, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Bytes at the last look; `null` where there was no file. */
  get size(): number | null {
    return this.#size;
  }

  /** Looks again. */
  async look(): Promise<void> {
    const now = await this.#files.size(this.#path);
    this.#stablePolls = now !== null && now > 0 && now === this.#size ? this.#stablePolls + 1 : 0;
    this.#size = now;
  }

  /** The size that it has kept for so many looks; `null` while it is empty, grows, or is not there. */
  keptSize(polls = STABLE_POLLS): number | null {
    return this.#stablePolls >= polls ? this.#size : null;
  }
}
