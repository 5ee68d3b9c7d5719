import type { AudioClipTrackItem, AudioTrack, ProjectItem, TickTime, VideoTrack } from "@adobe/premierepro";
import { checkArguments, constantOf } from "./arguments.ts";
import { audioComponents, PLAIN_LEVEL, withLevel } from "./components.ts";
import { isRecent } from "./faults.ts";
import {
  isRefused,
  type LevelState,
  type ProjectState,
  type SequenceState,
  type TrackItemState,
  type TrackState,
  withSequence,
} from "./state.ts";
import { guid, tickTime } from "./time.ts";
import type { Stage } from "./world.ts";

/** Which kind of track. */
export type TrackKind = "video" | "audio";

/** Where a track item is. */
export interface TrackItemIdentity {
  readonly projectId: string;
  readonly sequenceId: string;
  readonly kind: TrackKind;
  readonly trackId: number;
  readonly itemId: string;
}

/** Tracks of a sequence that is gone. */
const EMPTY = { videoTracks: [], audioTracks: [] };

const identities = new WeakMap<object, TrackItemIdentity>();

/** Which track item a handle stands for. */
export function trackItemIdentity(handle: object): TrackItemIdentity {
  const identity = identities.get(handle);
  if (identity === undefined) throw new Error("Illegal Parameter type (not a track item)");
  return identity;
}

/** The tracks of one kind. */
export function tracksOf(
  sequence: Pick<SequenceState, "videoTracks" | "audioTracks">,
  kind: TrackKind,
): readonly TrackState[] {
  return kind === "video" ? sequence.videoTracks : sequence.audioTracks;
}

/** Makes the objects of tracks and what lies on them. */
export class TrackObjects {
  readonly #stage: Stage;
  readonly #rawItem: (projectId: string, itemId: string) => ProjectItem;

  constructor(stage: Stage, rawItem: (projectId: string, itemId: string) => ProjectItem) {
    this.#stage = stage;
    this.#rawItem = rawItem;
  }

  /** A track by its identity. */
  track(projectId: string, sequenceId: string, kind: TrackKind, trackId: number): VideoTrack & AudioTrack {
    const { machine, constants } = this.#stage;
    const tracks = () => tracksOf(machine.sequence(projectId, sequenceId), kind);
    const state = () => {
      const track = tracks().find((one) => one.id === trackId);
      if (track === undefined) throw new Error("The script object is no longer valid");
      return track;
    };
    const members: VideoTrack & AudioTrack = {
      createSetNameAction: (...given) => {
        checkArguments("Track.createSetNameAction", given, { required: ["string"] });
        return machine.action(projectId, (draft) =>
          editTrack(draft, sequenceId, kind, trackId, (track) => ({ ...track, name: given[0] })),
        );
      },
      setMute: (...given) => {
        checkArguments("Track.setMute", given, { required: ["boolean"] });
        return machine.settle(() => {
          if (machine.faults.mute === "returns false") return false;
          const edit = (track: TrackState) => ({ ...track, isMuted: given[0] });
          machine.replace(editTrack(machine.project(projectId), sequenceId, kind, trackId, edit));
          return true;
        });
      },
      isMuted: () => machine.settle(() => state().isMuted),
      getIndex: () => machine.settle(() => tracks().findIndex((track) => track.id === trackId)),
      getMediaType: () => machine.settle(() => guid(`media-type:${kind}`)),
      getTrackItems: (...given) => {
        const types = constantOf(constants.TrackItemType);
        checkArguments("Track.getTrackItems", given, { required: [types, "boolean"] });
        if (given[0] !== constants.TrackItemType.CLIP) return [];
        const items: (AudioClipTrackItem | null)[] = [];
        let transitions = [...(state().transitions ?? [])];
        let end = 0n;
        for (const item of state().items) {
          if (given[1] && item.start > end) items.push(null);
          items.push(...transitions.filter((start) => start <= item.start).map(() => null));
          transitions = transitions.filter((start) => start > item.start);
          items.push(this.#item({ projectId, sequenceId, kind, trackId, itemId: item.id }));
          end = item.end;
        }
        items.push(...transitions.map(() => null));
        // The vendor's types leave out that whatever is no clip comes as null: transitions, and gaps when asked for.
        return items as unknown as ReturnType<VideoTrack["getTrackItems"]>;
      },
      get name() {
        return state().name;
      },
      get id() {
        return state().id;
      },
    };
    const handle = machine.handle(kind === "video" ? "VideoTrack" : "AudioTrack", members);
    if (isRecent(machine.faults)) return handle;
    const { createSetNameAction: _, ...older } = Object.getOwnPropertyDescriptors(members);
    // Before 26.3 tracks cannot be named; the vendor's types describe 26.3.
    const name = kind === "video" ? "VideoTrack" : "AudioTrack";
    return machine.handle(name, Object.defineProperties({}, older) as typeof members);
  }

  #item(identity: TrackItemIdentity): AudioClipTrackItem {
    const { machine } = this.#stage;
    const { projectId, sequenceId, kind, trackId, itemId } = identity;
    const find = () => {
      const tracks = tracksOf(machine.sequence(projectId, sequenceId), kind);
      const trackIndex = tracks.findIndex((track) => track.id === trackId);
      const item = tracks[trackIndex]?.items.find((one) => one.id === itemId);
      if (item === undefined) throw new Error("The script object is no longer valid");
      return { item, trackIndex };
    };
    // Seen live: some questions about graphics and nested sequences are refused.
    const media = (item: TrackItemState) => {
      const source = machine.project(projectId).items.get(item.itemId);
      if (source?.kind === "clip" && isRefused(source)) throw new Error("Invalid parameter");
      return item;
    };
    const time = (pick: (item: TrackItemState) => bigint): (() => Promise<TickTime>) => {
      return () => machine.settle(() => tickTime(pick(find().item)));
    };
    const members = {
      getName: () => machine.settle(() => find().item.name),
      getStartTime: time((item) => item.start),
      getEndTime: time((item) => item.end),
      getDuration: time((item) => item.end - item.start),
      getInPoint: time((item) => item.inPoint),
      getOutPoint: time((item) => item.inPoint + (item.end - item.start)),
      getSpeed: () => machine.settle(() => media(find().item).speed),
      isSpeedReversed: () => machine.settle(() => (media(find().item).isReversed ? 1 : 0)),
      isAdjustmentLayer: () => machine.settle(() => find().item.isAdjustment === true),
      isDisabled: () => machine.settle(() => find().item.isDisabled),
      getTrackIndex: () => machine.settle(() => find().trackIndex),
      getProjectItem: () => machine.settle(() => this.#rawItem(projectId, find().item.itemId)),
      getComponentChain: () =>
        machine.settle(() => {
          find();
          const inTrack = (project: ProjectState) =>
            tracksOf(project.sequences.get(sequenceId) ?? EMPTY, kind)
              .find((track) => track.id === trackId)
              ?.items.find((one) => one.id === itemId);
          const read = () => find().item.level ?? PLAIN_LEVEL;
          const change = (edit: (level: LevelState, base: LevelState) => LevelState) => ({
            projectId,
            change: (draft: ProjectState, base: ProjectState) => {
              const was = inTrack(base);
              if (was === undefined) throw new Error("The script object is no longer valid");
              return editTrack(draft, sequenceId, kind, trackId, (track) => ({
                ...track,
                items: track.items.map((item) =>
                  item.id === itemId
                    ? withLevel(item, edit(item.level ?? PLAIN_LEVEL, was.level ?? PLAIN_LEVEL))
                    : item,
                ),
              }));
            },
          });
          return audioComponents(this.#stage, { read, change });
        }),
      createSetEndAction: (...given: [TickTime]) => {
        checkArguments("TrackItem.createSetEndAction", given, { required: ["TickTime"] });
        // Seen live: it raises whatever it is given.
        throw new Error("Script action failed to execute");
      },
      createSetNameAction: (...given: [string]) => {
        checkArguments("TrackItem.createSetNameAction", given, { required: ["string"] });
        return machine.action(projectId, (draft) =>
          editTrack(draft, sequenceId, kind, trackId, (track) => ({
            ...track,
            items: track.items.map((item) => (item.id === itemId ? { ...item, name: given[0] } : item)),
          })),
        );
      },
    } satisfies Partial<AudioClipTrackItem>;
    // Members that the double does not play raise an error when they are read.
    const name = kind === "video" ? "VideoClipTrackItem" : "AudioClipTrackItem";
    const handle = machine.handle(name, members) as unknown as AudioClipTrackItem;
    identities.set(handle, identity);
    return handle;
  }
}

/** A copy of the project with one track changed. */
function editTrack(
  project: ProjectState,
  sequenceId: string,
  kind: TrackKind,
  trackId: number,
  edit: (track: TrackState) => TrackState,
): ProjectState {
  const sequence = project.sequences.get(sequenceId);
  if (sequence === undefined) throw new Error("The script object is no longer valid");
  const tracks = tracksOf(sequence, kind).map((track) => (track.id === trackId ? edit(track) : track));
  return withSequence(project, {
    ...sequence,
    ...(kind === "video" ? { videoTracks: tracks } : { audioTracks: tracks }),
  });
}
