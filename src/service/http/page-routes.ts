import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { type LogInReply, PAGE_PATH } from "../../contract/page.ts";
import { PAIRING_CODE_DIGITS, type PairReply } from "../../contract/pairing.ts";
import { CALLED_ROUTES } from "../../contract/routes.ts";
import { RequestError } from "../request-error.ts";
import { type KeyHolder, type ReviewGrant, takeLogInLink, takePairingCode } from "../storage/key-records.ts";
import { findReviewer } from "../storage/review-links.ts";
import { VERSION } from "../version.ts";
import { builtPage } from "./built-page.ts";
import { parseRequest } from "./parse-request.ts";
import type { ServiceParts } from "./service-parts.ts";

/** `POST /home/log-in`: the secret of a link. Its schema is no part of the contract, which a browser loads. */
const LogInRequest = z.object({ token: z.string().check(z.maxLength(200)) });

/** A browser keeps the page's files for good: what changes has another name. */
const KEPT = "private, max-age=31536000, immutable";

/** The page itself and the exchange of a log-in link for a key. Neither tells anything of the service to who has none. */
export function addPageRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const say = (sentence: string) => app.log.info(sentence);
  app.get(PAGE_PATH, async (_request, reply) => {
    const { html } = await builtPage(say);
    return reply
      .header("content-security-policy", await policyOf(parts))
      .header("cross-origin-opener-policy", "same-origin")
      .header("permissions-policy", "camera=(), geolocation=(), microphone=()")
      .type("text/html; charset=utf-8")
      .send(html);
  });

  app.get<{ Params: { name: string } }>(`${PAGE_PATH}/files/:name`, async (request, reply) => {
    const { files } = await builtPage(say);
    const file = files.get(request.params.name);
    if (file === undefined) throw new RequestError("not_found", "There is no such part of the page. Reload it.");
    return reply
      .header("cache-control", KEPT)
      .header("cross-origin-resource-policy", "same-origin")
      .type(file.contentType)
      .send(file.bytes);
  });

  app.post(`${PAGE_PATH}/log-in`, async (request): Promise<LogInReply> => {
    const { value } = parseRequest(LogInRequest, request.body);
    const reviewer = await findReviewer(parts.database, value.token);
    if (reviewer?.review !== undefined) return reviewReply(value.token, reviewer, reviewer.review);
    const key = await takeLogInLink(parts.database, value.token);
    if (key === null) {
      throw new RequestError(
        "unauthorized",
        "This link was used before, has ended, or was taken back. Open Aside again, or ask for another link.",
      );
    }
    return { key: key.key, key_id: key.id, team: key.team, version: VERSION };
  });
}

/** A link for reviewing one film is its own key, as long as it counts. */
function reviewReply(
  key: string,
  { name: team }: Pick<KeyHolder, "name">,
  { linkId, jobId, mediaId, runId, expiresAt }: ReviewGrant,
): LogInReply {
  const review = { job_id: jobId, media_id: mediaId, run_id: runId, expires_at: expiresAt };
  return { key, key_id: linkId, team, version: VERSION, review };
}

/**
 * The page loads its own files and nothing else, compiles no text, and sits in no frame. It sends to its own service, and
 * to the store of objects where that stands elsewhere.
 */
async function policyOf({ disk, objects }: ServiceParts): Promise<string> {
  const link = disk === null ? await objects.downloadLink("teams/none", { contentType: "", fileName: "" }, "") : null;
  const store = link === null ? "" : ` ${new URL(link).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${store}`,
    "img-src data: blob:",
    `media-src 'self' blob:${store}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** What somebody typed: six digits; spaces and dashes do not count. */
const PairRequest = z.object({ code: z.string() });

/** Codes that one process looks at in so many seconds, whoever sends them. */
const LOOKED_AT = { codes: 10, seconds: 60 } as const;

/**
 * `POST /home/pair`, which takes no key: trades a code that an administrator
 * sees on the page for a key. What is wrong with a code is told to nobody. A web page of somebody else cannot send JSON here
 * without leave, which it never gets.
 */
export function addPairRoutes(app: FastifyInstance, { database, clock }: ServiceParts): void {
  let lookedAt: number[] = [];

  app.post(CALLED_ROUTES.pair.path, async (request): Promise<PairReply> => {
    const { value } = parseRequest(PairRequest, request.body);
    const code = value.code.replace(/[\s-]/g, "");
    const now = clock.now();
    lookedAt = lookedAt.filter((time) => now - time < LOOKED_AT.seconds * 1_000);
    if (lookedAt.length >= LOOKED_AT.codes) throw tooMany();
    lookedAt.push(now);
    const isCode = code.length === PAIRING_CODE_DIGITS && /^\d+$/.test(code);
    const key = isCode ? await takePairingCode(database, code) : null;
    if (key === null) throw refused();
    return { key: key.key, key_id: key.id, team: key.team, version: VERSION };
  });
}

function refused(): RequestError {
  return new RequestError(
    "unauthorized",
    "This code is not valid, or no longer. It counts once, for five minutes, and ends after a few wrong ones: have the page show another.",
  );
}

/** Not a code that clients try again by themselves: each try counts. */
function tooMany(): RequestError {
  return new RequestError(
    "unauthorized",
    "Too many codes were tried. Wait a minute, then have the page show another.",
    {
      status: 429,
      headers: { "retry-after": String(LOOKED_AT.seconds) },
    },
  );
}
