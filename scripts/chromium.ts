import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

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
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args });
}
