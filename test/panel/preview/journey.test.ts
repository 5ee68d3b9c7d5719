import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Preview, startPreview } from "../../../panel/preview/preview.ts";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { launchChromium } from "../../chromium.ts";
import { withoutNewerBuiltIns } from "../../suites/newer-built-ins.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { KEPT_RUN, keepResult } from "./kept-result.ts";
import { PanelPage, type SeenProject } from "./panel-page.ts";

/**
 * Another film than the sample, for a run by hand: `ASIDE_JOURNEY_MEDIA=film.mp4 npx vitest run test/panel/preview/journey.test.ts
 * -t "nothing else|keyboard"`. The journeys over a short range want 24 frames a second and no speech from 22 s to 30 s.
 */
const MEDIA = process.env["ASIDE_JOURNEY_MEDIA"];
vi.setConfig({ testTimeout: MEDIA === undefined ? 240_000 : 1_200_000 });

let preview: Preview;
let browser: Browser;
beforeAll(async () => {
  preview = await startPreview(MEDIA === undefined ? {} : { mediaPath: MEDIA });
  browser = await launchChromium();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await preview?.close();
});

/** A short range of the sample: from its second title to the line after it. */
const SHORT = { in: "22", out: "30", zero: "01:00:00:00" };

/** Markers of descriptions in a project, as frames. */
function ourMarkers({ sequence }: SeenProject) {
  return sequence.markers.filter((marker) => marker.name.startsWith("AD "));
}

/** Markers of pauses that are to be written. */
function pauseMarkers({ sequence }: SeenProject) {
  return sequence.markers.filter((marker) => marker.name.startsWith("To write: "));
}

/** The project as it would be without what Aside placed. */
function withoutOurs({ sequence }: SeenProject) {
  return {
    ...sequence,
    markers: sequence.markers.filter((marker) => !/^(?:AD |To write: )/.test(marker.name)),
    audioTracks: sequence.audioTracks.filter((track) => track.name !== NARRATION_TRACK_NAME),
  };
}

describe("the whole journey, on the sample clip", () => {
  thoroughTest(
    "PANEL-28 PANEL-30 PANEL-39: from the first start to placed markers and narration, and nothing else",
    async () => {
      const panel = await PanelPage.open(browser, preview, { zero: "01:00:00:00" });
      const before = await panel.project();
      await panel.sees("Harbour_v7");
      await panel.connect(preview);
      await panel.sees("✓", "#connection-test");
      await panel.sees("Local: nothing leaves this computer", "#badge");
      await panel.order();
      await panel.waitForReview();
      const cueCount = Number.parseInt((await panel.panel.locator("#cue-count").textContent()) ?? "", 10);
      expect(cueCount).toBeGreaterThan(2);
      await panel.choose("place-markers");
      await panel.sees("Done: Place", "#message");
      await panel.choose("place-narration");
      await panel.sees(/Done: .*narration/i, "#message");

      const placed = await panel.project();
      expect(ourMarkers(placed)).toHaveLength(cueCount);
      // No model runs here: what is not text on screen is left to be written.
      expect(pauseMarkers(placed).length).toBeGreaterThan(0);
      const { ticksPerFrame } = placed.sequence;
      for (const { start, duration } of ourMarkers(placed))
        expect([start % ticksPerFrame, duration % ticksPerFrame]).toEqual([0n, 0n]);
      const narration = placed.sequence.audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME);
      expect(narration).toHaveLength(1);
      expect(narration[0]?.items).toHaveLength(cueCount);
      expect(withoutOurs(placed)).toEqual(before.sequence);

      // Taken back step by step and done again, everything is there once.
      while ((await panel.undo()) !== null);
      expect((await panel.project()).sequence).toEqual(before.sequence);
      while ((await panel.redo()) !== null);
      expect((await panel.project()).sequence).toEqual(placed.sequence);

      // Placed again, nothing is doubled.
      await panel.choose("place-markers");
      await panel.sees(/already|Done/, "#message");
      await panel.choose("place-narration");
      await panel.sees(/already|Done/, "#message");
      const again = await panel.project();
      expect(ourMarkers(again)).toHaveLength(cueCount);
      expect(again.sequence.audioTracks.map(({ items }) => items.length)).toEqual([1, 1, cueCount]);
      expect(await panel.violations()).toEqual([]);
      expect(panel.exceptions).toEqual([]);
      await panel.close();
    },
  );

  thoroughTest(
    "PANEL-08 PANEL-20 PANEL-36: cancelled and closed at each step, it goes on, and one job is ordered",
    async () => {
      const panel = await PanelPage.open(browser, preview, SHORT);
      await panel.connect(preview);
      await panel.goDescribe();
      await panel.control("range-in-to-out").check();
      const steps = [
        { step: "export", request: /^\/disk\/render$/ },
        { step: "upload", request: /^\/storage\/.*source/ },
        { step: "verify", request: /get_upload_status$/ },
        { step: "generate", request: /generate_ad_audio$/ },
        { step: "wait", request: /get_results$/ },
        { step: "fetch", request: /^\/storage\/.*(wav|narration|audio)/ },
      ];
      const stops = steps.flatMap(
        (one) =>
          [
            { ...one, how: "cancel" },
            { ...one, how: "close" },
          ] as const,
      );
      const resume = async () => {
        const button = panel.panel.locator('[data-action="resume"]').first();
        await panel.waitFor(button);
        await button.click();
      };
      let release = await panel.hold(stops[0]?.request ?? /never/);
      await panel.order();
      for (const [index, { step, how }] of stops.entries()) {
        await panel.waitFor(panel.panel.locator(`[data-step="${step}"].now`));
        // The next stop's request is held before this one's goes on, so that nothing slips by.
        const releaseNext = await panel.hold(stops[index + 1]?.request ?? /never/);
        if (how === "cancel") {
          await panel.click("cancel");
          if (step === "wait") await panel.click("stop-waiting");
          await panel.sees("stopped");
          await release();
          await resume();
        } else {
          await panel.closePanel();
          await release();
          await panel.openPanel();
          await panel.goDescribe();
          // A job that the service has accepted is gone on with by itself; the others wait for the editor.
          if (step !== "wait" && step !== "fetch") await resume();
        }
        release = releaseNext;
      }
      await panel.go("history");
      await panel.waitFor(panel.panel.locator('[data-job-state="done"]'));
      expect(panel.answered.filter((one) => one.includes("generate_ad_audio"))).toHaveLength(1);
      expect(panel.exceptions).toEqual([]);
      await panel.close();
    },
  );

  thoroughTest("PANEL-41: what is new in a cut is exported and described alone, with in and out put back", async () => {
    const panel = await PanelPage.open(browser, preview, SHORT);
    await panel.connect(preview);
    await panel.goDescribe();
    await panel.control("range-in-to-out").check();
    await panel.order();
    await panel.waitForReview();
    await panel.choose("place-markers");
    await panel.sees("Done: Place", "#message");
    await panel.choose("place-narration");
    await panel.sees(/Done: .*narration/i, "#message");
    await panel.insertNew(25, 6, { in: 19, out: 38 });
    const cut = withoutOurs(await panel.project());
    await panel.go("history");
    await panel.go("review");
    await panel.sees("1 new part of the edit is not described: 00:16 in all");
    await panel.click("open-conform");
    await panel.click("describe-new");
    await panel.sees("1 new description added.", "#message");
    expect(withoutOurs(await panel.project())).toEqual(cut);
    // What is told of the new picture comes in one step with its voice, in it or behind it.
    const { sequence } = await panel.project();
    const [told, ...others] = ourMarkers(await panel.project()).map(({ start }) => start / sequence.ticksPerFrame);
    expect(others).toEqual([]);
    expect(told).toBeGreaterThanOrEqual(28n * 24n);
    expect(told).toBeLessThan(32n * 24n);
    // Its clip is whole frames long, and may begin on the frame before its first sound.
    const clips = sequence.audioTracks[2]?.items.map(({ start }) => start / sequence.ticksPerFrame) ?? [];
    expect(clips).toHaveLength(2);
    expect(clips[0]).toBe(528n);
    expect([(told ?? 0n) - 1n, told]).toContain(clips[1]);
    const labels = await panel.undoLabels();
    expect(labels.slice(labels.indexOf("Insert") + 1)).toEqual([
      // The cut parts what was a pause.
      "Follow the cut: pauses to write",
      "Set in and out for an export",
      "Set in and out for an export",
      "Put in and out back",
      "Put in and out back",
      "Import",
      "Place 1 new description",
    ]);
    expect(await panel.violations()).toEqual([]);
    expect(panel.exceptions).toEqual([]);
    await panel.close();
  });

  thoroughTest("without address and key: Aside is started from the panel, which finds it and describes", async () => {
    const panel = await PanelPage.open(browser, preview, SHORT);
    let clicks = 0;
    const click = (id: string) => {
      clicks++;
      return panel.click(id);
    };
    await panel.sees("Aside is not running on this computer.");
    await click("start-companion");
    await panel.sees("Local: nothing leaves this computer", "#badge");
    await panel.waitFor(panel.control("write-by-hand"));
    await click("write-by-hand");
    await panel.waitFor(panel.panel.locator("#describe:not([disabled])"));
    await click("describe");
    await panel.waitForReview();
    await click("place");
    await panel.sees("Done: Place", "#message");
    expect(ourMarkers(await panel.project()).length).toBeGreaterThan(0);
    expect(clicks).toBeLessThanOrEqual(4);
    expect(await panel.violations()).toEqual([]);
    expect(panel.exceptions).toEqual([]);
    await panel.close();
  });

  thoroughTest("by keyboard alone", async () => {
    const panel = await PanelPage.open(browser, preview, SHORT);
    const { keyboard } = panel.page;
    await panel.tabTo("badge");
    await keyboard.press("Enter");
    await panel.tabTo("section-another-service");
    await keyboard.press("Enter");
    await panel.tabTo("service-address");
    await keyboard.press("Control+a");
    await keyboard.type(preview.url);
    await panel.tabTo("service-key");
    await keyboard.type(preview.apiKey);
    await panel.tabTo("test-connection");
    await keyboard.press("Enter");
    await panel.sees("✓", "#connection-test");
    await panel.tabTo("tab-describe", "back");
    await keyboard.press("Enter");
    await panel.tabTo("write-by-hand");
    await keyboard.press("Enter");
    await panel.tabTo("range-whole");
    await keyboard.press("ArrowDown");
    // The keyboard does not reach it while it is greyed out: until all is known that an order needs.
    await panel.waitFor(panel.panel.locator("#describe:not([disabled])"));
    await panel.tabTo("describe");
    await keyboard.press("Enter");
    await panel.waitForReview();
    await panel.tabTo("cue-keys");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await panel.waitFor(panel.control("cue-text"));
    await keyboard.press("Control+a");
    await keyboard.type("Typed by hand.");
    await keyboard.press("Enter");
    await panel.tabTo("menu");
    await keyboard.press("Enter");
    await panel.tabTo("place-markers", "back");
    await keyboard.press("Enter");
    await panel.sees("Done: Place", "#message");
    // Its old sound says other words: it is voiced before it is placed.
    await panel.tabTo("menu");
    await keyboard.press("Enter");
    await panel.tabTo("voices-first", "back");
    await keyboard.press("Space");
    await panel.tabTo("place-narration");
    await keyboard.press("Enter");
    await panel.sees(/Done: .*narration/i, "#message");
    const placed = await panel.project();
    expect(ourMarkers(placed)[0]?.comments).toMatch(/^Typed by hand\.\n/);
    const { ticksPerFrame } = placed.sequence;
    expect(placed.sequence.audioTracks[2]?.items[0]?.start).toBe(22n * 24n * ticksPerFrame);
    await panel.close();
  });
});

thoroughTest(
  "an edited line is voiced at once, without a job; pictures of the programme stand beside the cues",
  async () => {
    const panel = await PanelPage.open(browser, preview, { zero: "01:00:00:00", width: "480" });
    await panel.connect(preview);
    await panel.order();
    await panel.waitForReview();
    const row = panel.panel.locator("#cues [data-cue]", { hasText: "On screen" }).first();
    await row.locator("img.still").waitFor();
    await expect
      .poll(() => panel.evaluateInPanel<number>("document.querySelector('img.still').naturalWidth"))
      .toBeGreaterThan(100);
    const orders = () => panel.answered.filter((one) => one.includes("generate_ad_audio")).length;
    const before = orders();
    await row.locator(".cue-words").click();
    await panel.page.keyboard.press("Control+a");
    await panel.page.keyboard.type("Words that nobody has heard.");
    await panel.page.keyboard.press("Enter");
    const edited = panel.panel.locator("#cues [data-cue]", { hasText: "nobody has heard" });
    await panel.waitFor(edited);
    await expect
      .poll(() => panel.answered.filter((one) => one.startsWith("POST") && one.includes("voice_line")).length)
      .toBe(1);
    await expect.poll(() => edited.locator(".cue-signs").innerText()).not.toContain("♪");
    expect(await panel.control("voice-changed").count()).toBe(0);
    await panel.click("place");
    await panel.sees(/Done: .*narration/i, "#message");
    const { sequence } = await panel.project();
    const clips = sequence.audioTracks
      .filter(({ name }) => name === NARRATION_TRACK_NAME)
      .flatMap(({ items }) => items);
    expect(clips.map(({ name }) => name).join()).toContain("Words that nobody has heard");
    expect(orders()).toBe(before);
    expect(await panel.violations()).toEqual([]);
    expect(panel.exceptions).toEqual([]);
    await panel.close();
  },
);

thoroughTest(
  "in an engine that has nothing newer than ECMAScript 2020 the panel opens, edits, places, takes back and shows its tools",
  async () => {
    const keep = (computer: string) => keepResult(computer, 6, 20);
    const panel = await PanelPage.open(browser, preview, {}, keep, withoutNewerBuiltIns("/panel/"));
    const missing = "new Function('return [].findLast === undefined //# sourceURL=http://x/panel/a.js')()";
    expect(await panel.evaluateInPanel<boolean>(missing)).toBe(true);
    await panel.go("history");
    await panel.click(`open-${KEPT_RUN}`);
    await panel.waitForReview();
    await panel.panel.locator("#cues [data-cue] .cue-words").first().click();
    await panel.control("cue-text").fill("A boat that nobody has heard of yet.");
    await panel.choose("place-markers");
    await panel.sees("Done: Place", "#message");
    expect(ourMarkers(await panel.project()).length).toBeGreaterThan(0);
    await panel.click("take-back");
    await panel.sees("Undone", "#message");
    await panel.click("badge");
    await panel.click("open-diagnostics");
    await panel.waitFor(panel.control("try-everything"));
    expect(await panel.violations()).toEqual([]);
    expect(panel.exceptions).toEqual([]);
    await panel.close();
  },
);

test("PANEL-18: a wrong key is said in a sentence with what to do, and the right one then works", async () => {
  const panel = await PanelPage.open(browser, preview);
  await panel.connect(preview, "aside_wrong");
  await panel.sees("✕", "#connection-test");
  await panel.sees(/key/i, "#connection-test");
  await panel.connect(preview);
  await panel.sees("✓", "#connection-test");
  await panel.close();
});

thoroughTest("everything is tried on a copy: every question is answered, and the project is as it was", async () => {
  const panel = await PanelPage.open(browser, preview, { platform: "Windows" });
  const before = await panel.project();
  await panel.connect(preview);
  await panel.click("open-diagnostics");
  await panel.click("try-everything");
  await panel.sees("The report is saved", "#message");
  const script = "[...document.querySelectorAll('#probes .probe')].map((row) => row.innerText.replace(/\\s+/g, ' '))";
  const told = await panel.evaluateInPanel<string[]>(script);
  expect(told.length).toBeGreaterThan(40);
  expect(told.filter((finding) => /raises|no answer|cancelled|NOT|no copy/.test(finding))).toEqual([]);
  expect(told).toContain("The timeline equal before and after");
  expect(told).toContain("Mouse told on body mousedown told, mouseup told");
  expect(told.find((finding) => finding.startsWith("Scrolling"))).toContain("stands at 30 of 30, 40 high");
  expect(told.find((finding) => finding.startsWith("Export of picture"))).toMatch(/ours: \d+ bytes, 2\.\d+ s/);
  expect(await panel.project()).toEqual(before);
  expect(await panel.violations()).toEqual([]);
  expect(panel.exceptions).toEqual([]);
  await panel.close();
});
