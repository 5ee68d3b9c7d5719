import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePageOpener } from "../../src/cli/commands/companion/page-opener.ts";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { Client } from "../../src/client/client.ts";
import { logInAddress } from "../../src/contract/page.ts";
import { type RunningService, startService } from "../../src/service/main.ts";
import { launchChromium } from "../chromium.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";
import { tabToControl, violations } from "./accessible-page.ts";

let service: RunningService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What was asked of anybody but the service, and what the browser complained of: there must be none. */
const foreign: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService({ dataFolder: join(await temporaryFolder(), "data"), log: { level: "silent" } });
  browser = await launchChromium();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(120_000);
  page = await context.newPage();
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(service.url)) foreign.push(request.url());
  });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const tabTo = (id: string) => tabToControl(page, id, 60);

async function press(id: string): Promise<void> {
  await tabTo(id);
  await page.keyboard.press("Enter");
}

/** Goes to a view by its tab: Tab to the one that is chosen, then arrows. */
async function goTo(view: string): Promise<void> {
  await tabTo(await page.evaluate<string>("document.querySelector('[role=tab][aria-selected=true]').id"));
  for (let presses = 0; presses < 6; presses++) {
    if ((await page.evaluate<string>("document.activeElement?.id ?? ''")) === `tab-${view}`) return;
    await page.keyboard.press("ArrowRight");
  }
  throw new Error(`arrows do not lead to ${view}`);
}

/** Where the film is, in seconds. */
function filmTime(): Promise<number> {
  return page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0");
}

/** Seconds between film and voice while both play; 99 while either does not. */
const APART = `(([film, voice]) => film.paused || voice.paused ? 99 : Math.abs(film.currentTime - voice.currentTime))(
  [document.querySelector("#player video"), document.querySelector("#player audio")])`;

/** Removes the sounds that the browser keeps; gives how many there were. */
const SOUNDS_REMOVED = `(async () => {
  const root = await navigator.storage.getDirectory();
  const names = [];
  for await (const name of root.keys()) if (name.endsWith(".wav")) names.push(name);
  for (const name of names) await root.removeEntry(name);
  return names.length;
})()`;

/** Kinds of the film's text tracks, with how many lines each has. */
const TRACKS = `[...document.querySelector("#player video").textTracks].map(({ kind, cues }) => kind + " " + cues.length)`;

async function dropFilm(): Promise<void> {
  const bytes = (await readFile(SAMPLE_CLIP)).toString("base64");
  await page.evaluate(`{
    const film = Uint8Array.from(atob("${bytes}"), (sign) => sign.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([film], "harbour.mp4", { type: "video/mp4" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }`);
}

function clientOf(apiKey: string): Client {
  const clock = { now: () => Date.now(), sleep: (milliseconds: number) => sleep(milliseconds) };
  return new Client({ baseUrl: service.url, apiKey, fetch, clock });
}

/** Orders a description of the film, as the panel or a program does; gives the job. */
async function orderElsewhere(): Promise<string> {
  const client = clientOf(await service.processKey());
  const file = { filename: "harbour.mp4", contentType: "video/mp4", bytes: await readFile(SAMPLE_CLIP) };
  const submission = await client.generateText({ type: "file", file }, { ad_type: "standard_ad", format: "srt" });
  return submission.jobId;
}

/** Where the parts of a review are in the window, in pixels. */
function places(): Promise<
  Record<"film" | "strip" | "script" | "header", Readonly<Record<"left" | "right" | "top" | "bottom", number>>>
> {
  return page.evaluate(`Object.fromEntries(
    Object.entries({ film: "#player video", strip: ".view .strip", script: ".script-side", header: ".header" })
      .map(([name, selector]) => [name, document.querySelector(selector).getBoundingClientRect().toJSON()]))`);
}

test("a film is dropped, described, reviewed by keyboard alone, signed off and delivered, and no word is lost", async () => {
  const link = logInAddress(service.url, await service.administration.createLogInLink());
  await page.goto(link);
  await page.locator("#choose-film").waitFor();
  expect(page.url()).toBe(`${service.url}/home`);
  expect(await violations(page)).toEqual([]);

  await dropFilm();
  // Nothing here describes pictures: somebody writes by hand.
  await page.locator("#write-by-hand").waitFor();
  await press("write-by-hand");
  await page.locator("#describe").waitFor();
  expect(await page.locator(".header").innerText()).toContain("harbour · 00:00:40:00 · 24 fps");
  expect(await violations(page)).toEqual([]);
  await press("describe");
  await page.locator("#cues").waitFor();

  // From here on by keyboard alone. The film goes to what is chosen.
  await tabTo("cues");
  // The list is one stop, has the focus itself, and each of its lines says its words first.
  const list = page.getByRole("listbox", { name: "Script" });
  expect(await page.evaluate("document.activeElement?.getAttribute('role')")).toBe("listbox");
  await list.getByRole("option", { name: /^On screen: THE END\. Not accepted\. .*8 of 8, at 00:38\.$/ }).waitFor();
  await page.keyboard.press("End");
  await expect.poll(() => filmTime()).toBeGreaterThan(30);
  // Played from there, the voice goes along, and what it says stands to be read.
  await page.keyboard.press("p");
  await expect.poll(() => page.evaluate<number>(APART)).toBeLessThan(0.3);
  await expect.poll(() => page.locator(".spoken").innerText()).toContain("THE END");
  await page.keyboard.press("p");
  expect(await page.evaluate(TRACKS)).toEqual([
    `descriptions ${await page.locator(".cue:not(:has(.to-write))").count()}`,
  ]);
  await page.keyboard.press("Enter");
  // It is written outside the list, which holds no controls.
  await page.getByRole("group", { name: "Line 8 of 8" }).getByRole("textbox", { name: "Words" }).waitFor();
  expect(await list.locator("button, input, textarea").count()).toBe(0);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('role')")).toBe("listbox");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Line 8 of 8" }).waitFor();
  // The film with the strip below it on one side, the script on the other, and nothing is cut off at the bottom.
  const { film, strip, script, header } = await places();
  expect(film.right).toBeLessThanOrEqual(script.left);
  expect(strip.right).toBeLessThanOrEqual(script.left);
  expect(strip.top).toBeGreaterThanOrEqual(film.bottom);
  expect([header.left, header.right, script.right]).toEqual([0, 1280, 1280]);
  expect(Math.max(strip.bottom, script.bottom)).toBeLessThanOrEqual(800);
  expect(film.bottom - film.top).toBeGreaterThan(300);
  await page.keyboard.press("ControlOrMeta+a");
  expect(await violations(page)).toEqual([]);
  // The service is out of reach when the words come to it: what is loaded anew has them all the same.
  const isText = (url: URL) => url.pathname.startsWith("/home/desk/texts/");
  await page.route(isText, (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await page.keyboard.type("Words of a person.");
  await page.locator("#message.is-fault").waitFor();
  await page.unroute(isText);
  expect(complaints.splice(0).filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  await page.reload();
  // The film that was open is open again.
  await page.locator(".cue", { hasText: "Words of a person." }).waitFor();
  await goTo("history");
  await page.locator('[data-job-state="done"]').waitFor();
  expect(await violations(page)).toEqual([]);
  const jobId = (await page.locator('[data-action="open"]').getAttribute("id")) ?? "";
  // A browser lets go what it keeps of sounds when it wants to.
  expect(await page.evaluate<number>(SOUNDS_REMOVED)).toBeGreaterThan(0);
  await press(jobId);
  await page.locator(".cue", { hasText: "Words of a person." }).waitFor();
  expect(await page.evaluate<number>(SOUNDS_REMOVED.replace("await root.removeEntry(name)", ""))).toBeGreaterThan(0);

  // The film was dropped before the reload: the service has it.
  await tabTo("cues");
  await page.keyboard.press("End");
  await expect.poll(filmTime).toBeGreaterThan(30);
  // A muted line is not heard in its place, though the file still has it.
  await page.keyboard.press("Home");
  await expect.poll(filmTime).toBeLessThan(1);
  await page.keyboard.press("m");
  await page.keyboard.press("p");
  await expect.poll(filmTime).toBeGreaterThan(1.5);
  expect(await page.evaluate<boolean>("document.querySelector('#player audio').paused")).toBe(true);
  await page.keyboard.press("p");
  await page.keyboard.press("m");
  const count = await page.locator(".cue:not(:has(.to-write))").count();
  expect(count).toBeGreaterThan(2);
  await press("menu");
  await press("accept-all");
  await expect.poll(() => page.locator('.cue [aria-label="✓ accepted"]').count()).toBe(count);
  await tabTo("reviewer");
  await page.keyboard.type("A. Reviewer");
  await press("sign-off");
  await page.locator("#signed", { hasText: "Signed off by A. Reviewer" }).waitFor();
  expect(await violations(page)).toEqual([]);

  await press("open-delivery");
  await page.locator("#deliver").waitFor();
  expect(await violations(page)).toEqual([]);
  await press("deliver");
  await page.locator("#show-delivery").waitFor();
  const saved: string[] = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));
  await press("show-delivery");
  await expect.poll(() => saved.filter((name) => /\.(?:vtt|json|wav)$/.test(name)).length).toBeGreaterThan(1);
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
}, 240_000);

thoroughTest(
  "what others ordered is listed with its progress, and opened for review as the service has it",
  async () => {
    const jobId = await orderElsewhere();
    await page.click("#tab-history");
    const card = page.locator(`.card:has(#open-${jobId})`);
    await card.locator('[data-action="save-text"]').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      card.locator('[data-action="save-text"]').click(),
    ]);
    expect(await readFile(await saved.path(), "utf8")).toContain("THE HARBOUR");
    await card.locator('[data-action="open"]').click();
    await page.locator(".cue", { hasText: "THE HARBOUR" }).waitFor();
    expect(await page.locator("#signed").count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

thoroughTest(
  "a link opens the page once; another window takes over from the one before",
  async () => {
    const token = await service.administration.createLogInLink();
    const other = await context.newPage();
    // As the companion does: by a file of the user's own.
    const opener = await writePageOpener(logInAddress(service.url, token), join(await temporaryFolder(), "page.html"));
    await other.goto(pathToFileURL(opener).href);
    await other.locator("#tab-describe").waitFor();
    expect(other.url()).toBe(`${service.url}/home`);
    await page.locator("#aside-starting", { hasText: "another window" }).waitFor();
    const late = await browser.newContext().then((fresh) => fresh.newPage());
    await late.goto(logInAddress(service.url, token));
    await late.locator("#aside-starting", { hasText: "used before" }).waitFor();
    // It opens with the film that was at hand last, and its result.
    await other.locator('[data-view="review"] #cues').waitFor();
    await other.click("#tab-describe");
    const [chooser] = await Promise.all([other.waitForEvent("filechooser"), other.click("#choose-film")]);
    await chooser.setFiles({ name: "notes.mp4", mimeType: "video/mp4", buffer: Buffer.from("no film") });
    await other.locator("#message", { hasText: "video" }).waitFor();
    expect(await other.locator(".header").innerText()).toContain("harbour");
    await other.click("#tab-connect");
    await other.click("#section-service-health");
    await other.click("#examine");
    await other.locator("#health", { hasText: "ffmpeg" }).waitFor();
    await other.click("#section-service-backup");
    await other.click("#back-up");
    await other.locator("#backup", { hasText: "records are in" }).waitFor();
    await other.click("#section-service-keys");
    await other.click("#pairing-code");
    await other.locator("#pairing", { hasText: /^\d{3} \d{3}: / }).waitFor();
    const code = (await other.locator("#pairing").innerText()).slice(0, 7);
    const panel = clientOf("none");
    const key = await panel.pair(code);
    expect((await clientOf(key).settings())?.may_change).toBe(false);
    await expect(panel.pair(code)).rejects.toMatchObject({ code: "unauthorized" });
    // A code that ends is said to have ended.
    await other.route("**/desk/pairing-codes", async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, json: { ...(await reply.json()), expires_seconds: 1 } });
    });
    await other.click("#pairing-code");
    await other.locator("#heard-polite", { hasText: "The code has expired." }).waitFor({ state: "attached" });
    expect(await other.locator("#pairing").innerText()).toBe("");
    await other.click("#section-settings-retention");
    await other.fill("#retention-result_days", "90");
    await other.click("#use-retention");
    await other.locator("#message", { hasText: "Saved" }).waitFor();
    const admin = clientOf(await service.processKey());
    expect((await admin.settings())?.retention.values).toEqual({ result_days: "90" });
    page = other;
    expect(await violations(page)).toEqual([]);
  },
  240_000,
);
