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

/**
 * Records whose answers a test states by what the statement says; each takes its time. Any other statement fails, and so does one of a
 * transaction that does not wait for the statement before, or whose work ends before its statements: they would come after its
 * commit, and their fault undo nothing.
 */
export function recordsOf(
  answers: readonly (readonly [RegExp, readonly object[] | ((values: readonly unknown[]) => readonly object[])])[],
): Queries & {
  readonly statements: Statement[];
  /** Statements that are under way still. */
  readonly underWay: () => number;
  /** Whether the work of a transaction goes on: what ends later comes after its commit. */
  readonly isInTransaction: () => boolean;
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  readonly kind: "embedded";
} {
  const statements: Statement[] = [];
  let underWay = 0;
  let transactions = 0;
  /** `own`: how many statements of the same transaction are under way. */
  const queriesOf = (own: { left: number } | null): Queries => ({
    async query<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
      const text = statement.replace(/\s+/g, " ");
      if (own !== null && own.left > 0) throw new Error(`the statement before was not waited for: ${text}`);
      statements.push({ text, values, isInside: own !== null, isHasty: underWay > 0 });
      const found = answers.find(([pattern]) => pattern.test(text));
      if (found === undefined) throw new Error(`nobody said what is answered to: ${text}`);
      underWay++;
      if (own !== null) own.left++;
      await new Promise((next) => setImmediate(next));
      underWay--;
      if (own !== null) own.left--;
      const [, rows] = found;
      return (typeof rows === "function" ? rows(values) : rows) as Row[]; // stated by the test
    },
  });
  return {
    kind: "embedded",
    statements,
    underWay: () => underWay,
    isInTransaction: () => transactions > 0,
    ...queriesOf(null),
    async transaction(work) {
      const own = { left: 0 };
      transactions++;
      const answer = await work(queriesOf(own)).finally(() => transactions--);
      if (own.left > 0) throw new Error("the transaction's work ended before its statements");
      await new Promise((next) => setImmediate(next));
      return answer;
    },
  };
}
