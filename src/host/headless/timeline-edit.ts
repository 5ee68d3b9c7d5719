import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Timeline } from "../../core/timeline.ts";
import type { TimelineEdit } from "../../formats/timeline-document.ts";
import { readStatedHeader, WAVE_HEAD_BYTES } from "../../formats/wave/read-wave.ts";
import { type EditPlan, type EditStep, isNarrationClip, NARRATION_TRACK_NAME, tracksOfOurClips } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";
import { frameSeconds, type PlacedSound } from "./apply-plan.ts";

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
            ownClips: tracksOfOurClips(before).flatMap(({ clips }) =>
              clips.filter(isNarrationClip).map(({ name }) => name),
            ),
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

/** What of a timeline a file does not say, in words; times count as the same within a frame. */
export function timelineDifferences(timeline: Timeline, written: Timeline | null): string[] {
  if (written === null) return ["the file cannot be read back"];
  const frame = frameSeconds(timeline.rate);
  const differences: string[] = [];
  if (written.markers.length !== timeline.markers.length) {
    differences.push(`${written.markers.length} markers instead of ${timeline.markers.length}`);
  }
  const inOrder = ({ markers }: Timeline) => [...markers].sort((a, b) => a.start - b.start);
  const others = inOrder(written);
  for (const [index, marker] of inOrder(timeline).entries()) {
    const other = others[index];
    if (other === undefined) continue;
    const isMoved = Math.abs(other.start - marker.start) >= frame || Math.abs(other.end - marker.end) >= frame;
    if (isMoved) differences.push(`marker "${marker.name}" is at another time`);
    if (other.comment.trim() !== marker.comment.trim()) differences.push(`marker "${marker.name}" has other words`);
  }
  const clipsOf = ({ tracks }: Timeline) => tracks.reduce((count, { clips }) => count + clips.length, 0);
  if (clipsOf(written) < clipsOf(timeline)) differences.push("a clip is missing");
  return differences;
}

/**
 * Sound files of a plan, as their own headers describe them. `finalPathOf` says where a file will be once everything is in
 * place.
 *
 * @throws HostError `file_unreadable` for a file that is no WAV file.
 */
export async function placedSounds(
  plan: EditPlan,
  files: Files,
  finalPathOf: (path: string) => string,
): Promise<(path: string) => PlacedSound> {
  const sounds = new Map<string, PlacedSound>();
  for (const step of plan.groups.flatMap((group) => group.steps)) {
    if (step.kind !== "place-audio") continue;
    // What is put back is named as the timeline has it: by an address.
    const path = step.path.startsWith("file:") ? fileURLToPath(step.path) : step.path;
    const reading = readStatedHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
    if (!reading.ok) {
      const context = { operation: "place a sound file", state: "nothing was changed" };
      throw new HostError("file_unreadable", `"${basename(path)}" is not a WAV file`, context);
    }
    const location = pathToFileURL(finalPathOf(path)).href;
    const { channels, sampleRate } = reading.layout.format;
    sounds.set(step.path, { location, channels, sampleRate });
  }
  return (path) => sounds.get(path) ?? { location: path, channels: 0, sampleRate: 0 };
}
