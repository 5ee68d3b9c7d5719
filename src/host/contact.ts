import type { Clock } from "../core/ports.ts";

/** What is tried when the panel meets a version of its host for the first time. */
export type ContactName = "sequence" | "members" | "loopback" | "presets" | "buttons" | "sound";

/** What was seen of it. */
export interface ContactAnswer {
  /** `usual`: as it is documented. `differs`: otherwise, and the panel goes along. `open`: nothing could be seen now. */
  readonly outcome: "usual" | "differs" | "open";
  /** A few words without names, paths and keys: they stand in a report. */
  readonly seen: string;
}

/** A question to the host that touches nothing of a project. What it learns it keeps by itself. */
export interface ContactTrial {
  readonly name: ContactName;
  run(): Promise<ContactAnswer>;
}

/** What came of a first contact. */
export interface Contact {
  readonly answers: readonly (ContactAnswer & { readonly name: ContactName })[];
  readonly milliseconds: number;
}

/** Longest time for all of it, in milliseconds: every question is asked at once. */
const LIMIT_MS = 1800;

/** Asks everything, in under two seconds: what has not answered by then is open. */
export async function makeContact(trials: readonly ContactTrial[], clock: Clock): Promise<Contact> {
  const startedAt = clock.now();
  const late = { outcome: "open", seen: "no answer in time" } as const;
  const answers = trials.map(async ({ name, run }) => {
    const over = new AbortController();
    const answer = await Promise.race([
      run().catch((error: unknown) => refused(error)),
      clock.sleep(LIMIT_MS, over.signal).then(
        () => late,
        () => late,
      ),
    ]);
    over.abort();
    return { name, ...answer };
  });
  return { answers: await Promise.all(answers), milliseconds: clock.now() - startedAt };
}

function refused(error: unknown): ContactAnswer {
  return { outcome: "open", seen: `raises: ${error instanceof Error ? error.message : String(error)}` };
}
