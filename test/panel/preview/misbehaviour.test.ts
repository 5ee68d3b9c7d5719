import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Preview, startPreview } from "../../../panel/preview/preview.ts";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { launchChromium } from "../../chromium.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { KEPT_RUN, keepResult } from "./kept-result.ts";
import { PanelPage } from "./panel-page.ts";

/** Length of the media in seconds; its picture has 25 frames a second. */
const SECONDS = 20;

let folder = "";
let preview: Preview;
let browser: Browser;
beforeAll(async () => {
  folder = await temporaryFolder();
  const mediaPath = join(folder, "media.mp4");
  makeMedia(mediaPath, [
    { graph: `testsrc2=size=160x90:rate=25:duration=${SECONDS}`, codec: "libx264" },
    { graph: `sine=duration=${SECONDS}`, codec: "aac" },
  ]);
  // Nothing here needs a service: nobody listens at this address.
  preview = await startPreview({ mediaPath, service: { url: "http://127.0.0.1:9", apiKey: "aside_unused" } });
  browser = await launchChromium();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await preview?.close();
});

async function openWithResult(query: Record<string, string>, cueCount = 8, seconds = SECONDS): Promise<PanelPage> {
  const panel = await PanelPage.open(browser, preview, query, (computer) => keepResult(computer, cueCount, seconds));
  await panel.go("history");
  await panel.click(`open-${KEPT_RUN}`);
  await panel.waitForReview();
  return panel;
}

async function expectGoodManners(panel: PanelPage): Promise<void> {
  expect(await panel.violations()).toEqual([]);
  expect(panel.exceptions).toEqual([]);
  await panel.close();
}

describe("exporting", () => {
  const order = async (query: Record<string, string>) => {
    const panel = await PanelPage.open(browser, preview, query);
    await panel.click("badge");
    await panel.click("section-another-service");
    await panel.control("service-key").fill("aside_unused");
    await panel.click("save-key");
    await panel.order();
    return panel;
  };

  test.each([
    ["fails", /could not export/],
    ["cancelled", /cancelled there, or refused/],
    ["disk full", /not enough room/],
    ["wrong length", /long instead of/],
    ["empty file", /the file is empty/],
    ["true without a file", /there is no file/],
  ])("PANEL-07: %s: a sentence says so, and nothing is sent", async (fault, sentence) => {
    const panel = await order({ export: fault });
    await panel.sees(sentence, "#message");
    expect(panel.answered).toEqual([]);
    await expectGoodManners(panel);
  });

  test("PANEL-02: no project, no sequence, media offline: each is named", async () => {
    for (const [open, sentence] of [
      ["nothing", /project/i],
      ["project", /sequence/i],
    ] as const) {
      const panel = await PanelPage.open(browser, preview, { open });
      await panel.sees(sentence, "#sequence");
      await expectGoodManners(panel);
    }
    const panel = await order({ open: "offline" });
    await panel.sees(/offline/, "#message");
    await expectGoodManners(panel);
  });
});

describe("placing", () => {
  const place = async (panel: PanelPage) => {
    await panel.choose("place-markers");
    await panel.sees(/Done: Place/, "#message");
    await panel.click("dismiss");
    await panel.choose("place-narration");
    await panel.sees(/Done: .*narration/i, "#message");
  };

  test.each([
    { importDelay: "3" },
    { unicodeForm: "NFD" },
    { overwrite: "nothing" },
    { noVideoIndex: "refused" },
    { staleness: "await" },
    { wrongCast: "throws", missingTrack: "throws" },
  ])("PANEL-32: with %o the timeline is as it should be all the same", async (query: Record<string, string>) => {
    const panel = await openWithResult(query);
    const before = await panel.project();
    await place(panel);
    const { sequence } = await panel.project();
    expect(sequence.markers.filter(({ name }) => name.startsWith("AD "))).toHaveLength(8);
    expect(sequence.audioTracks.slice(0, 2)).toEqual(before.sequence.audioTracks);
    expect(sequence.audioTracks[2]?.items.map(({ start }) => start)).toEqual([0n]);
    await expectGoodManners(panel);
  });

  test.each([{ importDelay: "Infinity" }, { overwrite: "nothing", insert: "nothing" }])(
    "PANEL-32: with %o no narration can be placed, and a sentence says so",
    async (query: Record<string, string>) => {
      const panel = await openWithResult(query);
      const before = await panel.project();
      await panel.choose("place-narration");
      await panel.waitFor(panel.panel.locator("#message.is-fault"));
      const { audioTracks } = (await panel.project()).sequence;
      expect(audioTracks).toEqual(before.sequence.audioTracks);
      await expectGoodManners(panel);
    },
  );

  test.each(["1:returns false", "1:throws"])(
    "PANEL-32: with a transaction that fails (%s) the timeline is as it was, and placing again works",
    async (transaction) => {
      const panel = await openWithResult({ transaction });
      const before = await panel.project();
      await panel.choose("place-markers");
      await panel.waitFor(panel.panel.locator("#message.is-fault"));
      expect((await panel.project()).sequence).toEqual(before.sequence);
      await panel.click("dismiss");
      await place(panel);
      await expectGoodManners(panel);
    },
  );

  test("PANEL-32: an action that is dropped without a word is noticed, and what came of it can be taken back", async () => {
    const panel = await openWithResult({ droppedAction: "3" });
    const before = await panel.project();
    await panel.choose("place-markers");
    await panel.sees(/Only part of it was done on the timeline/, "#message");
    await panel.click("take-back");
    await panel.sees(/Undone/, "#message");
    expect((await panel.project()).sequence.markers).toEqual(before.sequence.markers);
    await expectGoodManners(panel);
  });

  test("a key that secure storage forgot is asked for again", async () => {
    const panel = await PanelPage.open(browser, preview, { storage: "forgets" });
    await panel.click("badge");
    await panel.click("section-another-service");
    await panel.control("service-key").fill("aside_unused");
    await panel.click("save-key");
    await panel.sees(/Saved securely/);
    await panel.closePanel();
    await panel.openPanel();
    await panel.sees(/Aside is not running on this computer/);
    await panel.click("section-another-service");
    await panel.sees(/No key is saved/);
    await expectGoodManners(panel);
  });

  test("a full disk is said in a sentence", async () => {
    const panel = await openWithResult({ room: "50" });
    await panel.choose("place-markers");
    await panel.sees(/room/, "#message");
    await expectGoodManners(panel);
  });
});

test("a button that is pressed slowly, right after words were typed, does what it says", async () => {
  // At the pace of life: drawing does not wait for ever for a button to come up.
  const panel = await openWithResult({ haste: "1" });
  const row = panel.panel.locator("#cues [data-cue]").first();
  await row.locator(".cue-words").click();
  await panel.control("cue-text").fill("A boat that nobody has heard of yet.");
  // The mouse takes the focus out of the words as it goes down; all that this brings is drawn before it comes up.
  await panel.control("accept-cue").click({ delay: 500 });
  await panel.sees("Remove acceptance", "#accept-cue");
  await panel.control("close-cue").click({ delay: 500 });
  await expect.poll(() => panel.control("cue-text").count()).toBe(0);
  await panel.sees("A boat that nobody has heard of yet.", "#cues");
  // What the words bring makes their row higher: the row below is reached all the same.
  await row.locator(".cue-words").click();
  await panel.control("cue-text").fill("A boat, and far too many words about it for the little time that there is.");
  await panel.panel.locator("#cues [data-cue]").nth(1).locator(".cue-words").click({ delay: 500 });
  await expect.poll(() => panel.control("cue-text").inputValue()).toMatch(/^Description 2:/);
  await expectGoodManners(panel);
});

test("PANEL-27: two thousand cues: only those in sight are drawn, and each can be reached and changed", async () => {
  const panel = await openWithResult({}, 2_000, 7_200);
  await panel.sees("2000 descriptions", "#cue-count");
  const rows = panel.panel.locator("#cues [data-cue]");
  expect(await rows.count()).toBeLessThan(60);
  await panel.control("cue-keys").focus();
  await panel.page.keyboard.press("End");
  await panel.sees("Description 2000:", "#cues");
  expect(await rows.count()).toBeLessThan(60);
  await panel.page.keyboard.press("Enter");
  await panel.control("cue-text").fill("The last boat.");
  await panel.click("close-cue");
  await panel.sees("The last boat.", "#cues");
  await panel.control("cue-keys").focus();
  await panel.page.keyboard.press("Home");
  await panel.sees("Description 1:", "#cues");
  await panel.page.keyboard.press("Delete");
  await panel.sees("1999 descriptions", "#cue-count");
  await panel.click("undo-edit");
  await panel.sees("2000 descriptions", "#cue-count");
  expect((await panel.project()).sequence.audioTracks.some(({ name }) => name === NARRATION_TRACK_NAME)).toBe(false);
  await expectGoodManners(panel);
});
