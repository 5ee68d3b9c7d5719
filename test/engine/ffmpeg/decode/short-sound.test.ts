import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeShortSound } from "../../../../src/engine/ffmpeg/decode/short-sound.ts";
import { makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { rmsDbfs } from "../../mix/tones.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** A file's bytes, whose sound is made by a graph. */
async function made(name: string, graph: string, codec: string): Promise<Uint8Array> {
  makeMedia(join(folder, name), [{ graph, codec }]);
  return await readFile(join(folder, name));
}

/** What short sounds have left in the system's folder. */
const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("aside-sound-"));

describe("a sound in memory", () => {
  test.each([
    ["a.wav", "pcm_s16le", 22_050],
    ["a.m4a", "aac", 44_100],
    ["a.mp3", "libmp3lame", 48_000],
    ["a.ogg", "libopus", 48_000],
  ])("is decoded whole, whatever it is: %s", async (name, codec, sampleRate) => {
    const graph = `sine=frequency=300:sample_rate=${sampleRate}:duration=1.5`;
    const sound = await decodeShortSound(await made(name, graph, codec));
    expect(sound?.sampleRate).toBe(sampleRate);
    const [samples = new Float32Array()] = sound?.channels ?? [];
    expect(Math.abs(samples.length / sampleRate - 1.5)).toBeLessThan(0.08);
    expect(rmsDbfs(samples.subarray(0.1 * sampleRate, 1.4 * sampleRate))).toBeCloseTo(-21.2, 0);
  });

  test("is one channel, of all that it has", async () => {
    const sides = (left: number, right: number) =>
      `aevalsrc=${left}*sin(880*PI*t)|${right}*sin(880*PI*t):sample_rate=48000:duration=1`;
    const [both, one, against] = [
      await made("both.wav", sides(0.2, 0.2), "pcm_s16le"),
      await made("one.wav", sides(0, 0.2), "pcm_s16le"),
      await made("against.wav", sides(0.2, -0.2), "pcm_s16le"),
    ];
    const level = async (bytes: Uint8Array) =>
      rmsDbfs((await decodeShortSound(bytes))?.channels[0] ?? new Float32Array());
    expect((await level(both)) - (await level(one))).toBeCloseTo(6, 0);
    expect(await level(against)).toBeLessThan(-80);
  });

  test("is cut off after five minutes", async () => {
    const long = await made("long.wav", "anullsrc=r=8000:cl=mono,atrim=0:330", "pcm_s16le");
    const seconds = ((await decodeShortSound(long))?.channels[0].length ?? 0) / 8_000;
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(302);
  });

  test("is none where the bytes are something else, and leaves nothing behind", async () => {
    const before = await left();
    const picture = await made("picture.mkv", "color=size=32x32:rate=25:duration=0.2", "mpeg4");
    for (const bytes of [new Uint8Array(), Buffer.from("<html>no sound</html>"), picture]) {
      expect(await decodeShortSound(bytes)).toBeNull();
    }
    expect((await left()).filter((name) => !before.includes(name))).toEqual([]);
  });
});
