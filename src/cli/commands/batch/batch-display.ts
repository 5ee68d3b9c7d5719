import { visibleText } from "../../../core/text.ts";
import { lineOf, type Progress, type ProgressStream, SILENT, showProgress } from "../../shell/progress.ts";

/** Shows how far a batch is. */
export interface BatchDisplay {
  /** A line that stays. */
  tell(line: string): void;
  /** The display of one description, which is named by a label. */
  of(label: string): Progress;
}

/** Shows nothing. */
export const SILENT_BATCH: BatchDisplay = { tell: () => undefined, of: () => SILENT };

/**
 * The display of a batch: of one description after another as of a single one; of several at once one line with the step of
 * each on a terminal, and plain lines with its label elsewhere.
 */
export function batchDisplay(
  stream: ProgressStream,
  atOnce: number,
  nowMs: () => number = () => performance.now(),
): BatchDisplay {
  if (atOnce === 1) return { tell: (line) => stream.write(`${line}\n`), of: () => showProgress(stream, nowMs) };
  if (stream.isTTY === true) return liveLine(stream, nowMs);
  return {
    tell: (line) => stream.write(`${line}\n`),
    of: (label) => showProgress({ write: (text) => stream.write(`${label} ${text}`) }, nowMs),
  };
}

function liveLine(stream: ProgressStream, nowMs: () => number): BatchDisplay {
  const shown = new Map<string, Parameters<Progress["update"]>[0] & { readonly begun: number }>();
  const draw = () => {
    const parts = [...shown].map(([label, step]) => `${label} ${lineOf(step, (nowMs() - step.begun) / 1000)}`);
    const line = parts.length === 0 ? "" : `● ${parts.join("   ")}`;
    stream.write(`\r\u001b[2K${visibleText(line).slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  return {
    tell(line) {
      stream.write(`\r\u001b[2K${visibleText(line)}\n`);
      draw();
    },
    of(label) {
      const ticking = setInterval(draw, 1000);
      ticking.unref();
      return {
        update(progress) {
          const earlier = shown.get(label);
          shown.set(label, { ...progress, begun: earlier?.step === progress.step ? earlier.begun : nowMs() });
          draw();
        },
        end() {
          clearInterval(ticking);
          if (shown.delete(label)) draw();
        },
      };
    },
  };
}
