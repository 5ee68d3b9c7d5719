import type { TrackItemState, TrackState } from "./state.ts";

/** What lies on a track when a range is cut out of it: clips in it go, clips across its edges are trimmed or split. */
function cutRange(items: readonly TrackItemState[], start: bigint, end: bigint, newId: () => string): TrackItemState[] {
  const rest: TrackItemState[] = [];
  for (const item of items) {
    if (item.end <= start || item.start >= end) {
      rest.push(item);
      continue;
    }
    if (item.start < start) rest.push({ ...item, end: start });
    if (item.end > end) {
      rest.push({ ...item, id: newId(), start: end, inPoint: item.inPoint + (end - item.start) });
    }
  }
  return rest;
}

/** A track with a clip laid over whatever is there. */
export function overwriteOn(track: TrackState, clip: TrackItemState, newId: () => string): TrackState {
  const rest = cutRange(track.items, clip.start, clip.end, newId);
  return { ...track, items: inOrder([...rest, clip]) };
}

/** A track with everything from a time on moved later; a clip across that time is split. */
export function shiftFrom(track: TrackState, time: bigint, by: bigint, newId: () => string): TrackState {
  const items: TrackItemState[] = [];
  for (const item of track.items) {
    if (item.end <= time) items.push(item);
    else if (item.start >= time) items.push({ ...item, start: item.start + by, end: item.end + by });
    else {
      items.push({ ...item, end: time });
      items.push({
        ...item,
        id: newId(),
        start: time + by,
        end: item.end + by,
        inPoint: item.inPoint + (time - item.start),
      });
    }
  }
  return { ...track, items };
}

function inOrder(items: readonly TrackItemState[]): TrackItemState[] {
  return [...items].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
}
