import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { logInAddress } from "../../src/contract/page.ts";
import { type RunningService, startService } from "../../src/service/main.ts";
import { launchChromium } from "../chromium.ts";
import { type ServedModels, SlowLine, serveModels } from "../fakes/served-models.ts";
import { speakerHz } from "../fakes/speaking-models.ts";
import { tinyModel } from "../fakes/tiny-model.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { tabToControl, violations } from "./accessible-page.ts";

let browser: Browser;
let context: BrowserContext;
let page: Page;
const before = { ...process.env };

beforeAll(async () => {
  // Nothing is set on this computer, as with somebody who opens Aside for the first time.
  for (const name of Object.keys(process.env)) {
    if (/^ASIDE_(?:VISION|TRANSCRIPTION|VOICE|MODELS|LOCAL)/.test(name)) delete process.env[name];
  }
  browser = await launchChromium();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
}, 120_000);
afterAll(async () => {
  Object.assign(process.env, before);
  await browser?.close();
});

const tabTo = (id: string) => tabToControl(page, id, 80);

async function press(id: string): Promise<void> {
  await tabTo(id);
  await page.keyboard.press("Enter");
}

/** Everything that a screen reader was told from now on, in order. */
const LISTEN = `{
  globalThis.told = [];
  for (const region of document.querySelectorAll("[aria-live]")) {
    new MutationObserver(() => {
      const text = region.textContent.trim();
      if (text !== "") globalThis.told.push(text);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
}`;
const told = () => page.evaluate<string[]>("globalThis.told");

const row = (id: string) => page.locator(`[data-model="${id}"]`);
const stands = (id: string, state: string) => page.locator(`[data-model="${id}"][data-state="${state}"]`).waitFor();

/** Has the page open on an empty home, with these models to be had. */
async function openPage({ offer }: ServedModels): Promise<{ service: RunningService; home: string }> {
  const home = await temporaryFolder();
  const service = await startService({ dataFolder: join(home, "data"), log: { level: "silent" }, models: offer });
  onTestFinished(() => service.close());
  await page.goto(logInAddress(service.url, await service.administration.createLogInLink()));
  await page.locator("#choose-film").waitFor();
  return { service, home };
}

async function dropFilm(): Promise<void> {
  const bytes = (await readFile(SAMPLE_CLIP)).toString("base64");
  await page.evaluate(`{
    const film = Uint8Array.from(atob("${bytes}"), (sign) => sign.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([film], "harbour.mp4", { type: "video/mp4" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }`);
}

/** Frequency in Hz of the loudest quarter of a second of the sound that the page keeps. */
const HEARD_HZ = `(async () => {
  const root = await navigator.storage.getDirectory();
  for await (const [name, file] of root.entries()) {
    if (!name.endsWith(".wav")) continue;
    const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(await (await file.getFile()).arrayBuffer());
    const samples = sound.getChannelData(0);
    const loudest = samples.reduce((best, value, at) => (Math.abs(value) > Math.abs(samples[best]) ? at : best), 0);
    const piece = samples.subarray(Math.max(0, loudest - 6000), loudest + 6000);
    let crossings = 0;
    for (let at = 1; at < piece.length; at++) if (piece[at - 1] < 0 !== piece[at] < 0) crossings++;
    return crossings / 2 / (piece.length / 48000);
  }
  return 0;
})()`;

test("eyes, a voice and ears are ordered on the page alone, and a film is described, spoken and listened to by them", async () => {
  const models = await serveModels(await temporaryFolder());
  const { server, eyes } = models;
  await openPage(models);
  await page.evaluate(LISTEN);
  await dropFilm();

  // The first opening asks who writes; this computer is one answer, with the size of it.
  await page.locator("#model-here").waitFor();
  expect(await page.locator("#model-here").innerText()).toContain("You download it once:");
  await press("model-here");
  await stands("qwen3-vl-4b", "absent");
  expect(await violations(page)).toEqual([]);

  // By keyboard alone: the line is slow and then silent, so it is paused, and goes on where it stopped.
  const line = new SlowLine(3_000_000);
  server.answer(eyes.model.path, line.answer);
  await press("get-qwen3-vl-4b");
  await stands("qwen3-vl-4b", "fetching");
  await row("qwen3-vl-4b")
    .getByText(/ MB of 9 MB · .+\/s · .+ left/)
    .waitFor();
  expect(await row("qwen3-vl-4b").getByRole("progressbar").getAttribute("aria-valuenow")).toMatch(/^\d+$/);
  // Each quarter is said.
  await expect.poll(async () => (await told()).at(-1)).toMatch(/^[23] MB of 9 MB\.$/);
  line.limit = 6_000_000;
  await expect.poll(() => row("qwen3-vl-4b").innerText()).toContain("6 MB of 9 MB");
  await expect.poll(async () => (await told()).at(-1)).toMatch(/^[56] MB of 9 MB\.$/);
  await press("pause-qwen3-vl-4b");
  await stands("qwen3-vl-4b", "partial");
  expect(await violations(page)).toEqual([]);

  // What comes as the second file is another one: it is thrown away, told in the row, and tried again.
  server.files.set(eyes.projector.path, Buffer.alloc(eyes.projector.file.length, "other"));
  await press("get-qwen3-vl-4b");
  await stands("qwen3-vl-4b", "failed");
  expect(await row("qwen3-vl-4b").innerText()).toMatch(/projector\.gguf is not the file it should be: its SHA-256 is/);
  expect(await violations(page)).toEqual([]);
  server.files.set(eyes.projector.path, eyes.projector.file);
  await press("get-qwen3-vl-4b");
  await stands("qwen3-vl-4b", "installed");
  expect(server.asked.filter(({ path }) => path === eyes.model.path).map(({ range }) => range)).toEqual([
    null,
    "bytes=6000000-",
  ]);

  // The voice has terms, which are agreed to first.
  await press("get-supertonic-3");
  expect(await row("supertonic-3").innerText()).toContain("By getting it you agree to them.");
  await page.locator("#leave-supertonic-3:focus").waitFor();
  expect(await violations(page)).toEqual([]);
  await press("agree-supertonic-3");
  await stands("supertonic-3", "installed");
  // The focus stays in the row, whatever its controls become.
  await page.locator('[data-model="supertonic-3"]:focus-within').waitFor();
  await press("get-parakeet-v3");
  await stands("parakeet-v3", "installed");
  await expect.poll(async () => (await told()).at(-1)).toBe("Parakeet v3 is installed.");
  const heard = (await told()).join(" ");
  expect(heard).toContain("is not the file it should be");
  expect(heard).toContain("Qwen3-VL 4B is installed.");

  // From here on nobody is there to be asked.
  server.close();
  await page.locator("#tab-describe").click();
  await page.locator("#describe").waitFor();
  expect(await page.locator("#who-writes").count()).toBe(0);
  await press("describe");
  await page.locator("#cues").waitFor();
  await page.locator(".cue", { hasText: "A man walks." }).first().waitFor();
  // What is said, as the ears wrote it down.
  await expect.poll(() => page.locator("#cues").innerText()).toMatch(/the boat is late/i);
  // A tone of one of the voice's speakers.
  const hz = await page.evaluate<number>(HEARD_HZ);
  const speakers = Array.from({ length: 10 }, (_, speaker) => speakerHz(speaker));
  expect(Math.min(...speakers.map((own) => Math.abs(own - hz)))).toBeLessThan(4);
}, 180_000);

test("without internet a voice is installed from the files that the page names, once all of them are there", async () => {
  const models = await serveModels(await temporaryFolder());
  await openPage(models);
  models.server.close();
  await page.locator("#tab-connect").click();
  await page.locator("#go-models").click();
  await press("open-files");
  await page.locator("#files-of").selectOption("supertonic-3");
  const names = page.getByRole("list", { name: "Files to bring" });
  await names.getByText(".onnx").first().waitFor();
  expect(await violations(page)).toEqual([]);
  const brought = (await names.getByRole("listitem").allInnerTexts()).map((line) => {
    const [name = ""] = line.split(" from ");
    const [, buffer = Buffer.alloc(0)] = [...models.server.files].find(([path]) => path.endsWith(`/${name}`)) ?? [];
    return { name, mimeType: "", buffer };
  });
  expect(brought.length).toBeGreaterThan(1);
  const add = async (files: typeof brought) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#add-files")]);
    await chooser.setFiles(files);
  };
  await add(brought.slice(0, 1));
  await page.getByText(`${brought.length - 1} still missing.`).waitFor();
  expect(await page.locator("#install-files").isDisabled()).toBe(true);
  await add(brought.slice(1));
  await page.getByText("Everything is here.").waitFor();
  await press("install-files");
  await stands("supertonic-3", "installed");
  // Nothing is left of what was sent, and the voice speaks.
  await press("hear-supertonic-3");
  await page.locator("#hear-supertonic-3:not([disabled])").waitFor();
  expect(await page.locator("#message.is-fault").count()).toBe(0);
});

test("a download goes on without its page, the real engine describes with random weights, and what is removed is gone", {
  timeout: 500_000,
}, async () => {
  const { model, projector } = tinyModel();
  const module = fileURLToPath(new URL("../fakes/real-llama-server.ts", import.meta.url));
  const eyes = { module, model: Buffer.from(model), projector: Buffer.from(projector) };
  const models = await serveModels(await temporaryFolder(), eyes);
  const { home } = await openPage(models);
  await dropFilm();
  await press("model-here");
  const line = new SlowLine(100_000);
  models.server.answer(models.eyes.model.path, line.answer);
  await press("get-qwen3-vl-4b");
  await stands("qwen3-vl-4b", "fetching");
  await page.reload();
  await page.locator("#tab-connect").click();
  await page.locator("#go-models").click();
  await stands("qwen3-vl-4b", "fetching");
  line.limit = Number.POSITIVE_INFINITY;
  await stands("qwen3-vl-4b", "installed");
  await page.locator("#tab-describe").click();
  await page.locator("#describe").click();
  // What it says is nonsense: nothing of it has to reach anybody's ear, but the review opens.
  await page.locator("#cues").waitFor({ timeout: 400_000 });
  await page.locator("#tab-connect").click();
  await page.locator("#go-models").click();
  await press("remove-qwen3-vl-4b");
  await press("sure-qwen3-vl-4b");
  await stands("qwen3-vl-4b", "absent");
  const left = await readdir(join(home, "data", "models"));
  expect(left.filter((name) => !name.startsWith("."))).toEqual([]);
});
