// Takes pictures of each view of the panel, at three widths and in two themes: `npm run screenshots [-- FOLDER]`.
// The small ones that the documentation shows are in docs/pictures.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { type Preview, startPreview } from "../panel/preview/preview.ts";
import { launchChromium } from "./chromium.ts";

const WIDTHS = [320, 480, 900];
const THEMES = ["darkest", "light"];
const HEIGHT = 760;

const folder = process.argv[2] ?? "out/screenshots";
await mkdir(folder, { recursive: true });
const preview = await startPreview();
const browser = await launchChromium();
try {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      const viewport = { width: width + 700, height: HEIGHT + 34 };
      const page = await browser.newPage({ viewport });
      page.setDefaultTimeout(240_000);
      const query = new URLSearchParams({
        theme,
        width: String(width),
        zero: "01:00:00:00",
        haste: "20",
        computer: `${theme}-${width}`,
      });
      await page.goto(`${preview.url}/?${query}`);
      await takeJourney(page, `${theme}-${width}`, preview);
      await page.close();
    }
  }
} finally {
  await browser.close();
  await preview.close();
}

/** Walks through the panel as an editor does, and takes a picture of each sight. */
async function takeJourney(page: Page, name: string, { url, apiKey }: Preview): Promise<void> {
  const panel = page.frameLocator("#panel");
  const take = async (view: string) => {
    await page.mouse.move(0, 0);
    await page.locator("#panel").screenshot({ path: join(folder, `${view}-${name}.png`) });
  };
  await panel.locator("#service-address").fill(url);
  await panel.locator("#service-address").press("Enter");
  await panel.locator("#service-key").fill(apiKey);
  await panel.locator("#test-connection").click();
  await panel.locator("#connection-test p", { hasText: "✓" }).waitFor();
  await take("connect");
  await panel.locator("#tab-describe").click();
  await take("describe");
  for (const section of ["voice", "timing", "context", "export", "saved"]) await openSection(panel, section);
  await take("describe-open");
  const release = await holdUpload(page);
  await panel.locator("#describe").click();
  await panel.locator('[data-step="upload"].now').waitFor();
  await take("progress");
  await release();
  await panel.locator("#cues [data-cue]").first().waitFor();
  await take("review");
  await panel.locator("#dismiss").click();
  await panel.locator("#cues [data-cue]").nth(1).locator(".cue-face").click();
  await panel.locator("#cues [data-cue]").nth(1).locator(".cue-face").click();
  await take("review-open");
  await panel.locator("#place-markers").click();
  await panel.locator("#message").waitFor();
  await take("placed");
  await panel.locator("#tab-history").click();
  await take("history");
  await panel.locator("#tab-connect").click();
  await panel.locator("#open-diagnostics").click();
  await take("diagnostics");
}

async function openSection(panel: FrameLocator, id: string): Promise<void> {
  const section = panel.locator(`#section-${id}`);
  if ((await section.count()) > 0) await section.click();
}

/** Keeps the upload waiting until the function returned is called. */
async function holdUpload(page: Page): Promise<() => Promise<void>> {
  let go = () => {};
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const isUpload = (url: URL) => url.pathname.startsWith("/storage/") && url.pathname.includes("source");
  await page.route(isUpload, async (route) => {
    await going;
    await route.continue();
  });
  return async () => {
    go();
    await page.unroute(isUpload);
  };
}
