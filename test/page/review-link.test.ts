import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { Client } from "../../src/client/client.ts";
import { logInAddress } from "../../src/contract/page.ts";
import { type RunningService, startService } from "../../src/service/main.ts";
import { launchChromium } from "../chromium.ts";
import { eventually } from "../service/eventually.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ dataFolder: join(await temporaryFolder(), "data"), log: { level: "silent" } });
  browser = await launchChromium();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Has the sample described, with its sound; gives the job. */
async function described(): Promise<string> {
  const clock = { now: () => Date.now(), sleep: (milliseconds: number) => sleep(milliseconds) };
  const client = new Client({ baseUrl: service.url, apiKey: await service.processKey(), fetch, clock });
  const file = { filename: "harbour.mp4", contentType: "video/mp4", bytes: await readFile(SAMPLE_CLIP) };
  const { jobId } = await client.generateAudio(
    { type: "file", file },
    { audio_track_type: "ad_only", format: "json", description_content: "00:00:00.200 A harbour." },
  );
  await eventually(async () => ((await client.getResults(jobId)).status === "done" ? true : undefined), 120);
  return jobId;
}

/** A browser of somebody else, on an address; what it complains of, and what it is refused. */
async function opened(address: string): Promise<{ page: Page; complaints: string[]; refused: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(60_000);
  const [complaints, refused]: string[][] = [[], []];
  page.on("pageerror", ({ message }) => complaints?.push(message));
  page.on("response", (reply) => {
    if (reply.status() >= 400) refused?.push(`${reply.status()} ${new URL(reply.url()).pathname}`);
  });
  await page.goto(address);
  return { page, complaints: complaints ?? [], refused: refused ?? [] };
}

test("a link for a review opens one film to hear, change, accept and sign off, and nothing else", async () => {
  const jobId = await described();
  const link = await service.administration.createReviewLink({ team: "local", film: "harbour", days: 3 });
  if (link === null) throw new Error("no link");
  const { page, complaints, refused } = await opened(logInAddress(service.url, link.token));
  await page.locator("#cues").waitFor();
  expect(await page.locator(".header").innerText()).toContain(`harbour`);
  expect(await page.locator(".header").innerText()).toContain(`open for review until ${link.expiresAt.slice(0, 10)}`);
  expect(await page.locator('[role="tab"]').allInnerTexts()).toEqual(["Review"]);
  for (const id of ["#choose-film", "#describe", "#open-delivery", "#voice-changed"]) {
    expect([id, await page.locator(id).count()]).toEqual([id, 0]);
  }
  // The film and its voice are there.
  await page.waitForFunction("document.querySelector('#player video').duration > 30");
  await page.waitForFunction("document.querySelector('#player audio').duration > 0");

  await page.locator("#cues").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  // Keys before the field is there are the list's.
  await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("cue-text");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Words of a reviewer.");
  await page.locator("#cues").focus();
  await page.keyboard.press("Escape");
  await page.locator(".cue", { hasText: "Words of a reviewer." }).waitFor();
  // Half a second after the last change it is kept; the line is voiced meanwhile, and its end moves.
  const headers = { "X-API-Key": await service.processKey() };
  const texts = `${service.url}/home/desk/texts`;
  const keptResult = async () => {
    const { paths } = (await (await fetch(texts, { headers })).json()) as { paths: string[] };
    const [path = ""] = paths.filter((one) => one.endsWith(".result.json"));
    return (await fetch(`${texts}/${path}`, { headers })).text();
  };
  await expect.poll(keptResult).toContain("aside-cue-0001 Words of a reviewer");

  await page.locator("#menu").click();
  await page.locator("#accept-all").click();
  await page.locator("#reviewer").fill("A. Reviewer");
  await page.locator("#sign-off").click();
  await page.locator("#signed", { hasText: "Signed off by A. Reviewer" }).waitFor();
  await expect.poll(keptResult).toContain("A. Reviewer");
  expect(complaints).toEqual([]);
  // Who does the work is none of a reviewer's business.
  expect(refused.filter((one) => one !== "403 /enterprise/api/settings")).toEqual([]);

  // Whoever runs the service has it all, under the same result.
  const token = await service.administration.createLogInLink();
  const owner = await opened(logInAddress(service.url, token));
  await owner.page.locator("#tab-history").click();
  await owner.page.locator(`#open-${jobId}`).click();
  await owner.page.locator(".cue", { hasText: "Words of a reviewer." }).waitFor();
  await owner.page.locator("#signed", { hasText: "Signed off by A. Reviewer" }).waitFor();

  // Another browser that has the link goes on where the first one was; taken back, it opens nothing.
  const second = await opened(logInAddress(service.url, link.token));
  await second.page.locator(".cue", { hasText: "Words of a reviewer." }).waitFor();
  await service.administration.revokeReviewLink(link.id);
  const late = await opened(logInAddress(service.url, link.token));
  await late.page.locator("#aside-starting", { hasText: "has ended, or was taken back" }).waitFor();
}, 240_000);
