/** Answers of a model in a row that cannot be used, of whatever stage, after which it is asked no more: each is paid for. */
export const MOST_USELESS = 3;

/** What is paid for by the request: a model in a job, one that is asked for wordings of a moment afterwards, and so on. */
export type PaidKind = "model" | "wording" | "voice" | "transcription";

/** What a process says of a request that may be charged, before it leaves. Money is in the currency of the stated price. */
export interface PaidPlan {
  /** What it will cost at the most, as far as that is known; 0 where no price is stated. */
  readonly cost: number;
  /** Most that the whole work may cost; `null` for no limit. */
  readonly ceiling: number | null;
  /** Requests of the whole work at the most. */
  readonly most: number;
  /**
   * Price of a million tokens, by which the answer is reckoned; `stated` where the cost is what it costs, whatever comes of it;
   * `null` where none is stated.
   */
  readonly price: { readonly input: number; readonly output: number } | "stated" | null;
}

/** A request whose cost is known before: by its letters, or by the length of its sound. `null` where no price is stated. */
export function knownCost(cost: number | null): PaidPlan | undefined {
  return cost === null ? undefined : { cost, ceiling: null, most: Number.MAX_SAFE_INTEGER, price: "stated" };
}

/** How a request that was reserved ended. */
export interface PaidEnd {
  /** `null` where the line broke: what it cost is not known then, and what was reserved counts. */
  readonly status: number | null;
  /** Tokens as the server counted them; `null` where it does not say. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly cost: number | null;
}

/** What a piece of work was charged by all its processes so far, those that were killed among them. */
export interface PaidTotals {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of what is under way, what was reserved counts. */
  readonly cost: number;
  /** Answers of the model since the last that could be used. */
  readonly uselessInARow: number;
}

/** Why a request does not leave. */
export interface PaidRefusal {
  /** `ceiling`: it would cost too much; `given-up`: the model's answers cannot be used. */
  readonly why: "ceiling" | "given-up";
  /** A whole sentence. */
  readonly message: string;
}

/** The book of one piece of work: every request that may be charged is written down before it leaves, and after its answer. */
export interface Ledger {
  /** Writes a request down. @returns Its name in the book, or why it may not leave. */
  reserve(kind: PaidKind, plan: PaidPlan | null): Promise<string | PaidRefusal>;
  /** Says how it ended. */
  settle(entry: string, end: PaidEnd): Promise<void>;
  /** Says whether its answer could be used. */
  judge(entry: string, isUseful: boolean): Promise<void>;
  totals(): Promise<PaidTotals>;
}

/** Header in which a process states its {@link PaidPlan} to the relay, and is told the entry or the refusal; it goes no further. */
export const LEDGER_HEADER = "x-aside-ledger";

/** Where a process reads its totals and says what could be used; the ending is reserved, so no server is there. */
export const LEDGER_URL = "http://ledger.invalid/";

/** Bytes kept of the head and the end of an answer, in which servers state what it took. */
const KEPT_BYTES = 16_384;

const INPUT = /"(?:prompt_tokens|prompt_eval_count)"\s*:\s*(\d{1,12})/g;
const OUTPUT = /"(?:completion_tokens|eval_count)"\s*:\s*(\d{1,12})/g;

/** Finds in an answer that passes what it took, without reading it as a whole. */
export class UsageFinder {
  #head = Buffer.alloc(0);
  #end = Buffer.alloc(0);

  add(block: Buffer): void {
    if (this.#head.length < KEPT_BYTES) {
      this.#head = Buffer.concat([this.#head, block.subarray(0, KEPT_BYTES - this.#head.length)]);
    }
    this.#end = Buffer.concat([this.#end, block.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
  }

  /** Tokens in and out; `null` where the answer does not say. */
  get tokens(): { readonly input: number; readonly output: number } | null {
    const text = `${this.#head}\n${this.#end}`;
    const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.[1];
    const [input, output] = [last(INPUT), last(OUTPUT)];
    return input === undefined && output === undefined
      ? null
      : { input: Number(input ?? 0), output: Number(output ?? 0) };
  }
}
