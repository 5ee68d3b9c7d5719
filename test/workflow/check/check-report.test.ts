import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReportData, checkReportPage } from "../../../src/workflow/check/check-report.ts";
import { checkResult } from "../../../src/workflow/check/check-result.ts";
import { scriptPage } from "../../../src/workflow/deliver/script-page.ts";
import { launchChromium } from "../../chromium.ts";

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

const LOUDNESS = [
  {
    file: "mix <1>.wav",
    integratedLufs: -23.04,
    dialogueLufs: null,
    rangeLu: 6.51,
    momentaryLufs: -15.5,
    shortTermLufs: -18.2,
    truePeakDbtp: -3.21,
    asked: { demand: "programme -23 ± 0.5 LUFS", source: "EBU R 128", isMet: true },
  },
  { file: "voice.wav", integratedLufs: null, truePeakDbtp: null },
];

test("loudness is told file by file, to a tenth, and what nobody measured is not told", () => {
  expect(checkReportData(CHECKED, { ...CONTEXT, loudness: LOUDNESS })).toMatchObject({
    loudness: [
      {
        file: "mix <1>.wav",
        integrated_lufs: -23,
        dialogue_lufs: null,
        loudness_range_lu: 6.5,
        maximum_momentary_lufs: -15.5,
        maximum_short_term_lufs: -18.2,
        true_peak_dbtp: -3.2,
        asked: "programme -23 ± 0.5 LUFS",
        source: "EBU R 128",
        met: true,
      },
      { file: "voice.wav", integrated_lufs: null, true_peak_dbtp: null },
    ],
  });
  const page = checkReportPage(CHECKED, { ...CONTEXT, loudness: LOUDNESS });
  expect(page).toContain("<td>mix &lt;1&gt;.wav</td><td>-23.0</td><td>none</td>");
  expect(page).toContain("<td>voice.wav</td><td>none</td><td>not measured</td>");
  expect(checkReportPage(CHECKED, CONTEXT)).not.toContain("Integrated, LUFS");
});

test("the report as data says what was found, in which profile, with which verdict", () => {
  expect(checkReportData(CHECKED, CONTEXT)).toMatchObject({ verdict: "fail", files: ["harbour.otio"] });
});

describe("the report as a page, in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const PAGES = {
    report: checkReportPage(CHECKED, { ...CONTEXT, loudness: LOUDNESS }),
    script: scriptPage(CHECKED.heardCues, {
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
