import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { serverFetch } from "../outgoing/send-request.ts";
import { exchange, openReply, spokenReason } from "./exchange.ts";
import { showOllamaModel } from "./ollama.ts";
import { ownPauseMs, VisionError } from "./refusal.ts";

/** A vision model that Ollama can fetch. */
export interface PullableModel {
  readonly name: string;
  /** Size of the download in gigabytes, about. */
  readonly gigabytes: number;
  /** For which computers. */
  readonly remark: string;
}

/** Models that suit, the smallest first. Sizes are those of autumn 2026. */
export const PULLABLE_MODELS: readonly PullableModel[] = [
  { name: "qwen3-vl:2b-instruct", gigabytes: 1.9, remark: "small computers; less to be relied on" },
  { name: "qwen3-vl:4b-instruct", gigabytes: 3.3, remark: "8 GB of memory" },
  { name: "qwen3-vl:8b-instruct", gigabytes: 6.1, remark: "a graphics card with 12 GB" },
  { name: "gemma4:e4b", gigabytes: 9.6, remark: "16 GB of memory" },
];

/** How far a download is. */
export interface PullProgress {
  /** What Ollama does now, in its words. */
  readonly state: string;
  /** Bytes that are there, and bytes there will be as far as is known: both grow while the parts become known. */
  readonly completedBytes: number;
  readonly totalBytes: number;
}

/** Times a download goes on after a break without a byte of progress. */
const TRIES_WITHOUT_PROGRESS = 4;

/** Time Ollama has to say that it is there, in milliseconds. */
const LOOK_MILLISECONDS = 3_000;

/** Longest silence of a download, in milliseconds: checking a large part takes minutes. */
const LONGEST_SILENCE_MS = 10 * 60_000;

/**
 * Whether Ollama has a model already.
 *
 * @param root Address of the server, such as `http://127.0.0.1:11434`.
 * @throws VisionError `vision_unreachable` when Ollama does not answer there, the signal's reason.
 */
export async function hasOllamaModel(root: string, name: string, signal: AbortSignal): Promise<boolean> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MILLISECONDS)]);
  try {
    const { status } = await exchange({ url: `${root}/api/version`, signal: either });
    if (status === 200) return ((await showOllamaModel(root, name, either)) ?? null) !== null;
  } catch (error) {
    signal.throwIfAborted();
    throw notThere(root, error);
  }
  throw notThere(root);
}

/**
 * Has Ollama fetch a model. After a break of the line it goes on where it stood, as does a later call.
 *
 * @param pauseMs How long it waits then, by how often it tried without progress; replaced in tests.
 * @throws VisionError `vision_pull_failed` when Ollama cannot fetch it, `vision_blind` when what was fetched does not see,
 * `vision_unreachable` when the line keeps breaking, the signal's reason.
 */
export async function pullModel(
  root: string,
  name: string,
  signal: AbortSignal,
  onProgress: (progress: PullProgress) => void,
  pauseMs: (tries: number) => number = ownPauseMs,
): Promise<void> {
  const parts = new Map<string, ModelPart>();
  let best = 0;
  for (let tries = 1; ; tries++) {
    try {
      if (await pullOnce(root, name, signal, parts, onProgress)) break;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof VisionError) throw error;
    }
    const { completedBytes } = sumOf(parts);
    if (completedBytes > best) tries = 1;
    best = Math.max(best, completedBytes);
    if (tries >= TRIES_WITHOUT_PROGRESS) throw broken(root, name);
    await pause(pauseMs(tries), signal);
  }
  if ((await showOllamaModel(root, name, signal))?.sees === false)
    throw new VisionError("vision_blind", `${name} was fetched, and does not see pictures. Fetch another model.`);
}

/** Bytes of one part of a model. */
interface ModelPart {
  readonly completed: number;
  readonly total: number;
}

const Line = z.object({
  status: z.optional(z.string()),
  error: z.optional(z.string()),
  digest: z.optional(z.string()),
  total: z.optional(z.number()),
  completed: z.optional(z.number()),
});

/** @returns Whether the model is there: a stream that ends without saying so has broken off. */
async function pullOnce(
  root: string,
  name: string,
  signal: AbortSignal,
  parts: Map<string, ModelPart>,
  onProgress: (progress: PullProgress) => void,
): Promise<boolean> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), LONGEST_SILENCE_MS);
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const reply = await openReply({ url: `${root}/api/pull`, body: { model: name }, signal: either });
    for await (const text of linesOf(reply)) {
      timer.refresh();
      const line = lineFrom(text);
      if (line === null) continue;
      if (line.error !== undefined) throw failed(name, line.error);
      if (line.status === "success") return true;
      if (line.digest !== undefined) {
        const before = parts.get(line.digest);
        // Either may be absent while a part begins.
        const completed = Math.max(line.completed ?? 0, before?.completed ?? 0);
        parts.set(line.digest, { completed, total: line.total ?? before?.total ?? completed });
      }
      onProgress({ state: line.status ?? "", ...sumOf(parts) });
    }
    // Ollama that is out of memory or disk, or behind a proxy, may answer without a line of its own.
    if ((reply.statusCode ?? 0) >= 400) throw failed(name, `status ${reply.statusCode}`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function sumOf(parts: ReadonlyMap<string, ModelPart>): { completedBytes: number; totalBytes: number } {
  let [completedBytes, totalBytes] = [0, 0];
  for (const { completed, total } of parts.values()) {
    completedBytes += completed;
    totalBytes += total;
  }
  return { completedBytes, totalBytes };
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

/** One line of the stream; `null` where it cannot be read, as half a line at a break. */
function lineFrom(text: string): z.infer<typeof Line> | null {
  try {
    return Line.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function notThere(root: string, cause?: unknown): VisionError {
  const message = `Ollama does not answer at ${new URL(root).host}. Install it from ollama.com, start it, and run the command again.`;
  return new VisionError("vision_unreachable", message, { cause });
}

function broken(root: string, name: string): VisionError {
  const message = `The line to Ollama at ${new URL(root).host} keeps breaking. Run the command again: ${name} continues where it stopped.`;
  return new VisionError("vision_unreachable", message);
}

function failed(name: string, reason: string): VisionError {
  const said = spokenReason(reason, "");
  const message = `Ollama could not fetch ${name} (${said}). Check the name at ollama.com/library, the network, and the room on the disk.`;
  return new VisionError("vision_pull_failed", message);
}

/**
 * Has Ollama remove a model.
 *
 * @throws VisionError `vision_unreachable` when Ollama does not answer, `vision_pull_failed` when it does not remove it.
 */
export async function removeOllamaModel(root: string, name: string, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MILLISECONDS)]);
  const reply = await serverFetch(`${root}/api/delete`, {
    method: "DELETE",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: name }),
    signal: either,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw notThere(root, error);
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new VisionError("vision_pull_failed", `Ollama did not remove ${name} (status ${reply.status}).`);
}
