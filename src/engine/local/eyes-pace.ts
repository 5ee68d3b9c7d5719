import { readFile, stat } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { parsedJson } from "../../core/objects.ts";
import { writeFinishedFile } from "../finished-file.ts";
import { VisionModel } from "../models/ask-model.ts";
import type { CostEstimate } from "../models/model-budget.ts";
import { plainJpeg } from "../models/picture-count.ts";
import type { Question } from "../models/question.ts";
import { eyesIn, type InstalledEyes, type VisionSettings } from "../models/vision-settings.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { askedDirectly, type Eyes } from "./llama-server.ts";

/** How quick a model is on this computer, as a trial of one shot found it. */
export type EyesPace = z.output<typeof Pace>;

const Pace = z.object({
  /** What it was tried on: another computer, or another build of its program, has another pace. */
  computer: z.string(),
  /** Seconds that a token of a question takes, pictures among them, and one of an answer. */
  secondsPerToken: z.object({ asked: z.number(), answered: z.number() }),
});

/** Where it is kept: beside the model, with which it goes. */
const FILE = "pace.json";

/** A shot as a job shows it: two pictures of the size that key frames have, and as many words as an event takes. */
const SHOT = { pictures: 2, width: 1024, height: 576, answerTokens: 96 } as const;

/** Tokens of the shorter of two answers, whose difference in time is that of their tokens. */
const SHORT_ANSWER = 8;

/** A film that takes more than so many times its own length is told to be too much for a computer. */
const TOO_SLOW = 20;

/** Memory beside the model's files that it needs to work, and that others need, in bytes. */
const WORKING_BYTES = 2e9;

/**
 * Tries the installed model on one shot and keeps how quick it is. The model is loaded first where it is not, and that is not
 * counted.
 *
 * @throws VisionError where it does not run; the signal's reason.
 */
export async function tryEyes(
  settings: VisionSettings,
  environment: Environment,
  signal: AbortSignal,
  eyes?: Eyes,
): Promise<EyesPace> {
  const installed = eyesIn(environment, settings.model);
  const model = new VisionModel(askedDirectly(settings, environment, eyes));
  const timed = async (question: Question) => {
    const began = performance.now();
    const { inputTokens, outputTokens } = await model.ask(question, signal);
    return { seconds: (performance.now() - began) / 1000, inputTokens, outputTokens };
  };
  // Loads it, and is not counted.
  await timed(shotQuestion(0, SHORT_ANSWER, 0));
  const shot = await timed(shotQuestion(SHOT.pictures, SHORT_ANSWER, 1));
  const told = await timed(shotQuestion(0, SHOT.answerTokens, 2));
  const answered = Math.max(1e-4, told.seconds / Math.max(1, told.outputTokens));
  const looking = Math.max(0.01, shot.seconds - shot.outputTokens * answered);
  const pace: EyesPace = {
    computer: installed === null ? "" : computerOf(installed),
    secondsPerToken: { asked: looking / Math.max(1, shot.inputTokens), answered },
  };
  // A store that may not be written to has it tried again.
  if (installed !== null) {
    await writeFinishedFile(join(installed.model.folder, FILE), JSON.stringify(pace)).catch(() => undefined);
  }
  return pace;
}

/** What a trial of the model found on this computer; `null` before one. */
export async function keptPace(installed: InstalledEyes): Promise<EyesPace | null> {
  const text = await readFile(join(installed.model.folder, FILE), "utf8").catch(() => "");
  const { data } = Pace.safeParse(parsedJson(text));
  return data?.computer === computerOf(installed) ? data : null;
}

/** Seconds that a model of this pace takes for planned questions. */
export function secondsFor({ secondsPerToken }: EyesPace, { inputTokens, outputTokens }: CostEstimate): number {
  return inputTokens * secondsPerToken.asked + outputTokens * secondsPerToken.answered;
}

/** So many seconds of a model's work as people plan by them: `about 12 min on this computer`. */
export function minutesHere(seconds: number): string {
  return `about ${Math.ceil(seconds / 60)} min on this computer`;
}

/**
 * Why this computer is too weak for a model, with the other ways, as sentences for people; `null` where it is not, as far as is
 * known.
 *
 * @param film Its length, and what it will take by a trial or by earlier films; `null` where nobody knows yet.
 */
export async function tooWeak(
  { model }: InstalledEyes,
  film: { readonly durationSeconds: number; readonly seconds: number | null },
): Promise<string | null> {
  const sizes = await Promise.all(
    Object.values(model.files).map((file) =>
      stat(join(model.folder, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const needed = sizes.reduce((sum, size) => sum + size, WORKING_BYTES);
  if (needed > totalmem()) {
    const [has, needs] = [totalmem(), needed].map((bytes) => (bytes / 1e9).toFixed(0));
    return `This computer has ${has} GB of memory, and ${model.title} needs about ${needs} GB. ${OTHER_WAYS}`;
  }
  const times = film.seconds === null ? 0 : film.seconds / film.durationSeconds;
  if (times < TOO_SLOW) return null;
  return `${model.title} takes about ${Math.round(times)} times the length of a film on this computer. ${OTHER_WAYS}`;
}

const OTHER_WAYS =
  "Use a smaller model, one in Ollama on another computer, a provider with a key, or write the descriptions on the worksheet.";

function computerOf({ engine }: InstalledEyes): string {
  return [cpus()[0]?.model ?? "", availableParallelism(), Math.round(totalmem() / 1e9), engine.id, engine.title].join(
    " · ",
  );
}

/** @param number Makes each of them another: what was asked before is not read again. */
function shotQuestion(pictures: number, tokens: number, number: number): Question {
  const shown = Array.from({ length: pictures }, (_, index) => [
    { text: `Picture ${index + 1}, shot ${number}:` },
    { jpeg: plainJpeg([60 + 80 * index, 110, 140], SHOT) },
  ]).flat();
  const sentence = { type: "string", minLength: 2 * tokens, maxLength: 4 * tokens };
  return {
    system: "You describe pictures for people who cannot see them.",
    turns: [
      {
        from: "user",
        parts: [...shown, { text: `Trial ${number}. What can be seen, in one long sentence? As JSON.` }],
      },
    ],
    schema: {
      name: "sentence",
      strict: true,
      schema: { type: "object", properties: { sentence }, required: ["sentence"], additionalProperties: false },
    },
    answerTokens: tokens,
  };
}
