import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Preview, startPreview } from "../../../panel/preview/preview.ts";
import { launchChromium } from "../../chromium.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { keepResult } from "./kept-result.ts";
import { PanelPage } from "./panel-page.ts";

let preview: Preview;
let browser: Browser;
beforeAll(async () => {
  preview = await startPreview();
  browser = await launchChromium();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await preview?.close();
});

/** What axe-core objects to in what the panel shows now. */
async function violations(panel: PanelPage): Promise<string[]> {
  return panel.evaluateInPanel(`${axe.source}; axe.run(document).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 160))))`);
}

/** Opens the kept result by the history, with no service set up: who reviews needs none. */
async function openKept(cueCount: number, query: Record<string, string> = {}): Promise<PanelPage> {
  const panel = await PanelPage.open(browser, preview, query, (folder) => keepResult(folder, cueCount, 20));
  await panel.tabTo("tab-history");
  await panel.page.keyboard.press("Enter");
  await panel.tabTo("open-kept");
  await panel.page.keyboard.press("Enter");
  await panel.waitForReview();
  return panel;
}

test.each(IS_THOROUGH ? ["darkest", "light"] : ["light"])(
  "axe-core finds nothing in any view, in the theme %s",
  async (theme) => {
    const panel = await openKept(6, { theme });
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      found[name] = await violations(panel);
    };
    await look("review");
    await panel.control("cue-keys").press("ArrowDown");
    await panel.control("cue-keys").press("Enter");
    await panel.waitFor(panel.control("cue-text"));
    await look("open cue");
    await panel.click("menu");
    await look("menu");
    // The light theme differs by its colours: by default they are looked at where most of them are.
    if (theme === "light" && !IS_THOROUGH) {
      await panel.go("describe");
      await look("describe");
      expect(found).toEqual({ review: [], "open cue": [], menu: [], describe: [] });
      await panel.close();
      return;
    }
    await panel.choose("prepare-sound");
    await panel.sees("lowered under it", "#message");
    await look("programme's sound");
    await panel.click("open-search");
    await look("search");
    await panel.click("close-search");
    await panel.choose("place-markers");
    await panel.sees("Done: Place", "#message");
    await look("placed");
    await panel.choose("open-bible");
    await panel.control("add-person").fill("the woman in red");
    await panel.control("add-person").blur();
    await panel.waitFor(panel.control("person-0-name"));
    await look("bible");
    await panel.click("bible-back");
    await panel.go("deliver");
    await panel.waitFor(panel.control("deliver"));
    await look("deliver");
    await panel.go("review");
    await panel.waitForReview();
    await panel.changeMarker(0, "Typed on the timeline.");
    await panel.choose("place-markers");
    await panel.waitFor(panel.control("merge"));
    await look("merge");
    await panel.click("merge-cancel");
    await panel.recut(5);
    await panel.go("review");
    await panel.sees("The edit changed");
    await panel.click("open-conform");
    await panel.waitFor(panel.control("conform"));
    await look("conform");
    for (const view of ["describe", "history"]) {
      await panel.go(view);
      await look(view);
    }
    await panel.click("badge");
    await look("connect");
    await panel.click("open-diagnostics");
    await look("diagnostics");
    await panel.connect(preview);
    await panel.goDescribe();
    await panel.click("look-for-gaps");
    await panel.sees("room for about", "#gap-map");
    await panel.click("section-more");
    await panel.click("section-gaps-listed");
    await panel.sees("from the sound", "#gaps");
    await look("gap map");
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await panel.close();
  },
  240_000,
);

thoroughTest(
  "a whole review by keyboard alone, signed off; a later change makes the sign-off void and says so",
  async () => {
    // At the pace of life: a sound that is stopped has not ended by then.
    const panel = await openKept(3, { haste: "1" });
    const { keyboard } = panel.page;
    const focused = () => panel.evaluateInPanel<string>("document.activeElement.id");
    // The button that opened it is gone: the keyboard is in the list.
    await expect.poll(focused).toBe("cue-keys");
    const current = () =>
      panel.evaluateInPanel<string>(
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''",
      );
    await keyboard.press("ArrowDown");
    await expect.poll(current).toContain("Description 1");
    await keyboard.press("Space");
    await expect.poll(current).toContain("✓");
    // Heard in its place, with the sound of the sequence under it.
    await keyboard.press("p");
    await panel.sees("lowered under it", "#message");
    await keyboard.press("Enter");
    await panel.tabTo("listen");
    await keyboard.press("Enter");
    await panel.waitFor(panel.panel.locator(`#listen[aria-label="Stop"]`));
    await keyboard.press("Enter");
    await panel.waitFor(panel.panel.locator(`#listen[aria-label="Listen"]`));
    await keyboard.press("Escape");
    await expect.poll(focused).toBe("cue-keys");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await expect.poll(focused).toBe("cue-text");
    await keyboard.press("Control+a");
    await keyboard.type("A boat, heard from the left.");
    await keyboard.press("Escape");
    await expect.poll(focused).toBe("cue-keys");
    await expect.poll(current).toContain("A boat, heard from the left.");
    await keyboard.press("Space");
    // Signing too early is refused in words that are read out.
    await panel.tabTo("menu");
    await keyboard.press("Enter");
    await panel.tabTo("reviewer", "back");
    await keyboard.type("Kim Lind");
    await panel.tabTo("sign-off");
    await keyboard.press("Enter");
    await panel.sees("1 line is not accepted yet", "#heard-assertive");
    await panel.tabTo("cue-keys", "back");
    await keyboard.press("ArrowDown");
    await expect.poll(current).toContain("Description 3");
    await keyboard.press("Space");
    await panel.tabTo("sign-off");
    await keyboard.press("Enter");
    await panel.sees(/✓ Signed off by Kim Lind, \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/, "#signed");
    // Kept: closed and opened again, it is there.
    await panel.closePanel();
    await panel.openPanel();
    await panel.tabTo("tab-history");
    await keyboard.press("Enter");
    await panel.tabTo("open-kept");
    await keyboard.press("Enter");
    await panel.sees("Signed off by Kim Lind", "#signed");
    await expect.poll(focused).toBe("cue-keys");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await panel.tabTo("nudge-start1");
    await keyboard.press("Enter");
    await panel.sees("no longer counts: the descriptions changed since", "#heard-polite");
    await panel.tabTo("close-cue");
    await keyboard.press("Enter");
    await expect.poll(focused).toBe("cue-keys");
    await keyboard.press("Control+z");
    await panel.sees("✓ Signed off by Kim Lind", "#signed");
    expect(panel.exceptions).toEqual([]);
    await panel.close();
  },
  240_000,
);

test("a cue is heard by keyboard: the panel plays a WAV cut from the narration, and says when it is over", async () => {
  // At the pace of life: a sound lasts as long as it lasts.
  const panel = await openKept(3, { haste: "1" });
  const { keyboard } = panel.page;
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await panel.waitFor(panel.control("listen"));
  await panel.tabTo("listen");
  await keyboard.press("Enter");
  await panel.waitFor(panel.panel.locator(`#listen[aria-label="Stop"]`));
  // The first cue ends at 5.33 s, and 2 s follow it.
  await expect
    .poll(() => panel.evaluateInPanel<number>("globalThis.playedElement?.duration ?? 0"))
    .toBeCloseTo(7.33, 1);
  await expect
    .poll(() => panel.evaluateInPanel<number>("globalThis.playedElement.currentTime"), { timeout: 10_000 })
    .toBeGreaterThan(0.2);
  await keyboard.press("Enter");
  await panel.waitFor(panel.panel.locator(`#listen[aria-label="Listen"]`));
  expect(await panel.evaluateInPanel("globalThis.playedElement.paused")).toBe(true);
  expect(panel.exceptions).toEqual([]);
  await panel.close();
}, 240_000);
