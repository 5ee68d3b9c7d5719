/** Where a task stands: the stage's name and the share of the whole that is done, 0 to 1. */
export interface TaskProgress {
  readonly stage: string;
  readonly fraction: number;
}

/** What a task is run with beside its input. */
export interface TaskContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
  /**
   * Does work that waits for somebody else's answers: meanwhile the task's place is free for another, and it goes on once it has
   * one again. Absent where nobody counts places.
   *
   * @param isHere Whether a program on this computer answers, which has no room for several at once.
   */
  readonly whileAsking?: <T>(work: () => Promise<T>, isHere: boolean) => Promise<T>;
}

/** A place to work in, of which there are few. */
export interface WorkPlace {
  /** Leaves it to another while the task waits for answers. */
  give(isHere: boolean): void;
  /** Resolves once the task has a place again. */
  take(): Promise<void>;
}

/** What a child process is told. */
export type ToChild =
  | { readonly type: "load"; readonly tasks: string; readonly task: string }
  | { readonly type: "run"; readonly tasks: string; readonly task: string; readonly input: unknown }
  // It has a place again.
  | { readonly type: "place" }
  | { readonly type: "cancel" };

/** An error on its way out of a child process. */
export interface RaisedError {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  /** Whether it is a `JobFailure`, whose code and sentence are meant for the user. */
  readonly isJobFailure: boolean;
  readonly stack: string;
}

/** What a child process reports. */
export type FromChild =
  // All that the task needs is loaded, and it runs.
  | { readonly type: "begun" }
  | { readonly type: "progress"; readonly progress: TaskProgress }
  // It waits for somebody else's answers, and then for its place.
  | { readonly type: "asks"; readonly isHere: boolean }
  | { readonly type: "works" }
  | { readonly type: "done"; readonly output: unknown }
  | { readonly type: "raised"; readonly error: RaisedError };

/** What a child process is started with, beside its task. */
export interface WatchOrders {
  /** The process that started it; it never outlives that one. */
  readonly parentPid: number;
  /** Resident memory in bytes above which it ends itself. */
  readonly memoryLimitBytes: number;
  /** Its temporary folder, which the parent removes afterwards; should that be gone, it does so itself. */
  readonly temporaryFolder: string;
}

/** Written to the error output before a process ends itself over the memory limit; nothing else tells that end apart. */
export const OUT_OF_MEMORY_MARK = "isolate: memory limit reached";
