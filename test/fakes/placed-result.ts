import type { Cue } from "../../src/core/cue.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { askedSettings, type Placed, type PlacedResult, RESULT_VERSION, type Result } from "../../src/result/result.ts";

/** A result of these cues as it lies on a sequence, the service's words and the editor's alike, with what differs. */
export function placedResult(
  cues: readonly Cue[],
  changes: Partial<Result> = {},
  placed: Partial<Placed> = {},
): PlacedResult {
  return {
    version: RESULT_VERSION,
    revision: 1,
    runId: "run-1",
    jobId: "job-1",
    settings: askedSettings(DEFAULT_SETTINGS),
    track: "ad_only",
    offsetSeconds: 0,
    durationSeconds: 60,
    cues,
    generated: cues,
    findings: [],
    issues: [],
    notices: [],
    voiced: {},
    acceptedIds: [],
    ...changes,
    placed: { sequenceId: "s1", markerIds: {}, clipNames: [], layout: [], ...placed },
  };
}
