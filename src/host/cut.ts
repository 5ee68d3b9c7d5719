import { layoutOf, type PlacedClip } from "../core/layout.ts";
import type { Timeline } from "../core/timeline.ts";
import { CLIP_NAME_PREFIX, NARRATION_TRACK_NAME } from "./edit-plan.ts";

/** The cut of a sequence, without anything of ours in it, on whichever track the editor has laid that. */
export function cutOf(timeline: Timeline): PlacedClip[] {
  const tracks = timeline.tracks.map((track) =>
    track.kind === "audio"
      ? { ...track, clips: track.clips.filter(({ name }) => !name.startsWith(CLIP_NAME_PREFIX)) }
      : track,
  );
  return layoutOf({ ...timeline, tracks }, NARRATION_TRACK_NAME);
}
