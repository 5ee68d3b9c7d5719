type AbortListener = () => void;

/** A signal that tells its listeners, as the web has it. */
class PlainAbortSignal {
  aborted = false;
  reason: unknown = undefined;
  readonly #listeners = new Set<AbortListener>();

  addEventListener(_type: "abort", listener: AbortListener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: AbortListener): void {
    this.#listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Not of the web: how the controller reaches its signal. */
  fire(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason ?? new Error("aborted");
    // One that another takes away meanwhile is not told, nor one that comes meanwhile.
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener();
  }
}

/**
 * An `AbortController` whose signal calls its listeners once. UXP's is documented for streams only, and its declarations
 * give its signal no listeners at all.
 */
export class PlainAbortController {
  readonly signal = new PlainAbortSignal();

  abort(reason?: unknown): void {
    this.signal.fire(reason);
  }
}

/** Whether an `AbortController` tells listeners about its abort. */
export function tellsListeners(Controller: unknown): boolean {
  try {
    // Whatever the platform offers under this name; every doubt counts as "no".
    const controller = new (Controller as { new (): AbortController })();
    let isTold = false;
    controller.signal.addEventListener("abort", () => {
      isTold = true;
    });
    controller.abort(new Error("probe"));
    return isTold && controller.signal.aborted && controller.signal.reason instanceof Error;
  } catch {
    return false;
  }
}
