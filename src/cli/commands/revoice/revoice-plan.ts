import type { Cue } from "../../../core/cue.ts";
import { AudioDescriptionError } from "../../../core/error.ts";
import { defined } from "../../../core/objects.ts";
import { type SoundAfterRecut, soundAfterRecut } from "../../../core/sound-after-recut.ts";
import { countSpokenWords, estimateSpeakingSeconds } from "../../../core/speaking-time.ts";
import { shiftRange, type TimeRange } from "../../../core/time-range.ts";
import { cutOf } from "../../../host/edit-plan.ts";
import { type Placed, type PlacedResult, rangeOf } from "../../../result/result.ts";
import { type StaleCue, staleCues, type VoicingSettings } from "../../../result/stale.ts";
import { countMerge } from "../../../workflow/place/merge-result.ts";
import { mergeIntoSequence } from "../../../workflow/place/round-trip.ts";
import {
  type CueGap,
  type CueToFit,
  fitsGap,
  gapOf,
  paceFactor,
  type Remedy,
  remediesFor,
} from "../../../workflow/remedies.ts";
import { variablesInForce } from "../../service-run/service-options.ts";
import { type CueRecording, findRecordings } from "./cue-recordings.ts";
import { type EditedFiles, readEditedCues } from "./edited-files.ts";
import type { RevoiceCall } from "./revoice-call.ts";

/** A cue that is longer than its gap offers. */
interface TooLong {
  readonly cue: CueToFit;
  readonly gap: CueGap;
  readonly remedies: readonly Remedy[];
  /** The one that was chosen and is possible. */
  readonly taken?: Remedy;
}

/** What is out of date, and what is to be done. Nothing is touched yet. */
export interface RevoicePlan {
  /** All cues as they are to be heard, on the programme clock. */
  readonly cues: readonly Cue[];
  readonly settings: VoicingSettings;
  readonly stale: readonly StaleCue[];
  readonly tooLong: readonly TooLong[];
  readonly recordings: ReadonlyMap<string, CueRecording>;
  /** What the editor did to the markers, in a line. */
  readonly counts: string;
  /** Sentences for people. */
  readonly notices: readonly string[];
}

/** Room that a line gets beyond its estimate, where its gap has it: the voice may need a little longer. */
const ESTIMATE_MARGIN = 1.15;

/**
 * Compares the cues of a timeline, or of a file, with what was voiced.
 *
 * @throws UsageError or HostError when what the call names cannot be read.
 */
export async function planRevoicing(
  call: RevoiceCall,
  record: PlacedResult,
  files: EditedFiles,
  context: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<RevoicePlan> {
  const { timeline } = files.main;
  const merge = mergeIntoSequence({ sequence: { id: "", rate: timeline.rate }, timeline, record, ...rangeOf(record) });
  const given = files.cues === undefined ? null : await readEditedCues(files.cues.path, record, timeline);
  const now = given ?? merge.cues;
  const recordings =
    call.recordings === undefined
      ? new Map<string, CueRecording>()
      : await findRecordings(
          call.recordings,
          now.map(({ id }) => id),
        );
  const { voice, volume, language } = record.settings;
  const wantedVolume = call.volume ?? volume;
  const settings: VoicingSettings = {
    language,
    voice: call.voice ?? voice,
    ...(wantedVolume === undefined ? {} : { volume: wantedVolume }),
    ...(call.recordings === undefined
      ? {}
      : { recordings: Object.fromEntries([...recordings].map(([id, { fingerprint }]) => [id, fingerprint])) }),
  };
  const stale = staleCues(record, now, settings);
  const spoken = new Set(
    stale.flatMap(({ cueId, isSpokenAnew }) => (isSpokenAnew && !recordings.has(cueId) ? [cueId] : [])),
  );
  const around = soundAround(record, cutOf(timeline));
  const state = { now, stale, spoken, around };
  const unshortened = fitToGaps(call, state, new Map());
  const asked = call.fit === "shorten" ? await shorten(unshortened.tooLong, language, call, context) : NOT_ASKED;
  const fitted = asked.wordings.size === 0 ? unshortened : fitToGaps(call, state, asked.wordings);
  const isUnheard = !around.isAllKnown && unshortened.tooLong.length > 0;
  const notices = isUnheard ? [...asked.notices, NEW_SOUND] : asked.notices;
  return { ...fitted, settings, stale, recordings, counts: countMerge(merge.entries), notices };
}

/** Finds the cues that are longer than their gaps, does with them what was chosen, and gives the others the room they have. */
function fitToGaps(
  call: RevoiceCall,
  {
    now,
    stale,
    spoken,
    around,
  }: {
    readonly now: readonly Cue[];
    readonly stale: readonly StaleCue[];
    readonly spoken: ReadonlySet<string>;
    readonly around: SoundAround;
  },
  wordings: ReadonlyMap<string, readonly string[]>,
): Pick<RevoicePlan, "cues" | "tooLong"> {
  const staleIds = new Set(stale.map(({ cueId }) => cueId));
  const pace = paceFactor(now.filter(({ id }) => !staleIds.has(id)));
  const resized = new Set(stale.flatMap(({ cueId, reasons }) => (reasons.includes("length") ? [cueId] : [])));
  const tooLong: TooLong[] = [];
  const cues = now.map((cue) => {
    if (!spoken.has(cue.id)) return cue;
    const seconds = estimateSpeakingSeconds(cue.text) * pace;
    const gap = gapOf(cue, { ...around, cues: now });
    const shorter = (wordings.get(cue.id) ?? []).map((text) => ({
      text,
      seconds: estimateSpeakingSeconds(text) * pace,
    }));
    const toFit: CueToFit = { ...cue, seconds, wordings: shorter };
    if (fitsGap(toFit, gap)) {
      // A length that the editor gave is the editor's; one that is left over from other words is not.
      const end = resized.has(cue.id) ? cue.end : Math.min(gap.end, cue.start + seconds * ESTIMATE_MARGIN);
      return { ...cue, end: Math.max(cue.end, end) };
    }
    const remedies = remediesFor(toFit, gap);
    const taken = remedies.find(({ kind, isPossible }) => kind === call.fit && isPossible);
    tooLong.push({ cue: toFit, gap, remedies, ...defined({ taken }) });
    return taken === undefined ? cue : { ...cue, text: taken.text, start: taken.start, end: taken.end };
  });
  return { cues, tooLong };
}

/** Speech and music of the programme as it is cut now, on its clock. */
interface SoundAround {
  readonly speech: readonly TimeRange[];
  readonly music: readonly TimeRange[];
  readonly durationSeconds: number;
  /** Whether all of it was listened to. */
  readonly isAllKnown: boolean;
}

const NEW_SOUND =
  "The cut has sound that was not in it when it was described; whether people speak there is not known before it is voiced.";

/** What was heard when the programme was described, where the cut of today has it. */
function soundAround(record: PlacedResult, now: Placed["layout"]): SoundAround {
  const { offsetSeconds } = record;
  const { layout } = record.placed;
  const listened = { start: offsetSeconds, end: offsetSeconds + record.durationSeconds };
  const moved = (ranges: readonly TimeRange[], by: number) => ranges.map((range) => shiftRange(range, by));
  const isSameCut = JSON.stringify(layout) === JSON.stringify(now);
  const after = (what: "speech" | "music") => {
    const ranges = record[what] ?? [];
    return isSameCut
      ? { ranges, isAllKnown: true }
      : inProgramme(soundAfterRecut(moved(ranges, offsetSeconds), listened, layout, now));
  };
  const inProgramme = ({ ranges, isAllKnown }: SoundAfterRecut) => ({
    ranges: moved(ranges, -offsetSeconds),
    isAllKnown,
  });
  const speech = after("speech");
  const end = Math.max(0, ...now.map((clip) => clip.end)) - offsetSeconds;
  return {
    speech: speech.ranges,
    music: after("music").ranges,
    durationSeconds: isSameCut ? record.durationSeconds : end,
    isAllKnown: speech.isAllKnown,
  };
}

/** What a model made of lines that are too long. */
interface Shortened {
  readonly wordings: ReadonlyMap<string, readonly string[]>;
  /** Sentences for people. */
  readonly notices: readonly string[];
}

const NOT_ASKED: Shortened = { wordings: new Map(), notices: [] };

/** Asks a model for shorter wordings; that it cannot be asked is told, and everything else goes on. */
async function shorten(
  tooLong: readonly TooLong[],
  language: string,
  choice: Pick<RevoiceCall, "dataFolder">,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Shortened> {
  if (tooLong.length === 0) return NOT_ASKED;
  // Loaded here alone: most calls ask no model.
  const [{ shorterWordings }, { endEyes }] = await Promise.all([
    import("../../../engine/describe/vision/shorten.ts"),
    import("../../../engine/index.ts"),
  ]);
  const lines = tooLong.map(({ cue, gap }) => {
    const room = Math.max(0, gap.end - Math.max(gap.start, cue.start));
    return {
      id: cue.id,
      text: cue.text,
      words: Math.floor((countSpokenWords(cue.text) * room) / Math.max(cue.seconds, 0.1)),
    };
  });
  try {
    const environment = await variablesInForce(choice, env);
    const wordings = await shorterWordings(lines, language, { environment, signal });
    if (wordings !== null) return { wordings, notices: [] };
    const missing =
      "No model is at hand to write shorter wordings: install one (aside models list), choose one by aside settings, or shorten the words.";
    return { wordings: new Map(), notices: [missing] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AudioDescriptionError)) throw error;
    return { wordings: new Map(), notices: [error.message] };
  } finally {
    await endEyes();
  }
}
