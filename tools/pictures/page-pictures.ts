import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { SAMPLE_CLIP, SAMPLE_TRUTH, sampleScript } from "../../src/cli/sample.ts";
import type { ModelHere } from "../../src/contract/models.ts";
import { logInAddress } from "../../src/contract/page.ts";
import type { Computer } from "../../src/engine/store/this-computer.ts";
import { writeWebVtt } from "../../src/formats/webvtt/webvtt.ts";
import { startService } from "../../src/service/main.ts";
import { ModelStore } from "../../src/service/models/model-store.ts";

const WIDTHS = { 360: 740, 1280: 800 } as const;
const SCHEMES = ["light", "dark"] as const;

/** Time for the page to draw itself anew, in milliseconds. */
const SETTLE_MS = 400;

/** Takes pictures of the service's page into a folder, as somebody walks through it with the sample: in two widths and schemes. */
export async function takePage(browser: Browser, folder: string): Promise<void> {
  const dataFolder = await mkdtemp(join(tmpdir(), "Aside-"));
  const settingsFile = join(dataFolder, "settings.json");
  const service = await startService({ dataFolder, settingsFile, log: { level: "silent" } });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await showModelsUnderWay(page);
    await page.goto(logInAddress(service.url, await service.administration.createLogInLink()));
    await walk(page, async (view) => {
      for (const [width, height] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width: Number(width), height });
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          await page.waitForTimeout(SETTLE_MS);
          await page.screenshot({ path: join(folder, `page-${view}-${colorScheme}-${width}.png`) });
        }
      }
    });
  } finally {
    await service.close();
    await rm(dataFolder, { recursive: true });
  }
}

/** A computer as editors have it. */
const DESK: Computer = {
  ...{ platform: "darwin", architecture: "arm64", memoryBytes: 17.2e9, processors: 10, hasGraphics: true },
};

/**
 * Has a page shown the models of such a computer while somebody orders them: eyes that arrive, ears that stopped in the
 * middle, a voice that is there, and one that came to nothing.
 */
export async function showModelsUnderWay(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "Aside-"));
  const store = new ModelStore({ variables: async () => ({}), folder, offer: { computer: async () => DESK } });
  const reply = await store.look(AbortSignal.timeout(60_000));
  await rm(folder, { recursive: true });
  const states: Readonly<Record<string, Partial<ModelHere>>> = {
    "parakeet-v3": { state: "partial" },
    "ced-mini": { state: "installed", bytes: 12e6 },
    "supertonic-3": { state: "installed", bytes: 145e6 },
    "kokoro-en": { state: "damaged" },
  };
  const models = reply.models.map((model) => ({ ...model, ...states[model.id] }));
  const total = reply.models.find(({ id }) => id === "qwen3-vl-4b")?.bytes ?? 0;
  const download = {
    ...{ model: "qwen3-vl-4b", state: "running", completed_bytes: 0.4 * total, total_bytes: total, message: "" },
    ...{ bytes_per_second: 11.2e6, seconds_left: (0.6 * total) / 11.2e6 },
  };
  await page.route(/\/settings\/models$/, (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ json: { ...reply, free_bytes: 412e9, models, download } })
      : route.continue(),
  );
}

function textFile(name: string, text: string) {
  return { name, mimeType: "text/vtt", buffer: Buffer.from(text) };
}

/** A table whose words may stand in either of two columns. */
export const TWO_COLUMNS = textFile(
  "harbour.csv",
  `In;Out;Seen;Heard
0:00:10;0:00:13;A boat comes in past the lighthouse, its sail bright red.;Who is there now, at this hour?
0:00:30;0:00:33;The keeper raises a hand, slowly, and waits.;Nobody is there, I told you before.
`,
);

async function walk(page: Page, take: (view: string) => Promise<void>): Promise<void> {
  const choose = async (button: string, file: string | ReturnType<typeof textFile>) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(button)]);
    await chooser.setFiles(file);
  };
  await page.locator("#choose-film").waitFor();
  await take("film");
  await choose("#choose-film", SAMPLE_CLIP);
  await page.locator("#model-here").waitFor();
  await take("who-writes");
  await page.click("#model-here");
  await page.locator('[data-state="fetching"]').waitFor();
  await take("models");
  await page.click("#tab-describe");
  await page.click("#write-by-hand");
  await page.locator("#describe").waitFor();
  await take("describe");
  await page.click("#section-more");
  await page.click("#section-context");
  await choose("#choose-script", TWO_COLUMNS);
  await page.locator("#text-question").waitFor();
  await take("unsure");
  await page.click("#use-reading-0");
  await page.locator(".receipt").waitFor();
  await take("receipt");
  await choose("#choose-script", textFile("script.vtt", await sampleScript()));
  await page.locator("#drop-script").waitFor();
  await page.selectOption("#captions", "file");
  const said = SAMPLE_TRUTH.speech.map((line, index) => ({ ...line, id: String(index + 1) }));
  await choose("#choose-captions", textFile("captions.vtt", writeWebVtt(said)));
  await page.click("#section-context");
  await take("describe");
  await page.click("#describe");
  await page.locator("#cues").waitFor();
  await page.locator("#cues").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.locator(".still").first().waitFor();
  await take("review");
  await page.keyboard.press("Escape");
  await page.click("#menu");
  await page.click("#accept-all");
  await page.fill("#reviewer", "A. Reviewer");
  await page.click("#sign-off");
  await page.locator("#signed").waitFor();
  await page.click("#dismiss");
  await take("signed");
  await page.click("#tab-history");
  await page.locator('[data-action="open"]').waitFor();
  await take("jobs");
  await page.click("#tab-connect");
  await page.click("#section-service-health");
  await page.click("#examine");
  await page.locator("#health", { hasText: "ffmpeg" }).waitFor();
  await take("service");
}
