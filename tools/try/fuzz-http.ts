// Bad input to every endpoint of one service: bodies, headers, forms, ranges, raw bytes and damaged media.
//   npm run tool -- fuzz:http [--requests 20000 --media 200 --seed 1]
// Ends with 1 on a 500, an error that is no Error object, a crash, or memory that keeps growing.
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { API_KEY_HEADER, PATH_PREFIX, SERVED_ROUTES } from "../../src/contract/routes.ts";
import { SeededRandom } from "../../test/fakes/seeded-random.ts";
import { fromSchema, type Schema } from "../../test/service/schema-arbitrary.ts";
import { multipartOf, type Reply, type Served, serve } from "../common/served.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    media: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
  },
});
const seed = Number(values.seed);

/** Jobs are taken and never run: what is tried here is what comes in. */
const CONFIGURATION = { plans: { default: { queued_jobs: 1_000_000, requests_per_minute: 10_000_000 } } };

/** Requests under way at once. */
const CLIENTS = 16;

/** What records refuse, and what they do not, as JSON writes it. */
const STRANGE_CHARACTERS = ["\\u0000", "\\ud800", "\\udc00\\ud800", "\\uffff", "\\ud83d\\ude00", "\\u0001", "\ufeff"];

/** Values of the header `Idempotency-Key`. */
const ODD_KEYS = [
  "",
  "a",
  '"a"',
  "x".repeat(255),
  "x".repeat(256),
  "\u00e9",
  "a,b",
  " ",
  "'; DROP TABLE aside.job; --",
];

/** Growth of memory from the first quarter to the end above which something is kept that should not be, in megabytes. */
const GROWTH_LIMIT_MB = 150;

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** One kind of bad input: sends one request of it. */
type Attack = (random: () => number) => Promise<Reply | null>;

const faults = new Map<string, number>();
const statuses = new Map<number, number>();
const video = await readFile(SAMPLE_CLIP);
const service = await serve(CONFIGURATION, { args: ["--no-worker"] });
let ended = false;
service.process.once("exit", () => {
  if (!ended) note("the service ended");
});

try {
  const attacks = await prepare(service);
  const total = Number(values.requests);
  const marks: number[] = [];
  const started = performance.now();
  let sent = 0;
  const client = async (number: number) => {
    const random = numbersFrom(seed * 1_000 + number);
    while (sent < total && service.process.exitCode === null) {
      sent++;
      if (sent % Math.ceil(total / 4) === 0) marks.push(service.residentMegabytes());
      const attack = attacks[Math.floor(random() * attacks.length)];
      const reply = (await attack?.(random).catch(() => null)) ?? null;
      if (reply !== null) judge(reply);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const media = await damagedMedia(service, Number(values.media));
  const alive = await service.raw("GET", "/healthz");
  if (alive.status !== 200) note("the service is not alive at the end");
  const growth = (marks.at(-1) ?? 0) - (marks[0] ?? 0);
  if (growth > GROWTH_LIMIT_MB) note(`memory grew by ${growth.toFixed(0)} MB after the first quarter`);
  const seconds = (performance.now() - started) / 1000;
  const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  process.stdout.write(
    `${sent} requests and ${media} damaged files in ${seconds.toFixed(0)} s, seed ${seed}: ${counted.join(", ")}\nmemory after each quarter: ${marks.map((mark) => mark.toFixed(0)).join(", ")} MB\n`,
  );
} finally {
  ended = true;
  await service.close();
}
for (const [fault, count] of faults) process.stdout.write(`FAULT ${count} × ${fault}\n`);
process.stdout.write(faults.size === 0 ? "no fault\n" : "");
process.exitCode = faults.size === 0 ? 0 : 1;

/** Every kind of bad input, the cheap and broad ones more often. */
async function prepare(server: Served): Promise<Attack[]> {
  const description: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
    (await server.raw("GET", "/openapi.json")).text,
  );
  const form = multipartOf(video);
  const uploaded = await server.send("POST", "upload_media", form.body, { "Content-Type": form.type });
  const { media_id: known }: { media_id: string } = JSON.parse(uploaded.text);
  const bodies: Attack[] = Object.values(SERVED_ROUTES).flatMap(({ method, path }) => {
    const schema = description.paths[path]?.[method.toLowerCase()]?.requestBody?.content["application/json"]?.schema;
    if (schema === undefined) return [];
    const pool = fc.sample(fc.oneof(fromSchema(schema, true), fromSchema(schema, false)), { numRuns: 300, seed });
    return [structured(server, path, pool, known), mangled(server, path, pool), unstorable(server, path, pool, known)];
  });
  const signed = await server.send("POST", "upload_media", { input: { type: "signed_url" } });
  const { upload_url: link }: { upload_url: string } = JSON.parse(signed.text);
  return [
    ...bodies,
    ...bodies,
    lookups(server),
    headers(server),
    storage(server, link),
    brokenForms(server),
    oddForms(server),
    oddHosts(server),
    rawBytes(server),
  ];
}

/** JSON of the documented shape, with parts of any other. */
function structured(server: Served, path: string, pool: readonly unknown[], known: string): Attack {
  return (random) => {
    const text = JSON.stringify(pick(random, pool)) ?? "null";
    const body = random() < 0.5 ? text.replace(/"media_id":"[-0-9a-f]{36}"/, `"media_id":"${known}"`) : text;
    return server.raw("POST", path, body, jsonHeaders(server));
  };
}

/** JSON that is damaged, deep, long or strange. */
function mangled(server: Served, path: string, pool: readonly unknown[]): Attack {
  const depth = 20_000;
  const strange = [
    "[".repeat(depth) + "]".repeat(depth),
    `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
    '{"__proto__":{"input":{"type":"url"}},"constructor":{"prototype":1}}',
    '{"media_id":1e999,"format":-0}',
    '{"input":{"type":"url","url":"http://[::ffff:7f00:1]/"}}',
    '{"source_url":"http://169.254.169.254/latest/meta-data"}',
    '{"source_url":"file:///etc/passwd","filename":"../../x"}',
    `{"custom_instructions":"${"a".repeat(200_000)}"}`,
    '"\\ud800"',
    "\u0000",
    "",
  ];
  return (random) => {
    if (random() < 0.3) return server.raw("POST", path, pick(random, strange) ?? "", jsonHeaders(server));
    const bytes = Buffer.from(JSON.stringify(pick(random, pool)) ?? "null");
    return server.raw("POST", path, damaged(bytes, random), jsonHeaders(server));
  };
}

/** JSON of the documented shape with texts that records refuse: NUL, halves of characters, characters that are none. */
function unstorable(server: Served, path: string, pool: readonly unknown[], known: string): Attack {
  return (random) => {
    const strange = pick(random, STRANGE_CHARACTERS) ?? "";
    const whole = JSON.stringify({ custom_instructions: "a", filename: "b.mp4", ...Object(pick(random, pool)) });
    const text = whole.replace(/"media_id":"[-0-9a-f]{36}"/, `"media_id":"${known}"`);
    // Names and texts both stand between quotes.
    const body = text.replace(/[\w ]"/g, (found) => (random() < 0.2 ? `${strange}"` : found));
    return server.raw("POST", path, body, jsonHeaders(server));
  };
}

/** Forms that are whole, with names, texts and boundaries that are not. */
function oddForms(server: Served): Attack {
  const names = ["a\0b.mp4", "../../a.mp4", "", "é\ud800", "a".repeat(5_000), '"', "\u0001\u007f"];
  const configs = [
    "[".repeat(20_000) + "]".repeat(20_000),
    `${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
    '{"custom_instructions":"\\u0000"}',
    '{"description_content":"00:01 \\ud800"}',
    '{"custom_captions":{"content":"00:01 a","filename":"\\u0000"}}',
    `{"description_content":"${'1 --> 2\\n"a,'.repeat(3_000).replaceAll('"', '\\"')}"}`,
    "\0",
    "{}",
  ];
  return (random) => {
    const boundary = pick(random, ["b", "b".repeat(70), "b".repeat(300), "b b", "'()+_,-./:=?"]) ?? "b";
    const name = pick(random, names) ?? "";
    const disposition = random() < 0.5 ? `filename="${name}"` : "filename*=UTF-8''a%00%ff%ed%a0%80.mp4";
    const body = [
      `--${boundary}`,
      'Content-Disposition: form-data; name="input"',
      "",
      JSON.stringify({ type: "file", ...(random() < 0.3 ? { filename: name } : {}) }),
      `--${boundary}`,
      `Content-Disposition: form-data; name="${random() < 0.8 ? "generation_config" : name}"`,
      "",
      pick(random, configs),
      `--${boundary}`,
      `Content-Disposition: form-data; name="file"; ${disposition}`,
      "",
      "",
    ].join("\r\n");
    const path = pick(random, ["upload_media", "generate_ad_audio", "generate_ad_video", "generate_ad_text"]) ?? "";
    return server.send(
      "POST",
      path,
      Buffer.concat([Buffer.from(body), video, Buffer.from(`\r\n--${boundary}--\r\n`)]),
      { "Content-Type": `multipart/form-data; boundary=${random() < 0.5 ? boundary : `"${boundary}"`}` },
    );
  };
}

/** Requests whose answer holds an address, under hosts that are none. */
function oddHosts(server: Served): Attack {
  const hosts = ["a b", "[", "x:99999", "a/b", "%%%", "a@b", "x".repeat(5_000), "[::1]:8420", ":", "..", "\u00e9"];
  return (random) =>
    server.send(
      "POST",
      "upload_media",
      { input: { type: "signed_url" } },
      {
        Host: pick(random, hosts) ?? "",
        ...(random() < 0.5 ? { "Idempotency-Key": pick(random, ODD_KEYS) ?? "" } : {}),
      },
    );
}

/** Ids and queries of any form. */
function lookups(server: Served): Attack {
  const words = [
    "",
    "%",
    "%00",
    "..%2f..",
    "'; DROP TABLE aside.job; --",
    "x".repeat(3_000),
    "%ff%fe",
    crypto.randomUUID(),
    "null",
  ];
  return (random) => {
    const word = pick(random, words) ?? "";
    const kind = random();
    if (kind < 0.4) return server.send("GET", `get_results?job_id=${word}&job_id=${pick(random, words)}`);
    if (kind < 0.7) return server.send("DELETE", `jobs/${word}`);
    return server.send("GET", `get_upload_status?media_id=${word}&gcs_path=${word}`);
  };
}

/** Headers of any form on any endpoint. */
function headers(server: Served): Attack {
  const types = [
    "application/json",
    "application/json; charset=utf-7",
    "text/plain",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "/",
    "",
    "application/xml",
  ];
  const keys = [server.key, "", "x".repeat(10_000), "aside_", "a,b"];
  const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"];
  return (random) => {
    const { path } = pick(random, Object.values(SERVED_ROUTES)) ?? SERVED_ROUTES.getResults;
    return server.raw(pick(random, methods) ?? "GET", path, random() < 0.5 ? undefined : "{}", {
      "Content-Type": pick(random, types) ?? "",
      [API_KEY_HEADER]: pick(random, keys) ?? "",
      Range: "bytes=9-1",
      "Content-Encoding": random() < 0.2 ? "gzip" : "identity",
      Expect: random() < 0.1 ? "100-continue" : "",
    });
  };
}

/** Signed links with changed parts, and ranges that make no sense. */
function storage(server: Served, link: string): Attack {
  const { pathname, search } = new URL(link);
  const ranges = [
    "bytes 0-9/10",
    "bytes */*",
    "bytes 9-0/5",
    "bytes 0-0/0",
    "bytes a-b/c",
    "bytes 0-99999999999999999999/1",
    "",
  ];
  return (random) => {
    const target =
      random() < 0.5
        ? pathname + search
        : damaged(Buffer.from(pathname + search), random)
            .toString("latin1")
            .replace(/[^\x21-\x7e]/g, "x");
    const resumed = random() < 0.5 ? target.replace("purpose=put", "purpose=resume") : target;
    return server.raw(random() < 0.7 ? "PUT" : "GET", resumed.startsWith("/") ? resumed : `/${resumed}`, "0123456789", {
      "Content-Type": "application/octet-stream",
      "Content-Range": pick(random, ranges) ?? "",
      Range: "bytes=-0",
    });
  };
}

/** Multipart forms with damaged frames; most of them never become a file. */
function brokenForms(server: Served): Attack {
  const { body, type } = multipartOf(video.subarray(0, 2_000));
  return (random) =>
    server.send(
      "POST",
      pick(random, ["upload_media", "generate_ad_audio", "generate_ad_text"]) ?? "",
      damaged(body.subarray(0, Math.floor(random() * 400)), random),
      {
        "Content-Type": random() < 0.8 ? type : type.slice(0, -3),
      },
    );
}

/** Bytes that are hardly HTTP, over a connection of their own. */
function rawBytes(server: Served): Attack {
  const host = `Host: x\r\n${API_KEY_HEADER}: ${server.key}\r\n`;
  const starts = [
    `POST ${PATH_PREFIX}/generate_ad_text HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`,
    `POST ${PATH_PREFIX}/generate_ad_text HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nzz\r\n`,
    `POST ${PATH_PREFIX}/upload_media HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nffffffffffffffff\r\n{`,
    `GET ${PATH_PREFIX}/get_results?job_id=\u0001 HTTP/1.1\r\n${host}\r\n`,
    `GET ${"/a".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/9.9\r\n${host}\r\n`,
    `GET * HTTP/1.1\r\n${host}X: ${"y".repeat(20_000)}\r\n\r\n`,
    "\u0016\u0003\u0001\u0002\u0000\u0001",
  ];
  return (random) =>
    new Promise((resolve) => {
      const socket = connect(server.port, "127.0.0.1");
      let text = "";
      socket.setTimeout(500, () => socket.destroy());
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1");
      });
      socket.once("close", () => {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
        // Node answers what is no HTTP itself, without a body.
        resolve(status >= 500 ? { status, text: "" } : null);
      });
      socket.end(damaged(Buffer.from(pick(random, starts) ?? "", "latin1"), random));
    });
}

/** Uploads of a real video with damaged bytes: each is opened by FFmpeg in a process of its own. */
async function damagedMedia(server: Served, count: number): Promise<number> {
  const random = numbersFrom(seed);
  for (let index = 0; index < count && server.process.exitCode === null; index++) {
    const bytes = Buffer.from(random() < 0.3 ? video.subarray(0, Math.floor(random() * video.length)) : video);
    const hits = 1 + Math.floor(random() * 200);
    // Most of what steers a reader stands at the file's ends.
    for (let hit = 0; hit < hits; hit++) {
      const reach = random() < 0.7 ? Math.min(4_096, bytes.length) : bytes.length;
      const from = random() < 0.5 ? 0 : bytes.length - reach;
      if (bytes.length > 0) bytes[from + Math.floor(random() * reach)] = Math.floor(random() * 256);
    }
    const { body, type } = multipartOf(bytes);
    judge(await server.send("POST", "upload_media", body, { "Content-Type": type }));
  }
  return count;
}

/** Holds a reply against what every reply must be. */
function judge({ status, text }: Reply): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 500 && status !== 507) note(`status ${status}: ${text.slice(0, 200)}`);
  if (status < 400 || text === "" || text.startsWith("<?xml")) return;
  try {
    const { error, message } = JSON.parse(text);
    if (typeof error !== "string" || typeof message !== "string") note(`no Error object: ${text.slice(0, 200)}`);
  } catch {
    note(`no JSON with status ${status}: ${text.slice(0, 200)}`);
  }
}

function note(fault: string): void {
  faults.set(fault, (faults.get(fault) ?? 0) + 1);
}

function jsonHeaders({ key }: Served): Record<string, string> {
  return { [API_KEY_HEADER]: key, "Content-Type": "application/json" };
}

function damaged(bytes: Buffer | Uint8Array, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  for (let hit = 0; hit < 1 + random() * 4; hit++) {
    if (copy.length > 0) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  }
  return random() < 0.3 ? copy.subarray(0, Math.floor(random() * copy.length)) : copy;
}

function pick<Item>(random: () => number, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Numbers from 0 up to 1 that the seed alone decides. */
function numbersFrom(seed: number): () => number {
  const random = new SeededRandom(seed);
  return () => random.next();
}
