import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TimeMap } from "../../../src/core/time-map.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { type MadeMovie, renderMovie } from "../../../src/engine/ffmpeg/render-movie.ts";
import { heldSound } from "../../../src/engine/mix/held-sound.ts";
import { mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import { programmeSound, trackSamples } from "../../../src/engine/mix/programme-sound.ts";
import { launchChromium } from "../../chromium.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const SECONDS = 6;
const RATE = 10;
/** Luma of frame `n`: each frame says which one it is. */
const LUMA = { first: 20, step: 3 };

/** Frames can be put between those of an MP4 file; where the rate is uneven, a pause is one long frame; Matroska is encoded. */
const KINDS = {
  spliced: { container: "mp4", isVariableRate: false },
  copied: { container: "mkv", isVariableRate: true },
  encoded: { container: "mkv", isVariableRate: false },
} as const;

const map = new TimeMap([
  { at: 0.5, seconds: 1.5 },
  { at: 3, seconds: 2 },
  { at: 5.5, seconds: 1 },
]);

let folder = "";
let server: Server;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = createServer(async (request, response) => {
    if (!request.url?.startsWith("/movie")) {
      response.setHeader("content-type", "text/html").end("<video></video><canvas width=64 height=64></canvas>");
      return;
    }
    const path = join(folder, "movie.mp4");
    const { size } = await stat(path);
    const [from, to] = (/bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? ["", "0", ""]).slice(1);
    const [start, end] = [Number(from), to === "" || to === undefined ? size - 1 : Number(to)];
    response.writeHead(206, {
      "content-type": "video/mp4",
      "accept-ranges": "bytes",
      "content-range": `bytes ${start}-${end}/${size}`,
      "content-length": end - start + 1,
    });
    // A player breaks off whenever it seeks.
    await pipeline(createReadStream(path, { start, end }), response).catch(() => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  browser = await launchChromium();
  page = await browser.newPage();
  // A server that listens on a port has an address of this form.
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}, 120_000);
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

async function makeMovie(kind: keyof typeof KINDS): Promise<MadeMovie> {
  const { container, isVariableRate } = KINDS[kind];
  const source = join(folder, `source.${container}`);
  makeMedia(source, [
    {
      graph: `nullsrc=size=128x96:rate=${RATE}:duration=${SECONDS},geq=lum='${LUMA.first}+${LUMA.step}*N':cb=128:cr=128`,
      codec: "libx264",
      options: { preset: "medium", bf: "3", crf: "10" },
    },
    { graph: `sine=frequency=440:sample_rate=48000:duration=${SECONDS}`, codec: "aac" },
  ]);
  const probed = await probeMedia(source);
  const probe = { ...probed, picture: probed.picture && { ...probed.picture, isVariableRate } };
  const programme = programmeSound(source, probe, SECONDS);
  const [mixedPath, narrationPath] = [join(folder, "mixed.wav"), join(folder, "narration.wav")];
  for (const [track, path] of [
    ["mixed", mixedPath],
    ["ad_only", narrationPath],
  ] as const) {
    await mixNarration({
      track,
      programme: programme === null ? null : heldSound(programme, map),
      sampleCount: trackSamples(SECONDS + map.addedSeconds),
      lines: [],
      music: [],
      path,
    });
  }
  return await renderMovie(
    {
      source,
      probe,
      path: join(folder, "movie.mp4"),
      map,
      height: null,
      mixedPath,
      narrationPath,
      language: "eng",
      captions: [{ id: "a", start: 1, end: 2, text: "Hello." }],
      durationSeconds: SECONDS,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
}

/** Runs a function's body in the page, where `video` and `canvas` are at hand. Text: the page's types are not this project's. */
function inPage<T>(body: string): Promise<T> {
  return page.evaluate<T>(`(async () => {
    const video = document.querySelector("video");
    const canvas = document.querySelector("canvas").getContext("2d");
    const happens = (event) => new Promise((resolve, reject) => {
      video.addEventListener(event, resolve, { once: true });
      video.addEventListener("error", () => reject(new Error(video.error.message)), { once: true });
    });
    ${body}
  })()`);
}

/** The number that the frame carries which is shown at a time of the video. */
async function frameAt(seconds: number): Promise<number> {
  // "seeked" may come before the new frame is there to be drawn.
  const red = await inPage<number>(`
    const drawable = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
    video.currentTime = ${seconds};
    await happens("seeked");
    await drawable;
    canvas.drawImage(video, 0, 0, 64, 64);
    return canvas.getImageData(32, 32, 1, 1).data[0];`);
  return Math.round((red / (255 / 219) + 16 - LUMA.first) / LUMA.step);
}

test.each(["spliced", "copied", "encoded"] as const)(
  "VIDEO-11: an extended video whose picture is %s plays in Chromium, and shows the right frame before, in and after each pause",
  async (kind) => {
    const { isPictureCopied, encodedSeconds } = await makeMovie(kind);
    expect([isPictureCopied, encodedSeconds > 0]).toEqual([kind !== "encoded", kind === "spliced"]);
    const duration = await inPage<number>(`
      video.src = "/movie?${kind}";
      await happens("loadeddata");
      return video.duration;`);
    expect(duration).toBeCloseTo(SECONDS + map.addedSeconds, 1);
    const times = [0.25, 0.45, 0.9, 1.95, 2.05, 3.05, 4.45, 4.55, 5.4, 6.45, 6.55, 8.95, 9.6, 9.95, 10.05, 10.45];
    for (const time of times) {
      const shown = map.programmeTime(time);
      const isHeld = map.holds.some(({ at }) => at === shown);
      // In a pause the frame before it is held.
      const expected = isHeld ? Math.round(shown * RATE) - 1 : Math.floor(shown * RATE + 1e-6);
      expect([time, await frameAt(time)]).toEqual([time, expected]);
    }
    const ended = await inPage<number>(`
      video.currentTime = 0;
      video.muted = true;
      video.playbackRate = 4;
      await video.play();
      await happens("ended");
      return video.currentTime;`);
    expect(ended).toBeCloseTo(duration, 1);
  },
  120_000,
);
