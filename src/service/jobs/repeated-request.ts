import { RequestError } from "../request-error.ts";
import { type AnsweredRequest, findAnswered, type KeyedRequest } from "../storage/answered-requests.ts";
import type { Queries } from "../storage/database.ts";

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
