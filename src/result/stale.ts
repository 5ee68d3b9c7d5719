import { fingerprintOf } from "../core/bytes.ts";
import { type Cue, compareCues, type VoicedCue } from "../core/cue.ts";
import { spokenText } from "../core/direction.ts";
import { defined } from "../core/objects.ts";
import type { DescriptionSettings, VoiceSettings } from "../core/settings.ts";
import { foldedWords } from "../core/text.ts";
import { isSameTime } from "../core/time-range.ts";
import { type Result, soundingCues } from "./result.ts";

/** What voices are asked for, and the recordings that take their place. */
export interface VoicingSettings extends Pick<DescriptionSettings, "language">, VoiceSettings {
  /** Fingerprint of each recording, by cue id; absent where nobody has looked for recordings. */
  readonly recordings?: Readonly<Record<string, string>>;
}

/** Why the sound of a cue is not what it should be. */
export type StaleReason =
  | "never-voiced"
  | "not-known"
  | "words"
  | "moved"
  | "length"
  | "voice"
  | "language"
  | "level"
  | "recording"
  | "deleted";

/** A cue whose sound is out of date. */
export interface StaleCue {
  readonly cueId: string;
  /** Seconds on the programme clock at which it begins, or began. */
  readonly start: number;
  /** At least one, in the order of {@link STALE_REASONS}. */
  readonly reasons: readonly StaleReason[];
  /** Whether it has to be spoken again; otherwise what was spoken is only put elsewhere, or taken out. */
  readonly isSpokenAnew: boolean;
}

/** Why a cue is stale, as a sentence. */
export const STALE_REASONS: Readonly<Record<StaleReason, string>> = {
  "never-voiced": "It has no narration yet",
  "not-known": "Nobody knows what its narration was made from",
  words: "Its words changed",
  moved: "It begins at another time",
  length: "It has another length",
  voice: "Another voice is wanted",
  language: "Another language is wanted",
  level: "Another volume is wanted",
  recording: "Its recording was added, changed or taken away",
  deleted: "It was deleted or muted, but is still heard",
};

/** What the sound of each cue is made from, when cues are voiced with these settings: for a record. */
export function voicedCues(cues: readonly Cue[], settings: VoicingSettings): Record<string, VoicedCue> {
  return Object.fromEntries(cues.map((cue) => [cue.id, voicedCue(cue, settings)]));
}

/**
 * Compares the cues as they are with what their sound was made from.
 *
 * @param cues As the editor has them now, on the programme clock.
 * @param settings What is wanted now: the record's own where nothing else was chosen.
 * @returns In order of time; deleted cues at the time they were spoken.
 */
export function staleCues(
  record: Pick<Result, "voiced" | "track">,
  cues: readonly Cue[],
  settings: VoicingSettings,
): StaleCue[] {
  const { voiced, track } = record;
  const isUnknown = track !== "none" && Object.keys(voiced).length === 0;
  const present = new Set(cues.map(({ id }) => id));
  const found = cues.flatMap((cue) => {
    const was = voiced[cue.id];
    const missing: StaleReason = isUnknown ? "not-known" : "never-voiced";
    const reasons = was === undefined ? [missing] : differences(was, voicedCue(cue, settings, was.recording));
    return reasons.length === 0 ? [] : [{ cue, reasons }];
  });
  const deleted = Object.entries(voiced).flatMap(([id, { start, end }]) =>
    present.has(id) ? [] : [{ cue: { id, start, end, text: "" }, reasons: ["deleted"] as const }],
  );
  return [...found, ...deleted]
    .sort((a, b) => compareCues(a.cue, b.cue))
    .map(({ cue, reasons }) => ({
      cueId: cue.id,
      start: cue.start,
      reasons,
      isSpokenAnew: !reasons.every(isPlacedOnly),
    }));
}

/** What is out of date of each result; a result is never changed in place. */
const known = new WeakMap<object, ReadonlyMap<string, StaleCue>>();

/**
 * The cues of a result whose narration is out of date, by their id; none where there is no narration. Where single lines
 * alone were voiced, the others lack nothing.
 */
export function staleIn(
  result: Pick<Result, "cues" | "mutedIds" | "voiced" | "track" | "audio" | "pieces" | "settings">,
): ReadonlyMap<string, StaleCue> {
  const present = known.get(result);
  if (present !== undefined) return present;
  const isWhole = result.track !== "none" && result.audio !== undefined;
  const { pieces = {} } = result;
  const stale = staleCues(result, soundingCues(result), result.settings);
  const found = new Map(
    stale.flatMap((one) => (isWhole || pieces[one.cueId] !== undefined ? [[one.cueId, one] as const] : [])),
  );
  known.set(result, found);
  return found;
}

/** Reasons by which the sound of a cue says other words than the cue has, or nothing. */
const SAYS_OTHERWISE: ReadonlySet<StaleReason> = new Set([
  "never-voiced",
  "not-known",
  "words",
  "language",
  "recording",
]);

/** How the narration of a result stands to its cues. */
export interface SoundStanding {
  /** Cues that sound, whose narration says other words or none: it is not to be heard. */
  readonly untrue: ReadonlySet<string>;
  /** Narration of cues that are muted or deleted. */
  readonly silenced: ReadonlySet<string>;
  /** Whether the one file with all voices says what the cues say, where they are; a voice in a file of its own is not in it. */
  readonly isWhole: boolean;
}

/** Tells which narration of a result may be heard, and whether all of it may as it is. */
export function soundStanding(result: Parameters<typeof staleIn>[0]): SoundStanding {
  const stale = [...staleIn(result).values()];
  const idsWith = (holds: (reason: StaleReason) => boolean) =>
    new Set(stale.filter(({ reasons }) => reasons.some(holds)).map(({ cueId }) => cueId));
  const untrue = idsWith((reason) => SAYS_OTHERWISE.has(reason));
  const silenced = idsWith((reason) => reason === "deleted");
  const moved = idsWith((reason) => reason === "moved");
  const apart = Object.keys(result.pieces ?? {});
  return { untrue, silenced, isWhole: untrue.size + silenced.size + moved.size + apart.length === 0 };
}

function voicedCue({ id, start, end, text }: Cue, settings: VoicingSettings, lastRecording?: string): VoicedCue {
  const { language, voice, volume, recordings } = settings;
  const recording = recordings === undefined ? lastRecording : recordings[id];
  return {
    words: fingerprintOf(spokenText(foldedWords(text))),
    start,
    end,
    language,
    voice,
    level: volume === undefined ? "none" : [volume.option, volume.levelDbfs].join(" ").trim(),
    ...defined({ recording }),
  };
}

function differences(was: VoicedCue, is: VoicedCue): StaleReason[] {
  // Who speaks in a recording is the recording's own.
  const isRecorded = was.recording !== undefined && was.recording === is.recording;
  const reasons: readonly (readonly [StaleReason, boolean])[] = [
    ["words", was.words !== is.words],
    ["moved", !isSameTime(was.start, is.start)],
    ["length", !isSameTime(was.end - was.start, is.end - is.start)],
    ["voice", !isRecorded && was.voice !== is.voice],
    ["language", !isRecorded && was.language !== is.language],
    ["level", was.level !== is.level],
    ["recording", was.recording !== is.recording],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

function isPlacedOnly(reason: StaleReason): boolean {
  return reason === "moved" || reason === "level" || reason === "deleted";
}
