import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { defined } from "../../core/objects.ts";
import { HERE_URL } from "../models/presets.ts";
import { Gate } from "../models/question.ts";
import { ENGINE_FAULT_HEADER, VisionError } from "../models/refusal.ts";
import { eyesIn, type InstalledEyes, type VisionSettings } from "../models/vision-settings.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { beyondConnection, type Outlet } from "../outgoing/relay.ts";
import type { OutgoingRequest } from "../outgoing/send-request.ts";
import { endedAgain, endedOnPurpose, notInstalled } from "./llama-server-faults.ts";
import { LlamaServer } from "./llama-server-process.ts";

/** How long things may take with the model of this computer. */
interface EyesTimes {
  /** Seconds in which a model has to be loaded: a large one comes from a slow disk. */
  readonly startSeconds: number;
  /** Seconds without a question after which its memory is given back. */
  readonly idleSeconds: number;
  /** Milliseconds in which a question that nobody waits for any more has to stop. */
  readonly stopMs: number;
}

const TIMES: EyesTimes = { startSeconds: 180, idleSeconds: 300, stopMs: 2_000 };

/** Times that a server may end by itself in the middle of one job: it is started once more, and then no more. */
const MOST_ENDS = 2;

/** What one job has met with: a server that failed it is not started for it again. */
export interface EyesJob {
  ends: number;
  fault: VisionError | null;
}

/**
 * The one model of this computer that sees, for all jobs: started when a question comes, asked one question at a time in the
 * order in which they came, and ended when none comes.
 */
export class Eyes {
  readonly #times: EyesTimes;
  readonly #turns = new Gate(1);
  #server: LlamaServer | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Models for which the graphics card turned out to be in the way. */
  readonly #onProcessor = new Set<string>();
  /** Ends what is under way once all is to end. */
  #closing = new AbortController();

  constructor(times: Partial<EyesTimes> = {}) {
    this.#times = { ...TIMES, ...times };
  }

  /** Whether a model is loaded now. */
  get isLoaded(): boolean {
    return this.#server?.isAlive === true;
  }

  /** Whether a model runs on the processor though there may be a graphics card. */
  isOnProcessor({ model }: InstalledEyes): boolean {
    return this.#onProcessor.has(model.id);
  }

  /**
   * Does something with the server, in its turn, until the signal that the work is given aborts. Where the signal aborts in the middle and the server does not become free, it is
   * ended: the next one who asks would wait for a picture that nobody wants.
   *
   * @throws VisionError `vision_engine_failed` where it cannot be started, or keeps ending; what the work throws; the signal's reason.
   */
  async use<T>(
    eyes: InstalledEyes,
    job: EyesJob,
    signal: AbortSignal,
    work: (server: LlamaServer, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    return await this.#turns.run(async () => {
      clearTimeout(this.#idle);
      try {
        const server = await this.#ready(eyes, job, either);
        try {
          return await work(server, either);
        } catch (error) {
          if (!either.aborted) {
            if (await server.hasEnded()) this.#noteEnd(eyes, job, server);
          } else if (!(await server.isFreeWithin(this.#times.stopMs))) await this.#drop();
          throw either.aborted ? either.reason : error;
        }
      } finally {
        this.#rest();
      }
    }, either);
  }

  /** Ends the server and whatever waits for it; it is started again for the next question. */
  async end(): Promise<void> {
    const closing = this.#closing;
    this.#closing = new AbortController();
    closing.abort(endedOnPurpose());
    clearTimeout(this.#idle);
    await this.#drop();
  }

  async #ready(eyes: InstalledEyes, job: EyesJob, signal: AbortSignal): Promise<LlamaServer> {
    if (job.fault !== null) throw job.fault;
    const { id } = eyes.model;
    if (this.#server?.isAlive === true && this.#server.model === id) return this.#server;
    await this.#drop();
    try {
      const onProcessor = this.#onProcessor.has(id);
      const server = await LlamaServer.start(eyes, { onProcessor, within: this.#times.startSeconds, signal });
      if (signal.aborted) await server.end();
      signal.throwIfAborted();
      if (server.onProcessor) this.#onProcessor.add(id);
      this.#server = server;
      return server;
    } catch (error) {
      // What was ended on purpose failed nobody.
      if (error instanceof VisionError && !signal.aborted) job.fault = error;
      throw error;
    }
  }

  #noteEnd(eyes: InstalledEyes, job: EyesJob, server: LlamaServer): void {
    job.ends++;
    if (job.ends >= MOST_ENDS) job.fault = endedAgain(eyes, server);
  }

  /** Waits for the next question as long as somebody may think about it. */
  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#drop(), this.#times.idleSeconds * 1000);
    this.#idle.unref();
  }

  async #drop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.end();
  }
}

/** What all services and commands of this process share: there is memory for one. */
const EYES = new Eyes();

/** Ends the model of this computer, where one is loaded: with the service, and before its files go. */
export function endEyes(): Promise<void> {
  return EYES.end();
}

/** Where a question is put to it, in a process that reaches nobody by itself. */
const CHAT = new URL(`${HERE_URL}/chat/completions`);

/**
 * Passes the questions of one job on to the installed model, and starts it with the first. It costs nothing, so nothing is
 * written into the book of the job.
 */
export function eyesOutlet(environment: Environment, modelId: string, eyes: Eyes = EYES): Outlet {
  const job: EyesJob = { ends: 0, fault: null };
  return {
    takes: (url) => url.origin === CHAT.origin && url.pathname === CHAT.pathname,
    async answer(request, _url, reply, signal) {
      try {
        const installed = eyesIn(environment, modelId);
        if (installed === null) throw notInstalled();
        const { authorization: _, ...headers } = beyondConnection(request.headers);
        await eyes.use(installed, job, signal, async (server, wanted) => {
          const path = CHAT.pathname;
          const answered = await server.send({ method: "POST", path, headers, body: request, signal: wanted });
          reply.writeHead(answered.statusCode ?? 502, beyondConnection(answered.headers));
          await pipeline(answered, reply);
        });
      } catch (error) {
        if (!(error instanceof VisionError) || reply.headersSent) throw error;
        request.resume();
        reply.writeHead(502, { [ENGINE_FAULT_HEADER]: error.code, "content-type": "text/plain; charset=utf-8" });
        reply.end(error.message);
      }
    },
  };
}

/**
 * Settings by which a process that is behind no relay asks the installed model too; those of any other model as they are.
 */
export function askedDirectly(settings: VisionSettings, environment: Environment, eyes: Eyes = EYES): VisionSettings {
  if (settings.baseUrl !== HERE_URL) return settings;
  const job: EyesJob = { ends: 0, fault: null };
  const send = async ({ method, headers, body, signal }: OutgoingRequest) => {
    const installed = eyesIn(environment, settings.model);
    if (installed === null) throw notInstalled();
    return await eyes.use(installed, job, signal, async (server, wanted) => {
      const path = CHAT.pathname;
      const reply = await server.send({ method, path, headers, ...defined({ body }), signal: wanted });
      // Read here: its turn is over only then.
      const read = Readable.from([await buffer(reply)]);
      return Object.assign(read, { statusCode: reply.statusCode, headers: reply.headers });
    });
  };
  return { ...settings, send };
}
