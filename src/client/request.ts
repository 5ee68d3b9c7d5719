import { DIRECT_UPLOAD_MAX_BYTES } from "../contract/choices.ts";
import type { MediaInputSent } from "../contract/generation.ts";
import {
  API_KEY_HEADER,
  CALLED_ROUTES,
  type CalledRouteName,
  IDEMPOTENCY_KEY_HEADER,
  KEY_MAX_AGE_HEADER,
} from "../contract/routes.ts";
import { ConnectionError } from "../core/error.ts";
import { defined } from "../core/objects.ts";
import type { Clock } from "../core/ports.ts";
import { errorFromReply, retryAfterSeconds, ServiceError, TimeoutError } from "./errors.ts";
import { type EncodedForm, encodeForm, type FileBytes, type FormPart, randomBoundary } from "./multipart.ts";
import { type JsonObject, objectOf } from "./reply.ts";
import { type Failure, type Repeat, retryDelayMs } from "./retry.ts";

/** How one service is reached. */
export interface Connection {
  /** Base address without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** 0 to 1, for delays and boundaries. */
  readonly random: () => number;
  /** Deadline of an ordinary call in milliseconds. */
  readonly timeoutMs: number;
  /** Deadline of a call that carries a file or makes the service fetch one, in milliseconds. */
  readonly longTimeoutMs: number;
  /** What the service's replies have told of it so far. */
  readonly known: {
    /** Whether it knows requests by their keys. Where it says nothing of that, a key is sent and nothing relies on it. */
    takesKeys: boolean;
  };
}

/** One call of an endpoint. */
export interface Call {
  readonly route: CalledRouteName;
  readonly repeat: Repeat;
  readonly signal: AbortSignal;
  /** Values of the path's `{names}`, escaped here. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: readonly FormPart[];
  /** Whether the call makes media or a job: it carries a key then, the same one on each try. */
  readonly isKeyed?: boolean;
  /** Whether the service needs the whole file before it can answer. */
  readonly isLong?: boolean;
  /** Whole seconds that the service may hold its answer (`Prefer: wait`, RFC 7240). */
  readonly waitSeconds?: number;
  /** Told when a try leaves and when it is known how it ended (see `CallOptions`). */
  readonly onExchange?: (isUnderWay: boolean) => void;
}

/** A good reply. */
export interface Reply {
  readonly body: JsonObject;
  readonly retryAfterSeconds?: number;
  /** Whether the service says that it held the answer as asked. */
  readonly isHeld?: true;
}

/** Longest reply that is read, in bytes: descriptions of a day of video are far below. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/**
 * Calls an endpoint, again where that is safe (see {@link retryDelayMs}), until it answers well or a retry makes no
 * sense.
 *
 * @throws ServiceError, ConnectionError or TimeoutError; the signal's reason when it aborts.
 */
export async function request(connection: Connection, call: Call): Promise<Reply> {
  const init = initOf(connection, call);
  let waitedMs = 0;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(connection, call, init);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      const isKnownByKey = call.isKeyed === true && call.repeat === "only-if-refused" && connection.known.takesKeys;
      const repeat = isKnownByKey ? "keyed" : call.repeat;
      const delayMs = retryDelayMs({ failure, repeat, attempts, waitedMs }, connection.random);
      if (delayMs === null) throw error;
      await connection.clock.sleep(delayMs, call.signal);
      waitedMs += delayMs;
    }
  }
}

/** How an error counts in the decision to retry; `null` for what is none of the exchange, such as an abort. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof ConnectionError) return { kind: "no-answer", mayHaveArrived: error.mayHaveArrived };
  if (error instanceof TimeoutError) return { kind: "no-answer", mayHaveArrived: true };
  if (!(error instanceof ServiceError)) return null;
  const { status, code, retryAfterSeconds: wait } = error;
  return { kind: "answer", status, code, ...defined({ retryAfterSeconds: wait }) };
}

/** Host of an address, for messages: `api.example.com`, never a path or query. */
export function hostOf(address: string): string {
  return /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(address)?.[1] ?? "the service";
}

async function attempt(connection: Connection, call: Call, init: Omit<FetchInit, "signal">): Promise<Reply> {
  const milliseconds = call.isLong === true ? connection.longTimeoutMs : connection.timeoutMs;
  return withDeadline(async (signal) => exchange(connection, call, { ...init, signal }), {
    clock: connection.clock,
    milliseconds,
    signal: call.signal,
    timeout: () => {
      const seconds = Math.round(milliseconds / 1000);
      const message = `${hostOf(connection.baseUrl)} did not answer within ${seconds} s`;
      return new TimeoutError("request_timed_out", message, milliseconds);
    },
  });
}

async function exchange(connection: Connection, call: Call, init: FetchInit): Promise<Reply> {
  call.onExchange?.(true);
  const { status, text, retryAfter, applied, keyMaxAge } = await raw(
    connection,
    addressOf(connection, call),
    init,
  ).catch((error: unknown) => {
    const isOver = error instanceof ServiceError || (error instanceof ConnectionError && !error.mayHaveArrived);
    if (isOver) call.onExchange?.(false);
    throw error;
  });
  call.onExchange?.(false);
  if (keyMaxAge !== null) connection.known.takesKeys = true;
  const nowMs = connection.clock.now();
  if (status < 200 || status > 299) {
    const isDeletion = call.route === "deleteJob";
    throw errorFromReply({ status, text, retryAfter }, { secrets: [connection.apiKey], nowMs, isDeletion });
  }
  const body = parseObject(text);
  if (body === null) {
    const message = `${hostOf(connection.baseUrl)} did not answer with JSON: the address may belong to something else, or a proxy stands in between`;
    throw new ServiceError("reply_unreadable", message, { status });
  }
  const seconds = retryAfterSeconds({ retryAfter }, body, nowMs);
  return {
    body,
    ...defined({ retryAfterSeconds: seconds }),
    ...(/\bwait\b/i.test(applied ?? "") ? { isHeld: true } : {}),
  };
}

async function raw(connection: Connection, address: string, init: FetchInit) {
  try {
    const reply = await connection.fetch(address, init);
    if (Number(reply.headers.get("content-length") ?? 0) > MAX_REPLY_BYTES) {
      throw new ServiceError("reply_unreadable", "the reply is too long to be one of the service", {
        status: reply.status,
      });
    }
    const { headers } = reply;
    const [retryAfter, applied] = [headers.get("retry-after"), headers.get("preference-applied")];
    const keyMaxAge = headers.get(KEY_MAX_AGE_HEADER.toLowerCase());
    return { status: reply.status, text: await reply.text(), retryAfter, applied, keyMaxAge };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    init.signal.throwIfAborted();
    const system = systemCode(error);
    const mayHaveArrived = system === undefined || !NEVER_SENT.includes(system);
    const reason = system === undefined ? "" : ` (${system})`;
    const message = `${hostOf(connection.baseUrl)} cannot be reached, or the connection broke${reason}`;
    throw new ConnectionError(message, { mayHaveArrived, cause: error });
  }
}

/** System errors after which nothing of a request can have arrived: no name, no route, no listener, no trust. */
const NEVER_SENT: readonly string[] = [
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]; // biome-ignore format: a table reads better in rows

/** The system's word for a failure, found on the error or its causes; `undefined` where there is none, as in UXP. */
function systemCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth++) {
    if ("code" in current && typeof current.code === "string" && /^[A-Z_]+$/.test(current.code)) return current.code;
    current =
      "errors" in current && Array.isArray(current.errors) ? current.errors[0] : "cause" in current && current.cause;
  }
  return undefined;
}

function initOf(connection: Connection, call: Call): Omit<FetchInit, "signal"> {
  const { method } = CALLED_ROUTES[call.route];
  const form: EncodedForm | null =
    call.form === undefined ? null : encodeForm(call.form, randomBoundary(connection.random));
  const json = call.json === undefined ? null : JSON.stringify(call.json);
  const contentType = form?.contentType ?? (json === null ? undefined : "application/json");
  const body = form?.body ?? json ?? undefined;
  // Held longer than half of a try's deadline, an answer would come too late too often.
  const wait = Math.floor(Math.min(call.waitSeconds ?? 0, connection.timeoutMs / 2000));
  return {
    method,
    headers: {
      [API_KEY_HEADER]: connection.apiKey,
      Accept: "application/json",
      ...defined({ "Content-Type": contentType }),
      // In quotes, as a structured field has it.
      ...(call.isKeyed === true ? { [IDEMPOTENCY_KEY_HEADER]: `"${freshKey(connection)}"` } : {}),
      ...(wait > 0 ? { Prefer: `wait=${wait}` } : {}),
    },
    redirect: "manual",
    ...defined({ body }),
  };
}

/** Calls that this program gave a key: no two keys of it are equal, however little is random. */
let keysGiven = 0;

/** A key that no other request has: some 130 random bits, where `random` is, with the time and a count. */
function freshKey({ random, clock }: Connection): string {
  let word = "";
  while (word.length < 26) word += Math.floor(random() * 36).toString(36);
  keysGiven++;
  return `${word}-${Math.floor(clock.now()).toString(36)}-${keysGiven.toString(36)}`;
}

function addressOf(connection: Connection, call: Call): string {
  const path = CALLED_ROUTES[call.route].path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    escapeSegment(call.path?.[name] ?? ""),
  );
  const query = Object.entries(call.query ?? {}).map(([name, value]) => `${name}=${escapeValue(value)}`);
  return `${connection.baseUrl}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** A path segment that stays one: `.` and `..` would lead elsewhere, escaped too (WHATWG URL, "dot segments"). */
function escapeSegment(value: string): string {
  if (value === "" || value === "." || value === "..") throw new RangeError(`"${value}" cannot be part of a path`);
  return escapeValue(value);
}

function escapeValue(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

function parseObject(text: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Does work that must end in time, and stops waiting for it as soon as the signal aborts or the deadline passes, also
 * where the work itself heeds neither: UXP's `fetch` may ignore its signal.
 *
 * @param timeout Makes the error to raise when `milliseconds` have passed.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: {
    readonly clock: Clock;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
    readonly timeout: () => Error;
  },
): Promise<T> {
  const { clock, milliseconds, signal, timeout } = options;
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  const deadline = clock.sleep(milliseconds, controller.signal).then((): never => {
    throw timeout();
  });
  try {
    return await Promise.race([(async () => work(controller.signal))(), deadline]);
  } finally {
    signal.removeEventListener("abort", forward);
    controller.abort(); // Ends whichever of the two is still under way.
  }
}

/** What the client asks of a `fetch`. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** Redirects are not followed: they would carry the API key to wherever they point. */
  readonly redirect: "manual";
}

/** What the client reads of a reply. */
export interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/**
 * The one way the client reaches the network. Node's and UXP's own `fetch` fit, and so does a service's handler in a
 * test. It may ignore the signal: the client stops waiting by itself.
 */
export type Fetch = (address: string, init: FetchInit) => Promise<FetchReply>;

/** Where a generation request takes its video from: known media, a public address, or a file of up to 32 MB. */
export type GenerationInput =
  | MediaInputSent
  | { readonly type: "file"; readonly file: FileBytes; readonly filename?: string };

/** The body of a generation request. @throws RangeError when its file is above the interface's 32 MB. */
export function generationCall(input: GenerationInput, config: object): Pick<Call, "json" | "form" | "isLong"> {
  if (input.type !== "file") return { json: { input, generation_config: config }, isLong: input.type === "url" };
  const form = fileForm(input.file, { type: "file", filename: input.filename ?? input.file.filename });
  return { form: [...form, { name: "generation_config", text: JSON.stringify(config) }], isLong: true };
}

/** A file and what it is, as a form. @throws RangeError when the file is above the interface's 32 MB. */
export function fileForm(file: FileBytes, input: object): FormPart[] {
  if (file.bytes.length > DIRECT_UPLOAD_MAX_BYTES) {
    throw new RangeError(`${file.bytes.length} bytes are too many for a direct upload; use the signed flow`);
  }
  return [
    { name: "input", text: JSON.stringify(input) },
    { name: "file", file },
  ];
}

/**
 * The address below which the interface's paths hang, without a slash at its end.
 *
 * @throws RangeError when it cannot be used in a request.
 */
export function checkedBaseUrl(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, "");
  if (!/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i.test(trimmed)) {
    throw new RangeError(
      "the service's address must look like https://host or https://host/path, without query or user name",
    );
  }
  return trimmed;
}

/**
 * An API key. Only what no HTTP header can carry is refused: a key is opaque.
 *
 * @throws RangeError when it cannot be used in a request.
 */
export function checkedKey(key: string): string {
  if (key === "" || /[^\t\x20-\x7e\x80-\xff]/.test(key)) {
    throw new RangeError("the API key is empty or holds characters that no HTTP header can carry");
  }
  return key;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its waiting included, with the signal's own reason. */
  readonly signal?: AbortSignal;
  /**
   * Called with `true` when a try of the call leaves, and with `false` when it is known how it ended: answered, or
   * certainly not arrived. What the last call said tells, after an abort, whether the request may have been accepted.
   */
  readonly onExchange?: (isUnderWay: boolean) => void;
}

/** What a poll takes. */
export interface PollOptions extends CallOptions {
  /** Whole seconds that the service may hold its answer while what is asked for goes on; default: it answers at once. */
  readonly waitSeconds?: number;
}

/** Whether a failed submission may have been accepted all the same. */
export function isAnswerLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.mayHaveArrived;
  if (error instanceof TimeoutError) return true;
  if (!(error instanceof ServiceError)) return false;
  return error.code === "service_unavailable" || (error.code === "reply_unreadable" && error.status < 300);
}

/** What a poll asks its call for. */
export function waitOf({ waitSeconds }: PollOptions): Pick<Call, "waitSeconds"> {
  return defined({ waitSeconds });
}

/** What a call is controlled by: a signal of its own where none is given. */
export function controlsOf(options: CallOptions): Pick<Call, "signal" | "onExchange"> {
  const { signal = new AbortController().signal, onExchange } = options;
  return { signal, ...defined({ onExchange }) };
}
