import { ServiceError } from "../src/client/errors.ts";
import { type LogInReply, PAGE_PATH } from "../src/contract/page.ts";

/** Name under which a window keeps its key: it ends with the window. */
const KEPT_KEY = "aside key";

/** Name under which a window keeps what is open in it. */
const KEPT_PLACE = "aside place";

/** What is open in a window: a view, the result under review and the line that is chosen in it. */
export interface PagePlace {
  readonly view: string;
  readonly runId?: string | undefined;
  readonly cueId?: string | null | undefined;
}

/** Who is logged in to the page. */
export type PageSession = Pick<LogInReply, "key" | "key_id" | "team" | "version" | "review">;

/**
 * Logs in by the secret behind the `#` of the address, which is taken out of it at once; else as this window did before.
 * `null` for who has neither.
 *
 * @throws ServiceError `unauthorized` where the link does not count any more.
 */
export async function logIn(): Promise<PageSession | null> {
  const token = location.hash.slice(1);
  if (token === "") return keptSession();
  history.replaceState(null, "", location.pathname);
  const reply = await fetch(`${PAGE_PATH}/log-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
    redirect: "error",
  });
  if (!reply.ok) {
    // A link that was opened twice, or loaded again.
    const kept = keptSession();
    if (kept !== null) return kept;
    const { message = "" } = await reply.json().catch(() => ({}));
    throw new ServiceError("unauthorized", message, { status: reply.status });
  }
  const session: PageSession = await reply.json();
  sessionStorage.setItem(KEPT_KEY, JSON.stringify(session));
  return session;
}

/** Forgets the key of this window, and what is open in it. */
export function forgetSession(): void {
  sessionStorage.removeItem(KEPT_KEY);
  sessionStorage.removeItem(KEPT_PLACE);
}

/** Keeps what is open, for this window to open again when it is loaded anew. */
export function keepPlace(place: PagePlace): void {
  const text = JSON.stringify(place);
  if (sessionStorage.getItem(KEPT_PLACE) !== text) sessionStorage.setItem(KEPT_PLACE, text);
}

/** What was open in this window when it was loaded last; `null` where nothing was. */
export function keptPlace(): PagePlace | null {
  const text = sessionStorage.getItem(KEPT_PLACE);
  // Written above, whole or not at all.
  return text === null ? null : (JSON.parse(text) as PagePlace);
}

function keptSession(): PageSession | null {
  const text = sessionStorage.getItem(KEPT_KEY);
  // Written above, whole or not at all.
  return text === null ? null : (JSON.parse(text) as PageSession);
}
