import type { premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/clock.ts";
import type { Pace } from "./pace.ts";
import type { SequenceSnapshot } from "./snapshot.ts";
import type { Transactor } from "./transactor.ts";

/** What every part of applying a plan works with. */
export interface ApplyContext {
  readonly premiere: premierepro;
  /** The sequence as it was when the plan began. */
  readonly before: SequenceSnapshot;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly transactor: Transactor;
  /**
   * Copies a file into a folder of the panel's own that stays, and gives the copy's path: for a Premiere that imports nothing from
   * where it lies.
   */
  readonly copyFile?: ((path: string) => Promise<string>) | undefined;
}
