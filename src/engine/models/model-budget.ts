import type { PaidPlan, PaidTotals } from "../outgoing/ledger.ts";
import type { ModelAnswer } from "./ask-model.ts";
import { HERE_URL, presetAt } from "./presets.ts";
import { VisionError } from "./refusal.ts";
import { COST_CEILING, type VisionSettings } from "./vision-settings.ts";

/** Work for a model, in all its requests together. */
export interface PlannedRequests {
  readonly requests: number;
  readonly pictures: number;
  /** Tokens of all words that are sent; 4 characters of English are about one. */
  readonly textTokens: number;
  /** Tokens of all answers. */
  readonly answerTokens: number;
}

/** What planned requests will take, rather too much than too little. */
export interface CostEstimate {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the stated price; `null` where no price is stated. */
  readonly cost: number | null;
}

/** An estimate in words, such as `about 140 requests, 1.2 million tokens, cost 3.10`. */
export function estimateText({ requests, inputTokens, outputTokens, cost }: CostEstimate): string {
  const tokens = inputTokens + outputTokens;
  const amount = tokens >= 1e6 ? `${(tokens / 1e6).toFixed(1)} million` : `${Math.ceil(tokens / 1000)} thousand`;
  return `about ${requests} requests, ${amount} tokens${cost === null ? "" : `, cost ${cost.toFixed(2)}`}`;
}

/** Adds up what a run spends on a model, and stops it before it would spend more than it may. */
export class ModelBudget {
  readonly #settings: VisionSettings;
  readonly #ceiling: number | null;
  /** What is raised to spend more. */
  readonly #raised: string;
  /** Cost of the requests that are under way. */
  #reserved = 0;
  #requests = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  /**
   * @param ceiling Most that may be spent, in the currency of the price; without it, what the settings let every job spend.
   * @throws VisionError `vision_incomplete` when there is a ceiling and no price.
   */
  constructor(settings: VisionSettings, ceiling?: number) {
    if (ceiling !== undefined && settings.pricePerMillion === undefined && settings.baseUrl !== HERE_URL) {
      throw new VisionError(
        "vision_incomplete",
        'A ceiling for the cost needs the price of the model: set ASIDE_VISION_PRICE to "input/output" per million tokens, such as 2.5/10.',
      );
    }
    this.#settings = settings;
    // Without a price there is nothing to add up: such a model runs on this computer.
    const { costCeiling = Number.POSITIVE_INFINITY, pricePerMillion } = settings;
    const ofEveryJob = pricePerMillion === undefined ? Number.POSITIVE_INFINITY : costCeiling;
    const most = Math.min(ceiling ?? Number.POSITIVE_INFINITY, ofEveryJob);
    this.#ceiling = Number.isFinite(most) ? most : null;
    this.#raised = most === ceiling ? "--max-cost" : `${COST_CEILING} (limits.cost)`;
  }

  /** What the book of the work is told of a request; `most` is how often it may be asked in all. */
  planOf(next: PlannedRequests, most: number): PaidPlan {
    const cost = this.estimate(next).cost ?? 0;
    return { cost, ceiling: this.#ceiling, most, price: this.#settings.pricePerMillion ?? null };
  }

  /** Counts what earlier runs of the same work were charged. */
  goOnFrom({ requests, inputTokens, outputTokens }: PaidTotals): void {
    this.#requests += requests;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
  }

  /** Questions that were answered. */
  get requests(): number {
    return this.#requests;
  }

  /** Tokens that were sent. */
  get inputTokens(): number {
    return this.#inputTokens;
  }

  /** Tokens that came back, thoughts included. */
  get outputTokens(): number {
    return this.#outputTokens;
  }

  /** Spent so far, in the currency of the price; `null` where no price is stated. */
  get cost(): number | null {
    return this.#costOf(this.#inputTokens, this.#outputTokens);
  }

  /** Adds what an answer took. */
  add({ inputTokens, outputTokens }: Pick<ModelAnswer, "inputTokens" | "outputTokens">): void {
    this.#requests++;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
  }

  /** What planned requests will take. Pictures count as such of 1024 x 576. */
  estimate({ requests, pictures, textTokens, answerTokens }: PlannedRequests): CostEstimate {
    const { preset = presetAt(this.#settings.baseUrl) } = this.#settings;
    const inputTokens = Math.ceil(textTokens + pictures * preset.tokensPerPicture);
    const outputTokens = Math.ceil(answerTokens);
    return { requests, inputTokens, outputTokens, cost: this.#costOf(inputTokens, outputTokens) };
  }

  /**
   * Keeps room for a request below the ceiling. Call it before the request is sent.
   *
   * @returns Gives the room back; call it once the answer has been added, or will not come.
   * @throws VisionError `vision_ceiling` when the request would pass the ceiling.
   */
  requireRoom(next: PlannedRequests): () => void {
    const cost = this.estimate(next).cost ?? 0;
    const spent = this.cost ?? 0;
    if (this.#ceiling !== null && spent + this.#reserved + cost > this.#ceiling) {
      const done = `${this.#requests} ${this.#requests === 1 ? "request" : "requests"}`;
      throw new VisionError(
        "vision_ceiling",
        `The ceiling of ${this.#ceiling} is reached after ${done}, which cost ${spent.toFixed(4)}: the next one may cost ${cost.toFixed(4)}. Answers so far are kept; raise ${this.#raised} to continue.`,
      );
    }
    this.#reserved += cost;
    let isKept = true;
    return () => {
      if (isKept) this.#reserved -= cost;
      isKept = false;
    };
  }

  #costOf(inputTokens: number, outputTokens: number): number | null {
    const { pricePerMillion } = this.#settings;
    if (pricePerMillion === undefined) return null;
    return (inputTokens * pricePerMillion.input + outputTokens * pricePerMillion.output) / 1e6;
  }
}
