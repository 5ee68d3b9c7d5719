// The panel: size of its script, time to its first view, and 2 000 markers planned and applied.
// `npm run tool -- bench:panel` prints the figures that docs/benchmarks.md states.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startPreview } from "../../panel/preview/preview.ts";
import { type Cue, cueIdAt } from "../../src/core/cue.ts";
import { median } from "../../src/core/time-range.ts";
import { PremiereHost } from "../../src/host/premiere/premiere-host.ts";
import { planPlacement } from "../../src/workflow/place/place.ts";
import { UNCOLOURED } from "../../src/workflow/place/replace.ts";
import { launchChromium } from "../../test/chromium.ts";
import { InstantClock } from "../../test/fakes/instant-clock.ts";
import { MemoryWorld } from "../../test/fakes/premiere/memory-world.ts";
import { startPremiere } from "../../test/fakes/premiere/premiere.ts";
import { sampleProject } from "../../test/fakes/premiere/sample-project.ts";
import { keepResult } from "../../test/panel/preview/kept-result.ts";
import { buildPanel } from "../build/build-panel.ts";
import { print } from "../common/report.ts";

const MARKERS = 2_000;
const RUNS = 3;
const STARTS = 15;

/** A script of feature length, and the keys that are typed into it. */
const CUES = 2_000;
const KEYS = 40;

/** Processor time of this process since a reading, in milliseconds: other work on the machine does not count. */
const cpuMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

await measureMarkers();
await measureBundle();
await measureStart();
await measureTyping();

async function measureBundle(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "aside-bench-"));
  try {
    const { scriptBytes } = await buildPanel(folder);
    const compressed = gzipSync(await readFile(join(folder, "index.js"))).byteLength;
    print(`index.js: ${(scriptBytes / 1000).toFixed(1)} kB minified, ${(compressed / 1000).toFixed(1)} kB compressed`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureMarkers(): Promise<void> {
  const planning: number[] = [];
  const applying: number[] = [];
  let transactions = 0;
  let pausedSeconds = 0;
  for (let run = 0; run < RUNS; run++) {
    const clock = new InstantClock();
    const world = new MemoryWorld();
    const project = sampleProject({ frames: 25 * 7_200 });
    const premiere = startPremiere({ project, world, schedule: (work) => void setImmediate(work) });
    const host = new PremiereHost({
      premiere: premiere.module,
      clock,
      files: world,
      presets: { list: async () => [] },
      newFile: async () => "/none",
    });
    const sequence = await host.readSequence();
    const cues: readonly Cue[] = Array.from({ length: MARKERS }, (_, index) => ({
      id: cueIdAt(index),
      start: index * 3.6,
      end: index * 3.6 + 2.4,
      text: `Description ${index + 1}: a boat goes by, and nobody is on it.`,
    }));
    const begun = process.cpuUsage();
    const plan = planPlacement({ sequence, offsetSeconds: 0, cues, colours: UNCOLOURED });
    planning.push(cpuMs(begun));
    const report = await host.apply(plan, { signal: new AbortController().signal });
    applying.push(cpuMs(begun));
    if (report.outcome !== "done") throw new Error(`not all was placed: ${report.differences.join("; ")}`);
    transactions = premiere.machine.undoStack.length;
    pausedSeconds = clock.sleeps.reduce((sum, pause) => sum + pause, 0) / 1000;
  }
  print(`${MARKERS} markers: planned in ${median(planning).toFixed(1)} ms of processor time`);
  print(
    `${MARKERS} markers: applied and read back in ${transactions} transactions, ${median(applying).toFixed(0)} ms of ` +
      `processor time and ${pausedSeconds.toFixed(1)} s of pauses that spare Premiere`,
  );
}

async function measureStart(): Promise<void> {
  const preview = await startPreview({ minify: true });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const times: (readonly [number, number])[] = [];
    for (let run = 0; run < STARTS; run++) {
      await page.goto(`${preview.url}/?computer=bench-${run}`);
      await page.frameLocator("#panel").locator("[data-view]").waitFor();
      const frame = page.frames().find((one) => one.url().endsWith("/panel/"));
      times.push((await frame?.evaluate(() => globalThis.startMs())) ?? [Number.NaN, Number.NaN]);
    }
    const of = (which: 0 | 1) => `${median(times.map((one) => one[which])).toFixed(1)} ms`;
    print(`start: set up ${of(0)}, first view ${of(1)} after the first script begins (Chromium, median of ${STARTS})`);
  } finally {
    await browser.close();
    await preview.close();
  }
}

/** What a key takes in the words of a cue, until what it changed is drawn. */
async function measureTyping(): Promise<void> {
  const preview = await startPreview({ minify: true });
  const browser = await launchChromium();
  try {
    const computer = "bench-typing";
    await keepResult(join(preview.disksFolder, computer), CUES, 7_200);
    const page = await browser.newPage();
    await page.goto(`${preview.url}/?computer=${computer}&width=480`);
    const panel = page.frameLocator("#panel");
    await panel.locator("#tab-history").click();
    await panel.locator("#open-kept").click();
    await panel.locator("#cues .cue-words").nth(2).click();
    await panel.locator("#cue-text").waitFor();
    const frame = page.frames().find((one) => one.url().endsWith("/panel/"));
    const times = await frame?.evaluate(`(async () => {
      const times = [];
      for (let key = 0; key < ${KEYS}; key++) {
        const field = document.getElementById("cue-text");
        const begun = performance.now();
        field.value += "a";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        // What is drawn a little later is drawn by then: timers keep their order.
        await new Promise((resolve) => setTimeout(resolve));
        document.body.clientHeight;
        times.push(performance.now() - begun);
      }
      return times;
    })()`);
    // What the script above gives.
    const sorted = (times as number[]).sort((a, b) => a - b);
    print(
      `a key in the words of one of ${CUES} cues: drawn after ${median(sorted).toFixed(0)} ms, at most ` +
        `${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms (Chromium, ${KEYS} keys)`,
    );
  } finally {
    await browser.close();
    await preview.close();
  }
}

declare global {
  var startMs: () => readonly [number, number];
}
