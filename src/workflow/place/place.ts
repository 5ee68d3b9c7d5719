import { type Cue, compareCues, markerComment, markerTag } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { isPauseName, openPauses, type PauseToWrite, pauseName } from "../../core/pause-to-write.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { AddMarker, EditGroup, EditPlan, EditStep, MarkerColour } from "../../host/edit-plan.ts";
import type { SequenceInfo } from "../../host/host.ts";
import { spokenLength } from "../../result/held.ts";
import type { NarrationFile, Result } from "../../result/result.ts";

/** What is to be placed. */
export interface Placement {
  readonly sequence: Pick<SequenceInfo, "id" | "rate">;
  /** Sequence time of the programme's time 0. */
  readonly offsetSeconds: number;
  /** On the programme clock. */
  readonly cues: readonly Cue[];
  /** Of a programme that is held: how long its cues are spoken, which is not their own length. */
  readonly held?: Result["held"];
  /** Cues named by findings other than notes are placed in the second colour. */
  readonly findings?: readonly Finding[];
  /** Pauses that nobody has described; those that are described by now get no marker. On the programme clock. */
  readonly toWrite?: readonly PauseToWrite[];
  /** The narration or the mix; left out where there is none. */
  readonly audio?: NarrationFile & { readonly clipName: string };
  readonly colours?: { readonly plain: MarkerColour; readonly finding: MarkerColour; readonly toWrite: MarkerColour };
}

/** Colours of markers where the user has chosen none. */
export const DEFAULT_COLOURS: NonNullable<Placement["colours"]> = {
  plain: "cyan",
  finding: "orange",
  toWrite: "yellow",
};

/** Plans the markers and the sound clip of a result: one undo step each. Nothing is touched. */
export function planPlacement(placement: Placement): EditPlan {
  const { sequence, audio, offsetSeconds } = placement;
  const markers = planMarkers(placement);
  const groups: EditGroup[] = [];
  if (markers.length > 0) {
    groups.push({
      label: `Place ${markers.length} description marker${markers.length === 1 ? "" : "s"}`,
      steps: markers,
    });
  }
  if (audio !== undefined) {
    // Placed at the export offset exactly, not on the frame grid: it is in step with the programme by the sample.
    const start = offsetSeconds + (audio.start ?? 0);
    const step = { kind: "place-audio", ...audio, start } as const;
    groups.push({ label: "Place narration", steps: [step] });
  }
  return { sequenceId: sequence.id, groups };
}

/**
 * Moves ranges to the frame grid: starts to the nearest frame, ends to the nearest but never past the next start, and
 * no range shorter than one frame. Ranges that start within the same frame follow each other frame by frame.
 *
 * @param ranges In order of start.
 */
export function snapToFrames(
  ranges: readonly TimeRange[],
  rate: SequenceInfo["rate"],
): { start: number; end: number }[] {
  const starts: number[] = [];
  for (const range of ranges) {
    const nearest = framesFromSeconds(range.start, rate);
    starts.push(Math.max(nearest, (starts.at(-1) ?? -1) + 1));
  }
  return ranges.map((range, index) => {
    const start = starts[index] ?? 0;
    const next = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const end = Math.max(start + 1, Math.min(next, framesFromSeconds(range.end, rate)));
    return { start: secondsFromFrames(start, rate), end: secondsFromFrames(end, rate) };
  });
}

/** Whether a step adds a marker. */
export function isAddition(step: EditStep): step is AddMarker {
  return step.kind === "add-marker";
}

/** Name of a cue's marker: its number in the list, counted from 1, and how long it is spoken. */
function markerName(number: number, seconds: number): string {
  return `AD ${number} · ${seconds.toFixed(1)} s`;
}

/** Whether a marker still has a name that this project gave it, of whatever number, length and room. */
export function isOurMarkerName(name: string): boolean {
  return /^AD \d+ · \d+\.\d s$/.test(name) || isPauseName(name);
}

/**
 * The markers of a placement, in order of time. That of a pause has no words, but for its tag: words that a person writes
 * there are a description's, and without any nothing is spoken.
 */
function planMarkers(placement: Placement): AddMarker[] {
  const { plain, finding, toWrite } = placement.colours ?? DEFAULT_COLOURS;
  const flagged = new Set(
    (placement.findings ?? []).filter(({ severity }) => severity !== "note").flatMap(({ cueIds }) => cueIds),
  );
  const cues = [...placement.cues].sort(compareCues);
  const numbers = new Map(cues.map(({ id }, index) => [id, index + 1]));
  const pauses = new Map(openPauses(placement.toWrite ?? [], cues).map((pause) => [pause.id, pause]));
  const places = [...cues, ...[...pauses.values()].map((pause): Cue => ({ ...pause, text: "" }))].sort(compareCues);
  const moved = places.map(({ start, end }) => ({
    start: start + placement.offsetSeconds,
    end: end + placement.offsetSeconds,
  }));
  const snapped = snapToFrames(moved, placement.sequence.rate);
  return places.map((cue, index): AddMarker => {
    const { start, end } = snapped[index] ?? cue;
    const place = { kind: "add-marker", cueId: cue.id, start, duration: end - start } as const;
    const pause = pauses.get(cue.id);
    if (pause !== undefined) return { ...place, name: pauseName(pause), comment: markerTag(cue.id), colour: toWrite };
    return {
      ...place,
      name: markerName(numbers.get(cue.id) ?? 0, spokenLength(placement, cue).seconds),
      comment: markerComment(cue.id, cue.text),
      colour: flagged.has(cue.id) ? finding : plain,
    };
  });
}

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
