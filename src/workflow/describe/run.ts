import type { Client } from "../../client/client.ts";
import { type Credits, creditsFor } from "../../contract/choices.ts";
import type { JobCost } from "../../contract/job.ts";
import { defined } from "../../core/objects.ts";
import type { Clock, FileTransfer } from "../../core/ports.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../../core/settings.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { Files } from "../../host/files.ts";
import type { ExportRequest, Host } from "../../host/host.ts";
import type { GivenScript, ScriptMemory } from "./given-script.ts";
import { RECORD_VERSION, type RecoveryStore, type RunFact, type RunRecord, withoutFacts } from "./recovery.ts";

/** Everything a run touches. */
export interface DescribePorts {
  readonly host: Host;
  readonly client: Client;
  readonly transfer: FileTransfer;
  readonly files: Files;
  readonly clock: Clock;
  readonly recovery: RecoveryStore;
  /** Which layout of a script this service takes; without it, every script is tried from the first on. */
  readonly scriptMemory?: ScriptMemory;
  /** 0 to 1, for delays; default `Math.random`. */
  readonly random?: () => number;
}

/** The video that a run is to bring. */
interface VideoOrder {
  /** Where it goes, as the host's file port reads it. */
  readonly path: string;
  /** `Auto`, or a height such as `720p`. */
  readonly resolution: string;
}

/** What is wanted of a run. */
export interface DescribeOrder {
  /** The same for the same media, settings and service: a record under it is gone on with. */
  readonly runId: string;
  readonly settings: DescriptionSettings & VoiceSettings;
  /** The script in several layouts, in the order to try; `settings` have none then. */
  readonly scripts?: readonly GivenScript[];
  /** Sound to be made; `none` asks for text alone. */
  readonly track: TrackKind | "none";
  /** A video to be made: then `track` is `none`, for its sound is in the video. */
  readonly video?: VideoOrder;
  readonly export: ExportRequest;
  /** Where fetched sound goes, as the host's file port reads it. */
  readonly audioPath: string;
  /** Where the worksheet goes, likewise, should the service leave something to write; absent where nobody wants it. */
  readonly worksheetPath?: string;
  /** What was heard in the programme before, on its own clock: counts where neither the service nor captions tell. */
  readonly heard?: { readonly speech: readonly TimeRange[]; readonly music: readonly TimeRange[] };
  /** What was read of the files of its texts, in sentences; stays with the result. */
  readonly told?: readonly string[];
  /**
   * Whether a request may be sent again when nobody knows what became of it: without asking where the service bills
   * nothing, else only when a person says so.
   */
  readonly sendsAgain: boolean;
}

/** Steps of a run, in order. */
export const STEPS = ["read", "export", "upload", "verify", "generate", "wait", "fetch", "check"] as const;

/** Name of a step. */
export type StepName = (typeof STEPS)[number];

/** How far a step is. */
export interface StepProgress {
  readonly step: StepName;
  readonly state: "begun" | "under-way" | "done";
  /** Share of the step that is done, 0 to 1, where anybody knows. */
  readonly fraction?: number;
  /** What is being done inside the step: `speak`, `12 of 190 MB`. */
  readonly detail?: string;
  /** Which of several stretches it is done for; absent where all is described in one. */
  readonly part?: RunPart;
  /** What the service's job has asked for so far, where it says so. */
  readonly cost?: JobCost;
}

/** One of several runs that belong together, counted from 1. */
export interface RunPart {
  readonly number: number;
  readonly count: number;
}

/** How a run is followed and ended. */
export interface DescribeControls {
  /** Ends the run within a second, at every step; the record stays, and the same order goes on from it. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: StepProgress) => void;
}

/** Reports how far a step is. */
export type Report = (fraction?: number, detail?: string, cost?: JobCost) => void;

/** One run: its order, its ports, and the record of what is done, which every change saves. */
export class Run {
  readonly ports: DescribePorts;
  /** With its texts as they were understood, once the sequence is read. */
  order: DescribeOrder;
  readonly controls: DescribeControls;
  /** Sentences for people about what was done otherwise than asked for. */
  readonly notices: string[] = [];
  /** Seconds spent in each step. */
  readonly stepSeconds: Partial<Record<StepName, number>> = {};
  #record: RunRecord;

  private constructor(ports: DescribePorts, order: DescribeOrder, controls: DescribeControls, record: RunRecord) {
    this.ports = ports;
    this.order = order;
    this.controls = controls;
    this.#record = record;
  }

  /** Starts a run, or goes on with the one on record. */
  static async begin(ports: DescribePorts, order: DescribeOrder, controls: DescribeControls): Promise<Run> {
    const { runId } = order;
    const startedAt = new Date(ports.clock.now()).toISOString();
    const record = (await ports.recovery.load(runId)) ?? { version: RECORD_VERSION, runId, startedAt, name: "" };
    return new Run(ports, order, controls, record);
  }

  /** What is done so far. */
  get record(): RunRecord {
    return this.#record;
  }

  /** Saves what a step found out. */
  async keep(change: Partial<RunRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.ports.recovery.save(this.#record);
  }

  /** Takes back what earlier steps found out, because it does not hold any more. */
  async forget(...names: readonly RunFact[]): Promise<void> {
    this.#record = withoutFacts(this.#record, ...names);
    await this.ports.recovery.save(this.#record);
  }

  /** Does a step: reports its beginning and end, and counts its time. */
  async step<T>(name: StepName, work: (report: Report) => Promise<T>): Promise<T> {
    const { signal, onProgress } = this.controls;
    signal.throwIfAborted();
    const begun = this.ports.clock.now();
    onProgress?.({ step: name, state: "begun" });
    const result = await work((fraction, detail, cost) => {
      onProgress?.({
        step: name,
        state: "under-way",
        ...defined({ fraction, detail, cost }),
      });
    });
    this.stepSeconds[name] = (this.stepSeconds[name] ?? 0) + (this.ports.clock.now() - begun) / 1000;
    onProgress?.({ step: name, state: "done", fraction: 1 });
    return result;
  }
}

/** What a run will probably take. */
export interface Estimate {
  readonly minutes: number;
  /** Credits of the hosted service at its list price; 0 for a service on this computer. */
  readonly credits: number;
  readonly uploadBytes: number;
  /** Time from the submitted request to the result, in seconds; `null` on this computer, where it depends on what writes and speaks. */
  readonly waitSeconds: number | null;
}

/** The hosted service needs about half the video's length (`service-facts.md` 1). */
const HOSTED_SHARE = 0.5;

/** Estimates a run before anything is exported or sent. */
export function estimateRun(run: {
  readonly durationSeconds: number;
  readonly kind: keyof Credits;
  readonly sizeBytes: number;
  /** Whether the service runs on this computer: nothing is billed and nothing leaves. */
  readonly isLocal: boolean;
}): Estimate {
  const minutes = run.durationSeconds / 60;
  return {
    minutes,
    credits: run.isLocal ? 0 : creditsFor(minutes)[run.kind],
    uploadBytes: run.sizeBytes,
    waitSeconds: run.isLocal ? null : run.durationSeconds * HOSTED_SHARE,
  };
}
