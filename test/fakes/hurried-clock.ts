import type { Clock } from "../../src/core/ports.ts";
import { SYSTEM_CLOCK } from "../../src/service/system-clock.ts";

/** How many times faster pauses pass. */
const HASTE = 50;

/**
 * The machine's clock with shorter pauses, for tests in which real work is waited for: pauses of up to 15 s between two
 * tries pass fifty times faster, deadlines keep their length.
 */
export const HURRIED_CLOCK: Clock = {
  now: () => SYSTEM_CLOCK.now(),
  sleep: (milliseconds, signal) =>
    SYSTEM_CLOCK.sleep(milliseconds <= 20_000 ? milliseconds / HASTE : milliseconds, signal),
};
