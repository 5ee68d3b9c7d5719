import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReportPage } from "../../../src/workflow/check/check-report.ts";
import { scriptPage } from "../../../src/workflow/deliver/script-page.ts";
import { launchChromium } from "../../chromium.ts";
import { CONTEXT, checkedHarbour, LOUDNESS } from "./harbour.ts";

describe("a report and a script as pages, in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const PAGES = {
    report: checkReportPage(checkedHarbour(), { ...CONTEXT, loudness: LOUDNESS }),
    script: scriptPage(checkedHarbour().heardCues, {
      ...CONTEXT,
      note: "The narration was made with a synthetic voice.",
      dialogue: [{ start: 0, end: 0.5, text: "Come <in>!", speaker: "Ann & Bob" }],
    }),
  };

  test.each([
    ["report", "light", 1100],
    ["report", "dark", 1100],
    ["report", "dark", 360],
    ["script", "light", 1100],
    ["script", "dark", 360],
  ] as const)("the %s has nothing that axe objects to, in %s at %d pixels", async (name, colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    const asked: string[] = [];
    page.on("request", ({ url }) => asked.push(url()));
    await page.setContent(PAGES[name]);
    await page.addScriptTag({ content: axe.source });
    const violations: unknown = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length]))",
    );
    expect(violations).toEqual([]);
    expect(asked).toEqual([]);
    // Nothing is cut off: what is wider than the page scrolls by itself.
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    await page.close();
  });

  test("findings lead to their description", async () => {
    const page = await browser.newPage();
    await page.setContent(PAGES.report);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Check of Harbour <7>");
    expect(await page.getByRole("link", { name: "cue 1" }).first().getAttribute("href")).toBe("#c-cue_321");
    await page.close();
  });
});
