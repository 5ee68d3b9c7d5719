import { frameRate, framesPerSecond, secondsFromFrames } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import {
  canDropFrames,
  formatRateName,
  formatTimecode,
  framesPerDay,
  parseTimecode,
  type TimecodeFormat,
} from "../core/timecode.ts";
import type { IssueList } from "./parse-issue.ts";

/** What a caller knows about the programme a text with frame numbers belongs to. */
export interface LabelReading {
  /** The sequence's rate and zero point. Without it a rate is assumed from the labels, and reported. */
  readonly grid?: FrameGrid;
  /** Whether a person said where the grid starts: it counts, wherever the labels lie. */
  readonly isStartGiven?: boolean;
  /** Length of the programme; helps to tell where its labels start. */
  readonly durationSeconds?: number;
}

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

/**
 * How a text whose labels have a rate of their own is read: on its own grid, whose start is the label that a person gave, else
 * the one that the text names.
 *
 * @param stated Frame of the label that the text names for its start; `null` where it names none.
 */
export function onOwnGrid(reading: LabelReading, own: TimecodeFormat, stated: number | null): LabelReading {
  const { grid, isStartGiven = false, durationSeconds } = reading;
  const given = isStartGiven && grid !== undefined ? parseTimecode(formatTimecode(grid.startFrame, grid), own) : null;
  const startFrame = given?.ok ? given.frame : (stated ?? 0);
  return {
    grid: { ...own, startFrame },
    isStartGiven: given?.ok === true || (stated ?? 0) > 0,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
  };
}

/** Turns labels of one text into frames, repairing and reporting what does not exist at the rate. */
export class LabelClock {
  readonly grid: FrameGrid;
  readonly #issues: IssueList;
  readonly #isStartGiven: boolean;

  constructor(reading: LabelReading, evidence: LabelEvidence, issues: IssueList) {
    this.#issues = issues;
    this.#isStartGiven = reading.isStartGiven === true;
    this.grid = reading.grid ?? assumedGrid(evidence, issues);
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

  /**
   * The label, as a frame, that programme time 0 has in this text: the grid's, unless the events cannot lie there. Texts
   * count from 00:00:00:00 or from a whole hour (01:00:00:00 by custom), whatever the sequence does.
   */
  startFrame(firstFrame: number, lastFrame: number, durationSeconds?: number): number {
    const own = this.grid.startFrame;
    const start = this.#likelyStart(firstFrame, lastFrame, durationSeconds);
    if (start !== own) {
      const detail = `counted from ${formatTimecode(start, this.grid)}, the sequence from ${formatTimecode(own, this.grid)}`;
      this.#issues.add("assumed-start", 0, formatTimecode(firstFrame, this.grid), detail);
    }
    return start;
  }

  /** Seconds on the programme clock of a frame, when programme time 0 is `startFrame`. */
  seconds(frame: number, startFrame: number): number {
    return secondsFromFrames(frame - startFrame, this.grid.rate);
  }

  #likelyStart(firstFrame: number, lastFrame: number, durationSeconds: number | undefined): number {
    const hour = framesPerDay(this.grid) / 24;
    const own = this.grid.startFrame;
    if (this.#isStartGiven) return own;
    const wholeHour = Math.floor(firstFrame / hour) * hour;
    if (durationSeconds === undefined) {
      return firstFrame >= own && firstFrame < own + hour ? own : wholeHour;
    }
    const length = (durationSeconds + START_SLACK_SECONDS) * framesPerSecond(this.grid.rate);
    const fits = (start: number) => firstFrame >= start && lastFrame <= start + length;
    return [own, 0, wholeHour].find(fits) ?? (firstFrame >= own ? own : wholeHour);
  }
}

/** How far past the programme's end a text may reach before its labels are taken to start elsewhere. */
const START_SLACK_SECONDS = 1;

function assumedGrid(evidence: LabelEvidence, issues: IssueList): FrameGrid {
  const isDropFrame = evidence.isDropFrame === true;
  const rate = isDropFrame
    ? frameRate(evidence.highestFrame > 59 ? 120000 : evidence.highestFrame > 29 ? 60000 : 30000, 1001)
    : (ASSUMED_RATES.find(({ upTo }) => evidence.highestFrame <= upTo)?.rate ?? frameRate(60));
  const detail = `${formatRateName({ rate, isDropFrame })} was assumed from the highest frame number`;
  issues.add("assumed-rate", 0, "", detail);
  return { rate, isDropFrame, startFrame: 0 };
}
