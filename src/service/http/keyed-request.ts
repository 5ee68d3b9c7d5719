import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { IDEMPOTENCY_KEY_HEADER } from "../../contract/routes.ts";
import { type VideoAddress, withFetchedVideo } from "../ingest/fetch-video.ts";
import { type TakenIn, takeInFile } from "../ingest/take-in.ts";
import { findRepeated } from "../jobs/submit-job.ts";
import { RequestError } from "../request-error.ts";
import type { Queries } from "../storage/database.ts";
import { findMedia, type MediaRecord } from "../storage/media-records.ts";
import { type AnsweredRequest, type KeyedRequest, lockTeam, noteAnswered } from "../storage/team-records.ts";
import { type Caller, requireFeature } from "./authenticate.ts";
import { type ServiceParts, senderSignal } from "./service-parts.ts";

/** What a key may be: a word of visible characters, in quotes (as a structured field has it) or without. */
const KEY = /^(?:"([\x20\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e][\x20\x21\x23-\x7e]{0,254}))$/;

/**
 * The key that a request carries, with what it asks for; `null` without one.
 *
 * @param asked Everything that makes the request what it is, as JSON can hold it.
 * @throws RequestError `invalid_input` for a key that is none.
 */
export function keyedRequest(request: FastifyRequest, team: Caller, asked: unknown): KeyedRequest | null {
  const header = request.headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()];
  if (header === undefined) return null;
  const [, quoted, bare] = KEY.exec(String(header)) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) {
    throw new RequestError(
      "invalid_input",
      `The header "${IDEMPOTENCY_KEY_HEADER}" must have 1 to 255 visible ASCII characters, such as a UUID.`,
    );
  }
  const fingerprint = createHash("sha256")
    .update(JSON.stringify(asked) ?? "")
    .digest("hex");
  return { teamId: team.id, endpoint: request.routeOptions.url ?? "", key, fingerprint };
}

/** A media that a request brought, and how its reply calls that. */
export interface BroughtMedia {
  readonly media: MediaRecord;
  readonly status: NonNullable<AnsweredRequest["mediaStatus"]>;
}

/** Brings media, or finds what the same keyed request brought before. */
export async function bringOnce(
  { database }: Pick<ServiceParts, "database">,
  keyed: KeyedRequest | null,
  bring: () => Promise<BroughtMedia>,
): Promise<BroughtMedia> {
  if (keyed === null) return bring();
  const before = async (queries: Queries): Promise<BroughtMedia | null> => {
    const earlier = await findRepeated(queries, keyed);
    const media = earlier === null ? null : await findMedia(queries, keyed.teamId, earlier.mediaId);
    return media === null || earlier?.mediaStatus == null ? null : { media, status: earlier.mediaStatus };
  };
  const earlier = await before(database);
  if (earlier !== null) return earlier;
  const brought = await bring();
  return database.transaction(async (queries) => {
    // Whoever sent the same at the same time is told the same.
    await lockTeam(queries, keyed.teamId);
    const meanwhile = await before(queries);
    if (meanwhile !== null) return meanwhile;
    await noteAnswered(queries, keyed, { jobId: null, mediaId: brought.media.id, mediaStatus: brought.status });
    return brought;
  });
}

/**
 * Fetches a video that a request names by its address, and makes it media of the team.
 *
 * @throws RequestError as fetching and taking in do, and `feature_not_available`.
 */
export async function takeFromAddress(
  parts: ServiceParts,
  team: Caller,
  address: VideoAddress,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TakenIn> {
  requireFeature(team.plan, "url_input");
  if (await parts.settings.isLocalOnly()) {
    throw new RequestError(
      "feature_not_available",
      "This service is set to let nothing leave its computer, so it fetches no video from an address. Upload the file instead.",
    );
  }
  // The client waits in silence while the service fetches; that is no stalled connection.
  request.raw.socket?.setTimeout?.(0);
  const { configuration, folders } = parts;
  const { allowed_networks, ports, maximum_redirects, idle_seconds, time_limit_seconds } = configuration.url_input;
  const signal = senderSignal(reply);
  return withFetchedVideo(
    {
      rules: {
        allowedNetworks: allowed_networks,
        ports,
        maximumRedirects: maximum_redirects,
        idleSeconds: idle_seconds,
      },
      clock: parts.clock,
      timeLimitSeconds: time_limit_seconds,
      incoming: folders.incoming,
    },
    team.plan,
    address,
    signal,
    (file) => takeInFile(parts, team, file, signal),
  );
}
