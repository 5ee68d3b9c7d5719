import { frameRate } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { canDropFrames, formatRateName, parseTimecode, type TimecodeFormat } from "../../core/timecode.ts";
import type { IssueList } from "../parse-issue.ts";
import type { FilmReading } from "./film-reading.ts";

/** What a text says about its labels, before they are read. */
export interface LabelEvidence {
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
  /** The grid the labels count on; its start is the film's, and says nothing of the text's. */
  readonly grid: FrameGrid;
  readonly #issues: IssueList;

  constructor({ grid }: FilmReading, evidence: LabelEvidence, issues: IssueList) {
    this.#issues = issues;
    this.grid = grid ?? assumedGrid(evidence, issues);
  }

  /**
   * How labels count from here on: as the text says where the rate allows it, else as the grid says. `line` is where the
   * text says it.
   */
  formatFor(isDropFrame: boolean | null, line: number): TimecodeFormat {
    const { rate } = this.grid;
    if (isDropFrame === null || isDropFrame === this.grid.isDropFrame) return this.grid;
    const isPossible = !isDropFrame || canDropFrames(rate);
    const taken = { rate, isDropFrame: isPossible ? isDropFrame : false };
    const said = isDropFrame ? "drop-frame" : "non-drop";
    const detail = isPossible ? `the text's ${said} was taken` : `${formatRateName(taken)} has no drop-frame`;
    this.#issues.add("frame-mode-conflict", line, "", detail);
    return taken;
  }

  /** The frame of a label, counted from 00:00:00:00; `null` when it is none. */
  frame(label: string, format: TimecodeFormat, line: number): number | null {
    const parsed = parseTimecode(label, format, { dropped: "next", overflow: "carry" });
    if (!parsed.ok) return null;
    for (const fault of parsed.repaired) {
      this.#issues.add(fault === "dropped-label" ? "dropped-label" : "label-out-of-range", line, label);
    }
    return parsed.frame;
  }
}

function assumedGrid(evidence: LabelEvidence, issues: IssueList): FrameGrid {
  const isDropFrame = evidence.isDropFrame === true;
  const rate = isDropFrame
    ? frameRate(evidence.highestFrame > 59 ? 120000 : evidence.highestFrame > 29 ? 60000 : 30000, 1001)
    : (ASSUMED_RATES.find(({ upTo }) => evidence.highestFrame <= upTo)?.rate ?? frameRate(60));
  const detail = `${formatRateName({ rate, isDropFrame })} was assumed from the highest frame number`;
  issues.add("assumed-rate", 0, "", detail);
  return { rate, isDropFrame, startFrame: 0 };
}
