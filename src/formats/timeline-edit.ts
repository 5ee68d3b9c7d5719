import type { MediaSource, TimelineMarker } from "../core/timeline.ts";
import type { ParseIssue } from "./parse-issue.ts";
import type { TimelineChoice } from "./timeline-document.ts";

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

/** Changes to one audio track, which is found by its name and made when it is missing. */
export interface AudioTrackEdit {
  readonly trackName: string;
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
