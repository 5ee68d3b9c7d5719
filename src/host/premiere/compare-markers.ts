import type { AddMarker, ChangeMarker, MarkerColour } from "../edit-plan.ts";
import type { MarkerStep } from "./apply-markers.ts";
import { type MarkerSnapshot, NEW_MARKER_COLOUR, type SequenceSnapshot } from "./snapshot.ts";
import { ticksOnGrid } from "./ticks.ts";

/** What reading the markers back gave. */
export interface MarkerComparison {
  readonly differences: readonly string[];
  /** Identity of the marker of each cue that was added or changed. */
  readonly markerIds: Readonly<Record<string, string>>;
}

/** How a marker should look after the plan. */
interface Expectation {
  readonly start: bigint;
  readonly duration: bigint;
  readonly name: string;
  readonly comments: string;
  readonly colour: MarkerColour | undefined;
}

/**
 * Compares the markers that are there with those a plan asks for: what was to be added, changed or removed, and that
 * every other marker is as it was. A marker that someone else added meanwhile is no difference.
 */
export function compareMarkers(
  before: SequenceSnapshot,
  after: SequenceSnapshot,
  steps: readonly MarkerStep[],
): MarkerComparison {
  const differences: string[] = [];
  const markerIds: Record<string, string> = {};
  const touched = new Set(steps.flatMap((step) => (step.kind === "add-marker" ? [] : [step.markerId])));
  const free = new MarkerPool(before, after);
  for (const marker of before.markers) {
    if (touched.has(marker.id)) continue;
    const now = free.take(marker.id, expectationOf(marker));
    if (now === undefined) differences.push(`the marker "${marker.name}", which is not ours, is gone`);
    else
      differences.push(
        ...fieldDifferences(`the marker "${marker.name}", which is not ours,`, expectationOf(marker), now),
      );
  }
  for (const step of steps) {
    if (step.kind === "add-marker") {
      const wanted = expectedOfNew(before, step);
      const now = free.takeNew(wanted);
      if (now === undefined) differences.push(`the marker "${step.name}" is missing`);
      else {
        markerIds[step.cueId] = now.id;
        differences.push(...fieldDifferences(`the marker "${step.name}"`, wanted, now));
      }
      continue;
    }
    const was = before.markers.find((marker) => marker.id === step.markerId);
    const now = was === undefined ? undefined : free.take(was.id, expectedOfChanged(before, was, step));
    if (step.kind === "remove-marker") {
      if (now !== undefined) differences.push(`the marker "${now.name}" is still there`);
      continue;
    }
    if (was === undefined || now === undefined) {
      differences.push(`the marker of cue ${step.cueId} is gone`);
      continue;
    }
    markerIds[step.cueId] = now.id;
    differences.push(...fieldDifferences(`the marker "${now.name}"`, expectedOfChanged(before, was, step), now));
  }
  return { differences, markerIds };
}

/** Markers read back that no expectation has claimed yet. */
class MarkerPool {
  readonly #earlier: ReadonlySet<string>;
  readonly #free: MarkerSnapshot[];

  constructor(before: SequenceSnapshot, after: SequenceSnapshot) {
    this.#earlier = new Set(before.markers.map((marker) => marker.id));
    this.#free = [...after.markers];
  }

  /** By identity; without one, the marker that looks like the expectation. */
  take(id: string, wanted: Expectation): MarkerSnapshot | undefined {
    return this.#takeFirst((marker) => (marker.hasGuid ? marker.id === id : looksLike(marker, wanted)));
  }

  /** A marker that was not there before; the one that looks right, else one at the right place. */
  takeNew(wanted: Expectation): MarkerSnapshot | undefined {
    const isNew = (marker: MarkerSnapshot) => !marker.hasGuid || !this.#earlier.has(marker.id);
    return (
      this.#takeFirst((marker) => isNew(marker) && looksLike(marker, wanted)) ??
      this.#takeFirst((marker) => isNew(marker) && marker.comments === wanted.comments)
    );
  }

  #takeFirst(matches: (marker: MarkerSnapshot) => boolean): MarkerSnapshot | undefined {
    const index = this.#free.findIndex(matches);
    return index < 0 ? undefined : this.#free.splice(index, 1)[0];
  }
}

function looksLike(marker: MarkerSnapshot, wanted: Expectation): boolean {
  return marker.start === wanted.start && marker.name === wanted.name && marker.comments === wanted.comments;
}

function expectationOf({ start, duration, name, comments, colour }: MarkerSnapshot): Expectation {
  return { start, duration, name, comments, colour };
}

function expectedOfNew(before: SequenceSnapshot, step: AddMarker): Expectation {
  const start = ticksOnGrid(step.start, before.ticksPerFrame);
  const duration = ticksOnGrid(step.start + step.duration, before.ticksPerFrame) - start;
  return { start, duration, name: step.name, comments: step.comment, colour: wantedColour(step) };
}

/** A new marker has the host's own colour, whichever it is, unless another one was asked for. */
function wantedColour({ colour }: AddMarker): MarkerColour | undefined {
  return colour === NEW_MARKER_COLOUR ? undefined : colour;
}

function expectedOfChanged(before: SequenceSnapshot, was: MarkerSnapshot, step: MarkerStep): Expectation {
  if (step.kind !== "change-marker") return expectationOf(was);
  const start = step.start === undefined ? was.start : ticksOnGrid(step.start, before.ticksPerFrame);
  return {
    start,
    duration: step.duration === undefined ? was.duration : changedDuration(before, start, step, step.duration),
    name: step.name ?? was.name,
    comments: step.comment ?? was.comments,
    colour: step.colour ?? was.colour,
  };
}

function changedDuration(before: SequenceSnapshot, start: bigint, step: ChangeMarker, duration: number): bigint {
  if (step.start !== undefined) return ticksOnGrid(step.start + duration, before.ticksPerFrame) - start;
  return ticksOnGrid(duration, before.ticksPerFrame);
}

function fieldDifferences(what: string, wanted: Expectation, now: MarkerSnapshot): string[] {
  const differences: string[] = [];
  if (now.start !== wanted.start) differences.push(`${what} starts elsewhere`);
  if (now.duration !== wanted.duration) differences.push(`${what} has another length`);
  if (now.name !== wanted.name) differences.push(`${what} has another name`);
  if (now.comments !== wanted.comments) differences.push(`${what} has another text`);
  if (wanted.colour !== undefined && now.colour !== wanted.colour) differences.push(`${what} has another colour`);
  return differences;
}
