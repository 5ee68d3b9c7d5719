import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { Agent as HttpAgent, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { AudioDescriptionError } from "../../core/error.ts";
import { isObject, parsedJson } from "../../core/objects.ts";
import { isLocalAddress } from "../../core/ports.ts";
import { isSet } from "../isolate/cage.ts";
import { type Environment, isLocalOnly } from "../outgoing/local-only.ts";
import { sendRequest } from "../outgoing/send-request.ts";
import type { Source } from "./catalog-row.ts";

/** Why something could not be ordered onto this computer, checked or removed. */
export class StoreError extends AudioDescriptionError<
  | "model_unknown"
  | "model_refused"
  | "model_unreachable"
  | "model_wrong"
  | "model_no_room"
  | "model_unsuitable"
  | "model_in_use"
> {}

/** Variable with the address below which the same files lie by host and path, such as `https://mirror.example/huggingface.co/…`. */
export const MODELS_MIRROR = "ASIDE_MODELS_MIRROR";

/** Why nothing may be fetched; `null` where it may. */
export function fetchRefused(environment: Environment): string | null {
  return isLocalOnly(environment)
    ? "Nothing may leave this computer (privacy.local_only), so no model is fetched. Turn it off, or install from a folder: aside models install ID --from PATH."
    : null;
}

/** How long things may take, in milliseconds. */
export interface FetchLimits {
  /** Longest silence of a line. */
  readonly stallMs: number;
  /** The first pause before another try; it doubles with each that brings nothing. */
  readonly pauseMs: number;
}

const USUAL_LIMITS: FetchLimits = { stallMs: 60_000, pauseMs: 1_000 };

/** What fetching takes. */
export interface FetchOptions {
  /** With `HTTPS_PROXY`, {@link MODELS_MIRROR} and what may leave this computer. */
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Told how many bytes of the file are there now. */
  readonly onBytes: (bytes: number) => void;
  readonly limits?: FetchLimits;
}

/** Tries in a row that may bring nothing. */
const TRIES_WITHOUT_PROGRESS = 5;

/** Longest pause that a server may ask for, in milliseconds. */
const LONGEST_PAUSE_MS = 120_000;

const MOST_REDIRECTS = 8;

/** Largest list of sums that is read, in bytes. */
const LONGEST_LIST_BYTES = 4_000_000;

/** Statuses after which the same request may work a little later. */
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A line that broke, or a server that was busy: it is tried again. */
class BrokenLine extends Error {
  readonly waitMs: number | null;

  constructor(reason: string, waitMs: number | null = null) {
    super(reason);
    this.waitMs = waitMs;
  }
}

/**
 * Fetches a file into `part`, going on with what is there of it already, across breaks of the line and starts of the process.
 *
 * @returns SHA-256 of the whole file. What it is to be is not compared here.
 * @throws StoreError `model_unreachable`, `model_wrong`, `model_refused`; the system's error (`ENOSPC`); the signal's reason.
 *   What has arrived stays.
 */
export async function fetchFile(source: Source, part: string, options: FetchOptions): Promise<string> {
  const { signal, limits = USUAL_LIMITS } = options;
  const arriving = await ArrivingPart.open(part, signal);
  try {
    options.onBytes(arriving.bytes);
    let best = arriving.bytes;
    for (let tries = 1; !isWhole(arriving.bytes, source); tries++) {
      try {
        await receive(source, arriving, options);
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof BrokenLine)) throw error;
        if (arriving.bytes > best) tries = 1;
        best = Math.max(best, arriving.bytes);
        if (tries >= TRIES_WITHOUT_PROGRESS) throw unreachable(source, error.message, options.environment);
        const waitMs = error.waitMs ?? limits.pauseMs * 2 ** (tries - 1);
        await sleep(Math.min(waitMs, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
    return await arriving.finish();
  } finally {
    await arriving.close();
  }
}

/** Whether all of a file is there. Where its size is not known exactly, a server has to say so. */
function isWhole(bytes: number, { sha256, bytes: whole }: Source): boolean {
  return sha256 !== null && bytes === whole;
}

/** A file that arrives, with the sum of what is there of it. */
class ArrivingPart {
  readonly #path: string;
  readonly #file: FileHandle;
  #hash: Hash;
  #bytes: number;

  private constructor(path: string, file: FileHandle, hash: Hash, bytes: number) {
    [this.#path, this.#file, this.#hash, this.#bytes] = [path, file, hash, bytes];
  }

  static async open(path: string, signal: AbortSignal): Promise<ArrivingPart> {
    const hash = createHash("sha256");
    let bytes = 0;
    if ((await stat(path).catch(() => null)) !== null) {
      for await (const block of createReadStream(path, { signal, highWaterMark: 1 << 20 })) {
        hash.update(block);
        bytes += block.length;
      }
    }
    return new ArrivingPart(path, await open(path, "a"), hash, bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  async add(block: Buffer): Promise<void> {
    await this.#file.appendFile(block);
    this.#hash.update(block);
    this.#bytes += block.length;
  }

  async beginAnew(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash("sha256");
    this.#bytes = 0;
  }

  /** What a server calls the file whose beginning is here; `null` where it said nothing. */
  async mark(): Promise<string | null> {
    const kept = parsedJson(await readFile(`${this.#path}.json`, "utf8").catch(() => ""));
    const mark = isObject(kept) ? kept["mark"] : null;
    return typeof mark === "string" ? mark : null;
  }

  async setMark({ etag, "last-modified": modified }: IncomingMessage["headers"]): Promise<void> {
    // A weak one stands for many files.
    const mark = etag === undefined || etag.startsWith("W/") ? modified : etag;
    await writeFile(`${this.#path}.json`, JSON.stringify({ mark }));
  }

  async finish(): Promise<string> {
    await this.#file.sync();
    return this.#hash.copy().digest("hex");
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Removes what is there of a file. */
export async function removePart(part: string): Promise<void> {
  await Promise.all([part, `${part}.json`].map((path) => rm(path, { force: true })));
}

async function receive(source: Source, arriving: ArrivingPart, options: FetchOptions): Promise<void> {
  const { signal, limits = USUAL_LIMITS, onBytes } = options;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new BrokenLine("it fell silent")), limits.stallMs);
  const either = AbortSignal.any([signal, silence.signal]);
  try {
    const mark = await arriving.mark();
    // Without a mark, a pinned sum still tells whether both halves belong together.
    const from = mark === null && source.sha256 === null ? 0 : arriving.bytes;
    const resume = from === 0 ? {} : { range: `bytes=${from}-`, ...(mark === null ? {} : { "if-range": mark }) };
    const reply = await openSource(source.url, resume, options.environment, either);
    try {
      if (await isAtEnd(source, reply, arriving)) return;
      const most = source.sha256 === null ? source.bytes * 3 : source.bytes;
      for await (const block of reply) {
        timer.refresh();
        if (arriving.bytes + block.length > most) throw tooLong(source);
        await arriving.add(block);
        onBytes(arriving.bytes);
      }
    } finally {
      reply.destroy();
    }
    if (source.sha256 !== null && arriving.bytes < source.bytes) throw new BrokenLine("it ended too early");
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw silence.signal.reason;
    throw asBroken(error, source, options.environment);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes what is there fit the answer.
 *
 * @returns Whether all of it is there already.
 * @throws BrokenLine, StoreError for an answer that is not the file.
 */
async function isAtEnd(source: Source, reply: IncomingMessage, arriving: ArrivingPart): Promise<boolean> {
  const { statusCode: status = 0, headers } = reply;
  if (status === 206) {
    const [, start] = /^bytes (\d+)-/.exec(headers["content-range"] ?? "") ?? [];
    if (Number(start) === arriving.bytes) return false;
    await arriving.beginAnew();
    throw new BrokenLine("it went on at another place");
  }
  if (status === 416) {
    const [, whole] = /^bytes \*\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
    if (Number(whole) === arriving.bytes) return true;
    await arriving.beginAnew();
    throw new BrokenLine("it has another size");
  }
  if (status === 200) {
    await arriving.beginAnew();
    await arriving.setMark(headers);
    const length = Number(headers["content-length"] ?? Number.NaN);
    if (source.sha256 !== null && Number.isFinite(length) && length !== source.bytes) throw otherFile(source);
    return false;
  }
  if (LATER.has(status)) {
    const seconds = Number(headers["retry-after"] ?? Number.NaN);
    throw new BrokenLine(`status ${status}`, Number.isFinite(seconds) ? seconds * 1000 : null);
  }
  const [host, name] = placeOf(source.url);
  throw new StoreError(
    "model_unreachable",
    `${host} answers ${status} for ${name}. It may have been moved: try again later, or install it from a folder.`,
  );
}

/** Opens an address, by the mirror and the proxy where there are any; redirects are followed to https alone. */
async function openSource(
  url: string,
  headers: Readonly<Record<string, string>>,
  environment: Environment,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let address = mirrored(url, environment);
  const agents = { https: new HttpsAgent({ proxyEnv: environment }), http: new HttpAgent({ proxyEnv: environment }) };
  for (let hops = 0; ; hops++) {
    const reply = await sendRequest({
      url: address,
      method: "GET",
      headers: { ...headers, "accept-encoding": "identity", "user-agent": "aside" },
      agent: address.startsWith("https:") ? agents.https : agents.http,
      signal,
    });
    const { location } = reply.headers;
    if (![301, 302, 303, 307, 308].includes(reply.statusCode ?? 0) || location === undefined) return reply;
    reply.destroy();
    const next = URL.canParse(location, address) ? new URL(location, address) : null;
    const { host } = new URL(address);
    if (next?.protocol !== "https:") {
      const where = next === null ? "something that is no address" : `${next.protocol}//${next.host}`;
      throw new StoreError(
        "model_refused",
        `${host} leads to ${where}, which is not https. Nothing was fetched from there.`,
      );
    }
    if (hops >= MOST_REDIRECTS)
      throw new StoreError("model_unreachable", `${host} leads from one address to the next.`);
    address = next.href;
  }
}

/** The address of a file, in the mirror where there is one. @throws StoreError for a mirror that cannot be used. */
function mirrored(url: string, environment: Environment): string {
  const mirror = environment[MODELS_MIRROR];
  if (!isSet(mirror)) return url;
  const fault = mirrorFault(mirror);
  if (fault !== null) throw new StoreError("model_refused", `${fault}.`);
  const { host, pathname } = new URL(url);
  return `${mirror.trim().replace(/\/+$/, "")}/${host}${pathname}`;
}

/** Why an address cannot be that of a mirror, without a full stop; `null` where it can. */
export function mirrorFault(mirror: string): string | null {
  const address = mirror.trim();
  const isEncrypted = URL.canParse(address) && new URL(address).protocol === "https:";
  if (isEncrypted || (/^http:/i.test(address) && isLocalAddress(address))) return null;
  return `${MODELS_MIRROR} must be an https address, such as https://mirror.example/models`;
}

/**
 * The SHA-256 that a release's own list names for a source.
 *
 * @throws StoreError where the list cannot be had, or does not name it.
 */
export async function listedSum(source: Source, options: Omit<FetchOptions, "onBytes">): Promise<string> {
  const { environment, signal, limits = USUAL_LIMITS } = options;
  const list = { url: source.checksums ?? "", bytes: LONGEST_LIST_BYTES };
  const [host, name] = placeOf(list.url);
  const within = AbortSignal.any([signal, AbortSignal.timeout(limits.stallMs)]);
  try {
    const reply = await openSource(list.url, {}, environment, within);
    try {
      if (reply.statusCode !== 200) throw new BrokenLine(`status ${reply.statusCode}`);
      let text = "";
      for await (const block of reply.setEncoding("utf8")) {
        text += block;
        if (text.length > LONGEST_LIST_BYTES) throw new BrokenLine("the list is too long");
      }
      return sumIn(text, source, `${name} of ${host}`);
    } finally {
      reply.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    const broken = asBroken(error, list, environment);
    throw broken instanceof BrokenLine ? unreachable(list, broken.message, environment) : broken;
  }
}

/** The SHA-256 of a source in the text of a list, whichever of name and sum comes first. @throws StoreError where there is none. */
export function sumIn(text: string, source: Pick<Source, "url">, list: string): string {
  const [, name] = placeOf(source.url);
  for (const line of text.split(/\r?\n/)) {
    const words = line.split(/\s+/).map((word) => word.replace(/^\*/, ""));
    const sum = words.find((word) => /^[0-9a-f]{64}$/i.test(word));
    if (sum !== undefined && words.includes(name)) return sum.toLowerCase();
  }
  throw new StoreError("model_wrong", `${list} names no SHA-256 sum of ${name}, so nothing was fetched.`);
}

/** What a person calls the place of a file: its host, and its name. */
export function placeOf(url: string): readonly [host: string, name: string] {
  const { host, pathname } = new URL(url);
  return [host, decodeURIComponent(pathname.split("/").at(-1) ?? "")];
}

/** Errors of certificates: no try helps. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ALTNAME/;

function asBroken(error: unknown, source: Pick<Source, "url">, environment: Environment): unknown {
  if (error instanceof BrokenLine || error instanceof StoreError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (UNTRUSTED.test(code)) {
    return new StoreError(
      "model_unreachable",
      `The certificate of ${new URL(mirrored(source.url, environment)).host} is not trusted (${code}). Where a proxy opens connections, name its certificate in NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  }
  // A full disk and its like are no fault of the line.
  return /^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO|EFBIG|EMFILE)$/.test(code)
    ? error
    : new BrokenLine(code || "it broke");
}

function unreachable(source: Pick<Source, "url">, reason: string, environment: Environment): StoreError {
  const { host } = new URL(mirrored(source.url, environment));
  const proxy = environment["HTTPS_PROXY"] ?? environment["https_proxy"];
  const check = isSet(proxy) ? "Check the network and the proxy (HTTPS_PROXY)" : "Check the network";
  return new StoreError(
    "model_unreachable",
    `The line to ${host} keeps breaking (${reason}). ${check}, and order it again: it continues where it stopped.`,
  );
}

function tooLong(source: Source): StoreError {
  const [host, name] = placeOf(source.url);
  return new StoreError(
    "model_wrong",
    `${host} sends more than ${name} has, so it is another file. Nothing of it is used.`,
  );
}

function otherFile(source: Source): StoreError {
  const [host, name] = placeOf(source.url);
  return new StoreError(
    "model_wrong",
    `${name} at ${host} has another size than it should, so it is another file. Nothing of it is used.`,
  );
}
