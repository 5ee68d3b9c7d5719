import { type FrameRate, framesFromSeconds, secondsFromFrames } from "./frame-rate.ts";
import {
  audibleSound,
  BLACK,
  type ClipStretch,
  cutStretch,
  type PlacedClip,
  relinkedClips,
  sourceAt,
  visiblePicture,
} from "./layout.ts";
import { isSameTime, rangeDuration, type TimeRange, totalDuration } from "./time-range.ts";

/** What a re-cut did to the picture under a cue. */
type ConformStatus = "unchanged" | "moved" | "touched" | "orphaned";

/** Why a cue needs a person. */
export type ConformReason =
  | "picture-cut"
  | "speed-changed"
  | "sound-changed"
  | "media-replaced"
  | "picture-gone"
  | "no-picture";

/** Where a cue belongs after a re-cut. */
export interface ConformedCue {
  readonly cueId: string;
  readonly state: ConformStatus;
  /** Absent for cues that are unchanged or moved. */
  readonly reason?: ConformReason;
  /** On the sequence clock; as it was for an orphan. */
  readonly start: number;
  readonly end: number;
  /** Share of the picture under it that is found at its new place, 0 to 1. */
  readonly found: number;
}

/** A cue's range on the sequence clock of the old cut. */
export interface CueRange extends TimeRange {
  readonly id: string;
}

/** How far around a cue the sound must be the same, in seconds: the clearance that a next line wants (`field.md` 2.5). */
const SOUND_MARGIN_SECONDS = 0.35;

/** Weight of the picture around a cue in choosing among places with the same picture, and how far around it is looked. */
const CONTEXT_WEIGHT = 0.01;
const CONTEXT_SECONDS = 5;

/** Weight of a second between where a cue goes and where the one before it went: it decides between equals alone. */
const SHIFT_WEIGHT = 1e-9;

/** Share by which speeds may differ and still show the same picture: formats write them rounded. */
const SAME_SPEED_SHARE = 1e-3;

/**
 * Finds every cue's picture again after a re-cut. A cue whose picture and sound are all there, together and at the same
 * speed, is unchanged or moved by whole frames; one whose picture is there in part, or at another speed, or under other
 * sound, is touched and goes where most of its picture went; one whose picture is gone is orphaned and stays.
 *
 * Of several places that show the same picture the one with the same surroundings counts, then the one that lies nearest
 * to where the cue before it went.
 */
export function conformCues(
  before: readonly PlacedClip[],
  after: readonly PlacedClip[],
  cues: readonly CueRange[],
  rate: FrameRate,
): ConformedCue[] {
  const cut = new Recut(before, after, secondsFromFrames(1, rate));
  let lastShift = 0;
  return cues.map((cue) => {
    const conformed = conformCue(cue, cut, rate, lastShift);
    if (conformed.state !== "orphaned") lastShift = conformed.start - cue.start;
    return conformed;
  });
}

/** An old and a new cut, side by side. */
class Recut {
  readonly frame: number;
  /** Seconds of a cue's picture that may be missing: where the frame rate changed, every edge was put on a frame anew. */
  readonly slack: number;
  readonly oldPicture: readonly ClipStretch[];
  readonly newPicture: readonly ClipStretch[];
  readonly oldSound: readonly ClipStretch[];
  readonly newSound: readonly ClipStretch[];
  readonly #bySource = new Map<string, ClipStretch[]>();

  constructor(before: readonly PlacedClip[], after: readonly PlacedClip[], frame: number) {
    const known = relinkedClips(before, after);
    this.frame = frame;
    const hasRate = before.every((clip) => clip.kind === "audio" || isOnFrame(clip, frame));
    this.slack = hasRate ? frame / 10 : frame;
    this.oldPicture = visiblePicture(known);
    this.newPicture = visiblePicture(after);
    this.oldSound = audibleSound(known);
    this.newSound = audibleSound(after);
    for (const stretch of this.newPicture) {
      this.#bySource.set(stretch.source, [...(this.#bySource.get(stretch.source) ?? []), stretch]);
    }
  }

  /** Stretches of the new cut that show a source. */
  showing(source: string): readonly ClipStretch[] {
    return this.#bySource.get(source) ?? [];
  }
}

/** Whether a clip begins and ends on frames of this length. */
function isOnFrame({ start, end }: TimeRange, frame: number): boolean {
  return [start, end].every((time) => isSameTime(Math.round(time / frame) * frame, time));
}

function conformCue(cue: CueRange, cut: Recut, rate: FrameRate, lastShift: number): ConformedCue {
  const pieces = piecesOf(cut.oldPicture, cue);
  const stays = { cueId: cue.id, start: cue.start, end: cue.end };
  if (pieces.length === 0) return { ...stays, state: "orphaned", reason: "no-picture", found: 0 };
  const best = bestShift(cue, pieces, cut, rate, lastShift);
  if (best === null) return withoutPicture(cue, pieces, cut, rate);
  const { shift, found } = best;
  // Where the picture of its beginning was cut off the start of the film, it begins with the film.
  const start = Math.max(0, cue.start + shift);
  const placed = { cueId: cue.id, start, end: start + rangeDuration(cue), found };
  if (pieces.every(({ source }) => source === BLACK) && !isSameAround(cue, shift, cut)) {
    return { ...placed, state: "touched", reason: "no-picture" };
  }
  const missing = (1 - found) * rangeDuration(cue);
  if (missing > cut.slack) return { ...placed, state: "touched", reason: "picture-cut" };
  if (!isSameSound(cue, shift, cut)) return { ...placed, state: "touched", reason: "sound-changed" };
  return { ...placed, state: Math.abs(shift) < cut.frame / 2 ? "unchanged" : "moved" };
}

/** The shift, in whole frames, that brings most of a cue's picture back; `null` when none brings back a frame. */
function bestShift(
  cue: CueRange,
  pieces: readonly ClipStretch[],
  cut: Recut,
  rate: FrameRate,
  lastShift: number,
): { readonly shift: number; readonly found: number } | null {
  // Black and stills are the same everywhere: where the cues before it went, and where it was, are places too.
  const shifts = new Set<number>([0, framesFromSeconds(lastShift, rate)]);
  for (const piece of pieces) {
    for (const place of cut.showing(piece.source)) {
      if (!isSameSpeed(piece, place)) continue;
      const at = piece.speed === 0 ? place.start : place.start + (piece.sourceStart - place.sourceStart) / place.speed;
      shifts.add(framesFromSeconds(at - piece.start, rate));
    }
  }
  const around = { start: cue.start - CONTEXT_SECONDS, end: cue.end + CONTEXT_SECONDS };
  const surroundings = piecesOf(cut.oldPicture, around);
  let best: { readonly shift: number; readonly found: number; readonly score: number } | null = null;
  for (const frames of shifts) {
    const shift = secondsFromFrames(frames, rate);
    const common = commonSeconds(pieces, shift, cut);
    if (common < cut.frame / 2) continue;
    const found = Math.min(1, common / rangeDuration(cue));
    const context = commonSeconds(surroundings, shift, cut) / rangeDuration(around);
    const score = found + CONTEXT_WEIGHT * context - SHIFT_WEIGHT * Math.abs(shift - lastShift);
    if (best === null || score > best.score) best = { shift, found, score };
  }
  return best;
}

/** A cue no frame of whose picture is shown as it was: at another speed, replaced where it lay, or gone. */
function withoutPicture(cue: CueRange, pieces: readonly ClipStretch[], cut: Recut, rate: FrameRate): ConformedCue {
  for (const piece of pieces) {
    const middle = sourceAt(piece, (piece.start + piece.end) / 2);
    for (const place of cut.showing(piece.source)) {
      const at = timeOf(place, middle);
      if (at === null) continue;
      const start = secondsFromFrames(Math.max(0, framesFromSeconds(at - rangeDuration(cue) / 2, rate)), rate);
      return {
        cueId: cue.id,
        state: "touched",
        reason: "speed-changed",
        start,
        end: start + rangeDuration(cue),
        found: 0,
      };
    }
  }
  const isFilled = piecesOf(cut.newPicture, cue).length > 0;
  const wasAt = pieces[0];
  const isReplaced =
    isFilled &&
    wasAt !== undefined &&
    cut.newPicture.some((place) => isSameSlot(place, wasAt, cut.oldPicture, cut.frame));
  const stays = { cueId: cue.id, start: cue.start, end: cue.end, found: 0 };
  return { ...stays, state: "orphaned", reason: isReplaced ? "media-replaced" : "picture-gone" };
}

/** Whether a place of the new cut shows a source that was not there, from in to out of the old clip that a piece is of. */
function isSameSlot(
  place: ClipStretch,
  piece: ClipStretch,
  oldPicture: readonly ClipStretch[],
  frame: number,
): boolean {
  const clip = oldPicture.find((old) => old.start <= piece.start && old.end >= piece.end);
  const isNew = oldPicture.every((old) => old.source !== place.source);
  if (clip === undefined || !isNew) return false;
  return Math.abs(clip.start - place.start) < frame / 2 && Math.abs(clip.end - place.end) < frame / 2;
}

/** Whether all that is seen around a cue is where it should be: black alone proves nothing. */
function isSameAround(cue: CueRange, shift: number, cut: Recut): boolean {
  const around = { start: cue.start - CONTEXT_SECONDS, end: cue.end + CONTEXT_SECONDS };
  const pieces = piecesOf(cut.oldPicture, around);
  return totalDuration(pieces) - commonSeconds(pieces, shift, cut) < cut.frame / 10;
}

/** Seconds of pieces that the new cut shows, at the same speed, `shift` seconds later. */
function commonSeconds(pieces: readonly ClipStretch[], shift: number, cut: Recut): number {
  let seconds = 0;
  for (const piece of pieces) {
    for (const place of cut.showing(piece.source)) {
      const part = cutStretch(place, { start: piece.start + shift, end: piece.end + shift });
      if (part === null || !isSameSpeed(piece, part)) continue;
      if (isSameSource(piece, part, shift, cut.frame)) seconds += part.end - part.start;
    }
  }
  return seconds;
}

function isSameSource(piece: ClipStretch, part: ClipStretch, shift: number, frame: number): boolean {
  // A still shows the same at every time of it.
  if (piece.speed === 0) return true;
  const difference = sourceAt(piece, part.start - shift) - part.sourceStart;
  return Math.abs(difference) < 0.51 * frame * Math.abs(piece.speed);
}

/** Whether the same is heard around a cue as before, clip by clip. */
function isSameSound(cue: CueRange, shift: number, cut: Recut): boolean {
  const around = { start: cue.start - SOUND_MARGIN_SECONDS, end: cue.end + SOUND_MARGIN_SECONDS };
  const there = { start: around.start + shift, end: around.end + shift };
  const old = piecesOf(cut.oldSound, around).filter((piece) => rangeDuration(piece) > cut.frame);
  const now = piecesOf(cut.newSound, there).filter((piece) => rangeDuration(piece) > cut.frame);
  const free = [...now];
  for (const piece of old) {
    const index = free.findIndex(
      (other) =>
        other.source === piece.source &&
        isSameSpeed(piece, other) &&
        Math.abs(other.start - shift - piece.start) <= cut.frame &&
        Math.abs(other.end - shift - piece.end) <= cut.frame &&
        isSameSource(piece, { ...other, sourceStart: other.sourceStart }, shift, cut.frame),
    );
    if (index < 0) return false;
    free.splice(index, 1);
  }
  return free.length === 0;
}

function piecesOf(stretches: readonly ClipStretch[], range: TimeRange): ClipStretch[] {
  return stretches.flatMap((stretch) => {
    const piece = cutStretch(stretch, range);
    return piece === null ? [] : [piece];
  });
}

function isSameSpeed(a: ClipStretch, b: ClipStretch): boolean {
  return Math.abs(a.speed - b.speed) < SAME_SPEED_SHARE * Math.max(1, Math.abs(a.speed));
}

/** When a stretch shows a source time; `null` when it does not. */
function timeOf(stretch: ClipStretch, source: number): number | null {
  if (stretch.speed === 0) return null;
  const at = stretch.start + (source - stretch.sourceStart) / stretch.speed;
  return at >= stretch.start && at < stretch.end ? at : null;
}
