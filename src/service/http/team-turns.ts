import { PassThrough, type Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { RequestError } from "../request-error.ts";

/**
 * Lets a few pieces of work go on at a time, and few of each team: whoever asks for sixty waits for their own sixty, and
 * another team for none of them. Before each piece, what else arrived is answered.
 */
export class TeamTurns {
  readonly #atOnce: number;
  readonly #ofTeam: number;
  #underWay = 0;
  /** Pieces that go on, by team. */
  readonly #active = new Map<string, number>();
  /** Pieces that wait, by team. The team that was served longest ago stands first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** `atOnce`: pieces that go on at the same time, 1 or more; `ofTeam`: those of one team among them. */
  constructor(atOnce: number, ofTeam = 1) {
    this.#atOnce = atOnce;
    this.#ofTeam = ofTeam;
  }

  /** Does `work` when it is the team's turn; settles as it does. */
  async take<Result>(teamId: string, work: () => Promise<Result>): Promise<Result> {
    const begun = Promise.withResolvers<void>();
    const queue = this.#waiting.get(teamId);
    if (queue === undefined) this.#waiting.set(teamId, [begun.resolve]);
    else queue.push(begun.resolve);
    this.#beginNext();
    await begun.promise;
    try {
      await setImmediate();
      return await work();
    } finally {
      this.#underWay--;
      const left = (this.#active.get(teamId) ?? 1) - 1;
      if (left === 0) this.#active.delete(teamId);
      else this.#active.set(teamId, left);
      this.#stepBehind(teamId);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    if (this.#underWay >= this.#atOnce) return;
    for (const [teamId, queue] of this.#waiting) {
      const active = this.#active.get(teamId) ?? 0;
      if (active >= this.#ofTeam) continue;
      const begin = queue.shift();
      if (queue.length === 0) this.#waiting.delete(teamId);
      this.#underWay++;
      this.#active.set(teamId, active + 1);
      begin?.();
      return;
    }
  }

  /** Puts what else a team waits for behind all others: it was served. */
  #stepBehind(teamId: string): void {
    const queue = this.#waiting.get(teamId);
    if (queue === undefined) return;
    this.#waiting.delete(teamId);
    this.#waiting.set(teamId, queue);
  }
}

/** Bytes as they came, not yet put together: that takes its time, and waits for its turn. */
export interface CollectedBytes {
  readonly chunks: readonly Uint8Array[];
  readonly sizeBytes: number;
}

/** Bytes after which others have their turn: sixty senders at once would else be read for a tenth of a second on end. */
const BYTES_PER_TURN = 65_536;

/** Reads a stream to its end. `null` as soon as there is more than `maximumBytes`; its sender is still to be answered then. */
export async function collect(stream: Readable, maximumBytes: number): Promise<CollectedBytes | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let turnBytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    sizeBytes += bytes.length;
    if (sizeBytes > maximumBytes) return null;
    chunks.push(bytes);
    turnBytes += bytes.length;
    if (turnBytes < BYTES_PER_TURN) continue;
    turnBytes = 0;
    await setImmediate();
  }
  return { chunks, sizeBytes };
}

/**
 * A request's body that must be there in time: a client that sends it byte by byte is answered, and holds nothing.
 *
 * @returns The same bytes; the stream fails with RequestError `invalid_input` when `limitMs` are over first.
 */
export function withDeadline(body: Readable, limitMs: number): Readable {
  const timely = new PassThrough();
  const timer = setTimeout(() => {
    body.unpipe(timely);
    const seconds = limitMs / 1000;
    timely.destroy(new RequestError("invalid_input", `The request body did not arrive within ${seconds} s.`));
  }, limitMs);
  timer.unref();
  body.once("error", (error) => timely.destroy(error));
  timely.once("close", () => clearTimeout(timer));
  // A refusal may come before anybody reads the body; then nobody wants to hear of it either.
  timely.on("error", () => clearTimeout(timer));
  return body.pipe(timely);
}
