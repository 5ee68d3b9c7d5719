import * as z from "zod/mini";
import { estimateSpeakingSeconds } from "../../../core/speaking-time.ts";
import { askedDirectly } from "../../local/llama-server.ts";
import { VisionModel } from "../../models/ask-model.ts";
import { findLocalModels, type LocalModel } from "../../models/local-models.ts";
import type { Turn } from "../../models/question.ts";
import { localVisionSettings, type VisionSettings, visionConfiguration } from "../../models/vision-settings.ts";
import type { Environment } from "../../outgoing/local-only.ts";
import { answerShape, readAnswer } from "./answer.ts";
import { isInLanguage, languageFault } from "./in-language.ts";
import { DATA_RULE, dataBlock, languageRule, roomWords } from "./rules.ts";
import { tidyWording } from "./wording.ts";

/** A description that is too long for its gap. */
export interface LongLine {
  readonly id: string;
  readonly text: string;
  /** Words that would fit, about. */
  readonly words: number;
}

const SHORTER = answerShape(
  "shorter",
  z.object({ lines: z.array(z.object({ line: z.number(), wordings: z.array(z.string()) })) }),
  "lines",
);

type Shorter = z.output<typeof SHORTER.parser>;

/** Lines asked about in one request. */
const LINES_AT_ONCE = 20;

/**
 * Has the model that writes descriptions word lines shorter, in three lengths. Nothing but the lines is sent; a wording
 * that is no shorter than the line, and one that came before, are left out.
 *
 * @returns Wordings by line, the longest first; `null` where no model is configured or runs on this machine.
 * @throws VisionError when it cannot be asked, JobFailure `content_blocked` when it refuses, the signal's reason.
 */
export async function shorterWordings(
  lines: readonly LongLine[],
  language: string,
  context: {
    readonly environment: Environment;
    readonly signal: AbortSignal;
    /** Finds models on this machine; replaced in tests. */
    readonly findModels?: () => Promise<LocalModel[]>;
  },
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const settings = await settingsFor(context.environment, context.findModels);
  if (settings === null) return null;
  const model = new VisionModel(askedDirectly(settings, context.environment));
  const wordings = new Map<string, readonly string[]>();
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const asked = lines.slice(from, from + LINES_AT_ONCE);
    for (const { line: number, wordings: said } of await askedFor(asked, language, model, context.signal)) {
      const line = asked[number - 1];
      if (line === undefined) continue;
      const shorter = [...new Set(said.map((wording) => tidyWording(wording, language)))]
        .filter((text) => text !== "" && isInLanguage(text, language))
        .filter((text) => estimateSpeakingSeconds(text) < estimateSpeakingSeconds(line.text))
        .sort((a, b) => estimateSpeakingSeconds(b) - estimateSpeakingSeconds(a));
      if (shorter.length > 0) wordings.set(line.id, shorter);
    }
  }
  return wordings;
}

/** What the model says of some lines; asked back once where that is no answer, or one in another language. */
async function askedFor(
  lines: readonly LongLine[],
  language: string,
  model: VisionModel,
  signal: AbortSignal,
): Promise<Shorter["lines"]> {
  const turns: Turn[] = [{ from: "user", parts: [{ text: listed(lines, language) }] }];
  let said: Shorter["lines"] = [];
  for (let time = 1; time <= 2; time++) {
    const { words, thoughts } = await model.ask(
      { system: systemPrompt(language), turns, schema: SHORTER.schema },
      signal,
    );
    const read = readAnswer(words, SHORTER, thoughts);
    if (read.ok) said = read.answer.lines;
    const wordings = read.ok ? read.answer.lines.flatMap((line) => line.wordings) : [];
    const fault = read.ok ? languageFault(wordings, language) : read.fault;
    if (fault === null) break;
    turns.push(
      { from: "model", words },
      { from: "user", parts: [{ text: `${fault} Answer again, whole, in the same shape.` }] },
    );
  }
  return said;
}

/** The settings of the model in use: the configured one, else one that runs on this machine; `null` for none. */
export async function settingsFor(
  environment: Environment,
  findModels: () => Promise<LocalModel[]> = findLocalModels,
): Promise<VisionSettings | null> {
  const configuration = visionConfiguration(environment);
  if (configuration.kind === "configured") return configuration.settings;
  if (configuration.kind !== "absent") return null;
  const [found] = await findModels();
  return found === undefined ? null : localVisionSettings(found, configuration.asked);
}

function systemPrompt(language: string): string {
  return [
    "You edit audio descriptions, which blind people hear between lines of speech in a film.",
    "Each line below is too long for its pause. Say the same in fewer words: keep who does what, leave out what matters least, add nothing that the line does not say.",
    "Keep the language of the line, present tense, whole sentences.",
    languageRule(language),
    DATA_RULE,
    'For each line give its number as "line" and three "wordings": one of at most the length stated, one of about three quarters of that, one of about half.',
    'Answer with JSON only: {"lines": [{"line": 1, "wordings": ["...", "...", "..."]}]}.',
  ].join("\n");
}

function listed(lines: readonly LongLine[], language: string): string {
  const numbered = lines.map(
    ({ text, words }, index) => `Line ${index + 1}, at most ${roomWords(Math.max(2, words), { language })}: ${text}`,
  );
  return dataBlock("The lines:", numbered).join("\n");
}
