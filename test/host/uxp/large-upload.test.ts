import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startResumableStorage } from "../../fakes/uxp/resumable-storage.ts";

const GIB = 1024 ** 3;

test("SIGN-06 PANEL-10: 4 GB leave in slices under 150 MB of memory, broken off twice, each byte once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "aside-large-"));
  const storage = await startResumableStorage();
  try {
    const path = join(folder, "sparse.mp4");
    writeFileSync(path, "");
    truncateSync(path, 4 * GIB);
    storage.breakAt(1.5 * GIB);
    storage.breakAt(3 * GIB + 12_345);
    const script = new URL("send-large-file.ts", import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script, path, storage.url]);
    const { status, breaks, peakMegabytes } = JSON.parse(stdout);
    expect({ status, breaks, stored: storage.committed() }).toEqual({ status: 200, breaks: 2, stored: 4 * GIB });
    expect(peakMegabytes).toBeLessThan(150);
    // 512 slices, two of them sent in two parts, and one question at each of three starts.
    expect(storage.ranges.length).toBeLessThan(525);
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true });
  }
}, 180_000);
