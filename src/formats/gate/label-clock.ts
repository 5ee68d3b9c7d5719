import { frameRate } from "../../core/frame-rate.ts";
import { canDropFrames, formatRateName, parseTimecode, type TimecodeFormat } from "../../core/timecode.ts";
import type { LabelTime } from "../clock-time.ts";
import type { IssueList } from "../parse-issue.ts";
import type { FilmReading } from "./film-reading.ts";

/** What a text says about its labels, before they are read. */
export interface LabelEvidence {
  /** How it states that they count; the film is not asked then. */
  readonly format?: TimecodeFormat;
  /** The highest frame number of any label. */
  readonly highestFrame: number;
  /** Whether the text says it is drop-frame; `null` when it says nothing. */
  readonly isDropFrame: boolean | null;
}

const ASSUMED_RATES = [
  { upTo: 23, rate: frameRate(24) },
  { upTo: 24, rate: frameRate(25) },
  { upTo: 29, rate: frameRate(30) },
  { upTo: 49, rate: frameRate(50) },
] as const;

/** Turns labels of one text into frames, repairing and reporting what does not exist at the rate. */
export class LabelClock {
  /** How labels count: as the text states, else at the film's rate, else at the lowest that has them all. */
  readonly format: TimecodeFormat;
  readonly #issues: IssueList;
  /** Labels that were told, each with its line. */
  readonly #told = new Set<string>();

  constructor({ grid }: FilmReading, evidence: LabelEvidence, issues: IssueList) {
    this.#issues = issues;
    this.format = evidence.format ?? formatOn(grid ?? assumedFormat(evidence, issues), evidence.isDropFrame, issues);
  }

  /** The frame of a label, counted from 00:00:00:00, with what stands behind it; `null` when it is none. Each is told once a line. */
  frame({ label, further = 0, line: own }: LabelTime, line: number): number | null {
    const parsed = parseTimecode(label, this.format, { dropped: "next", overflow: "carry" });
    if (!parsed.ok) return null;
    const at = own ?? line;
    const isTold = parsed.repaired.length === 0 || this.#told.has(`${at} ${label}`);
    for (const fault of isTold ? [] : parsed.repaired) {
      this.#told.add(`${at} ${label}`);
      this.#issues.add(fault === "dropped-label" ? "dropped-label" : "label-out-of-range", at, label);
    }
    return parsed.frame + further;
  }
}

/** How labels count on a grid: drop-frame as the text says where the rate allows it, else as the grid says. */
function formatOn(grid: TimecodeFormat, isDropFrame: boolean | null, issues: IssueList): TimecodeFormat {
  const { rate } = grid;
  if (isDropFrame === null || isDropFrame === grid.isDropFrame) return { rate, isDropFrame: grid.isDropFrame };
  const isPossible = !isDropFrame || canDropFrames(rate);
  const taken = { rate, isDropFrame: isPossible ? isDropFrame : false };
  const said = isDropFrame ? "drop-frame" : "non-drop";
  const detail = isPossible ? `the text's ${said} was taken` : `${formatRateName(taken)} has no drop-frame`;
  issues.add("frame-mode-conflict", 0, "", detail);
  return taken;
}

function assumedFormat(evidence: LabelEvidence, issues: IssueList): TimecodeFormat {
  const isDropFrame = evidence.isDropFrame === true;
  const rate = isDropFrame
    ? frameRate(evidence.highestFrame > 59 ? 120000 : evidence.highestFrame > 29 ? 60000 : 30000, 1001)
    : (ASSUMED_RATES.find(({ upTo }) => evidence.highestFrame <= upTo)?.rate ?? frameRate(60));
  const detail = `${formatRateName({ rate, isDropFrame })} was assumed from the highest frame number`;
  issues.add("assumed-rate", 0, "", detail);
  return { rate, isDropFrame };
}
