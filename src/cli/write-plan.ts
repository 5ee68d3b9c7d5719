import type { Timeline, TimelineMarker } from "../core/timeline.ts";
import { editFcp7Xml, editOtio, type TimelineEdit, writeFcp7Xml, writeOtio } from "../formats/index.ts";
import type { EditPlan } from "../host/edit-plan.ts";
import { applyPlan } from "../host/headless/apply-plan.ts";
import { HostError } from "../host/host-error.ts";

/** A timeline document that was read. */
export interface TimelineText {
  readonly format: string;
  readonly text: string;
  readonly timeline: Timeline;
}

/**
 * The text of a timeline after a plan. In its own format only what the plan names changes, to the byte; in another one the
 * whole timeline is written anew.
 *
 * @param format `otio` or `fcp7-xml`.
 */
export function textAfterPlan(document: TimelineText, plan: EditPlan, format: string): string {
  const { timeline } = applyPlan(document.timeline, plan, (path) => ({
    location: path,
    channels: 1,
    sampleRate: 48_000,
  }));
  if (format !== document.format) return format === "otio" ? writeOtio(timeline) : writeFcp7Xml(timeline);
  const edit = editOf(document.timeline, timeline, plan);
  const result = format === "otio" ? editOtio(document.text, edit) : editFcp7Xml(document.text, edit);
  if (result.ok) return result.text;
  const context = { operation: "change the timeline", state: "nothing was written" };
  throw new HostError("apply_failed", result.issues[0]?.message ?? "the timeline cannot be changed", context);
}

function editOf(before: Timeline, after: Timeline, plan: EditPlan): TimelineEdit {
  const steps = plan.groups.flatMap((group) => group.steps);
  const now = new Map(after.markers.map((marker) => [marker.id, marker]));
  const marker = (id: string): TimelineMarker[] => {
    const found = now.get(id);
    return found === undefined ? [] : [found];
  };
  const clips = after.tracks.flatMap((track) => track.clips.map((clip) => ({ track: track.name, clip })));
  const placed = steps.flatMap((step) => (step.kind === "place-audio" ? [step] : []));
  const [first] = steps.flatMap((step) => (step.kind === "place-audio" || step.kind === "remove-audio" ? [step] : []));
  const removed = steps.flatMap((step) => (step.kind === "remove-audio" ? step.clipNames : []));
  return {
    name: before.name,
    addMarkers: steps.flatMap((step) => (step.kind === "add-marker" ? marker(step.cueId) : [])),
    changeMarkers: steps.flatMap((step) =>
      step.kind === "change-marker" ? marker(step.markerId).map((one) => ({ id: step.markerId, marker: one })) : [],
    ),
    removeMarkers: steps.flatMap((step) => (step.kind === "remove-marker" ? [step.markerId] : [])),
    ...(first === undefined
      ? {}
      : {
          audio: {
            trackName: first.trackName,
            removeClips: removed,
            addClips: placed.flatMap((step) => {
              const clip = clips.find(
                ({ track, clip: one }) => track === step.trackName && one.name === step.clipName,
              )?.clip;
              if (clip?.source.kind !== "media" || clip.source.location === null) return [];
              const { name, location, audioChannels } = clip.source;
              const media = { name, location, audioChannels, durationSeconds: step.durationSeconds };
              return [{ name: step.clipName, start: step.start, media }];
            }),
          },
        }),
  };
}
