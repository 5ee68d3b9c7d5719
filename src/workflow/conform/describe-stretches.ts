import type { JobFailureCode } from "../../contract/error-codes.ts";
import type { NewStretch } from "../../core/new-stretches.ts";
import { defined } from "../../core/objects.ts";
import { describe, type FinishedRun } from "../describe/describe.ts";
import { type RunRecord, stretchRunId } from "../describe/recovery.ts";
import type { DescribeControls, DescribeOrder, DescribePorts, RunPart } from "../describe/run.ts";
import { JobFailedError } from "../errors.ts";

/** What is wanted of every stretch. */
export interface StretchOrder extends Omit<DescribeOrder, "export" | "audioPath" | "video"> {
  /** Export preset, see `ExportRequest`. */
  readonly preset?: string;
  /** Where the fetched sound of a stretch goes, counted from 1. */
  readonly audioPathOf: (number: number) => string;
  /** Says why a stretch was refused, in the language of whoever asks. */
  readonly sentenceOf: (error: JobFailedError) => string;
}

/** What became of a stretch. */
export interface DescribedStretch {
  readonly stretch: NewStretch;
  /** Cue times count from the export's start, as ever; `null` where the service would not describe it. */
  readonly run: FinishedRun | null;
  /** Why not: a stable code and a sentence. */
  readonly refusal?: NonNullable<RunRecord["refusal"]>;
}

/** Failures that are about the media of one stretch: the others can still be described. */
const OF_ONE_STRETCH: ReadonlySet<string> = new Set<JobFailureCode>([
  "standard_ad_not_enough_gaps",
  "content_blocked",
  "no_video_stream",
  "sound_track_unknown",
  "sound_unknown",
]);

/**
 * Describes stretches of a sequence one after the other, each as a run of its own: only its range is exported and sent. Like
 * a single run it is saved after every step; when it ends early, the same order goes on where it stood, and nothing that was
 * accepted or refused is asked for again. A stretch that the service will not describe is left out, and the others go on.
 *
 * @throws What `describe` raises, but for such a refusal.
 */
export async function describeStretches(
  ports: DescribePorts,
  order: StretchOrder,
  stretches: readonly NewStretch[],
  controls: DescribeControls,
): Promise<DescribedStretch[]> {
  const described: DescribedStretch[] = [];
  for (const [index, stretch] of stretches.entries()) {
    const number = index + 1;
    const count = stretches.length;
    const { runId, preset, audioPathOf, sentenceOf, ...rest } = order;
    const { start, end } = stretch;
    const range = { start, end };
    const single: DescribeOrder = {
      ...rest,
      runId: stretchRunId(runId, number),
      export: { range, ...defined({ preset }) },
      audioPath: audioPathOf(number),
    };
    described.push(
      await describeOne(
        ports,
        { ...single, sentenceOf },
        stretch,
        count === 1 ? controls : withPart(controls, { number, count }),
      ),
    );
  }
  return described;
}

async function describeOne(
  ports: DescribePorts,
  { sentenceOf, ...order }: DescribeOrder & Pick<StretchOrder, "sentenceOf">,
  stretch: NewStretch,
  controls: DescribeControls,
): Promise<DescribedStretch> {
  const known = await ports.recovery.load(order.runId);
  if (known?.refusal !== undefined) return { stretch, run: null, refusal: known.refusal };
  try {
    return { stretch, run: await describe(ports, order, controls) };
  } catch (error) {
    if (!(error instanceof JobFailedError) || !OF_ONE_STRETCH.has(error.code)) throw error;
    const refusal = { code: error.code, message: sentenceOf(error) };
    const record = await ports.recovery.load(order.runId);
    if (record !== null) await ports.recovery.save({ ...record, refusal });
    return { stretch, run: null, refusal };
  }
}

function withPart({ signal, onProgress }: DescribeControls, part: RunPart): DescribeControls {
  return onProgress === undefined ? { signal } : { signal, onProgress: (step) => onProgress({ ...step, part }) };
}
