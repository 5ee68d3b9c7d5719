import { clipRanges, mergeRanges } from "../../core/time-range.ts";
import { LoudnessMeter } from "../loudness/loudness-meter.ts";
import type { MeasuredNarration } from "./narration-track.ts";
import { MIX_SAMPLE_RATE, type ProgrammeSound, programmeBlocks } from "./programme-blocks.ts";

/** Seconds measured beside a line: before it the filters settle, behind it the last tenth of a second is completed. */
const MARGIN_SECONDS = { before: 0.5, after: 0.1 } as const;

/** Measures the programme under the lines where that is not known yet; the rest of it is passed over, and what lies behind the last is not read. */
export async function measureUnderLines(
  programme: ProgrammeSound,
  narration: MeasuredNarration,
  sampleCount: number,
  context: { readonly signal?: AbortSignal; readonly onProgress?: (fraction: number) => void },
): Promise<LoudnessMeter> {
  const meter = new LoudnessMeter(MIX_SAMPLE_RATE, programme.layout.weights);
  const sampleAt = (seconds: number) => Math.max(0, Math.round(seconds * MIX_SAMPLE_RATE));
  const unknown = narration.lines.filter(({ line }) => line.programmeLufs === undefined);
  const spans = mergeRanges(
    unknown.map(({ line: { start }, seconds }) => ({
      start: sampleAt(start - MARGIN_SECONDS.before),
      end: sampleAt(start + seconds + MARGIN_SECONDS.after),
    })),
  );
  const end = spans.at(-1)?.end ?? 0;
  if (end === 0) return meter;
  let at = 0;
  for await (const planes of programmeBlocks(programme, programme.layout, sampleCount, context.signal)) {
    const length = planes[0]?.length ?? 0;
    let done = 0;
    for (const span of clipRanges(spans, { start: at, end: at + length })) {
      meter.skip(span.start - at - done);
      meter.add(planes.map((plane) => plane.subarray(span.start - at, span.end - at)));
      done = span.end - at;
    }
    meter.skip(length - done);
    at += length;
    context.onProgress?.(at / sampleCount);
    if (at >= end) break;
  }
  return meter;
}
