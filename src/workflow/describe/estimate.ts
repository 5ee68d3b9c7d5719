import { type Credits, creditsFor } from "../../contract/limits.ts";

/** What a run will probably take. */
export interface Estimate {
  readonly minutes: number;
  /** Credits of the hosted service at its list price; 0 for a service on this computer. */
  readonly credits: number;
  readonly uploadBytes: number;
  /** Time from the submitted request to the result, in seconds; a rough guess. */
  readonly waitSeconds: number;
}

/** The hosted service needs about half the video's length (`service-facts.md` 1). */
const HOSTED_SHARE = 0.5;

/** The embedded service decodes once at about 8 times real time on two cores (`engine.md`, analysis). */
const LOCAL_SHARE = 0.125;

/** Estimates a run before anything is exported or sent. */
export function estimateRun(run: {
  readonly durationSeconds: number;
  readonly kind: keyof Credits;
  readonly sizeBytes: number;
  /** Whether the service runs on this computer: nothing is billed and nothing leaves. */
  readonly isLocal: boolean;
}): Estimate {
  const minutes = run.durationSeconds / 60;
  return {
    minutes,
    credits: run.isLocal ? 0 : creditsFor(minutes)[run.kind],
    uploadBytes: run.sizeBytes,
    waitSeconds: run.durationSeconds * (run.isLocal ? LOCAL_SHARE : HOSTED_SHARE),
  };
}
