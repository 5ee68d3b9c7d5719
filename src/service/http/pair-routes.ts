import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { PAIRING_CODE_DIGITS, type PairReply } from "../../contract/pairing-code.ts";
import { CALLED_ROUTES } from "../../contract/routes.ts";
import { RequestError } from "../request-error.ts";
import { takePairingCode } from "../storage/pairing-codes.ts";
import { VERSION } from "../version.ts";
import { parseRequest } from "./parse-request.ts";
import type { ServiceParts } from "./service-parts.ts";

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
