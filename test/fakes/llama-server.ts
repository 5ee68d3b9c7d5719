// A stand-in for `llama-server`, for tests: it takes its flags, and behaves as badly as its users report. How it behaves stands
// as JSON in the file of its model; what it was started with goes into `starts.jsonl` beside it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

/** How it behaves; what is left out is as it should be. */
export interface LlamaServerBehaviour {
  /** Milliseconds in which it answers 503. */
  readonly loadMs?: number;
  /** Times that it finds its port taken. */
  readonly portsTaken?: number;
  /** Ends before it is ready, with what it says then: on the graphics card alone, or everywhere. */
  readonly dies?: {
    readonly says: string;
    readonly code?: number;
    readonly signal?: NodeJS.Signals;
    readonly onProcessorToo?: boolean;
  };
  /** Ends in the middle of an answer, so many times. */
  readonly diesAnswering?: number;
  /** Milliseconds that a picture takes in which it hears nothing, also where nobody waits any more. */
  readonly pictureMs?: number;
  /** Finds nothing right that it looks at for the second time. */
  readonly isUnsure?: boolean;
  /** Never ends an answer. */
  readonly hangs?: boolean;
  /** Repeats a phrase until the length of its answer is reached. */
  readonly loops?: boolean;
}

/** One start, as it is written down. */
export interface LlamaServerStart {
  readonly pid: number;
  readonly args: readonly string[];
  /** Names of all variables it was given. */
  readonly variables: readonly string[];
}

const { values } = parseArgs({
  options: Object.fromEntries(
    [
      ...[
        "model",
        "mmproj",
        "alias",
        "host",
        "port",
        "ctx-size",
        "parallel",
        "cache-ram",
        "flash-attn",
        "cache-type-k",
      ],
      ...["cache-type-v", "image-min-tokens", "image-max-tokens", "threads", "log-verbosity", "device", "gpu-layers"],
    ].map((name) => [name, { type: "string" as const }]),
  ),
  // Any other option ends it, as an option that it does not know ends the real one.
  strict: false,
});
const FLAGS_WITHOUT_VALUE = ["offline", "no-webui", "no-warmup", "no-mmproj-offload"];
const text = (name: string) => String(values[name] ?? "");
const unknown = Object.keys(values).filter((name) => values[name] === true && !FLAGS_WITHOUT_VALUE.includes(name));
if (unknown.length > 0 || Number(text("threads")) > availableParallelism())
  die(`error: invalid argument: --${unknown[0]}`, 1);

const folder = dirname(text("model"));
const behaviour: LlamaServerBehaviour = JSON.parse(readFileSync(text("model"), "utf8"));
const start: LlamaServerStart = { pid: process.pid, args: process.argv.slice(2), variables: Object.keys(process.env) };
appendFileSync(join(folder, "starts.jsonl"), `${JSON.stringify(start)}\n`);

const isOnProcessor = text("device") === "none";
const { dies } = behaviour;
if (dies !== undefined && (dies.onProcessorToo === true || !isOnProcessor)) {
  process.stderr.write(`${dies.says}\n`);
  if (dies.signal !== undefined) process.kill(process.pid, dies.signal);
  process.exit(dies.code ?? 1);
}
if (isCountedDown("portsTaken")) die("srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1", 1);

const key = process.env["LLAMA_API_KEY"] ?? "";
let isLoaded = (behaviour.loadMs ?? 0) === 0;
if (!isLoaded && behaviour.loadMs !== Number.POSITIVE_INFINITY) setTimeout(() => (isLoaded = true), behaviour.loadMs);
/** Its one thread: while it looks at a picture, nothing else is done. */
let thread: Promise<unknown> = Promise.resolve();
let isProcessing = false;

createServer((request, response) => void answer(request, response)).listen(Number(text("port")), text("host"));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (!isLoaded) return say(503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } });
  if (request.url === "/health") return say(200, { status: "ok" });
  if (request.headers.authorization !== `Bearer ${key}`)
    return say(401, { error: { code: 401, message: "Invalid API Key" } });
  if (request.url === "/v1/models") return say(200, { data: [{ id: text("alias"), owned_by: "llamacpp" }] });
  if (request.url === "/slots") {
    await thread;
    return say(200, [{ id: 0, is_processing: isProcessing }]);
  }
  // What stands in the body is the adapter's own form, which other tests hold.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const body: any = await json(request);
  appendFileSync(join(folder, "asked.jsonl"), `${JSON.stringify(body)}\n`);
  if (isCountedDown("diesAnswering")) process.kill(process.pid, "SIGABRT");
  isProcessing = true;
  response.once("close", () => (isProcessing = false));
  const pictures = JSON.stringify(body.messages).split("data:image/").length - 1;
  thread = sleep(pictures * (behaviour.pictureMs ?? 0));
  await thread;
  if (behaviour.hangs === true) return;
  const content =
    behaviour.loops === true
      ? `{"events": [{"shot": 1, "picture": 1, "what": "${"The man walks on. ".repeat(200)}`
      : JSON.stringify(exampleOf(body.response_format?.json_schema?.schema ?? {}));
  say(200, {
    model: text("alias"),
    choices: [{ finish_reason: behaviour.loops === true ? "length" : "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 800 + 400 * pictures, completion_tokens: 40 },
    timings: { prompt_n: 800 + 400 * pictures, prompt_ms: 2000, predicted_n: 40, predicted_ms: 1000 },
  });
}

/** Whether something happens once more, of the times that it is to: they are counted over all starts. */
function isCountedDown(name: "portsTaken" | "diesAnswering"): boolean {
  const file = join(folder, `${name}.count`);
  const done = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  if (done >= (behaviour[name] ?? 0)) return false;
  writeFileSync(file, String(done + 1));
  return true;
}

function die(says: string, code: number): never {
  process.stderr.write(`${says}\n`);
  process.exit(code);
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The smallest answer that a schema takes. */
function exampleOf(schema: Schema): unknown {
  if (schema.enum?.includes("unsure") === true && behaviour.isUnsure === true) return "unsure";
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0]);
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, of]) => [name, exampleOf(of)]));
  }
  if (schema.items !== undefined) return [exampleOf(schema.items)];
  return schema.type === "number" || schema.type === "integer" ? 1 : "A man walks.";
}
