import { json } from "node:stream/consumers";
import { LEDGER_URL, type PaidTotals } from "./ledger.ts";
import { hasRelay, sendRequest } from "./send-request.ts";

/**
 * What the work that runs in this process was charged by earlier processes.
 *
 * @returns `null` where nobody keeps its book: it then counts for itself alone.
 * @throws the signal's reason, or the network's error where the parent is gone.
 */
export async function ledgerTotals(signal: AbortSignal): Promise<PaidTotals | null> {
  if (!hasRelay()) return null;
  const reply = await sendRequest({ url: LEDGER_URL, method: "GET", headers: {}, signal });
  if (reply.statusCode !== 200) {
    reply.resume();
    return null;
  }
  // The parent's relay alone answers here.
  return (await json(reply)) as PaidTotals;
}

/**
 * Says in the book whether an answer could be used.
 *
 * @param entries Of the requests that it took; none where nobody keeps a book.
 * @throws as {@link ledgerTotals}.
 */
export async function noteUse(entries: readonly string[], isUseful: boolean, signal: AbortSignal): Promise<void> {
  const entry = entries.at(-1);
  if (entry === undefined) return;
  const body = Buffer.from(JSON.stringify({ entry, isUseful }));
  const headers = { "content-length": body.length };
  const reply = await sendRequest({ url: LEDGER_URL, method: "POST", headers, body, signal });
  reply.resume();
}
