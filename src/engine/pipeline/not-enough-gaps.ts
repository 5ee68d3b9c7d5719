import type { LeftOutLine } from "../../contract/job.ts";
import { formatClockTime } from "../../formats/clock-time.ts";
import { JobFailure } from "../isolate/job-failure.ts";

/** Lines of a script that are named; the rest is counted. */
const MOST_NAMED = 8;

/** Characters of a line that are shown. */
const SHOWN = 60;

/**
 * The failure of a standard job whose descriptions have no place between lines of speech.
 *
 * @param lines Of a script: its lines that have no place, with the seconds that each takes.
 * @param longestGap Seconds of the longest gap; 0 where there is none.
 */
export function notEnoughGaps(
  lines: readonly Pick<LeftOutLine, "text" | "start" | "seconds">[],
  longestGap: number,
): JobFailure {
  const named = lines.slice(0, MOST_NAMED).map(({ text, start, seconds }) => {
    const words = text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
    return `${formatClockTime(start)} "${words}" takes ${seconds.toFixed(1)} s`;
  });
  const rest = lines.length > MOST_NAMED ? [`and ${lines.length - MOST_NAMED} lines more`] : [];
  const gap = longestGap > 0 ? `the longest gap lasts ${longestGap.toFixed(1)} s` : "there is no gap";
  const told = lines.length === 0 ? "" : ` Without a place, as ${gap}: ${[...named, ...rest].join("; ")}.`;
  return new JobFailure(
    "standard_ad_not_enough_gaps",
    `There are not enough long gaps between lines of speech for Standard AD.${told} Set auto_fit to false to allow descriptions over dialogue, or use Extended AD.`,
  );
}
