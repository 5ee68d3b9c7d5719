import type { ApplyReport, HostOperation } from "../host.ts";
import { HostError } from "../host-error.ts";
import { hostFault } from "./host-fault.ts";
import type { Transactor } from "./transactor.ts";

/** What is not as planned because something failed on the way. */
type AttemptFailure = Required<Pick<ApplyReport, "differences" | "tried">>;

/**
 * Changes a project, step by step. What fails before anything was changed is raised, the signal's reason where it aborts; from the
 * first change on a failure is told in words, for a report of what is not as planned.
 */
export async function attempt(
  { transactor, signal }: { readonly transactor: Transactor } & Pick<HostOperation, "signal">,
  operation: string,
  work: () => Promise<void>,
): Promise<AttemptFailure> {
  try {
    await work();
    return { differences: [], tried: [] };
  } catch (error) {
    const isUnchanged = transactor.committed === 0;
    if (signal.aborted && isUnchanged) throw signal.reason;
    const state = isUnchanged ? "the timeline was not changed" : "part of the plan is applied";
    const fault = hostFault(error, { operation, state, code: "apply_failed" });
    if (isUnchanged) throw fault;
    if (signal.aborted) return { differences: ["stopped before the end"], tried: [] };
    const tried = fault instanceof HostError ? fault.tried : [];
    return { differences: [fault instanceof Error ? fault.message : String(fault)], tried };
  }
}
