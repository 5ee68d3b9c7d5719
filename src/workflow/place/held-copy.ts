import { framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import { partsAround, TimeMap } from "../../core/time-map.ts";
import { isSameTime } from "../../core/time-range.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { ChangeMarker, EditPlan } from "../../host/edit-plan.ts";
import type { SequenceInfo } from "../../host/host.ts";
import { cuesInVideo, timeMapOf } from "../../result/held.ts";
import type { Result } from "../../result/result.ts";
import type { NarrationClip } from "./narration-clips.ts";
import { planReplacement, replacementOf } from "./replace.ts";

/** An extended result as it lies on a copy of its sequence that is held for it. */
export interface HeldCopy {
  /** Where the copy is held, on the clock of the sequence as it was copied: whole frames. */
  readonly map: TimeMap;
  /**
   * The result on the clock of the copy: nothing is held there any more, and a cue is as long as it is spoken. It is a run of its
   * own: what is done on the copy is not read back into the result it came from, which has another clock.
   */
  readonly result: Result;
}

/**
 * Lays the holds of an extended result on the frames of its sequence, and its cues and its dialogue where they are heard
 * there. `null` where the programme is not held, or nobody knows of holds in the cut as it is.
 *
 * @param sound Whether its narration goes along: that of an extended description is a video's, and is made anew.
 */
export function heldCopyOf(
  result: Result,
  rate: SequenceInfo["rate"],
  sound: "kept" | "anew" = "anew",
): HeldCopy | null {
  const video = timeMapOf(result);
  const cues = cuesInVideo(result);
  if (video === null || cues === null || video.holds.length === 0) return null;
  const { offsetSeconds } = result;
  const onFrames = (seconds: number) => secondsFromFrames(framesFromSeconds(seconds, rate), rate);
  const map = new TimeMap(
    video.holds.map(({ at, seconds }) => ({ at: onFrames(at + offsetSeconds), seconds: onFrames(seconds) })),
  );
  // As far into the same hold as in the video: holds of another frame rate are not quite as long here.
  const onCopy = (videoSeconds: number) => {
    const programme = video.programmeTime(videoSeconds);
    const held = video.holds.filter(({ at }) => at < programme).length;
    const added = map.holds.slice(0, held).reduce((sum, { seconds }) => sum + seconds, 0);
    return programme + added + (videoSeconds - video.arrival(programme));
  };
  const heard = cues.map((cue) => {
    const start = onCopy(cue.start);
    return { ...cue, start, end: start + (cue.end - cue.start) };
  });
  const {
    held: _,
    toWrite: __,
    standing: ___,
    cut: ____,
    audio,
    pieces,
    voiced,
    music,
    speech,
    dialogue = [],
    ...kept
  } = result;
  // Of a mix nothing can be cut.
  const isCut = sound === "kept" && result.track !== "mixed";
  const shifted = dialogue.flatMap((line) =>
    partsAround({ start: line.start + offsetSeconds, end: line.end + offsetSeconds }, map).map(({ after }) => ({
      ...line,
      start: after.start - offsetSeconds,
      end: after.end - offsetSeconds,
    })),
  );
  return {
    map,
    result: {
      ...kept,
      runId: `${result.runId}-held`,
      track: "ad_only",
      durationSeconds: result.durationSeconds + map.addedSeconds,
      cues: heard,
      generated: heard,
      dialogue: shifted,
      findings: [],
      voiced: isCut ? voiced : {},
      ...(isCut ? defined({ audio, pieces }) : {}),
    },
  };
}

/** What is to be placed on a copy whose gaps are open. */
export interface HeldPlacement extends HeldCopy {
  readonly sequence: Pick<SequenceInfo, "id" | "rate">;
  /** The copy before its gaps were opened, and as it is now. */
  readonly asCopied: Timeline;
  readonly now: Timeline;
  readonly clips: readonly NarrationClip[];
}

/** Plans what goes onto a held copy: markers and narration of ours, and the editor's own markers, which go along with their picture. */
export function planHeldPlacement({ map, result, sequence, asCopied, now, clips }: HeldPlacement): EditPlan {
  const own = planReplacement({ ...replacementOf(result, { sequence, timeline: now }), clips });
  const touched = new Set(
    own.groups.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === "change-marker" || step.kind === "remove-marker" ? [step.markerId] : [])),
    ),
  );
  const places = new Map(now.markers.map((marker) => [marker.id, marker]));
  const followers = asCopied.markers.flatMap((marker, index): ChangeMarker[] => {
    const place = places.get(marker.id);
    if (place?.id === undefined || touched.has(place.id)) return [];
    const start = map.departure(marker.start);
    const end = marker.end > marker.start ? Math.max(start, map.arrival(marker.end)) : start;
    if (isSameTime(place.start, start) && isSameTime(place.end, end)) return [];
    return [{ kind: "change-marker", cueId: `marker-${index}`, markerId: place.id, start, duration: end - start }];
  });
  const count = followers.length;
  const label = `Take ${count} marker${count === 1 ? "" : "s"} along`;
  return { ...own, groups: [...(count === 0 ? [] : [{ label, steps: followers }]), ...own.groups] };
}
