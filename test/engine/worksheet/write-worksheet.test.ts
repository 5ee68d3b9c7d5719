import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { PauseToWrite } from "../../../src/core/pause-to-write.ts";
import { countWords, estimateSpeakingSeconds } from "../../../src/core/speaking-time.ts";
import { type Worksheet, writeWorksheet } from "../../../src/engine/worksheet/write-worksheet.ts";
import { readCues } from "../../../src/formats/index.ts";
import { launchChromium } from "../../chromium.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const PAUSES: PauseToWrite[] = [
  {
    id: "pause-0001",
    start: 4,
    end: 9.204,
    words: 14,
    hints: ["dark", "2 cuts"],
    before: "The boat is <b>late</b> & gone.",
    after: "</script><script>document.title = 'taken'</script>",
  },
  { id: "pause-0002", start: 3600.5, end: 3612.499, words: 33, hints: [] },
];

let folder = "";
let browser: Browser;
beforeAll(async () => {
  folder = await temporaryFolder();
  const graph = "testsrc2=size=768x432:rate=1:duration=1,format=pix_fmts=yuvj420p";
  for (const name of ["a", "b", "c"]) makeMedia(join(folder, `${name}.jpg`), [{ graph, codec: "mjpeg" }]);
  browser = await launchChromium();
});
afterAll(() => browser.close());

let count = 0;
async function pageOf(sheet: Partial<Worksheet> = {}): Promise<string> {
  const path = join(folder, `${count++}.html`);
  await writeWorksheet(path, {
    id: `job-${count}`,
    language: "en-US",
    voice: "Achernar",
    pace: 1.1,
    pauses: PAUSES,
    cues: [{ id: "cue-0001", start: 1, end: 3.25, text: "On screen: THE {HARBOUR} & <more>." }],
    keyFrames: ["a.jpg", "b.jpg", "c.jpg"].map((file, index) => ({ at: 2 + index * 3.5, file, novelty: 1 })),
    keyFrameFolder: folder,
    grid: { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 },
    ...sheet,
  });
  return path;
}

type Opening = NonNullable<Parameters<Browser["newPage"]>[0]>;

async function opened(path: string, options: Opening = {}): Promise<{ page: Page; asked: string[] }> {
  const page = await browser.newPage(options);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  return { page, asked: asked.filter((url) => !url.startsWith("data:")) };
}

async function savedBy(page: Page): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as script" }).press("Enter");
  return readFile(await (await download).path(), "utf8");
}

describe("the worksheet", () => {
  test.each([
    ["light", 1100],
    ["dark", 1100],
    ["dark", 340],
  ] as const)(
    "has nothing that axe objects to, in %s at %d pixels, and asks for no other file",
    async (colorScheme, width) => {
      const path = await pageOf();
      const { page, asked } = await opened(path, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await page.addScriptTag({ content: axe.source });
      const violations: unknown = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]))",
      );
      expect(violations).toEqual([]);
      expect(asked).toEqual([pathToFileURL(path).href]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
      await page.close();
    },
  );

  test("says in each pause what stands there unread, and of what stands beside them where", async () => {
    const unread = [
      { start: 5, end: 6, message: "Russian text on screen cannot be <read> here" },
      { start: 20, end: 22, message: "Text on screen could not be read for certain" },
      { message: "Text on screen stands unread in 2 more places" },
    ];
    const { page } = await opened(await pageOf({ unread }));
    const line = page.locator("li", { has: page.getByText("to write: 14 words") });
    expect(await line.locator(".unread").allTextContents()).toEqual(["Russian text on screen cannot be <read> here."]);
    expect(await page.locator(".unread").count()).toBe(1);
    expect(await page.locator("section li").allTextContents()).toEqual([
      "01:00:20:00: Text on screen could not be read for certain.",
      "Text on screen stands unread in 2 more places.",
    ]);
  });

  test("is saved as a script that is read back with the same words at the same times; empty lines are not in it", async () => {
    const { page } = await opened(await pageOf());
    const words = 'She says "no" --> & <turns> {\\an8}away.\nThen, nothing.';
    await page.getByLabel("Words for 01:00:04:00").fill(words);
    const { cues, issues } = readCues(await savedBy(page), { filename: "script.vtt" });
    expect(issues).toEqual([]);
    expect(cues).toEqual([
      { id: "cue-0001", start: 1, end: 3.25, text: "On screen: THE {HARBOUR} & <more>." },
      { id: "pause-0001", start: 4, end: 9.204, text: words.replace("\n", " ") },
    ]);
    await page.getByLabel("Words for 02:00:00:13").fill("Later.");
    expect(readCues(await savedBy(page)).cues.at(-1)).toMatchObject({ start: 3600.5, end: 3612.499, text: "Later." });
    await page.close();
  });

  test("counts words and seconds as everywhere else, and says when a line is too long", async () => {
    const { page } = await opened(await pageOf());
    const field = page.getByLabel("Words for 01:00:04:00");
    for (const text of ["Well-known: don't, 3.5 m!", "東京へ行く。", "Elle s’assied – enfin", "one ".repeat(20)]) {
      await field.fill(text);
      const counted = await page.locator("#line-2-count").textContent();
      const seconds = estimateSpeakingSeconds(text) * 1.1;
      const unspaced = /\p{Script=Han}/u.test(text);
      expect(counted).toContain(`${unspaced ? 0 : countWords(text)} of 14 words, ${seconds.toFixed(1)} of 5.2 s`);
      expect(counted?.includes("too long by")).toBe(seconds > 5.25);
    }
    expect(await page.getByRole("status").textContent()).toBe("2 of 3 lines written.");
    await page.close();
  });

  test("keeps a draft until it is opened again, what was cleared included", async () => {
    const path = await pageOf({ id: "harbour" });
    const context = await browser.newContext();
    const first = await context.newPage();
    await first.goto(pathToFileURL(path).href);
    await first.getByLabel("Words for 01:00:04:00").fill("A man waits.");
    await first.getByLabel("Words for 01:00:01:00").fill("");
    await first.close();
    const again = await context.newPage();
    // A browser that is busy brings what was kept to the next page only so much later.
    const opens = (sheet: string, lines: readonly string[]) =>
      expect
        .poll(async () => {
          await again.goto(pathToFileURL(sheet).href);
          return again.locator("textarea").evaluateAll((fields) => fields.map((one) => "value" in one && one.value));
        })
        .toEqual(lines);
    await opens(path, ["", "A man waits.", ""]);
    // A later sheet of the same programme, in which the line is another one, and knows nothing of the others.
    const later = await pageOf({ id: "harbour", cues: [], pauses: PAUSES.slice(0, 1) });
    await opens(later, ["A man waits."]);
    await again.getByLabel("Words for 01:00:04:00").fill("A man waits in vain.");
    await opens(path, ["", "A man waits in vain.", ""]);
    await context.close();
  });

  test("shows the pictures before, in and after a pause, small, and says which is which", async () => {
    const { page } = await opened(await pageOf());
    const pictures = page.getByRole("list", { name: "Pictures of line 2" }).getByRole("img");
    expect(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute("alt")))).toEqual([
      "Picture at 01:00:02:00, 2.0 s before the line",
      "Picture at 01:00:05:13, 1.5 s into the line",
      "Picture at 01:00:09:00, 5.0 s into the line",
    ]);
    await page.waitForFunction("[...document.images].every((image) => image.complete && image.naturalWidth === 256)");
    await page.close();
  });

  test("shows dialogue and hints as text, whatever they hold", async () => {
    const { page } = await opened(await pageOf());
    expect(await page.title()).toBe("Worksheet for audio description");
    expect(await page.locator("li", { hasText: "Measured: dark, 2 cuts" }).locator("q").allTextContents()).toEqual([
      PAUSES[0]?.before,
      PAUSES[0]?.after,
    ]);
    await page.close();
  });

  test("has empty lines to write on where it is printed, and the words where they are written", async () => {
    const { page } = await opened(await pageOf());
    const shown = () =>
      page.evaluate("[...document.querySelectorAll('.ruled')].map((one) => getComputedStyle(one).display !== 'none')");
    expect(await shown()).toEqual([false, false, false]);
    await page.emulateMedia({ media: "print" });
    expect(await shown()).toEqual([false, true, true]);
    expect(await page.getByRole("button", { name: "Save as script" }).isVisible()).toBe(false);
    await page.close();
  });

  test("counts characters in a language that parts no words by spaces", async () => {
    const pauses = [
      { ...PAUSES[1], id: "pause-0001", start: 4, end: 9, words: 25, unit: "characters", hints: [] } as const,
    ];
    const { page } = await opened(await pageOf({ language: "ja-JP", pauses, cues: [], voice: null, pace: 1 }));
    await page.getByLabel("Words for 01:00:04:00").fill("男が手紙を開く。");
    expect(await page.locator("#line-1-count").textContent()).toBe("7 of 25 characters, 1.4 of 5.0 s");
    await page.close();
  });
});
