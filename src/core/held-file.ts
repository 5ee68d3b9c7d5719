/** How long a file that another program holds is waited for, in milliseconds: virus scanners and indexers let go sooner. */
const PATIENCE_MS = 5_000;

/** The first pause, doubled each time, in milliseconds. */
const FIRST_PAUSE_MS = 20;

/** The longest pause, in milliseconds. */
const LONGEST_PAUSE_MS = 500;

/**
 * Whether an error of a file system says that another program holds the file. Windows says so with the words of a missing
 * permission; elsewhere those mean what they say.
 *
 * @param platform As Node names it.
 */
export function isHeldError(error: unknown, platform: string): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EBUSY" || (platform === "win32" && (code === "EPERM" || code === "EACCES"));
}

/** What waiting for a file takes. */
export interface HeldFileWait {
  /** As Node names it. */
  readonly platform: string;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Most milliseconds that are waited. Default: some seconds. */
  readonly patienceMs?: number;
}

/** Does something with a file, again while another program holds it. @throws what `work` raises last. */
export async function whileHeld<Result>(
  work: () => Promise<Result>,
  { platform, sleep, patienceMs = PATIENCE_MS }: HeldFileWait,
): Promise<Result> {
  let waited = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, 2 * pause)) {
    try {
      return await work();
    } catch (error) {
      if (!isHeldError(error, platform) || waited >= patienceMs) throw error;
      await sleep(pause);
      waited += pause;
    }
  }
}
