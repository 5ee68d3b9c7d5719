import timers from "node:timers/promises";
import { onTestFinished } from "vitest";
import { replaceCalls } from "./replaced-calls.ts";
import { turns } from "./set-clock.ts";

/**
 * Lets pauses of Node's own pass at once, for as long as a test runs; one that is called off ends with its reason.
 *
 * @param onPause Called at each, with its number from 1.
 * @returns Milliseconds of each pause, in order.
 */
export function passedPauses(onPause: (count: number) => unknown = () => undefined): readonly number[] {
  const pauses: number[] = [];
  const setTimeout = async <Value>(milliseconds = 0, value?: Value, { signal }: { signal?: AbortSignal } = {}) => {
    signal?.throwIfAborted();
    pauses.push(milliseconds);
    await onPause(pauses.length);
    await turns(1);
    signal?.throwIfAborted();
    return value as Value;
  };
  onTestFinished(replaceCalls(timers, { setTimeout: setTimeout as typeof timers.setTimeout }));
  return pauses;
}
