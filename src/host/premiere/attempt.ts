import type { HostOperation } from "../host.ts";
import { hostFault } from "./host-fault.ts";
import type { Transactor } from "./transactor.ts";

/**
 * Changes a project, step by step. What fails before anything was changed is raised, the signal's reason where it aborts; from the
 * first change on a failure is told in words, for a report of what is not as planned.
 */
export async function attempt(
  { transactor, signal }: { readonly transactor: Transactor } & Pick<HostOperation, "signal">,
  operation: string,
  work: () => Promise<void>,
): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    const isUnchanged = transactor.committed === 0;
    if (signal.aborted && isUnchanged) throw signal.reason;
    const state = isUnchanged ? "the timeline was not changed" : "part of the plan is applied";
    const fault = hostFault(error, { operation, state, code: "apply_failed" });
    if (isUnchanged) throw fault;
    if (signal.aborted) return ["stopped before the end"];
    return [fault instanceof Error ? fault.message : String(fault)];
  }
}
