import type { AudioClipTrackItem, TrackItemSelection, TrackItemSelectionStatic } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import { strictObject } from "./strict-object.ts";
import { trackItemIdentity } from "./tracks.ts";
import type { Stage } from "./world.ts";

interface SelectionState {
  readonly items: Set<string>;
  isAlive: boolean;
  /** Whether no action takes it, though everything could be put into it. */
  readonly isRefused: boolean;
}

const selections = new WeakMap<object, SelectionState>();

/** Identities of what is selected. Raises as Premiere does where the selection is dead. */
export function selectedIds(selection: TrackItemSelection): ReadonlySet<string> {
  const state = selections.get(selection);
  if (state === undefined || !state.isAlive || state.isRefused) throw new Error("Illegal Parameter type (selection)");
  return new Set(state.items);
}

/** `TrackItemSelection` as the module offers it: a selection lives inside the callback it is handed to, if at all. */
export function selectionStatic(stage: Stage): TrackItemSelectionStatic {
  return strictObject("TrackItemSelection", {
    createEmptySelection: (...given: [(selection: TrackItemSelection) => void]) => {
      checkArguments("TrackItemSelection.createEmptySelection", given, { required: ["function"] });
      const { selection } = stage.machine.faults;
      const state = {
        items: new Set<string>(),
        isAlive: selection !== "never",
        // Seen live: adding to it works, and the action that removes is what refuses it.
        isRefused: selection === "refused",
      };
      try {
        given[0](selectionOf(stage, state));
      } finally {
        state.isAlive = false;
      }
      return true;
    },
  });
}

/** A selection that stays as long as other handles do: the sequence's own. */
export function lastingSelection(stage: Stage, items: Set<string>): TrackItemSelection {
  return selectionOf(stage, { items, isAlive: true, isRefused: false });
}

function selectionOf(stage: Stage, state: SelectionState): TrackItemSelection {
  const members = {
    addItem: (...items: [AudioClipTrackItem, boolean?]) => {
      checkArguments("TrackItemSelection.addItem", items, { required: ["AudioClipTrackItem"], optional: ["boolean"] });
      if (!state.isAlive) throw new Error("The script object is no longer valid");
      state.items.add(trackItemIdentity(items[0]).itemId);
      return true;
    },
  } satisfies Partial<TrackItemSelection>;
  // Members that the double does not play raise an error when they are read.
  const selection = stage.machine.handle("TrackItemSelection", members) as unknown as TrackItemSelection;
  selections.set(selection, state);
  return selection;
}
