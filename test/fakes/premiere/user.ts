import type { Machine } from "./machine.ts";
import { type MarkerState, type ProjectState, type SequenceState, withMarkers, withSequence } from "./state.ts";

/** The hands of the editor at the keyboard: what a person does in Premiere, each a step of the undo history. */
export class User {
  /** Keys that reached Premiere, in order. */
  readonly keys: string[] = [];
  readonly #machine: Machine;
  readonly #projectId: string;
  readonly #announce: (event: "sequence" | "project") => void;

  constructor(machine: Machine, projectId: string, announce: (event: "sequence" | "project") => void) {
    this.#machine = machine;
    this.#projectId = projectId;
    this.#announce = announce;
  }

  addMarker(sequenceId: string, marker: Omit<MarkerState, "guid">): string {
    const guid = this.#machine.newId("marker");
    this.#markers("Add Marker", sequenceId, (markers) => [...markers, { ...marker, guid }]);
    return guid;
  }

  changeMarker(sequenceId: string, guid: string, change: Partial<Omit<MarkerState, "guid">>): void {
    this.#markers("Edit Marker", sequenceId, (markers) =>
      markers.map((marker) => (marker.guid === guid ? { ...marker, ...change } : marker)),
    );
  }

  deleteMarker(sequenceId: string, guid: string): void {
    this.#markers("Clear Marker", sequenceId, (markers) => markers.filter((marker) => marker.guid !== guid));
  }

  /** Moves the playhead, which is no step of the undo history, and of which nobody is told. */
  movePlayhead(sequenceId: string, ticks: bigint): void {
    const project = this.#machine.project(this.#projectId);
    const sequence = project.sequences.get(sequenceId);
    if (sequence === undefined) throw new Error(`no sequence ${sequenceId}`);
    this.#machine.replace(withSequence(project, { ...sequence, playerPosition: ticks }));
  }

  /** Selects clips on the timeline, which is no step of the undo history. */
  selectClips(sequenceId: string, ids: readonly string[]): void {
    this.#machine.selected.set(sequenceId, new Set(ids));
  }

  /** Any edit of a sequence: moved clips, other in and out points. */
  editSequence(sequenceId: string, label: string, edit: (sequence: SequenceState) => SequenceState): void {
    this.#machine.edit(this.#projectId, label, (draft) => {
      const sequence = draft.sequences.get(sequenceId);
      if (sequence === undefined) throw new Error(`no sequence ${sequenceId}`);
      return withSequence(draft, edit(sequence));
    });
  }

  /** Opens another sequence, or none. */
  activateSequence(sequenceId: string | null): void {
    const project: ProjectState = this.#machine.project(this.#projectId);
    this.#machine.replace({ ...project, activeSequenceId: sequenceId });
    this.#announce("sequence");
  }

  /** Duplicates a sequence, with markers of their own identity, and opens the copy. Returns its identity. */
  duplicateSequence(sequenceId: string, keepsProperties = true): string {
    const copyId = this.#machine.newId("sequence");
    this.#machine.edit(this.#projectId, "Duplicate", (draft) => {
      const sequence = draft.sequences.get(sequenceId);
      if (sequence === undefined) throw new Error(`no sequence ${sequenceId}`);
      const markers = sequence.markers.map((marker) => ({ ...marker, guid: this.#machine.newId("marker") }));
      const properties = keepsProperties ? sequence.properties : new Map();
      return withSequence(draft, { ...sequence, id: copyId, name: `${sequence.name} Copy`, markers, properties });
    });
    this.activateSequence(copyId);
    return copyId;
  }

  /** A key that reaches Premiere instead of the panel: Delete and Backspace remove the first clip of the active sequence. */
  pressKey(key: string): void {
    this.keys.push(key);
    const { activeSequenceId } = this.#machine.project(this.#projectId);
    if (activeSequenceId === null || (key !== "Delete" && key !== "Backspace")) return;
    this.editSequence(activeSequenceId, "Clear", (sequence) => ({
      ...sequence,
      videoTracks: sequence.videoTracks.map((track, index) =>
        index === 0 ? { ...track, items: track.items.slice(1) } : track,
      ),
    }));
  }

  undo(): string | null {
    return this.#machine.undo();
  }

  redo(): string | null {
    return this.#machine.redo();
  }

  #markers(label: string, sequenceId: string, edit: (markers: readonly MarkerState[]) => readonly MarkerState[]): void {
    this.editSequence(sequenceId, label, (sequence) => withMarkers(sequence, edit(sequence.markers)));
  }
}
