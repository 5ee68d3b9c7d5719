import type { Client } from "../../client/client.ts";
import { ServiceError } from "../../client/errors.ts";
import type { FailedJob } from "../../client/job-reply.ts";
import type { JobCost } from "../../contract/job.ts";
import { defined } from "../../core/objects.ts";
import { type RecoveryStore, type RunRecord, withoutFacts } from "./recovery.ts";

/**
 * What became of the job of a run that was to be stopped. `stopped`: nothing is at work for it any more, and where it stood.
 * `over`: it had ended before, and its result can be fetched. `none`: none was ordered, as far as anybody knows.
 */
export type StoppedJob =
  | {
      readonly outcome: "stopped";
      readonly jobId: string;
      readonly progress?: FailedJob["progress"];
      readonly cost?: JobCost;
    }
  | { readonly outcome: "over"; readonly jobId: string }
  | { readonly outcome: "none" };

/**
 * Stops the job of a run at its service, and takes the request for it off the record: the same order asks again, and goes on from
 * what the service has kept. What is exported and uploaded stays on record; an upload that was under way goes.
 *
 * @throws CancelNotOfferedError, ServiceError, ConnectionError, TimeoutError or the signal's reason where the job goes on, or may:
 * the record is as it was then.
 */
export async function stopRun(
  {
    client,
    recovery,
  }: { readonly client: Pick<Client, "cancelJob" | "deleteMedia">; readonly recovery: RecoveryStore },
  runId: string,
  signal: AbortSignal,
): Promise<StoppedJob> {
  const record = await recovery.load(runId);
  if (record?.sending !== undefined && record.sent === undefined && record.media === undefined) {
    // Every service but ours keeps it until it is swept.
    await client.deleteMedia(record.sending.mediaId, { signal }).catch(() => undefined);
    await recovery.save(withoutFacts(record, "sending"));
  }
  if (record?.submission?.state !== "accepted") return { outcome: "none" };
  const { jobId } = record.submission;
  if (record.result !== undefined) return { outcome: "over", jobId };
  const forget = (fact: RunRecord) => recovery.save(withoutFacts(fact, "submission"));
  try {
    const { progress, cost } = await client.cancelJob(jobId, { signal });
    await forget(record);
    return { outcome: "stopped", jobId, ...defined({ progress, cost }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "job_not_cancellable") return { outcome: "over", jobId };
    if (error.code !== "not_found") throw error;
    await forget(record);
    return { outcome: "none" };
  }
}

/** What a stopped job leaves for the same order, by the stage it stood in, as people name it; nothing where it had not begun. */
export function keptOfStage(stage: string | undefined): readonly string[] {
  switch (stage) {
    case undefined:
    case "analyse":
      return [];
    case "listen":
      return ["the shots", "the dialogue so far"];
    case "describe":
      return ["dialogue and shots", "the descriptions so far"];
    default:
      return ["dialogue and shots", "the descriptions", "the lines spoken so far"];
  }
}

/** What a job has asked for and what that cost, such as `0.12 for 9 requests`; without a stated price the requests alone. */
export function costWords({ requests, unpriced, useless, spent, reserved }: JobCost): string {
  const priced = requests - unpriced;
  const sums = [
    ...(spent === null || spent === 0 ? [] : [amount(spent)]),
    ...(reserved === null || reserved === 0 ? [] : [`up to ${amount(reserved)} in progress`]),
  ];
  const words = [
    sums.length === 0 || priced === 0 ? counted(requests) : `${sums.join(" and ")} for ${counted(priced)}`,
    ...(sums.length === 0 || priced === 0 || unpriced === 0 ? [] : [`${counted(unpriced)} without a stated price`]),
    ...(useless === 0 ? [] : [`${useless === 1 ? "1 answer" : `${useless} answers`} of no use`]),
  ];
  return words.join(", ");
}

/** What two jobs took together. A sum of which one part is stated and the other not holds the stated part, as in one job. */
export function addedCost(one: JobCost, other: JobCost): JobCost {
  const both = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0));
  return {
    requests: one.requests + other.requests,
    useless: one.useless + other.useless,
    unpriced: one.unpriced + other.unpriced,
    spent: both(one.spent, other.spent),
    reserved: both(one.reserved, other.reserved),
    ceiling: one.ceiling === null || other.ceiling === null ? null : one.ceiling + other.ceiling,
  };
}

function counted(requests: number): string {
  return requests === 1 ? "1 request" : `${requests} requests`;
}

function amount(money: number): string {
  return money < 0.005 ? "less than 0.01" : money.toFixed(2);
}
