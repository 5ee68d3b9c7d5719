import { setImmediate } from "node:timers/promises";

/**
 * Lets a few pieces of work go on at a time, one of each team: whoever asks for sixty waits for their own sixty, and
 * another team for none of them. Before each piece, what else arrived is answered.
 */
export class TeamTurns {
  readonly #atOnce: number;
  readonly #active = new Set<string>();
  /** Pieces that wait, by team. The team that was served longest ago stands first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** `atOnce`: teams whose work goes on at the same time, 1 or more. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
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
      this.#active.delete(teamId);
      this.#stepBehind(teamId);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    if (this.#active.size >= this.#atOnce) return;
    for (const [teamId, queue] of this.#waiting) {
      if (this.#active.has(teamId)) continue;
      const begin = queue.shift();
      if (queue.length === 0) this.#waiting.delete(teamId);
      this.#active.add(teamId);
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
