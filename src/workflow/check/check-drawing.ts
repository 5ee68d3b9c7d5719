import type { Finding } from "../../core/finding.ts";
import { LEVELS_PER_SECOND } from "../../core/measures.ts";
import { escapeHtml } from "../../core/text.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { certainSpeech } from "./check.ts";
import type { CheckedResult } from "./check-result.ts";

const WIDTH = 1000;
const LANE = 26;
const LEFT = 110;

/** Loudness at the bottom of the waveform's lane, in LUFS; its top is 0. */
const FLOOR_LUFS = -60;

/** Bars of the waveform at most: one for each of its pixels. */
const MAX_BARS = WIDTH - LEFT;

/**
 * A drawing of a programme as one SVG element: sound, speech, pauses, descriptions, findings, one lane each. What may be
 * speech is an outline.
 */
export function drawProgramme(checked: CheckedResult, levels: readonly number[]): string {
  const { durationSeconds, speech, gaps, heardCues, findings, profile } = checked;
  const certain = certainSpeech(speech, profile);
  const doubtful = speech.filter((range) => certainSpeech([range], profile).length === 0);
  const x = (seconds: number) => LEFT + ((WIDTH - LEFT) * seconds) / Math.max(durationSeconds, 0.001);
  const lanes: readonly (readonly [label: string, content: (y: number) => string])[] = [
    ["Sound", (y) => waveform(levels, durationSeconds, y, x)],
    ["Speech", (y) => bars(certain, y, x, "speech") + bars(doubtful, y, x, "maybe-speech")],
    ["Pauses", (y) => bars(gaps, y, x, "gap")],
    ["Descriptions", (y) => bars(heardCues, y, x, "cue")],
    ["Findings", (y) => findings.map((finding) => mark(finding, checked, y, x)).join("")],
  ];
  const rows = lanes.map(([label, content], index) => {
    const y = index * LANE;
    return `<text x="0" y="${y + 17}">${label}</text>${content(y)}`;
  });
  const summary = `Drawing of ${durationSeconds.toFixed(1)} seconds: ${speech.length} stretches of speech${doubtful.length === 0 ? "" : ` (${doubtful.length} doubtful)`}, ${gaps.length} usable pauses, ${heardCues.length} descriptions, ${findings.length} findings. The tables below hold all of it.`;
  return `<svg role="img" aria-labelledby="drawing" viewBox="0 0 ${WIDTH} ${LANE * lanes.length}"><title id="drawing">${escapeHtml(summary)}</title>${rows.join("")}</svg>`;
}

type Scale = (seconds: number) => number;

function bars(ranges: readonly TimeRange[], y: number, x: Scale, kind: string): string {
  return ranges
    .map(({ start, end }) => {
      const width = Math.max(1, x(end) - x(start));
      return `<rect class="${kind}" x="${x(start).toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="${LANE - 8}"/>`;
    })
    .join("");
}

function waveform(levels: readonly number[], durationSeconds: number, y: number, x: Scale): string {
  const step = Math.max(1, Math.ceil(levels.length / MAX_BARS));
  const parts: string[] = [];
  for (let at = 0; at < levels.length; at += step) {
    const loudest = Math.max(...levels.slice(at, at + step));
    const share = Math.min(1, Math.max(0, (loudest - FLOOR_LUFS) / -FLOOR_LUFS));
    const height = share * (LANE - 4);
    const left = x(Math.min(durationSeconds, at / LEVELS_PER_SECOND));
    parts.push(`M${left.toFixed(1)} ${(y + LANE - 2).toFixed(1)}v${(-height).toFixed(1)}`);
  }
  return `<path class="sound" d="${parts.join("")}"/>`;
}

/** A finding that fails is a filled triangle, another one an open one: never colour alone. */
function mark(finding: Finding, { heardCues }: CheckedResult, y: number, x: Scale): string {
  const at = heardCues.find(({ id }) => id === finding.cueIds[0])?.start ?? finding.range?.start;
  if (at === undefined) return "";
  const left = x(at);
  return `<path class="${finding.severity}" d="M${left.toFixed(1)} ${y + LANE - 5}l5 -14h-10z"/>`;
}
