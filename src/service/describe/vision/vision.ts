import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cueIdAt } from "../../../core/cue.ts";
import { charactersForWords, countSpokenWords, isCountedInCharacters } from "../../../core/speaking-time.ts";
import { spokenWords } from "../../../core/spoken-words.ts";
import type { KeyFrame } from "../../programme-analysis.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "../describer.ts";
import { blocked, type PromptPart, type Turn, VisionModel } from "./ask-model.ts";
import { seconds, sectionPrompt, systemPrompt } from "./prompt.ts";
import { isFilmTalk, isRefusal, readReply, shortenToSentences, tidyWording, type VisionReply } from "./reply.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { VisionError } from "./vision-error.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** How far over its budget a long wording may be before the model is asked again: speaking time decides in the end. */
const BUDGET_TOLERANCE = 1.25;

/** Earlier descriptions that the model is told, so that it does not repeat them. */
const EARLIER_TOLD = 8;

/** Raised when prompts or their treatment change, so that kept answers are asked for anew. */
const PROMPT_VERSION = 2;

/** One section's outcome; kept on disk, so that no paid answer is asked for twice. */
interface Answered extends Readonly<Spent> {
  readonly descriptions: VisionReply["descriptions"];
  /** What the answer was good for: nothing where it could not be read, or said that the model will not. */
  readonly outcome: "answer" | "nonsense" | "refusal";
  /** Descriptions that were dropped, with the reason. */
  readonly notes: readonly string[];
}

/**
 * Describes with a vision model behind an OpenAI-compatible endpoint, section by section in programme order, each told
 * what was described before.
 *
 * @param folder where answers are kept for later attempts and later jobs of the same media.
 * @param foundLocally `true` when nothing was configured and the model was found on this machine; the result says so.
 */
export function visionDescriber(settings: VisionSettings, folder: string, foundLocally: boolean): Describer {
  return {
    name: "vision",
    describe: (request, signal, onProgress) =>
      new VisionRun(settings, folder, request, signal).describe(foundLocally, onProgress),
  };
}

class VisionRun {
  readonly #settings: VisionSettings;
  readonly #folder: string;
  readonly #request: DescribeRequest;
  readonly #signal: AbortSignal;
  readonly #model: VisionModel;
  readonly #system: string;

  constructor(settings: VisionSettings, folder: string, request: DescribeRequest, signal: AbortSignal) {
    this.#settings = settings;
    this.#folder = folder;
    this.#request = request;
    this.#signal = signal;
    this.#model = new VisionModel(settings);
    this.#system = systemPrompt(request);
  }

  async describe(
    foundLocally: boolean,
    onProgress: (fraction: number) => void = () => {},
  ): Promise<WrittenDescriptions> {
    await mkdir(this.#folder, { recursive: true });
    const descriptions: WrittenDescription[] = [];
    const notes: string[] = [];
    const outcomes = new Set<Answered["outcome"]>();
    const spent = nothingSpent();
    const spentBefore = nothingSpent();
    const sections = sectionsOf(this.#request);
    for (const [index, section] of sections.entries()) {
      this.#signal.throwIfAborted();
      onProgress(index / sections.length);
      const earlier = descriptions.slice(-EARLIER_TOLD).map(({ wordings }) => wordings[0] ?? "");
      const { answered, wasKept } = await this.#answerFor(section, earlier).catch((error: unknown) => {
        throw withSpent(error, spent);
      });
      const sum = wasKept ? spentBefore : spent;
      sum.requests += answered.requests;
      sum.inputTokens += answered.inputTokens;
      sum.outputTokens += answered.outputTokens;
      notes.push(...answered.notes);
      outcomes.add(answered.outcome);
      for (const description of answered.descriptions) {
        const written = writtenFrom(description, section, cueIdAt(descriptions.length));
        const [told = ""] = written.wordings;
        if (earlier.some((one) => spokenWords(one) === spokenWords(told)))
          notes.push(`Said before, and left out: "${told}"`);
        else descriptions.push(written);
      }
    }
    if (outcomes.size > 0 && !outcomes.has("answer")) throw this.#unusable(outcomes.has("refusal"));
    return { descriptions, notes: [this.#summary(spent, spentBefore, foundLocally), ...notes] };
  }

  /** The answer kept by an earlier attempt or job, or a new one. */
  async #answerFor(section: Section, earlier: readonly string[]): Promise<{ answered: Answered; wasKept: boolean }> {
    const parts: PromptPart[] = [{ text: sectionPrompt(section, earlier, this.#request.language) }];
    for (const frame of section.frames) {
      parts.push({ text: `Picture at ${seconds(frame.at)}:` }, { jpeg: await this.#jpegOf(frame) });
    }
    const path = join(this.#folder, `${this.#keyOf(parts)}.json`);
    const kept = await readKept(path);
    if (kept !== null) return { answered: kept, wasKept: true };
    const answered = await this.#ask(section, parts);
    // What could not be used may be better the next time.
    if (answered.outcome !== "answer") return { answered, wasKept: false };
    await writeFile(`${path}.part`, JSON.stringify(answered));
    await rename(`${path}.part`, path);
    return { answered, wasKept: false };
  }

  /** Asks once, and once more when the answer is malformed, too long or talks about the film. */
  async #ask(section: Section, parts: readonly PromptPart[]): Promise<Answered> {
    const turns: Turn[] = [{ from: "user", parts }];
    const first = await this.#model.ask(this.#system, turns, this.#signal);
    const { language } = this.#request;
    const fault = faultOf(first.words, section, language);
    if (fault === null) return { ...settle(first.words, section, language), ...tokensOf([first]) };
    turns.push({ from: "model", words: first.words }, { from: "user", parts: [{ text: `${fault} Answer again.` }] });
    const second = await this.#model.ask(this.#system, turns, this.#signal);
    const words = readReply(second.words).ok ? second.words : first.words;
    return { ...settle(words, section, language), ...tokensOf([first, second]) };
  }

  async #jpegOf({ file }: KeyFrame): Promise<Uint8Array> {
    return await readFile(join(this.#request.keyFrameFolder, file));
  }

  #keyOf(parts: readonly PromptPart[]): string {
    const hash = createHash("sha256").update(`${PROMPT_VERSION}\n${this.#settings.baseUrl}\n${this.#settings.model}\n`);
    hash.update(this.#system);
    for (const part of parts) hash.update("text" in part ? part.text : part.jpeg);
    return hash.digest("hex");
  }

  /** Not one answer could be used: an empty result would look like a programme without anything to tell. */
  #unusable(isRefused: boolean): Error {
    const { model, baseUrl } = this.#settings;
    if (isRefused) return blocked();
    return new VisionError(
      "vision_unusable",
      `The vision model ${model} at ${new URL(baseUrl).host} gave no answer that could be used. Use another model.`,
    );
  }

  #summary(spent: Spent, spentBefore: Spent, foundLocally: boolean): string {
    const { model, baseUrl, pricePerMillion } = this.#settings;
    const where = `${model} at ${new URL(baseUrl).host}`;
    const found = foundLocally ? " (found on this computer, nothing was configured)" : "";
    const cost =
      pricePerMillion === undefined
        ? ""
        : `, cost ${((spent.inputTokens * pricePerMillion.input + spent.outputTokens * pricePerMillion.output) / 1e6).toFixed(4)}`;
    const kept =
      spentBefore.requests === 0 ? "" : ` Answers of an earlier run were used again: ${amountOf(spentBefore)}.`;
    return `Written by the vision model ${where}${found}: ${amountOf(spent)}${cost}.${kept} Review it against the picture.`;
  }
}

/** The error with what was paid for before it: the answers are there for the next run. */
function withSpent(error: unknown, spent: Spent): unknown {
  if (!(error instanceof VisionError) || spent.requests === 0) return error;
  const message = `${error.message} Answers so far are kept for the next run: ${amountOf(spent)}.`;
  return new VisionError(error.code, message, { cause: error });
}

/** What asking took. */
interface Spent {
  requests: number;
  inputTokens: number;
  outputTokens: number;
}

const nothingSpent = (): Spent => ({ requests: 0, inputTokens: 0, outputTokens: 0 });

function amountOf({ requests, inputTokens, outputTokens }: Spent): string {
  return `${requests} ${requests === 1 ? "request" : "requests"}, ${inputTokens} tokens in, ${outputTokens} out`;
}

/** What is wrong with an answer, as a sentence to the model; `null` when nothing is. */
function faultOf(words: string, section: Section, language: string): string | null {
  const read = readReply(words);
  if (!read.ok) return read.fault;
  const budget = budgetEach(section, read.reply.descriptions.length);
  const long = read.reply.descriptions.find((one) => countSpokenWords(shortestOf(one)) > budget * BUDGET_TOLERANCE);
  if (long !== undefined) {
    const said = Math.round(countSpokenWords(shortestOf(long)));
    return isCountedInCharacters(language)
      ? `"${shortestOf(long)}" has ${charactersForWords(said)} characters; at most ${charactersForWords(budget)} fit.`
      : `"${shortestOf(long)}" has ${said} words; at most ${budget} fit.`;
  }
  const talk = read.reply.descriptions.flatMap((d) => [d.long, d.medium, d.short]).find(isFilmTalk);
  return talk === undefined ? null : `"${talk}" talks about the film; tell only what is visible.`;
}

/** The wording that takes least time, whatever the model calls it. */
function shortestOf({ long, medium, short }: VisionReply["descriptions"][number]): string {
  return [short, medium, long].reduce((a, b) => (b !== "" && countSpokenWords(b) < countSpokenWords(a) ? b : a));
}

function budgetEach(section: Section, descriptions: number): number {
  // A gap is shared by those that come; where the film is held, each has its own room.
  const sharing = section.gap === null ? section.descriptions : descriptions;
  return Math.max(2, Math.floor(section.budgetWords / Math.max(1, sharing)));
}

/** Makes the best of an answer: wordings tidied, over-long ones shortened to whole sentences, hopeless ones dropped. */
function settle(
  words: string,
  section: Section,
  language: string,
): Pick<Answered, "descriptions" | "outcome" | "notes"> {
  const at = seconds(section.picture.start);
  const read = readReply(words);
  if (!read.ok) {
    const isRefused = isRefusal(words);
    const what = isRefused ? "The model refused to describe" : "The model gave no usable answer for";
    return { descriptions: [], outcome: isRefused ? "refusal" : "nonsense", notes: [`${what} the picture at ${at}.`] };
  }
  const notes: string[] = [];
  const budget = budgetEach(section, read.reply.descriptions.length) * BUDGET_TOLERANCE;
  const descriptions = read.reply.descriptions.flatMap((description) => {
    const told = [description.long, description.medium, description.short]
      .map((wording) => tidyWording(wording, language))
      .filter((wording) => wording !== "");
    // A description without a word says that there is nothing to tell.
    if (told.length === 0) return [];
    const fitting = told
      .map((wording) => shortenToSentences(wording, budget, countSpokenWords, language))
      .filter((wording) => wording !== "")
      // Models mix their lengths up: the longest that fits is spoken, so that is the order.
      .sort((a, b) => countSpokenWords(b) - countSpokenWords(a));
    if (fitting.length === 0) {
      notes.push(`Dropped, because it is too long for its gap: "${told.at(-1)}"`);
      return [];
    }
    const [long = "", medium = "", short = ""] = fitting;
    return [{ ...description, long, medium, short }];
  });
  return { descriptions: descriptions.sort((a, b) => a.at - b.at), outcome: "answer", notes };
}

function tokensOf(answers: readonly { inputTokens: number; outputTokens: number }[]) {
  return {
    requests: answers.length,
    inputTokens: answers.reduce((sum, answer) => sum + answer.inputTokens, 0),
    outputTokens: answers.reduce((sum, answer) => sum + answer.outputTokens, 0),
  };
}

function writtenFrom(
  description: VisionReply["descriptions"][number],
  section: Section,
  id: string,
): WrittenDescription {
  const { picture } = section;
  const start = Math.min(Math.max(description.at, picture.start), picture.end);
  const wordings = [description.long, description.medium, description.short].filter(
    (wording, index, all) => wording !== "" && all.indexOf(wording) === index,
  );
  const importance = Math.min(1, Math.max(0.1, description.importance));
  return { id, wordings, picture: { start, end: Math.max(start, picture.end) }, importance };
}

async function readKept(path: string): Promise<Answered | null> {
  try {
    // Written by this class alone, whole or not at all; its name holds the hash of everything it depends on.
    return JSON.parse(await readFile(path, "utf8")) as Answered;
  } catch {
    // Absent: the usual case.
    return null;
  }
}
