import type { Color, Marker, MarkerStatic, Markers, MarkersStatic, Sequence, TickTime } from "@adobe/premierepro";
import { anyOf, checkArguments, kindOf } from "./arguments.ts";
import { colourName } from "./constants.ts";
import { isRecent } from "./faults.ts";
import { type MarkerState, type ProjectState, type SequenceState, withMarkers, withSequence } from "./state.ts";
import { strictObject } from "./strict-object.ts";
import { guid, ticksOf, tickTime } from "./time.ts";
import type { Stage } from "./world.ts";

/** `Marker` as the module offers it: marker types are opaque texts. */
export const markerStatic: MarkerStatic = strictObject("Marker", {
  MARKER_TYPE_COMMENT: "marker-type:comment",
  MARKER_TYPE_CHAPTER: "marker-type:chapter",
  MARKER_TYPE_FLVCUEPOINT: "marker-type:cue-point",
  MARKER_TYPE_WEBLINK: "marker-type:link",
});

const TYPES: readonly string[] = ["comment", "chapter", "cue-point", "link"].map((type) => `marker-type:${type}`);
const markerGuids = new WeakMap<object, string>();

/** Which marker a handle stands for. */
function guidOf(marker: Marker): string {
  const text = markerGuids.get(marker);
  if (text === undefined) throw new Error("Illegal Parameter type (not a marker)");
  return text;
}

/** Makes the marker objects. */
export class MarkerObjects {
  readonly #stage: Stage;
  readonly #identify: (sequence: Sequence) => { readonly projectId: string; readonly sequenceId: string };

  constructor(
    stage: Stage,
    identify: (sequence: Sequence) => { readonly projectId: string; readonly sequenceId: string },
  ) {
    this.#stage = stage;
    this.#identify = identify;
  }

  /** `Markers` as the module offers it. */
  markersStatic(): MarkersStatic {
    return strictObject("Markers", {
      getMarkers: (...given: Parameters<MarkersStatic["getMarkers"]>) => {
        checkArguments("Markers.getMarkers", given, { required: [anyOf("Sequence", "ClipProjectItem")] });
        if (kindOf(given[0]) !== "Sequence") throw new Error("the double has no markers on clips");
        // Checked above: the handle's kind is Sequence.
        const { projectId, sequenceId } = this.#identify(given[0] as Sequence);
        return this.#stage.machine.settle(() => this.#markers(projectId, sequenceId));
      },
    });
  }

  #markers(projectId: string, sequenceId: string): Markers {
    const { machine } = this.#stage;
    const members: Markers = {
      getMarkers: (...given) => {
        checkArguments("Markers.getMarkers", given, { required: [], optional: ["string[]"] });
        const wanted = given[0];
        return machine
          .sequence(projectId, sequenceId)
          .markers.filter((marker) => wanted === undefined || wanted.includes(marker.type))
          .map((marker) => this.#marker(projectId, sequenceId, marker.guid));
      },
      createAddMarkerAction: (...given) => {
        checkArguments("Markers.createAddMarkerAction", given, {
          required: ["string"],
          optional: ["string", "TickTime", "TickTime", "string"],
        });
        const [name, type = TYPES[0], start, duration, comments = ""] = given;
        if (type === undefined || !TYPES.includes(type)) throw new Error("Illegal Parameter type (marker type)");
        const added: MarkerState = {
          guid: machine.newId("marker"),
          name,
          type,
          comments,
          start: start === undefined ? 0n : ticksOf(start),
          duration: duration === undefined ? 0n : ticksOf(duration),
          colour: "GREEN",
        };
        return machine.action(projectId, (draft) => editMarkers(draft, sequenceId, (markers) => [...markers, added]));
      },
      createMoveMarkerAction: (...given) => {
        checkArguments("Markers.createMoveMarkerAction", given, { required: ["Marker", "TickTime"] });
        const start = ticksOf(given[1]);
        return this.#change(projectId, sequenceId, guidOf(given[0]), (marker) => ({ ...marker, start }));
      },
      createRemoveMarkerAction: (...given) => {
        checkArguments("Markers.createRemoveMarkerAction", given, { required: ["Marker"] });
        const removed = guidOf(given[0]);
        void given[0].guid;
        return machine.action(projectId, (draft, base) => {
          current(base, sequenceId, removed);
          return editMarkers(draft, sequenceId, (markers) => markers.filter((marker) => marker.guid !== removed));
        });
      },
    };
    return machine.handle("Markers", members);
  }

  #marker(projectId: string, sequenceId: string, markerGuid: string): Marker {
    const { machine, constants } = this.#stage;
    const state = () => current(machine.project(projectId), sequenceId, markerGuid);
    const change = (edit: (marker: MarkerState) => MarkerState) =>
      this.#change(projectId, sequenceId, markerGuid, edit);
    const members: Marker = {
      getColor: () => {
        // The vendor types Color with call signatures that only its class has.
        return strictObject("Color", { red: 0, green: 0, blue: 0, alpha: 1 }) as unknown as Color;
      },
      getColorIndex: () => constants.MarkerColor[state().colour],
      getComments: () => state().comments,
      getDuration: () => tickTime(state().duration),
      getName: () => state().name,
      getUrl: () => "",
      getTarget: () => "",
      getType: () => state().type,
      getStart: () => tickTime(state().start),
      createSetColorByIndexAction: (...given) => {
        checkArguments("Marker.createSetColorByIndexAction", given, { required: ["number"] });
        const colour = colourName(constants, given[0]);
        return change((marker) => {
          if (colour === undefined) throw new Error(`no marker colour ${given[0]}`);
          return { ...marker, colour };
        });
      },
      createSetNameAction: (...given) => {
        checkArguments("Marker.createSetNameAction", given, { required: ["string"] });
        return change((marker) => ({ ...marker, name: given[0] }));
      },
      createSetDurationAction: (...given: [TickTime]) => {
        checkArguments("Marker.createSetDurationAction", given, { required: ["TickTime"] });
        const duration = ticksOf(given[0]);
        return change((marker) => ({ ...marker, duration }));
      },
      createSetTypeAction: (...given) => {
        checkArguments("Marker.createSetTypeAction", given, { required: ["string"] });
        if (!TYPES.includes(given[0])) throw new Error("Illegal Parameter type (marker type)");
        return change((marker) => ({ ...marker, type: given[0] }));
      },
      createSetCommentsAction: (...given) => {
        checkArguments("Marker.createSetCommentsAction", given, { required: ["string"] });
        return change((marker) => ({ ...marker, comments: given[0] }));
      },
      get guid() {
        // Before 26.3 markers have no identity; the vendor's types describe 26.3.
        return isRecent(machine.faults) ? guid(markerGuid) : (undefined as unknown as Marker["guid"]);
      },
    };
    const marker = machine.handle("Marker", members);
    markerGuids.set(marker, markerGuid);
    return marker;
  }

  #change(projectId: string, sequenceId: string, markerGuid: string, edit: (marker: MarkerState) => MarkerState) {
    return this.#stage.machine.action(projectId, (draft, base) => {
      current(base, sequenceId, markerGuid);
      return editMarkers(draft, sequenceId, (markers) =>
        markers.map((marker) => (marker.guid === markerGuid ? edit(marker) : marker)),
      );
    });
  }
}

function sequenceIn(project: ProjectState, sequenceId: string): SequenceState {
  const sequence = project.sequences.get(sequenceId);
  if (sequence === undefined) throw new Error("The script object is no longer valid");
  return sequence;
}

function current(project: ProjectState, sequenceId: string, markerGuid: string): MarkerState {
  const marker = sequenceIn(project, sequenceId).markers.find((one) => one.guid === markerGuid);
  if (marker === undefined) throw new Error("The script object is no longer valid");
  return marker;
}

function editMarkers(
  draft: ProjectState,
  sequenceId: string,
  edit: (markers: readonly MarkerState[]) => readonly MarkerState[],
): ProjectState {
  const sequence = sequenceIn(draft, sequenceId);
  return withSequence(draft, withMarkers(sequence, edit(sequence.markers)));
}
