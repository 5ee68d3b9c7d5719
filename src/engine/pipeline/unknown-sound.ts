import type { JobFinding } from "../../contract/job.ts";
import { endsEarly } from "../../core/measures.ts";
import { type TimeRange, totalDuration } from "../../core/time-range.ts";
import { formatClockTime } from "../../formats/clock-time.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import { MISSING_SECONDS } from "../ffmpeg/probe/probe.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import type { ProgrammeAnalysis } from "../programme-analysis.ts";
import type { ProgrammeOrder } from "../tasks/tasks.ts";

/** Ranges that a sentence names; the rest is counted. */
const MOST_NAMED = 4;

const REMEDY = "Give captions, or export the film with sound as AAC or PCM";

/**
 * Refuses what cannot be made of a programme whose sound, or most of it, nobody decodes: a mix, which would hold silence in its
 * place. Called before the analysis, which takes long, and after it, which knows more.
 *
 * @throws JobFailure `sound_unknown` with a sentence that says what to do.
 */
export function refuseUnreadMix(
  { kind, track }: Pick<ProgrammeOrder, "kind" | "track">,
  { unreadSound }: Pick<MediaProbe, "unreadSound">,
  analysis?: Pick<ProgrammeAnalysis, "durationSeconds" | "heard">,
): void {
  if (kind === "text" || (kind === "audio" && track !== "mixed")) return;
  const isUnread = analysis !== undefined && isMostly(analysis.heard.unknown ?? [], analysis.durationSeconds);
  if (unreadSound === null && !isUnread) return;
  throw new JobFailure(
    "sound_unknown",
    `The sound of the film cannot be decoded${inBrackets(unreadSound)}, so it cannot be mixed with the narration. ` +
      "Export the film with sound as AAC or PCM, or order the narration alone.",
  );
}

/** The failure of a job that has no pause because nobody can tell where somebody speaks; `null` where that is not why. */
export function unknownThroughout(
  unknown: readonly TimeRange[],
  durationSeconds: number,
  probe: Pick<MediaProbe, "unreadSound">,
): JobFailure | null {
  if (!isMostly(unknown, durationSeconds)) return null;
  return new JobFailure(
    "sound_unknown",
    `The sound of the film cannot be decoded${inBrackets(probe.unreadSound)}, so Aside does not know where people speak. ${REMEDY}.`,
  );
}

/** What is to be told of a programme whose sound is not all known, or that ends before its header says. */
export function soundFindings(
  analysis: Pick<ProgrammeAnalysis, "durationSeconds" | "heard">,
  probe: Pick<MediaProbe, "durationSeconds" | "statedSeconds" | "unreadSound">,
  untold: readonly TimeRange[],
): JobFinding[] {
  const { durationSeconds, heard } = analysis;
  const stated = probe.statedSeconds ?? probe.durationSeconds ?? 0;
  const unknown = heard.unknown ?? [];
  const isTold = untold.length === 0;
  const why =
    probe.unreadSound === null ? "The sound cannot be read" : `The sound (${probe.unreadSound}) cannot be decoded`;
  const effect = isTold
    ? "only the captions show where people speak"
    : `Aside does not know whether people speak there, and describes nothing there. ${REMEDY}`;
  return [
    ...(durationSeconds < stated - MISSING_SECONDS
      ? [{ rule: "ends-early", severity: "fail", message: endsEarly(durationSeconds, stated) } as const]
      : []),
    ...(unknown.length === 0
      ? []
      : [
          {
            rule: "sound-unknown",
            severity: isTold ? "warn" : "fail",
            message: `${why} ${rangesInWords(unknown, durationSeconds)}: ${effect}`,
            ...firstOf(unknown),
          } as const,
        ]),
  ];
}

function isMostly(unknown: readonly TimeRange[], durationSeconds: number): boolean {
  return unknown.length > 0 && totalDuration(unknown) >= durationSeconds / 2;
}

function inBrackets(codec: string | null): string {
  return codec === null ? "" : ` (${codec})`;
}

function firstOf([first]: readonly TimeRange[]): Partial<TimeRange> {
  return first ?? {};
}

function rangesInWords(ranges: readonly TimeRange[], durationSeconds: number): string {
  if (totalDuration(ranges) >= durationSeconds - MISSING_SECONDS) return "throughout";
  const named = ranges
    .slice(0, MOST_NAMED)
    .map(({ start, end }) => `${formatClockTime(start)} to ${formatClockTime(end)}`);
  const rest = ranges.length > MOST_NAMED ? ` and ${ranges.length - MOST_NAMED} times more` : "";
  return `from ${named.join(", ")}${rest}`;
}
