import type { JobCost } from "../../src/contract/job.ts";
import type { NewStretch } from "../../src/core/new-stretches.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import type { StepName } from "../../src/workflow/describe/run.ts";
import type { Form, SavedForm } from "./form.ts";
import type { Service } from "./service-address.ts";

// Everything here is written to disk as it stands: names may be added, never changed.

/** What the editor chose, beside the key. */
export interface Preferences {
  readonly service: Service;
  readonly form: Form;
  readonly savedForms: readonly SavedForm[];
  /** Preset files the editor picked, as native paths. */
  readonly presetPaths: readonly string[];
  /** Who signed off last. */
  readonly reviewer?: string;
  /** What one press places; absent in files of earlier versions, which means yes. */
  readonly placesMarkers?: boolean;
  readonly placesNarration?: boolean;
  readonly placesClips?: boolean;
  /** Absent likewise, which means no. */
  readonly coloursMarkers?: boolean;
  readonly voicesFirst?: boolean;
  readonly ducksProgramme?: boolean;
  readonly placesOnCopy?: boolean;
  /** The layout of a script that each service took last, by its host name in lower case; absent likewise. */
  readonly scriptLayouts?: Readonly<Record<string, string>>;
}

/** How a job stands. `stopped`: by the editor, or because the panel closed. */
export type JobState = "waiting" | "running" | "stopped" | "failed" | "done";

/** An error as it is shown and kept. */
export interface Fault {
  readonly code: string;
  readonly sentence: string;
  readonly next: string;
  /** What was asked of the host, and how it answered; absent where it did as it should. */
  readonly tried?: readonly string[];
}

/** A job of the history. Holds no key and no link. */
export interface JobEntry {
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly sequence: SequenceInfo;
  readonly serviceAddress: string;
  /** The project that the sequence is in; absent in jobs of earlier versions. */
  readonly projectId?: string;
  readonly form: Form;
  /** Where the narration goes, as a native path. */
  readonly audioPath: string;
  readonly state: JobState;
  /** The last step that was begun. */
  readonly step?: StepName;
  /** Set while it is stopped at the service, too: where it stood there, 0 to 1, and what it cost where the service says so. Absent for one that may go on there. */
  readonly cancelled?: { readonly stage?: string; readonly fraction?: number; readonly cost?: JobCost };
  readonly fault?: Fault;
  /** Set when the service named the job. */
  readonly jobId?: string;
  /** Who wrote the descriptions, as the service names it; absent where it does not, and in jobs of earlier versions. */
  readonly describer?: string;
  readonly cueCount?: number;
  readonly findingCount?: number;
  readonly placedMarkers?: boolean;
  readonly placedNarration?: boolean;
  /** The copy of the sequence that it was placed on; absent where none was made. */
  readonly copyId?: string | undefined;
  /** Where the reply's text lies as it came, as a native path. */
  readonly rawPath?: string;
  /** The run whose cues it voices anew; absent for a job that describes. */
  readonly voices?: string;
  /** Whether its narration is placed as soon as it is there, though none was yet. */
  readonly places?: true;
  /** Runs that made videos of its result; absent where there is none. */
  readonly videos?: readonly string[];
  /** What is new in the cut and joins the result of another run; absent for a job that describes a whole. */
  readonly adds?: NewPicture;
}

/** Stretches of a new cut that are described for a result that is there. */
export interface NewPicture {
  /** The run of that result. */
  readonly to: string;
  /** On the sequence clock of the cut that they were found in. */
  readonly stretches: readonly NewStretch[];
}
