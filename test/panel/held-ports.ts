import { expect } from "vitest";
import { turns } from "../fakes/set-clock.ts";

/** Which of several answers that are held comes first. */
type Order = "oldest first" | "newest first";

/** What changes something on disk or in the project: nothing of it is there before it is let go. */
const LATE: ReadonlySet<string | symbol> = new Set([
  "writeText",
  "remove",
  "rename",
  "writeNote",
  "apply",
  "changeLevels",
  "openSequence",
]);

/** Ports whose answers a test holds back: nothing that is asked of them is there before it is let go. */
export class HeldPorts {
  readonly #held: { readonly name: string; go(): void }[] = [];
  /** Every call of an asynchronous member, by its name, in order. */
  readonly calls: string[] = [];
  /** Members that are asked beside the work: nobody waits for them, and they answer at once. */
  readonly beside = new Set(["movePlayhead"]);
  /** What was still to come when the work ended, by the names of the members that were asked for it. */
  left: readonly string[] = [];
  /** Asked where nothing is held and the work is not over: whether something else goes on, as time does. */
  whenIdle: () => Promise<boolean> = async () => false;
  /** Which call fails, counted from 0; none where negative. */
  #failing = -1;

  /** A port all of whose promises are held. */
  wrap<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        const call = (args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
        return (...args: readonly unknown[]) => {
          if (LATE.has(name)) return this.#hold(String(name), async () => call(args));
          const answer = call(args);
          return answer instanceof Promise ? this.#hold(String(name), () => answer) : answer;
        };
      },
    });
  }

  async #hold(name: string, answer: () => Promise<unknown>): Promise<unknown> {
    if (this.beside.has(name)) return answer();
    const index = this.calls.push(name) - 1;
    // Whoever asked hears of what is refused, once it is let go.
    if (!LATE.has(name)) answer().catch(() => undefined);
    await new Promise<void>((go) => this.#held.push({ name, go }));
    if (index === this.#failing) {
      await answer();
      throw new Error(`${name} fails`);
    }
    return answer();
  }

  /** Lets go of all that is held, until nothing more comes. */
  async letGo(): Promise<void> {
    for (;;) {
      await turns(3);
      const next = this.#held.shift();
      if (next === undefined) return;
      next.go();
    }
  }

  /**
   * Does some work, lets go of what it asks for one by one, and holds that it never ends while anything of it is still to come,
   * unless something failed.
   *
   * @param failing - Which of its calls fails, counted from 0.
   * @param order - What comes in the other order tells who goes on without waiting: what that asked for is still held at the end.
   * @returns What the work raised; `null` where it succeeded.
   */
  async settlesLast(work: () => Promise<unknown>, failing = -1, order: Order = "oldest first"): Promise<unknown> {
    this.#failing = failing < 0 ? -1 : this.calls.length + failing;
    let isOver = false;
    const outcome = work().then(
      () => null,
      (error: unknown) => error,
    );
    void outcome.then(() => {
      isOver = true;
      this.left = this.#held.map(({ name }) => name);
    });
    for (;;) {
      await turns(3);
      const next = order === "oldest first" ? this.#held.shift() : this.#held.pop();
      if (next === undefined) {
        if (!isOver && (await this.whenIdle())) continue;
        break;
      }
      if (failing < 0) expect(isOver, `it ended while ${next.name} was still to come`).toBe(false);
      next.go();
    }
    expect(isOver, "it does not end").toBe(true);
    return outcome;
  }
}
