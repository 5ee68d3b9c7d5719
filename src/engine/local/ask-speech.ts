import type { IncomingHttpHeaders } from "node:http";
import { buffer, json } from "node:stream/consumers";
import * as z from "zod/mini";
import type { Outlet } from "../outgoing/relay.ts";
import { hasRelay, sendRequest } from "../outgoing/send-request.ts";
import { SpeechEngineError, type SpeechEngineErrorCode, speechEngine } from "./speech-engine.ts";
import type { EngineSound, OrderedModel, SpeechOrder, SpeechOrders } from "./speech-orders.ts";
import { orderedModel, type SpeechSetup } from "./speech-setup.ts";

/** A line as it crosses from a job's process to the one that holds the engine. */
const AskedLine = z.object({
  model: z.string().check(z.maxLength(200)),
  text: z.string().check(z.maxLength(4_000)),
  speaker: z.int().check(z.gte(0), z.lt(1_000)),
  speed: z.number().check(z.gte(0.1), z.lte(10)),
  language: z.string().check(z.regex(/^[a-z0-9-]*$/i), z.maxLength(35)),
});

/** One line: the model by its id, the speaker by its number, the speed relative to the model's own. */
export type AskedLine = z.infer<typeof AskedLine>;

/** Where a job's process has the engine asked; the ending is reserved, so no server is there. */
const ENGINE_URL = "http://speech-engine.invalid/";

const RATE_HEADER = "x-sample-rate";

/** What a line may take on its way, in bytes: JSON makes six of a character at most. */
const MOST_LINE_BYTES = 6 * 4_000 + 1_024;

/** Seconds of sound that a model hears at once: those that are offered are made for as much. */
export const MOST_HEARD_SECONDS = 30;

/** Samples per second of sound that is to be heard. */
const HEARD_RATE = 16_000;

/** Bytes of a 32-bit sample. */
const SAMPLE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * Has the engine speak a line: through the process that holds it, from one that may start none.
 *
 * @throws SpeechEngineError; the signal's reason when it aborts.
 */
export async function speakLine(setup: SpeechSetup, line: AskedLine, signal?: AbortSignal): Promise<EngineSound> {
  if (!hasRelay()) return sayHere(setup, line, { isAwaited: true, signal });
  const { answered, headers } = await askParent("say", Buffer.from(JSON.stringify(line)), signal);
  return { samples: samplesOf(answered), sampleRate: Number(headers[RATE_HEADER]) };
}

/**
 * Has the engine hear a piece of sound, as {@link speakLine} does.
 *
 * @param samples One channel at 16 kHz, {@link MOST_HEARD_SECONDS} at the most.
 * @throws SpeechEngineError; the signal's reason when it aborts.
 */
export async function hearPiece<Kind extends HearingKind>(
  setup: SpeechSetup,
  { kind, model, samples }: { readonly kind: Kind; readonly model: string; readonly samples: Float32Array },
  signal?: AbortSignal,
): Promise<SpeechOrders[Kind]["answer"]> {
  if (!hasRelay()) return hearHere(setup, { kind, model, samples }, { isAwaited: false, signal });
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const { answered } = await askParent(`${kind}?model=${encodeURIComponent(model)}`, sound, signal);
  // What the outlet below writes.
  return JSON.parse(answered.toString("utf8")) as SpeechOrders[Kind]["answer"];
}

/** Orders about sound that is heard. */
type HearingKind = "transcribe" | "tag";

async function askParent(
  what: string,
  body: Buffer,
  signal: AbortSignal | undefined,
): Promise<{ readonly answered: Buffer; readonly headers: IncomingHttpHeaders }> {
  const reply = await sendRequest({
    url: `${ENGINE_URL}${what}`,
    method: "POST",
    headers: { "content-length": body.length },
    body,
    signal: signal ?? new AbortController().signal,
  });
  const answered = await buffer(reply);
  if (reply.statusCode === 200) return { answered, headers: reply.headers };
  // What the outlet below writes.
  const { code, message } = JSON.parse(answered.toString("utf8")) as { code: SpeechEngineErrorCode; message: string };
  throw new SpeechEngineError(code, message);
}

function samplesOf(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length / SAMPLE_BYTES);
  Buffer.from(samples.buffer).set(bytes);
  return samples;
}

/** What each order about sound is done with, in the store. */
const HEARING_KINDS = { transcribe: "ears", tag: "sounds" } as const;

async function hearHere<Kind extends HearingKind>(
  { library, models }: SpeechSetup,
  { kind, model: id, samples }: { readonly kind: Kind; readonly model: string; readonly samples: Float32Array },
  options: { readonly isAwaited: boolean; readonly signal?: AbortSignal | undefined },
): Promise<SpeechOrders[Kind]["answer"]> {
  const model = models.find((one) => one.kind === HEARING_KINDS[kind] && one.id === id);
  if (model === undefined) {
    throw new SpeechEngineError("model_unusable", `The model ${id} is no longer installed. Install it again.`);
  }
  const order = { kind, model: orderedModel(model), samples };
  // Each kind is answered with what belongs to it.
  return (await speechEngine(library).run(order as SpeechOrder, options)) as SpeechOrders[Kind]["answer"];
}

function sayHere(
  { library, models }: SpeechSetup,
  line: AskedLine,
  options: { readonly isAwaited: boolean; readonly signal?: AbortSignal | undefined },
): Promise<EngineSound> {
  const model = models.find(({ id, kind }) => kind === "voice" && id === line.model);
  if (model === undefined) {
    throw new SpeechEngineError("model_unusable", `The voice ${line.model} is no longer installed. Install it again.`);
  }
  return speechEngine(library).run({ kind: "say", ...line, model: spelling(orderedModel(model), line) }, options);
}

/** A model of English with the words as they are pronounced where its speaker is from: espeak-ng's `en` is British. */
function spelling(model: OrderedModel, { language }: AskedLine): OrderedModel {
  const { lexicon_gb: british, ...files } = model.files;
  if (british === undefined) return model;
  return { ...model, files: language === "en" ? { ...files, lexicon: british } : files };
}

/**
 * Asks the engine for a job's process, which may start none.
 *
 * @param isAwaited Whether a person waits for what that process makes.
 */
export function speechOutlet(setup: SpeechSetup, isAwaited: boolean): Outlet {
  return {
    takes: ({ href }) => href.startsWith(ENGINE_URL),
    async answer(request, url, reply, signal) {
      const kind = url.pathname.slice(1);
      const most = kind === "say" ? MOST_LINE_BYTES : MOST_HEARD_SECONDS * HEARD_RATE * SAMPLE_BYTES;
      if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) > most) {
        throw new RangeError("an order that is too long");
      }
      try {
        if (kind === "transcribe" || kind === "tag") {
          const samples = samplesOf(await buffer(request));
          const order = { kind, model: url.searchParams.get("model") ?? "", samples } as const;
          reply.writeHead(200).end(JSON.stringify(await hearHere<HearingKind>(setup, order, { isAwaited, signal })));
          return;
        }
        const line = AskedLine.parse(await json(request));
        const { samples, sampleRate } = await sayHere(setup, line, { isAwaited, signal });
        const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
        reply.writeHead(200, { [RATE_HEADER]: String(sampleRate) }).end(bytes);
      } catch (error) {
        if (!(error instanceof SpeechEngineError)) throw error;
        reply.writeHead(422).end(JSON.stringify({ code: error.code, message: error.message }));
      }
    },
  };
}
