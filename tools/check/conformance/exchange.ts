import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { API_KEY_HEADER, PATH_PREFIX } from "../../../src/contract/routes.ts";

/** A reply as it came. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** Its JSON; `undefined` when it is none. */
  readonly body: unknown;
}

/** What a request carries beside its path. */
export interface Carried {
  readonly json?: unknown;
  readonly form?: FormData;
  /** In place of the key of the run; `null` sends none. */
  readonly key?: string | null;
}

/** Something the server does otherwise than the interface says. */
export class Deviation extends Error {
  override readonly name = "Deviation";
}

/** Something that cannot be checked on this server, such as what the plan of the key leaves out. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Times a request is sent again when a limit refuses it. */
const PATIENCE = 20;

const RateLimit = z.looseObject({
  error: z.literal("rate_limit_exceeded"),
  message: z.string(),
  limit: z.int(),
  remaining: z.int(),
  reset: z.int(),
  retry_after: z.int(),
});

/** Sends requests to the server under test, and waits where its limits say so. */
export class Exchange {
  readonly #server: string;
  readonly #key: string;

  constructor(server: string, key: string) {
    this.#server = server.replace(/\/+$/, "");
    this.#key = key;
  }

  /** Sends a request to an endpoint by its path behind the prefix. */
  async send(method: string, path: string, carried: Carried = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#sendOnce(method, path, carried);
      if (answer.status !== 429 || attempt === PATIENCE) return answer;
      await sleep(1000 * secondsToWait(answer));
    }
  }

  async #sendOnce(method: string, path: string, { json, form, key = this.#key }: Carried): Promise<Answer> {
    const reply = await fetch(`${this.#server}${PATH_PREFIX}/${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { [API_KEY_HEADER]: key }),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(form !== undefined ? { body: form } : json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await reply.text();
    return { status: reply.status, contentType: reply.headers.get("content-type") ?? "", body: parsed(text) };
  }
}

/** How long a limit asks to wait. One that can be waited out says so in the fields of the interface. */
function secondsToWait({ body }: Answer): number {
  const code = z.safeParse(z.looseObject({ error: z.string() }), body).data?.error;
  if (code === "plan_limit_exceeded") throw new Skipped("the allocation of the key is spent");
  if (code !== "rate_limit_exceeded") return 2;
  return fits(RateLimit, body, "a 429 rate_limit_exceeded").retry_after;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a value by a schema. @throws Deviation naming the member that does not fit. */
export function fits<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const member = issue === undefined || issue.path.length === 0 ? "" : ` at "${issue.path.join(".")}"`;
  throw new Deviation(`${what} is not as documented${member}: ${JSON.stringify(value)?.slice(0, 300)}`);
}

/** @throws Deviation unless it holds. */
export function must(holds: boolean, sentence: string): void {
  if (!holds) throw new Deviation(sentence);
}
