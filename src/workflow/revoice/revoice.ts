import { alignCues } from "../../core/align-cues.ts";
import { type Cue, compareCues, type VoicedCue } from "../../core/cue.ts";
import { defined } from "../../core/objects.ts";
import type { DescriptionSettings, FrameGrid, VoiceSettings, Voicing } from "../../core/settings.ts";
import { foldedWords } from "../../core/text.ts";
import { writeCues } from "../../formats/service-formats.ts";
import type { PlacedResult, Result } from "../../result/result.ts";
import { type VoicingSettings, voicedCues } from "../../result/stale.ts";
import { scriptsFrom } from "../describe/given-script.ts";
import type { DescribeOrder } from "../describe/run.ts";

/** What is to be voiced again. */
export interface Revoicing {
  readonly record: Pick<Result, "settings" | "track" | "voicing">;
  /** All cues as they are to be heard, changed or not, on the programme clock. */
  readonly cues: readonly Cue[];
  /** What is wanted now; where it is as in the record, what was spoken stays. */
  readonly settings: VoicingSettings;
  /** The programme's frame grid. */
  readonly grid: FrameGrid;
  /** Whether the service is known to be ours though the record does not say so: the embedded one is. */
  readonly isOurService?: boolean;
}

/**
 * What a run asks for so that changed cues are voiced. Our service keeps every time and voices what changed; any other
 * gets the whole script, in the layouts it may take, and is asked not to fit it into gaps.
 */
export function revoiceOrder(revoicing: Revoicing): Pick<DescribeOrder, "settings" | "scripts" | "track"> {
  const { record, cues, settings, grid } = revoicing;
  const { volume: _, ...described } = record.settings;
  const { language, voice, volume } = settings;
  const wanted: DescriptionSettings & VoiceSettings = {
    ...described,
    type: "standard",
    format: "vtt",
    language,
    voice,
    ...defined({ volume }),
  };
  const track = record.track === "none" ? "ad_only" : record.track;
  const voicing = voicingFor(revoicing, track);
  if (voicing !== null) {
    return { settings: { ...wanted, voicing, script: writeCues(cues, "vtt", { language }) }, track };
  }
  return { settings: { ...wanted, autoFit: false }, scripts: scriptsFrom(cues, { grid, language }), track };
}

/** What was spoken stays with the voice and the volume that it was spoken with. */
function voicingFor({ record, settings, isOurService }: Revoicing, track: Voicing["track"]): Voicing | null {
  const { voicing, settings: was } = record;
  if (voicing === undefined) return isOurService === true ? { track, lines: [] } : null;
  const { narrationGainDb, trackGainDb, lines } = voicing;
  const isSameVoice = was.voice === settings.voice && was.language === settings.language;
  const isSameVolume = JSON.stringify(was.volume) === JSON.stringify(settings.volume);
  return {
    track,
    lines: isSameVoice ? lines : [],
    ...(narrationGainDb === undefined || !isSameVoice ? {} : { narrationGainDb }),
    ...(trackGainDb === undefined || !(isSameVoice && isSameVolume) ? {} : { trackGainDb }),
  };
}

/** The cues as they are heard after a voicing, and what of it a person has to know. */
export interface Revoiced {
  /** In order of time; the words are the editor's, the times those of the narration. */
  readonly cues: readonly Cue[];
  readonly voiced: Readonly<Record<string, VoicedCue>>;
  /** Ids of cues that the service put elsewhere, and of those that it did not voice. */
  readonly moved: readonly string[];
  readonly missing: readonly string[];
  /** Sentences for people. */
  readonly notices: readonly string[];
}

/** Starts closer than this are the same: an EDL rounds to a frame, half of which is this long at 24 frames a second. */
const SAME_START_SECONDS = 0.021;

/** Ends closer than this are the same: captions round to a thousandth of a second. */
const SAME_END_SECONDS = 0.002;

/** Brings what a service voiced together with the cues that it was asked for. */
export function revoicedCues(cues: readonly Cue[], result: readonly Cue[], settings: VoicingSettings): Revoiced {
  const heard = new Map(alignCues(cues, result).map((cue) => [cue.id, cue]));
  const moved: string[] = [];
  const missing: string[] = [];
  const placed = cues.map((cue) => {
    const found = heard.get(cue.id);
    if (found === undefined) {
      missing.push(cue.id);
      return cue;
    }
    const isInPlace = Math.abs(found.start - cue.start) < SAME_START_SECONDS;
    if (!isInPlace) moved.push(cue.id);
    const start = isInPlace ? cue.start : found.start;
    const isAsLong = isInPlace && Math.abs(found.end - cue.end) < SAME_END_SECONDS;
    return { ...cue, start, end: isAsLong ? cue.end : Math.max(start, found.end) };
  });
  const isMissing = new Set(missing);
  const spoken = placed.filter(({ id }) => !isMissing.has(id));
  return {
    cues: placed.sort(compareCues),
    voiced: voicedCues(spoken, settings),
    moved,
    missing,
    notices: [
      ...(moved.length === 0 ? [] : [`The service moved ${moved.join(", ")}; the cues are where they are heard.`]),
      ...(missing.length === 0 ? [] : [`The service did not voice ${missing.join(", ")}.`]),
    ],
  };
}

/** The record after cues were voiced: what the service once wrote stays what the editor's work is told apart from. */
export function recordAfterRevoicing(
  record: PlacedResult,
  revoiced: Pick<Revoiced, "cues" | "voiced">,
  run: {
    readonly runId: string;
    /** What the voicing brought. */
    readonly result: Pick<Result, "jobId" | "voicing" | "speech" | "music">;
    readonly settings: VoicingSettings;
    readonly clipNames: readonly string[];
  },
): PlacedResult {
  const { voicing: _, ...kept } = record;
  const { volume: __, ...settings } = record.settings;
  const { voice, language, volume } = run.settings;
  const { jobId, voicing, speech = record.speech, music = record.music } = run.result;
  return {
    ...kept,
    revision: record.revision + 1,
    runId: run.runId,
    jobId,
    settings: { ...settings, voice, language, ...defined({ volume }) },
    track: record.track === "none" ? "ad_only" : record.track,
    cues: revoiced.cues,
    voiced: revoiced.voiced,
    ...defined({ voicing }),
    // Nobody listens where recordings alone are put in: what was heard before still holds.
    ...defined({ speech, music }),
    placed: { ...record.placed, clipNames: run.clipNames },
  };
}

/**
 * The cues of a file as an editor left them, told apart from what its format rounds. A cue that is as the file had it when it was
 * written keeps the exact time, the exact length and the words of the result.
 *
 * @param exact The cues of the result.
 * @param written The same as the format gives them back, under the same ids.
 * @param toleranceSeconds Times nearer than this are one time of the format.
 * @returns Under the ids of the result; cues of the editor's own have fresh ones.
 */
export function unrounded(
  cues: readonly Cue[],
  exact: readonly Cue[],
  written: readonly Cue[],
  toleranceSeconds: number,
): Cue[] {
  const isNear = (a: number, b: number) => Math.abs(a - b) < toleranceSeconds;
  const before = new Map(exact.map((cue) => [cue.id, cue]));
  const inFile = new Map(written.map((cue) => [cue.id, cue]));
  return alignCues(written, cues).map((cue) => {
    const was = before.get(cue.id);
    const had = inFile.get(cue.id);
    if (was === undefined || had === undefined) return cue;
    const isSame = (now: number, then: number, exactly: number) => isNear(now, then) || isNear(now, exactly);
    const start = isSame(cue.start, had.start, was.start) ? was.start : cue.start;
    const seconds = was.end - was.start;
    const isAsLong = isSame(cue.end - cue.start, had.end - had.start, seconds);
    const end = !isAsLong ? start + (cue.end - cue.start) : start === was.start ? was.end : start + seconds;
    const text = foldedWords(cue.text) === foldedWords(had.text) ? was.text : cue.text;
    return { id: cue.id, start, end, text };
  });
}
