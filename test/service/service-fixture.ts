import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type AppPorts, createApp } from "../../src/service/app.ts";
import { configurationFrom } from "../../src/service/configuration.ts";
import { dataFolders } from "../../src/service/storage/data-folders.ts";
import type { Database } from "../../src/service/storage/database.ts";
import { eventually } from "./eventually.ts";
import { freshDatabase } from "./records.ts";
import { runFakes } from "./tasks-here.ts";

export { eventually } from "./eventually.ts";

/** Module of the tasks in `fake-tasks.ts`. */
export const FAKE_TASKS = new URL("./fake-tasks.ts", import.meta.url).href;

/** A service on a folder of its own, and a key for it. */
export interface TestService {
  readonly app: App;
  readonly database: Database;
  readonly dataFolder: string;
  readonly key: string;
  /** Sends a request with the key; a body that is no form is sent as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Follows an absolute link of the service without a key. */
  follow(url: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** A reply with its JSON read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into replies of every shape and compare what they find.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

export const API = "/enterprise/api";

/** Starts a service in this process, over a fresh embedded database. */
export async function startTestService(
  configuration: object = {},
  ports: Partial<AppPorts> = {},
): Promise<TestService> {
  const dataFolder = await mkdtemp(join(tmpdir(), "aside-service-"));
  const database = ports.database ?? (await freshDatabase(dataFolders(dataFolder).records));
  const app = await createApp(configurationFrom(configuration, dataFolder), {
    database,
    ...(ports.tasks === undefined ? { isolate: runFakes } : {}),
    tasks: FAKE_TASKS,
    log: { level: "silent" },
    ...ports,
  });
  const key = await app.processKey();
  return {
    app,
    database,
    dataFolder,
    key,
    send: (method, path, body, headers = {}) => send(app, key, method, path, body, headers),
    follow: (url, init) => app.handle(new Request(url, init)),
    async close() {
      await app.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Sends a request with a key to a service in this process. */
export async function send(
  app: App,
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const isForm = body instanceof FormData || body === undefined || typeof body === "string";
  const request = new Request(`http://service.test${path.startsWith("/") ? path : `${API}/${path}`}`, {
    method,
    headers: {
      ...(key === null ? {} : { "X-API-Key": key }),
      ...(isForm ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const response = await app.handle(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

/** Polls a job until it is over. */
export function finished(service: Pick<TestService, "send">, jobId: string, seconds?: number): Promise<Reply["body"]> {
  return eventually(async () => {
    const { body } = await service.send("GET", `get_results?job_id=${jobId}`);
    return body.status === "done" || body.status === "failed" ? body : undefined;
  }, seconds);
}

/** Lets a job with the instruction `gate` go on. */
export async function openGate(dataFolder: string, jobId: string): Promise<void> {
  const folder = join(dataFolder, "work", jobId);
  await mkdir(folder, { recursive: true });
  // Where the job is over already, its folder goes meanwhile.
  await writeFile(join(folder, "open"), "").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** A multipart form as clients send it. */
export function form(
  bytes: Uint8Array<ArrayBuffer>,
  parts: Record<string, unknown> = {},
  fileName = "clip.mp4",
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries({ input: { type: "file" }, ...parts })) {
    if (value !== undefined) data.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  data.set("file", new Blob([bytes], { type: "video/mp4" }), fileName);
  return data;
}

/** Uploads bytes by the signed flow up to and including the notification; resolves with the signed reply. */
export async function uploadSigned(
  service: TestService,
  bytes: Uint8Array<ArrayBuffer>,
  filename = "clip.mp4",
): Promise<Reply["body"]> {
  const { body } = await service.send("POST", "upload_media", {
    input: { type: "signed_url", filename, content_type: "video/mp4" },
  });
  const put = await service.follow(body.upload_url, {
    method: "PUT",
    headers: { "Content-Type": body.content_type },
    body: bytes,
  });
  if (put.status !== 200) throw new Error(`PUT was answered with ${put.status}`);
  const notified = await service.send("POST", "notify_upload_complete", {
    media_id: body.media_id,
    gcs_path: body.gcs_path,
  });
  if (notified.status !== 200) throw new Error(`notify was answered with ${notified.status}`);
  return body;
}

/** Waits until a signed upload's verification is over; resolves with the status reply. */
export function verified(service: TestService, upload: { media_id: string; gcs_path: string }): Promise<Reply["body"]> {
  const query = new URLSearchParams({ media_id: upload.media_id, gcs_path: upload.gcs_path });
  return eventually(async () => {
    const { body } = await service.send("GET", `get_upload_status?${query}`);
    return body.upload_status === "completed" || body.upload_status === "failed" ? body : undefined;
  });
}
