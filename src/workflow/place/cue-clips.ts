import { type Cue, compareCues } from "../../core/cue.ts";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { CLIP_NAME_PREFIX } from "../../host/edit-plan.ts";

/** Words of a cue that its clip is named with, in characters at most. */
const NAMED_CHARACTERS = 32;

/** Where the clip of one cue lies: whole frames of the sequence, in seconds on its clock. */
export interface ClipPlace {
  readonly cueId: string;
  /** Name of the clip and of its file. */
  readonly name: string;
  readonly start: number;
  readonly durationSeconds: number;
}

/**
 * Name of the clip that holds one cue's voice: its id and its first words, letters and digits alone, because Premiere cuts
 * names at dots.
 *
 * @param sound What tells this sound from another of the same words; default nothing.
 */
export function cueClipName(cueId: string, text = "", sound = ""): string {
  const words = text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  const cut = words.length <= NAMED_CHARACTERS ? words : words.slice(0, NAMED_CHARACTERS + 1).replace(/ [^ ]*$/, "");
  const named = [cut.slice(0, NAMED_CHARACTERS), sound].filter((part) => part !== "").join(" ");
  return `${clipStem(cueId)}${named === "" ? "" : ` ${named}`}.wav`;
}

/** Whether a clip is the one of a cue, whatever its words are now. */
export function isClipOfCue(clipName: string, cueId: string): boolean {
  return clipName === `${clipStem(cueId)}.wav` || clipName.startsWith(`${clipStem(cueId)} `);
}

/**
 * Cuts the programme where its cues are heard: each clip from the frame that its cue begins in to the one that it ends
 * in, so that a piece cut there out of the whole narration stays in step by the sample. What lies in a frame of two cues
 * goes with the earlier one.
 *
 * @param offsetSeconds Sequence time of the programme's time 0.
 */
export function clipPlaces(cues: readonly Cue[], rate: FrameRate, offsetSeconds: number): ClipPlace[] {
  let free = framesFromSeconds(offsetSeconds, rate, "ceil");
  return [...cues].sort(compareCues).flatMap(({ id, start, end, text }) => {
    const first = Math.max(free, framesFromSeconds(start + offsetSeconds, rate, "floor"));
    const last = framesFromSeconds(end + offsetSeconds, rate, "ceil");
    if (last <= first) return [];
    free = last;
    const place = secondsFromFrames(first, rate);
    const durationSeconds = secondsFromFrames(last, rate) - place;
    return [{ cueId: id, name: cueClipName(id, text), start: place, durationSeconds }];
  });
}

function clipStem(cueId: string): string {
  return `${CLIP_NAME_PREFIX}${cueId.replace(/[^\w.-]+/g, "_")}`;
}
