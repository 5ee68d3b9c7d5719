import type { Cue, VoicedCue } from "../core/cue.ts";
import type { DialogueLine } from "../core/dialogue.ts";
import type { Finding } from "../core/finding.ts";
import type { KnownSpeech } from "../core/gap.ts";
import type { PlacedClip } from "../core/layout.ts";
import type { PauseToWrite } from "../core/pause-to-write.ts";
import type { DescriptionSettings, DescriptionType, TrackKind, VoiceSettings, Voicing } from "../core/settings.ts";
import type { Hold } from "../core/time-map.ts";
import { LONGEST_FRAME_SECONDS, type TimeRange } from "../core/time-range.ts";
import type { ParseIssue } from "../formats/parse-issue.ts";
import type { SequenceInfo } from "../host/host.ts";
import type { ScriptOutcome } from "./script-outcome.ts";
import type { SignOff } from "./sign-off.ts";

/** Raised when the meaning of a result changes. `migrate.ts` brings those of earlier versions up to it. */
export const RESULT_VERSION = 3;

/**
 * The one shape of a description: what was asked for, what the service wrote, what the editor made of it, what was voiced, and
 * what lies on the timeline. All times are seconds on the programme clock unless a field says otherwise.
 *
 * A face keeps the result it works on. A sequence keeps the result as it was last placed there: its {@link placed} is set,
 * and its {@link cues} are those of the markers. All of it is plain data without keys and links.
 */
export interface Result {
  readonly version: typeof RESULT_VERSION;
  /** Counts up with each change that is kept with a sequence: an undo in the host can bring an older one back. */
  readonly revision: number;
  readonly runId: string;
  readonly jobId: string;
  /** What was asked for, without the texts that were given along. */
  readonly settings: AskedSettings;
  /** Sound that was asked for. */
  readonly track: TrackKind | "none";
  /** Sequence that was described; absent in results of earlier versions that were read from a sequence. */
  readonly sequence?: DescribedSequence;
  /** Sequence time of the programme's time 0, and the programme's length. */
  readonly offsetSeconds: number;
  readonly durationSeconds: number;
  /** The cues as they are now: the editor's. Muted ones are among them. */
  readonly cues: readonly Cue[];
  /**
   * The cues as the service wrote them, under the ids of {@link cues}: what the editor's work is told apart from. `null` when
   * an earlier record was lost: nobody knows whose words are whose.
   */
  readonly generated: readonly Cue[] | null;
  /** Who wrote them: `script`, `vision`, `text`; absent where the service does not say. */
  readonly describer?: string;
  /** What became of the script that was given; absent where none was. */
  readonly script?: ScriptOutcome;
  /** Pauses that the service left for a person to write, those that are written by now among them; absent where it left none. */
  readonly toWrite?: readonly PauseToWrite[];
  /** Other wordings that the service wrote, by cue id; absent where it wrote none. */
  readonly wordings?: Readonly<Record<string, readonly Wording[]>>;
  /** Where somebody speaks; absent when nobody has looked. */
  readonly speech?: readonly KnownSpeech[];
  /** Where music is heard; absent when nobody has listened. */
  readonly music?: readonly TimeRange[];
  /** How loud the programme is in equal parts, in dB above -60 dBFS; absent where nobody measured. Stays with the face that knows it. */
  readonly levels?: readonly number[];
  /** What is said in the programme, in order of time; absent where nothing tells. Stays with the face that knows it. */
  readonly dialogue?: readonly DialogueLine[];
  /** What is known of the film; absent where nobody looked at it or wrote it down. Stays with the face that knows it. */
  readonly bible?: KeptBible;
  /** Where the programme is held for extended descriptions, and when each is heard then; absent where it never is held. */
  readonly held?: HeldCues;
  /** What the checks found in the cues as they are now. */
  readonly findings: readonly Finding[];
  /**
   * Findings that no check of the cues makes, such as those of a re-cut and the service's own: they stand until their cue is
   * accepted, those about the whole for good.
   */
  readonly standing?: readonly Finding[];
  /** What the reader of the reply's text met. */
  readonly issues: readonly ParseIssue[];
  /** Sentences for people about what was done otherwise than asked for. */
  readonly notices: readonly string[];
  /** What each cue's sound was made from, by cue; cues that were deleted since are in it as long as they are heard. */
  readonly voiced: Readonly<Record<string, VoicedCue>>;
  /** What the next voicing of changed cues takes over, where the service gave it. */
  readonly voicing?: Voicing;
  /** The sound of all cues; absent where there is none. */
  readonly audio?: NarrationFile;
  /** Voices that are not in {@link audio}, by cue: those of cues that came in after a re-cut. Absent where there are none. */
  readonly pieces?: Readonly<Record<string, VoicePiece>>;
  /** The cut that {@link cues} lie on while nothing of them is placed; absent where it cannot have changed meanwhile. */
  readonly cut?: Pick<Placed, "layout" | "described">;
  /** Set once the cues followed a re-cut: the media that was sent is not the film as it is. */
  readonly isRecut?: true;
  /** Cues that a person found right. */
  readonly acceptedIds: readonly string[];
  /** Cues that are kept in the list, but neither placed nor voiced; absent where none is. */
  readonly mutedIds?: readonly string[];
  /**
   * Muted cues that are heard all the same on a copy that is held for them: they are longer than their pause. Absent where there
   * is none.
   */
  readonly extendedIds?: readonly string[];
  /**
   * Cues whose times a person set: they stay where they are when their words change, all others follow their words and their pause.
   * Absent in results that nobody edited and in those of earlier versions: `timedIdsOf` of `edit.ts` tells then.
   */
  readonly timedIds?: readonly string[];
  /** Pauses that a person leaves without words: they are done, and may be written all the same. Absent where there are none. */
  readonly silentIds?: readonly string[];
  /** Who found all of them right; counts only while they are those that were signed, see `signOffState`. */
  readonly signOff?: SignOff;
  /** What lies on a sequence of it; absent where nothing was placed yet. */
  readonly placed?: Placed;
}

/** The pauses that are to get words: those that a person leaves silent are none. Absent where nobody looked for any. */
export function wantedPauses({
  toWrite,
  silentIds = [],
}: Pick<Result, "toWrite" | "silentIds">): readonly PauseToWrite[] | undefined {
  return silentIds.length === 0 ? toWrite : toWrite?.filter(({ id }) => !silentIds.includes(id));
}

/** A result that is kept with a sequence. */
export type PlacedResult = Result & { readonly placed: Placed };

/** What lies on a sequence of a result. */
export interface Placed {
  readonly sequenceId: string;
  /** Host identity of each cue's marker; what the host has not told yet is not in it. */
  readonly markerIds: Readonly<Record<string, string>>;
  /** Clips of ours on the narration track. */
  readonly clipNames: readonly string[];
  /** The cut that the cues were placed on. */
  readonly layout: readonly PlacedClip[];
  /**
   * The cut whose picture was described, where the cues have followed a newer one since: what is in {@link layout} and not in
   * this one was never described. Absent where nothing is left undescribed.
   */
  readonly described?: readonly PlacedClip[];
}

/** What is kept of the settings of a run. */
export type AskedSettings = Omit<DescriptionSettings & VoiceSettings, "captions" | "script" | "voicing">;

/** What is kept of the sequence that was described. */
export type DescribedSequence = Pick<SequenceInfo, "name" | "rate" | "isDropFrame" | "startFrame">;

/** Another way to say a cue, with the seconds that it takes at the voice's normal rate. */
export interface Wording {
  readonly text: string;
  readonly seconds: number;
}

/** The file that holds the voices of all cues. */
export interface NarrationFile {
  /** As the host's file port names it. */
  readonly path: string;
  readonly durationSeconds: number;
  /** Programme time of the file's time 0, in seconds; 0 where it is not said. A re-cut may move the programme's own 0. */
  readonly start?: number;
}

/** What is known of a film, as a result keeps it. */
interface KeptBible {
  /** As `formats/bible-text.ts` reads it: of the service, with a person's corrections in it letter by letter. */
  readonly text: string;
  /** When a person corrected it last, as ISO 8601; absent where nobody has. */
  readonly correctedAt?: string;
}

/** A programme that is held for its descriptions: the clock of the longer video, made or yet to be made. */
export interface HeldCues {
  /** On the programme clock; `null` once the cues followed a re-cut: nobody knows of holds in the new cut. */
  readonly holds: readonly Hold[] | null;
  /** When each cue is heard in the video, by cue id: seconds on the video clock. */
  readonly heard: Readonly<Record<string, HeardCue>>;
}

/** When a cue is heard in a video. */
export interface HeardCue extends TimeRange {
  /** Fingerprint of the words that take this long, and the seconds that were to be expected of them. */
  readonly words: string;
  readonly estimate: number;
}

/** The voice of one cue in a file of its own, beside the narration with the others. */
export interface VoicePiece {
  /** As the host's file port names it. */
  readonly path: string;
  /** Where it began when it was voiced, on the programme clock, and its length: both in seconds. */
  readonly start: number;
  readonly durationSeconds: number;
}

/** The settings of a run without the texts that were given along. */
export function askedSettings(settings: DescriptionSettings & VoiceSettings): AskedSettings {
  const { captions: _, script: __, voicing: ___, describing = {}, ...asked } = settings;
  // The cut is on the timeline.
  const { cuts: ____, ...told } = describing;
  return Object.keys(told).length === 0 ? asked : { ...asked, describing: told };
}

/** What is kept of a sequence. */
export function describedSequence({ name, rate, isDropFrame, startFrame }: DescribedSequence): DescribedSequence {
  return { name, rate, isDropFrame, startFrame };
}

/** The cues that are placed and voiced: all but the muted ones. */
export function soundingCues({ cues, mutedIds = [] }: Pick<Result, "cues" | "mutedIds">): readonly Cue[] {
  return mutedIds.length === 0 ? cues : cues.filter(({ id }) => !mutedIds.includes(id));
}

/** The cues of a standard description that are heard on a held copy alone. Whatever else is muted is heard nowhere. */
export function extendedCues({
  cues,
  mutedIds = [],
  extendedIds = [],
}: Pick<Result, "cues" | "mutedIds" | "extendedIds">): readonly Cue[] {
  return extendedIds.length === 0 ? [] : cues.filter(({ id }) => extendedIds.includes(id) && mutedIds.includes(id));
}

/** The files that its voices are heard in, the narration of all cues first; none where nothing was voiced. */
export function voiceFiles({ audio, pieces = {} }: Pick<Result, "audio" | "pieces">): readonly string[] {
  return [...(audio === undefined ? [] : [audio.path]), ...Object.values(pieces).map(({ path }) => path)];
}

/** How the cues lie: sound is made of standard descriptions alone. */
export function describedType({ track, settings }: Pick<Result, "track" | "settings">): DescriptionType {
  return track === "none" ? settings.type : "standard";
}

/** The described range of a sequence: where the programme begins there, and its length, in seconds. */
export type ProgrammeRange = Pick<Result, "offsetSeconds" | "durationSeconds">;

/** The range that a result describes. */
export function rangeOf({ offsetSeconds, durationSeconds }: ProgrammeRange): ProgrammeRange {
  return { offsetSeconds, durationSeconds };
}

/** Whether two results are about the same range of a sequence. */
export function isSameRange(a: ProgrammeRange, b: ProgrammeRange): boolean {
  const isNear = (one: number, other: number) => Math.abs(one - other) < LONGEST_FRAME_SECONDS;
  return isNear(a.offsetSeconds, b.offsetSeconds) && isNear(a.durationSeconds, b.durationSeconds);
}
