import type { Pairing } from "../../src/contract/pairing.ts";
import type { WordingKind } from "../../src/contract/wordings.ts";
import type { Contact } from "../../src/host/contact.ts";
import type { PresetChoice } from "../../src/host/editor.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import type { ConformState } from "./conform-state.ts";
import type { DeliverState } from "./delivery-state.ts";
import { FIRST_FORM, type Form, ofAnyFilm, type SavedForm } from "./form.ts";
import type { EditorText, TextKind, TextQuestion } from "./given-text.ts";
import type { JobProgress } from "./job-progress.ts";
import type { ShownModels } from "./models-here.ts";
import type { ReviewState } from "./review-state.ts";
import type { Fault, JobEntry, Preferences } from "./saved.ts";
import type { Service } from "./service-address.ts";
import type { ModelEstimate, ShownSettings } from "./service-settings.ts";
import type { GapLook } from "./strip.ts";

/** Who would be asked for wordings, and for what price. */
export interface WordingPrice {
  readonly model: string;
  /** Whether it runs on the service's computer, and is free. */
  readonly isLocal: boolean;
  /** Of one request, in the currency of the stated price; `null` where nobody knows. */
  readonly cost: number | null;
}

/** Wordings that the model was asked for, of one row of a result. */
export interface RowWordings {
  readonly runId: string;
  /** The cue, or the pause. */
  readonly id: string;
  readonly kind: WordingKind;
  /** `null` while it is being asked. */
  readonly wordings: readonly string[] | null;
  /** Who wrote them. */
  readonly model: string;
  /** Why there are none, as a sentence; `null` otherwise. */
  readonly fault: string | null;
}

/** Name of a view; what its root element carries as `data-view`. */
export type ViewName =
  | "describe"
  | "progress"
  | "review"
  | "history"
  | "connect"
  | "models"
  | "diagnostics"
  | "conform"
  | "deliver"
  | "keys"
  | "bible"
  | "contact";

/** A way out of a fault, offered as a button. */
export type FaultRemedy =
  | "allow-over-speech"
  | "use-extended"
  | "choose-voice"
  | "send-again"
  | "resume"
  | "connect"
  | "retry-sequence"
  | "follow-cut"
  | "copy-report";

/** What the editor is told at the foot of the panel until it is dismissed. */
export interface Message {
  readonly isFault: boolean;
  readonly text: string;
  readonly next?: string;
  readonly code?: string;
  /** Further sentences. */
  readonly details?: readonly string[];
  readonly remedies?: readonly FaultRemedy[];
  /** What a button copies. */
  readonly copy?: string;
  /** The job it is about. */
  readonly runId?: string;
}

/** How the service answered the test of address and key. */
type ConnectionTest =
  | { readonly state: "untested" | "testing" | "works" }
  | { readonly state: "fails"; readonly fault: Fault };

/** What a probe found. */
interface ProbeResult {
  readonly name: string;
  readonly finding: string;
}

/** How far trying everything is. */
interface TrialProgress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** Words being typed into the field of a cue of a result. */
export interface TypedWords {
  readonly runId: string;
  readonly id: string;
  readonly text: string;
}

/** What is being typed into a field of the film's bible; the result has it already, as far as it says something. */
export interface TypedFact {
  readonly runId: string;
  /** Name of the field. */
  readonly field: string;
  readonly text: string;
  /** The bible before anybody typed into this field. */
  readonly before: string;
}

/** What one press places, and how; remembered. */
export interface PlacingChoices {
  readonly placesMarkers: boolean;
  readonly placesNarration: boolean;
  /** Whether narration is placed as a clip for each cue, in place of one for all. */
  readonly placesClips: boolean;
  /** Whether placing narration lowers the programme under it. */
  readonly ducksProgramme: boolean;
  /** Whether all of it goes onto a copy of the sequence. */
  readonly placesOnCopy: boolean;
  /** Whether lines that changed are voiced before the narration is placed; else they are left out of it. */
  readonly voicesFirst: boolean;
  /** Whether markers are coloured by their findings, which is a further step to undo. */
  readonly coloursMarkers: boolean;
}

/** What is placed before anybody has chosen. */
const FIRST_PLACING: PlacingChoices = {
  placesMarkers: true,
  placesNarration: true,
  placesClips: true,
  ducksProgramme: false,
  placesOnCopy: false,
  voicesFirst: false,
  coloursMarkers: false,
};

/** What was chosen of placing before; the rest as it is first. */
export function placingOf(kept: Partial<PlacingChoices>): PlacingChoices {
  const names = Object.keys(FIRST_PLACING) as (keyof PlacingChoices)[];
  const entries = names.map((name) => [name, kept[name] ?? FIRST_PLACING[name]]);
  // The names are those of the type.
  return Object.fromEntries(entries) as unknown as PlacingChoices;
}

/** Everything the views show. */
export interface PanelState extends PlacingChoices {
  readonly view: ViewName;
  /** `false` until preferences and history are read. */
  readonly isLoaded: boolean;
  readonly theme: string;
  readonly now: number;
  readonly sequence: SequenceInfo | null;
  readonly sequenceFault: Fault | null;
  readonly service: Service;
  /** What stands in the address field. */
  readonly addressDraft: string;
  /** What stands in the key field; empty while a kept key is in use. */
  readonly keyDraft: string;
  /** A code that is being typed, in place of a key. */
  readonly codeDraft: string;
  /** The kept key as it is shown; `null` when there is none. */
  readonly shownKey: string | null;
  readonly connection: ConnectionTest;
  /** The service that runs for this user on this computer, which the panel finds by itself; `null` where none runs. */
  readonly companion: Pick<Pairing, "address" | "version"> | null;
  /** Whether the service at an address answered when it was asked last; `null` until it was. */
  readonly answered: { readonly address: string; readonly isThere: boolean } | null;
  /** Who describes, hears and speaks in the service in use; `null` where nobody says. */
  readonly serviceSettings: ShownSettings | null;
  /** What the service says of settings that it cannot read; `null` where it can. */
  readonly damagedSettings: { readonly address: string; readonly sentence: string } | null;
  /** What the model of a service would take for so many seconds; `null` until it was asked for. */
  readonly modelEstimate: ModelEstimate | null;
  /** Address of the service that was asked what its model would take, and did not say; `null` where none was. */
  readonly notEstimated: string | null;
  /** The models of the computer on which the service runs; `null` until it was asked, and where it does not say. */
  readonly modelsHere: ShownModels | null;
  readonly form: Form;
  /** The texts of the form as they were picked, as far as they were in this session. */
  readonly texts: Readonly<Partial<Record<TextKind, EditorText>>>;
  /** What is asked about a text; `null` while nothing is. */
  readonly textQuestion: TextQuestion | null;
  readonly savedForms: readonly SavedForm[];
  /** What stands in the field for a name of settings. */
  readonly formNameDraft: string;
  /** Sections of the form that are open. */
  readonly openSections: readonly string[];
  readonly presets: readonly PresetChoice[];
  /** Whether another program could export while the host goes on. */
  readonly hasEncoder: boolean;
  readonly presetPaths: readonly string[];
  /** Identity of the open project; `null` while none is known. */
  readonly projectId: string | null;
  /** Whether the history lists jobs of other projects too. */
  readonly showsAllProjects: boolean;
  /** The job whose deletion is being asked about; `null` while none is. */
  readonly deletingRunId: string | null;
  /** Newest first. */
  readonly jobs: readonly JobEntry[];
  readonly progress: JobProgress | null;
  readonly review: ReviewState | null;
  /** Words in the field of an open cue that are not in its result yet; `null` while there are none. */
  readonly typed: TypedWords | null;
  /** `null` while nobody types there. */
  readonly typedFact: TypedFact | null;
  /** Where the playhead of the sequence under review stands, on the programme clock; `null` while nobody knows. */
  readonly playhead: number | null;
  /** Whether the menu of the view is open. */
  readonly isMenuOpen: boolean;
  /** The cue that is heard now. */
  readonly listening: string | null;
  /** Who would be asked for wordings of a result, and what it costs; `offer` is `null` where nobody can be, or is not known yet. */
  readonly wordingOffer: { readonly runId: string; readonly offer: WordingPrice | null } | null;
  /** Wordings that the model was asked for; `null` while none are. */
  readonly wordings: RowWordings | null;
  /** Whether the programme's sound is there to be put under narration that came alone. */
  readonly programmeSound: "none" | "exporting" | "ready";
  /** Who signs off: what stands in the field. */
  readonly reviewer: string;
  /** What a re-cut did to the cues placed on the active sequence; `null` while the cut is the one that was described. */
  readonly conform: ConformState | null;
  /** The cut whose notice the editor put away, as {@link cutKey} names it; `null` for none. */
  readonly setAsideCut: string | null;
  /** What is being done to the timeline; `null` while nothing is. */
  readonly placing: { readonly what: string; readonly fraction: number } | null;
  /** Whether the last placing can be taken back. */
  readonly canTakeBack: boolean;
  /** Whether muting the other tracks is offered, after a mix was placed; or taking that back. */
  readonly muting: "offered" | "done" | null;
  /** The sequence on which clips are ducked by us, as of the last look; `null` where none was seen. */
  readonly duckedSequenceId: string | null;
  /** The layout of a script that each service took last, by its host name in lower case. */
  readonly scriptLayouts: Readonly<Record<string, string>>;
  /** What the pauses of a sequence offer; `null` until somebody looked. */
  readonly gaps: GapLook | null;
  /** How far the look for them is; `null` while nobody looks. */
  readonly looking: { readonly stage: "read" | "export" | "send" | "listen"; readonly fraction?: number } | null;
  /** What is to be delivered of the result under review; `null` until somebody asked. */
  readonly delivery: DeliverState | null;
  readonly message: Message | null;
  /** What was tried of this version of the host in this session; `null` until then. */
  readonly contact: Contact | null;
  readonly probes: readonly ProbeResult[];
  /** How far trying everything is; `null` while nobody does. */
  readonly trial: TrialProgress | null;
  /** What came of it: its text, and the folder that it was saved in; `null` until then. */
  readonly trialReport: { readonly text: string; readonly folder: string } | null;
}

/** The state before anything is read. */
export function firstState(localAddress: string, now: number): PanelState {
  return {
    ...FIRST_PLACING,
    view: "describe",
    isLoaded: false,
    theme: "dark",
    now,
    sequence: null,
    sequenceFault: null,
    service: { address: localAddress },
    addressDraft: localAddress,
    keyDraft: "",
    codeDraft: "",
    shownKey: null,
    connection: { state: "untested" },
    companion: null,
    answered: null,
    serviceSettings: null,
    damagedSettings: null,
    modelEstimate: null,
    notEstimated: null,
    modelsHere: null,
    form: FIRST_FORM,
    texts: {},
    textQuestion: null,
    savedForms: [],
    formNameDraft: "",
    openSections: [],
    presets: [],
    hasEncoder: false,
    presetPaths: [],
    projectId: null,
    showsAllProjects: false,
    deletingRunId: null,
    jobs: [],
    progress: null,
    review: null,
    typed: null,
    typedFact: null,
    playhead: null,
    isMenuOpen: false,
    listening: null,
    wordingOffer: null,
    wordings: null,
    programmeSound: "none",
    reviewer: "",
    conform: null,
    setAsideCut: null,
    placing: null,
    canTakeBack: false,
    muting: null,
    duckedSequenceId: null,
    scriptLayouts: {},
    gaps: null,
    looking: null,
    delivery: null,
    message: null,
    contact: null,
    probes: [],
    trial: null,
    trialReport: null,
  };
}

/** The part of the state that is kept for the next time. */
export function preferencesOf(state: PanelState): Preferences {
  const { service, form, savedForms, presetPaths, reviewer, scriptLayouts } = state;
  return {
    service,
    form: ofAnyFilm(form),
    savedForms,
    presetPaths,
    reviewer,
    ...placingOf(state),
    scriptLayouts,
  };
}

/** The state with a job of the history changed; unchanged when it is not there. */
export function withJob(state: PanelState, runId: string, change: Partial<JobEntry>): PanelState {
  return { ...state, jobs: state.jobs.map((job) => (job.runId === runId ? { ...job, ...change } : job)) };
}

/** The jobs of the open project: those that are known to be of another one are left out. */
export function jobsOfProject({ jobs, projectId }: PanelState): readonly JobEntry[] {
  return jobs.filter((job) => projectId === null || (job.projectId ?? projectId) === projectId);
}

/** A job by its run; absent when there is none. */
export function jobOf(state: PanelState, runId: string | undefined): JobEntry | undefined {
  return state.jobs.find((job) => job.runId === runId);
}
