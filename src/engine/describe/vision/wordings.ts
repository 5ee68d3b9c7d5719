import { join } from "node:path";
import * as z from "zod/mini";
import { countSpokenWords, ESTIMATED_WORDS_PER_MINUTE, estimateSpeakingSeconds } from "../../../core/speaking-time.ts";
import { JobFailure } from "../../isolate/job-failure.ts";
import type { LocalModel } from "../../models/local-models.ts";
import { VisionError } from "../../models/refusal.ts";
import type { Environment } from "../../outgoing/local-only.ts";
import { keptAnalysis } from "../../programme-analysis.ts";
import type { WordingsMade, WordingsOrder } from "../../tasks/tasks.ts";
import { answerShape } from "./answer.ts";
import { Asker } from "./asker.ts";
import { isInLanguage, languageFault } from "./in-language.ts";
import { pickKeyFrames, pictureLabel, shotNumberAt } from "./look.ts";
import { WORDING_PICTURES } from "./plan-requests.ts";
import { categoryAdvice, DATA_RULE, dataBlock, languageRule, prompt, roomWords, seconds } from "./rules.ts";
import { settingsFor } from "./shorten.ts";
import { tidyWording } from "./wording.ts";

const WORDINGS = answerShape("wordings", z.object({ wordings: z.array(z.string()) }), "wordings");

/** How far around the stretch pictures are looked for, in seconds. */
const SECONDS_AROUND = 1;

/** Wordings that are given at the most. */
const MOST_WORDINGS = 3;

/** How much longer than its room a wording may be before all of them are asked for again. */
const TOLERANCE = 1.25;

/**
 * Asks the model in use for wordings of one moment, by its pictures, the film notes and the lines around it: one question, asked
 * back once at the most. What was answered before is given again, and costs nothing.
 *
 * @throws JobFailure when the model cannot be asked or used, or refuses; the signal's reason.
 */
export async function wordingsFor(
  order: WordingsOrder,
  {
    signal,
    environment = process.env,
    findModels,
  }: {
    readonly signal: AbortSignal;
    readonly environment?: Environment;
    /** Finds models on this machine; replaced in tests. */
    readonly findModels?: () => Promise<LocalModel[]>;
  },
): Promise<WordingsMade> {
  const settings = await settingsFor(environment, findModels);
  if (settings === null) return { kind: "no-model" };
  const stored = await keptAnalysis(order.mediaFolder);
  if (stored === null || stored.analysis.keyFrames.length === 0) return { kind: "pictures-gone" };
  const { analysis, folder: frameFolder } = stored;
  const keptFolder = join(order.mediaFolder, "wordings");
  try {
    const asker = new Asker({ settings, keptFolder, frameFolder, maximumCost: undefined, signal });
    await asker.prepare();
    const around = { start: Math.max(0, order.start - SECONDS_AROUND), end: order.end + SECONDS_AROUND };
    const frames = pickKeyFrames(analysis.keyFrames, around, Math.min(WORDING_PICTURES, asker.mostPictures));
    const pictures = await Promise.all(
      frames.map((frame, index) =>
        asker.picture(frame, pictureLabel(index, shotNumberAt(analysis.shots, frame.at), frame.at)),
      ),
    );
    const outcome = await asker.ask({
      system: systemPrompt(order),
      shape: WORDINGS,
      parts: [{ text: materialOf(order, frames.length) }, ...pictures.flat()],
      faultOf: ({ wordings }) => faultOf(wordings, order),
    });
    if (outcome.kind === "refusal") {
      throw new JobFailure("content_blocked", `${settings.model} refuses to describe this moment. Write it yourself.`);
    }
    const wordings = outcome.kind === "answer" ? tidied(outcome.answer.wordings, order) : [];
    if (wordings.length === 0) {
      throw new JobFailure(
        "model_unusable",
        `${settings.model} gave no wording that can be used. Ask again, or write it yourself.`,
      );
    }
    return { kind: "made", wordings, model: settings.model };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VisionError) throw new JobFailure(error.jobCode, error.message, { cause: error });
    // Removed with its media in this very moment.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "pictures-gone" };
    throw error;
  }
}

/** Words that may be said in a time, at least two. */
function mostWords({ seconds: room }: WordingsOrder): number {
  return Math.max(2, Math.floor((room * ESTIMATED_WORDS_PER_MINUTE) / 60));
}

function systemPrompt(order: WordingsOrder): string {
  const room = roomWords(mostWords(order), order);
  const asked = {
    suggest: `Write three different descriptions for one pause, each to stand there alone, each of at most ${room}. Tell what the pictures show that matters most and that the lines around do not say yet.`,
    shorten: `The line below is too long for its pause. Say the same in fewer words, in three wordings: one of at most ${room}, one of about three quarters of that, one of about half. Keep who does what, leave out what matters least, add nothing that the line does not say.`,
    other: `Say what the line below says in three other ways, each of at most ${room}. Keep who does what, and add nothing that the pictures do not show.`,
  };
  return prompt([
    "You write audio description, which blind people hear in the pauses of a film.",
    asked[order.kind],
    "Present tense, whole sentences. Tell only what the pictures show, and never speak of pictures, shots or the camera.",
    "Call persons as the film notes call them; where a name has a time, it may be used from that time on.",
    categoryAdvice(order.category),
    DATA_RULE,
    languageRule(order.language),
    order.instructions === ""
      ? ""
      : `The editor's instructions, which come before all of the above: ${order.instructions}`,
    'Answer with JSON only: {"wordings": ["...", "...", "..."]}.',
  ]);
}

function materialOf({ start, end, text, before, after, notes }: WordingsOrder, pictures: number): string {
  return prompt([
    `The moment is from ${seconds(start)} to ${seconds(end)}.`,
    ...dataBlock(
      "Film notes:",
      notes.split("\n").filter((line) => line.trim() !== ""),
    ),
    ...dataBlock("Described before it:", before),
    ...dataBlock("Described after it:", after),
    ...(text === "" ? [] : dataBlock("The line:", [text])),
    `${pictures} pictures follow, each under its number, its shot and its time.`,
  ]);
}

function faultOf(wordings: readonly string[], order: WordingsOrder): string | null {
  const said = wordings.filter((text) => tidyWording(text, order.language) !== "");
  if (said.length === 0) return "There is no wording in it.";
  const most = mostWords(order);
  const isTooLong = said.every((text) => countSpokenWords(text) > most * TOLERANCE);
  return (
    languageFault(said, order.language) ?? (isTooLong ? `None of them has ${roomWords(most, order)} or less.` : null)
  );
}

/** Wordings as they can be spoken; what is too long is among them, and whoever asked sees by its seconds that it is. */
function tidied(wordings: readonly string[], { language, text }: WordingsOrder) {
  const said = wordings.map((wording) => tidyWording(wording, language));
  return [...new Set(said)]
    .filter((wording) => wording !== "" && wording !== text && isInLanguage(wording, language))
    .slice(0, MOST_WORDINGS)
    .map((wording) => ({ text: wording, seconds: estimateSpeakingSeconds(wording) }));
}
