import { readMarkerComment } from "../../src/core/cue.ts";
import type { PremiereDouble } from "../fakes/premiere/premiere.ts";
import { type MarkerState, type SequenceState, withMarkers, withSequence } from "../fakes/premiere/state.ts";
import type { SeededRandom } from "../fakes/seeded-random.ts";

/** What a step of the person at the keyboard works on. */
interface Desk {
  readonly premiere: PremiereDouble;
  readonly random: SeededRandom;
  readonly sequence: SequenceState;
  /** Words that nobody wrote before. */
  readonly newWords: () => string;
}

/** One thing a person does in Premiere; the name of what was done, or `null` when there was nothing to do it to. */
export type EditorStep = (desk: Desk) => void;

/** Identity of the project that all sequences are in. */
export const PROJECT_ID = "project-sample";

/** Whether a marker carries a tag of ours. */
export function isTagged(marker: MarkerState): boolean {
  return readMarkerComment(marker.comments) !== null;
}

const own = ({ random, sequence }: Desk) => random.oneOf(sequence.markers.filter(isTagged));
const foreign = ({ random, sequence }: Desk) => random.oneOf(sequence.markers.filter((marker) => !isTagged(marker)));

function change(desk: Desk, marker: MarkerState | undefined, fields: Partial<Omit<MarkerState, "guid">>): void {
  if (marker !== undefined) desk.premiere.user.changeMarker(desk.sequence.id, marker.guid, fields);
}

function frames(desk: Desk, from: number, to: number): bigint {
  return BigInt(desk.random.whole(from, to)) * desk.sequence.ticksPerFrame;
}

function later(a: bigint): bigint {
  return a < 0n ? 0n : a;
}

/** Everything the person does, by the name it has in a log. */
export const EDITOR_STEPS: Readonly<Record<string, EditorStep>> = {
  reword: (desk) => {
    const marker = own(desk);
    const cueId = marker === undefined ? null : readMarkerComment(marker.comments)?.cueId;
    change(desk, marker, { comments: `${desk.newWords()}\nAD·${cueId}` });
  },
  "write below the tag": (desk) => {
    const marker = own(desk);
    change(desk, marker, { comments: `${marker?.comments}\n${desk.newWords()}` });
  },
  "lose the tag": (desk) => {
    const marker = own(desk);
    change(desk, marker, { comments: readMarkerComment(marker?.comments ?? "")?.text ?? "" });
  },
  "clear the words": (desk) => {
    const marker = own(desk);
    change(desk, marker, { comments: `AD·${readMarkerComment(marker?.comments ?? "")?.cueId}` });
  },
  move: (desk) => {
    const marker = own(desk);
    if (marker !== undefined) change(desk, marker, { start: later(marker.start + frames(desk, -120, 120)) });
  },
  "make longer or shorter": (desk) => {
    const marker = own(desk);
    if (marker !== undefined) change(desk, marker, { duration: later(marker.duration + frames(desk, -40, 40)) });
  },
  rename: (desk) => change(desk, own(desk), { name: desk.newWords() }),
  recolour: (desk) =>
    change(desk, own(desk), { colour: desk.random.oneOf(["MAGNETA", "RED", "CYAN"] as const) ?? "RED" }),
  "delete a description": (desk) => {
    const marker = own(desk);
    if (marker !== undefined) desk.premiere.user.deleteMarker(desk.sequence.id, marker.guid);
  },
  "copy a description": (desk) => {
    const marker = own(desk);
    if (marker === undefined) return;
    const { guid: _, ...fields } = marker;
    desk.premiere.user.addMarker(desk.sequence.id, { ...fields, start: marker.start + frames(desk, 0, 60) });
  },
  "add a note": (desk) => {
    const { user } = desk.premiere;
    const fields = { name: "Note", type: "marker-type:comment", duration: 0n, colour: "BLUE" } as const;
    user.addMarker(desk.sequence.id, { ...fields, comments: desk.newWords(), start: frames(desk, 0, 1499) });
  },
  "change a note": (desk) => change(desk, foreign(desk), { comments: desk.newWords(), start: frames(desk, 0, 1499) }),
  "delete a note": (desk) => {
    const marker = foreign(desk);
    if (marker !== undefined) desk.premiere.user.deleteMarker(desk.sequence.id, marker.guid);
  },
  undo: (desk) => {
    for (let steps = desk.random.whole(1, 3); steps > 0; steps--) desk.premiere.user.undo();
  },
  redo: (desk) => void desk.premiere.user.redo(),
  "duplicate the sequence": (desk) => {
    const { machine, user } = desk.premiere;
    const id = machine.newId("sequence");
    const markers = desk.sequence.markers.map((marker) => ({ ...marker, guid: machine.newId("marker") }));
    machine.edit(PROJECT_ID, "Duplicate", (draft) =>
      withSequence(draft, withMarkers({ ...desk.sequence, id }, markers)),
    );
    user.activateSequence(id);
  },
};
