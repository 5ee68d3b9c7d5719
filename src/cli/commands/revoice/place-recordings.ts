import { join } from "node:path";
import type { Cue, VoicedCue } from "../../../core/cue.ts";
import type { PlacedResult, Result } from "../../../result/result.ts";
import { voicedCues } from "../../../result/stale.ts";
import type { FinishedRun } from "../../../workflow/describe/describe.ts";
import type { OutFolder } from "../../out-folder/out-folder.ts";
import { WaveStem } from "../../out-folder/wave-stem.ts";
import type { Surroundings } from "../../service-run/service-run.ts";
import { measureFile } from "../../source/measure-file.ts";
import { readRecording } from "./cue-recordings.ts";
import type { EditedFiles } from "./edited-files.ts";
import type { RevoiceCall } from "./revoice-call.ts";
import type { RevoicePlan } from "./revoice-plan.ts";

/** What was found out of date, and what was done: printed as JSON. */
export interface RevoiceReport {
  readonly folder: string;
  readonly is_dry_run: boolean;
  readonly stale: readonly {
    readonly id: string;
    readonly timecode: string;
    readonly text: string;
    readonly reasons: readonly string[];
    readonly why: readonly string[];
    readonly spoken_anew: boolean;
  }[];
  readonly too_long: readonly {
    readonly id: string;
    readonly needed_seconds: number;
    readonly gap_seconds: number;
    readonly taken?: string;
    readonly remedies: readonly { readonly kind: string; readonly possible: boolean; readonly outcome: string }[];
  }[];
  /** How often a voice was asked; absent where nobody counted, or nobody was asked. */
  readonly lines_spoken?: number;
  readonly notices: readonly string[];
  /** Names of the files that were written; none when nothing was out of date. */
  readonly files: readonly string[];
}

/** One re-voicing under way. */
export interface RevoiceRun {
  readonly call: RevoiceCall;
  readonly surroundings: Surroundings;
  readonly folder: OutFolder;
  /** Hidden folder of this run inside the results folder. */
  readonly runFolder: string;
  readonly runId: string;
  readonly record: PlacedResult;
  readonly files: EditedFiles;
  readonly plan: RevoicePlan;
  readonly isInClips: boolean;
}

/** Name of the sound file of a result. */
export function audioName({ track }: Pick<Result, "track">): string {
  return track === "mixed" ? "mixed.wav" : "narration.wav";
}

/** Recordings as they are heard. */
interface PlacedRecordings {
  readonly cues: readonly Cue[];
  readonly voiced: Readonly<Record<string, VoicedCue>>;
  readonly notices: readonly string[];
}

/**
 * Puts recordings into a narration, in place of voices: those that were given now, at the narration's loudness, and those
 * that are in the narration from before, sample by sample. A recording ends where the next description begins.
 */
export async function placeRecordings(
  run: RevoiceRun,
  { audio }: Pick<FinishedRun, "audio">,
  made: { readonly voiced: readonly Cue[]; readonly recorded: ReadonlySet<string>; readonly isNew: boolean },
): Promise<PlacedRecordings> {
  const { plan, record, folder, surroundings } = run;
  const recorded = plan.cues.filter(({ id }) => made.recorded.has(id));
  if (recorded.length === 0 || audio === undefined) return { cues: [], voiced: {}, notices: [] };
  const { integratedLufs } = await measureFile(join(folder.path, audioName(record)), false, surroundings.signal);
  await using before = await WaveStem.open(join(folder.path, audioName(record)), "r");
  await using stem = await WaveStem.open(audio.path, "r+");
  const notices: string[] = [];
  const cues: Cue[] = [];
  const voiced: Record<string, VoicedCue> = {};
  for (const cue of recorded) {
    surroundings.signal.throwIfAborted();
    const given = plan.recordings.get(cue.id);
    const was = record.voiced[cue.id];
    const line =
      given !== undefined
        ? (await readRecording(given, stem, integratedLufs)).samples
        : await before.read(was ?? cue, stem.sampleRate);
    const next = [...made.voiced, ...recorded].reduce(
      (earliest, { id, start }) => (id !== cue.id && start > cue.start ? Math.min(earliest, start) : earliest),
      Number.POSITIVE_INFINITY,
    );
    const room = Math.floor((next - cue.start) * stem.sampleRate);
    if (line.length > room) notices.push(`The recording of ${cue.id} was cut off where the next description begins.`);
    const samples = line.length > room ? line.slice(0, room) : line;
    // What was heard there before goes: the whole of it where the old narration is gone on with.
    if (!made.isNew && was !== undefined) await stem.replace(lengthOf(was), new Float32Array(0));
    const end = cue.start + samples.length / stem.sampleRate;
    await stem.replace(lengthOf({ start: cue.start, end }), samples);
    cues.push({ ...cue, end });
    const fingerprint = given?.fingerprint ?? was?.recording;
    const recordings = fingerprint === undefined ? {} : { [cue.id]: fingerprint };
    Object.assign(voiced, voicedCues([{ ...cue, end }], { ...plan.settings, recordings }));
  }
  return { cues, voiced, notices };
}

function lengthOf({ start, end }: Pick<Cue, "start" | "end">) {
  return { start, durationSeconds: end - start };
}
