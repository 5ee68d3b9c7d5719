import fs from "node:fs";
import { onTestFinished } from "vitest";
import { replaceCalls } from "./replaced-calls.ts";
import { turns } from "./set-clock.ts";

/** What the disk is asked for, and where it fails. */
export interface DiskJournal {
  /** `sync`, `rename` and `link` of paths, in order; those of what is not named stay out. */
  readonly lines: string[];
  /** Flushes that are under way still; each takes its time. */
  readonly underWay: () => number;
  /** Names that were given while a flush was under way: a power cut may leave them without their bytes. */
  readonly hasty: string[];
  /** Fails what would write the next line that this matches, as a full disk does. */
  failAt: RegExp | null;
}

/**
 * Notes what is flushed to the disk and what has its name changed, for as long as a test runs: a power cut takes what was
 * written and not flushed, and a name whose folder was not flushed.
 *
 * @param nameOf The name of a path in the journal; `null` leaves it out.
 */
export function diskJournal(nameOf: (path: string) => string | null): DiskJournal {
  let underWay = 0;
  const journal: DiskJournal = { lines: [], underWay: () => underWay, hasty: [], failAt: null };
  const real = { ...fs.promises };
  const note = (what: string, ...paths: readonly unknown[]) => {
    const names = paths.map((path) => nameOf(String(path)));
    if (names.some((name) => name === null)) return;
    const line = [what, ...names].join(" ");
    if (what !== "sync" && underWay > 0) journal.hasty.push(line);
    if (journal.failAt?.test(line)) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    journal.lines.push(line);
  };
  const restore = replaceCalls(fs.promises, {
    async open(path: fs.PathLike, ...rest: [string]) {
      const handle = await real.open(path, ...rest);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        note("sync", path);
        underWay++;
        await turns(2);
        await sync().finally(() => underWay--);
      };
      return handle;
    },
    async writeFile(path: string, data: string, options?: { flush?: boolean }) {
      await real.writeFile(path, data, options);
      if (options?.flush === true) note("sync", path);
    },
    async rename(from: string, to: string) {
      note("rename", from, to);
      await real.rename(from, to);
    },
    async link(from: string, to: string) {
      note("link", from, to);
      await real.link(from, to);
    },
  } as Partial<typeof fs.promises>);
  onTestFinished(restore);
  return journal;
}
