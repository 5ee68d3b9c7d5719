import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptPage } from "../../../src/workflow/deliver/script-page.ts";
import { launchChromium } from "../../chromium.ts";

const CUES = [
  { id: "a", start: 5, end: 7, text: "A ferry leaves." },
  { id: "b", start: 20, end: 22, text: "Ann waits & listens." },
];
const CONTEXT = { title: "Ferry", language: "en-GB", labelAt: (seconds: number) => `at ${seconds}` };

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** The page, on a clock that stands until it is told to go on. */
async function opened(): Promise<Page> {
  const page = await browser.newPage();
  await page.clock.install({ time: 0 });
  await page.addInitScript(
    "globalThis.heard = 0; globalThis.OscillatorNode = class { connect(to) { return to; } start() { heard += 1; } stop() {} };",
  );
  await page.goto(`data:text/html,${encodeURIComponent(scriptPage(CUES, CONTEXT))}`);
  await page.clock.pauseAt(1000);
  return page;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const count = (page: Page) => page.locator("#count").textContent();

test("it counts down to each description, then what it has left, and marks its row", async () => {
  const page = await opened();
  expect(await count(page)).toBe("Cue 1 in 5.0 s");
  await press(page, "Start");
  await page.clock.runFor(2000);
  expect(await count(page)).toBe("Cue 1 in 3.0 s");
  expect(await page.locator("#words").textContent()).toBe("A ferry leaves.");
  await page.clock.runFor(4000);
  expect(await count(page)).toBe("Cue 1: 1.0 s left");
  await page.clock.runFor(2000);
  expect(await count(page)).toBe("Cue 2 in 12.0 s");
  expect(await page.locator("tr.now td").last().textContent()).toBe("Ann waits & listens.");
  await page.clock.runFor(20_000);
  expect(await count(page)).toBe("No more descriptions");
  await page.close();
});

test("held, it stands still; On and Back begin three seconds before another description", async () => {
  const page = await opened();
  await press(page, "Start");
  await page.clock.runFor(1000);
  await press(page, "Hold");
  await page.clock.runFor(10_000);
  expect(await count(page)).toBe("Cue 1 in 4.0 s");
  await press(page, "On");
  expect(await count(page)).toBe("Cue 2 in 3.0 s");
  await press(page, "Go on");
  await page.clock.runFor(1000);
  expect(await count(page)).toBe("Cue 2 in 2.0 s");
  await press(page, "Back");
  expect(await count(page)).toBe("Cue 1 in 3.0 s");
  await page.close();
});

test("three beeps come before each description, where they are wanted", async () => {
  const page = await opened();
  await press(page, "Start");
  await page.clock.runFor(8000);
  expect(await page.evaluate("heard")).toBe(0);
  await page.getByLabel("Three beeps before each description").check();
  await page.clock.runFor(30_000);
  expect(await page.evaluate("heard")).toBe(3);
  await page.close();
});

test("on paper there is the script alone, and a script without descriptions has no clock", async () => {
  const page = await opened();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".booth").isVisible()).toBe(false);
  expect(await page.locator("table").isVisible()).toBe(true);
  expect(scriptPage([], CONTEXT)).not.toMatch(/<script|booth"/);
  await page.close();
});
