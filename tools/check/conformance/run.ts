import { ROUTES } from "../../../src/contract/routes.ts";
import { type Check, type ConformanceOptions, Context } from "./context.ts";
import { Deviation, Exchange, must, Skipped } from "./exchange.ts";
import { GENERATION_CHECKS } from "./generation-checks.ts";
import { refused } from "./replies.ts";
import { UPLOAD_CHECKS } from "./upload-checks.ts";

/** How one check ended. */
export interface CheckResult {
  readonly title: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  readonly reason: string;
}

const ACCESS_CHECKS: readonly Check[] = Object.values(ROUTES).map(({ method, path }) => ({
  title: `${method} ${path} without a key, and with a wrong one, is 401 unauthorized`,
  async run({ exchange }) {
    const target = path.split("/").slice(3).join("/").replace("{job_id}", crypto.randomUUID());
    for (const key of [null, "wrong"]) {
      const carried = { key, ...(method === "POST" ? { json: {} } : {}) };
      const answer = await exchange.send(method, target, carried);
      if (target === "get_upload_status" && answer.status === 404) throw new Skipped("there is no such endpoint");
      const { error } = refused(answer, [401], "a request without a good key", "unauthorized");
      must(error === "unauthorized", `"error" is "${error}"`);
    }
  },
}));

/** Every check, in the order in which they run. */
const CHECKS: readonly Check[] = [...ACCESS_CHECKS, ...UPLOAD_CHECKS, ...GENERATION_CHECKS];

/**
 * Tests any server of the interface by HTTP alone. Costs about ten short jobs of the key's allocation.
 *
 * @param onResult Hears of each check as it ends.
 */
export async function runConformance(
  options: ConformanceOptions,
  onResult: (result: CheckResult) => void = () => undefined,
): Promise<CheckResult[]> {
  const context = new Context(new Exchange(options.server, options.key), options);
  const results: CheckResult[] = [];
  for (const { title, run } of CHECKS) {
    const result = await run(context).then(
      (): CheckResult => ({ title, outcome: "passed", reason: "" }),
      (error: unknown): CheckResult => ({ title, ...failureOf(error) }),
    );
    results.push(result);
    onResult(result);
  }
  return results;
}

function failureOf(error: unknown): Omit<CheckResult, "title"> {
  if (error instanceof Skipped) return { outcome: "skipped", reason: error.message };
  if (error instanceof Deviation) return { outcome: "failed", reason: error.message };
  return { outcome: "failed", reason: `the request failed: ${error instanceof Error ? error.message : String(error)}` };
}
