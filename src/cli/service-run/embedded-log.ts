import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Size of the log above which it begins anew, in bytes: it is read after a failure, and not kept for its own sake. */
const MOST_BYTES = 1_000_000;

/** The log of the embedded service, `service.log` in its data folder; the file appears with the first line. */
export function embeddedLog(dataFolder: string): { write(line: string): void } {
  const path = join(dataFolder, "service.log");
  return {
    write: (line) => {
      try {
        const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (size > MOST_BYTES) writeFileSync(path, line);
        else appendFileSync(path, line);
      } catch {
        // A full disk is reported by the work that needs the room.
      }
    },
  };
}
