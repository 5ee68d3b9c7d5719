import type { Timeline } from "../core/timeline.ts";
import type { DocumentExtra } from "./document-extra.ts";

/** What a timeline holds beside its markers, which become cues, by what it is called in the plural. */
export function timelineExtras(timeline: Timeline): DocumentExtra[] {
  const clips = timeline.tracks.flatMap((track) => track.clips);
  const clipsWith = (holds: (clip: (typeof clips)[number]) => boolean) => clips.filter(holds).length;
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const extras = [
    { name: "tracks", count: timeline.tracks.length },
    { name: "clips", count: clips.length },
    { name: "transitions", count: sum(timeline.tracks.map((track) => track.transitions.length)) },
    { name: "effects", count: sum(clips.map((clip) => clip.effects.length)) },
    { name: "changes of speed", count: clipsWith(({ speed }) => speed !== 1) },
    { name: "clips that are switched off", count: clipsWith(({ isEnabled }) => !isEnabled) },
    { name: "nested sequences", count: clipsWith(({ source }) => source.kind === "nested") },
    { name: "choices of a sound channel", count: clipsWith(({ sourceChannel }) => sourceChannel !== undefined) },
    { name: "tracks that are switched off", count: timeline.tracks.filter(({ isEnabled }) => !isEnabled).length },
    { name: "markers of clips", count: sum(clips.map((clip) => clip.markers.length)) },
    { name: "marker colours", count: timeline.markers.filter((marker) => marker.colour !== undefined).length },
  ];
  return extras.filter((extra) => extra.count > 0);
}

/** What of a timeline is not in what was written of it: by counting both. */
export function timelineLosses(given: Timeline, written: Timeline): DocumentExtra[] {
  const kept = new Map(heldBy(written).map(({ name, count }) => [name, count]));
  return heldBy(given).flatMap(({ name, count }) => {
    const lost = count - (kept.get(name) ?? 0);
    return lost > 0 ? [{ name, count: lost }] : [];
  });
}

/** All that another timeline has a place for. */
function heldBy(timeline: Timeline): DocumentExtra[] {
  return [
    ...timelineExtras(timeline),
    { name: "markers", count: timeline.markers.length },
    { name: "names of tracks", count: timeline.tracks.filter(({ name }) => name !== "").length },
    { name: "sizes of the picture", count: timeline.frameSize === undefined ? 0 : 1 },
    { name: "drop-frame counts of the timecode", count: timeline.isDropFrame ? 1 : 0 },
  ];
}
