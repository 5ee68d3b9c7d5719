import type { Cue } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { KnownSpeech } from "../../src/core/heard.ts";
import type { NewStretch } from "../../src/core/new-stretches.ts";
import type { PauseToWrite } from "../../src/core/pause-to-write.ts";
import type { DescriptionType, Voicing } from "../../src/core/settings.ts";
import type { TimeRange } from "../../src/core/time-range.ts";
import type { VoicedCue } from "../../src/core/voiced-cue.ts";
import type { ParseIssue } from "../../src/formats/parse-issue.ts";
import type { ExportedMedia, SequenceInfo } from "../../src/host/host.ts";
import type { Wording } from "../../src/workflow/describe/cue-wordings.ts";
import type { ReadReply } from "../../src/workflow/describe/read-reply.ts";
import type { StepName } from "../../src/workflow/describe/run.ts";
import type { SignOff } from "../../src/workflow/place/sign-off.ts";
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
  /** Absent in files of earlier versions, which means no. */
  readonly coloursMarkers?: boolean;
  readonly placesClips?: boolean;
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
  readonly fault?: Fault;
  /** Set when the service named the job. */
  readonly jobId?: string;
  readonly cueCount?: number;
  readonly findingCount?: number;
  readonly placedMarkers?: boolean;
  readonly placedNarration?: boolean;
  /** Where the reply's text lies as it came, as a native path. */
  readonly rawPath?: string;
  /** The run whose cues it voices anew; absent for a job that describes. */
  readonly voices?: string;
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

/** The voice of one cue in a file of its own, beside the narration with the others. */
export interface VoicePiece {
  /** Native path. */
  readonly path: string;
  /** Where it began when it was voiced, on the programme clock, and its length: both in seconds. */
  readonly start: number;
  readonly durationSeconds: number;
}

/** A finished job's result with what the editor made of it. Cue times are on the programme clock. */
export interface Review {
  readonly runId: string;
  readonly exported: ExportedMedia;
  readonly cues: readonly Cue[];
  /** The cues as the service wrote them: what "as it came" goes back to. */
  readonly original: readonly Cue[];
  /** Pauses that the service left to be written, those that are written by now among them; absent where it left none. */
  readonly toWrite?: readonly PauseToWrite[];
  readonly findings: readonly Finding[];
  /** Findings that no check of the cues makes, such as those of a re-cut: they stand until their cue is accepted. */
  readonly standing?: readonly Finding[];
  readonly issues: readonly ParseIssue[];
  readonly notices: readonly string[];
  readonly rawFormat: ReadReply["format"];
  /** Where somebody speaks; `null` when nobody has looked. */
  readonly speech: readonly KnownSpeech[] | null;
  /** Where music is heard; absent when nobody has listened. */
  readonly music?: readonly TimeRange[];
  /** Other wordings that the service wrote, by cue id; absent where it wrote none. */
  readonly wordings?: Readonly<Record<string, readonly Wording[]>>;
  readonly audio?: { readonly path: string; readonly durationSeconds: number };
  /** What the narration of each cue was made from, once cues were voiced anew; before that, {@link original}. */
  readonly voiced?: Readonly<Record<string, VoicedCue>>;
  /** Voices that are not in {@link audio}, by cue: those of cues that came in after a re-cut. Absent where there are none. */
  readonly pieces?: Readonly<Record<string, VoicePiece>>;
  /** Set once the cues followed a re-cut: the media that was sent is not the film as it is. */
  readonly isRecut?: true;
  /** What a later voicing of changed cues takes over. */
  readonly voicing?: Voicing;
  readonly type: DescriptionType;
  readonly acceptedIds: readonly string[];
  /** Cues that are kept in the list, but neither placed nor voiced; absent where none is. */
  readonly mutedIds?: readonly string[];
  readonly signOff?: SignOff;
}
