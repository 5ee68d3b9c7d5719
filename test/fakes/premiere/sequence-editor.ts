import type { ProjectItem, Sequence, SequenceEditor, SequenceEditorStatic, TickTime } from "@adobe/premierepro";
import { anyOf, checkArguments, constantOf } from "./arguments.ts";
import { overwriteOn, shiftFrom } from "./placing.ts";
import { itemIdentity } from "./project-items.ts";
import { selectedIds } from "./selections.ts";
import {
  type ClipState,
  type MarkerState,
  type ProjectState,
  type SequenceState,
  type TrackItemState,
  type TrackState,
  withAudioTrack,
  withSequence,
} from "./state.ts";
import { strictObject } from "./strict-object.ts";
import { nearestFrameTicks, ticksOf } from "./time.ts";
import { tracksOf } from "./tracks.ts";
import type { Stage } from "./world.ts";

/** Most clips that one action may remove: hundreds crashed Premiere. */
const MOST_REMOVED = 25;

/** Makes the sequence editor. */
export class EditorObjects {
  readonly #stage: Stage;
  readonly #identify: (sequence: Sequence) => { readonly projectId: string; readonly sequenceId: string };

  constructor(
    stage: Stage,
    identify: (sequence: Sequence) => { readonly projectId: string; readonly sequenceId: string },
  ) {
    this.#stage = stage;
    this.#identify = identify;
  }

  /** `SequenceEditor` as the module offers it. */
  editorStatic(): SequenceEditorStatic {
    const statics = {
      getEditor: (...given: [Sequence]) => {
        checkArguments("SequenceEditor.getEditor", given, { required: ["Sequence"] });
        const { projectId, sequenceId } = this.#identify(given[0]);
        return this.#editor(projectId, sequenceId);
      },
    } satisfies Partial<SequenceEditorStatic>;
    // Members that the double does not play raise an error when they are read.
    return strictObject("SequenceEditor", statics) as unknown as SequenceEditorStatic;
  }

  #editor(projectId: string, sequenceId: string): SequenceEditor {
    const { machine, constants } = this.#stage;
    const members = {
      createOverwriteItemAction: (...given: [ProjectItem, TickTime, number, number]) => {
        checkArguments("createOverwriteItemAction", given, {
          required: ["ProjectItem", "TickTime", "number", "number"],
        });
        const order = this.#order(given);
        return machine.action(projectId, (draft, base) => this.#overwrite(draft, base, sequenceId, order));
      },
      createInsertProjectItemAction: (...given: [ProjectItem, TickTime, number, number, boolean]) => {
        checkArguments("createInsertProjectItemAction", given, {
          required: ["ProjectItem", "TickTime", "number", "number", "boolean"],
        });
        const order = this.#order(given);
        return machine.action(projectId, (draft, base) => this.#insert(draft, base, sequenceId, order, given[4]));
      },
      createRemoveItemsAction: (...given: Parameters<SequenceEditor["createRemoveItemsAction"]>) => {
        checkArguments("createRemoveItemsAction", given, {
          required: [anyOf("TrackItemSelection"), "boolean", constantOf(constants.MediaType)],
          optional: ["boolean"],
        });
        const removed = selectedIds(given[0]);
        if (given[1]) throw new Error("the double does not ripple");
        if (removed.size > MOST_REMOVED) {
          machine.violations.push(`${removed.size} clips removed by one action`);
          throw new Error("Premiere has crashed");
        }
        const media = given[2];
        return machine.action(projectId, (draft) => {
          const sequence = sequenceIn(draft, sequenceId);
          const keep = (track: TrackState) => ({
            ...track,
            items: track.items.filter((item) => track.isLocked === true || !removed.has(item.id)),
          });
          const ofAudio = media === constants.MediaType.AUDIO || media === constants.MediaType.ANY;
          const ofVideo = media === constants.MediaType.VIDEO || media === constants.MediaType.ANY;
          return withSequence(draft, {
            ...sequence,
            audioTracks: ofAudio ? sequence.audioTracks.map(keep) : sequence.audioTracks,
            videoTracks: ofVideo ? sequence.videoTracks.map(keep) : sequence.videoTracks,
          });
        });
      },
    } satisfies Partial<SequenceEditor>;
    // Members that the double does not play raise an error when they are read.
    return machine.handle("SequenceEditor", members) as unknown as SequenceEditor;
  }

  #order(given: readonly [ProjectItem, TickTime, number, number, ...unknown[]]): PlacingOrder {
    const [item, time, videoIndex, audioIndex] = given;
    if (videoIndex === -1 && this.#stage.machine.faults.noVideoIndex === "refused")
      throw new Error("Invalid parameter");
    return { itemId: itemIdentity(item).itemId, time: ticksOf(time), audioIndex };
  }

  #overwrite(draft: ProjectState, base: ProjectState, sequenceId: string, order: PlacingOrder): ProjectState {
    const sequence = sequenceIn(draft, sequenceId);
    const clip = this.#clip(base, sequence, order);
    if (clip === null) return draft;
    // Seen live: -1 as audio index lands on A1.
    const index = Math.max(0, order.audioIndex);
    if (index < sequence.audioTracks.length) return this.#placeOn(draft, sequence, index, clip);
    refuseFurtherTracks(base, sequence, index);
    const { overwrite } = this.#stage.machine.faults;
    if (overwrite === "nothing") return draft;
    if (overwrite === "first track") return this.#placeOn(draft, sequence, 0, clip);
    return this.#placeOnNew(draft, sequence, clip);
  }

  #insert(
    draft: ProjectState,
    base: ProjectState,
    sequenceId: string,
    order: PlacingOrder,
    limitsShift: boolean,
  ): ProjectState {
    const sequence = sequenceIn(draft, sequenceId);
    const clip = this.#clip(base, sequence, order);
    if (clip === null) return draft;
    const isNew = order.audioIndex >= sequence.audioTracks.length;
    if (isNew) refuseFurtherTracks(base, sequence, order.audioIndex);
    if (isNew && this.#stage.machine.faults.insert === "nothing") return draft;
    const newId = () => this.#stage.machine.newId("trackitem");
    const length = clip.end - clip.start;
    const target = Math.max(0, order.audioIndex);
    const shift = (track: TrackState) =>
      track.isLocked === true || (track.isSyncLockOff === true && track !== sequence.audioTracks[target])
        ? track
        : shiftFrom(track, clip.start, length, newId);
    const isRippled = !limitsShift && this.#stage.machine.faults.markers === "ripple";
    const moved = (marker: MarkerState) =>
      isRippled && marker.start >= clip.start ? { ...marker, start: marker.start + length } : marker;
    const shifted: SequenceState = {
      ...sequence,
      audioTracks: sequence.audioTracks.map((track, i) => (!limitsShift || i === target ? shift(track) : track)),
      videoTracks: limitsShift ? sequence.videoTracks : sequence.videoTracks.map(shift),
      markers: sequence.markers.map(moved),
    };
    if (isNew) return this.#placeOnNew(draft, shifted, clip);
    return this.#placeOn(draft, shifted, target, clip);
  }

  #placeOn(draft: ProjectState, sequence: SequenceState, index: number, clip: TrackItemState): ProjectState {
    const track = sequence.audioTracks[index];
    if (track === undefined || track.isLocked === true || !takes(draft, track, clip)) return draft;
    const placed = overwriteOn(track, clip, () => this.#stage.machine.newId("trackitem"));
    return withSequence(draft, withAudioTrack(sequence, index, placed));
  }

  #placeOnNew(draft: ProjectState, sequence: SequenceState, clip: TrackItemState): ProjectState {
    const number = sequence.audioTracks.length + 1;
    const id = Math.max(0, ...tracksOf(sequence, "audio").map((track) => track.id)) + 1;
    const track: TrackState = { id, name: `Audio ${number}`, isMuted: false, items: [clip] };
    return withSequence(draft, { ...sequence, audioTracks: [...sequence.audioTracks, track] });
  }

  #clip(base: ProjectState, sequence: SequenceState, order: PlacingOrder): TrackItemState | null {
    const item = base.items.get(order.itemId);
    if (item === undefined || item.kind !== "clip") throw new Error("Invalid parameter");
    if (!item.hasAudio) return null;
    const start = nearestFrameTicks(order.time, sequence.ticksPerFrame);
    return {
      id: this.#stage.machine.newId("trackitem"),
      name: item.name,
      start,
      end: start + wholeFrames(item, sequence),
      inPoint: 0n,
      isDisabled: false,
      speed: 1,
      isReversed: false,
      itemId: item.id,
    };
  }
}

/** Seen live: one new track per transaction, and none further out than the one after the last. */
function refuseFurtherTracks(base: ProjectState, sequence: SequenceState, index: number): void {
  const before = sequenceIn(base, sequence.id).audioTracks.length;
  if (index > before || sequence.audioTracks.length > before) throw new Error("Invalid parameter");
}

/** Whether a track's channels fit those of a clip's source. */
function takes(project: ProjectState, { layout = "standard" }: TrackState, clip: TrackItemState): boolean {
  const source = project.items.get(clip.itemId);
  const channels = source?.kind === "clip" ? (source.audioChannels ?? 2) : 2;
  return layout === "5.1" ? channels === 6 : channels <= 2;
}

interface PlacingOrder {
  readonly itemId: string;
  readonly time: bigint;
  readonly audioIndex: number;
}

/** A source's length, floored to frames: never shorter than one. */
function wholeFrames(clip: ClipState, sequence: SequenceState): bigint {
  const frames = clip.durationTicks / sequence.ticksPerFrame;
  return (frames > 0n ? frames : 1n) * sequence.ticksPerFrame;
}

function sequenceIn(project: ProjectState, sequenceId: string): SequenceState {
  const sequence = project.sequences.get(sequenceId);
  if (sequence === undefined) throw new Error("The script object is no longer valid");
  return sequence;
}
