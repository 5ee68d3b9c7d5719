import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { IDEMPOTENCY_KEY_HEADER } from "../../contract/routes.ts";
import { findRepeated } from "../jobs/repeated-request.ts";
import { RequestError } from "../request-error.ts";
import { type AnsweredRequest, type KeyedRequest, noteAnswered } from "../storage/answered-requests.ts";
import type { Queries } from "../storage/database.ts";
import { findMedia, type MediaRecord } from "../storage/media-records.ts";
import { lockTeam } from "../storage/team-records.ts";
import type { Caller } from "./authenticate.ts";
import type { ServiceParts } from "./service-parts.ts";

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
  { database }: ServiceParts,
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
