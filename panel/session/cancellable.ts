/** Work of which at most one piece is under way, and can be cancelled. */
export class Cancellable {
  #controller: AbortController | null = null;
  #waiting: (() => void)[] = [];

  /** Whether a piece is under way. */
  get isUnderWay(): boolean {
    return this.#controller !== null;
  }

  /** Settles when nothing is under way any more. */
  async whenFree(): Promise<void> {
    while (this.isUnderWay) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Does a piece of work, and gives what it gives. Whether something else is under way is for the caller to ask before.
   *
   * @throws What the work raises, after it was cancelled too.
   */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.#controller = null;
      for (const go of this.#waiting.splice(0)) go();
    }
  }

  /** Does a piece of work. What it raises once it was cancelled is told to nobody. */
  async runQuietly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.run(async (signal) => {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
  }

  /** Cancels the piece under way. */
  cancel(): void {
    this.#controller?.abort("cancelled");
  }
}
