/** Holds a state and tells one listener when it has changed. */
export class Store<State extends object> {
  #state: State;
  readonly #onChange: () => void;

  constructor(first: State, onChange: () => void) {
    this.#state = first;
    this.#onChange = onChange;
  }

  /** The state now. Never changed in place. */
  get state(): State {
    return this.#state;
  }

  /** Replaces the state by what a pure function makes of it. */
  update(change: (state: State) => State): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#state = next;
    this.#onChange();
  }

  /** Replaces some fields. */
  set(change: Partial<State>): void {
    this.update((state) => ({ ...state, ...change }));
  }
}
