/** A task that tells of the process it runs in. */
export const TASKS = {
  async look(): Promise<ProcessSeen> {
    return { pid: process.pid, wasReady, word: wordOf() };
  },
};

/** What a process says of itself. */
export interface ProcessSeen {
  readonly pid: number;
  /** Whether it was told to load before it was run. */
  readonly wasReady: boolean;
  /** What it is configured by. */
  readonly word: string;
}

let wasReady = false;

/** `dies` as its word ends a process that is told to load. */
export const LOADS = {
  async look() {
    wasReady = true;
    if (wordOf() === "dies") process.exit(3);
  },
};

function wordOf(): string {
  return process.env["ASIDE_LEXICON"] ?? "";
}
