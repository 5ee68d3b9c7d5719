// Takes pictures of each view of the panel, at three widths and in two themes, and of the service's page: `npm run tool -- screenshots [FOLDER]`.
// The small ones that the documentation shows are in docs/pictures.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { startPreview } from "../../panel/preview/preview.ts";
import { launchChromium } from "../../test/chromium.ts";
import { showModelsUnderWay, TWO_COLUMNS, takePage } from "./page-pictures.ts";
import { takeSheet } from "./sheets.ts";
import { takeFailedStarts } from "./start-pictures.ts";

const WIDTHS = [240, 380, 900];
const THEMES = ["darkest", "light"];
const HEIGHT = 640;

/** Time for the panel to draw itself anew, in milliseconds. */
const SETTLE_MS = 150;

/** What an editor does in Premiere meanwhile: changes the words of a marker, and cuts five seconds off the start. */
const EDIT_MARKER = `const marker = sequence.markers.find(({ name }) => name.startsWith("AD "));
  user.changeMarker(sequence.id, marker.guid, { comments: marker.comments.replace(/^.*/, "Words of the editor's own.") });`;
const RIPPLE_TRIM = `const cut = 254016000000n * 5n;
  const trimmed = (tracks) => tracks.map((track) => ({ ...track, items: track.items.map((item) => {
    const lost = item.start < cut ? cut - item.start : 0n;
    return { ...item, start: item.start + lost - cut, end: item.end - cut, inPoint: item.inPoint + lost };
  }) }));
  user.editSequence(sequence.id, "Ripple Trim", (one) => ({
    ...one, videoTracks: trimmed(one.videoTracks), audioTracks: trimmed(one.audioTracks) }));`;

/** More words than the first pause of the sample has room for. */
const TOO_LONG =
  "On a dark blue card, in white letters: The Harbour, a sample for Aside, in three short scenes by night.";

const folder = process.argv[2] ?? "out/screenshots";
await mkdir(folder, { recursive: true });
const preview = await startPreview();
const browser = await launchChromium();
try {
  await takeFailedStarts(browser, preview.url, folder);
  const viewport = { width: Math.max(...WIDTHS) + 700, height: HEIGHT + 34 };
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(240_000);
  await showModelsUnderWay(page);
  await page.goto(`${preview.url}/?zero=01:00:00:00&haste=20&computer=pictures`);
  await takeJourney(page);
  await takePage(browser, folder);
  for (const width of WIDTHS) await takeSheet(browser, folder, width);
} finally {
  await browser.close();
  await preview.close();
}

async function inPremiere(page: Page, script: string): Promise<void> {
  const frame = page.frames().find((one) => one.url().endsWith("/panel/"));
  await frame?.evaluate(`{ const { machine, user } = globalThis.premiereDouble;
    const { sequences, activeSequenceId } = machine.project(machine.activeProjectId);
    const sequence = sequences.get(activeSequenceId);
    ${script} }`);
}

/** Takes a picture of what the panel shows now at each width and in each theme. */
async function take(page: Page, view: string): Promise<void> {
  await page.mouse.move(0, 0);
  for (const theme of THEMES) {
    await page.selectOption("#theme", theme);
    for (const width of WIDTHS) {
      await page.selectOption("#width", String(width));
      await page.waitForTimeout(SETTLE_MS);
      await page.locator("#panel").screenshot({ path: join(folder, `${view}-${theme}-${width}.png`) });
    }
  }
}

/** Walks through the panel as an editor does, with a picture of each sight. */
async function takeJourney(page: Page): Promise<void> {
  const panel = page.frameLocator("#panel");
  await panel.locator("#start-companion").waitFor();
  await take(page, "not-running");
  await panel.locator("#start-companion").click();
  await panel.locator("#write-by-hand").waitFor();
  await panel.locator("#badge").click();
  await panel.locator("#section-settings-describer").waitFor();
  await take(page, "connect");
  await openSection(panel, "settings-describer");
  await panel.locator("#describer-choice").selectOption({ label: "OpenAI" });
  await openSection(panel, "settings-voice");
  await panel.locator("#try-voice").click();
  await panel.locator("#trial-voice", { hasText: "✓" }).waitFor();
  await take(page, "settings");
  await panel.locator("#go-models").click();
  await panel.locator('[data-state="fetching"]').waitFor();
  await take(page, "models");
  await panel.locator("#tab-describe").click();
  await panel.locator("#write-by-hand").waitFor();
  await take(page, "who-writes");
  await panel.locator("#write-by-hand").click();
  await panel.locator("#describe").waitFor();
  await take(page, "describe");
  await panel.locator("#look-for-gaps").click();
  await panel.locator("#gap-map").waitFor();
  await take(page, "pauses");
  for (const section of ["more", "voice", "timing", "context", "export", "saved"]) await openSection(panel, section);
  await take(page, "describe-open");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), panel.locator("#choose-script").click()]);
  await chooser.setFiles(TWO_COLUMNS);
  await panel.locator("#text-question").waitFor();
  await take(page, "unsure");
  await panel.locator("#leave-text").click();
  const release = await holdUpload(page);
  await panel.locator("#describe").click();
  await panel.locator('[data-step="upload"].now').waitFor();
  await take(page, "progress");
  release();
  await panel.locator("#cues [data-cue]").first().waitFor();
  await take(page, "review");
  await panel.locator("#dismiss").click();
  await panel.locator("#cues [data-cue]").nth(1).locator(".cue-words").click();
  await take(page, "review-open");
  await panel.locator("#cues [data-cue]").nth(0).locator(".cue-words").click();
  await panel.locator("#cue-text").fill(TOO_LONG);
  await panel.locator("#cue-text").press("Tab");
  await panel.locator("#extend").waitFor();
  await take(page, "too-long");
  await panel.locator("#extend").click();
  await panel.locator("#back-into-pause").waitFor();
  await take(page, "extended");
  for (let undone = 0; undone < 2; undone++) await panel.locator("#undo-edit").click();
  await panel.locator("#open-search").click();
  await panel.locator("#find-text").fill("a");
  await take(page, "review-find");
  await panel.locator("#close-search").click();
  await panel.locator("#menu").click();
  await take(page, "review-menu");
  await panel.locator("#open-keys").click();
  await take(page, "keys");
  await panel.locator("#tab-review").click();
  await panel.locator("#menu").click();
  await panel.locator("#open-bible").click();
  await writeBible(panel);
  await take(page, "bible");
  await panel.locator("#bible-back").click();
  await panel.locator("#tab-deliver").click();
  await panel.locator("#deliver").waitFor();
  await take(page, "deliver");
  await panel.locator("#tab-review").click();
  await panel.locator("#place").click();
  await panel.locator("#message").waitFor();
  await take(page, "placed");
  await inPremiere(page, EDIT_MARKER);
  await panel.locator("#place").click();
  await panel.locator("#merge").waitFor();
  await take(page, "merge");
  await panel.locator("#merge-cancel").click();
  await inPremiere(page, RIPPLE_TRIM);
  await panel.locator("#tab-review").click();
  await panel.locator("#open-conform").waitFor();
  await take(page, "cut-changed");
  await panel.locator("#open-conform").click();
  await panel.locator("#conform").waitFor();
  await take(page, "conform");
  await panel.locator("#tab-history").click();
  await take(page, "history");
  await panel.locator("#badge").click();
  await panel.locator("#open-diagnostics").click();
  await take(page, "diagnostics");
}

/** Writes down what is known of the film, as an editor does where no model has. */
async function writeBible(panel: FrameLocator): Promise<void> {
  const facts = {
    "bible-story": "Ann waits in the harbour for her brother, who left by boat when they were children.",
    "add-person": "the woman in red",
    "person-0-looks": "thirty, red raincoat, wet hair",
    "person-0-name": "Ann",
    "person-0-from": "01:00:04:00",
    "add-places": "the harbour",
    "places-0-looks": "stone pier, fishing boats",
    "add-things": "the letter",
  };
  for (const [id, said] of Object.entries(facts)) {
    await panel.locator(`#${id}`).fill(said);
    await panel.locator(`#${id}`).blur();
  }
  await panel.locator("#bible-story").scrollIntoViewIfNeeded();
}

async function openSection(panel: FrameLocator, id: string): Promise<void> {
  const section = panel.locator(`#section-${id}`);
  if ((await section.count()) > 0) await section.click();
}

/** Keeps the upload waiting until the function returned is called. */
async function holdUpload(page: Page): Promise<() => void> {
  let go = () => {};
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const isUpload = (url: URL) => url.pathname.startsWith("/storage/") && url.pathname.includes("source");
  await page.route(isUpload, async (route) => {
    await going;
    await route.continue();
  });
  return go;
}
