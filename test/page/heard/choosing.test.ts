import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingPrograms } from "../../screen-reader/screen-reader.ts";
import { PageListener } from "./page-listener.ts";

describe.skipIf(missingPrograms.length > 0)(
  "films, jobs and models heard with a screen reader",
  { timeout: 120_000 },
  () => {
    let page: PageListener;

    beforeAll(async () => {
      page = await PageListener.start();
    }, 240_000);
    afterAll(() => page?.close());

    test("arriving, one hears the page, its views and the way to choose a film, and that a film is ready", async () => {
      await page.arrive();
      await page.goTo(/Describe page tab/);
      // By arrow keys through the others, and round to where one began.
      await page.reader.pressUntil(/Settings page tab/, "Right", 8);
      await page.reader.pressUntil(/Describe page tab/, "Right", 8);
      await page.reader.pressUntil(/Choose a film.* push button/);
      await page.reader.press("Return");
      // The dialog of the system: its field for a path, which completes what is typed and may swallow a letter on a busy computer.
      for (let tries = 1; ; tries++) {
        await page.reader.press("ctrl+l");
        await page.reader.hears(/^Location/);
        await page.reader.press("ctrl+a");
        await page.reader.type("~/harbour.mp4");
        page.reader.forget();
        await page.reader.press("Return");
        const isTaken = await page.reader.hears(/^Uploading harbour\.mp4/, 15_000).then(
          () => true,
          (error: unknown) => {
            if (tries === 3) throw error;
            return false;
          },
        );
        if (isTaken) break;
        // What the dialog complains of is closed.
        await page.reader.press("Return");
        page.reader.forget();
      }
      await page.reader.hears(/Film ready: harbour, 40 seconds\./, 120_000);
    });

    test("the rows of a script are heard, jobs of one film by different names, and a reload comes back to the line", async () => {
      await page.arrive();
      await page.goTo(/Jobs page tab/);
      await page.reader.hears(/2 jobs\./);
      const place = page.reader.place;
      await page.reader.pressUntil(/^Review: harbour\.mp4/);
      await page.reader.pressUntil(/^Review: harbour\.mp4/);
      const names = page.reader.since(place).filter((text) => text.startsWith("Review: "));
      expect(new Set(names).size).toBe(2);
      page.reader.forget();
      await page.reader.press("Return");
      await page.reader.hears(/^Script\./);
      await page.reader.hears(/Review: harbour\. 6 lines, \d+ problems?\./);
      await page.reader.giveKeysToPage();
      await page.reader.press("Home", "Down");
      await page.reader.hears(/A white boat, its sail bright red\./);
      page.reader.forget();
      await page.reader.press("F5");
      await page.reader.hears(/A white boat, its sail bright red\./);
      await page.reader.hears(/Review: harbour\. 6 lines/);
      await page.reader.giveKeysToPage();
      page.reader.forget();
      await page.reader.press("Down");
      await page.reader.hears(/Night\. One window is lit\./);
    });

    test("the end of a job is heard, whoever ordered it", async () => {
      await page.arrive();
      await page.goTo(/Jobs page tab/);
      await page.reader.hears(/\d jobs\./);
      const jobId = await page.order();
      await page.ended(jobId);
      await page.reader.hears(/Done: harbour\.mp4/);
      // One of the page's own: from its start to its end, with the steps.
      await page.reader.pressUntil(/Describe page tab/, "Left", 8);
      await page.reader.pressUntil(/^Find the pauses to write in push button/);
      page.reader.forget();
      await page.reader.press("Return");
      await page.reader.hears(/Started: harbour\./);
      await page.reader.hears(/Done: harbour\./, 120_000);
    });

    test("models are heard by name with their size, and what to bring to a computer without internet one by one", async () => {
      await page.arrive();
      await page.goTo(/Settings page tab/);
      await page.reader.pressUntil(/^Models… push button/);
      await page.reader.press("Return");
      await page.reader.pressUntil(/^Get: Qwen3-VL 4B, [\d.]+ GB push button/);
      await page.reader.pressUntil(/^Hear samples of Supertonic 3 on the web page of its makers push button/);
      await page.reader.pressUntil(/^No internet here\? Install from files… push button/);
      page.reader.forget();
      await page.reader.press("Return");
      await page.reader.hears(/^Add files… push button/);
      page.reader.forget();
      await page.reader.pressUntil(/^Files for combo box/, "shift+Tab", 3);
      await page.reader.hears(/^Qwen3-VL \S+ middle dot [\d.]+ GB/);
    });
  },
);
