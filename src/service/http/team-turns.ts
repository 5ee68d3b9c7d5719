import { setImmediate } from "node:timers/promises";

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
