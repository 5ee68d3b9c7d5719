import { statfs } from "node:fs/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import {
  type BackupReply,
  DESK_PATH,
  type DeskJob,
  type DeskMedia,
  type DeskOrder,
  type DeskState,
  type ExamineReply,
  type LinkReply,
  type LogReply,
  type NewKeyReply,
  type TextsReply,
} from "../../contract/page.ts";
import { PAIRING_CODE_SECONDS, type PairingCodeReply } from "../../contract/pairing.ts";
import type { Administration } from "../admin/administration.ts";
import { BackupError } from "../admin/backup.ts";
import type { DoctorFinding } from "../admin/doctor.ts";
import { settingsOf } from "../jobs/long-values.ts";
import type { RecentLog } from "../log.ts";
import { RequestError } from "../request-error.ts";
import { requireRoomFor } from "../storage/disk-room.ts";
import { getJob } from "../storage/job-records.ts";
import { createLogInLink, createPairingCode, SESSION_NAME } from "../storage/key-records.ts";
import { findMedia } from "../storage/media-records.ts";
import { findPageText, keepPageText, listPageTexts, removePageText } from "../storage/page-text-records.ts";
import { isUuid } from "../uuid.ts";
import { VERSION } from "../version.ts";
import type { Caller } from "./authenticate.ts";
import { findJobOf } from "./job-routes.ts";
import { parseRequest } from "./parse-request.ts";
import { rateHeaders } from "./request-rate.ts";
import { isOfReview } from "./route-rights.ts";
import { baseUrlOf, callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";

/** What the desk asks beside the records: what whoever runs the service can do. */
export interface DeskParts {
  readonly administration: Administration;
  /** Looks at everything the service needs; `null` where it runs on what was handed to it. */
  readonly examine: (() => Promise<readonly DoctorFinding[]>) | null;
  /** The newer version that is there; `null` where none is known. */
  readonly newVersion: () => string | null;
  readonly log: RecentLog;
}

/** `POST /home/desk/keys`: what the key is for. */
const NewKeyRequest = z.object({ name: z.string().check(z.minLength(1), z.maxLength(100)) });

/** Jobs listed at most. */
const LISTED_JOBS = 100;

/** Longest text that the page keeps, in bytes: a result of the longest film is far below. */
const TEXT_MAX_BYTES = 16 * 1024 * 1024;

/** Paths of texts: safe segments. */
const TEXT_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*){0,3}$/;

/** The page's own requests, of the media and jobs of the caller's team alone. Who may send which: `route-rights.ts`. */
export function addDeskRoutes(app: FastifyInstance, parts: ServiceParts, desk: DeskParts): void {
  const { database } = parts;
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(rateHeaders(await parts.rate.take(callerOf(request))));
  });

  app.post(`${DESK_PATH}/links`, async (request): Promise<LinkReply> => {
    return { token: await createLogInLink(database, callerOf(request).name) };
  });

  app.post(`${DESK_PATH}/pairing-codes`, async (request): Promise<PairingCodeReply> => {
    return { code: await createPairingCode(database, callerOf(request).name), expires_seconds: PAIRING_CODE_SECONDS };
  });

  addQueueRoutes(app, parts);
  addTextRoutes(app, parts);

  app.get(`${DESK_PATH}/state`, async (request) => stateOf(parts, desk, callerOf(request)));

  app.post(`${DESK_PATH}/keys`, async (request): Promise<NewKeyReply> => {
    const { value } = parseRequest(NewKeyRequest, request.body);
    const { key } = await desk.administration.createKey({ team: callerOf(request).name, name: value.name });
    return { key };
  });

  app.delete<{ Params: { id: string } }>(`${DESK_PATH}/keys/:id`, async (request, reply) => {
    const keys = await desk.administration.listKeys();
    const isOwn = keys.some(({ id, team }) => id === request.params.id && team === callerOf(request).name);
    if (!isOwn || !(await desk.administration.revokeKey(request.params.id))) {
      throw new RequestError("not_found", "There is no such key, or it is withdrawn already.");
    }
    return reply.code(204).send();
  });

  app.get(`${DESK_PATH}/log`, async (): Promise<LogReply> => ({ lines: desk.log.lines }));

  app.post(`${DESK_PATH}/examine`, async (): Promise<ExamineReply> => {
    if (desk.examine === null) {
      throw new RequestError(
        "feature_not_available",
        "This service is part of another program, and is examined there.",
      );
    }
    return { findings: await desk.examine() };
  });

  app.post(`${DESK_PATH}/backup`, async (): Promise<BackupReply> => {
    // Beside the data, and nowhere else: no folder is named over a network.
    const folder = `${parts.configuration.dataFolder}-backup`;
    const { objects, bytes } = await desk.administration.backUp(folder).catch((error: unknown) => {
      throw error instanceof BackupError ? new RequestError("invalid_input", error.message) : error;
    });
    return { folder, objects, bytes };
  });
}

/** The team's jobs, and what a player needs of them. */
function addQueueRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const { database, objects } = parts;

  app.get(`${DESK_PATH}/jobs`, async (request): Promise<readonly DeskJob[]> => listJobs(parts, callerOf(request)));

  app.get<{ Params: { id: string } }>(`${DESK_PATH}/jobs/:id/order`, async (request, reply): Promise<DeskOrder> => {
    const { id } = await findJobOf(parts, callerOf(request).id, request.params.id);
    const job = await getJob(database, id);
    if (job === null) throw new RequestError("not_found", "There is no job with this id.");
    const settings = await settingsOf(objects, job, senderSignal(reply));
    return { kind: job.kind, track: job.track, settings };
  });

  app.get<{ Params: { id: string } }>(`${DESK_PATH}/media/:id`, async (request): Promise<DeskMedia> => {
    const { id } = request.params;
    const media = isUuid(id) ? await findMedia(database, callerOf(request).id, id) : null;
    if (media === null || (await objects.stat(media.storageKey)) === null) {
      throw new RequestError("not_found", "The service no longer has this programme.");
    }
    const { fileName, durationSeconds, frameRate, sizeBytes, storageKey } = media;
    // A player looks at the bytes of what claims to be video; as anything else a browser is not to take it.
    const stated = media.contentType ?? "";
    const contentType = /^(?:video|audio)\//.test(stated) ? stated : "video/mp4";
    const link = { contentType, fileName: "programme" };
    return {
      file_name: fileName,
      content_type: contentType,
      duration_seconds: durationSeconds,
      frame_rate: frameRate,
      size_bytes: sizeBytes,
      signed_url: await objects.downloadLink(storageKey, link, baseUrlOf(parts, request)),
    };
  });
}

/** What the page keeps: results with the words of people, and what is under way. */
function addTextRoutes(app: FastifyInstance, { database, configuration }: ServiceParts): void {
  app.addContentTypeParser("text/plain", { parseAs: "string", bodyLimit: TEXT_MAX_BYTES }, (_request, body, done) =>
    done(null, body),
  );

  app.get(`${DESK_PATH}/texts`, async (request): Promise<TextsReply> => {
    const { id, review } = callerOf(request);
    const paths = await listPageTexts(database, id);
    return { paths: review === undefined ? paths : paths.filter((path) => isOfReview(review, path)) };
  });

  app.get<{ Params: { "*": string } }>(`${DESK_PATH}/texts/*`, async (request, reply) => {
    const text = await findPageText(database, callerOf(request).id, textPath(request));
    if (text === null) throw new RequestError("not_found", "Nothing is kept under this name.");
    return reply.type("text/plain; charset=utf-8").send(text);
  });

  app.put<{ Params: { "*": string } }>(`${DESK_PATH}/texts/*`, async (request, reply) => {
    const { body } = request;
    if (typeof body !== "string" || body.includes("\0")) {
      throw new RequestError("invalid_input", "The request must have plain text as its body, without NUL characters.");
    }
    await requireRoomFor(configuration.dataFolder, body.length);
    await keepPageText(database, callerOf(request).id, textPath(request), body);
    return reply.code(204).send();
  });

  app.delete<{ Params: { "*": string } }>(`${DESK_PATH}/texts/*`, async (request, reply) => {
    await removePageText(database, callerOf(request).id, textPath(request));
    return reply.code(204).send();
  });
}

/** @throws RequestError `invalid_input`. */
function textPath(request: FastifyRequest<{ Params: { "*": string } }>): string {
  const path = request.params["*"];
  if (path.length <= 200 && TEXT_PATH.test(path)) return path;
  throw new RequestError("invalid_input", "The name must be made of letters, digits, dots and dashes.");
}

async function listJobs({ database }: ServiceParts, { id }: Caller): Promise<readonly DeskJob[]> {
  const rows = await database.query<DeskJob & { readonly created: Date; readonly finished: Date | null }>(
    `SELECT j.id AS job_id, j.media_id, j.kind, j.status, m.file_name, j.stage, j.fraction, j.error, j.message,
       j.created_at AS created, j.finished_at AS finished
     FROM aside.job j JOIN aside.media m ON m.id = j.media_id
     WHERE j.team_id = $1 AND j.deleted_at IS NULL ORDER BY j.created_at DESC LIMIT $2`,
    [id, LISTED_JOBS],
  );
  return rows.map(({ created, finished, ...job }) => ({
    ...job,
    created_at: created.toISOString(),
    finished_at: finished?.toISOString() ?? null,
  }));
}

async function stateOf(
  { database, configuration, settings }: ServiceParts,
  { administration, newVersion }: DeskParts,
  { name }: Caller,
): Promise<DeskState> {
  const [media] = await database.query<DeskState["media"]>(
    `SELECT count(*)::int AS count, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM aside.media
     WHERE upload_status = 'completed' AND canonical_id IS NULL AND removed_at IS NULL`,
  );
  const [results] = await database.query<DeskState["results"]>(
    "SELECT count(DISTINCT job_id)::int AS count, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM aside.artifact",
  );
  const { bavail, bsize } = await statfs(configuration.dataFolder);
  const none = { count: 0, bytes: 0 };
  const { media_days, result_days } = (await settings.limits(configuration)).retention;
  return {
    version: VERSION,
    new_version: newVersion(),
    free_bytes: bavail * bsize,
    media: media ?? none,
    results: results ?? none,
    retention: { media_days, result_days },
    keys: (await administration.listKeys())
      .filter((key) => key.team === name && key.revokedAt === null && key.name !== SESSION_NAME)
      .map(({ id, name: called, team, isAdministrator, createdAt }) => ({
        id,
        name: called,
        team,
        is_administrator: isAdministrator,
        created_at: createdAt,
      })),
  };
}
