import { VisionError } from "../models/refusal.ts";
import type { InstalledEyes } from "../models/vision-settings.ts";
import type { InstalledModel } from "../store/installed.ts";

/** What the process that holds `llama-server` tells of it. */
export type KeeperNews =
  | { readonly type: "not-started"; readonly why: string }
  | { readonly type: "ended"; readonly code: number | null; readonly signal: string | null };

/** A program that ended, and what it said. */
interface EndedProgram {
  readonly end: KeeperNews | null;
  /** What is kept of its output, whole. */
  readonly log: string;
  /** The last of it, as it may be shown; empty for nothing. */
  readonly lastWords: string;
}

/** Why a server did not come to run. */
export interface EngineStartFault {
  readonly kind: "port" | "other";
  /** Whether it may run without the graphics card. */
  readonly mayBeGraphics: boolean;
  readonly error: VisionError;
}

const PORT_TAKEN =
  /address already in use|EADDRINUSE|couldn['’]t bind|failed to bind|bind(?:ing)? (?:failed|error)|WSAEADDRINUSE/i;
const MISSING_LIBRARY =
  /error while loading shared libraries|image not found|cannot open shared object|Library not loaded/i;
const GRAPHICS =
  /vulkan|\bvk_|ggml_vk|ErrorDeviceLost|ErrorOutOfDeviceMemory|ErrorIncompatibleDriver|\bICD\b|cuda|metal|\bdriver\b|device memory/i;
const BROKEN_MODEL =
  /invalid magic|error loading model|failed to (?:load|open) (?:the )?(?:model|mmproj|multimodal|clip)|unknown model architecture|tensor .{0,80}(?:not found|not within|out of bounds|missing)|corrupted|unexpectedly reached end of file|failed to read/i;
const NO_MEMORY = /out of memory|bad_alloc|failed to allocate|cannot allocate|unable to allocate|not enough memory/i;

/** Why a server ended before its model was loaded. */
export function endedEarly(eyes: InstalledEyes, ended: EndedProgram, onProcessor: boolean): EngineStartFault {
  const { engine, model } = eyes;
  const { log, lastWords, end } = ended;
  const how = end === null ? "" : endIn(end);
  const fault = (what: string, next: string): VisionError =>
    failed(model.title, `could not be started: ${what}`, `${next}${saidLast(lastWords)}`);
  if (end?.type === "not-started" || MISSING_LIBRARY.test(log)) {
    const why = end?.type === "not-started" ? end.why : how;
    return {
      kind: "other",
      mayBeGraphics: false,
      error: fault(`its program does not run here (${why}).`, againOf(engine)),
    };
  }
  if (PORT_TAKEN.test(log)) {
    const error = fault("other programs kept taking its port.", "Try again; if it stays so, restart the computer.");
    return { kind: "port", mayBeGraphics: false, error };
  }
  const isGraphics = GRAPHICS.test(log);
  // What a driver breaks may look like a broken file; without the driver it is one.
  if (BROKEN_MODEL.test(log) && (onProcessor || !isGraphics)) {
    return {
      kind: "other",
      mayBeGraphics: false,
      error: fault("its file is damaged or does not suit its program.", againOf(model)),
    };
  }
  if (NO_MEMORY.test(log) || (end?.type === "ended" && end.signal === "SIGKILL")) {
    const error = fault(
      "this computer has too little memory free for it.",
      `Close other programs, or use a smaller model. ${OTHERS}`,
    );
    return { kind: "other", mayBeGraphics: true, error };
  }
  const what = onProcessor ? `its program ended (${how}), on the processor too.` : `its program ended (${how}).`;
  const next = isGraphics
    ? `Update the driver of the graphics card, or use another model. ${OTHERS}`
    : `${againOf(model)} ${OTHERS}`;
  // A driver takes a program down without a word as well.
  return { kind: "other", mayBeGraphics: true, error: fault(what, next) };
}

/** Why a server is given up that does not get ready. */
export function neverReady({ model }: InstalledEyes, within: number): EngineStartFault {
  const what = `was not ready within ${within} s`;
  const next = `Close other programs and try again, or use a smaller model. ${OTHERS}`;
  return { kind: "other", mayBeGraphics: false, error: failed(model.title, what, next) };
}

const OTHERS = "Other ways: a model in Ollama or LM Studio, a provider with a key, or writing on the worksheet.";

function againOf({ id, title }: InstalledModel): string {
  return `Install ${title} again: aside models remove ${id}, then aside models install ${id}.`;
}

function endIn(end: KeeperNews): string {
  if (end.type === "not-started") return end.why;
  return end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`;
}

/** A server that ended more than once in the middle of a job. */
export function endedAgain(
  { engine, model }: InstalledEyes,
  { ending, lastWords }: { readonly ending: KeeperNews | null; readonly lastWords: string },
): VisionError {
  const how = ending === null ? "" : ` (${endIn(ending)})`;
  const next = `Use a smaller model, or install ${engine.title} again: aside models remove ${engine.id}, then aside models install ${engine.id}. ${OTHERS}`;
  return failed(model.title, `ended twice while it was asked${how}`, `${next}${saidLast(lastWords)}`);
}

/** An installation that lacks a file of its own. */
export function fileMissing(installed: InstalledModel): VisionError {
  return failed(installed.title, "is not whole", againOf(installed));
}

/** A model that was removed after the job began. */
export function notInstalled(): VisionError {
  return new VisionError(
    "vision_engine_failed",
    "The model that describes is no longer on this computer. Install one, or choose another: aside models list.",
  );
}

/** What those are told who were asking as the model was ended on purpose. */
export function endedOnPurpose(): VisionError {
  const message =
    "The model on this computer was ended, because the service ends or the model is removed. Order again.";
  return new VisionError("vision_engine_failed", message);
}

function saidLast(words: string): string {
  return words === "" ? "" : ` It said: “${words}”.`;
}

/** @param next What to do, as whole sentences. */
function failed(title: string, what: string, next: string): VisionError {
  return new VisionError(
    "vision_engine_failed",
    `${title} on this computer ${what}${what.endsWith(".") ? "" : "."} ${next}`,
  );
}
