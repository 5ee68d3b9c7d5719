import { AudioDescriptionError } from "../../core/error.ts";
import { HostError, type HostErrorCode } from "../host-error.ts";
import { callOf, lastAnswered } from "./traced-premiere.ts";

/** Premiere's words for a handle that was kept too long (`premiere-uxp.md` 2.2). */
export function isStaleHandle(error: unknown): boolean {
  return error instanceof Error && /no longer valid/i.test(error.message);
}

/** Premiere's own object behind the project is gone, as its transactions then say: nothing helps but saving and starting again. */
function isDeadProject(error: unknown): boolean {
  const call = callOf(error);
  const isTransaction = call?.member === "Project.executeTransaction" || call?.member === "Project.lockedAccess";
  return isTransaction && call.kind === "raised" && /is not a function/i.test(saidBy(error));
}

/** What is known when an operation fails. */
export interface FaultContext {
  /** What was being done, in the words of a menu. */
  readonly operation: string;
  /** How things were left. */
  readonly state: string;
  /** Default: `host_failed`. */
  readonly code?: HostErrorCode;
}

/** Wraps whatever Premiere threw, by the name of the member that threw it; errors of this project and reasons of an abort pass through. */
export function hostFault(error: unknown, context: FaultContext): unknown {
  if (error instanceof AudioDescriptionError) return error;
  const said = calledBy(error).replace(/\.$/, "");
  const advice = isDeadProject(error)
    ? " Premiere lost its connection to the project. Save the project and start Premiere again."
    : "";
  return new HostError(context.code ?? "host_failed", `Premiere could not ${context.operation}: ${said}.${advice}`, {
    operation: context.operation,
    state: context.state,
    cause: error,
    tried: callOf(error) === undefined ? misread(error) : [said],
  });
}

/** What an error says, with the member of Premiere that it came out of. */
export function calledBy(error: unknown): string {
  const call = callOf(error);
  const said = saidBy(error);
  if (call === undefined) return said;
  return call.kind === "raised" ? `${call.member} raised "${said}"` : said;
}

/** Where our own code stumbled over an answer, the members that answered last: it was one of these. */
function misread(error: unknown): readonly string[] {
  const isOurs = error instanceof TypeError || error instanceof RangeError;
  const last = lastAnswered();
  return isOurs ? [`${error.message}${last.length === 0 ? "" : `, after ${last.join(", ")}`}`] : [];
}

/** Runs an operation of Premiere and runs it a second time when a handle had gone stale. */
export async function withFreshHandles<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isStaleHandle(error)) throw error;
    return run();
  }
}

/** What an answer gives. @throws the signal's reason, where it aborts before there is one. */
export async function orAborted<Answer>(answer: Answer | Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
