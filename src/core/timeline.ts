import type { FrameRate } from "./frame-rate.ts";
import type { TimeRange } from "./time-range.ts";

/**
 * An edited sequence as every timeline format can say it. Times are seconds on the sequence clock: 0 is the first
 * frame, whatever timecode it is labelled with.
 */
export interface Timeline {
  readonly name: string;
  readonly rate: FrameRate;
  readonly isDropFrame: boolean;
  /** Frame number of the label of the first frame: 86400 when a 24 fps sequence starts at 01:00:00:00. */
  readonly startFrame: number;
  /** Picture size in pixels where known. */
  readonly frameSize?: { readonly width: number; readonly height: number };
  /** Bottom track first within each kind. */
  readonly tracks: readonly Track[];
  readonly markers: readonly TimelineMarker[];
}

/** A row of clips. Clips are in order and do not overlap; what lies between them is empty. */
export interface Track {
  readonly kind: "video" | "audio";
  readonly name: string;
  /** `false` when the track is muted or hidden. */
  readonly isEnabled: boolean;
  readonly clips: readonly TimelineClip[];
  readonly transitions: readonly TimelineTransition[];
}

/** A piece of media (or of another timeline) on a track. */
export interface TimelineClip extends TimeRange {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Source time in seconds, from the media's first frame, that is shown at `start`. */
  readonly sourceStart: number;
  /** Source seconds per sequence second: 1 normal, 2 double speed, -1 reverse, 0 a still. */
  readonly speed: number;
  readonly source: MediaSource | NestedSource | EmptySource;
  /** The one channel of the source's sound that is heard, counted from 1; absent where all are. Audio tracks only. */
  readonly sourceChannel?: number;
  /** Effects that this project does not interpret, by name. */
  readonly effects: readonly string[];
  /** Markers of the clip; their times are source seconds. */
  readonly markers: readonly TimelineMarker[];
}

/** A file on disk or at an address. */
export interface MediaSource {
  readonly kind: "media";
  readonly name: string;
  /** `file:` address or path as the format gave it; `null` when the format names none (offline). */
  readonly location: string | null;
  /** Length in seconds; absent when the format does not say. */
  readonly durationSeconds?: number;
  /** Frame rate of the picture; absent for sound alone and where unknown. */
  readonly rate?: FrameRate;
  /** Frame number of the label of the media's first frame. */
  readonly startFrame?: number;
  readonly hasVideo: boolean;
  /** Number of sound channels; 0 without sound. */
  readonly audioChannels: number;
  /** Samples per second of the sound where known. */
  readonly audioSampleRate?: number;
  readonly frameSize?: { readonly width: number; readonly height: number };
  /** Whether the media is one picture without a time of its own. */
  readonly isStill?: boolean;
}

/** A sequence used as a clip. */
interface NestedSource {
  readonly kind: "nested";
  readonly timeline: Timeline;
}

/** A clip without media: a slug, a generator, a title made in the editor. */
export interface EmptySource {
  readonly kind: "empty";
  readonly name: string;
  /** Whether it may have media all the same, because the host did not answer when it was asked for them. */
  readonly isUntold?: boolean;
}

/** A transition; the range it covers on the sequence clock. */
export interface TimelineTransition extends TimeRange {
  readonly name: string;
}

/** A point or range with a note. */
export interface TimelineMarker extends TimeRange {
  readonly name: string;
  readonly comment: string;
  /** Colour by the format's own name, in lower case (`green`, `red`, ...); absent when the format has none. */
  readonly colour?: string;
  /** Identity given by the host or the file, where there is one. */
  readonly id?: string;
}
