import type { TimeRange } from "../../../core/time-range.ts";
import { timecodeAt } from "../../../core/timecode.ts";
import type { Timeline } from "../../../core/timeline.ts";
import { CONFORM_REASONS, type ConformPlan } from "../../../workflow/conform/conform-sequence.ts";
import { type Output, tableOf } from "../../shell/output.ts";
import { clock } from "../../shell/progress.ts";
import type { ConformCall } from "./conform-call.ts";
import type { Conformed } from "./conform-files.ts";
import type { NewPlan } from "./describe-new.ts";

/** What describing what is new would take, in one sentence. */
export function estimateOf({ stretches, seconds, estimate }: NewPlan, { describesNew }: ConformCall): string {
  if (stretches.length === 0) return "Nothing is new in this cut.";
  const count = `${stretches.length} stretch${stretches.length === 1 ? "" : "es"}`;
  const price = describesNew?.server === undefined ? "nothing is billed" : `about ${credits(estimate.credits)} credits`;
  return `New in this cut: ${count}, ${clock(Math.round(seconds))} in all, ${price}.`;
}

function credits(amount: number): string {
  return amount.toFixed(amount < 0.1 ? 2 : 1);
}

/** Prints what became of every description, and of what is new. */
export function printConformed(call: ConformCall, done: Conformed, output: Output): void {
  const { conform, timeline, losses, result } = done;
  const reasons = conform.descriptions.filter(({ reason }) => reason !== undefined);
  const rows = reasons.map(({ cueId, state, reason, start, text }) => [
    timecodeAt(timeline, start),
    state,
    cueId,
    reason === undefined ? "" : CONFORM_REASONS[reason],
    text.slice(0, 40),
  ]);
  const fresh = (result?.added.cues ?? []).map(({ id, start, text }) => [
    timecodeAt(timeline, start),
    "new",
    id,
    "",
    text.slice(0, 60),
  ]);
  const all = [...rows, ...fresh];
  if (all.length > 0) output.print(`${tableOf(["at", "", "cue", "why", "words"], all)}\n`);
  for (const { stretch, refusal } of result?.described ?? []) {
    if (refusal !== undefined) output.tell(`Not described: ${rangeOf(timeline, stretch)}. ${refusal.message}`);
  }
  for (const loss of [...losses, ...(result?.notices ?? [])]) output.tell(loss);
  const added = result === null ? "" : `, ${result.added.cues.length} new`;
  output.print(
    done.isWritten
      ? `${countsOf(conform)}${added}. Written to ${call.out}.`
      : `${countsOf(conform)}. Nothing was written.`,
  );
  if (conform.isStemStale) {
    output.print(
      'The narration file holds descriptions that are elsewhere now: "aside revoice" with this timeline and --record makes it again; only changed lines are spoken anew.',
    );
  }
}

function rangeOf(timeline: Timeline, { start, end }: TimeRange): string {
  return `${timecodeAt(timeline, start)} to ${timecodeAt(timeline, end)}`;
}

function countsOf({ descriptions }: ConformPlan): string {
  const states = ["unchanged", "moved", "touched", "orphaned"] as const;
  const parts = states.map((state) => `${descriptions.filter((one) => one.state === state).length} ${state}`);
  return `${descriptions.length} descriptions: ${parts.join(", ")}`;
}

/** The same for scripts. */
export function reportOf({ out, describesNew }: ConformCall, { conform, losses, plan, result, isWritten }: Conformed) {
  const { descriptions, isStemStale } = conform;
  const report = { out: isWritten ? out : null, stem_is_stale: isStemStale, descriptions, losses };
  if (plan === null) return report;
  const { stretches, seconds, estimate } = plan;
  const isSilent = describesNew?.track === "none";
  return {
    ...report,
    new: {
      seconds,
      credits: estimate.credits,
      stretches: stretches.map(({ start, end, inside }, index) => {
        const one = result?.described[index];
        return { start, end, inside, ...(one?.refusal === undefined ? {} : { refusal: one.refusal }) };
      }),
      cues: result?.added.cues ?? [],
      clips: isSilent ? [] : (result?.added.sounds ?? []).map(({ clipName }) => clipName),
      notices: result?.notices ?? [],
    },
  };
}
