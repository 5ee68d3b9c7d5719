import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/ports.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../../core/settings.ts";
import type { JobKind } from "../../engine/index.ts";
import type { TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { Database, Queries } from "../storage/database.ts";
import { type ArtifactRecord, countOpenJobs, insertArtifact, insertJob } from "../storage/job-records.ts";
import { type MediaRecord, touchMedia } from "../storage/media-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { readCost } from "../storage/paid-requests.ts";
import {
  type AnsweredRequest,
  findAnswered,
  type KeyedRequest,
  lockTeam,
  noteAnswered,
  readUsage,
  reserveMinutes,
  usagePeriod,
} from "../storage/team-records.ts";
import { storeLongValue } from "./long-values.ts";
import type { WorkQueue } from "./work-queue.ts";

/** What accepting jobs needs. */
export interface SubmitParts {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly objects: ObjectStore;
  readonly folders: DataFolders;
  readonly clock: Clock;
}

/** A validated generation request. */
export interface Submission {
  readonly team: { readonly id: string; readonly plan: TeamPlan };
  readonly media: MediaRecord;
  readonly kind: JobKind;
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: TrackKind;
  readonly resolution: string;
  /** By which the request can be told from any other; `null` without a key. */
  readonly keyed: KeyedRequest | null;
}

/** A job that was accepted, now or by the same keyed request before. */
export interface AcceptedJob {
  readonly id: string;
  readonly mediaId: string;
}

/** What a client is told to wait when the queue is full, in seconds: jobs end in minutes, not in moments. */
const QUEUE_RETRY_AFTER_SECONDS = 15;

/**
 * Accepts a job: its settings are stored first, where they are long; its row, its reservation, its place in the queue and
 * the key it was asked by appear together or not at all. A keyed request that was accepted before makes no second one.
 *
 * @throws RequestError `not_found`, `queue_limit_exceeded`, `plan_limit_exceeded`, or `invalid_input` for a key that came
 * with another request; no job was made then.
 */
export async function submitJob(parts: SubmitParts, submission: Submission): Promise<AcceptedJob> {
  const id = randomUUID();
  const settings = { kind: "settings", name: "settings", value: submission.settings } as const;
  const beside = await storeLongValue(parts, { id, teamId: submission.team.id }, settings);
  const removeKept = async () => {
    if (beside !== null) await parts.objects.remove(beside.storageKey);
  };
  try {
    const accepted = await parts.database.transaction((queries) =>
      accept(parts, queries, { ...submission, id, beside }),
    );
    if (accepted.id === id) parts.queue.wake("run-job");
    else await removeKept();
    return accepted;
  } catch (error) {
    // After any other error the job may be there and need them; where it is not, the sweep removes them.
    if (error instanceof RequestError) await removeKept();
    throw error;
  }
}

async function accept(
  { queue, clock }: SubmitParts,
  queries: Queries,
  {
    id,
    beside,
    team,
    media,
    kind,
    settings,
    track,
    resolution,
    keyed,
  }: Submission & { readonly id: string; readonly beside: ArtifactRecord | null },
): Promise<AcceptedJob> {
  await lockTeam(queries, team.id);
  const earlier = await findRepeated(queries, keyed);
  if (earlier?.jobId != null) return { id: earlier.jobId, mediaId: earlier.mediaId };
  await checkQueue(queries, team);
  if (!(await touchMedia(queries, media.id))) {
    throw new RequestError("not_found", "The media was just removed because nobody used it for long. Upload it again.");
  }
  const period = usagePeriod(clock.now());
  const minutes = ((media.durationSeconds ?? 0) / 60) * team.plan.minute_weights[kind];
  await checkAllocation(queries, team, period, minutes);
  if (settings.script === undefined) await checkCost(queries, team, period);
  const job = {
    id,
    teamId: team.id,
    mediaId: media.id,
    kind,
    origin: "api",
    settings: beside === null ? settings : { format: settings.format, storageKey: beside.storageKey },
    track,
    resolution,
  };
  const turn = await insertJob(queries, job);
  if (beside !== null) await insertArtifact(queries, id, beside);
  await reserveMinutes(queries, { jobId: id, teamId: team.id, period, minutes });
  await queue.add(queries, "run-job", id, { priority: -turn, teamId: team.id });
  if (keyed !== null) await noteAnswered(queries, keyed, { jobId: id, mediaId: media.id, mediaStatus: null });
  return { id, mediaId: media.id };
}

async function checkQueue(queries: Queries, { id, plan }: Submission["team"]): Promise<void> {
  const open = await countOpenJobs(queries, id);
  if (open < plan.queued_jobs) return;
  throw new RequestError(
    "queue_limit_exceeded",
    `The team has ${open} jobs waiting or running, and the plan "${plan.name}" allows ${plan.queued_jobs}. Wait for some to finish.`,
    { headers: { "retry-after": String(QUEUE_RETRY_AFTER_SECONDS) } },
  );
}

async function checkAllocation(
  queries: Queries,
  { id, plan }: Submission["team"],
  period: string,
  minutes: number,
): Promise<void> {
  const limit = plan.minutes_per_month;
  if (limit === null) return;
  const { spentMinutes, reservedMinutes } = await readUsage(queries, id, period);
  if (limit > 0 && spentMinutes + reservedMinutes + minutes <= limit) return;
  throw new RequestError(
    "plan_limit_exceeded",
    `The job needs ${round(minutes)} minutes of the team's ${round(limit)} this month; ${round(spentMinutes)} are spent and ${round(reservedMinutes)} reserved for jobs in progress.`,
  );
}

/** @throws RequestError `plan_limit_exceeded` where models have cost the team all that they may in this month. */
async function checkCost(queries: Queries, { id, plan }: Submission["team"], period: string): Promise<void> {
  const limit = plan.cost_per_month;
  if (limit === null) return;
  const spent = await readCost(queries, id, period);
  if (spent < limit) return;
  throw new RequestError(
    "plan_limit_exceeded",
    `Models may cost the team ${limit} a month, and ${round(spent)} are spent or reserved. Give a script, or have ASIDE_COST_PER_MONTH (limits.cost_per_month) raised.`,
  );
}

function round(minutes: number): string {
  return String(Math.round(minutes * 100) / 100);
}

/**
 * What came of an earlier request with the same key; `null` where there was none, or where the request has no key.
 *
 * @throws RequestError `invalid_input` when the earlier one asked for something else.
 */
export async function findRepeated(queries: Queries, request: KeyedRequest | null): Promise<AnsweredRequest | null> {
  const earlier = request === null ? null : await findAnswered(queries, request);
  if (earlier === null || earlier.fingerprint === request?.fingerprint) return earlier;
  throw new RequestError(
    "invalid_input",
    'This "Idempotency-Key" came with another request before. Send a new key with each new request, and the same one only when you send a request again.',
  );
}
