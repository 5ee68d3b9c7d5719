import type { premierepro } from "@adobe/premierepro";
import { makeConstants } from "./constants.ts";
import { converterStatic } from "./converters.ts";
import { encoderStatic } from "./encoder.ts";
import { EventHub, eventManagerStatic } from "./events.ts";
import type { Faults } from "./faults.ts";
import { Machine } from "./machine.ts";
import { MarkerObjects, markerStatic } from "./markers.ts";
import { noAnswers, type WellAnswers } from "./otherwise.ts";
import { ProjectItems } from "./project-items.ts";
import { ProjectObjects } from "./projects.ts";
import { propertiesStatic } from "./properties.ts";
import { selectionStatic } from "./selections.ts";
import { EditorObjects } from "./sequence-editor.ts";
import { SequenceObjects, sequenceIdentity } from "./sequences.ts";
import { sourceMonitorStatic } from "./source-monitor.ts";
import { SourceMonitorState } from "./source-monitor-state.ts";
import type { ProjectState } from "./state.ts";
import { strictObject } from "./strict-object.ts";
import { frameRateStatic, guidStatic, tickTimeStatic } from "./time.ts";
import { TrackObjects } from "./tracks.ts";
import { transcriptStatic } from "./transcripts.ts";
import { User } from "./user.ts";
import type { Stage, World } from "./world.ts";

/** What a Premiere of the double needs. */
export interface PremiereOptions {
  readonly project: ProjectState | null;
  readonly world: World;
  readonly faults?: Partial<Faults>;
  /** Runs a function in a later macrotask. Default: a timer of zero. */
  readonly schedule?: (run: () => void) => void;
  /** Numbers from 0 up to 1, for values that must not be guessed. Default: `Math.random`. */
  readonly random?: () => number;
  /** The time in milliseconds, for rules about pace. Default: time that is always enough. */
  readonly now?: () => number;
  /** How members answer that are well, as another double has shown. */
  readonly well?: WellAnswers;
}

/** A Premiere that runs without Premiere: the module a plugin sees, and the hands of the person in front of it. */
export interface PremiereDouble {
  readonly module: premierepro;
  readonly machine: Machine;
  readonly events: EventHub;
  readonly user: User;
  /** What the source monitor shows. */
  readonly sourceMonitor: SourceMonitorState;
  /** How its members answer that are well, as far as they were asked by way of `otherwise`. */
  readonly well: WellAnswers;
  /** Switches; may be turned at any time. */
  readonly faults: Faults;
}

/** Starts a Premiere with one project open, or none. */
export function startPremiere(options: PremiereOptions): PremiereDouble {
  const schedule = options.schedule ?? ((run: () => void) => void setTimeout(run, 0));
  const { faults, now } = options;
  const machine = new Machine({
    schedule,
    ...(faults === undefined ? {} : { faults }),
    ...(now === undefined ? {} : { now }),
  });
  if (options.project !== null) machine.open(options.project);
  const events = new EventHub(machine);
  const constants = makeConstants(options.random ?? Math.random);
  const sourceMonitor = new SourceMonitorState();
  const stage: Stage = { machine, constants, events, world: options.world, sourceMonitor };
  const announce = (event: "sequence" | "project") => {
    const id = options.project === null ? null : machine.project(options.project.id).activeSequenceId;
    const name = event === "sequence" ? constants.SequenceEvent.ACTIVATED : constants.ProjectEvent.ACTIVATED;
    events.send(name, { id: id ?? "", name: "" });
  };
  const user = new User(machine, options.project?.id ?? "", announce);
  const { well = noAnswers() } = options;
  return { module: moduleOf(stage), machine, events, user, sourceMonitor, well, faults: machine.faults };
}

function moduleOf(stage: Stage): premierepro {
  const rawItem = (projectId: string, itemId: string) => items.raw(projectId, itemId);
  const tracks = new TrackObjects(stage, rawItem);
  const sequences = new SequenceObjects(stage, tracks, rawItem);
  const projects = new ProjectObjects(stage, sequences, () => items);
  const items: ProjectItems = new ProjectItems(
    stage,
    (projectId) => projects.project(projectId),
    (projectId, sequenceId) => sequences.sequence(projectId, sequenceId),
  );
  const members = {
    Project: projects.projectStatic(),
    ProjectItem: items.itemStatic(),
    FolderItem: items.folderStatic(),
    ClipProjectItem: items.clipStatic(),
    Markers: new MarkerObjects(stage, sequenceIdentity).markersStatic(),
    Marker: markerStatic,
    SequenceEditor: new EditorObjects(stage, sequenceIdentity).editorStatic(),
    TrackItemSelection: selectionStatic(stage),
    EncoderManager: encoderStatic(stage),
    EventManager: eventManagerStatic(stage.events, stage.constants.SequenceEvent.SELECTION_CHANGED),
    Properties: propertiesStatic(stage),
    Transcript: transcriptStatic(stage),
    ProjectConverter: converterStatic(stage),
    SourceMonitor: sourceMonitorStatic(stage, rawItem),
    TickTime: tickTimeStatic,
    FrameRate: frameRateStatic,
    Guid: guidStatic,
    Constants: stage.constants,
  } satisfies Partial<premierepro>;
  // Members that the double does not play raise an error when they are read.
  const isThere = (key: PropertyKey) => key !== "ProjectConverter" || Number(stage.machine.faults.version) >= 26.2;
  return strictObject("premierepro", members, undefined, isThere) as unknown as premierepro;
}
