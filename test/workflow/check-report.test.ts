import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../scripts/chromium.ts";
import { checkReportData, checkReportPage } from "../../src/workflow/check-report.ts";
import { checkResult } from "../../src/workflow/check-result.ts";

const CHECKED = checkResult({
  cues: [
    { id: "cue 1", start: 1, end: 2, text: 'We see "<b>a rabbit</b>" & a bird.' },
    { id: "cue-2", start: 1.5, end: 4, text: "He walks out, and on, and on, and on, and on, and on, and on, and on." },
  ],
  type: "standard",
  speech: [{ start: 3, end: 6 }],
  programme: { durationSeconds: 30, levels: [-20, -30, -120], integratedLufs: -23, truePeakDbtp: -3, active: [] },
});
const CONTEXT = {
  title: "Harbour <7>",
  language: "en-US",
  checkedAt: "2026-01-01T00:00:00Z",
  version: "0.1.0",
  files: ["harbour.otio"],
  levels: [-20, -30, -120],
  labelAt: (seconds: number) => `at ${seconds}`,
};

test("the report as data says what was found, in which profile, with which verdict", () => {
  expect(checkReportData(CHECKED, CONTEXT)).toMatchObject({ verdict: "fail", files: ["harbour.otio"] });
});

describe("the report as a page, in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test.each(["light", "dark"] as const)("has nothing that axe objects to, in %s", async (colorScheme) => {
    const page = await browser.newPage({ colorScheme });
    const asked: string[] = [];
    page.on("request", ({ url }) => asked.push(url()));
    await page.setContent(checkReportPage(CHECKED, CONTEXT));
    await page.addScriptTag({ content: axe.source });
    const violations: unknown = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length]))",
    );
    expect(violations).toEqual([]);
    expect(asked).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Check of Harbour <7>");
    expect(await page.getByRole("link", { name: "cue 1" }).first().getAttribute("href")).toBe("#c-cue_321");
    await page.close();
  });
});
