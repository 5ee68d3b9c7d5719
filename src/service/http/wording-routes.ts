import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import {
  type WordingOfferReply,
  type WordingRefusal,
  type WordingsAsked,
  type WordingsReply,
  WordingsRequest,
} from "../../contract/wordings.ts";
import { JobFailure, type WordingsMade } from "../../engine/index.ts";
import { settingsOf } from "../jobs/long-values.ts";
import { RequestError } from "../request-error.ts";
import { wordingOffer } from "../settings/setting-choices.ts";
import { getJob } from "../storage/job-records.ts";
import { JobLedger } from "../storage/paid-requests.ts";
import { usagePeriod } from "../storage/team-records.ts";
import { AwaitedWork } from "./awaited-work.ts";
import { findJobOf } from "./job-routes.ts";
import { parseRequest, reportIgnored } from "./parse-request.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";

/** Requests of a team that may be there at once, and the seconds that a model may take: one on this computer is slow. */
const LIMITS = { name: "wordings", ofTeam: 4, seconds: 300 } as const;

/** Longest overrun that nobody hears, in seconds. */
const TOLERANCE = 0.05;

/**
 * `jobs/{job_id}/wordings`, an addition of this service: asks the model in use for wordings of one moment of a finished job. It is
 * written into the book of the job like all that is paid for, counts for the team's month, and ends with whoever asked.
 */
export function addWordingRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const { database, objects, clock } = parts;
  const work = new AwaitedWork(LIMITS, clock);

  app.get<{ Params: { job_id: string } }>(
    SERVED_ROUTES.getWordingOffer.path.replace("{job_id}", ":job_id"),
    async (request): Promise<WordingOfferReply> => {
      await findJobOf(parts, callerOf(request).id, request.params.job_id);
      const offer = await wordingOffer(await parts.settings.variables([]));
      if (offer === null) throw noModel();
      return { status: "available", ...offer };
    },
  );

  app.post<{ Params: { job_id: string } }>(
    SERVED_ROUTES.wordings.path.replace("{job_id}", ":job_id"),
    async (request, reply): Promise<WordingsReply> => {
      const team = callerOf(request);
      const { value, ignored } = parseRequest(WordingsRequest, request.body);
      if (value.end <= value.start) throw new RequestError("invalid_input", '"end" must be after "start".');
      const { id } = await findJobOf(parts, team.id, request.params.job_id);
      const job = await getJob(database, id);
      if (job === null || job.status !== "done") throw refusal("not_finished", "This job has no result yet.");
      // Whoever waits for a model is silent meanwhile; that is no stalled connection.
      request.raw.socket?.setTimeout?.(0);
      const ledger = new JobLedger(database, {
        jobId: id,
        teamId: team.id,
        period: () => usagePeriod(clock.now()),
        costPerMonth: async () => team.plan.cost_per_month,
      });
      const made = await work.take(team.id, reply, async (signal) => {
        const { language, instructions, category } = await settingsOf(objects, job, signal);
        const order = {
          ...orderOf(value),
          language,
          instructions,
          category,
          mediaFolder: join(parts.folders.programmes, job.mediaId),
        };
        return parts.engine.wordings(order, { signal, ledger }).catch(told);
      });
      return { ...replyOf(made, value), ...reportIgnored(ignored) };
    },
  );
}

function orderOf({ kind, start, end, seconds, text, before, after, notes }: WordingsAsked) {
  return { kind, start, end, seconds, text, before, after, notes };
}

/** @throws RequestError where none could be made. */
function replyOf(made: WordingsMade, { seconds: room }: WordingsAsked): WordingsReply {
  if (made.kind === "no-model") throw noModel();
  if (made.kind === "pictures-gone") {
    throw new RequestError(
      "not_found",
      "The pictures of this film are no longer kept, so no wording can be made. Write it yourself, or describe the film again.",
      { body: { code: "pictures_gone" } },
    );
  }
  const wordings = made.wordings.map((one) => ({ ...one, fits: one.seconds <= room + TOLERANCE }));
  return { wordings, model: made.model };
}

function told(error: unknown): never {
  if (!(error instanceof JobFailure)) throw error;
  if (error.code === "content_blocked") throw refusal("content_blocked", error.message);
  // What a model outside this service says of itself: the sentence names what to check.
  throw new RequestError("internal_error", error.message);
}

function noModel(): RequestError {
  return refusal(
    "no_model",
    "No model that describes is set up, so that no wording can be made. Set one up, or write it yourself.",
  );
}

function refusal(code: WordingRefusal, message: string): RequestError {
  return new RequestError("invalid_input", message, { body: { code } });
}
