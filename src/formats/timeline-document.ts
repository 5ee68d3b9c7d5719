import type { TimeRange } from "../core/time-range.ts";
import type { MediaSource, Timeline, TimelineClip, TimelineMarker } from "../core/timeline.ts";
import type { ParseIssue } from "./parse-issue.ts";

/** What every reader of timelines returns. */
export interface TimelineDocument {
  /** `null` when the text holds no timeline that can be read. */
  readonly timeline: Timeline | null;
  readonly issues: readonly ParseIssue[];
  /** Captions on the sequence, in order of time; absent where the format has none, or none is there. */
  readonly captions?: readonly TimelineCaption[];
}

/** A caption of a sequence, seconds on its clock. */
export interface TimelineCaption extends TimeRange {
  /** Plain, white space folded. */
  readonly text: string;
}

/** Which timeline of a text that may hold several is meant. */
export interface TimelineChoice {
  /** Its name; the first one where absent. */
  readonly name?: string;
}

/**
 * Changes to a timeline document. Whatever is not named stays as it is, to the byte. Markers are named by the ids their
 * reader gave them, which hold for this text only.
 */
export interface TimelineEdit extends TimelineChoice {
  /** What the timeline is called from now on. */
  readonly newName?: string;
  readonly addMarkers?: readonly TimelineMarker[];
  /** Markers that are replaced as a whole, by id. */
  readonly changeMarkers?: readonly { readonly id: string; readonly marker: TimelineMarker }[];
  /** Markers that go, changed ones among them. */
  readonly removeMarkers?: readonly string[];
  readonly audio?: AudioTrackEdit;
  /** Tracks by their place in `Timeline.tracks`. */
  readonly muteTracks?: readonly { readonly trackIndex: number; readonly isMuted: boolean }[];
}

/** Changes to one audio track, which is found by its name, else by its clips, and made when it is missing. */
export interface AudioTrackEdit {
  readonly trackName: string;
  /** Names of all clips that lie on this track: hosts drop names of tracks, and then it is the one that holds nothing else. */
  readonly ownClips?: readonly string[];
  /** Clips of this track that go, by name. */
  readonly removeClips?: readonly string[];
  /** Clips that do not overlap each other, in any order; where others lie in their way, a track of the same name is added. */
  readonly addClips?: readonly AudioPlacement[];
}

/** A sound file on a track. It plays whole, from its first sample. */
export interface AudioPlacement {
  /** Name of the clip, by which it is found again. */
  readonly name: string;
  /** Seconds on the sequence clock. */
  readonly start: number;
  readonly media: AudioMedia;
}

/** A sound file whose length is known. */
export interface AudioMedia extends Pick<MediaSource, "name" | "audioChannels"> {
  /** `file:` address or absolute path. */
  readonly location: string;
  readonly durationSeconds: number;
  /** Samples per second; default 48 000. */
  readonly audioSampleRate?: number;
}

/** A changed document, or the reason why it could not be changed. */
export type TimelineEditResult =
  | { readonly ok: true; readonly text: string; readonly issues: readonly ParseIssue[] }
  | { readonly ok: false; readonly issues: readonly ParseIssue[] };

/** The id a reader gives the marker at `index` of a sequence, in file order. */
export function markerIdAt(index: number): string {
  return `marker-${index}`;
}

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

/**
 * Clips in order, each cut off where the next begins: Premiere writes sound as long as the transition of its picture, past
 * the cut, and offsets in FCPXML need not agree with lengths.
 */
export function withoutOverlap(clips: readonly TimelineClip[]): TimelineClip[] {
  const ordered = [...clips].sort((a, b) => a.start - b.start);
  return ordered.flatMap((clip, index) => {
    const end = Math.min(clip.end, ordered[index + 1]?.start ?? clip.end);
    return end > clip.start ? [end === clip.end ? clip : { ...clip, end }] : [];
  });
}

/**
 * The `file:` address of a place on disk: an address of any scheme as it is, an absolute path of either system
 * percent-encoded (`/a b.wav` is `file:///a%20b.wav`, `C:\a.wav` is `file:///C:/a.wav`), a relative path encoded only.
 */
export function fileUrl(location: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) return location;
  const path = /^[a-z]:[\\/]|^\\\\/i.test(location) ? location.replaceAll("\\", "/") : location;
  const encoded = path.split("/").map(encodeSegment).join("/");
  if (path.startsWith("//")) return `file:${encoded}`;
  if (path.startsWith("/")) return `file://${encoded}`;
  return /^[a-z]:\//i.test(path) ? `file:///${encoded}` : encoded;
}

function encodeSegment(segment: string): string {
  // Half of a surrogate pair cannot be encoded, and no file has it in its name.
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd")).replaceAll("%3A", ":");
}

/** Something a document holds beside its cues' ids, times and words. */
export interface DocumentExtra {
  /** What it is, in the plural: `notes`, `cue settings`, `clips`. */
  readonly name: string;
  readonly count: number;
}

/** What there is of several things, by what each is called in the plural; nothing of what there is none of. */
export function present(counts: readonly (readonly [name: string, count: number])[]): DocumentExtra[] {
  return counts.flatMap(([name, count]) => (count > 0 ? [{ name, count }] : []));
}
