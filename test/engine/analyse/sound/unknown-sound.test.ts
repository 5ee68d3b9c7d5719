import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { subtractRanges, totalDuration } from "../../../../src/core/time-range.ts";
import { analyseProgramme } from "../../../../src/engine/analyse/analyse-programme.ts";
import { detectSpeech } from "../../../../src/engine/analyse/sound/analyse-sound.ts";
import { dialogueOf } from "../../../../src/engine/dialogue/dialogue.ts";
import { isCutShort } from "../../../../src/engine/ffmpeg/probe/cut-short.ts";
import { probeMedia } from "../../../../src/engine/ffmpeg/probe/probe.ts";
import { refuseUnreadMix, soundFindings, unknownThroughout } from "../../../../src/engine/pipeline/unknown-sound.ts";
import { type MadeStream, makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../../thorough/thorough-test.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

const SIGNAL = new AbortController().signal;

const PICTURE: MadeStream = {
  graph: "testsrc2=size=160x120:rate=25:duration=20",
  codec: "libx264",
  options: { preset: "ultrafast", g: "25" },
};
const sound = (seconds: number): MadeStream => ({
  graph: `sine=frequency=300:sample_rate=48000:duration=${seconds}`,
  codec: "aac",
});

function made(name: string, streams: readonly MadeStream[], options: Record<string, string> = {}): string {
  const path = join(folder, name);
  makeMedia(path, streams, options);
  return path;
}

/** A film whose only sound has a codec that nobody decodes. */
async function unread(name: string): Promise<string> {
  const path = made(name, [PICTURE, { ...sound(20), codec: "pcm_s16le" }]);
  const bytes = await readFile(path);
  bytes.write("apac", bytes.lastIndexOf("sowt"), "latin1");
  await writeFile(path, bytes);
  return path;
}

thoroughTest("sound that nobody decodes is unknown throughout: no silence, no pause, no mix", async () => {
  const path = await unread("unread.mov");
  const probe = await probeMedia(path);
  expect(probe).toMatchObject({ sound: null, unreadSound: expect.stringContaining("apac") });
  const analysis = await analyseProgramme(path, probe, { folder: join(folder, "unread") });
  const { durationSeconds, heard } = analysis;
  expect(heard).toMatchObject({ speech: [], silence: [], unknown: [{ start: 0, end: durationSeconds }] });
  expect((await detectSpeech({ path }, SIGNAL)).heard).toMatchObject({ silence: [], unknown: [{ start: 0 }] });
  for (const order of [
    { kind: "video", track: "mixed" },
    { kind: "audio", track: "mixed" },
  ] as const) {
    expect(() => refuseUnreadMix(order, probe)).toThrow(/cannot be decoded \(.*apac\)/);
  }
  for (const order of [
    { kind: "text", track: "mixed" },
    { kind: "audio", track: "ad_only" },
  ] as const) {
    refuseUnreadMix(order, probe, analysis);
  }
});

test("captions tell where somebody speaks in sound that nobody decodes; a server that hears nothing does not", async () => {
  const order = {
    mediaPath: made("plain.mp4", [PICTURE]),
    ...{ mediaFolder: folder, durationSeconds: 20, heard: [], language: "en-US", mayAsk: false, environment: {} },
    unknown: [{ start: 0, end: 20 }],
  };
  const line = { start: 3, end: 5, text: "Hello, who is there?" };
  const told = await dialogueOf({ ...order, captions: [line] }, SIGNAL);
  expect(told).toMatchObject({ unknown: [], speech: [{ start: 3, end: 5 }] });
  const untold = await dialogueOf({ ...order, captions: [] }, SIGNAL);
  expect(untold).toMatchObject({ unknown: [{ start: 0, end: 20 }], speech: [{ start: 0, end: 20 }] });
  const probe = { durationSeconds: 20, statedSeconds: null, unreadSound: "apac" };
  expect(unknownThroughout(told.unknown, 20, probe)).toBeNull();
  expect(unknownThroughout(untold.unknown, 20, probe)?.message).toContain("Aside does not know where people speak");
  const analysis = { durationSeconds: 20, heard: { speech: [], music: [], silence: [], unknown: order.unknown } };
  expect(soundFindings(analysis, probe, told.unknown)).toMatchObject([{ rule: "sound-unknown", severity: "warn" }]);
  expect(soundFindings(analysis, probe, untold.unknown)).toMatchObject([{ rule: "sound-unknown", severity: "fail" }]);
});

test.each(IS_THOROUGH ? ["mp4", "mov", "mkv"] : ["mp4"])(
  "a film cut short ends where its packets do, and says what it states: %s",
  async (ending) => {
    const faststart: Record<string, string> = ending === "mp4" || ending === "mov" ? { movflags: "faststart" } : {};
    const path = made(`torn.${ending}`, [PICTURE, sound(20)], faststart);
    expect(await isCutShort(path)).toBe(false);
    const whole = await probeMedia(path);
    expect(whole.statedSeconds).toBeNull();
    const bytes = await readFile(path);
    await truncate(path, Math.floor(bytes.length * 0.4));
    expect(await isCutShort(path)).toBe(true);
    const probe = await probeMedia(path);
    expect(probe.statedSeconds).toBeCloseTo(whole.durationSeconds ?? 0, 0);
    expect(probe.durationSeconds).toBeGreaterThan(4);
    expect(probe.durationSeconds).toBeLessThan(12);
    const analysis = await analyseProgramme(path, probe, { folder: join(folder, `torn-${ending}`) });
    expect(Math.abs(analysis.durationSeconds - (probe.durationSeconds ?? 0))).toBeLessThan(1);
    expect(soundFindings(analysis, probe, [])[0]).toMatchObject({ rule: "ends-early", severity: "fail" });
  },
);

thoroughTest(
  "sound that is lost in the middle is unknown there; sound that begins late or ends early by its header is silence",
  async () => {
    const path = made("hole.mkv", [PICTURE, { ...sound(7), startSeconds: 3 }]);
    const late = await detectSpeech({ path }, SIGNAL);
    expect(late.heard?.unknown).toBeUndefined();
    expect(totalDuration(late.heard?.silence ?? [])).toBeGreaterThan(12);

    const parts = made("whole.mkv", [PICTURE, sound(20)]);
    const bytes = await readFile(parts);
    // A damaged part of the disk, a fifth of the file long.
    bytes.fill(0, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.6));
    await writeFile(parts, bytes);
    const analysis = await analyseProgramme(parts, await probeMedia(parts), { folder: join(folder, "hole") });
    const { durationSeconds, heard } = analysis;
    expect(totalDuration(heard.unknown ?? [])).toBeGreaterThan(2);
    expect(totalDuration(heard.unknown ?? [])).toBeLessThan(6);
    for (const silent of heard.silence) expect(subtractRanges(silent, heard.unknown ?? [])).toEqual([silent]);
    expect(durationSeconds).toBeCloseTo(20, 0);
  },
);
