import { describe, expect, test } from "vitest";
import { HighPass, SpeechDetector } from "../../../../src/engine/analyse/sound/voice-features.ts";
import { LANES } from "../../../../src/engine/analyse/speech-network/network-layer.ts";
import { NETWORK_FRAME } from "../../../../src/engine/analyse/speech-network/speech-network.ts";

const RATE = 16_000;
const FRAME_SECONDS = NETWORK_FRAME / RATE;

/** A sound each of whose frames says by the proportion of its first two samples which one it is. */
function numbered(frames: number): Float32Array {
  const sound = new Float32Array(frames * NETWORK_FRAME);
  for (let frame = 0; frame < frames; frame++) sound.set([0.1, (0.1 * frame) / frames], frame * NETWORK_FRAME);
  return sound;
}

/** Probabilities that say which frame was heard: its place among so many, or from the end. */
function reader(read: (share: number) => number, heard: Float32Array[][] = []) {
  const shareAt = (sound: Float32Array, frame: number) =>
    (sound[frame * NETWORK_FRAME + 1] ?? 0) / (sound[frame * NETWORK_FRAME] ?? 1);
  return {
    probabilities(sounds: readonly Float32Array[]) {
      expect(sounds.length).toBeLessThanOrEqual(LANES);
      heard.push([...sounds]);
      return sounds.map((sound) =>
        Float32Array.from({ length: Math.ceil(sound.length / NETWORK_FRAME) }, (_, frame) =>
          read(shareAt(sound, frame)),
        ),
      );
    },
  };
}

/** Frames of five minutes, so that all parts that are heard side by side come twice and a few more are left. */
const FRAMES = Math.round(300 / FRAME_SECONDS);

describe("speech in a long sound", () => {
  const sound = numbered(FRAMES);

  test.each([
    ["in short blocks", 4_001],
    ["in blocks of ten seconds", 10 * RATE],
    ["in one", sound.length],
  ])("is told of each frame once and in order, by each network, where it comes %s", (_, block) => {
    const detector = new SpeechDetector([reader((share) => share), reader((share) => 1 - share)]);
    for (let at = 0; at < sound.length; at += block) detector.add(sound.slice(at, at + block));
    const [first = new Float32Array(), second = new Float32Array()] = detector.finish();
    expect([first.length, second.length]).toEqual([FRAMES, FRAMES]);
    const wrong = [...first.keys()].filter(
      (frame) =>
        Math.abs((first[frame] ?? 0) * FRAMES - frame) > 0.4 ||
        Math.abs((1 - (second[frame] ?? 0)) * FRAMES - frame) > 0.4,
    );
    expect(wrong).toEqual([]);
  });

  test("is heard by parts, each from five seconds before it on", () => {
    const heard: Float32Array[][] = [];
    const detector = new SpeechDetector([reader((share) => share, heard)]);
    detector.add(sound);
    detector.finish();
    const begins = heard.flat().map((part) => ((part[1] ?? 0) / (part[0] ?? 1)) * 300);
    const ends = heard.flat().map((part, index) => (begins[index] ?? 0) + part.length / RATE);
    expect(begins[0]).toBeCloseTo(0, 1);
    expect(ends.at(-1)).toBeCloseTo(300, 1);
    for (const [index, begin] of begins.slice(1).entries()) expect((ends[index] ?? 0) - begin).toBeCloseTo(5, 1);
  });

  test("is told of a begun frame too, and of nothing where there is no sound", () => {
    for (const [samples, frames] of [
      [0, 0],
      [1, 1],
      [NETWORK_FRAME, 1],
      [NETWORK_FRAME + 1, 2],
    ] as const) {
      const detector = new SpeechDetector([reader(() => 0.5)]);
      detector.add(new Float32Array(samples).fill(0.1));
      expect(detector.finish().map((values) => values.length)).toEqual([frames]);
    }
  });
});

describe("what lies below the voice", () => {
  /** A tone's level behind the filter, in dB of what it was before, when it has settled. */
  function behind(hertz: number, block: number): number {
    const filter = new HighPass(RATE, 150);
    const tone = Float32Array.from({ length: RATE }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / RATE));
    const filtered = new Float32Array(RATE);
    for (let at = 0; at < RATE; at += block) filtered.set(filter.filter(tone.subarray(at, at + block)), at);
    const energy = (values: Float32Array) => values.subarray(RATE / 2).reduce((sum, value) => sum + value ** 2, 0);
    return 10 * Math.log10(energy(filtered) / energy(tone));
  }

  test.each([RATE, 77])("is taken out by 12 dB an octave, in blocks of %i samples", (block) => {
    expect(behind(150, block)).toBeCloseTo(-6.5, 1);
    expect(behind(25, block) - behind(12.5, block)).toBeCloseTo(12, 0);
    expect(behind(1_500, block)).toBeCloseTo(-0.6, 1);
  });
});
