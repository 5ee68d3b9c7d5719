import { readMarkerComment } from "../../core/cue.ts";
import { foldedWords } from "../../core/text.ts";
import type { Timeline } from "../../core/timeline.ts";
import {
  type EditGroup,
  type EditPlan,
  type EditStep,
  type PlaceAudio,
  tracksOfOurClips,
} from "../../host/edit-plan.ts";
import { settableColour } from "./replace.ts";

/** What was applied, and what the timeline was before. */
export interface AppliedPlan {
  readonly plan: EditPlan;
  /** The timeline as it was read before the plan was applied. */
  readonly before: Timeline;
  /** Host identity of each marker placed, by cue id. */
  readonly markerIds: Readonly<Record<string, string>>;
}

/** What takes a plan back. */
export interface TakeBack {
  readonly plan: EditPlan;
  /** Markers that somebody has rewritten since: their words are nobody's to take back, so that they stay. */
  readonly rewritten: readonly string[];
}

/**
 * The plan that takes another one back, wholly or as far as it came: what was added goes, what was changed or removed is
 * put back as it was. Markers that are put back get a new identity from the host; those that were rewritten since stay.
 *
 * @param now The timeline as it is.
 */
export function planTakeBack({ plan, before, markerIds }: AppliedPlan, now: Pick<Timeline, "markers">): TakeBack {
  const groups: EditGroup[] = [];
  const rewritten: string[] = [];
  const isRewritten = (step: EditStep) => {
    if (step.kind !== "add-marker" && step.kind !== "change-marker") return false;
    const id = step.kind === "add-marker" ? markerIds[step.cueId] : step.markerId;
    const was = step.comment ?? before.markers.find((marker) => marker.id === id)?.comment;
    const is = now.markers.find((marker) => marker.id !== undefined && marker.id === id)?.comment;
    if (is === undefined || was === undefined || foldedWords(is) === foldedWords(was)) return false;
    rewritten.push(step.cueId);
    return true;
  };
  for (const group of [...plan.groups].reverse()) {
    const steps = [...group.steps]
      .reverse()
      .flatMap((step) => (isRewritten(step) ? [] : inverse(step, before, markerIds)));
    // Removals first: what is put back may need their place.
    steps.sort((a, b) => orderOf(a) - orderOf(b));
    if (steps.length > 0) groups.push({ label: `Take back: ${group.label}`, steps });
  }
  return { plan: { sequenceId: plan.sequenceId, groups }, rewritten };
}

/** Removals, then what is put back; of each markers before sound, with which they share a step to undo. */
function orderOf({ kind }: EditStep): number {
  const isPlacing = kind === "place-audio" || kind === "add-marker";
  const isSound = kind === "place-audio" || kind === "remove-audio";
  return Number(isPlacing) * 2 + Number(isSound);
}

function inverse(step: EditStep, before: Timeline, markerIds: Readonly<Record<string, string>>): EditStep[] {
  if (step.kind === "add-marker") {
    const markerId = markerIds[step.cueId];
    return markerId === undefined ? [] : [{ kind: "remove-marker", cueId: step.cueId, markerId }];
  }
  if (step.kind === "change-marker" || step.kind === "remove-marker") return markerAsBefore(step, before);
  if (step.kind === "place-audio") {
    return [{ kind: "remove-audio", clipNames: [step.clipName] }];
  }
  if (step.kind === "remove-audio") return clipsAsBefore(new Set(step.clipNames), before);
  const wasMuted = before.tracks[step.trackIndex]?.isEnabled === false;
  return wasMuted === step.isMuted ? [] : [{ kind: "mute-track", trackIndex: step.trackIndex, isMuted: wasMuted }];
}

function markerAsBefore(
  step: Extract<EditStep, { kind: "change-marker" | "remove-marker" }>,
  before: Timeline,
): EditStep[] {
  const was = before.markers.find((marker) => marker.id === step.markerId);
  if (was === undefined) return [];
  const { start, end, name, comment } = was;
  const fields = { start, duration: end - start, name, comment, colour: settableColour(was.colour) };
  if (step.kind === "change-marker") return [{ ...step, ...fields }];
  return [{ kind: "add-marker", cueId: readMarkerComment(comment)?.cueId ?? step.cueId, ...fields }];
}

function clipsAsBefore(names: ReadonlySet<string>, before: Timeline): PlaceAudio[] {
  return tracksOfOurClips(before).flatMap((track) =>
    track.clips.flatMap((clip) => {
      const path = clip.source.kind === "media" ? clip.source.location : null;
      if (!names.has(clip.name) || path === null) return [];
      const { name: clipName, start, end } = clip;
      return [{ kind: "place-audio", path, clipName, start, durationSeconds: end - start } as const];
    }),
  );
}
