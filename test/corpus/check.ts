/** What a check of one file found. */
export interface FileResult {
  /** Path below the corpora. */
  readonly path: string;
  /** How many expectations were held against it. */
  readonly expectations: number;
  /** What is not as expected; empty when all is. */
  readonly deviations: readonly string[];
}

/** Gathers expectations about one file. */
export class Check {
  readonly path: string;
  #expectations = 0;
  readonly #deviations: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** Expects two values to be the same, as JSON. */
  same(what: string, actual: unknown, expected: unknown): void {
    this.#expectations += 1;
    const [left, right] = [stable(actual), stable(expected)];
    if (left !== right) this.#deviations.push(`${what}: ${cut(left)} instead of ${cut(right)}`);
  }

  /** Expects a statement to hold. */
  holds(what: string, isTrue: boolean): void {
    this.#expectations += 1;
    if (!isTrue) this.#deviations.push(what);
  }

  get result(): FileResult {
    return { path: this.path, expectations: this.#expectations, deviations: this.#deviations };
  }
}

/** Runs one check; what it throws is a deviation like any other. */
export function checked(path: string, run: (check: Check) => void): FileResult {
  const check = new Check(path);
  try {
    run(check);
  } catch (error) {
    check.holds(`throws ${error instanceof Error ? error.message : String(error)}`, false);
  }
  return check.result;
}

function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)) ?? "undefined"
  );
}

function cut(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
