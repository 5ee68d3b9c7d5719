import type { JobReport } from "../../contract/job.ts";
import { alignedIds } from "../../core/align-cues.ts";
import type { Cue } from "../../core/cue.ts";
import { spokenCues } from "../../core/direction.ts";
import type { DescriptionType, FrameGrid } from "../../core/settings.ts";
import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import { foldedWords } from "../../core/text.ts";
import {
  isSameTime,
  LONGEST_FRAME_SECONDS,
  mergeRanges,
  subtractRanges,
  type TimeRange,
} from "../../core/time-range.ts";
import { writePlainText } from "../../formats/plain-text.ts";
import { writeCues } from "../../formats/service-formats.ts";
import type { LeftOutScriptLine, ScriptOutcome, WayOut } from "../../result/script-outcome.ts";
import { type CueToFit, type GapContext, gapOf, paceFactor, remediesFor } from "../remedies.ts";

/** Layouts in which cues are sent as a script, in the order in which a server that is not known is asked. */
const SCRIPT_LAYOUTS = ["edl", "vtt", "plaintext"] as const;

/** A layout of a script. */
export type ScriptLayout = (typeof SCRIPT_LAYOUTS)[number];

/** How layouts are called in sentences. */
export const LAYOUT_NAMES: Readonly<Record<ScriptLayout, string>> = {
  edl: "an EDL",
  vtt: "WebVTT",
  plaintext: "text with times",
};

/** A script in one layout. */
export interface GivenScript {
  readonly layout: ScriptLayout;
  readonly content: string;
}

/** Remembers which layout a server takes; one for each server. */
export interface ScriptMemory {
  /** The layout that was taken last; `null` where nobody knows. */
  last(): Promise<ScriptLayout | null>;
  took(layout: ScriptLayout): Promise<void>;
}

/** The same cues in every layout, without directions to the voice: nobody has published which one the hosted service wants (`service-facts.md` 6). */
export function scriptsFrom(
  cues: readonly Cue[],
  writing: { readonly grid: FrameGrid; readonly title?: string; readonly language?: string },
): GivenScript[] {
  // Nobody knows whether they would be spoken there.
  const heard = spokenCues(cues);
  return SCRIPT_LAYOUTS.map((layout) => ({
    layout,
    content: layout === "plaintext" ? writePlainText(heard) : writeCues(heard, layout, writing),
  }));
}

/** A layout by its name; `null` for any other text. */
export function scriptLayout(name: string): ScriptLayout | null {
  return SCRIPT_LAYOUTS.find((layout) => layout === name) ?? null;
}

/**
 * The texts of a translation at the times of the descriptions that it translates: cue by cue by id where every text has
 * the id of one, else in order. A text that is missing leaves its time empty where ids tell which one it is.
 *
 * @returns `null` when neither ids nor numbers match.
 */
export function scriptOnTiming(texts: readonly Pick<Cue, "id" | "text">[], timing: readonly Cue[]): Cue[] | null {
  const times = new Map(timing.map((cue) => [cue.id, cue]));
  const named = texts.flatMap(({ id, text }) => {
    const cue = times.get(id);
    return cue === undefined ? [] : [{ ...cue, text }];
  });
  const isNamed = named.length === texts.length && new Set(texts.map(({ id }) => id)).size === texts.length;
  if (texts.length === timing.length && !isNamed) {
    return timing.map((cue, index) => ({ ...cue, text: texts[index]?.text ?? "" }));
  }
  return isNamed && texts.length > 0 ? named.sort((a, b) => a.start - b.start) : null;
}

/** What a given script is held against. */
interface ScriptResult extends GapContext {
  readonly type: DescriptionType;
  /** What our service says of lines without a place. */
  readonly leftOut?: JobReport["left_out"];
  /** Timecode of a time on the programme clock. */
  readonly labelAt: (seconds: number) => string;
}

/** Furthest that a line may be from the pause it is spoken in, in seconds, for that pause to count as the one at its time. */
const NEAR_SECONDS = 12;

/**
 * Tells what became of every line of a script: spoken at its time, spoken elsewhere, or not spoken, by comparing the script
 * with the cues that came of it. That holds for any service, whatever it says itself.
 *
 * @param script Its lines as they were given.
 */
export function scriptOutcome(script: readonly Cue[], result: ScriptResult): ScriptOutcome {
  const numbered = script.map((line, index) => ({ ...line, id: `line-${index}` }));
  const ids = alignedIds(numbered, result.cues);
  const cueOf = new Map(result.cues.map((cue) => [ids.get(cue.id), cue]));
  const moved: ScriptOutcome["moved"][number][] = [];
  const leftOut: LeftOutScriptLine[] = [];
  for (const line of numbered) {
    const cue = cueOf.get(line.id);
    if (cue === undefined || foldedWords(cue.text) !== foldedWords(line.text)) {
      leftOut.push(leftOutLine(line, cue !== undefined, result));
    } else if (Math.abs(cue.start - line.start) >= LONGEST_FRAME_SECONDS) {
      moved.push({ cueId: cue.id, start: line.start, bySeconds: cue.start - line.start });
    }
  }
  return { given: script.length, moved, leftOut };
}

function leftOutLine(line: Cue, isReworded: boolean, result: ScriptResult): LeftOutScriptLine {
  const { start, end, text } = line;
  const told = result.leftOut?.find(
    (one) => isSameTime(one.start, start) && foldedWords(one.text) === foldedWords(text),
  );
  const reason = told?.reason ?? (isReworded ? "reworded" : start >= result.durationSeconds ? "after-end" : "unknown");
  const isWordless = reason === "nothing-to-say" || reason === "no-sound";
  const seconds = isWordless ? 0 : (told?.seconds ?? estimateSpeakingSeconds(text) * paceFactor(result.cues));
  const isLate = start >= result.durationSeconds;
  const toFit: CueToFit = { id: line.id, start: Math.min(start, result.durationSeconds), text, seconds };
  const gap = gapOf(toFit, result);
  const distance = Math.max(0, gap.start - start, start - gap.end);
  const room = isLate || distance > NEAR_SECONDS ? 0 : gap.end - gap.start;
  return {
    start,
    end,
    text,
    reason,
    neededSeconds: seconds,
    lackingSeconds: Math.max(0, seconds - room),
    waysOut: isWordless || isReworded ? [] : waysOut(toFit, gap, result),
  };
}

function waysOut(line: CueToFit, gap: ReturnType<typeof gapOf>, result: ScriptResult): WayOut[] {
  const near = remediesFor(line, gap);
  const other = roomFor(line, result);
  return near.flatMap(({ kind, isPossible, outcome }): WayOut[] => {
    if (kind === "accept") {
      const isHeld = result.type === "extended";
      return [{ kind: "extended", isPossible: !isHeld, outcome: "an extended description holds the programme for it" }];
    }
    if (kind === "shorten") return [{ kind, isPossible: /\d/.test(outcome), outcome: lowered(outcome) }];
    if (kind !== "move" || isPossible || other === null) return [{ kind, isPossible, outcome: lowered(outcome) }];
    const seconds = (other.end - other.start).toFixed(1);
    return [{ kind, isPossible: true, outcome: `a pause of ${seconds} s begins at ${result.labelAt(other.start)}` }];
  });
}

/** The nearest stretch without speech and cues that is long enough; `null` where there is none. */
function roomFor({ start, seconds }: CueToFit, { cues, speech, durationSeconds }: ScriptResult): TimeRange | null {
  const whole = { start: 0, end: durationSeconds };
  const taken = mergeRanges([...speech, ...cues]);
  const distance = (range: TimeRange) => Math.max(0, range.start - start, start - range.end);
  const free = subtractRanges(whole, taken).filter((range) => range.end - range.start >= seconds);
  return free.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
