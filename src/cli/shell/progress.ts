import { visibleText } from "../../core/text.ts";
import type { StepName, StepProgress } from "../../workflow/describe/run.ts";

/** Steps of the command: those of the workflow, and the ones around it. */
export type CliStep = StepName | "service" | "estimate" | "writer" | "write";

/** How a step is called while it goes on. */
export const STEP_NAMES: Readonly<Record<CliStep, string>> = {
  service: "Start the service",
  estimate: "Will ask the model",
  writer:
    "No model describes pictures here: text on screen is spoken, and the pauses are left to you. See aside describers",
  read: "Read the file",
  export: "Prepare",
  upload: "Upload",
  verify: "Check the upload",
  generate: "Request",
  wait: "Describe",
  fetch: "Fetch the sound",
  check: "Check",
  write: "Write the files",
};

/** Shows how far a command is. */
export interface Progress {
  update(progress: Omit<StepProgress, "step"> & { readonly step: CliStep }): void;
  /** Ends the display; nothing is shown afterwards. */
  end(): void;
}

/** What a display needs of a stream. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): void;
}

/** Shows nothing: standard output belongs to JSON, and scripts read no progress. */
export const SILENT: Progress = { update: () => undefined, end: () => undefined };

/** Seconds between two plain lines of the same step. */
const PLAIN_INTERVAL_S = 10;

/** Picks the display for a stream: one line that changes on a terminal, plain lines elsewhere. */
export function showProgress(stream: ProgressStream, nowMs: () => number = () => performance.now()): Progress {
  return stream.isTTY === true ? liveLine(stream, nowMs) : plainLines(stream, nowMs);
}

/**
 * Does some work while a stream shows how far it is. The display has ended when this resolves or rejects: what is printed then
 * stands on a line of its own.
 *
 * @param stream `null` shows nothing.
 */
export async function showingProgress<Result>(
  stream: ProgressStream | null,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = stream === null ? SILENT : showProgress(stream);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

function liveLine(stream: ProgressStream, nowMs: () => number): Progress {
  let current: (Parameters<Progress["update"]>[0] & { begun: number }) | null = null;
  const draw = () => {
    if (current === null) return;
    const line = `● ${lineOf(current, (nowMs() - current.begun) / 1000)}`;
    stream.write(`\r\u001b[2K${visibleText(line).slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  const ticking = setInterval(draw, 1000);
  ticking.unref();
  return {
    update(progress) {
      const begun = current?.step === progress.step ? current.begun : nowMs();
      if (progress.state === "done") {
        const seconds = (nowMs() - begun) / 1000;
        stream.write(`\r\u001b[2K✓ ${visibleText(nameOf(progress))}  ${clock(seconds)}\n`);
        current = null;
      } else {
        current = { ...progress, begun };
        draw();
      }
    },
    end() {
      clearInterval(ticking);
      if (current !== null) stream.write("\r\u001b[2K");
      current = null;
    },
  };
}

function plainLines(stream: ProgressStream, nowMs: () => number): Progress {
  let step: CliStep | null = null;
  let begun = 0;
  let shown = 0;
  return {
    update(progress) {
      const now = nowMs();
      if (progress.step !== step) {
        step = progress.step;
        begun = now;
        shown = now;
        stream.write(`${nameOf(progress)} ...\n`);
      }
      const seconds = (now - begun) / 1000;
      if (progress.state === "done") stream.write(`${nameOf(progress)}: done, ${clock(seconds)}\n`);
      else if (now - shown >= PLAIN_INTERVAL_S * 1000) {
        shown = now;
        stream.write(`${lineOf(progress, seconds)}\n`);
      }
      if (progress.state === "done") step = null;
    },
    end: () => undefined,
  };
}

/** A step under way in a line: name, share, detail, time since it began. */
export function lineOf(progress: Parameters<Progress["update"]>[0], seconds: number): string {
  const share = progress.fraction === undefined ? "" : `  ${Math.floor(progress.fraction * 100)} %`;
  const detail = progress.detail === undefined || progress.detail === "" ? "" : `  ${progress.detail}`;
  return `${nameOf(progress)}${share}${detail}  ${clock(seconds)}`;
}

/** The step, and which stretch of several it is done for. */
function nameOf({ step, part, detail }: Parameters<Progress["update"]>[0]): string {
  if (step === "estimate") return `${STEP_NAMES[step]}: ${detail ?? ""}`;
  return part === undefined ? STEP_NAMES[step] : `${STEP_NAMES[step]} (${part.number} of ${part.count})`;
}

/** Elapsed time as minutes and seconds: `1:07`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
