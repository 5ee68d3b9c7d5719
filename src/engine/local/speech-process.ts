import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { WatchOrders } from "../isolate/message.ts";
import { type HearingLibrary, openRecognizer, openTagger, tagPiece, transcribePiece } from "./hear.ts";
import { openVoiceModel, PartMissing, type SpeechLibrary, say } from "./say.ts";
import type { FromSpeechProcess, OrderedModel, SpeechOrder, SpeechOrders, ToSpeechProcess } from "./speech-orders.ts";

/**
 * Entry of the process that holds the speech library: it answers one order after the other until it is ended. A bad model
 * ends it at once, because the library exits then; its parent knows by what was reported how far it came.
 */

/** Models that are held at once: of two jobs in two languages, neither loads its voice for every line. */
const HELD_MODELS = 2;

// The parent alone writes these (`speech-engine.ts`).
const orders: WatchOrders = JSON.parse(process.argv[2] ?? "null");
new Worker(new URL("../isolate/watchdog.ts", import.meta.url), { workerData: orders }).unref();
process.on("exit", () => rmSync(orders.temporaryFolder, { recursive: true, force: true }));
process.on("disconnect", () => process.exit(1));
process.on("message", (message: ToSpeechProcess) => void answer(message));

let library: (SpeechLibrary & HearingLibrary) | null = null;

/** A model that is loaded, and does what orders of its kind ask for. */
type Loaded = (order: SpeechOrder) => Promise<unknown>;

/** What is loaded by the files that it was loaded from, the one used last at the end. */
const held = new Map<string, Loaded>();

/** Loads a model for orders of a kind. */
async function load(
  loaded: SpeechLibrary & HearingLibrary,
  { kind, model }: SpeechOrder,
  threads: number,
): Promise<Loaded> {
  // Each does orders of the kind alone that it is held for.
  switch (kind) {
    case "say": {
      const voice = await openVoiceModel(loaded, model, threads);
      return (order) => say(voice, order as SpeechOrders["say"]["order"]);
    }
    case "transcribe": {
      const recognizer = await openRecognizer(loaded, model, threads);
      return (order) => transcribePiece(recognizer, order as SpeechOrders["transcribe"]["order"]);
    }
    case "tag": {
      const tagger = openTagger(loaded, model, threads);
      return async (order) => tagPiece(tagger, order as SpeechOrders["tag"]["order"]);
    }
  }
}

async function answer({ library: path, threads, order }: ToSpeechProcess): Promise<void> {
  try {
    // What is required is typed by nobody; its shape is that of the pinned version.
    library ??= createRequire(path)(path) as SpeechLibrary & HearingLibrary;
    report({ type: "library" });
    const work = await modelFor(library, threads, order);
    report({ type: "model" });
    report({ type: "done", answer: await work(order) });
  } catch (error) {
    report({ type: "failed", missing: error instanceof PartMissing ? error.message : null });
  }
}

async function modelFor(loaded: SpeechLibrary & HearingLibrary, threads: number, order: SpeechOrder): Promise<Loaded> {
  const { kind, model } = order;
  const key = JSON.stringify([kind, model]);
  const there = held.get(key);
  held.delete(key);
  if (there !== undefined) {
    held.set(key, there);
    return there;
  }
  for (const old of [...held.keys()].slice(0, Math.max(0, held.size - HELD_MODELS + 1))) held.delete(old);
  // The library gives its memory back with the object that holds it.
  globalThis.gc?.();
  requireFiles(model);
  const opened = await load(loaded, order, threads);
  held.set(key, opened);
  return opened;
}

/** The library says nothing of a file that is not there: it ends the process. */
function requireFiles({ files }: OrderedModel): void {
  const missing = Object.entries(files).find(([, path]) => path.split(",").some((one) => !existsSync(one)));
  if (missing !== undefined) throw new PartMissing(missing[0]);
}

function report(message: FromSpeechProcess): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}
