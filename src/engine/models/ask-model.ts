import { JobFailure } from "../isolate/job-failure.ts";
import { LEDGER_HEADER } from "../outgoing/ledger.ts";
import { completionBody, readCompletion } from "./chat-completions.ts";
import { below, isContentRefusal, type ServerReply } from "./exchange.ts";
import { askForModels, listedAs } from "./model-list.ts";
import { ModelServer } from "./model-server.ts";
import {
  OLLAMA_PICTURE_TOKENS,
  type OllamaModel,
  ollamaBody,
  ollamaContext,
  readOllamaAnswer,
  showOllamaModel,
} from "./ollama.ts";
import { isDoubtful, picturesIn, probeOf, sawFirst, thinned } from "./picture-count.ts";
import { HERE_URL, type Preset, placeOf, presetAt, rootOf } from "./presets.ts";
import { inOneVoice, type Question, type WireAnswer } from "./question.ts";
import { RefusedParameters, refusal, VisionError } from "./refusal.ts";
import { withoutThoughts } from "./thoughts.ts";
import { toldLimits } from "./told-limits.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** What a model answered, and what it took: all requests that were needed for it. */
export interface ModelAnswer {
  readonly words: string;
  /** What it thought, where the server gives that apart. */
  readonly thoughts: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Entries of its requests in the book of the work; absent where nobody keeps one. */
  readonly entries?: readonly string[];
}

/** What one request may hold, for planning. */
export interface ModelLimits {
  readonly picturesPerRequest: number;
  /** Requests that are sent at the same time. */
  readonly parallel: number;
}

/** What a probe found: of so many planned pictures of one request the model is given so many. */
export interface PictureCount {
  readonly planned: number;
  readonly given: number;
}

/** Length of the second try, as a multiple of the first, where thoughts have eaten the first. */
const LONGER = 4;

/** Forms in which one question is sent at the most: each leaves out one more parameter that was refused. */
const MOST_FORMS = 6;

/** Tokens of a context that words and an answer need; the rest is for pictures. */
const WORD_TOKENS = 2500;

/** Time a server has to say what it knows of its model, in milliseconds. */
const LOOK_MILLISECONDS = 10_000;

/**
 * Asks one model. Keeps to what its server takes, waits when the server says so, leaves out parameters that it refuses,
 * and finds out how many pictures the model is given of those that are sent. Every request has a time limit.
 */
export class VisionModel {
  readonly #settings: VisionSettings;
  readonly #preset: Preset;
  readonly #server: ModelServer;
  readonly #refused = new RefusedParameters();
  readonly #notes = new Set<string>();
  #picturesPerRequest: number;
  /** Pictures of one request that the model was given for certain. */
  #picturesSeen = 0;
  /** How many times longer answers may be than stated. */
  #length = 1;
  #ollama: OllamaModel | null = null;
  /** Largest context that Ollama was asked for; it would load the model anew for another. */
  #context = 0;
  #isKnownBlind = false;
  /** Whether the server answers only by a stream, and whether it takes no instructions apart: learned from its refusals. */
  #onlyStreams = false;
  #hasNoSystem = false;
  #prepared: Promise<void> | undefined;
  #counted: Promise<void> | undefined;
  #pictureCount: PictureCount | null = null;

  constructor(settings: VisionSettings) {
    this.#settings = settings;
    this.#preset = settings.preset ?? presetAt(settings.baseUrl);
    this.#server = new ModelServer(settings, this.#preset);
    this.#picturesPerRequest = this.#preset.picturesPerRequest;
  }

  /** What one request may hold; certain after {@link prepare}, and lower once the model was found to be given fewer pictures. */
  get limits(): ModelLimits {
    return {
      picturesPerRequest: this.#picturesPerRequest,
      parallel: this.#settings.parallel ?? this.#preset.parallel,
    };
  }

  /** Sentences for people about what they may not expect: a model that runs elsewhere, fewer pictures at once. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** What a probe found; `null` before one, which most servers do not need. */
  get pictureCount(): PictureCount | null {
    return this.#pictureCount;
  }

  /** Takes over what a probe of an earlier run found, where as many pictures are planned; after {@link prepare}. */
  recall(count: PictureCount): void {
    if (count.planned !== this.#picturesPerRequest) return;
    this.#keepTo(count);
    this.#counted = Promise.resolve();
  }

  /**
   * Asks the server what it knows of its model, once, and costs nothing. {@link ask} does it by itself.
   *
   * @throws VisionError `vision_refused` when Ollama has no such model, the signal's reason.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    this.#prepared ??= this.#look(signal).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    await this.#prepared;
  }

  /**
   * Asks a question. Of more pictures than one request may hold, as many are sent as it may, evenly spread.
   *
   * @throws JobFailure `content_blocked` when the model or its filter refuses, `VisionError` when it cannot be asked, does
   * not see, or thinks without an end, the signal's reason when aborted.
   */
  async ask(question: Question, signal: AbortSignal): Promise<ModelAnswer> {
    await this.prepare(signal);
    if (this.#isKnownBlind && picturesIn(question) > 0) throw this.#blind();
    const { sent, answers } = await this.#within(question, signal);
    const pictures = picturesIn(sent);
    if (pictures <= this.#picturesSeen) return modelAnswer(answers);
    if (!this.#isDoubtful(sent, answers.at(-1)?.inputTokens ?? null)) {
      this.#picturesSeen = Math.max(this.#picturesSeen, pictures);
      return modelAnswer(answers);
    }
    await this.#countPictures(signal);
    if (pictures <= this.#picturesPerRequest) return modelAnswer(answers);
    const again = await this.#within(question, signal);
    return modelAnswer([...answers, ...again.answers]);
  }

  /** Asks with as many pictures as a request may hold, and with fewer where a refusal says that it may hold fewer. */
  async #within(question: Question, signal: AbortSignal): Promise<{ sent: Question; answers: WireAnswer[] }> {
    for (;;) {
      const pictures = this.#picturesPerRequest;
      const sent = thinned(question, pictures);
      try {
        return { sent, answers: await this.#answers(sent, signal) };
      } catch (error) {
        // Of questions that are under way at once, the first to be refused has lowered it for all.
        const isLowered = error instanceof TooMuch && this.#picturesPerRequest < picturesIn(sent);
        if (!isLowered) throw error instanceof TooMuch ? error.refusal : error;
      }
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { model, baseUrl, apiKey } = this.#settings;
    // Of the one that this program runs itself everything is known.
    if (!this.#preset.isLocal || baseUrl === HERE_URL) return;
    const either = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MILLISECONDS)]);
    try {
      if (this.#preset.api === "ollama") {
        const shown = await showOllamaModel(rootOf(baseUrl), model, either);
        if (shown === null) throw this.#noSuchModel();
        this.#ollama = shown ?? null;
        this.#learn(shown?.sees ?? null, shown?.contextTokens ?? null, shown?.runsAt ?? null);
      } else {
        const listed = listedAs(model, (await askForModels({ baseUrl, apiKey, preset: this.#preset }, either)).models);
        this.#learn(listed?.sees ?? null, listed?.contextTokens ?? null, listed?.runsAt ?? null);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof VisionError) throw error;
      // Whether it can be asked at all, the first question shows.
    }
  }

  #learn(sees: boolean | null, contextTokens: number | null, runsAt: string | null): void {
    const { model, baseUrl, staysHere } = this.#settings;
    this.#isKnownBlind = sees === false;
    if (runsAt !== null && staysHere === true) {
      throw new VisionError(
        "vision_refused",
        `${model} would pass all pictures on to ${runsAt}, and nothing may leave this computer. Use a model that runs here.`,
      );
    }
    if (runsAt !== null)
      this.#notes.add(`${model} does not run ${placeOf(baseUrl)}, which passes all pictures on to ${runsAt}.`);
    if (contextTokens === null) return;
    const fitting = Math.max(1, Math.floor((contextTokens - WORD_TOKENS) / OLLAMA_PICTURE_TOKENS));
    if (fitting < this.#picturesPerRequest) {
      this.#notes.add(
        `${model} can hold ${contextTokens} tokens, so that one request takes ${fitting} of ${this.#picturesPerRequest} pictures; with a context of 16384 it would take all.`,
      );
    }
    // Ollama makes the context as large as it is asked for, which takes memory; others have theirs already.
    const most = this.#preset.api === "ollama" ? this.#preset.picturesPerRequest : MOST_LOCAL_PICTURES;
    this.#picturesPerRequest = Math.min(fitting, most);
  }

  #isDoubtful(question: Question, inputTokens: number | null): boolean {
    // A provider that does not count is no reason to doubt it; a server on one's own computer is.
    if (inputTokens === null && !this.#preset.isLocal) return false;
    return isDoubtful(question, inputTokens, this.#preset.leastPictureTokens);
  }

  /** Finds out by small pictures how many of them the model is given, and lowers the limit to it. */
  async #countPictures(signal: AbortSignal): Promise<void> {
    this.#counted ??= this.#probe(signal).catch((error: unknown) => {
      this.#counted = undefined;
      throw error;
    });
    await this.#counted;
  }

  async #probe(signal: AbortSignal): Promise<void> {
    const planned = this.#picturesPerRequest;
    for (let pictures = planned; pictures >= 1; pictures = Math.floor(pictures / 2)) {
      const answers = await this.#answers(probeOf(pictures), signal);
      const { words, thoughts } = modelAnswer(answers);
      if (!sawFirst(words.trim() === "" ? thoughts : words)) continue;
      this.#keepTo({ planned, given: pictures });
      return;
    }
    this.#isKnownBlind = true;
    throw this.#blind();
  }

  #keepTo(count: PictureCount): void {
    const { planned, given } = count;
    this.#pictureCount = count;
    this.#picturesPerRequest = given;
    if (given === planned) return;
    const { model, baseUrl } = this.#settings;
    this.#notes.add(
      `${model} ${placeOf(baseUrl)} is given ${given} of ${planned} pictures of one request; it is asked about so many at once.`,
    );
  }

  /** Asks, and once more with a longer answer where the first was cut off. */
  async #answers(question: Question, signal: AbortSignal): Promise<WireAnswer[]> {
    const stated = question.answerTokens ?? this.#preset.answerTokens;
    const wasLonger = this.#length > 1;
    const first = await this.#send(question, stated * this.#length, signal);
    // A small one that does not come to an end would not with more room either.
    if (this.#preset.small !== undefined) return [first];
    if (!first.isCut || (wasLonger && !isWithoutWords(first.words))) return [first];
    if (wasLonger) throw this.#endlessThoughts(stated * LONGER);
    // A model that thinks so long about one question does so about the others.
    this.#length = LONGER;
    const last = await this.#send(question, stated * LONGER, signal);
    if (last.isCut && isWithoutWords(last.words)) throw this.#endlessThoughts(stated * LONGER);
    return [first, last];
  }

  async #send(question: Question, answerTokens: number, signal: AbortSignal): Promise<WireAnswer> {
    const { model, baseUrl } = this.#settings;
    const isOllama = this.#preset.api === "ollama";
    for (let forms = 1; ; forms++) {
      const asked = this.#hasNoSystem ? inOneVoice(question) : question;
      const body = this.#refused.without(
        isOllama ? this.#ollamaBody(asked, answerTokens) : completionBody(model, asked, this.#preset, answerTokens),
      );
      if (this.#onlyStreams) body["stream"] = true;
      const url = isOllama ? `${rootOf(baseUrl)}/api/chat` : below(baseUrl, "/chat/completions");
      const reply = await this.#server.post(url, body, signal, question);
      const isGood = reply.status >= 200 && reply.status < 300;
      const answer = isGood ? (isOllama ? readOllamaAnswer : readCompletion)(reply.body) : null;
      if (answer?.isBlocked === true) throw blocked();
      if (answer !== null) {
        this.#compareModel(answer);
        const entry = reply.headers[LEDGER_HEADER];
        return typeof entry === "string" ? { ...answer, entry } : answer;
      }
      if (isContentRefusal(reply)) throw blocked();
      if (forms < MOST_FORMS && (this.#learnForm(reply) || this.#refused.learn(reply, body))) continue;
      throw this.#refusedBecause(reply, picturesIn(question));
    }
  }

  /** Whether a refusal asks for another form of the same question. It is remembered. */
  #learnForm(reply: ServerReply): boolean {
    const { onlyStreams, hasNoSystem } = toldLimits(reply, 0);
    const isNew = (onlyStreams && !this.#onlyStreams) || (hasNoSystem && !this.#hasNoSystem);
    this.#onlyStreams ||= onlyStreams;
    this.#hasNoSystem ||= hasNoSystem;
    return isNew;
  }

  /** What a refusal comes to: fewer pictures from now on where it says so, else an error in the server's own words. */
  #refusedBecause(reply: ServerReply, pictures: number): Error {
    const told = toldLimits(reply, pictures);
    const fault = refusal(reply, this.#settings, this.#preset, told.isBlind);
    const fitting = told.pictures ?? Math.floor(pictures * (told.share ?? 1) * CONTEXT_SHARE);
    if ((told.pictures === undefined && told.share === undefined) || pictures <= 1) return fault;
    const most = Math.max(1, Math.min(fitting, pictures - 1));
    if (most < this.#picturesPerRequest) {
      const { model, baseUrl } = this.#settings;
      this.#picturesPerRequest = most;
      this.#notes.add(`${model} ${placeOf(baseUrl)} takes ${most} pictures at once; it is asked about so many.`);
    }
    return new TooMuch(fault);
  }

  #ollamaBody(question: Question, answerTokens: number): Record<string, unknown> {
    const most = this.#ollama?.contextTokens ?? null;
    this.#context = ollamaContext(question, answerTokens, most, this.#context);
    const facts = { facts: this.#ollama, context: this.#context };
    return ollamaBody(this.#settings.model, question, this.#preset, answerTokens, facts);
  }

  /** LM Studio answers with the model it has loaded where it does not know the one that is asked for. */
  #compareModel({ model }: WireAnswer): void {
    if (this.#preset.name !== "lmstudio" || model === null || model === this.#settings.model) return;
    this.#notes.add(`LM Studio answered with the model ${model}, not with ${this.#settings.model}.`);
  }

  #noSuchModel(): VisionError {
    const { model } = this.#settings;
    return new VisionError(
      "vision_refused",
      `Ollama has no model ${model}. Fetch it with: aside models install ollama:${model}`,
    );
  }

  #blind(): VisionError {
    const { model, baseUrl } = this.#settings;
    return new VisionError(
      "vision_blind",
      `The model ${model} ${placeOf(baseUrl)} does not see pictures. Use one that does; "aside describers" lists those of this computer.`,
    );
  }

  #endlessThoughts(tokens: number): VisionError {
    const { model, baseUrl } = this.#settings;
    return new VisionError(
      "vision_unusable",
      `The vision model ${model} ${placeOf(baseUrl)} spent ${tokens} tokens on thinking and gave no answer. Use a model that does not think, such as one with "instruct" in its name.`,
    );
  }
}

/** A request holds more than its server takes; what that is has been noted. */
class TooMuch extends Error {
  /** What is told where the same question cannot be asked with less. */
  readonly refusal: Error;

  constructor(refusal: Error) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Share of a context that is filled once it was too small: words take room that pictures do not give back. */
const CONTEXT_SHARE = 0.8;

/** Pictures in one request to a server on one's own computer, however large its context: more take too long. */
const MOST_LOCAL_PICTURES = 12;

/** Whether there is nothing beside thoughts, which some servers leave in the answer. */
function isWithoutWords(words: string): boolean {
  return withoutThoughts(words).trim() === "";
}

/** The last answer, with what all of them took. */
function modelAnswer(answers: readonly WireAnswer[]): ModelAnswer {
  const entries = answers.flatMap(({ entry }) => entry ?? []);
  return {
    ...(entries.length === 0 ? {} : { entries }),
    words: answers.at(-1)?.words ?? "",
    thoughts: answers.at(-1)?.thoughts ?? "",
    inputTokens: answers.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0),
    outputTokens: answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

/** The model or its filter will not describe the programme. */
export function blocked(): JobFailure {
  return new JobFailure(
    "content_blocked",
    "The vision model's safety filter refused to describe this programme. Give a script, or use another model.",
  );
}
