import { describe, expect, test } from "vitest";
import { PITCHES_PER_SECOND, PitchTrack } from "../../../../src/engine/analyse/sound/pitch-track.ts";

const RATE = 16_000;

/** Two seconds of a voice-like tone: a fundamental and four overtones. */
function tone(hertzAt: (seconds: number) => number): Float32Array {
  let phase = 0;
  return Float32Array.from({ length: 2 * RATE }, (_, i) => {
    phase += (2 * Math.PI * hertzAt(i / RATE)) / RATE;
    return [1, 2, 3, 4, 5].reduce((sum, overtone) => sum + (0.1 / overtone) * Math.sin(overtone * phase), 0);
  });
}

function pitchesOf(sound: Float32Array, block = sound.length): number[] {
  const track = new PitchTrack();
  for (let at = 0; at < sound.length; at += block) track.add(sound.slice(at, at + block));
  return [...track.pitches()];
}

describe("the pitch of a voice", () => {
  test.each([75, 110, 220, 330])("is found at %s Hz, to a hundredth", (hertz) => {
    const pitches = pitchesOf(tone(() => hertz));
    expect(pitches.length).toBeGreaterThan(1.9 * PITCHES_PER_SECOND);
    for (const pitch of pitches) expect(Math.abs(pitch / hertz - 1)).toBeLessThan(0.01);
  });

  test("follows a glide", () => {
    const pitches = pitchesOf(tone((seconds) => 300 - 75 * seconds));
    for (const [index, pitch] of pitches.entries()) {
      const hertz = 300 - 75 * (index / PITCHES_PER_SECOND + 0.03);
      expect(Math.abs(pitch / hertz - 1)).toBeLessThan(0.05);
    }
  });

  test("is none in noise and in silence", () => {
    let state = 1;
    const noise = Float32Array.from({ length: 2 * RATE }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return 0.1 * (state / 2_147_483_648 - 1);
    });
    const voiced = pitchesOf(noise).filter((pitch) => pitch > 0);
    expect(voiced.length).toBeLessThan(0.1 * 2 * PITCHES_PER_SECOND);
    expect(Math.max(...pitchesOf(new Float32Array(RATE)))).toBe(0);
  });

  test("does not depend on the blocks it comes in", () => {
    const sound = tone((seconds) => 150 + 40 * Math.sin(5 * seconds));
    expect(pitchesOf(sound, 1_001)).toEqual(pitchesOf(sound));
  });
});
