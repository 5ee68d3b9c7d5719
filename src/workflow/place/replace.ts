import { defined } from "../../core/objects.ts";
import { isSameTime, LONGEST_FRAME_SECONDS } from "../../core/time-range.ts";
import type { Timeline, TimelineClip, TimelineMarker } from "../../core/timeline.ts";
import {
  type AddMarker,
  type ChangeMarker,
  type EditPlan,
  type EditStep,
  isNameOfOurs,
  isNarrationTrack,
  type MarkerColour,
  type PlaceAudio,
  type RemoveMarker,
  tracksOfOurClips,
} from "../../host/edit-plan.ts";
import { type Result, rangeOf, soundingCues, wantedPauses } from "../../result/result.ts";
import type { NarrationClip } from "./narration-clips.ts";
import { DEFAULT_COLOURS, isAddition, isOurMarkerName, type Placement, planPlacement } from "./place.ts";
import { type OwnMarker, type ReadBack, readBack } from "./read-back.ts";

/** Markers in the host's own colour: a colour of choice costs a second step in hosts that make markers without one. */
export const UNCOLOURED: NonNullable<Placement["colours"]> = {
  plain: "green",
  finding: "green",
  toWrite: "green",
};

/** What is to be placed on a timeline that may hold an earlier result. */
export interface Replacement extends Placement {
  /** Clips of single cues, in place of one file with all of them. */
  readonly clips?: readonly NarrationClip[];
  /** The timeline as it is now. */
  readonly timeline: Timeline;
  /** Length of the described range, from the export offset on. */
  readonly durationSeconds: number;
  /** The markers as they were read back with the record of the sequence; read here, without one, where absent. */
  readonly readBack?: Pick<ReadBack, "markers">;
  /** Whether a clip of ours plays another file than the one that its name stands for, so that it has to go. Absent: none does. */
  readonly playsAnother?: (clip: TimelineClip) => boolean;
}

/** What of a result goes onto a timeline: its cues that sound, with what was found in them, and the pauses left to write. */
export function replacementOf(
  result: Pick<
    Result,
    "cues" | "mutedIds" | "findings" | "toWrite" | "silentIds" | "held" | "offsetSeconds" | "durationSeconds"
  >,
  target: Pick<Replacement, "sequence" | "timeline">,
): Replacement {
  const { findings, held } = result;
  const toWrite = wantedPauses(result);
  return {
    ...target,
    ...rangeOf(result),
    cues: soundingCues(result),
    findings,
    ...defined({ toWrite, held }),
  };
}

/** Plans everything of a result that goes onto a timeline: its markers, then its sound. */
export function planReplacement(replacement: Replacement): EditPlan {
  const plans = [planMarkerReplacement(replacement), planNarrationReplacement(replacement)];
  return { sequenceId: replacement.sequence.id, groups: plans.flatMap(({ groups }) => groups) };
}

/**
 * Plans the markers of a result: new ones are added, ours of the same cue changed where they differ, ours of the described
 * range that have no cue any more removed. Other markers, and ours outside the range, are left alone, as are names and
 * colours that the editor gave. Markers of pauses that nobody has written are replaced where `toWrite` is given, else left as
 * they are, but for those that are described by now. No group when there is nothing to do.
 */
export function planMarkerReplacement(replacement: Replacement): EditPlan {
  const { audio: _, ...markersOnly } = replacement;
  const wanted = planPlacement(markersOnly).groups.flatMap(({ steps }) => steps.filter(isAddition));
  const cueIds = new Set(wanted.map((step) => step.cueId));
  const colours = Object.values(replacement.colours ?? DEFAULT_COLOURS);
  const present = new Map<string, TimelineMarker>();
  const removed: RemoveMarker[] = [];
  for (const own of (replacement.readBack ?? readBack({ ...replacement, record: null })).markers) {
    if (mayStay(own, cueIds) && !present.has(own.cueId)) present.set(own.cueId, own.marker);
    else if (!isNoted(own) && !isLeft(own, replacement)) removed.push(...removal(own));
  }
  const steps: EditStep[] = removed;
  for (const step of wanted) {
    const marker = present.get(step.cueId);
    const change = marker === undefined ? step : changeTo(step, marker, colours);
    if (change !== null) steps.push(change);
  }
  const count = wanted.length;
  const label = `Place ${count} description marker${count === 1 ? "" : "s"}`;
  return { sequenceId: replacement.sequence.id, groups: steps.length === 0 ? [] : [{ label, steps }] };
}

/**
 * Plans the sound of a result, one file or a clip for each cue: clips of ours in the described range go unless they are as
 * they should be, new ones are placed. `mutesOthers` mutes the other sound tracks, for a mix that holds the programme's
 * sound too. No group when there is nothing to do.
 */
export function planNarrationReplacement(replacement: Replacement & { readonly mutesOthers?: boolean }): EditPlan {
  const { sequence, timeline, clips } = replacement;
  const groups: { label: string; steps: EditStep[] }[] = [];
  const wanted = wantedSounds(replacement);
  if (wanted !== null) {
    const ours = ownClips(replacement);
    // One file with all narration may have been trimmed; the clip of a cue is as long as the cue.
    const isThere = (clip: TimelineClip, sound: (typeof wanted)[number]) =>
      isSound(clip, sound, clips !== undefined) && replacement.playsAnother?.(clip) !== true;
    const missing = wanted.filter((sound) => !ours.some((clip) => isThere(clip, sound)));
    // A name stands for all clips that have it: one that has to go takes its namesakes along, and they come back.
    const gone = new Set(ours.filter((clip) => !wanted.some((sound) => isThere(clip, sound))).map(({ name }) => name));
    for (const { clipName } of missing) if (ours.some(({ name }) => name === clipName)) gone.add(clipName);
    const steps: EditStep[] = [];
    if (gone.size > 0) steps.push({ kind: "remove-audio", clipNames: [...gone] });
    for (const sound of wanted) {
      if (missing.includes(sound) || gone.has(sound.clipName)) steps.push({ kind: "place-audio", ...sound });
    }
    if (steps.length > 0) groups.push({ label: "Place narration", steps });
  }
  if (replacement.mutesOthers === true) {
    const steps = mutes(timeline);
    if (steps.length > 0) groups.push({ label: "Mute the other sound tracks", steps });
  }
  return { sequenceId: sequence.id, groups };
}

/** The sounds that the narration track is to hold; `null` where none is to be placed. */
function wantedSounds({ audio, clips, offsetSeconds }: Replacement): Omit<PlaceAudio, "kind">[] | null {
  if (clips !== undefined) {
    return clips.map(({ path, place: { name: clipName, start, durationSeconds } }) => {
      return { path, clipName, start, durationSeconds };
    });
  }
  if (audio === undefined) return null;
  const { start = 0, ...sound } = audio;
  return [{ ...sound, start: offsetSeconds + start }];
}

function isSound(clip: TimelineClip, sound: Omit<PlaceAudio, "kind">, isOfOneCue: boolean): boolean {
  if (clip.name !== sound.clipName || !isSameTime(clip.start, sound.start)) return false;
  return !isOfOneCue || Math.abs(clip.end - clip.start - sound.durationSeconds) < LONGEST_FRAME_SECONDS;
}

/** A pause that waits for words, where nobody knows of the pauses. */
function isLeft({ state }: OwnMarker, { toWrite }: Replacement): boolean {
  return state === "to-write" && toWrite === undefined;
}

/** A copy without words of its own, and one whose words were cleared, give way; the others stay with their cue. */
function mayStay({ state, cueId }: OwnMarker, cueIds: ReadonlySet<string>): boolean {
  return cueIds.has(cueId) && state !== "duplicate" && state !== "emptied";
}

/** A marker that gives way but has a name of the editor's: what is written there is not ours to remove. */
function isNoted({ state, marker }: OwnMarker): boolean {
  return (state === "duplicate" || state === "emptied") && !isOurMarkerName(marker.name);
}

/** Only the fields that differ: each is an action of its own in the host. `null` when none does. */
function changeTo(step: AddMarker, marker: TimelineMarker, ours: readonly MarkerColour[]): ChangeMarker | null {
  const isMoved = !isSameTime(step.start, marker.start);
  const isLonger = !isSameTime(step.duration, marker.end - marker.start);
  const isOurColour = ours.some((colour) => colour === marker.colour);
  const fields = {
    ...(isMoved ? { start: step.start } : {}),
    ...(isMoved || isLonger ? { duration: step.duration } : {}),
    ...(step.name !== marker.name && isOurMarkerName(marker.name) ? { name: step.name } : {}),
    ...(step.comment === marker.comment ? {} : { comment: step.comment }),
    ...(step.colour !== marker.colour && isOurColour ? { colour: step.colour } : {}),
  };
  if (Object.keys(fields).length === 0) return null;
  return { kind: "change-marker", cueId: step.cueId, markerId: marker.id ?? "", ...fields };
}

function removal({ cueId, marker }: OwnMarker): RemoveMarker[] {
  return marker.id === undefined ? [] : [{ kind: "remove-marker", cueId, markerId: marker.id }];
}

/** Clips of ours in the described range. */
function ownClips(replacement: Replacement): TimelineClip[] {
  const { offsetSeconds, durationSeconds, timeline } = replacement;
  return tracksOfOurClips(timeline)
    .flatMap((track) => track.clips)
    .filter((clip) => isNameOfOurs(clip.name))
    .filter((clip) => clip.end > offsetSeconds && clip.start < offsetSeconds + durationSeconds);
}

function mutes(timeline: Timeline): EditStep[] {
  return timeline.tracks.flatMap((track, trackIndex) => {
    if (track.kind !== "audio" || !track.isEnabled || isNarrationTrack(track)) return [];
    return [{ kind: "mute-track", trackIndex, isMuted: true } as const];
  });
}

/** A colour a marker was read with, as one that can be set; the host's own for new markers where it is none of these. */
export function settableColour(colour: string | undefined): MarkerColour {
  const known = ["green", "red", "magenta", "orange", "yellow", "blue", "cyan"] as const;
  return known.find((one) => one === colour) ?? "green";
}
