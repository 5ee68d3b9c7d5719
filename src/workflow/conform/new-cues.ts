import { conformCues } from "../../core/conform.ts";
import { type Cue, compareCues, freeCueId, readMarkerComment } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { PlacedClip } from "../../core/layout.ts";
import type { NewStretch } from "../../core/new-stretches.ts";
import { overlapDuration, overlapWithRanges, rangeDuration, shiftRange } from "../../core/time-range.ts";
import { cutOf, type PlaceAudio } from "../../host/edit-plan.ts";
import { isSameRange, type PlacedResult, type Result, type VoicePiece } from "../../result/result.ts";
import { type VoicingSettings, voicedCues } from "../../result/stale.ts";
import { type ConformInput, type ConformPlan, planConform } from "./conform-sequence.ts";
import { conformedResult, isOfConforming } from "./conformed-result.ts";
import type { DescribedStretch } from "./describe-stretches.ts";

/** A cue that came of a stretch. */
export interface NewCue {
  /** On the clock of the sequence as it is now, under an id that nobody has. */
  readonly cue: Cue;
  /** The same as the service gave it: on its stretch's clock. */
  readonly original: Cue;
  /** How far its picture has moved since its stretch was exported, in seconds. */
  readonly shiftSeconds: number;
  /** Place of its stretch in the list. */
  readonly stretch: number;
}

/** Cues may share this much with another one, in seconds: a frame and the rounding of two services. */
const TOUCHING_SECONDS = 0.05;

/** The cues of a stretch that are to come in, before it is known under which id. */
type Brought = Omit<NewCue, "stretch">;

/**
 * Takes the cues of described stretches over into a cut. A cue comes in when at least half of it lies over new picture; where
 * a stretch has no such cue, those in its context come in: its pauses may all lie there. What would lie over a cue that is
 * there already never does.
 *
 * @param there Cues that are heard in the cut, on the sequence clock: those without their picture do not count.
 * @param taken Ids that are in use.
 * @param follow Takes the cues of a stretch, on the clock of the sequence as it was exported, to where their pictures are now;
 * leaves out those whose picture is gone. Default: nothing has changed since.
 * @returns In order of time.
 */
export function takeNewCues(
  stretches: readonly DescribedStretch[],
  there: readonly Cue[],
  taken: readonly string[],
  follow: (brought: readonly Brought[], described: DescribedStretch) => readonly Brought[] = (brought) => brought,
): NewCue[] {
  const ids = new Set(taken);
  const cues: NewCue[] = [];
  for (const [index, described] of stretches.entries()) {
    const { stretch, run } = described;
    if (run === null) continue;
    const { offsetSeconds } = run.result;
    const brought = run.result.cues.map((original) => {
      return { original, cue: shiftRange(original, offsetSeconds), shiftSeconds: 0 };
    });
    const inside = brought.filter(({ cue }) => isInside(cue, stretch));
    for (const one of follow(inside.length > 0 ? inside : brought, described)) {
      const others = [...there, ...cues.map(({ cue }) => cue)];
      if (others.some((other) => overlapDuration(one.cue, other) > TOUCHING_SECONDS)) continue;
      const id = freeCueId(ids, one.cue.id);
      ids.add(id);
      cues.push({ ...one, stretch: index, cue: { ...one.cue, id } });
    }
  }
  return cues.sort((a, b) => compareCues(a.cue, b.cue));
}

/**
 * The same for a sequence: what is there and which ids are in use follow from its markers and its record. The cut may have
 * changed since a stretch was exported: its cues are taken to where their pictures are by now.
 *
 * @param withoutPicture Cues that are known to have lost their picture, beside those that are found to have.
 */
export function newCuesOf(
  input: ConformInput,
  stretches: readonly DescribedStretch[],
  withoutPicture: readonly string[] = [],
): NewCue[] {
  const { descriptions, record } = planConform(input);
  const orphans = new Set([
    ...withoutPicture,
    ...descriptions.flatMap(({ cueId, state }) => (state === "orphaned" ? [cueId] : [])),
  ]);
  const there = record.cues.flatMap((cue) => {
    const { offsetSeconds } = record;
    return orphans.has(cue.id) ? [] : [shiftRange(cue, offsetSeconds)];
  });
  const tags = input.timeline.markers.flatMap(({ comment }) => readMarkerComment(comment)?.cueId ?? []);
  const known = [...record.cues, ...input.record.cues, ...(input.record.generated ?? [])].map(({ id }) => id);
  const layout = cutOf(input.timeline);
  return takeNewCues(stretches, there, [...known, ...tags], (brought, { run }) => {
    const before = run?.result.cut?.layout;
    if (before === undefined) return brought;
    const found = conformCues(before, layout, brought.map(({ cue }) => cue), input.sequence.rate); // biome-ignore format: one call
    return brought.flatMap((one, index) => {
      const { state, start } = found[index] ?? { state: "orphaned", start: 0 };
      if (state === "orphaned") return [];
      const shiftSeconds = start - one.cue.start;
      return [{ ...one, cue: shiftRange(one.cue, shiftSeconds), shiftSeconds }];
    });
  });
}

function isInside(cue: Cue, { inside }: NewStretch): boolean {
  return overlapWithRanges(cue, inside) >= rangeDuration(cue) / 2;
}

/** What joins a result. */
export interface Joining {
  /** What the new cues were described and voiced with. */
  readonly settings: VoicingSettings;
  /** On the sequence clock. */
  readonly cues: readonly Cue[];
  readonly findings: readonly Finding[];
  /** Their voices, by cue; on the sequence clock. */
  readonly pieces: ReadonlyMap<string, VoicePiece>;
  /** The cut as it was exported for them; absent where nobody knows another one than that as it is. */
  readonly exportedCut?: readonly PlacedClip[] | undefined;
}

/** The cut as it was when the first of some stretches was exported: what came into it since was never described. */
export function exportedCutOf(described: readonly DescribedStretch[]): readonly PlacedClip[] | undefined {
  return described.find(({ run }) => run !== null)?.run?.result.cut?.layout;
}

/** The record with the new cues and their voices. The layout is that of the cut as it is; all that was in it when it was exported is described. */
export function recordWithNew(
  record: PlacedResult,
  { record: conformed }: ConformPlan<PlacedResult>,
  { cues, pieces, settings, sounds, exportedCut }: Joining & { readonly sounds: readonly PlaceAudio[] },
): PlacedResult {
  const ids = new Set(cues.map(({ id }) => id));
  const voiced = conformed.cues.filter(({ id }) => ids.has(id) && pieces.has(id));
  const { described: _, ...placed } = conformed.placed;
  const isAsExported = exportedCut === undefined || JSON.stringify(exportedCut) === JSON.stringify(placed.layout);
  return {
    ...conformed,
    revision: record.revision + 1,
    voiced: { ...record.voiced, ...voicedCues(voiced, settings) },
    placed: {
      ...placed,
      ...(isAsExported ? {} : { described: exportedCut }),
      clipNames: [...placed.clipNames, ...sounds.map(({ clipName }) => clipName)],
    },
  };
}

/** The result with the new cues, marked as new until they are accepted; nothing else in it changes but for the cut. */
export function resultWithNew(
  result: Result,
  record: PlacedResult,
  plan: ConformPlan,
  { settings, cues, findings, pieces }: Joining,
): Result {
  if (!isSameRange(record, result)) return result;
  const moved = conformedResult(result, record, plan);
  const { offsetSeconds } = plan.record;
  const fresh = cues.map((cue) => shiftRange(cue, -offsetSeconds));
  const voices = [...pieces].map(([id, piece]) => [id, { ...piece, start: piece.start - offsetSeconds }] as const);
  // What stood before the cut was followed stands still, unless it was found anew.
  const found = new Set(plan.findings.flatMap(({ cueIds }) => cueIds));
  const isOld = (finding: Finding) => isOfConforming(finding) && finding.cueIds.every((id) => !found.has(id));
  const voicedNow = fresh.filter(({ id }) => pieces.has(id));
  return {
    ...moved,
    cues: [...moved.cues, ...fresh].sort(compareCues),
    generated: moved.generated === null ? null : [...moved.generated, ...fresh].sort(compareCues),
    voiced: { ...moved.voiced, ...voicedCues(voicedNow, settings) },
    ...(voices.length === 0 ? {} : { pieces: { ...moved.pieces, ...Object.fromEntries(voices) } }),
    standing: [...(result.standing ?? []).filter((one) => !isOfConforming(one) || isOld(one)), ...plan.findings],
    findings: [...moved.findings, ...findings, ...result.findings.filter(isOld)],
  };
}

/** What was found of the cues that came in, under the ids that they have now. */
export function findingsOfNew(described: readonly DescribedStretch[], brought: readonly NewCue[]): Finding[] {
  return described.flatMap(({ run }, index) => {
    const own = brought.filter(({ stretch }) => stretch === index);
    const ids = new Map(own.map(({ cue, original }) => [original.id, cue.id]));
    return (run?.result.findings ?? []).flatMap((finding) => {
      const cueIds = finding.cueIds.flatMap((id) => ids.get(id) ?? []);
      return cueIds.length === 0 || cueIds.length < finding.cueIds.length ? [] : [{ ...finding, cueIds }];
    });
  });
}
