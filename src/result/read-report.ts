import type { Cue } from "../core/cue.ts";
import { type DialogueLine, dialogueLines } from "../core/dialogue.ts";
import { confidentRanges, type HeardRange } from "../core/gap.ts";
import { defined, isObject, parsedJson } from "../core/objects.ts";
import { DEFAULT_SETTINGS } from "../core/settings.ts";
import { parseRateName, parseTimecode } from "../core/timecode.ts";
import { type AskedSettings, type DescribedSequence, type PlacedResult, RESULT_VERSION } from "./result.ts";

/** Says that a JSON file is one of this project's. */
export const REPORT_GENERATOR = "aside";

/**
 * The result that the report of a run tells of. What a report does not say is as in a result of which nothing was heard,
 * voiced or placed.
 *
 * @returns `null` for a text that is no such report.
 */
export function resultFromReport(text: string): PlacedResult | null {
  const report = parsedJson(text);
  if (!isObject(report) || report["generator"] !== REPORT_GENERATOR || !Array.isArray(report["cues"])) return null;
  const cues = report["cues"].filter(isCue).map(({ id, start, end, text }) => ({ id, start, end, text }));
  const { service_report: service, programme, job_id: jobId } = report;
  const { describer, speech, music, dialogue }: Record<string, unknown> = isObject(service) ? service : {};
  const length = isObject(programme) ? programme["duration_seconds"] : undefined;
  const sequence = isObject(programme) ? sequenceOf(programme) : null;
  const { track, ...settings } = isObject(report["settings"]) ? report["settings"] : {};
  return {
    version: RESULT_VERSION,
    revision: 0,
    runId: "",
    jobId: typeof jobId === "string" ? jobId : "",
    // Written by this project from settings that were valid.
    settings: { ...DEFAULT_SETTINGS, ...(settings as Partial<AskedSettings>) },
    track: track === "ad_only" || track === "mixed" ? track : "none",
    ...(sequence === null ? {} : { sequence }),
    offsetSeconds: 0,
    durationSeconds: typeof length === "number" ? length : Number.MAX_SAFE_INTEGER,
    cues,
    generated: cues,
    ...(typeof describer === "string" ? { describer } : {}),
    ...(Array.isArray(speech) ? { speech: speech.filter(isHeard).map(heardRange) } : {}),
    ...(Array.isArray(music) ? { music: confidentRanges(music.filter(isHeard).map(heardRange)) } : {}),
    ...(Array.isArray(dialogue) ? defined({ dialogue: dialogueLines(dialogue.filter(isLine)) }) : {}),
    findings: [],
    issues: [],
    notices: [],
    voiced: {},
    acceptedIds: [],
    placed: { sequenceId: "", markerIds: {}, clipNames: [], layout: [] },
  };
}

/** Name, rate and start of the programme, as a report has them. */
function sequenceOf(programme: Record<string, unknown>): DescribedSequence | null {
  const { name, frame_rate: rate, drop_frame: isDropFrame, start_timecode: start } = programme;
  if (typeof rate !== "string" || typeof isDropFrame !== "boolean" || typeof start !== "string") return null;
  const stated = parseRateName(rate);
  if (stated === null) return null;
  const label = parseTimecode(start, { ...stated, isDropFrame }, { dropped: "next" });
  return {
    name: typeof name === "string" ? name : "",
    rate: stated.rate,
    isDropFrame,
    startFrame: label.ok ? label.frame : 0,
  };
}

/** Start, end and confidence, as services tell them. */
type HeardTriple = readonly [number, number, number];

function isLine(value: unknown): value is DialogueLine {
  return isObject(value) && isCue({ id: "", ...value });
}

function isHeard(value: unknown): value is HeardTriple {
  return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "number");
}

function heardRange([start, end, confidence]: HeardTriple): HeardRange {
  return { start, end, confidence };
}

function isCue(value: unknown): value is Cue {
  if (!isObject(value)) return false;
  const { id, start, end, text } = value;
  return typeof id === "string" && typeof start === "number" && typeof end === "number" && typeof text === "string";
}
