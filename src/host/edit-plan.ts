import { layoutOf, type PlacedClip } from "../core/layout.ts";
import { fileNameOf } from "../core/local-file.ts";
import type { Timeline, TimelineClip, Track } from "../core/timeline.ts";

/** Adds a marker. Times are seconds on the sequence clock, already on the frame grid. */
export interface AddMarker {
  readonly kind: "add-marker";
  readonly cueId: string;
  readonly start: number;
  readonly duration: number;
  readonly name: string;
  readonly comment: string;
  readonly colour: MarkerColour;
}

/** Changes a marker that is there; only the fields given change. */
export interface ChangeMarker {
  readonly kind: "change-marker";
  readonly cueId: string;
  readonly markerId: string;
  readonly start?: number;
  readonly duration?: number;
  readonly name?: string;
  readonly comment?: string;
  readonly colour?: MarkerColour;
}

/** Removes a marker that is there. */
export interface RemoveMarker {
  readonly kind: "remove-marker";
  readonly cueId: string;
  readonly markerId: string;
}

/** Places a sound file on the audio track {@link NARRATION_TRACK_NAME}, which is made when it is missing or taken. */
export interface PlaceAudio {
  readonly kind: "place-audio";
  /** File as the host's file port names it. */
  readonly path: string;
  readonly clipName: string;
  readonly start: number;
  readonly durationSeconds: number;
}

/** Removes clips of ours from that track. */
export interface RemoveAudio {
  readonly kind: "remove-audio";
  readonly clipNames: readonly string[];
}

/** Mutes or unmutes a track. */
export interface MuteTrack {
  readonly kind: "mute-track";
  /** Place of the track in `Timeline.tracks`, as the host read it: video tracks count too. */
  readonly trackIndex: number;
  readonly isMuted: boolean;
}

/** One change to the timeline. */
export type EditStep = AddMarker | ChangeMarker | RemoveMarker | PlaceAudio | RemoveAudio | MuteTrack;

/** Marker colours by the name they have in the host's interface. */
export type MarkerColour = "green" | "red" | "magenta" | "orange" | "yellow" | "blue" | "cyan";

/** Steps that are undone together, with the label the host's undo menu shows. */
export interface EditGroup {
  readonly label: string;
  readonly steps: readonly EditStep[];
}

/** Everything one action of the user changes, decided before anything is touched. */
export interface EditPlan {
  /** Identity of the sequence it was made for; a host refuses to apply it to another. */
  readonly sequenceId: string;
  readonly groups: readonly EditGroup[];
  /**
   * Text kept with the sequence in the same step of the undo history as the last change of the plan. A host that keeps no
   * text leaves it out.
   */
  readonly note?: KeptText;
}

/** Text that a host keeps with a sequence, by name. */
export interface KeptText {
  readonly name: string;
  readonly text: string;
}

/** Name of the track that narration is placed on; also how it is found again. */
export const NARRATION_TRACK_NAME = "Audio description";

/** How the names of all our clips begin. */
export const CLIP_NAME_PREFIX = "aside-";

/**
 * Whether a clip has a name that we give. All our sound is WAV; the film of the sample that comes with Aside has a name of the same
 * kind.
 */
export function isNameOfOurs(clipName: string): boolean {
  return clipName.startsWith(CLIP_NAME_PREFIX) && /\.wav$/i.test(clipName);
}

/** Whether a sound clip is our narration: by its name, or by its file's where the editor renamed the clip. */
export function isNarrationClip({ name, source }: TimelineClip): boolean {
  const file = source.kind === "media" && source.location !== null ? fileNameOf(source.location) : "";
  return isNameOfOurs(name) || isNameOfOurs(file);
}

/** Whether a track is ours: by its name, or, where the host gives tracks none, because nothing else lies on it. */
export function isNarrationTrack({ kind, name, clips }: Track): boolean {
  return kind === "audio" && (name === NARRATION_TRACK_NAME || (clips.length > 0 && clips.every(isNarrationClip)));
}

/** A sequence without the tracks that are ours: what is described. */
export function programmeOf(timeline: Timeline): Timeline {
  return { ...timeline, tracks: timeline.tracks.filter((track) => !isNarrationTrack(track)) };
}

/** The sound tracks that clips of ours are taken from: those of our name; any where none has it, for not every Premiere can name one. */
export function tracksOfOurClips({ tracks }: Timeline): readonly Track[] {
  const sound = tracks.filter(({ kind }) => kind === "audio");
  const named = sound.filter(({ name }) => name === NARRATION_TRACK_NAME);
  return named.length > 0 ? named : sound;
}

/** The cut of a sequence, without anything of ours in it, on whichever track the editor has laid that. */
export function cutOf(timeline: Timeline): PlacedClip[] {
  const tracks = timeline.tracks.map((track) =>
    track.kind === "audio" ? { ...track, clips: track.clips.filter((clip) => !isNarrationClip(clip)) } : track,
  );
  return layoutOf({ ...timeline, tracks }, NARRATION_TRACK_NAME);
}

/**
 * Whether a timeline holds what it held: the same tracks, clips and markers. Its name does not count, nor the identities of
 * markers, nor an empty sound track of ours, which no host takes away again.
 */
export function isUntouched(asLeft: Timeline, now: Timeline): boolean {
  return JSON.stringify(held(asLeft)) === JSON.stringify(held(now));
}

function held({ rate, startFrame, tracks, markers }: Timeline) {
  const isOwnEmpty = ({ kind, name, clips }: Timeline["tracks"][number]) =>
    kind === "audio" && name === NARRATION_TRACK_NAME && clips.length === 0;
  return {
    rate,
    startFrame,
    tracks: tracks
      .filter((track) => !isOwnEmpty(track))
      .map(({ kind, name, isEnabled, clips }) => [kind, name, isEnabled, clips.map(placeOf)]),
    // In one order, whichever of two at one instant came first.
    markers: markers
      .map(({ start, end, name, comment, colour }) => JSON.stringify([start, end, name, comment, colour]))
      .sort(),
  };
}

function placeOf({ start, end, name, isEnabled, sourceStart, speed, source }: TimelineClip) {
  const media =
    source.kind === "nested" ? source.timeline.name : source.kind === "media" ? source.location : source.name;
  return [start, end, name, isEnabled, sourceStart, speed, source.kind, media];
}
