import type { Finding } from "../../core/finding.ts";
import { confidentRanges } from "../../core/gap.ts";
import { shownLevel } from "../../core/level.ts";
import { meanLevel, SILENCE_LUFS, type SoundMeasure } from "../../core/measures.ts";
import { defined } from "../../core/objects.ts";
import { TOLERANCE_SECONDS } from "../check/check.ts";
import type { CheckLimits } from "../check/check-profile.ts";
import type { LoudnessRow } from "../check/check-report.ts";
import type { DeliveryPreset, LoudnessDemand, SoundDemand } from "./delivery-preset.ts";

/** A sound file of a delivery, as it lies there: what its header says, and what was measured of its samples. */
export interface DeliveredSound {
  readonly name: string;
  readonly kind: "narration" | "mix";
  readonly sampleRate: number;
  readonly bits: number;
  readonly channels: number;
  /** Seconds from midnight to its first sample, by its time reference; absent without one. */
  readonly startSeconds?: number;
  readonly measure: SoundMeasure;
}

/** The sound of one kind, where there is one. */
export function soundOf<Sound extends Pick<DeliveredSound, "kind">>(
  sounds: readonly Sound[],
  wanted: DeliveredSound["kind"],
): Sound | undefined {
  return sounds.find(({ kind }) => kind === wanted);
}

/** A text file of a delivery. */
export interface DeliveredText {
  readonly name: string;
  readonly text: string;
}

/** The files of a delivery, and what they are held against. */
export interface DeliveredFiles {
  readonly sounds: readonly DeliveredSound[];
  readonly texts: readonly DeliveredText[];
  /** Seconds from midnight at which the programme starts by its timecode. */
  readonly startSeconds: number;
  /** Length of the picture and channels of its sound, where the programme is there. */
  readonly programme?: { readonly durationSeconds: number; readonly channels: number };
}

/** A time reference counts whole samples: nearer than this is the same, in seconds. */
const START_TOLERANCE_SECONDS = 0.001;

const MARKUP_SOURCE = "Panopto and Kaltura reject markup inside cues";

/** Holds the files of a delivery against what its preset asks of files; words, times and levels of cues are `checkResult`'s. */
export function checkDeliveredFiles(preset: DeliveryPreset, files: DeliveredFiles): Finding[] {
  const { sound } = preset;
  return [
    ...files.sounds.flatMap((one) => (sound === undefined ? [] : formatFindings(one, sound, files.startSeconds))),
    ...files.sounds.flatMap((one) =>
      sound?.loudness === undefined || one.kind !== "mix" ? [] : loudnessFinding(one, sound.loudness),
    ),
    ...mixLength(preset.profile.narrationLength, files),
    ...channelFindings(files),
    ...(preset.plainCues ? files.texts.flatMap(markupFindings) : []),
  ];
}

/** What a preset asks of files, in words: name, when it fails, source. */
export function demandsOf({ sound, plainCues }: DeliveryPreset): (readonly [string, string, string])[] {
  const loudness = sound?.loudness;
  return [
    ...(sound === undefined
      ? []
      : ([
          ["sampleRate", `other than ${sound.sampleRate} Hz`, sound.source],
          ["bits", `other than ${sound.bits.join(" or ")} bit`, sound.source],
          ["start", `other than ${sound.startTimecode ?? "the programme's start"}`, sound.source],
        ] as const)),
    ...(loudness === undefined
      ? []
      : ([
          ["loudness", `${loudness.of} beyond ${loudness.target} ± ${loudness.tolerance} LUFS`, loudness.source],
        ] as const)),
    ...(plainCues ? ([["markup", "any in a cue", MARKUP_SOURCE]] as const) : []),
  ];
}

function formatFindings(sound: DeliveredSound, demand: SoundDemand, startSeconds: number): Finding[] {
  const { name, sampleRate, bits } = sound;
  const found: Finding[] = [];
  if (sampleRate !== demand.sampleRate) {
    const message = `${name} has ${sampleRate} samples a second in place of ${demand.sampleRate}`;
    found.push(fail("sample-rate", message, { measured: sampleRate, limit: demand.sampleRate, unit: "Hz" }, demand));
  }
  if (!demand.bits.includes(bits)) {
    const message = `${name} has ${bits} bits a sample in place of ${demand.bits.join(" or ")}`;
    found.push(fail("bit-depth", message, { measured: bits, limit: Math.max(...demand.bits), unit: "bit" }, demand));
  }
  const start = sound.startSeconds;
  if (start === undefined || Math.abs(start - startSeconds) > START_TOLERANCE_SECONDS) {
    const message = `the time reference of ${name} is not the programme's start`;
    const numbers = { ...(start === undefined ? {} : { measured: start }), limit: startSeconds, unit: "s" };
    found.push(fail("time-reference", message, numbers, demand));
  }
  return found;
}

/** Loudness of a mix as a recipient counts it; `null` for silence, or without speech where dialogue alone counts. */
export function loudnessOf(measure: SoundMeasure, { of }: Pick<LoudnessDemand, "of">): number | null {
  if (of === "programme") return measure.integratedLufs;
  const dialogue = dialogueLoudness(measure);
  return dialogue === null && of === "anchor" ? measure.integratedLufs : dialogue;
}

/** Whether somebody has to listen to a mix before its loudness can be told. */
export function countsSpeech(demand: LoudnessDemand | undefined): boolean {
  return demand !== undefined && demand.of !== "programme";
}

/** The loudness of each sound of a delivery beside what its preset asks of a mix. */
export function loudnessRows({ sound, profile }: DeliveryPreset, sounds: readonly DeliveredSound[]): LoudnessRow[] {
  const { truePeak } = profile;
  return sounds.map(({ name, kind, measure }) => {
    const { integratedLufs, rangeLu, momentaryLufs, shortTermLufs, truePeakDbtp } = measure;
    const demand = kind === "mix" ? sound?.loudness : undefined;
    const isBelow = truePeakDbtp === null || truePeakDbtp <= truePeak.fail;
    return {
      file: name,
      integratedLufs,
      ...(measure.heard === undefined ? {} : { dialogueLufs: dialogueLoudness(measure) }),
      ...defined({ rangeLu, momentaryLufs, shortTermLufs }),
      truePeakDbtp,
      ...(demand === undefined
        ? {}
        : {
            asked: {
              demand: `${scopeWords(demand, measure)} ${demand.target} ± ${demand.tolerance} LUFS, true peak at most ${truePeak.fail} dBTP`,
              source: `${demand.source}; ${truePeak.source}`,
              isMet: isBelow && isMet(loudnessOf(measure, demand), demand),
            },
          }),
    };
  });
}

/** What reads as the limit is within it. */
function isMet(level: number | null, { target, tolerance }: LoudnessDemand): boolean {
  return level !== null && Math.abs(shownLevel(level) - target) <= tolerance;
}

/** What of a mix counts. */
function scopeWords({ of }: LoudnessDemand, measure: SoundMeasure): "dialogue" | "programme" {
  return of === "dialogue" || (of === "anchor" && dialogueLoudness(measure) !== null) ? "dialogue" : "programme";
}

function dialogueLoudness(measure: SoundMeasure): number | null {
  const speech = confidentRanges(measure.heard?.speech ?? []);
  const level = meanLevel(measure.levels, speech);
  return level === null || level <= SILENCE_LUFS ? null : level;
}

function loudnessFinding({ name, measure }: DeliveredSound, demand: LoudnessDemand): Finding[] {
  const { target, tolerance } = demand;
  const level = loudnessOf(measure, demand);
  const what = scopeWords(demand, measure);
  if (level === null) {
    return [fail("loudness", `${name} holds no ${what} whose loudness can be measured`, {}, demand)];
  }
  if (isMet(level, demand)) return [];
  const shown = shownLevel(level);
  const message = `the ${what} of ${name} is at ${shown.toFixed(1)} LUFS in place of ${target} ± ${tolerance}`;
  return [fail("loudness", message, { measured: shown, limit: target, unit: "LUFS" }, demand)];
}

/** The length of a mix beside a narration: `checkResult` holds only one of them against the picture. */
function mixLength(limits: CheckLimits, { sounds, programme }: DeliveredFiles): Finding[] {
  const mix = soundOf(sounds, "mix");
  const narration = soundOf(sounds, "narration");
  if (mix === undefined || narration === undefined) return [];
  const length = programme?.durationSeconds ?? narration.measure.durationSeconds;
  const seconds = Math.abs(mix.measure.durationSeconds - length);
  const severity =
    seconds > limits.fail + TOLERANCE_SECONDS ? "fail" : seconds > limits.warn + TOLERANCE_SECONDS ? "warn" : null;
  if (severity === null) return [];
  const other = programme === undefined ? "the narration" : "the picture";
  const message = `${mix.name} and ${other} differ in length by ${seconds.toFixed(2)} s`;
  const { unit, source } = limits;
  return [
    { rule: "mix-length", severity, cueIds: [], message, measured: seconds, limit: limits[severity], unit, source },
  ];
}

function channelFindings({ sounds, programme }: DeliveredFiles): Finding[] {
  if (programme === undefined || programme.channels === 0) return [];
  return sounds.flatMap(({ kind, name, channels }): Finding[] => {
    if (kind !== "mix" || channels === programme.channels) return [];
    const message = `${name} has ${channels} channels, the programme ${programme.channels}`;
    const numbers = { measured: channels, limit: programme.channels, unit: "channels" };
    return [
      {
        rule: "channels",
        severity: "warn",
        cueIds: [],
        message,
        ...numbers,
        source: "a mix keeps the programme's layout",
      },
    ];
  });
}

function markupFindings({ name, text }: DeliveredText): Finding[] {
  if (!name.endsWith(".vtt")) return [];
  const lines = text.split("\n").filter((line) => /<[^>]*>/.test(line) && !line.includes("-->"));
  if (lines.length === 0) return [];
  return [fail("markup", `${name} has markup in ${lines.length} lines`, {}, { source: MARKUP_SOURCE })];
}

function fail(
  rule: string,
  message: string,
  numbers: Pick<Finding, "measured" | "limit" | "unit">,
  { source }: { readonly source: string },
): Finding {
  return { rule, severity: "fail", cueIds: [], message, ...numbers, source };
}
