import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { type AddressInfo, createServer, Socket } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hideSecrets } from "../../core/text.ts";
import { EVERYBODY, PROGRAMS, passedOn } from "../isolate/cage.ts";
import { keepEnd } from "../isolate/task-process.ts";
import { SMALL } from "../models/presets.ts";
import type { InstalledEyes } from "../models/vision-settings.ts";
import type { InstalledModel } from "../store/installed.ts";
import { type EngineStartFault, endedEarly, fileMissing, type KeeperNews, neverReady } from "./llama-server-faults.ts";

/** What a keeper starts. */
export interface KeeperOrders {
  readonly program: string;
  readonly args: readonly string[];
}

/** A request to a server of this computer. */
interface LocalRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Readable | Uint8Array;
  readonly signal: AbortSignal;
}

const KEEPER = fileURLToPath(new URL("./llama-server-keeper.ts", import.meta.url));

/** Tokens that a picture takes: below them a small model misses things, above them a picture takes longer and tells no more. */
const PICTURE_TOKENS = { least: 256, most: 512 } as const;

/** Threads at the most: more of them wait for memory, and an editor works meanwhile. */
const MOST_THREADS = 8;

/** Ports that are tried before the computer is said to have none. */
const PORT_TRIES = 3;

/** Pauses between two looks at a server that loads, in milliseconds: the first, and the longest. */
const LOOKS_MS = { first: 50, longest: 500 } as const;

/** Milliseconds that a server has to answer a short question. */
const SHORT_MS = 2_000;

/** Milliseconds in which a keeper has to end its program. */
const KILL_MS = 2_000;

/** Characters of a program's own words in a message. */
const SAID_CHARACTERS = 240;

/** Not the agent that all share: that one may send everything through a proxy. */
const AGENT = new Agent({ keepAlive: false });

/**
 * What `llama-server` is started with, by the README of its server at build b11194. Memory is bounded: one question at a time, no
 * cache of earlier ones, keys and values in eight bits.
 *
 * @param onProcessor Whether the graphics card is left alone.
 */
function serverFlags({ model }: InstalledEyes, port: number, alias: string, onProcessor: boolean): string[] {
  return [
    ...["--model", fileOf(model, "model"), "--mmproj", fileOf(model, "projector"), "--alias", alias],
    ...["--host", "127.0.0.1", "--port", String(port), "--offline", "--no-webui"],
    ...["--ctx-size", String(SMALL.contextTokens), "--parallel", "1", "--cache-ram", "0", "--no-warmup"],
    ...["--flash-attn", "on", "--cache-type-k", "q8_0", "--cache-type-v", "q8_0"],
    ...["--image-min-tokens", String(PICTURE_TOKENS.least), "--image-max-tokens", String(PICTURE_TOKENS.most)],
    ...["--threads", String(Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)))],
    // Warnings and errors: what is asked and answered is in no log.
    ...["--log-verbosity", "2"],
    ...(onProcessor ? ["--device", "none", "--gpu-layers", "0", "--no-mmproj-offload"] : []),
  ];
}

/** @throws VisionError `vision_engine_failed` where the installation names no such file. */
function fileOf(installed: InstalledModel, role: string): string {
  const file = installed.files[role];
  if (file === undefined) throw fileMissing(installed);
  return join(installed.folder, file);
}

/** A `llama-server` that runs, with its model loaded. */
export class LlamaServer {
  /** Its id in the store. */
  readonly model: string;
  /** Whether it leaves the graphics card alone. */
  readonly onProcessor: boolean;
  readonly #origin: string;
  readonly #key: string;
  readonly #keeper: Keeper;

  private constructor(model: string, onProcessor: boolean, origin: string, key: string, keeper: Keeper) {
    this.model = model;
    this.onProcessor = onProcessor;
    this.#origin = origin;
    this.#key = key;
    this.#keeper = keeper;
  }

  /**
   * Starts it on a free port of the loopback, with a key of its own, and waits until its model is loaded. Where the graphics
   * card is in the way, the processor does it.
   *
   * @param within Seconds that loading may take.
   * @throws VisionError `vision_engine_failed`, which says what to do; the signal's reason.
   */
  static async start(
    eyes: InstalledEyes,
    {
      onProcessor,
      within,
      signal,
    }: { readonly onProcessor: boolean; readonly within: number; readonly signal: AbortSignal },
  ): Promise<LlamaServer> {
    for (let tries = 1; ; tries++) {
      const started = await LlamaServer.#once(eyes, { onProcessor, within, signal });
      if (started instanceof LlamaServer) return started;
      if (started.kind === "port" && tries < PORT_TRIES) continue;
      if (started.mayBeGraphics && !onProcessor) {
        return await LlamaServer.start(eyes, { onProcessor: true, within, signal });
      }
      throw started.error;
    }
  }

  static async #once(
    eyes: InstalledEyes,
    {
      onProcessor,
      within,
      signal,
    }: { readonly onProcessor: boolean; readonly within: number; readonly signal: AbortSignal },
  ): Promise<LlamaServer | EngineStartFault> {
    signal.throwIfAborted();
    const port = await freePort();
    const [key, alias] = [randomBytes(24).toString("hex"), `aside-${randomBytes(8).toString("hex")}`];
    const args = serverFlags(eyes, port, alias, onProcessor);
    const keeper = new Keeper({ program: fileOf(eyes.engine, "program"), args }, key);
    const server = new LlamaServer(eyes.model.id, onProcessor, `http://127.0.0.1:${port}`, key, keeper);
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(within * 1000)]);
      if (await server.#isReady(alias, limit)) return server;
      signal.throwIfAborted();
      return keeper.end === null ? neverReady(eyes, within) : endedEarly(eyes, keeper, onProcessor);
    } finally {
      if (keeper.end !== null || !server.#wasReady) await server.end();
    }
  }

  #wasReady = false;

  /** Waits until it says that its model is loaded; `false` once it has ended, or the signal aborts. */
  async #isReady(alias: string, signal: AbortSignal): Promise<boolean> {
    for (let pause: number = LOOKS_MS.first; ; pause = Math.min(LOOKS_MS.longest, pause * 1.5)) {
      // Ended or late: in either case there is nothing to wait for.
      await Promise.race([sleep(pause, undefined, { signal }), this.#keeper.ended]).catch(() => undefined);
      if (this.#keeper.end !== null || signal.aborted) return false;
      const look = AbortSignal.any([signal, AbortSignal.timeout(SHORT_MS)]);
      // While it loads it answers 503, or nothing at all.
      const status = await this.#statusOf("/health", look);
      if (status !== 200) continue;
      // Another program may have taken the port in between; it does not know this name.
      if (!(await this.#isNamed(alias, look))) continue;
      this.#wasReady = this.#keeper.end === null;
      return this.#wasReady;
    }
  }

  async #statusOf(path: string, signal: AbortSignal): Promise<number> {
    try {
      const reply = await this.send({ path, signal });
      reply.resume();
      return reply.statusCode ?? 0;
    } catch {
      return 0;
    }
  }

  async #isNamed(alias: string, signal: AbortSignal): Promise<boolean> {
    try {
      return JSON.stringify(await json(await this.send({ path: "/v1/models", signal }))).includes(alias);
    } catch {
      return false;
    }
  }

  /** Whether it runs still. */
  get isAlive(): boolean {
    return this.#keeper.end === null;
  }

  /** Waits a moment for its end: a line that breaks is heard of before the process is. */
  async hasEnded(): Promise<boolean> {
    await Promise.race([this.#keeper.ended, sleep(SHORT_MS, undefined, { ref: false })]);
    return !this.isAlive;
  }

  /** What it said last, as far as it may be shown; empty for nothing. */
  get lastWords(): string {
    return this.#keeper.lastWords;
  }

  /** How it ended; `null` while it runs. */
  get ending(): KeeperNews | null {
    return this.#keeper.end;
  }

  /** Sends a request with its key. @throws the network's error, or the signal's reason. */
  async send({ method = "GET", path, headers = {}, body, signal }: LocalRequest): Promise<IncomingMessage> {
    const sent = { ...headers, authorization: `Bearer ${this.#key}` };
    const asked = request(`${this.#origin}${path}`, { method, headers: sent, signal, agent: AGENT });
    return await new Promise((resolve, reject) => {
      asked.on("error", (error) => reject(signal.aborted ? signal.reason : error));
      asked.once("response", resolve);
      // What breaks it off is said by the request.
      if (body instanceof Readable) pipeline(body, asked).catch(() => undefined);
      else asked.end(body);
    });
  }

  /**
   * Whether it is free again within a time: a request that nobody waits for any more may go on to the end of a picture.
   */
  async isFreeWithin(milliseconds: number): Promise<boolean> {
    const signal = AbortSignal.timeout(milliseconds);
    for (;;) {
      try {
        const slots: unknown = await json(await this.send({ path: "/slots", signal }));
        if (!JSON.stringify(slots).includes('"is_processing":true')) return true;
        await sleep(LOOKS_MS.first, undefined, { signal });
      } catch {
        return false;
      }
    }
  }

  /** Ends it, whatever it does; resolves once it is gone. */
  end(): Promise<void> {
    return this.#keeper.kill();
  }
}

/** The process that holds `llama-server`, and ends with this one. */
class Keeper {
  readonly ended: Promise<void>;
  end: KeeperNews | null = null;
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  readonly #output: () => string;
  readonly #key: string;

  constructor(orders: KeeperOrders, key: string) {
    this.#key = key;
    const child = fork(KEEPER, [JSON.stringify(orders)], {
      execArgv: [],
      env: {
        ...passedOn(process.env, [...EVERYBODY, ...PROGRAMS, "VK_*", "TMPDIR", "TEMP", "TMP"]),
        LLAMA_API_KEY: key,
      },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // A process group of its own, so that a kill reaches the program too, and Ctrl-C reaches the parent alone.
      detached: process.platform !== "win32",
    });
    this.#child = child;
    this.#output = keepEnd(child.stderr);
    this.#gone = once(child, "exit").catch(() => undefined);
    this.ended = new Promise((resolve) => {
      const note = (end: KeeperNews) => {
        this.end ??= end;
        resolve();
      };
      child.on("message", (news: KeeperNews) => note(news));
      child.once("error", ({ message }) => note({ type: "not-started", why: message }));
      child.once("exit", (code, signal) => note({ type: "ended", code, signal }));
    });
    // Nobody's work waits for it as such: a command line that is done may end, and takes it along.
    child.unref();
    child.channel?.unref();
    if (child.stderr instanceof Socket) child.stderr.unref();
  }

  get lastWords(): string {
    const said = hideSecrets(this.#output().replaceAll(this.#key, "…"));
    const lines = said.split("\n").filter((line) => line.trim() !== "");
    return lines
      .join(" ")
      .replace(/\s+/g, " ")
      .slice(-SAID_CHARACTERS)
      .replace(/^\S*\s/, "")
      .trim();
  }

  /** All that is kept of its output, for recognising what went wrong. */
  get log(): string {
    return this.#output();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    child.ref();
    // The keeper ends its program, and then itself: whoever waits for that has its memory back.
    if (child.connected) child.disconnect();
    const late = setTimeout(() => killGroup(child), KILL_MS);
    await this.#gone;
    clearTimeout(late);
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // listening on TCP, so an AddressInfo
  server.close();
  await once(server, "close");
  return port;
}
