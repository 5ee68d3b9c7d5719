import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod/mini";
import { Deviation, type Exchange, fits } from "./exchange.ts";
import { accepted, Done, Failed, Media, Polled, Submitted } from "./replies.ts";

/** What a run is given. */
export interface ConformanceOptions {
  /** Base URL of the server. */
  readonly server: string;
  readonly key: string;
  /** A video with a picture and at least three seconds without speech. */
  readonly video: { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string };
  /** Address of a video that the server can fetch; without it those checks are skipped. */
  readonly videoUrl?: string;
  /** How long a job or a verification may take, in seconds. */
  readonly patienceSeconds: number;
}

/** One property of the interface, checked by requests. */
export interface Check {
  readonly title: string;
  /** @throws Deviation when the server does otherwise, Skipped when it cannot be checked. */
  run(context: Context): Promise<void>;
}

/** How often a state is asked for. */
const POLL_MS = 500;

/** The server under test and what the checks share: its one medium, and its jobs. */
export class Context {
  readonly exchange: Exchange;
  readonly options: ConformanceOptions;
  #media: Promise<z.output<typeof Media>> | undefined;

  constructor(exchange: Exchange, options: ConformanceOptions) {
    this.exchange = exchange;
    this.options = options;
  }

  /** The video of the run as a multipart form. */
  form(parts: Readonly<Record<string, unknown>> = {}): FormData {
    const form = new FormData();
    for (const [name, value] of Object.entries({ input: { type: "file" }, ...parts })) {
      form.set(name, JSON.stringify(value));
    }
    const { bytes, name } = this.options.video;
    form.set("file", new Blob([bytes], { type: "video/mp4" }), name);
    return form;
  }

  /** The video of the run as media of the server, uploaded once. */
  media(): Promise<z.output<typeof Media>> {
    this.#media ??= this.exchange
      .send("POST", "upload_media", { form: this.form() })
      .then((answer) => accepted(answer, Media, "a multipart upload"));
    return this.#media;
  }

  /** Sends a generation request in the nested form. */
  async submit(kind: "text" | "audio" | "video", config: object): Promise<z.output<typeof Submitted>> {
    const { media_id } = await this.media();
    const json = { input: { type: "media_id", media_id }, generation_config: config };
    return accepted(
      await this.exchange.send("POST", `generate_ad_${kind}`, { json }),
      Submitted,
      `generate_ad_${kind}`,
    );
  }

  /** Polls a job to its end. */
  async ended(jobId: string): Promise<unknown> {
    return this.eventually("the job to end", async () => {
      const answer = await this.exchange.send("GET", `get_results?job_id=${encodeURIComponent(jobId)}`);
      const { status } = accepted(answer, Polled, "a poll");
      return status === "done" || status === "failed" ? answer.body : undefined;
    });
  }

  /** Polls a job to its good end. */
  async done(jobId: string): Promise<z.output<typeof Done>> {
    const body = await this.ended(jobId);
    const { status } = fits(Polled, body, "a poll");
    if (status === "failed") {
      const { error, message } = fits(Failed, body, "a failed job");
      throw new Deviation(`the job failed: ${error}: ${message}`);
    }
    return fits(Done, body, "a done job");
  }

  /** Asks again and again until there is an answer. */
  async eventually<Value>(what: string, ask: () => Promise<Value | undefined>): Promise<Value> {
    const deadline = performance.now() + this.options.patienceSeconds * 1000;
    for (;;) {
      const value = await ask();
      if (value !== undefined) return value;
      if (performance.now() > deadline) {
        throw new Deviation(`waited ${this.options.patienceSeconds} s in vain for ${what}`);
      }
      await sleep(POLL_MS);
    }
  }
}
