import type { premierepro } from "@adobe/premierepro";
import type { MarkerColour } from "../edit-plan.ts";

/** Which sequence of which open project is meant. Identities outlive handles, which Premiere lets go stale. */
export interface SequenceReference {
  readonly projectId: string;
  readonly sequenceId: string;
}

/** A sequence read out of Premiere as plain values. Times are ticks on the sequence clock, from 0. */
export interface SequenceSnapshot {
  readonly reference: SequenceReference;
  readonly name: string;
  readonly ticksPerFrame: bigint;
  readonly isDropFrame: boolean;
  /** `false` when Premiere named a time display that no source knows; non-drop is assumed then. */
  readonly isCountingKnown: boolean;
  readonly zeroPoint: bigint;
  /** `null` where not set. */
  readonly inPoint: bigint | null;
  readonly outPoint: bigint | null;
  /** Where the last clip ends. */
  readonly end: bigint;
  readonly frameSize: { readonly width: number; readonly height: number };
  readonly videoTracks: readonly TrackSnapshot[];
  readonly audioTracks: readonly TrackSnapshot[];
  readonly markers: readonly MarkerSnapshot[];
}

/** A track. */
export interface TrackSnapshot {
  readonly name: string;
  readonly isMuted: boolean;
  readonly clips: readonly ClipSnapshot[];
}

/** A clip on a track. */
export interface ClipSnapshot {
  readonly name: string;
  readonly start: bigint;
  readonly end: bigint;
  /** Source time shown at `start`. */
  readonly inPoint: bigint;
  readonly isDisabled: boolean;
  readonly speed: number;
  readonly isReversed: boolean;
  /** Identity of the project item; `null` where Premiere names none. */
  readonly itemId: string | null;
  /** Path of the media; `null` for a nested sequence, a generator, and where Premiere tells none. */
  readonly mediaPath: string | null;
  /** Whether Premiere did not answer in time when it was asked for the media; absent where it did. */
  readonly isUntold?: true;
  /** Whether it is a nested sequence. */
  readonly isSequence: boolean;
  /** `null` where Premiere does not say. */
  readonly isOffline: boolean | null;
  /** What Premiere refused to tell of it, which has a value of no meaning here. */
  readonly refused: readonly string[];
}

/** A marker. */
export interface MarkerSnapshot {
  /** Premiere's identity; before 26.3, where markers have none, a position: start and number among those that share it. */
  readonly id: string;
  readonly hasGuid: boolean;
  readonly name: string;
  readonly comments: string;
  readonly start: bigint;
  readonly duration: bigint;
  /** Absent for a colour that no constant names. */
  readonly colour?: MarkerColour;
}

/** Names of the colours in Premiere's constants, which spell magenta in a way of their own. */
const CONSTANT_NAMES = {
  green: "GREEN",
  red: "RED",
  magenta: "MAGNETA",
  orange: "ORANGE",
  yellow: "YELLOW",
  blue: "BLUE",
  cyan: "CYAN",
} as const satisfies Record<MarkerColour, string>;

/** The colour a marker has when Premiere adds it; every other one needs a second transaction. */
export const NEW_MARKER_COLOUR: MarkerColour = "green";

/** The running host's number of a colour. */
export function colourIndex(constants: premierepro["Constants"], colour: MarkerColour): number {
  return constants.MarkerColor[CONSTANT_NAMES[colour]];
}

/** The colour of a number the running host gave; absent for one that no constant names. */
export function colourFromIndex(constants: premierepro["Constants"], index: number): MarkerColour | undefined {
  // The keys are those of the table above.
  const colours = Object.keys(CONSTANT_NAMES) as MarkerColour[];
  return colours.find((colour) => colourIndex(constants, colour) === index);
}
