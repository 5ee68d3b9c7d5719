import type { PanelEnvironment } from "../../panel/session/environment.ts";
import { Session } from "../../panel/session/session.ts";
import { FIRST_FORM } from "../../panel/state/form.ts";
import type { JobEntry } from "../../panel/state/saved.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { SetClock, turns } from "../fakes/set-clock.ts";

/** A clock that stands until it is set on, whose timers can be called off. */
class PanelSetClock extends SetClock {
  readonly #ends = new AbortController();

  after(milliseconds: number, run: () => void): () => void {
    const off = new AbortController();
    this.sleep(milliseconds, AbortSignal.any([off.signal, this.#ends.signal])).then(run, () => undefined);
    return () => off.abort();
  }

  dispose(): void {
    this.#ends.abort();
  }
}

/** Files in memory, whose writes can be held or made to fail. */
export class TextFiles {
  readonly texts = new Map<string, string>();
  /** Every text that was written, in order, with its path. */
  readonly written: (readonly [string, string])[] = [];
  /** What a write waits for before it is there. */
  mayWrite: () => Promise<void> = async () => undefined;

  async size(path: string): Promise<number | null> {
    return this.texts.get(path)?.length ?? null;
  }
  async readText(path: string): Promise<string> {
    return this.texts.get(path) ?? "";
  }
  async writeText(path: string, text: string): Promise<void> {
    await this.mayWrite();
    this.written.push([path, text]);
    this.texts.set(path, text);
  }
  async remove(path: string): Promise<void> {
    this.texts.delete(path);
  }
  async list(folder: string): Promise<string[]> {
    return [...this.texts.keys()].flatMap((path) =>
      path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    );
  }
}

/** A session without a page: its state, its files in memory, and a clock that the test sets on. */
export interface SessionInMemory {
  readonly session: Session;
  readonly files: TextFiles;
  readonly clock: PanelSetClock;
  /** What a screen reader was to say, in order. */
  readonly said: readonly string[];
  /** Lets what is under way come to rest. */
  rest(): Promise<void>;
}

/** A path of a folder and a name: neither is the other. */
function pathIn(folder: string, name: string): string {
  if (!folder.startsWith("/") || name.startsWith("/")) throw new TypeError(`"${name}" is no name in "${folder}"`);
  return `${folder}/${name}`;
}

/** Makes one. What a test does not name of the environment is not to be touched: asking for it raises an error. */
export function sessionInMemory(members: Partial<PanelEnvironment> = {}, files = new TextFiles()): SessionInMemory {
  const clock = new PanelSetClock();
  const said: string[] = [];
  const folders = {
    path: "/panel",
    exportsPath: "/panel/exports",
    resultsPath: "/panel/results",
    runsPath: "/panel/runs",
  };
  const made = {
    clock,
    files,
    folders: async () => folders,
    pathIn,
    announcer: { say: ({ text }: { readonly text: string }) => void said.push(text) },
    localAddress: "http://127.0.0.1:8420",
    ...members,
  };
  const environment = new Proxy(made, {
    get: (target, name) => {
      if (!(name in target)) throw new TypeError(`the environment has no ${String(name)}`);
      return Reflect.get(target, name);
    },
  });
  const session = new Session(environment as unknown as PanelEnvironment, () => undefined);
  return { session, files, clock, said, rest: () => turns(12) };
}

/** A job of the history, with what differs. */
export function jobEntry(change: Partial<JobEntry> = {}): JobEntry {
  return {
    runId: "run-1",
    startedAt: "2026-01-01T00:00:00.000Z",
    sequence: {
      id: "s1",
      name: "Harbour",
      rate: frameRate(25, 1),
      isDropFrame: false,
      startFrame: 0,
      durationSeconds: 60,
    },
    serviceAddress: "http://127.0.0.1:8420",
    form: FIRST_FORM,
    audioPath: "/projects/harbour.wav",
    state: "done",
    ...change,
  };
}
