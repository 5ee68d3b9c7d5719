import type { Action, Marker, Markers, TickTime } from "@adobe/premierepro";
import type { AddMarker, ChangeMarker, RemoveMarker } from "../edit-plan.ts";
import { openSequence } from "./open-sequence.ts";
import { batchesOf } from "./pace.ts";
import { type ReadMarker, readMarkersOf } from "./read-snapshot.ts";
import { colourIndex, type MarkerSnapshot, NEW_MARKER_COLOUR } from "./snapshot.ts";
import { ticksOnGrid, tickTime } from "./ticks.ts";
import type { ApplyContext, TransactionPart } from "./transactor.ts";

/** Steps of a plan that concern markers. */
export type MarkerStep = AddMarker | ChangeMarker | RemoveMarker;

/**
 * Applies marker steps, and `last` with the last of them. A marker is made without a colour of choice, so colours other
 * than Premiere's own for new markers follow in transactions of their own, on markers read anew.
 *
 * @param leavesLast Whether the last transaction is left for what follows to share, where no colours come after it.
 * @returns The parts of the transaction that was left; none where all is done.
 */
export async function applyMarkers(
  context: ApplyContext,
  steps: readonly MarkerStep[],
  label: string,
  last: readonly TransactionPart[],
  leavesLast = false,
): Promise<readonly TransactionPart[]> {
  const { pace, transactor } = context;
  const batches = batchesOf(steps, pace.markersPerTransaction, actionsOf);
  const coloured = steps.filter((step) => step.kind === "add-marker" && step.colour !== NEW_MARKER_COLOUR);
  const colourBatches = batchesOf(coloured, pace.markersPerTransaction);
  const total = batches.length + colourBatches.length;
  for (const [index, batch] of batches.entries()) {
    const part: TransactionPart = async () => {
      const present = await presentMarkers(context);
      return (add) => {
        for (const step of batch) for (const action of stepActions(context, present, step)) add(action);
      };
    };
    const isLast = index === batches.length - 1;
    const parts = isLast ? [part, ...last] : [part];
    if (isLast && leavesLast && coloured.length === 0) return parts;
    await transactor.run(numbered(label, index, total), ...parts);
  }
  for (const [index, batch] of colourBatches.entries()) {
    await transactor.run(numbered(label, batches.length + index, total), async () => {
      const present = await presentMarkers(context);
      return (add) => {
        for (const step of batch) {
          const marker = step.kind === "add-marker" ? present.added(step) : undefined;
          if (step.kind !== "add-marker" || marker === undefined) continue;
          add(marker.createSetColorByIndexAction(colourIndex(context.premiere.Constants, step.colour)));
        }
      };
    });
  }
  return [];
}

/** How many actions a step takes. */
function actionsOf(step: MarkerStep): number {
  if (step.kind !== "change-marker") return 1;
  const { start, duration, name, comment, colour } = step;
  return [start, duration, name, comment, colour].filter((field) => field !== undefined).length;
}

function numbered(label: string, index: number, total: number): string {
  return total === 1 ? label : `${label} (${index + 1} of ${total})`;
}

function stepActions(context: ApplyContext, present: PresentMarkers, step: MarkerStep): readonly Action[] {
  const { premiere } = context;
  const { markers } = present;
  if (step.kind === "add-marker") {
    const start = time(context, step.start);
    const duration = span(context, step.start, step.duration);
    return [
      markers.createAddMarkerAction(step.name, premiere.Marker.MARKER_TYPE_COMMENT, start, duration, step.comment),
    ];
  }
  const marker = present.known(step.markerId);
  // Someone removed it meanwhile: nothing to remove, and nothing to change, which reading back will report.
  if (marker === undefined) return [];
  if (step.kind === "remove-marker") return [markers.createRemoveMarkerAction(marker)];
  const actions: Action[] = [];
  if (step.start !== undefined) actions.push(markers.createMoveMarkerAction(marker, time(context, step.start)));
  if (step.duration !== undefined) {
    const length =
      step.start === undefined
        ? tickTime(premiere, ticksOnGrid(step.duration, context.before.ticksPerFrame))
        : span(context, step.start, step.duration);
    actions.push(marker.createSetDurationAction(length));
  }
  if (step.name !== undefined) actions.push(marker.createSetNameAction(step.name));
  if (step.comment !== undefined) actions.push(marker.createSetCommentsAction(step.comment));
  if (step.colour !== undefined) {
    actions.push(marker.createSetColorByIndexAction(colourIndex(premiere.Constants, step.colour)));
  }
  return actions;
}

/** A marker that is there, with what it says of itself. */
interface PresentMarker {
  readonly marker: Marker;
  readonly read: ReadMarker;
}

/** Reads the markers that are there: the last that is waited for before a transaction is built. */
async function presentMarkers(context: ApplyContext): Promise<PresentMarkers> {
  const { premiere, before } = context;
  const { sequence } = await openSequence(premiere, before.reference);
  const markers = await premiere.Markers.getMarkers(sequence);
  return new PresentMarkers(context, markers, await readMarkersOf(premiere, markers));
}

/** The markers that are there while a transaction is built; their handles do not outlive it. */
class PresentMarkers {
  readonly markers: Markers;
  readonly #context: ApplyContext;
  readonly #free: PresentMarker[];
  readonly #byGuid: ReadonlyMap<string, Marker>;

  constructor(context: ApplyContext, markers: Markers, there: readonly PresentMarker[]) {
    this.#context = context;
    this.markers = markers;
    this.#free = [...there];
    this.#byGuid = new Map(there.flatMap(({ marker, read }) => (read.guid === undefined ? [] : [[read.guid, marker]])));
  }

  /** The marker that had this identity when the plan began. */
  known(id: string): Marker | undefined {
    const byGuid = this.#byGuid.get(id);
    if (byGuid !== undefined) return byGuid;
    const was = this.#context.before.markers.find((marker) => marker.id === id && !marker.hasGuid);
    return was === undefined ? undefined : this.#take((read) => isSame(read, was));
  }

  /** The marker that an earlier transaction added for this step. */
  added(step: AddMarker): Marker | undefined {
    const start = ticksOnGrid(step.start, this.#context.before.ticksPerFrame);
    const earlier = new Set(this.#context.before.markers.map((marker) => marker.id));
    return this.#take(
      ({ guid = "", ...read }) =>
        !earlier.has(guid) && read.start === start && read.name === step.name && read.comments === step.comment,
    );
  }

  #take(matches: (read: ReadMarker) => boolean): Marker | undefined {
    const index = this.#free.findIndex(({ read }) => matches(read));
    return index < 0 ? undefined : this.#free.splice(index, 1)[0]?.marker;
  }
}

function isSame(read: ReadMarker, was: MarkerSnapshot): boolean {
  return (
    read.start === was.start &&
    read.name === was.name &&
    read.comments === was.comments &&
    read.duration === was.duration
  );
}

function time(context: ApplyContext, seconds: number): TickTime {
  return tickTime(context.premiere, ticksOnGrid(seconds, context.before.ticksPerFrame));
}

/** A length whose end, not whose count, lies on the grid. */
function span(context: ApplyContext, start: number, duration: number): TickTime {
  const { ticksPerFrame } = context.before;
  return tickTime(context.premiere, ticksOnGrid(start + duration, ticksPerFrame) - ticksOnGrid(start, ticksPerFrame));
}
