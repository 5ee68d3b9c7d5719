import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { confidentRanges, findGaps, type KnownSpeech } from "../../core/gap.ts";
import type { PictureMeasure, SoundMeasure } from "../../core/measures.ts";
import type { DescriptionType } from "../../core/settings.ts";
import { mergeRanges, overlapWithRanges, rangeDuration, type TimeRange, totalDuration } from "../../core/time-range.ts";
import { above, below, certainSpeech, checkCues } from "./check.ts";
import { checkLevels } from "./check-levels.ts";
import { checkPicture } from "./check-picture.ts";
import { type CheckProfile, DEFAULT_PROFILE } from "./check-profile.ts";
import { checkOrder, checkTexts, type IntroducedName } from "./check-script.ts";

/** What a finished result is checked from; whatever is absent is not checked. */
export interface ResultToCheck {
  /** In order of time, on the programme clock. Empty for a sound without cues. */
  readonly cues: readonly Cue[];
  readonly type: DescriptionType;
  /** The programme's own sound, listened to. */
  readonly programme?: SoundMeasure;
  /** The narration alone. */
  readonly narration?: SoundMeasure;
  /** Programme and narration together, as delivered. */
  readonly mix?: SoundMeasure;
  /** Where somebody speaks, where it is known better than by listening: captions. */
  readonly speech?: readonly TimeRange[];
  readonly names?: readonly IntroducedName[];
  /** The programme's picture, where somebody looked. */
  readonly picture?: PictureMeasure;
  /** BCP-47 code of the descriptions; default `en-US`. */
  readonly language?: string;
  readonly profile?: CheckProfile;
}

/** What was found, and what it was found in. */
export interface CheckedResult {
  readonly findings: readonly Finding[];
  readonly profile: CheckProfile;
  readonly durationSeconds: number;
  /** The cues with the times at which they are heard, where there is a narration to hear. */
  readonly heardCues: readonly Cue[];
  readonly speech: readonly KnownSpeech[];
  readonly gaps: readonly TimeRange[];
  /** Share of the usable gaps' time that descriptions use; `null` without gaps. */
  readonly coverage: number | null;
}

/** A pause in the narration longer than this ends a line, in seconds. */
const LINE_PAUSE_SECONDS = 0.6;

/**
 * Checks a result as it is heard, not as it was meant: where there is a narration, cues count at the times at which their
 * voice sounds. Findings come in order of rule and time.
 */
export function checkResult(result: ResultToCheck): CheckedResult {
  const profile = result.profile ?? DEFAULT_PROFILE;
  const { cues, type, programme, narration, mix } = result;
  const lastEnd = cues.reduce((latest, cue) => Math.max(latest, cue.end), 0);
  const durationSeconds = programme?.durationSeconds ?? Math.max(mix?.durationSeconds ?? 0, lastEnd);
  const speech = result.speech ?? programme?.heard?.speech ?? [];
  const music = mergeRanges(confidentRanges(programme?.heard?.music ?? mix?.heard?.music ?? []));
  // Captions tell what the sound does not.
  const unknown = result.speech === undefined ? (programme?.heard?.unknown ?? []) : [];
  const isSpeechKnown = result.speech !== undefined || programme?.heard !== undefined;
  const lines = narration === undefined ? null : narrationOf(cues, narration.active);
  const heardCues = lines?.heard ?? cues;
  const gaps = isSpeechKnown ? usableGaps({ durationSeconds, speech: [...speech, ...unknown], music }, profile) : [];
  const delivered = narration ?? mix;
  const findings = [
    ...checkCues({
      cues: heardCues,
      durationSeconds,
      type,
      profile,
      ...(narration === undefined ? {} : { voices: cutVoices(cues, heardCues, narration.durationSeconds) }),
      ...(isSpeechKnown ? { speech } : {}),
      ...(programme === undefined || delivered === undefined ? {} : { narrationSeconds: delivered.durationSeconds }),
    }),
    ...(lines === null ? [] : narrationFindings(cues, lines, profile)),
    ...(isSpeechKnown && type === "standard"
      ? gapFindings(heardCues, gaps, {
          ...result,
          speech: [...certainSpeech(speech, profile), ...unknown],
          durationSeconds,
          profile,
        })
      : []),
    ...checkLevels({ result, heardCues, music, profile }),
    ...unknownFindings(unknown),
    ...peakFindings(mix ?? narration, profile),
    ...checkTexts(cues, profile, result.names ?? []),
    ...checkOrder(cues),
    ...(result.picture === undefined ? [] : checkPicture(cues, result.picture, result.language ?? "en-US")),
  ];
  const usable = totalDuration(gaps);
  const used = heardCues.reduce((sum, cue) => sum + overlapWithRanges(cue, gaps), 0);
  const coverage = usable > 0 ? Math.min(1, used / usable) : null;
  return { findings, profile, durationSeconds, heardCues, speech, gaps, coverage };
}

/** Which voice belongs to which cue. */
interface NarrationLines {
  /** Cues at the time of their voice; without a voice, as they stand. */
  readonly heard: readonly Cue[];
  readonly silent: readonly Cue[];
  /** Voice that belongs to no cue. */
  readonly stray: readonly TimeRange[];
}

/**
 * Each line of the narration belongs to the cues that it is heard over; one that is over none, to the nearest cue that has no voice
 * of its own. Within its cue, lines are one.
 */
function narrationOf(cues: readonly Cue[], active: readonly TimeRange[]): NarrationLines {
  const voices = new Map<Cue, TimeRange>();
  const apart: TimeRange[] = [];
  for (const line of mergeRanges(active, LINE_PAUSE_SECONDS)) {
    // A line may run over several cues that follow each other closely: each has its own part.
    const under = cues.filter((cue) => Math.min(cue.end, line.end) - Math.max(cue.start, line.start) > 0);
    if (under.length === 0) apart.push(line);
    for (const [index, cue] of under.entries()) {
      const next = under[index + 1];
      const part = {
        start: index === 0 ? line.start : Math.max(line.start, cue.start),
        end: next === undefined ? line.end : Math.min(line.end, next.start),
      };
      const known = voices.get(cue);
      voices.set(cue, known === undefined ? part : { start: known.start, end: Math.max(known.end, part.end) });
    }
  }
  const stray: TimeRange[] = [];
  for (const line of apart) {
    const near = nearest(
      cues.filter((cue) => !voices.has(cue)),
      line.start,
    );
    if (near !== undefined && Math.abs(near.start - line.start) < FARTHEST_VOICE_SECONDS) voices.set(near, line);
    else stray.push(line);
  }
  return {
    heard: cues.map((cue) => ({ ...cue, ...voices.get(cue) })),
    silent: cues.filter((cue) => !voices.has(cue)),
    stray,
  };
}

/** How far from its cue a voice is still taken for the cue's own, in seconds. */
const FARTHEST_VOICE_SECONDS = 3;

/** How close to its end a sound breaks off where it does, in seconds: voices are measured to 10 ms, with a fade. */
const BREAKS_OFF_SECONDS = 0.05;

/** The length of voices that break off with their file: as long as their description says. */
function cutVoices(cues: readonly Cue[], heard: readonly Cue[], endSeconds: number): ReadonlyMap<string, number> {
  return new Map(
    cues.flatMap((cue, index) => {
      const { start, end } = heard[index] ?? cue;
      return cue.end > endSeconds && end > endSeconds - BREAKS_OFF_SECONDS ? [[cue.id, cue.end - start] as const] : [];
    }),
  );
}

function nearest(cues: readonly Cue[], start: number): Cue | undefined {
  return [...cues].sort((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start))[0];
}

function narrationFindings(
  cues: readonly Cue[],
  { heard, silent, stray }: NarrationLines,
  profile: CheckProfile,
): Finding[] {
  const shifted = cues.flatMap((cue, index) => {
    const seconds = Math.abs((heard[index]?.start ?? cue.start) - cue.start);
    const message = `the narration begins ${seconds.toFixed(2)} s away from its description`;
    return above(profile.narrationShift, seconds, "narration-shift", [cue], message);
  });
  return [
    ...shifted,
    ...silent.map((cue): Finding => {
      return {
        rule: "narration-missing",
        severity: "fail",
        cueIds: [cue.id],
        message: "nothing is heard of this description",
        source: profile.narrationShift.source,
      };
    }),
    ...stray.map((range): Finding => {
      const message = `${rangeDuration(range).toFixed(1)} s of narration belong to no description`;
      return {
        rule: "narration-stray",
        severity: "warn",
        cueIds: [],
        message,
        range,
        source: profile.narrationShift.source,
      };
    }),
  ];
}

/** That descriptions may lie over speech which nobody could hear: such a result does not pass. */
function unknownFindings([first, ...more]: readonly TimeRange[]): Finding[] {
  if (first === undefined) return [];
  const seconds = totalDuration([first, ...more]).toFixed(1);
  return [
    {
      rule: "sound-unknown",
      severity: "fail",
      cueIds: [],
      message: `For ${seconds} s the sound of the film cannot be read, so it is not known whether people speak there. Give captions`,
      range: first,
      source: "the programme's sound",
    },
  ];
}

function usableGaps(
  heard: {
    readonly durationSeconds: number;
    readonly speech: readonly TimeRange[];
    readonly music: readonly TimeRange[];
  },
  profile: CheckProfile,
): TimeRange[] {
  const gaps = findGaps({ ...heard, silence: [], allowMusic: true, minimumSeconds: profile.gapUsed.warn });
  return mergeRanges(gaps);
}

interface HeardAndSeen {
  readonly speech: readonly TimeRange[];
  readonly durationSeconds: number;
  readonly profile: CheckProfile;
  readonly picture?: PictureMeasure;
}

function gapFindings(
  cues: readonly Cue[],
  gaps: readonly TimeRange[],
  { speech, durationSeconds, profile, picture }: HeardAndSeen,
): Finding[] {
  const every = mergeRanges(
    findGaps({ durationSeconds, speech, music: [], silence: [], allowMusic: true, minimumSeconds: 0 }),
  );
  const short = cues.flatMap((cue) => {
    const gap = every.find((one) => one.start <= cue.start && one.end > cue.start);
    if (gap === undefined) return []; // It begins over speech: that is an overlap.
    const seconds = rangeDuration(gap);
    return below(profile.gapUsed, seconds, "gap-short", [cue], `the pause it uses is ${seconds.toFixed(2)} s long`);
  });
  const empty = gaps.flatMap((range): Finding[] => {
    const seconds = rangeDuration(range);
    const { unusedGap } = profile;
    if (seconds < unusedGap.warn || overlapWithRanges(range, mergeRanges(cues)) > 0) return [];
    const changes = picture?.changes.filter((at) => at >= range.start && at < range.end).length;
    const seen =
      changes === undefined ? "" : `; the picture changes ${changes === 1 ? "once" : `${changes} times`} in it`;
    const message = `a pause of ${seconds.toFixed(1)} s has no description${seen}`;
    const { unit, source } = unusedGap;
    return [
      {
        rule: "gap-unused",
        severity: "note",
        cueIds: [],
        message,
        range,
        measured: seconds,
        limit: unusedGap.warn,
        unit,
        source,
      },
    ];
  });
  return [...short, ...empty];
}

function peakFindings(sound: SoundMeasure | undefined, profile: CheckProfile): Finding[] {
  const peak = sound?.truePeakDbtp;
  if (peak === undefined || peak === null) return [];
  return above(profile.truePeak, peak, "true-peak", [], `the true peak is ${peak.toFixed(1)} dBTP`);
}
