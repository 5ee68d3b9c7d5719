import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cueIdAt } from "../../../core/cue.ts";
import { countWords } from "../../../core/speaking-time.ts";
import type { KeyFrame } from "../../programme-analysis.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "../describer.ts";
import { type PromptPart, type Turn, VisionModel } from "./ask-model.ts";
import { seconds, sectionPrompt, systemPrompt } from "./prompt.ts";
import { isFilmTalk, readReply, shortenToSentences, tidyWording, type VisionReply } from "./reply.ts";
import { type Section, sectionsOf } from "./sections.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** How far over its budget a long wording may be before the model is asked again: speaking time decides in the end. */
const BUDGET_TOLERANCE = 1.25;

/** Earlier descriptions that the model is told, so that it does not repeat them. */
const EARLIER_TOLD = 8;

/** Raised when prompts or their treatment change, so that kept answers are asked for anew. */
const PROMPT_VERSION = 1;

/** One section's outcome; kept on disk, so that no paid answer is asked for twice. */
interface Answered {
  readonly descriptions: VisionReply["descriptions"];
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Descriptions that were dropped, with the reason. */
  readonly notes: readonly string[];
}

/**
 * Describes with a vision model behind an OpenAI-compatible endpoint, section by section in programme order, each told
 * what was described before.
 *
 * @param folder where answers are kept for a later attempt of the same job.
 * @param foundLocally `true` when nothing was configured and the model was found on this machine; the result says so.
 */
export function visionDescriber(settings: VisionSettings, folder: string, foundLocally: boolean): Describer {
  return {
    name: "vision",
    describe: (request, signal) => new VisionRun(settings, folder, request, signal).describe(foundLocally),
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

  async describe(foundLocally: boolean): Promise<WrittenDescriptions> {
    await mkdir(this.#folder, { recursive: true });
    const descriptions: WrittenDescription[] = [];
    const notes: string[] = [];
    const spent = { requests: 0, inputTokens: 0, outputTokens: 0 };
    for (const section of sectionsOf(this.#request)) {
      this.#signal.throwIfAborted();
      const earlier = descriptions.slice(-EARLIER_TOLD).map(({ wordings }) => wordings[0] ?? "");
      const answered = await this.#answerFor(section, earlier);
      spent.requests += answered.requests;
      spent.inputTokens += answered.inputTokens;
      spent.outputTokens += answered.outputTokens;
      notes.push(...answered.notes);
      for (const description of answered.descriptions) {
        descriptions.push(writtenFrom(description, section, cueIdAt(descriptions.length)));
      }
    }
    return { descriptions, notes: [this.#summary(spent, foundLocally), ...notes] };
  }

  /** The answer kept by an earlier attempt, or a new one. */
  async #answerFor(section: Section, earlier: readonly string[]): Promise<Answered> {
    const parts: PromptPart[] = [{ text: sectionPrompt(section, earlier) }];
    for (const frame of section.frames) {
      parts.push({ text: `Picture at ${seconds(frame.at)}:` }, { jpeg: await this.#jpegOf(frame) });
    }
    const path = join(this.#folder, `${this.#keyOf(parts)}.json`);
    const kept = await readKept(path);
    if (kept !== null) return kept;
    const answered = await this.#ask(section, parts);
    await writeFile(`${path}.part`, JSON.stringify(answered));
    await rename(`${path}.part`, path);
    return answered;
  }

  /** Asks once, and once more when the answer is malformed, too long or talks about the film. */
  async #ask(section: Section, parts: readonly PromptPart[]): Promise<Answered> {
    const turns: Turn[] = [{ from: "user", parts }];
    const first = await this.#model.ask(this.#system, turns, this.#signal);
    const fault = faultOf(first.words, section);
    if (fault === null) return { ...settle(first.words, section), ...tokensOf([first]) };
    turns.push({ from: "model", words: first.words }, { from: "user", parts: [{ text: `${fault} Answer again.` }] });
    const second = await this.#model.ask(this.#system, turns, this.#signal);
    const words = readReply(second.words).ok ? second.words : first.words;
    return { ...settle(words, section), ...tokensOf([first, second]) };
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

  #summary(spent: { requests: number; inputTokens: number; outputTokens: number }, foundLocally: boolean): string {
    const { model, baseUrl, pricePerMillion } = this.#settings;
    const where = `${model} at ${new URL(baseUrl).host}`;
    const found = foundLocally ? " (found on this computer, nothing was configured)" : "";
    const tokens = `${spent.requests} ${spent.requests === 1 ? "request" : "requests"}, ${spent.inputTokens} tokens in, ${spent.outputTokens} out`;
    const cost =
      pricePerMillion === undefined
        ? ""
        : `, cost ${((spent.inputTokens * pricePerMillion.input + spent.outputTokens * pricePerMillion.output) / 1e6).toFixed(4)}`;
    return `Written by the vision model ${where}${found}: ${tokens}${cost}. Review it against the picture.`;
  }
}

/** What is wrong with an answer, as a sentence to the model; `null` when nothing is. */
function faultOf(words: string, section: Section): string | null {
  const read = readReply(words);
  if (!read.ok) return read.fault;
  const budget = budgetEach(section, read.reply.descriptions.length);
  const long = read.reply.descriptions.find(({ short }) => countWords(short) > budget * BUDGET_TOLERANCE);
  if (long !== undefined) return `"${long.short}" has ${countWords(long.short)} words; at most ${budget} fit.`;
  const talk = read.reply.descriptions.flatMap((d) => [d.long, d.medium, d.short]).find(isFilmTalk);
  return talk === undefined ? null : `"${talk}" talks about the film; tell only what is visible.`;
}

function budgetEach(section: Section, descriptions: number): number {
  return Math.max(2, Math.floor(section.budgetWords / Math.max(1, descriptions)));
}

/** Makes the best of an answer: wordings tidied, over-long ones shortened to whole sentences, hopeless ones dropped. */
function settle(words: string, section: Section): Pick<Answered, "descriptions" | "notes"> {
  const at = seconds(section.picture.start);
  const read = readReply(words);
  if (!read.ok) return { descriptions: [], notes: [`The model gave no usable answer for the picture at ${at}.`] };
  const notes: string[] = [];
  const budget = budgetEach(section, read.reply.descriptions.length) * BUDGET_TOLERANCE;
  const descriptions = read.reply.descriptions.flatMap((description) => {
    const [long, medium, short] = [description.long, description.medium, description.short].map((wording) =>
      shortenToSentences(tidyWording(wording), budget, countWords),
    );
    const fitting = [long, medium, short].filter((wording) => wording !== undefined && wording !== "");
    if (fitting.length === 0) {
      notes.push(`Dropped, because it is too long for its gap: "${tidyWording(description.short)}"`);
      return [];
    }
    return [{ ...description, long: long ?? "", medium: medium ?? "", short: short ?? "" }];
  });
  return { descriptions: descriptions.sort((a, b) => a.at - b.at), notes };
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
