import { ServiceError } from "../src/client/errors.ts";
import { isRequestErrorCode } from "../src/contract/error-codes.ts";
import {
  type BackupReply,
  DESK_PATH,
  type DeskJob,
  type DeskMedia,
  type DeskOrder,
  type DeskState,
  type ExamineReply,
  type LogReply,
  type NewKeyReply,
  type TextsReply,
} from "../src/contract/page.ts";
import type { PairingCodeReply } from "../src/contract/pairing.ts";
import { API_KEY_HEADER } from "../src/contract/routes.ts";
import { ConnectionError } from "../src/core/error.ts";

/** How often a request waits while the service asks it to. */
const MOST_WAITS = 30;

/** What the service answers to its page alone. Every request may raise `ServiceError` and `ConnectionError`. */
export class Desk {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The jobs of the team, newest first. */
  jobs(): Promise<readonly DeskJob[]> {
    return this.#json("GET", "/jobs");
  }

  /** What a job was asked for with. */
  order(jobId: string): Promise<DeskOrder> {
    return this.#json("GET", `/jobs/${encodeURIComponent(jobId)}/order`);
  }

  /** A programme that the service has. */
  media(mediaId: string): Promise<DeskMedia> {
    return this.#json("GET", `/media/${encodeURIComponent(mediaId)}`);
  }

  /** What the service keeps, and who may use it. */
  state(): Promise<DeskState> {
    return this.#json("GET", "/state");
  }

  /** Makes a key for another program. */
  newKey(name: string): Promise<NewKeyReply> {
    return this.#json("POST", "/keys", JSON.stringify({ name }));
  }

  /** Has a code made by which a panel elsewhere gets a key. */
  newPairingCode(): Promise<PairingCodeReply> {
    return this.#json("POST", "/pairing-codes");
  }

  /** Withdraws a key for good. */
  async withdrawKey(id: string): Promise<void> {
    await this.#send("DELETE", `/keys/${encodeURIComponent(id)}`);
  }

  /** The last lines of the log. */
  log(): Promise<LogReply> {
    return this.#json("GET", "/log");
  }

  /** Has the service look at everything it needs. */
  examine(): Promise<ExamineReply> {
    return this.#json("POST", "/examine");
  }

  /** Backs the data up, beside where it stands. */
  backUp(): Promise<BackupReply> {
    return this.#json("POST", "/backup");
  }

  /** Paths of the texts that are kept. */
  async texts(): Promise<readonly string[]> {
    const { paths } = await this.#json<TextsReply>("GET", "/texts");
    return paths;
  }

  /** A text that is kept. */
  async readText(path: string): Promise<string> {
    return (await this.#send("GET", `/texts/${path}`)).text();
  }

  /** Keeps a text. */
  async keepText(path: string, text: string): Promise<void> {
    await this.#send("PUT", `/texts/${path}`, text, "text/plain; charset=utf-8");
  }

  /** Removes a text. */
  async removeText(path: string): Promise<void> {
    await this.#send("DELETE", `/texts/${path}`);
  }

  async #json<Reply>(method: string, path: string, body?: string): Promise<Reply> {
    // Both ends are of one version: the page comes from the service that answers.
    return (await this.#send(method, path, body)).json() as Promise<Reply>;
  }

  async #send(method: string, path: string, body?: string, type = "application/json"): Promise<Response> {
    const headers = { [API_KEY_HEADER]: this.#key, ...(body === undefined ? {} : { "content-type": type }) };
    const init = { method, headers, redirect: "error", ...(body === undefined ? {} : { body }) } as const;
    const ask = () =>
      fetch(`${DESK_PATH}${path}`, init).catch((cause: unknown) => {
        throw new ConnectionError("the service does not answer", { mayHaveArrived: true, cause });
      });
    let reply = await ask();
    // Its records are away for a moment. What makes something new is left to who asked for it.
    for (let waits = 0; reply.status === 503 && method !== "POST" && waits < MOST_WAITS; waits++) {
      const seconds = Number(reply.headers.get("retry-after") ?? 0);
      if (!(seconds > 0)) break;
      await new Promise((next) => setTimeout(next, seconds * 1_000));
      reply = await ask();
    }
    if (reply.ok) return reply;
    const { error = "internal_error", message = "" } = await reply.json().catch(() => ({}));
    throw new ServiceError(isRequestErrorCode(error) ? error : "internal_error", message, { status: reply.status });
  }
}
