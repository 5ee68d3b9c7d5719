import { type Cue, compareCues } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { PlacedClip } from "../../core/layout.ts";
import { shiftRange } from "../../core/time-range.ts";
import type { PlaceAudio } from "../../host/edit-plan.ts";
import { isSameRange, type PlacedResult, type Result, type VoicePiece } from "../../result/result.ts";
import { type VoicingSettings, voicedCues } from "../../result/stale.ts";
import type { ConformPlan } from "./conform-sequence.ts";
import { conformedResult, isOfConforming } from "./conformed-result.ts";
import type { DescribedStretch } from "./describe-stretches.ts";
import type { NewCue } from "./new-cues.ts";

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
    ...(voices.length === 0 ? {} : { pieces: { ...result.pieces, ...Object.fromEntries(voices) } }),
    standing: [...(result.standing ?? []).filter(isOld), ...plan.findings],
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
