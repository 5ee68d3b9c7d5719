import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { AddMarker, EditPlan, EditStep } from "../../host/edit-plan.ts";
import type { SequenceInfo } from "../../host/host.ts";
import { snapToFrames } from "./place.ts";

/** Last line of a finding's marker: by it the marker is found again. No cue's tag looks like it. */
const TAG = "AD!check";

/** What is shown as markers, and where. */
export interface FindingMarkers {
  readonly sequence: Pick<SequenceInfo, "id" | "rate">;
  readonly timeline: Pick<Timeline, "markers">;
  /** Sequence time of the programme's time 0. */
  readonly offsetSeconds: number;
  /** On the programme clock. */
  readonly cues: readonly Cue[];
  readonly findings: readonly Finding[];
}

/**
 * Plans a marker for each warning and fault, at its cue or its stretch, in place of those of an earlier check. Notes and
 * findings about the whole have no place. No group when there is nothing to do.
 */
export function planFindingMarkers({ sequence, timeline, offsetSeconds, cues, findings }: FindingMarkers): EditPlan {
  const old = timeline.markers.filter(({ id, comment }) => id !== undefined && comment.split("\n").at(-1) === TAG);
  const byId = new Map(cues.map((cue) => [cue.id, cue]));
  const added = findings.flatMap((finding, index): AddMarker[] => {
    const place = byId.get(finding.cueIds[0] ?? "") ?? finding.range;
    if (finding.severity === "note" || place === undefined) return [];
    const range = { start: place.start + offsetSeconds, end: place.end + offsetSeconds };
    const [{ start, end } = range] = snapToFrames([range], sequence.rate);
    const name = `AD check · ${finding.rule}`;
    const comment = `${finding.message}\n${TAG}`;
    const colour = finding.severity === "fail" ? "red" : "orange";
    return [{ kind: "add-marker", cueId: `check-${index}`, start, duration: end - start, name, comment, colour }];
  });
  const steps: EditStep[] = [
    ...old.map(({ id = "" }) => ({ kind: "remove-marker", cueId: id, markerId: id }) as const),
    ...added,
  ];
  const label =
    added.length === 0
      ? "Remove finding markers"
      : `Place ${added.length} finding marker${added.length === 1 ? "" : "s"}`;
  return { sequenceId: sequence.id, groups: steps.length === 0 ? [] : [{ label, steps }] };
}
