import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { API_KEY_HEADER, PATH_PREFIX } from "../../src/contract/routes.ts";
import { ASIDE, startAside } from "./aside.ts";
import { megabytesOf, processorSecondsOf } from "./measure.ts";

/** A reply as it came. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A service in a process of its own, on a folder that is removed with it. */
export interface Served {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly process: ChildProcess;
  /** Sends a request to an endpoint with the key; a body that is no text or bytes is sent as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Sends any request to any path, over connections that are kept. */
  raw(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** Makes a key of a team, as an operator does beside the running service. */
  createKey(team: string): Promise<string>;
  /** Resident memory of the process in megabytes; 0 where the system does not tell. */
  residentMegabytes(): number;
  /** Processor time that the process has used, in seconds; 0 where the system does not tell. */
  processorSeconds(): number;
  /** The value of a line of `/metrics`; 0 when it is not there. */
  metric(line: string): Promise<number>;
  close(): Promise<void>;
}

/** How a service is started, beyond its configuration. */
interface ServeOptions {
  readonly args?: readonly string[];
  /** Data folder that stays. Default: one of its own, removed with the service. */
  readonly folder?: string;
  /** Key of an earlier start on that folder, which makes none then. Default: the one that is printed, which must be. */
  readonly key?: string;
  /** Variables beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts `aside serve` with a configuration. */
export async function serve(
  configuration: object,
  { args = [], environment = {}, key: givenKey, folder: givenFolder }: ServeOptions = {},
): Promise<Served> {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), "aside-served-")));
  await writeFile(join(folder, "aside.json"), JSON.stringify(configuration));
  const child = startAside(["serve", "--port", "0", "--data", folder, ...args], { environment });
  child.stderr.pipe(process.stderr, { end: false });
  let [url, key] = ["", givenKey ?? ""];
  for await (const line of createInterface(child.stdout)) {
    url = /listens on (\S+)/.exec(line)?.[1] ?? url;
    key = /: (aside_\S+)$/.exec(line)?.[1] ?? key;
    if (line.startsWith("Stop with")) break;
  }
  child.stdout.resume();
  if (url === "" || (key === "" && givenKey === undefined)) throw new Error("aside serve did not start");
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  const raw: Served["raw"] = (method, path, body, headers = {}) => exchange(agent, url + path, method, body, headers);
  return {
    url,
    port: Number(new URL(url).port),
    key,
    process: child,
    raw,
    send(method, path, body, headers = {}) {
      const isPlain = body === undefined || typeof body === "string" || body instanceof Uint8Array;
      return raw(method, `${PATH_PREFIX}/${path}`, isPlain ? body : JSON.stringify(body), {
        [API_KEY_HEADER]: key,
        ...(isPlain ? {} : { "Content-Type": "application/json" }),
        ...headers,
      });
    },
    async createKey(team) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        ASIDE,
        ...["keys", "create", "--team", team, "--data", folder],
      ]);
      return /aside_\S+/.exec(stdout)?.[0] ?? "";
    },
    residentMegabytes: () => megabytesOf(child.pid ?? 0),
    processorSeconds: () => processorSecondsOf(child.pid ?? 0),
    async metric(line) {
      const { text } = await raw("GET", "/metrics", undefined, { [API_KEY_HEADER]: key });
      const found = text.split("\n").find((one) => one.startsWith(`${line} `));
      return Number(found?.slice(line.length + 1) ?? 0);
    },
    async close() {
      agent.destroy();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      if (givenFolder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function exchange(
  agent: Agent,
  url: string,
  method: string,
  body: string | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const sending = request(url, { agent, method, headers: { ...length, ...headers } }, (reply) => {
      textOf(reply).then((text) => resolve({ status: reply.statusCode ?? 0, text }), reject);
    });
    sending.once("error", reject);
    sending.end(body);
  });
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** A short video as bytes, and a multipart form that carries it. */
export function multipartOf(video: Uint8Array, input: object = { type: "file" }): { body: Uint8Array; type: string } {
  const boundary = "aside-boundary-7d1f";
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="input"',
    "",
    JSON.stringify(input),
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="clip.mp4"',
    "Content-Type: video/mp4",
    "",
    "",
  ].join("\r\n");
  const body = Buffer.concat([Buffer.from(head), video, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
