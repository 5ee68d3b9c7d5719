import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { OracleRequest } from "./oracle.ts";

/** Who answers at the port where models are asked. */
export interface Answering {
  answer(request: OracleRequest): string;
}

/** A model's endpoint on this computer, with what it was asked. */
export interface OracleServer {
  readonly url: string;
  readonly asked: {
    requests: number;
    pictures: number;
    inputTokens: number;
    outputTokens: number;
    withoutPicture: number;
    /** Seconds in which at least one request was under way. */
    waitingSeconds: number;
  };
  /** Requests by the shape they asked for. */
  readonly byShape: Map<string, number>;
  close(): Promise<void>;
}

/** Tokens of a picture of about 1024 by 576, and characters of a token: what hosted models take, roughly. */
const PICTURE_TOKENS = 800;
const TOKEN_CHARACTERS = 4;

/** Shapes whose requests bring pictures. */
const SEEING = new Set(["log", "verdicts", "descriptions"]);

interface ChatPart {
  readonly type: string;
  readonly text?: string;
}

/**
 * Serves an oracle in the form of a chat model's endpoint, on loopback.
 *
 * @param delayMs how long each answer takes.
 * @param onAnswer is told of each question and its answer, once that is sent.
 * @param transcribe what is said in a piece of sound, by the body of its request; default: no word.
 */
export async function serveOracle(
  oracle: Answering,
  delayMs = 0,
  onAnswer: (shape: string, prompt: string, words: string) => void = () => {},
  transcribe: (sent: Buffer) => object = () => ({ text: "", language: "en", segments: [], words: [] }),
): Promise<OracleServer> {
  const asked = { requests: 0, pictures: 0, inputTokens: 0, outputTokens: 0, withoutPicture: 0, waitingSeconds: 0 };
  let underWay = 0;
  let waitingSince = 0;
  const byShape = new Map<string, number>();
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.endsWith("/models") === true) {
      response.end(JSON.stringify({ object: "list", data: [{ id: "oracle", object: "model" }] }));
      return;
    }
    const chunks: Buffer[] = [];
    if (request.url?.endsWith("/audio/transcriptions") === true) {
      for await (const chunk of request) chunks.push(chunk);
      response.end(JSON.stringify(transcribe(Buffer.concat(chunks))));
      return;
    }
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const messages: { role: string; content: string | ChatPart[] }[] = body.messages;
    const parts = messages.filter(({ role }) => role === "user").map(({ content }) => partsOf(content));
    const first = parts[0] ?? [];
    const shape: string = body.response_format?.json_schema?.name ?? "unknown";
    const prompt = first.flatMap(({ text }) => text ?? []).join("\n");
    const pictures = picturesIn(first);
    const said = messages.flatMap(({ content }) => partsOf(content).map(({ text = "" }) => text)).join("\n");
    if (underWay++ === 0) waitingSince = performance.now();
    const words = oracle.answer({ shape, prompt, pictures, askedBack: parts.length - 1 });
    const tokens = {
      prompt_tokens: Math.ceil(said.length / TOKEN_CHARACTERS) + pictures.length * PICTURE_TOKENS,
      completion_tokens: Math.ceil(words.length / TOKEN_CHARACTERS),
    };
    asked.requests++;
    asked.pictures += pictures.length;
    asked.inputTokens += tokens.prompt_tokens;
    asked.outputTokens += tokens.completion_tokens;
    if (SEEING.has(shape) && pictures.length === 0) asked.withoutPicture++;
    byShape.set(shape, (byShape.get(shape) ?? 0) + 1);
    if (delayMs > 0) await sleep(delayMs);
    if (--underWay === 0) asked.waitingSeconds += (performance.now() - waitingSince) / 1000;
    if (response.destroyed) return;
    onAnswer(shape, said, words);
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: words } };
    response.end(JSON.stringify({ model: "oracle", choices: [choice], usage: tokens }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP, so an AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    byShape,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Variables under which the command line asks an oracle, as it asks a hosted model: as many pictures and requests at once. */
export function oracleEnvironment({ url }: OracleServer): Record<string, string> {
  return {
    ASIDE_VISION_URL: url,
    ASIDE_VISION_MODEL: "oracle",
    ASIDE_VISION_KEY: "none",
    ASIDE_VISION_PRESET: "openai",
  };
}

function partsOf(content: string | ChatPart[]): ChatPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The times in the words above each picture. */
function picturesIn(parts: readonly ChatPart[]): number[] {
  return parts.flatMap(({ type }, index) => {
    if (type !== "image_url") return [];
    const label = parts[index - 1]?.text ?? "";
    return [Number(/([\d.]+) s:?\s*$/.exec(label)?.[1] ?? Number.NaN)];
  });
}
