import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** Where the packaged Chromium lies once it is unpacked, 200 MB: for whoever starts it from this installation. */
const UNPACKED = fileURLToPath(new URL("../node_modules/.cache/chromium", import.meta.url));

/**
 * Starts a Chromium: on Linux (x64) the one that comes as a package, so that nothing is downloaded; elsewhere the Chrome
 * of this computer.
 *
 * @throws Error when there is none.
 */
export async function launchChromium(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return chromium.launch({ channel: "chrome" });
  // In a container's root account Chromium's own sandbox cannot start. The pages are all our own.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: await unpacked(), args });
}

/** Path of the packaged Chromium; it is unpacked before, where it is not. Others see it whole or not at all. */
async function unpacked(): Promise<string> {
  const path = join(UNPACKED, "chromium");
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  await mkdir(dirname(UNPACKED), { recursive: true });
  const making = await mkdtemp(`${UNPACKED}-`);
  // The package unpacks into the temporary folder of the process, and nowhere else.
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = making;
  try {
    await sparticuz.executablePath();
    // Whoever comes first wins.
    await rename(making, UNPACKED).catch(() => undefined);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    await rm(making, { recursive: true, force: true });
  }
  return path;
}
