import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hideSecrets } from "../../../core/text.ts";
import { writeFinishedFile } from "../../finished-file.ts";
import { JobFailure } from "../../isolate/job-failure.ts";
import { blocked, type ModelAnswer, type PictureCount, VisionModel } from "../../models/ask-model.ts";
import { spokenReason } from "../../models/exchange.ts";
import { ModelBudget, type PlannedRequests } from "../../models/model-budget.ts";
import { placeOf, type SmallModel } from "../../models/presets.ts";
import { Gate, type PromptPart, type Question, type Turn } from "../../models/question.ts";
import { VisionError } from "../../models/refusal.ts";
import type { VisionSettings } from "../../models/vision-settings.ts";
import { ledgerTotals, noteUse } from "../../outgoing/ask-ledger.ts";
import { MOST_USELESS } from "../../outgoing/ledger.ts";
import type { KeyFrame } from "../../programme-analysis.ts";
import { type AnswerShape, isRefusal, readAnswer } from "./answer.ts";
import { boundedSchema, closedJson, SMALL_SYSTEM, withinRoom, withoutLoops } from "./small-model.ts";

/** Raised when prompts or their treatment change, so that kept answers are asked for anew. */
const PROMPT_VERSION = 4;

/** A question of one stage. */
export interface StageQuestion<Shape> extends Pick<Question, "precedence"> {
  readonly system: string;
  readonly parts: readonly PromptPart[];
  readonly shape: AnswerShape<Shape>;
  /** What is wrong with an answer of the right shape, as a sentence to the model; `null` when nothing is. */
  readonly faultOf?: (answer: Shape) => string | null;
  /** Makes one of two answers, the second of which came upon asking back and has a fault too; else the second counts. */
  readonly bestOf?: (first: Shape, second: Shape) => Shape;
}

/** What came of a question: nothing where the model refused, or twice gave what cannot be read. */
export type QuestionOutcome<Shape> =
  | { readonly kind: "answer"; readonly answer: Shape }
  | { readonly kind: "nonsense" }
  | { readonly kind: "refusal" };

/** What asking took. */
export interface Spent {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A kept answer; its file's name holds the hash of everything it depends on. */
interface KeptAnswer extends Spent {
  readonly answer: unknown;
}

/** Where and how an {@link Asker} asks. */
export interface AskerOptions {
  readonly settings: VisionSettings;
  /** Where answers are kept for later attempts and later jobs of the same media. */
  readonly keptFolder: string;
  readonly frameFolder: string;
  /** Money that may be spent; without it, any. */
  readonly maximumCost: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks the questions of one description run: keeps every answer, so that none is paid for twice, asks back once where an
 * answer is at fault, and adds up what was spent.
 */
export class Asker {
  readonly #options: AskerOptions;
  readonly #model: VisionModel;
  readonly #budget: ModelBudget;
  /** As many questions as may go at once: what waits for its turn has not read its pictures yet. */
  readonly #later: Gate;
  #spentBefore: Spent = NOTHING;
  #isCountKept = false;
  #answers = 0;
  #refusals = 0;
  /** Answers that were thoughts alone. */
  #thoughtsAlone = 0;
  /** Answers that could not be used since the last that could. */
  #uselessInARow = 0;
  /** How the last answer began that could not be used. */
  #lastUseless = "";
  #asked = 0;
  /** What earlier runs of the same job were charged. */
  #paidBefore: Spent = NOTHING;
  #mostAsked = Number.POSITIVE_INFINITY;
  /** Ends what is under way once the model is given up. */
  readonly #givenUp = new AbortController();
  readonly #signal: AbortSignal;

  /** @throws VisionError `vision_incomplete` for a most without a price. */
  constructor(options: AskerOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#givenUp.signal]);
    this.#model = new VisionModel(options.settings);
    this.#budget = new ModelBudget(options.settings, options.maximumCost);
    this.#later = new Gate(this.parallel);
  }

  /** Learns what one request may hold. @throws VisionError when the model is not there; the signal's reason. */
  async prepare(): Promise<void> {
    await this.#model.prepare(this.#options.signal);
    // A job that was killed goes on with what it has spent, not from nothing.
    const paid = await ledgerTotals(this.#options.signal);
    if (paid !== null) {
      this.#budget.goOnFrom(paid);
      this.#asked = paid.requests;
      this.#uselessInARow = paid.uselessInARow;
      this.#paidBefore = paid;
    }
    const counted = await readKept<PictureCount>(this.#countPath);
    if (counted !== null) this.#model.recall(counted);
  }

  /** Where it is kept what a probe of the model found. */
  get #countPath(): string {
    const { baseUrl, model } = this.#options.settings;
    const hash = createHash("sha256").update(`${baseUrl}\n${model}`).digest("hex");
    return join(this.#options.keptFolder, `pictures-${hash}.json`);
  }

  /** Spent by this run, and by earlier ones whose answers it used; `cost` is `null` without a stated price. */
  get spent(): { readonly now: Spent; readonly cost: number | null; readonly before: Spent } {
    const { requests, inputTokens, outputTokens, cost } = this.#budget;
    return { now: { requests, inputTokens, outputTokens }, cost, before: less(this.#spentBefore, this.#paidBefore) };
  }

  /** Sentences for people about what they may not expect of the model. */
  get notes(): readonly string[] {
    return this.#model.notes;
  }

  /** Most pictures that one request may hold; more than {@link MOST_PICTURES} do not help a model. */
  get mostPictures(): number {
    return Math.min(MOST_PICTURES, this.#model.limits.picturesPerRequest);
  }

  /** How a small model is asked; `null` for one that takes everything. */
  get small(): SmallModel | null {
    return this.#options.settings.preset?.small ?? null;
  }

  /** Questions that may be under way at once. */
  get parallel(): number {
    return this.#model.limits.parallel;
  }

  /** Says how many requests there will be: from here on no more than half as many again are sent. */
  expect({ requests }: Pick<PlannedRequests, "requests">): void {
    this.#mostAsked = Math.ceil(MOST_OF_ESTIMATE * requests);
  }

  /** A key frame as part of a question, under words that say which it is. */
  async picture(frame: KeyFrame, label: string): Promise<PromptPart[]> {
    return [{ text: label }, { jpeg: await readFile(join(this.#options.frameFolder, frame.file)) }];
  }

  /** @throws VisionError when the model cannot be asked (it says what was paid for), or may not; the signal's reason. */
  async ask<Shape>(question: StageQuestion<Shape>): Promise<QuestionOutcome<Shape>> {
    const { keptFolder } = this.#options;
    this.#signal.throwIfAborted();
    const path = join(keptFolder, `${this.#keyOf(question)}.json`);
    const kept = await readKept<KeptAnswer>(path);
    if (kept !== null) {
      const parsed = question.shape.parser.safeParse(kept.answer);
      if (parsed.success) {
        this.#spentBefore = sum(this.#spentBefore, kept);
        this.#answers++;
        return { kind: "answer", answer: parsed.data };
      }
    }
    const { outcome, spent } = await this.#askModel(question).catch((error: unknown) => {
      throw withSpent(error, this.spent.now);
    });
    if (outcome.kind === "refusal") this.#refusals++;
    // What could not be used may be better the next time.
    if (outcome.kind !== "answer") return outcome;
    this.#answers++;
    await mkdir(keptFolder, { recursive: true });
    await keep(path, { ...spent, answer: outcome.answer } satisfies KeptAnswer);
    await this.#keepCount();
    return outcome;
  }

  /**
   * Asks what nobody waits for yet: whatever is asked meanwhile goes first.
   *
   * @param questionOf makes the question when it is nearly its turn.
   * @throws as {@link ask}.
   */
  async askLater<Shape>(questionOf: () => Promise<StageQuestion<Shape>>): Promise<QuestionOutcome<Shape>> {
    const ask = async () => await this.ask({ ...(await questionOf()), precedence: "later" });
    return await this.#later.run(ask, this.#signal);
  }

  /** @throws where not one answer could be used: an empty result would look like a programme without anything to tell. */
  requireAnswers(): void {
    if (this.#answers > 0) return;
    if (this.#refusals > 0) throw blocked();
    throw this.#unusable("gave no answer that could be used");
  }

  /** @param what it did, without a full stop. */
  #unusable(what: string): VisionError {
    const { model, baseUrl } = this.#options.settings;
    const who = `The vision model ${model} ${placeOf(baseUrl)}`;
    const message =
      this.#thoughtsAlone > 0
        ? `${who} gave what it thought and no answer. Switch its thinking off at the server, or use a model that does not think: ASIDE_VISION_MODEL.`
        : `${who} ${what}${this.#lastUseless}. Use another model: ASIDE_VISION_MODEL.`;
    return new VisionError("vision_unusable", message);
  }

  /** Counts answers that cannot be used, of whatever stage, and gives the model up after a few in a row. */
  #countUse({ words, thoughts }: ModelAnswer, isUseful: boolean): void {
    if (isUseful) {
      this.#uselessInARow = 0;
      return;
    }
    this.#uselessInARow++;
    const said = words.trim() === "" ? thoughts : words;
    const begins = hideSecrets(spokenReason(said.slice(0, MOST_ASKED_BACK.nonsense), this.#options.settings.apiKey));
    this.#lastUseless = begins === "" ? "; the last was empty" : `; the last begins “${begins}”`;
    if (this.#uselessInARow < MOST_USELESS) return;
    const error = this.#unusable("gave three answers in a row that cannot be used");
    this.#givenUp.abort(error);
  }

  async #askModel<Shape>(question: StageQuestion<Shape>): Promise<{ outcome: QuestionOutcome<Shape>; spent: Spent }> {
    const { precedence = "now" } = question;
    const { system, parts, schema } = this.#worded(question);
    const turns: Turn[] = [{ from: "user", parts }];
    const first = await this.#said({ system, turns, schema, precedence });
    if (first === null) return { outcome: { kind: "refusal" }, spent: ONE_REFUSED };
    const read = await this.#judged(first, question);
    if (read.fault === null) return { outcome: read.outcome, spent: spentOn([first]) };
    turns.push(
      { from: "model", words: first.words.slice(0, MOST_ASKED_BACK[read.outcome.kind]) },
      { from: "user", parts: [{ text: `${read.fault} Answer again, whole, in the same shape.` }] },
    );
    const second = await this.#said({ system, turns, schema, precedence });
    if (second === null) return { outcome: read.outcome, spent: sum(spentOn([first]), ONE_REFUSED) };
    const again = await this.#judged(second, question);
    return { outcome: bestOf(read.outcome, again, question), spent: spentOn([first, second]) };
  }

  /** A question as the model is asked it: a small one has its instructions last, and no more words than it has room for. */
  #worded<Shape>({ system, parts, shape }: StageQuestion<Shape>) {
    const { small } = this;
    const { preset } = this.#options.settings;
    if (small === null || preset === undefined) return { system, parts, schema: shape.schema };
    const room = { pictureTokens: preset.tokensPerPicture, answerTokens: preset.answerTokens };
    const fitting = withinRoom(parts, system, small, room);
    return {
      system: SMALL_SYSTEM,
      parts: [...fitting, { text: system }],
      schema: boundedSchema(shape.schema, small),
    };
  }

  /** @throws VisionError where the model is given up because of it. */
  async #judged<Shape>(said: ModelAnswer, question: StageQuestion<Shape>): Promise<ReturnType<typeof judged<Shape>>> {
    // Of one that broke off, an empty list inside would be taken for the whole of it.
    const words = this.small === null ? [said.words] : closedJson(withoutLoops(said.words));
    const all = words.map((one) => judged({ ...said, words: one }, question));
    const read = all.find(({ outcome }) => outcome.kind === "answer") ?? all[0] ?? judged(said, question);
    // What it refuses is about the film, not about the model.
    if (read.outcome.kind !== "refusal") {
      const isUseful = read.outcome.kind === "answer";
      await noteUse(said.entries ?? [], isUseful, this.#signal);
      this.#countUse(said, isUseful);
    }
    this.#signal.throwIfAborted();
    return read;
  }

  async #keepCount(): Promise<void> {
    const { pictureCount } = this.#model;
    if (pictureCount === null || this.#isCountKept) return;
    this.#isCountKept = true;
    await keep(this.#countPath, pictureCount);
  }

  /** What the model says; `null` where its filter refuses this one question: the rest of the film may still be told. */
  async #said(question: Question): Promise<ModelAnswer | null> {
    if (this.#asked >= this.#mostAsked) {
      if (this.#answers === 0 && this.#refusals > 0) throw blocked();
      throw this.#unusable(`was asked ${this.#asked} times, half as often again as the film should take`);
    }
    const done = this.#budget.requireRoom(plannedFor(question));
    this.#asked++;
    try {
      const plan = this.#budget.planOf(plannedFor(question), this.#mostAsked);
      const answer = await this.#model.ask({ ...question, plan }, this.#signal);
      this.#budget.add(answer);
      if (answer.words.trim() === "" && answer.thoughts.trim() !== "") this.#thoughtsAlone++;
      return answer;
    } catch (error) {
      if (error instanceof JobFailure && error.code === "content_blocked") return null;
      throw error;
    } finally {
      done();
    }
  }

  #keyOf({ system, parts, shape }: Pick<StageQuestion<unknown>, "system" | "parts" | "shape">): string {
    const { baseUrl, model } = this.#options.settings;
    const hash = createHash("sha256").update(`${PROMPT_VERSION}\n${baseUrl}\n${model}\n${shape.schema.name}\n`);
    hash.update(system);
    for (const part of parts) hash.update("text" in part ? part.text : part.jpeg);
    return hash.digest("hex");
  }
}

/** How many times the estimate may be asked. */
export const MOST_OF_ESTIMATE = 1.5;

/** Characters of an answer that are sent back with what is wrong with it: of nonsense its beginning tells enough. */
const MOST_ASKED_BACK = { answer: 20_000, refusal: 2_000, nonsense: 2_000 } as const;

/** Most pictures in one request: more do not help a model, and servers limit them. */
const MOST_PICTURES = 16;

/** An answer, and what is wrong with it. One at fault can still be the best there is. */
function judged<Shape>(
  { words, thoughts }: Pick<ModelAnswer, "words" | "thoughts">,
  { shape, faultOf = () => null }: StageQuestion<Shape>,
): { outcome: QuestionOutcome<Shape>; fault: string | null } {
  const read = readAnswer(words, shape, thoughts);
  if (read.ok) return { outcome: { kind: "answer", answer: read.answer }, fault: faultOf(read.answer) };
  return { outcome: { kind: isRefusal(words) ? "refusal" : "nonsense" }, fault: read.fault };
}

/** What two answers give together. */
function bestOf<Shape>(
  first: QuestionOutcome<Shape>,
  second: { readonly outcome: QuestionOutcome<Shape>; readonly fault: string | null },
  { bestOf: join }: StageQuestion<Shape>,
): QuestionOutcome<Shape> {
  if (first.kind !== "answer") return second.outcome;
  if (second.outcome.kind !== "answer") return first;
  if (second.fault === null || join === undefined) return second.outcome;
  return { kind: "answer", answer: join(first.answer, second.outcome.answer) };
}

const NOTHING: Spent = { requests: 0, inputTokens: 0, outputTokens: 0 };
const ONE_REFUSED: Spent = { requests: 1, inputTokens: 0, outputTokens: 0 };

function sum(a: Spent, b: Spent): Spent {
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function less(a: Spent, b: Spent): Spent {
  return {
    requests: Math.max(0, a.requests - b.requests),
    inputTokens: Math.max(0, a.inputTokens - b.inputTokens),
    outputTokens: Math.max(0, a.outputTokens - b.outputTokens),
  };
}

function spentOn(answers: readonly Omit<Spent, "requests">[]): Spent {
  return answers.map((answer) => ({ requests: 1, ...answer })).reduce(sum, NOTHING);
}

/** The error with what was paid for before it: the answers are there for the next run. */
function withSpent(error: unknown, spent: Spent): unknown {
  if (!(error instanceof VisionError) || spent.requests === 0) return error;
  const message = `${error.message} Answers so far are kept for the next run: ${amountOf(spent)}.`;
  return new VisionError(error.code, message, { cause: error });
}

/** Tokens of an answer as an estimate counts them, and characters of a token. */
export const ANSWER_TOKENS = 1200;
const TOKEN_CHARACTERS = 4;

function plannedFor({ system, turns }: Question): PlannedRequests {
  const parts = turns.flatMap((turn) => (turn.from === "user" ? turn.parts : [{ text: turn.words }]));
  const characters = parts.reduce((total, part) => total + ("text" in part ? part.text.length : 0), system.length);
  return {
    requests: 1,
    pictures: parts.filter((part) => "jpeg" in part).length,
    textTokens: characters / TOKEN_CHARACTERS,
    answerTokens: ANSWER_TOKENS,
  };
}

/** What was spent, in words. */
export function amountOf({ requests, inputTokens, outputTokens }: Spent): string {
  return `${requests} ${requests === 1 ? "request" : "requests"}, ${inputTokens} tokens in, ${outputTokens} out`;
}

function keep(path: string, content: KeptAnswer | PictureCount): Promise<void> {
  return writeFinishedFile(path, JSON.stringify(content));
}

async function readKept<Content extends KeptAnswer | PictureCount>(path: string): Promise<Content | null> {
  try {
    // Written by this class alone, whole or not at all.
    return JSON.parse(await readFile(path, "utf8")) as Content;
  } catch {
    // Absent: the usual case.
    return null;
  }
}
