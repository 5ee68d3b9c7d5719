import type { FrameRate } from "../../core/frame-rate.ts";
import { itemsOf, type JsonSource, memberOf, textOf } from "../json/json-source.ts";
import type { AudioPlacement } from "../timeline-edit.ts";
import { exactFrames, type OtioRecord, otioClip, otioGap, otioRange, otioReference } from "./otio-build.ts";
import { mediaReferenceOf, rangeOf, rangeSeconds, schemaOf } from "./otio-object.ts";

/** One child of a track: how many frames it takes up, and what it is written as. */
export interface TrackItem {
  readonly frames: number;
  /** Whether nothing is lost when it is split or shortened. */
  readonly isFree: boolean;
  /** As it stands in the document; absent for what is ours. */
  readonly raw?: string;
  readonly value: OtioRecord;
}

/** A clip to be placed, in frames. */
export interface FramePlacement {
  readonly placement: AudioPlacement;
  readonly start: number;
  readonly length: number;
}

/**
 * The children of a track; clips with one of the `removed` names have become gaps. `null` when it cannot be said where a
 * child ends.
 */
export function trackItems(
  track: JsonSource,
  rate: FrameRate,
  removed: ReadonlySet<string>,
  rawOf: (source: JsonSource) => string,
): TrackItem[] | null {
  const children = itemsOf(track, "children").map((child) => ({ child, seconds: durationOf(child) }));
  if (children.some(({ seconds }) => seconds === null)) return null;
  return children.map(({ child, seconds }) => {
    const frames = exactFrames(seconds ?? 0, rate);
    const isGone = schemaOf(child) === "Clip" && removed.has(textOf(child, "name"));
    if (isGone) return gap(frames, rate);
    const isFree = schemaOf(child) === "Gap" && itemsOf(child, "markers").length === 0;
    return { frames, isFree, raw: rawOf(child), value: otioGap(frames, rate) };
  });
}

/** Puts clips into the free stretches of a row and behind its end; returns those that found something in their way. */
export function placeOnTrack(items: TrackItem[], added: readonly FramePlacement[], rate: FrameRate): FramePlacement[] {
  const blocked = added.filter((one) => !placeOne(items, one, rate));
  mergeGaps(items, rate);
  return blocked;
}

function placeOne(items: TrackItem[], added: FramePlacement, rate: FrameRate): boolean {
  let time = 0;
  for (const [index, item] of items.entries()) {
    const end = time + item.frames;
    if (added.start < end) {
      const fits = item.isFree && added.start + added.length <= end;
      // A gap at the end of a row holds nothing up: what is placed may pass it.
      const passes = items.slice(index).every((one) => one.isFree);
      if (!fits && !(passes && added.start >= time)) return false;
      const rest = passes ? [] : [gap(end - added.start - added.length, rate)];
      items.splice(index, passes ? items.length - index : 1, gap(added.start - time, rate), clip(added, rate), ...rest);
      return true;
    }
    time = end;
  }
  items.push(gap(added.start - time, rate), clip(added, rate));
  return true;
}

/** Joins neighbouring gaps of ours, and drops empty ones and the last. */
function mergeGaps(items: TrackItem[], rate: FrameRate): void {
  const merged: TrackItem[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const isOurs = item.isFree && item.raw === undefined;
    if (isOurs && last?.isFree) merged[merged.length - 1] = gap(last.frames + item.frames, rate);
    else if (!isOurs || item.frames > 0) merged.push(item);
  }
  if (merged.at(-1)?.isFree && merged.at(-1)?.raw === undefined) merged.pop();
  items.splice(0, items.length, ...merged);
}

function gap(frames: number, rate: FrameRate): TrackItem {
  return { frames, isFree: true, value: otioGap(frames, rate) };
}

function clip({ placement, length }: FramePlacement, rate: FrameRate): TrackItem {
  const { media } = placement;
  const available = otioRange(0, exactFrames(media.durationSeconds, rate), rate);
  const value = otioClip(placement.name, otioRange(0, length, rate), otioReference(media, available));
  return { frames: length, isFree: false, value };
}

/**
 * What a child takes up, in seconds: its own range, else that of its media; nothing for a transition, which has neither. `null` for a
 * nested composition that does not state its range.
 */
function durationOf(child: JsonSource): number | null {
  const schema = schemaOf(child);
  const own = rangeOf(memberOf(child, "source_range"));
  if (own === null && (schema === "Stack" || schema === "Track")) return null;
  const range = own ?? rangeOf(memberOf(mediaReferenceOf(child), "available_range"));
  if (range === null) return 0;
  const { start, end } = rangeSeconds(range);
  return end - start;
}
