/** A project as Premiere holds it, in plain values that are never changed in place: an undo step is an older value. */
export interface ProjectState {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly rootId: string;
  readonly items: ReadonlyMap<string, ItemState>;
  readonly sequences: ReadonlyMap<string, SequenceState>;
  readonly activeSequenceId: string | null;
}

/** An entry of the project panel. */
export type ItemState = BinState | ClipState;

/** A folder of the project panel; the root is one too. */
export interface BinState {
  readonly kind: "bin";
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** Media, or a sequence, in the project panel. */
export interface ClipState {
  readonly kind: "clip";
  readonly id: string;
  readonly name: string;
  readonly parentId: string;
  readonly mediaPath: string;
  readonly isOffline: boolean;
  readonly durationTicks: bigint;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** Identity of the sequence it stands for; absent for media. */
  readonly sequenceId?: string;
  /** A title or other graphic made in Premiere: no file, and some questions about it are refused. */
  readonly isGraphic?: boolean;
  /** Channels of its sound; 2 where absent. */
  readonly audioChannels?: number;
  /** Transcript as `Transcript.exportToJSON` gives it; absent without one. */
  readonly transcript?: string;
}

/** Whether it is of a kind about which speed, direction and being offline cannot be asked: a graphic, or a nested sequence. */
export function isRefused(clip: ClipState): boolean {
  return clip.isGraphic === true || clip.sequenceId !== undefined;
}

/** The time displays the double knows, by Premiere's wording. */
export type DisplayFormat = "23.976" | "24" | "25" | "29.97 DF" | "29.97 NDF" | "50" | "59.94 DF" | "59.94 NDF";

/** A sequence. Times are ticks from sequence time 0. */
export interface SequenceState {
  readonly id: string;
  readonly name: string;
  readonly ticksPerFrame: bigint;
  readonly display: DisplayFormat;
  readonly zeroPoint: bigint;
  readonly inPoint: bigint | null;
  readonly outPoint: bigint | null;
  readonly frameSize: { readonly width: number; readonly height: number };
  readonly videoTracks: readonly TrackState[];
  readonly audioTracks: readonly TrackState[];
  readonly markers: readonly MarkerState[];
  readonly properties: ReadonlyMap<string, string | number | boolean>;
  readonly playerPosition: bigint;
}

/** A track; `items` are in order and do not overlap. */
export interface TrackState {
  readonly id: number;
  readonly name: string;
  readonly isMuted: boolean;
  /** What is laid on it, or removed from it, stays away or stays, without a word. */
  readonly isLocked?: boolean;
  /** Stays where it is when something is inserted on another track. */
  readonly isSyncLockOff?: boolean;
  /** Channels of an audio track: `standard` takes one or two, the others their own number only. */
  readonly layout?: "standard" | "5.1";
  /** When transitions begin: items that are no clips. */
  readonly transitions?: readonly bigint[];
  readonly items: readonly TrackItemState[];
}

/** A clip on a track. */
export interface TrackItemState {
  readonly id: string;
  readonly name: string;
  readonly start: bigint;
  readonly end: bigint;
  /** Source time shown at `start`. */
  readonly inPoint: bigint;
  readonly isDisabled: boolean;
  readonly speed: number;
  readonly isReversed: boolean;
  readonly isAdjustment?: boolean;
  readonly itemId: string;
  /** Of a sound clip; plain where absent. */
  readonly level?: LevelState;
}

/** The volume of a sound clip. */
export interface LevelState {
  /** Linear; counts while it does not vary. */
  readonly gain: number;
  readonly isVarying: boolean;
  /** Ticks on the source's clock, in order. */
  readonly keyframes: readonly { readonly at: bigint; readonly value: number }[];
}

/** Colours a marker can have, as Premiere's constants spell them. */
export type ColourName = "GREEN" | "RED" | "MAGNETA" | "ORANGE" | "YELLOW" | "BLUE" | "CYAN";

/** A marker of a sequence. */
export interface MarkerState {
  readonly guid: string;
  readonly name: string;
  readonly type: string;
  readonly comments: string;
  readonly start: bigint;
  readonly duration: bigint;
  readonly colour: ColourName;
}

/** The end of a sequence: where its last clip ends. */
export function sequenceEnd(sequence: SequenceState): bigint {
  let end = 0n;
  for (const track of [...sequence.videoTracks, ...sequence.audioTracks]) {
    for (const item of track.items) if (item.end > end) end = item.end;
  }
  return end;
}

/** A copy of the project with one sequence replaced. */
export function withSequence(project: ProjectState, sequence: SequenceState): ProjectState {
  return { ...project, sequences: new Map(project.sequences).set(sequence.id, sequence) };
}

/** A copy of the project with one item added or replaced. */
export function withItem(project: ProjectState, item: ItemState): ProjectState {
  return { ...project, items: new Map(project.items).set(item.id, item) };
}

/** A copy of a sequence with markers in Premiere's order: by start. */
export function withMarkers(sequence: SequenceState, markers: readonly MarkerState[]): SequenceState {
  return { ...sequence, markers: [...markers].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0)) };
}

/** A copy of a sequence with one audio track replaced. */
export function withAudioTrack(sequence: SequenceState, index: number, track: TrackState): SequenceState {
  return { ...sequence, audioTracks: sequence.audioTracks.map((old, i) => (i === index ? track : old)) };
}
