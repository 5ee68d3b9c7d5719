import type { Queries } from "../../src/service/storage/database.ts";

/** A statement that was run, in one line, and its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether it belonged to a transaction. */
  readonly isInside: boolean;
  /** Whether another one was under way still when it began: nobody waited for that. */
  readonly isHasty: boolean;
}

/** Records whose answers a test states by what the statement says; each takes its time. Any other statement fails. */
export function recordsOf(
  answers: readonly (readonly [RegExp, readonly object[] | ((values: readonly unknown[]) => readonly object[])])[],
): Queries & {
  readonly statements: Statement[];
  /** Statements that are under way still. */
  readonly underWay: () => number;
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  readonly kind: "embedded";
} {
  const statements: Statement[] = [];
  let underWay = 0;
  const queriesOf = (isInside: boolean): Queries => ({
    async query<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
      const text = statement.replace(/\s+/g, " ");
      statements.push({ text, values, isInside, isHasty: underWay > 0 });
      const found = answers.find(([pattern]) => pattern.test(text));
      if (found === undefined) throw new Error(`nobody said what is answered to: ${text}`);
      underWay++;
      await new Promise((next) => setImmediate(next));
      underWay--;
      const [, rows] = found;
      return (typeof rows === "function" ? rows(values) : rows) as Row[]; // stated by the test
    },
  });
  return {
    kind: "embedded",
    statements,
    underWay: () => underWay,
    ...queriesOf(false),
    async transaction(work) {
      const answer = await work(queriesOf(true));
      await new Promise((next) => setImmediate(next));
      return answer;
    },
  };
}
