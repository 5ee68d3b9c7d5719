import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readWaveHead, waveSeconds } from "../../src/formats/wave/read-wave.ts";

/** A request as it arrived. */
export interface AskedTranscription {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Length in seconds and loudest sample, 0 to 1, of the sound sent. */
  readonly seconds: number;
  readonly peak: number;
}

/** What the server says: a body as JSON with status 200, another status, or nothing at all. */
export type TranscriptionAnswer = { readonly body: unknown } | { readonly status: number } | "silence";

const LARGEST_BYTES = 25 * 1024 * 1024;

/**
 * A transcription server on this machine that is as strict as the strictest: one request at a time, a form with a named WAV file
 * of 16 kHz below 25 MB, known fields alone. What breaks a rule gets status 400, and stands in `faults`.
 *
 * @param answers One for each request, in turn; the last one for all that follow.
 */
export class TranscriptionServer implements AsyncDisposable {
  readonly asked: AskedTranscription[] = [];
  readonly faults: string[] = [];
  readonly #answers: (asked: AskedTranscription, index: number) => TranscriptionAnswer;
  #running = 0;
  readonly #server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", async () => {
      this.#running++;
      const answer = await this.#judge(request.method ?? "", request.url ?? "", request.headers, Buffer.concat(pieces));
      this.#running--;
      if (answer === "silence") return;
      const [status, body] = "status" in answer ? [answer.status, { error: "no" }] : [200, answer.body];
      reply.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
  });

  constructor(answers: (asked: AskedTranscription, index: number) => TranscriptionAnswer) {
    this.#answers = answers;
  }

  /** Begins to listen. @returns Its origin. */
  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // a server on TCP has a port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server.close(), "close");
  }

  async #judge(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    bytes: Buffer,
  ): Promise<TranscriptionAnswer> {
    const fault = (what: string): TranscriptionAnswer => {
      this.faults.push(what);
      return { status: 400 };
    };
    if (method !== "POST" || !/^(?:\/v1\/audio\/transcriptions|\/inference)$/.test(path))
      return fault(`${method} ${path}`);
    if (this.#running > 1) return fault("two requests at once");
    if (bytes.length > LARGEST_BYTES) return fault("too large");
    const type = String(headers["content-type"]);
    const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
    const file = form?.get("file");
    if (form === null || !(file instanceof File) || !file.name.endsWith(".wav")) return fault("no file");
    const wave = new Uint8Array(await file.arrayBuffer());
    const header = readWaveHead(wave);
    if (header === null || header.channels !== 1 || header.sampleRate !== 16_000 || header.bits !== 16)
      return fault("no WAV file of 16 kHz");
    const texts = [...form].flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : []));
    const fields: Record<string, string[]> = {};
    for (const { name, value } of texts) fields[name] = [...(fields[name] ?? []), value];
    const isDiarizing = /diarize/.test(fields["model"]?.[0] ?? "");
    const known = isDiarizing
      ? ["model", "language", "response_format", "chunking_strategy"]
      : ["model", "language", "response_format", "timestamp_granularities[]", "temperature"];
    const strange = Object.keys(fields).find((name) => !known.includes(name));
    if (strange !== undefined) return fault(`unknown field ${strange}`);
    if (path.startsWith("/v1") && fields["model"] === undefined) return fault("no model");
    if (fields["response_format"]?.[0] !== (isDiarizing ? "diarized_json" : "verbose_json")) return fault("no times");
    const samples = new Int16Array(wave.slice(header.dataOffset).buffer);
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32_768;
    const authorization = headers["authorization"];
    const asked: AskedTranscription = {
      path,
      authorization: typeof authorization === "string" ? authorization : undefined,
      fields,
      seconds: waveSeconds(header, wave.length),
      peak,
    };
    this.asked.push(asked);
    return this.#answers(asked, this.asked.length - 1);
  }
}
