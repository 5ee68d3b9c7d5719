// Counts what seven tasks take in the panel: clicks, and stops of Tab from the view's own tab to what the task presses.
//   npm run tool -- panel-steps
import type { FrameLocator, Page } from "playwright-core";
import { startPreview } from "../../panel/preview/preview.ts";
import { launchChromium } from "../../test/chromium.ts";

/** What a task took: presses of the mouse, and of Tab from the tab of its view to each control that it presses, and keys there. */
interface Steps {
  readonly task: string;
  readonly clicks: number;
  readonly stops: readonly string[];
}

/** Most presses of Tab before a control counts as out of reach. */
const MOST_STOPS = 60;

const preview = await startPreview();
const browser = await launchChromium();
const found: Steps[] = [];
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`${preview.url}/?zero=01:00:00:00&haste=20&computer=pictures`);
  await page.selectOption("#width", "380");
  await walk(page, page.frameLocator("#panel"));
} finally {
  await browser.close();
  await preview.close();
}
process.stdout.write("| Task | Clicks | Stops of Tab |\n|---|---|---|\n");
for (const { task, clicks, stops } of found) process.stdout.write(`| ${task} | ${clicks} | ${stops.join("; ")} |\n`);

async function walk(page: Page, panel: FrameLocator): Promise<void> {
  let clicks = 0;
  let stops: string[] = [];
  const begin = () => {
    clicks = 0;
    stops = [];
  };
  const end = (task: string) => found.push({ task, clicks, stops });
  const click = async (selector: string) => {
    clicks++;
    await panel.locator(selector).first().click();
  };
  /** Presses Tab from a control to another one. */
  const reach = async (from: string, id: string, named = id) => {
    await panel.locator(`#${from}`).focus();
    for (let presses = 1; presses <= MOST_STOPS; presses++) {
      await page.keyboard.press("Tab");
      const at = await panel.locator("body").evaluate((body) => body.ownerDocument.activeElement?.id ?? "");
      if (at === id) {
        stops.push(`${presses} to ${named}`);
        return;
      }
    }
    stops.push(`none to ${named}`);
  };
  begin();
  await click("#start-companion");
  await panel.locator("#write-by-hand").waitFor();
  await reach("tab-describe", "write-by-hand", "who writes");
  await click("#write-by-hand");
  await panel.locator("#describe").waitFor();
  await reach("tab-describe", "describe", "the main button");
  await click("#describe");
  await panel.locator("#cues [data-cue]").first().waitFor();
  await panel.locator("#dismiss").click();
  await reach("tab-review", "place", "*Place on timeline*");
  await click("#place");
  await panel.locator("#take-back").waitFor();
  end("the first opening, to the first marker");

  begin();
  await reach("tab-review", "cue-keys", "the list");
  const words = panel.locator("#cue-text");
  await click("#cues [data-cue] .cue-words");
  await words.fill("A white boat, its sail bright red, glides past a long row of lanterns and into the still harbour.");
  // The offers are for words that have been left.
  await words.press("Tab");
  await panel.locator('[data-action^="remedy-"]').first().waitFor();
  await reach(
    "cue-text",
    (await panel.locator('[data-action^="remedy-"]').first().getAttribute("id")) ?? "",
    "the first offer",
  );
  await click('[data-action^="remedy-"]');
  end("a line that is too long, to one that fits");

  begin();
  await click("#mute-cue");
  await click("#undo-edit");
  end("an open line muted, and that undone");

  begin();
  await click("#cues [data-cue] .cue-picture");
  end("a line heard in its place");

  begin();
  const pause = panel.locator("#cues .to-write").first();
  clicks++;
  await pause.click();
  await words.fill("The harbour at dawn.");
  await words.press("Enter");
  end("an empty pause filled");

  begin();
  await click("#tab-deliver");
  await panel.locator("#deliver").waitFor();
  await reach("tab-deliver", "deliver", "*Deliver*");
  await click("#deliver");
  end("delivered");

  begin();
  const frame = page.frames().find((one) => one.url().endsWith("/panel/"));
  await frame?.evaluate(`{ const { machine, user } = globalThis.premiereDouble;
    const { sequences, activeSequenceId } = machine.project(machine.activeProjectId);
    const sequence = sequences.get(activeSequenceId);
    const cut = 254016000000n * 5n;
    const trimmed = (tracks) => tracks.map((track) => ({ ...track, items: track.items.map((item) => {
      const lost = item.start < cut ? cut - item.start : 0n;
      return { ...item, start: item.start + lost - cut, end: item.end - cut, inPoint: item.inPoint + lost };
    }) }));
    user.editSequence(sequence.id, "Ripple Trim", (one) => ({
      ...one, videoTracks: trimmed(one.videoTracks), audioTracks: trimmed(one.audioTracks) })); }`);
  await panel.locator("#tab-describe").click();
  await panel.locator("#tab-review").click();
  await panel.locator("#open-conform").first().waitFor();
  await click("#open-conform");
  await panel.locator("#conform").waitFor();
  await click("#conform");
  end("a re-cut followed");
}
