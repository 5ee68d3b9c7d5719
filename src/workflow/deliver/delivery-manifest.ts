import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { secondsFromFrames } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { foldedWords } from "../../core/text.ts";
import { timecodeAt } from "../../core/timecode.ts";
import { REPORT_GENERATOR } from "../../result/read-report.ts";
import type { Result } from "../../result/result.ts";
import { scriptOutcomeWith } from "../../result/script-outcome.ts";
import { type SignOffState, signOffState } from "../../result/sign-off.ts";
import type { DeliveryPreset } from "./delivery-preset.ts";
import type { DeliveryLeader } from "./delivery-sound.ts";
import { scriptReport } from "./run-report.ts";

/** One file of a delivery. */
export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** What the file's format could not hold, in sentences without full stop; absent where it holds all. */
  readonly losses?: readonly string[];
  /** Of a sound file: what its header says and what was measured. */
  readonly sound?: Readonly<Record<string, unknown>>;
  /** Of a video that a service made: the length that its header states. */
  readonly video?: Readonly<Record<string, unknown>>;
}

/** How the narration was spoken. */
export interface NarrationVoice {
  /** All of it by a person. */
  readonly isHuman: boolean;
  readonly name?: string;
  /** How many of the descriptions were spoken by a person; absent for none, or for all. */
  readonly recorded?: { readonly count: number; readonly of: number };
}

/** What a manifest says. */
interface ManifestContents {
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly preset: DeliveryPreset;
  readonly title: string;
  /** BCP-47 code. */
  readonly language: string;
  /** The recipient's or the house's own number of the programme; absent where none was given. */
  readonly reference?: string;
  /** What stands before the programme in the sounds; absent for nothing. */
  readonly leader?: DeliveryLeader;
  readonly descriptions: number;
  readonly frameRate: string;
  readonly isDropFrame: boolean;
  readonly startTimecode: string;
  readonly voice: NarrationVoice;
  /** The result that is delivered, as far as it is known. */
  readonly origin: Result | null;
  readonly history: DeliveryHistory | null;
  /** What became of the script that was given, as far as it is known. */
  readonly script: ReturnType<typeof scriptReport> | null;
  /** Whether a sign-off counts for what is delivered: `void` when the descriptions changed since. */
  readonly signOffState: SignOffState;
  /** What was found, and what was not looked at; `null` where nothing was checked. */
  readonly checks: {
    readonly verdict: "pass" | "warn" | "fail";
    readonly findings: readonly Finding[];
    readonly notChecked: readonly string[];
  } | null;
  readonly files: readonly ManifestFile[];
}

/** The manifest as plain data: what was delivered, made how, checked by what, changed by whom. Holds no key and no path. */
function manifestOf(contents: ManifestContents) {
  const { preset, voice, origin, history, checks } = contents;
  const named = voice.name === undefined ? {} : { name: voice.name };
  return {
    generator: REPORT_GENERATOR,
    version: contents.version,
    created_at: contents.createdAt,
    preset: { name: preset.name, title: preset.title, source: preset.source },
    title: contents.title,
    ...defined({ reference: contents.reference }),
    language: contents.language,
    descriptions: contents.descriptions,
    frame_rate: contents.frameRate,
    drop_frame: contents.isDropFrame,
    start_timecode: contents.startTimecode,
    ...(contents.leader === undefined
      ? {}
      : { leader: { seconds: contents.leader.seconds, two_pop: contents.leader.hasPop } }),
    voice: { kind: kindOf(voice), ...named },
    disclosure: disclosureOf(voice),
    ...(origin === null ? {} : { settings: { ...origin.settings, track: origin.track } }),
    history:
      history === null
        ? null
        : {
            ...(origin?.describer === undefined ? {} : { describer: origin.describer }),
            counts: history.counts,
            cues: history.cues,
          },
    ...(contents.script === null ? {} : { script: contents.script }),
    signed_off:
      origin?.signOff === undefined
        ? null
        : { name: origin.signOff.name, at: origin.signOff.signedAt, state: contents.signOffState },
    checks:
      checks === null
        ? null
        : {
            profile: preset.profile.name,
            verdict: checks.verdict,
            findings: checks.findings,
            not_checked: checks.notChecked,
          },
    files: contents.files,
  };
}

/**
 * The manifest of a delivery whose files are there: who changed what is told by comparing with what the service wrote, and a
 * sign-off counts where it is of these cues.
 */
export function deliveryManifest(
  order: Pick<
    ManifestContents,
    "createdAt" | "preset" | "title" | "reference" | "leader" | "language" | "voice" | "origin"
  > & {
    readonly cues: readonly Cue[];
    readonly grid: FrameGrid;
  },
  made: Pick<ManifestContents, "version" | "checks" | "files">,
): DeliveryManifest {
  const { cues, grid, createdAt, preset, title, language, voice, origin, reference, leader } = order;
  const written = origin?.generated ?? null;
  return manifestOf({
    ...made,
    createdAt,
    preset,
    title,
    language,
    voice,
    origin,
    ...defined({ reference, leader }),
    descriptions: cues.length,
    frameRate: `${grid.rate.numerator}/${grid.rate.denominator}`,
    isDropFrame: grid.isDropFrame,
    startTimecode: timecodeAt(grid, 0),
    signOffState: signOffState(origin?.signOff, cues),
    script:
      origin?.script === undefined
        ? null
        : scriptReport(scriptOutcomeWith(origin.script, cues), (seconds) => timecodeAt(grid, seconds)),
    history: written === null ? null : historyOf(cues, written, secondsFromFrames(1, grid.rate)),
  });
}

function kindOf({ isHuman, recorded }: NarrationVoice): "human" | "synthetic" | "mixed" {
  if (isHuman) return "human";
  return recorded === undefined ? "synthetic" : "mixed";
}

/** A delivery's manifest, as {@link manifestOf} makes it. */
export type DeliveryManifest = ReturnType<typeof manifestOf>;

/** What listeners are told about the voice. */
export function disclosureOf({ isHuman, name, recorded }: NarrationVoice): string {
  const who = name === undefined ? "" : ` (${name})`;
  if (isHuman) return `The narration was spoken by a person${who}.`;
  const some =
    recorded === undefined ? "" : `; ${recorded.count} of ${recorded.of} descriptions were spoken by a person`;
  return `The narration was made with a synthetic voice${who}${some}.`;
}

/**
 * How a delivery's narration was spoken: what is told counts, else the record.
 *
 * @param cues The descriptions as delivered.
 */
export function narrationVoice(
  told: { readonly isHuman: boolean; readonly name?: string },
  origin: Result | null,
  cues: readonly Cue[],
): NarrationVoice {
  const count = cues.filter(({ id }) => origin?.voiced[id]?.recording !== undefined).length;
  if (told.isHuman || count === 0) return told;
  return count === cues.length ? { isHuman: true } : { ...told, recorded: { count, of: cues.length } };
}

/** Who a description is by, and what became of it. */
interface CueHistory {
  readonly id: string;
  /**
   * `as-written`: the service's words and times; `edited`: the editor changed words, times or both; `added`: the editor's
   * own; `deleted`: the service wrote it, the editor took it out.
   */
  readonly state: "as-written" | "edited" | "added" | "deleted";
  /** What the editor changed; empty unless `edited`. */
  readonly changed: readonly ("words" | "times")[];
  /** The service's words, where they are not those delivered. */
  readonly written?: string;
}

/** Who wrote and who changed the descriptions of a delivery. */
export interface DeliveryHistory {
  /** Descriptions by state. */
  readonly counts: Readonly<Record<CueHistory["state"], number>>;
  /** In order of time; what was deleted comes last. */
  readonly cues: readonly CueHistory[];
}

/**
 * Tells the service's words from the editor's: cues as they are delivered against those that the service wrote, which have
 * the same ids.
 *
 * @param toleranceSeconds Times nearer than this count as the same: a frame, where the delivered cues stood on frames.
 */
export function historyOf(
  delivered: readonly Cue[],
  written: readonly Cue[],
  toleranceSeconds: number,
): DeliveryHistory {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= toleranceSeconds;
  const known = new Map(written.map((cue) => [cue.id, cue]));
  const kept = delivered.map((cue): CueHistory => {
    const before = known.get(cue.id);
    known.delete(cue.id);
    if (before === undefined) return { id: cue.id, state: "added", changed: [] };
    const isReworded = foldedWords(cue.text) !== foldedWords(before.text);
    const changed = [
      ...(isReworded ? (["words"] as const) : []),
      ...(isNear(cue.start, before.start) && isNear(cue.end, before.end) ? [] : (["times"] as const)),
    ];
    const state = changed.length === 0 ? "as-written" : "edited";
    return { id: cue.id, state, changed, ...(isReworded ? { written: before.text } : {}) };
  });
  const deleted = [...known.values()].map(({ id, text }): CueHistory => {
    return { id, state: "deleted", changed: [], written: text };
  });
  const cues = [...kept, ...deleted];
  const count = (state: CueHistory["state"]) => cues.filter((cue) => cue.state === state).length;
  const counts = {
    "as-written": count("as-written"),
    edited: count("edited"),
    added: count("added"),
    deleted: count("deleted"),
  };
  return { counts, cues };
}
