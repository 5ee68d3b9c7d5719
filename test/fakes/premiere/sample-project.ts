import type {
  ClipState,
  DisplayFormat,
  ItemState,
  ProjectState,
  SequenceState,
  TrackItemState,
  TrackState,
} from "./state.ts";

const TICKS_PER_SECOND = 254_016_000_000n;

/** Ticks per frame at the rates of editing, by the way editors write them. */
export const TICKS_PER_FRAME: Readonly<Record<DisplayFormat, bigint>> = {
  "23.976": 10_594_584_000n,
  "24": 10_584_000_000n,
  "25": 10_160_640_000n,
  "29.97 DF": 8_475_667_200n,
  "29.97 NDF": 8_475_667_200n,
  "50": 5_080_320_000n,
  "59.94 DF": 4_237_833_600n,
  "59.94 NDF": 4_237_833_600n,
};

/** What a sample sequence can be asked for. */
export interface SampleOptions {
  readonly display?: DisplayFormat;
  /** Label of the first frame, in whole seconds of the label: 3600 for 01:00:00:00. */
  readonly zeroPointTicks?: bigint;
  readonly inFrame?: number;
  readonly outFrame?: number;
  /** Length of the one clip, in frames. */
  readonly frames?: number;
  /** Path of the media behind it. */
  readonly mediaPath?: string;
  /** Path of the project. */
  readonly path?: string;
  readonly sequenceName?: string;
  readonly isOffline?: boolean;
  /** Transcript of the media, as `Transcript.exportToJSON` gives it. */
  readonly transcript?: string;
}

/** Identity of the sample's sequence. */
export const SAMPLE_SEQUENCE_ID = "sequence-sample";

/**
 * A project with one sequence: a clip with picture on V1, faded in, and its sound on A1, music on A2 that is faded in and out,
 * a marker of the editor's own.
 */
export function sampleProject(options: SampleOptions = {}): ProjectState {
  const display = options.display ?? "25";
  const ticksPerFrame = TICKS_PER_FRAME[display];
  const end = BigInt(options.frames ?? 1500) * ticksPerFrame;
  const media = clipItem("item-media", "harbour.mp4", options.mediaPath ?? "/media/harbour.mp4", end, true);
  const music = clipItem("item-music", "music.wav", "/media/music.wav", end, false);
  const own: ClipState = {
    ...clipItem("item-sequence", options.sequenceName ?? "Harbour_v7", "", end, true),
    sequenceId: SAMPLE_SEQUENCE_ID,
  };
  const items: ItemState[] = [
    { kind: "bin", id: "item-root", name: "Harbour", parentId: null },
    {
      ...media,
      isOffline: options.isOffline ?? false,
      ...(options.transcript === undefined ? {} : { transcript: options.transcript }),
    },
    music,
    own,
  ];
  const sequence: SequenceState = {
    id: SAMPLE_SEQUENCE_ID,
    name: options.sequenceName ?? "Harbour_v7",
    ticksPerFrame,
    display,
    zeroPoint: options.zeroPointTicks ?? 0n,
    inPoint: options.inFrame === undefined ? null : BigInt(options.inFrame) * ticksPerFrame,
    outPoint: options.outFrame === undefined ? null : BigInt(options.outFrame) * ticksPerFrame,
    frameSize: { width: 1920, height: 1080 },
    videoTracks: [{ ...track(1, "Video 1", [item("ti-picture", media, 0n, end)]), transitions: [0n] }],
    audioTracks: [
      track(2, "Audio 1", [item("ti-sound", media, 0n, end)]),
      {
        ...track(3, "Audio 2", [item("ti-music", music, ticksPerFrame * 10n, end)]),
        transitions: [ticksPerFrame * 10n, end - ticksPerFrame],
      },
    ],
    markers: [
      {
        guid: "marker-of-the-editor",
        name: "Check grade",
        type: "marker-type:comment",
        comments: "too warm",
        start: ticksPerFrame * 40n,
        duration: 0n,
        colour: "BLUE",
      },
    ],
    properties: new Map(),
    playerPosition: 0n,
  };
  return {
    id: "project-sample",
    name: "Harbour.prproj",
    path: options.path ?? "/projects/Harbour.prproj",
    rootId: "item-root",
    items: new Map(items.map((one) => [one.id, one])),
    sequences: new Map([[sequence.id, sequence]]),
    activeSequenceId: sequence.id,
  };
}

/** Ticks of a whole number of seconds. */
export function wholeSeconds(seconds: number): bigint {
  return BigInt(seconds) * TICKS_PER_SECOND;
}

function clipItem(id: string, name: string, mediaPath: string, durationTicks: bigint, hasVideo: boolean): ClipState {
  const facts = { isOffline: false, durationTicks, hasVideo, hasAudio: true };
  return { kind: "clip", id, name, parentId: "item-root", mediaPath, ...facts };
}

function track(id: number, name: string, items: readonly TrackItemState[]): TrackState {
  return { id, name, isMuted: false, items };
}

function item(id: string, clip: ClipState, start: bigint, end: bigint): TrackItemState {
  const plain = { isDisabled: false, speed: 1, isReversed: false };
  return { id, name: clip.name, start, end, inPoint: start, itemId: clip.id, ...plain };
}
