/** One piece of work at a time under each name: a newer one stops the one before it and waits until that has ended. */
export class Turns {
  readonly #current = new Map<string, { readonly stop: () => void; readonly ended: Promise<unknown> }>();

  /** Does `work` once nothing else goes on under `name`. `stop` is called when a newer piece of work wants the turn. */
  async take<Result>(name: string, stop: () => void, work: () => Promise<Result>): Promise<Result> {
    for (let before = this.#current.get(name); before !== undefined; before = this.#current.get(name)) {
      before.stop();
      await before.ended;
    }
    const working = work();
    const turn = { stop, ended: working.catch(() => undefined) };
    this.#current.set(name, turn);
    try {
      return await working;
    } finally {
      this.#current.delete(name);
    }
  }
}
