import type { Timeline } from "../../core/timeline.ts";
import type { TimelineEdit } from "../../formats/timeline-edit.ts";
import { type EditStep, NARRATION_TRACK_NAME } from "../edit-plan.ts";
import type { PlacedSound } from "./apply-plan.ts";

/**
 * The steps of a plan as changes to a timeline document, for the result of `applyPlan` to be written into it.
 *
 * @param before The timeline as the document holds it.
 * @param after The timeline as its markers will be.
 * @param soundOf Where a sound to place will lie, and what it is.
 */
export function timelineEditOf(
  steps: readonly EditStep[],
  before: Timeline,
  after: Timeline,
  soundOf: (path: string) => PlacedSound,
): TimelineEdit {
  const known = new Set(before.markers.map(({ id }) => id));
  const placed = steps.filter((step) => step.kind === "place-audio");
  const removed = steps.filter((step) => step.kind === "remove-audio");
  const changed = new Set(steps.flatMap((step) => (step.kind === "change-marker" ? [step.markerId] : [])));
  return {
    removeMarkers: steps.flatMap((step) => (step.kind === "remove-marker" ? [step.markerId] : [])),
    changeMarkers: after.markers.flatMap((marker) =>
      marker.id !== undefined && changed.has(marker.id) ? [{ id: marker.id, marker }] : [],
    ),
    addMarkers: after.markers.filter(({ id }) => !known.has(id)),
    muteTracks: steps.filter((step) => step.kind === "mute-track"),
    ...(placed.length + removed.length === 0
      ? {}
      : {
          audio: {
            trackName: NARRATION_TRACK_NAME,
            removeClips: removed.flatMap((step) => step.clipNames),
            addClips: placed.map((step) => {
              const { location, channels, sampleRate } = soundOf(step.path);
              const media = {
                name: step.clipName,
                location,
                durationSeconds: step.durationSeconds,
                audioChannels: channels,
                audioSampleRate: sampleRate,
              };
              return { name: step.clipName, start: step.start, media };
            }),
          },
        }),
  };
}
