import type { Guid, ProjectItem, RectF, Sequence, SequenceSettings, TickTime, TimeDisplay } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import { lastingSelection } from "./selections.ts";
import {
  type DisplayFormat,
  type ProjectState,
  type SequenceState,
  sequenceEnd,
  withItem,
  withSequence,
} from "./state.ts";
import { strictObject } from "./strict-object.ts";
import { frameRateOf, guid, ticksOf, tickTime } from "./time.ts";
import { type TrackKind, type TrackObjects, tracksOf } from "./tracks.ts";
import type { Stage } from "./world.ts";

/** What Premiere reports for an in or out point that is not set. */
const UNSET_TICKS = -400_000n * 254_016_000_000n;

const EXTENDSCRIPT_CODES: Readonly<Record<DisplayFormat, number>> = {
  "23.976": 110,
  "24": 100,
  "25": 101,
  "29.97 DF": 102,
  "29.97 NDF": 103,
  "50": 105,
  "59.94 DF": 106,
  "59.94 NDF": 107,
};

const identities = new WeakMap<object, { readonly projectId: string; readonly sequenceId: string }>();

/** Which sequence a handle stands for. */
export function sequenceIdentity(sequence: Sequence): { readonly projectId: string; readonly sequenceId: string } {
  const identity = identities.get(sequence);
  if (identity === undefined) throw new Error("Illegal Parameter type (not a sequence)");
  // Reading any member checks that the handle is not stale.
  void sequence.name;
  return identity;
}

/** Makes the sequence objects. */
export class SequenceObjects {
  readonly #stage: Stage;
  readonly #tracks: TrackObjects;
  readonly #rawItem: (projectId: string, itemId: string) => ProjectItem;

  constructor(stage: Stage, tracks: TrackObjects, rawItem: (projectId: string, itemId: string) => ProjectItem) {
    this.#stage = stage;
    this.#tracks = tracks;
    this.#rawItem = rawItem;
  }

  /** A sequence by its identity; a new object each time. */
  sequence(projectId: string, sequenceId: string): Sequence {
    const { machine } = this.#stage;
    const state = () => machine.sequence(projectId, sequenceId);
    const settle = <Answer>(pick: (sequence: SequenceState) => Answer) => machine.settle(() => pick(state()));
    const change = (edit: (sequence: SequenceState) => SequenceState) =>
      machine.action(projectId, (draft) => {
        const sequence = draft.sequences.get(sequenceId);
        if (sequence === undefined) throw new Error("The script object is no longer valid");
        return withSequence(draft, edit(sequence));
      });
    const track = (kind: TrackKind, index: number) =>
      settle((sequence) => {
        const found = tracksOf(sequence, kind)[index];
        if (found !== undefined) return this.#tracks.track(projectId, sequenceId, kind, found.id);
        if (machine.faults.missingTrack === "throws") throw new Error("Invalid parameter");
        // The vendor's types leave out that a track may be missing.
        return null as unknown as ReturnType<TrackObjects["track"]>;
      });
    const members = {
      getInPoint: () => settle((sequence) => tickTime(sequence.inPoint ?? UNSET_TICKS)),
      getOutPoint: () => settle((sequence) => tickTime(sequence.outPoint ?? UNSET_TICKS)),
      getEndTime: () => settle((sequence) => tickTime(sequenceEnd(sequence))),
      getZeroPoint: () => settle((sequence) => tickTime(sequence.zeroPoint)),
      getTimebase: () => settle((sequence) => sequence.ticksPerFrame.toString()),
      getPlayerPosition: () => settle((sequence) => tickTime(sequence.playerPosition)),
      setPlayerPosition: (...given: [TickTime?]) => {
        checkArguments("Sequence.setPlayerPosition", given, { required: [], optional: ["TickTime"] });
        const position = given[0] === undefined ? 0n : ticksOf(given[0]);
        return settle((sequence) => {
          machine.replace(withSequence(machine.project(projectId), { ...sequence, playerPosition: position }));
          return true;
        });
      },
      getFrameSize: () => settle((sequence) => rectangle(sequence)),
      clearSelection: () => {
        machine.selected.delete(sequenceId);
        return settle(() => true);
      },
      getSelection: () => settle(() => lastingSelection(this.#stage, new Set(machine.selected.get(sequenceId)))),
      getProjectItem: () =>
        settle((sequence) => {
          const items = [...machine.project(projectId).items.values()];
          const own = items.find((item) => item.kind === "clip" && item.sequenceId === sequence.id);
          if (own === undefined) throw new Error(`sequence ${sequence.id} has no project item`);
          return this.#rawItem(projectId, own.id);
        }),
      getSettings: () => settle((sequence) => this.#settings(sequence)),
      getSequenceVideoTimeDisplayFormat: () => settle((sequence) => this.#display(sequence)),
      getVideoTrackCount: () => settle((sequence) => sequence.videoTracks.length),
      getAudioTrackCount: () => settle((sequence) => sequence.audioTracks.length),
      getCaptionTrackCount: () => settle(() => 0),
      getVideoTrack: (...given: [number]) => {
        checkArguments("Sequence.getVideoTrack", given, { required: ["number"] });
        return track("video", given[0]);
      },
      getAudioTrack: (...given: [number]) => {
        checkArguments("Sequence.getAudioTrack", given, { required: ["number"] });
        return track("audio", given[0]);
      },
      createCloneAction: (...given: []) => {
        checkArguments("Sequence.createCloneAction", given, { required: [] });
        return machine.action(
          projectId,
          (draft, base) => cloned(draft, base, sequenceId, (kind) => machine.newId(kind)),
          "alone",
        );
      },
      createSetInPointAction: (...given: [TickTime]) => {
        checkArguments("Sequence.createSetInPointAction", given, { required: ["TickTime"] });
        return change((sequence) => ({ ...sequence, inPoint: pointOf(given[0]) }));
      },
      createSetOutPointAction: (...given: [TickTime]) => {
        checkArguments("Sequence.createSetOutPointAction", given, { required: ["TickTime"] });
        return machine.action(projectId, (draft, base) => {
          const sequence = draft.sequences.get(sequenceId);
          const before = base.sequences.get(sequenceId);
          if (sequence === undefined || before === undefined) throw new Error("The script object is no longer valid");
          // Seen live: with both in one transaction the in point is dropped.
          return withSequence(draft, { ...sequence, inPoint: before.inPoint, outPoint: pointOf(given[0]) });
        });
      },
      get guid(): Guid {
        return guid(state().id);
      },
      get name() {
        return state().name;
      },
    } satisfies Partial<Sequence>;
    // Members that the double does not play raise an error when they are read.
    const handle = machine.handle("Sequence", members) as unknown as Sequence;
    identities.set(handle, { projectId, sequenceId });
    return handle;
  }

  #settings(sequence: SequenceState): SequenceSettings {
    const shared = {
      getVideoDisplayFormat: () => this.#stage.machine.settle(() => this.#display(sequence)),
      getAudioSampleRate: () => this.#stage.machine.settle(() => frameRateOf(254_016_000_000n / 48_000n)),
      getVideoFrameRect: () => this.#stage.machine.settle(() => rectangle(sequence)),
    } satisfies Partial<SequenceSettings>;
    const hasRate = this.#stage.machine.faults.version !== "25.6";
    const members = hasRate ? { ...shared, getVideoFrameRate: () => frameRateOf(sequence.ticksPerFrame) } : shared;
    // Members that the double does not play raise an error when they are read.
    return strictObject("SequenceSettings", members) as unknown as SequenceSettings;
  }

  #display(sequence: SequenceState): TimeDisplay {
    return strictObject("TimeDisplay", { type: this.#displayCode(sequence.display) });
  }

  #displayCode(display: DisplayFormat): number {
    const { displayCodes } = this.#stage.machine.faults;
    const formats = this.#stage.constants.VideoDisplayFormatType;
    if (displayCodes === "unknown") return -7;
    if (displayCodes === "constants") {
      const known: Partial<Record<DisplayFormat, number>> = {
        "23.976": formats.FPS_23_976,
        "25": formats.FPS_25,
        "29.97 DF": formats.FPS_29_97,
        "29.97 NDF": formats.FPS_29_97_NON_DROP,
      };
      return known[display] ?? EXTENDSCRIPT_CODES[display];
    }
    return EXTENDSCRIPT_CODES[display];
  }
}

/** A copy beside the original: an item of its own in the project, markers of their own identity, nothing open. */
function cloned(
  draft: ProjectState,
  base: ProjectState,
  sequenceId: string,
  newId: (kind: string) => string,
): ProjectState {
  const original = base.sequences.get(sequenceId);
  const item = [...base.items.values()].find((one) => one.kind === "clip" && one.sequenceId === sequenceId);
  if (original === undefined || item === undefined) throw new Error("The script object is no longer valid");
  const copy = { ...original, id: newId("sequence"), name: `${original.name} Copy 01` };
  const markers = original.markers.map((marker) => ({ ...marker, guid: newId("marker") }));
  const clip = { ...item, id: newId("item"), name: copy.name, sequenceId: copy.id };
  return withItem(withSequence(draft, { ...copy, markers }), clip);
}

function pointOf(time: TickTime): bigint | null {
  const ticks = ticksOf(time);
  return ticks === UNSET_TICKS ? null : ticks;
}

function rectangle(sequence: SequenceState): RectF {
  // The vendor types RectF with call signatures that only its class has.
  return strictObject("RectF", { ...sequence.frameSize }) as unknown as RectF;
}
