import { readFileSync } from "node:fs";
import { conformCues } from "../../src/core/conform.ts";
import { secondsFromFrames } from "../../src/core/frame-rate.ts";
import { BLACK, layoutOf, visiblePicture } from "../../src/core/layout.ts";
import { overlapWithRanges, rangeDuration, totalDuration } from "../../src/core/time-range.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { readDocument } from "../../src/formats/index.ts";
import { SeededRandom } from "../fakes/seeded-random.ts";
import { sharedCorpora } from "../shared-media.ts";
import { endOf, recut } from "./recut.ts";

/** How conforming did on generated re-cuts. */
export interface RecutScore {
  readonly recuts: number;
  readonly cues: number;
  /** Cues whose picture is whole in the new cut, and how many of them were put exactly there. */
  readonly whole: number;
  readonly exact: number;
  /** Cues called unchanged, or moved, that are not: must be none. */
  readonly falseUnchanged: number;
  readonly falseMoved: number;
  readonly states: Readonly<Record<string, number>>;
  readonly misses: readonly string[];
}

const FILES = [
  "fcp7/premiere_example.xml",
  "fcp7/hiero_xml_export.xml",
  "fcp7/sample_just_track.xml",
  "fcpxml/fcpx_example.fcpxml",
  "fcpxml/TwoClipsMarkers.fcpxml",
  "otio/multitrack.otio",
  "otio/premiere_example.otio",
  "otio/screening_example.otio",
  "otio/transition.otio",
];

/** Real timelines of the corpora that show a picture for at least four seconds. */
export function realTimelines(): Timeline[] {
  return FILES.flatMap((file) => {
    const { timeline } = readDocument(readFileSync(sharedCorpora(`xml/${file}`), "utf8"), { filename: file });
    if (timeline === undefined) return [];
    const seen = visiblePicture(layoutOf(timeline, "")).filter(({ source }) => source !== BLACK);
    return totalDuration(seen) >= 4 ? [timeline] : [];
  });
}

/** Re-cuts real timelines in turn and looks where every cue went. */
export function scoreRecuts(count: number, firstSeed = 1): RecutScore {
  const timelines = realTimelines();
  const states: Record<string, number> = {};
  const misses: string[] = [];
  const totals = { cues: 0, whole: 0, exact: 0, falseUnchanged: 0, falseMoved: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = new SeededRandom(seed);
    const timeline = timelines[seed % timelines.length];
    if (timeline === undefined) continue;
    const cues = cuesOver(timeline, random);
    const { timeline: now, shiftOf, deeds } = recut(timeline, random);
    const conformed = conformCues(layoutOf(timeline, ""), layoutOf(now, ""), cues, timeline.rate);
    const frame = secondsFromFrames(1, timeline.rate);
    for (const [index, cue] of cues.entries()) {
      const is = conformed[index];
      if (is === undefined) continue;
      const shift = shiftOf(cue);
      const isThere = shift !== null && Math.abs(is.start - cue.start - shift) < frame / 2;
      totals.cues += 1;
      states[is.state] = (states[is.state] ?? 0) + 1;
      if (shift !== null) totals.whole += 1;
      if (isThere && is.state !== "orphaned") totals.exact += 1;
      if (is.state === "unchanged" && !isThere) totals.falseUnchanged += 1;
      if (is.state === "moved" && !isThere) totals.falseMoved += 1;
      const isMiss = shift !== null ? !isThere : is.state === "unchanged" || is.state === "moved";
      if (isMiss)
        misses.push(`seed ${seed} (${timeline.name}; ${deeds.join(", ")}): ${JSON.stringify(is)}, truth ${shift}`);
    }
  }
  return { recuts: count, ...totals, states, misses };
}

/** Cues at random places of a timeline that show a picture, one to three seconds long where there is room. */
function cuesOver(timeline: Timeline, random: SeededRandom): { id: string; start: number; end: number }[] {
  const frame = secondsFromFrames(1, timeline.rate);
  const end = endOf(timeline);
  const black = visiblePicture(layoutOf(timeline, "")).filter(({ source }) => source === BLACK);
  return Array.from({ length: 16 }, (_, index) => {
    const length = Math.min(end / 4, 1 + random.next() * 2);
    const start = Math.floor((random.next() * (end - length)) / frame) * frame;
    return { id: `cue-${index}`, start, end: start + length };
  })
    .filter((cue) => overlapWithRanges(cue, black) < rangeDuration(cue) / 2)
    .sort((a, b) => a.start - b.start);
}
