import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fetch } from "../../src/client/request.ts";
import type { JobCost } from "../../src/contract/job.ts";
import { ROUTES, type RouteName } from "../../src/contract/routes.ts";
import { ConnectionError } from "../../src/core/error.ts";
import type { FileTransfer } from "../../src/core/ports.ts";
import { movieHeader } from "./premiere/memory-world.ts";
import { silentWav } from "./wav.ts";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly route: RouteName | "storage" | "unknown";
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** An answer; `break` cuts the line in its place. */
export type Answer =
  | {
      readonly status: number;
      readonly type?: string;
      readonly headers?: Record<string, string>;
      readonly body: string | Uint8Array;
    }
  | "break";

/** JSON as an answer. */
export function json(body: object, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: JSON.stringify(body) };
}

/** An error of storage in XML, as Google Cloud Storage words it. */
export function storageError(code: string, status = 403): Answer {
  const body = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>X</Message></Error>`;
  return { status, type: "application/xml", body };
}

const VTT =
  "WEBVTT\n\n00:01.000 --> 00:02.500\nA woman sits at a desk.\n\n00:04.000 --> 00:05.000\nShe opens a letter.\n";
const SEGMENTS = [
  { id: 1, start_time: 1, end_time: 2.5, description: "A woman sits at a desk." },
  { id: 2, start_time: 4, end_time: 5, description: "She opens a letter." },
];

/**
 * A server that behaves as the hosted service is known to behave (`service-facts.md`) where ours does otherwise: states
 * nobody listed, canonical ids, `output.segments`, hour-less WebVTT, storage on the side that speaks XML, links that
 * expire. It is scripted from the test: its fields say how it behaves, {@link faults} what it answers first.
 */
export class HostedServer {
  readonly key = "hosted-key-1";
  readonly seen: SeenRequest[] = [];
  /** Answers to be given before the usual ones, by route; taken in order. */
  readonly faults: Partial<Record<RouteName | "put" | "get", Answer[]>> = {};
  /** States of a job before it is done, one per poll. */
  jobStates: string[] = ["queued", "processing"];
  /** What a job under way says that it has used, as our own service's do; the hosted one says nothing. */
  jobCost: JobCost | undefined;
  /** How a job ends: `done`, or a failure code. */
  jobEnd = "done";
  /** How the first jobs end, in the order they were accepted; {@link jobEnd} after them. */
  jobEnds: readonly string[] = [];
  /** States of an upload before `completed`, one per poll. */
  uploadStates: string[] = ["processing"];
  uploadEnd = "completed";
  canonicalId: string | undefined;
  /** `json` results as `output.segments` with no `content`, as the newer edition has them. */
  sendsSegments = true;
  hasStatusEndpoint = true;
  /** The nested form of the text endpoint is refused with this message. */
  refusesNested: string | undefined;
  /** Seconds that the replies to polls ask to wait; absent where the test's clock needs no hurry. */
  pollSeconds: number | undefined;
  vtt = VTT;
  wav: Uint8Array = silentWav(6);
  mp4: Uint8Array = movieHeader(6);
  /** The page to write on that a finished job has, as our own service's do; the hosted one has none. */
  worksheet: string | undefined;
  /** What a finished job says of itself, as our own service does; the hosted one says nothing. */
  report: object | undefined;
  /** Makes the text and the sound of each job of its request's body, where somebody listens; else {@link vtt} and {@link wav} stand for all. */
  speaks: ((body: unknown) => { readonly vtt: string; readonly wav: Uint8Array }) | undefined;
  readonly stored = new Map<string, Uint8Array>();
  readonly jobs = new Map<
    string,
    {
      format: string;
      media: "wav" | "mp4" | null;
      polls: number;
      end: string;
      spoken?: { readonly vtt: string; readonly wav: Uint8Array };
    }
  >();
  /** What it has beside the interface, by method and path: `GET settings`. */
  // biome-ignore lint/suspicious/noExplicitAny: what is asked has the type that the test gives it
  readonly additions: Record<string, (asked: any) => { readonly status?: number; readonly body: object }> = {};
  readonly #uploadPolls = new Map<string, number>();
  #origin = "http://hosted.test";
  #signatures = 0;

  /** Requests that asked for a job and were accepted. */
  get accepted(): number {
    return this.jobs.size;
  }

  /** Bodies of the requests to one endpoint, as JSON. */
  bodies(route: RouteName): unknown[] {
    const ofRoute = this.seen.filter((request) => request.route === route);
    return ofRoute.map((request) => JSON.parse(Buffer.from(request.body).toString("utf8")));
  }

  /** Answers without a network. */
  readonly fetch: Fetch = async (address, init) => {
    const body = typeof init.body === "string" ? Buffer.from(init.body) : (init.body ?? new Uint8Array());
    const answer = this.#answer(init.method, new URL(address), new Headers(init.headers), body);
    if (this.mayLeave !== null) await this.mayLeave;
    if (answer === "break") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    const headers = new Headers({ "content-type": answer.type ?? "application/json", ...answer.headers });
    return { status: answer.status, headers, text: async () => Buffer.from(answer.body).toString("utf8") };
  };

  /** Moves files without a network. */
  readonly transfer: FileTransfer = {
    upload: async ({ path, url, contentType }) => {
      const headers = new Headers({ "content-type": contentType });
      return this.#transferred(this.#answer("PUT", new URL(url), headers, await readFile(path)));
    },
    download: async ({ path, url }) => {
      const answer = this.#answer("GET", new URL(url), new Headers(), new Uint8Array());
      const reply = this.#transferred(answer);
      if (answer !== "break" && answer.status === 200) await writeFile(path, answer.body);
      return reply;
    },
  };

  /** What an answer waits for on its way. */
  mayLeave: Promise<void> | null = null;

  /** Listens on a free loopback port until closed; `address` is the base address. */
  async listen(): Promise<{ readonly address: string; close(): Promise<void> }> {
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const url = new URL(request.url ?? "/", this.#origin);
      const answer = this.#answer(request.method ?? "GET", url, headers, Buffer.concat(pieces));
      if (this.mayLeave !== null) await this.mayLeave;
      if (answer === "break") {
        request.socket.destroy();
        return;
      }
      const type = answer.type ?? "application/json";
      response.writeHead(answer.status, { "content-type": type, ...answer.headers }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo;
    this.#origin = `http://127.0.0.1:${port}`;
    return {
      address: this.#origin,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  }

  #transferred(answer: Answer) {
    if (answer === "break") throw new ConnectionError("the line broke", { mayHaveArrived: true });
    return { status: answer.status, body: answer.status === 200 ? "" : Buffer.from(answer.body).toString("utf8") };
  }

  #answer(method: string, url: URL, headers: Headers, body: Uint8Array): Answer {
    const route = routeOf(method, url.pathname);
    this.seen.push({ route, method, path: url.pathname, query: url.searchParams, headers, body });
    const scripted =
      this.faults[route === "storage" ? (method === "PUT" ? "put" : "get") : (route as RouteName)]?.shift();
    if (scripted !== undefined) return scripted;
    if (route === "storage") return this.#storage(method, url, body);
    const name = `${method} ${url.pathname.replace(/^\/enterprise\/api\//, "")}`;
    // By a code somebody gets a key who has none.
    if (headers.get("x-api-key") !== this.key && name !== "POST /home/pair")
      return json({ error: "unauthorized", message: "Invalid API key." }, 401);
    const addition = this.additions[name];
    if (addition !== undefined) {
      const { status = 200, ...answer } = addition(
        body.length === 0 ? {} : JSON.parse(Buffer.from(body).toString("utf8")),
      );
      return json(answer.body, status);
    }
    if (route === "unknown") return json({ error: "not_found", message: "No such path." }, 404);
    const value = body.length === 0 ? {} : JSON.parse(Buffer.from(body).toString("utf8"));
    switch (route) {
      case "uploadMedia":
        return this.#signed(value.input.filename, value.input.content_type);
      case "notifyUploadComplete":
        return json({ status: "accepted", media_id: value.media_id });
      case "getUploadStatus":
        return this.#hurried(this.#uploadStatus(url.searchParams.get("media_id") ?? ""));
      case "generateAudio":
        return this.#accept(value.input?.media_id, value.generation_config?.format, "wav", value);
      case "generateVideo":
        return this.#accept(value.input?.media_id, value.generation_config?.format, "mp4");
      case "generateText": {
        const isNested = value.input !== undefined;
        if (isNested && this.refusesNested !== undefined) {
          return json({ error: "invalid_input", message: this.refusesNested }, 400);
        }
        return this.#accept(
          value.input?.media_id ?? value.media_id,
          value.generation_config?.format ?? value.format,
          null,
        );
      }
      case "getResults":
        return this.#hurried(this.#results(url.searchParams.get("job_id") ?? ""));
      case "deleteJob":
        return json({ status: "success", message: "Job deleted." });
      default:
        return json({ error: "feature_not_available", message: "Not part of this script.", plan_name: "Basic" }, 403);
    }
  }

  #hurried(answer: Answer): Answer {
    if (answer === "break" || this.pollSeconds === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, "retry-after": String(this.pollSeconds) } };
  }

  #storage(method: string, url: URL, body: Uint8Array): Answer {
    if (url.searchParams.get("X-Goog-Signature") === null) return storageError("SignatureDoesNotMatch");
    if (method === "PUT") {
      this.stored.set(url.pathname, body);
      return { status: 200, type: "text/html", body: "" };
    }
    const [type, file] = url.pathname.endsWith(".html")
      ? (["text/html", Buffer.from(this.worksheet ?? "")] as const)
      : url.pathname.endsWith(".mp4")
        ? (["video/mp4", this.mp4] as const)
        : (["audio/wav", this.#spokenAt(url.pathname)?.wav ?? this.wav] as const);
    return { status: 200, type, headers: { "content-length": String(file.length) }, body: file };
  }

  #spokenAt(path: string) {
    return [...this.jobs].find(([jobId]) => path.endsWith(`/${jobId}.wav`))?.[1].spoken;
  }

  #signed(filename: string, contentType: string): Answer {
    const mediaId = randomUUID();
    const path = `users/user_123/videos/${mediaId}/${filename}`;
    const address = `${this.#origin}/storage/${encodeURI(path)}?X-Goog-Signature=s${++this.#signatures}`;
    return json({
      media_id: mediaId,
      upload_url: address,
      gcs_path: path,
      status: "pending_upload",
      content_type: contentType,
    });
  }

  #uploadStatus(mediaId: string): Answer {
    if (!this.hasStatusEndpoint) return { status: 404, type: "text/html", body: "<h1>Not Found</h1>" };
    const polls = this.#uploadPolls.get(mediaId) ?? 0;
    this.#uploadPolls.set(mediaId, polls + 1);
    const state = this.uploadStates[polls] ?? this.uploadEnd;
    const canonical = state === "completed" ? { canonical_media_id: this.canonicalId ?? mediaId } : {};
    return json({ upload_status: state, ...canonical });
  }

  #accept(mediaId: string, format: string, media: "wav" | "mp4" | null, body?: unknown): Answer {
    const jobId = `task_${randomUUID().slice(0, 8)}`;
    const spoken = body === undefined ? undefined : this.speaks?.(body);
    const end = this.jobEnds[this.jobs.size] ?? "";
    this.jobs.set(jobId, { format, media, polls: 0, end, ...(spoken === undefined ? {} : { spoken }) });
    return json({ job_id: jobId, status: "queued", media_id: mediaId });
  }

  #results(jobId: string): Answer {
    const job = this.jobs.get(jobId);
    if (job === undefined) return json({ error: "not_found", message: "No such job." }, 404);
    const facts = {
      job_id: jobId,
      media_id: "m",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:01Z",
    };
    const state = this.jobStates[job.polls++];
    if (state !== undefined) return json({ ...facts, status: state, ...(this.jobCost && { cost: this.jobCost }) });
    const end = job.end || this.jobEnd;
    if (end !== "done") return json({ ...facts, status: "failed", error: end, message: "It went wrong." });
    const output =
      job.format === "json" && this.sendsSegments
        ? { segments: SEGMENTS }
        : {
            format: job.format,
            content: job.format === "json" ? JSON.stringify(SEGMENTS) : (job.spoken?.vtt ?? this.vtt),
          };
    const signature = `X-Goog-Signature=s${++this.#signatures}`;
    const linkTo = (ending: string) => `${this.#origin}/storage/results/${jobId}.${ending}?${signature}`;
    const links = {
      ...(job.media === "wav" ? { audio_signed_url: linkTo("wav") } : {}),
      ...(job.media === "mp4" ? { video_signed_url: linkTo("mp4") } : {}),
      ...(this.worksheet === undefined ? {} : { worksheet_signed_url: linkTo("html") }),
    };
    return json({
      ...facts,
      status: "done",
      output,
      ...links,
      ...(this.report === undefined ? {} : { report: this.report }),
      future_field: { a: 1 },
    });
  }
}

function routeOf(method: string, path: string): SeenRequest["route"] {
  if (path.startsWith("/storage/")) return "storage";
  const names = Object.keys(ROUTES) as RouteName[]; // The table's own keys, which Object.keys forgets.
  const found = names.find((name) => {
    const pattern = new RegExp(`^${ROUTES[name].path.replace(/\{\w+\}/, "[^/]+")}$`);
    return ROUTES[name].method === method && pattern.test(path);
  });
  return found ?? "unknown";
}
