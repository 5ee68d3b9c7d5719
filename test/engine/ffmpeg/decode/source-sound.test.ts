import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeProgramme } from "../../../../src/engine/ffmpeg/decode/decode-programme.ts";
import { type SoundPart, sourceSound } from "../../../../src/engine/ffmpeg/decode/source-sound.ts";
import { makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { joined, RATE } from "../../mix/tones.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** A file of two seconds whose sound is made by a graph; several of a channel each, where several are given. */
function file(name: string, ...graphs: readonly string[]): string {
  const path = join(folder, name);
  makeMedia(
    path,
    graphs.map((graph) => ({ graph, codec: "pcm_s16le" })),
  );
  return path;
}

/** Both sides of a part of a file's sound. */
async function sidesOf(path: string, part: Partial<SoundPart> = {}): Promise<readonly [Float32Array, Float32Array]> {
  const blocks: Float32Array[][] = [];
  const whole = { sourceStart: 0, speed: 1, samples: 2 * RATE, sampleRate: RATE };
  for await (const block of sourceSound(path, { ...whole, ...part })) blocks.push(block.map((plane) => plane.slice()));
  const side = (index: number) => joined(...blocks.map((block) => block[index] ?? new Float32Array()));
  return [side(0), side(1)];
}

/** The loudest of each quarter second, to a hundredth. */
const heard = (samples: Float32Array) =>
  Array.from({ length: Math.ceil(samples.length / (RATE / 4)) }, (_, at) => {
    const part = samples.subarray((at * RATE) / 4, ((at + 1) * RATE) / 4);
    return Number(part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0).toFixed(2));
  });

/** A square wave on each of the channels that a level is given for, the second half of it twice as loud. */
const levels = (...given: readonly number[]) =>
  `aevalsrc=${given.map((level) => `${level}*(1+gte(t\\,1))*(2*lt(mod(t*100\\,1)\\,0.5)-1)`).join("|")}:sample_rate=${RATE}:duration=2`;
const HALVES = (level: number) => [...Array(4).fill(level), ...Array(4).fill(Number((2 * level).toFixed(2)))];

describe("a part of a file's sound in a cut", () => {
  test("is both its sides, from where it begins, as long as asked for", async () => {
    const path = file("stereo.wav", levels(0.1, 0.2));
    const [left, right] = await sidesOf(path);
    expect([left.length, right.length]).toEqual([2 * RATE, 2 * RATE]);
    expect([heard(left), heard(right)]).toEqual([HALVES(0.1), HALVES(0.2)]);
    const [later] = await sidesOf(path, { sourceStart: 1, samples: RATE / 2 });
    expect(heard(later)).toEqual([0.2, 0.2]);
    // Silence where the file has none any more.
    const [end, other] = await sidesOf(path, { sourceStart: 1.5, samples: RATE });
    expect([heard(end), heard(other)]).toEqual([
      [0.2, 0.2, 0, 0],
      [0.4, 0.4, 0, 0],
    ]);
  });

  test("is one channel on the side where editors lay it, odd ones left and even ones right; of one alone, on both", async () => {
    const path = file("four.wav", `${levels(0.1, 0.2, 0.3, 0.4)}:channel_layout=4.0`);
    for (const [channel, sides] of [
      [1, [HALVES(0.1), HALVES(0)]],
      [2, [HALVES(0), HALVES(0.2)]],
      [3, [HALVES(0.3), HALVES(0)]],
      [4, [HALVES(0), HALVES(0.4)]],
    ] as const) {
      expect((await sidesOf(path, { channel })).map(heard)).toEqual(sides);
    }
    const mono = file("mono.wav", levels(0.1));
    // 3 dB lower on each, so that it is as loud as before.
    expect((await sidesOf(mono, { channel: 1 })).map(heard)).toEqual([HALVES(0.07), HALVES(0.07)]);
  });

  test("is as long at another speed, and nothing of a file without sound", async () => {
    const path = file("fast.wav", levels(0.1, 0.2));
    const [left, right] = await sidesOf(path, { speed: 2, samples: RATE });
    expect([left.length, right.length]).toEqual([RATE, RATE]);
    expect(heard(left)[0]).toBeCloseTo(0.1, 1);
    expect(heard(right).at(-2)).toBeCloseTo(0.4, 1);
    makeMedia(join(folder, "silent.mkv"), [{ graph: "color=size=32x32:rate=25:duration=1", codec: "mpeg4" }]);
    expect((await sidesOf(join(folder, "silent.mkv")))[0]).toHaveLength(0);
  });

  test("is every channel that stands in a track of its own, and the track that is asked for", async () => {
    const path = file("tracks.mov", levels(0.1), levels(0.2));
    expect((await sidesOf(path)).map(heard)).toEqual([HALVES(0.1), HALVES(0.2)]);
    expect((await sidesOf(path, { tracks: [2] })).map(heard)).toEqual([HALVES(0.14), HALVES(0.14)]);
  });
});

test("sound in several tracks ends with the last of them, and what is missing of any is silent on each side", async () => {
  const short = levels(0.2).replace("duration=2", "duration=1");
  const path = file("uneven.mov", short, levels(0.1));
  const planes: Float32Array[][] = [];
  let end = 0;
  for await (const part of decodeProgramme(path, { durationSeconds: 3, withPicture: false })) {
    if (part.kind === "sound" && part.block.planes.length > 0)
      planes.push(part.block.planes.map((plane) => plane.slice()));
    if (part.kind === "end") end = part.soundSeconds;
  }
  expect(end).toBeCloseTo(2, 2);
  const [left, right] = [0, 1].map((side) => heard(joined(...planes.map((one) => one[side] ?? new Float32Array()))));
  expect(left).toEqual([0.2, 0.2, 0.2, 0.2, ...Array(8).fill(0)]);
  expect(right).toEqual([...HALVES(0.1), 0, 0, 0, 0]);
});
