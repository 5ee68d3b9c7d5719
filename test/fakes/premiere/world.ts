import type { HostConstants } from "./constants.ts";
import type { EventHub } from "./events.ts";
import type { Machine } from "./machine.ts";
import type { SourceMonitorState } from "./source-monitor-state.ts";
import type { SequenceState } from "./state.ts";

/** What media looks like to Premiere when it is imported. */
export interface MediaFacts {
  readonly durationSeconds: number;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
}

/** A render that Premiere was asked for. Times are ticks on the sequence clock. */
export interface RenderOrder {
  readonly sequence: SequenceState;
  readonly start: bigint;
  readonly end: bigint;
  readonly outputPath: string;
  readonly presetPath: string;
}

/** The double's reach to the world outside Premiere: a disk, and something that renders. */
export interface World {
  /** Whether a file exists. */
  exists(path: string): Promise<boolean>;
  /** What a file is as media; `null` when it cannot be imported. */
  probe(path: string): Promise<MediaFacts | null>;
  /** Renders to the output path, which appears early and grows; resolves after the last byte. */
  render(order: RenderOrder): Promise<void>;
  /** Writes a text as a file. */
  save(path: string, text: string): Promise<void>;
  /** Makes an empty file: what some failing exports leave. */
  touch(path: string): Promise<void>;
}

/** What every object of the double can reach. */
export interface Stage {
  readonly machine: Machine;
  readonly constants: HostConstants;
  readonly events: EventHub;
  readonly world: World;
  readonly sourceMonitor: SourceMonitorState;
}
