import { beforeAll, describe, expect, test } from "vitest";
import type { Heard } from "../../../../src/core/gap.ts";
import type { DetectorBlock } from "../../../../src/engine/analyse/sound/sound-detection.ts";
import { SoundDetector } from "../../../../src/engine/analyse/sound/sound-detector.ts";
import { decodeProgramme } from "../../../../src/engine/ffmpeg/decode/decode-programme.ts";
import { sharedMedia } from "../../../shared-media.ts";

const PATH = sharedMedia("audio/speech-clean/moon-speech.mp3");
const SECONDS = 5;
const RATE = 16_000;

/** Five seconds of somebody who speaks, mono at 16 kHz, in blocks as they are decoded. */
const spoken: Float32Array[] = [];
beforeAll(async () => {
  for await (const part of decodeProgramme(PATH, { durationSeconds: SECONDS, withPicture: false })) {
    if (part.kind === "sound") spoken.push(part.block.dialogue);
  }
});

/** What is heard in blocks that are made of the speech. */
async function heardIn(block: (dialogue: Float32Array, from: number) => Partial<DetectorBlock>): Promise<Heard> {
  const detector = await SoundDetector.start(RATE);
  let from = 0;
  for (const dialogue of spoken) {
    detector.add({ planes: [dialogue], dialogue, centre: null, bed: null, ...block(dialogue, from) });
    from += dialogue.length;
  }
  return detector.finish(SECONDS);
}

/** A rustle far below speech. */
const rustle = (samples: Float32Array) => samples.map((_, at) => 0.002 * Math.sin(at * at));

/** Five tones that are held, from a sample of the programme on. */
const chord = (samples: Float32Array, from: number) =>
  samples.map(
    (_, at) =>
      [200, 400, 700, 1100, 1600].reduce(
        (sum, hertz) => sum + Math.sin((hertz * 2 * Math.PI * (from + at)) / RATE),
        0,
      ) / 50,
  );

describe("what is heard in a programme", () => {
  test("is the speech of the mix and of the centre alone, since a missed word is worse than a lost gap", async () => {
    const plain = await heardIn(() => ({}));
    expect(plain.speech.length).toBeGreaterThan(0);
    const drowned = await heardIn((dialogue) => ({ dialogue: rustle(dialogue), planes: [rustle(dialogue)] }));
    expect(drowned.speech).toEqual([]);
    const centre = await heardIn((dialogue) => ({
      ...{ dialogue: rustle(dialogue), planes: [rustle(dialogue)], centre: dialogue },
    }));
    expect(centre.speech.length).toBeGreaterThan(0);
    expect(centre.speech[0]?.start).toBeCloseTo(plain.speech[0]?.start ?? 0, 0);
    const beside = await heardIn((dialogue) => ({ centre: rustle(dialogue) }));
    expect(beside.speech).toEqual(plain.speech);
  });

  test("is no silence where somebody speaks or plays, and music in the bed, if there is one", async () => {
    const bed = await heardIn((dialogue, from) => ({ bed: chord(dialogue, from) }));
    expect(bed.music).toMatchObject([{ start: 0 }]);
    expect((await heardIn((dialogue) => ({ bed: new Float32Array(dialogue.length) }))).music).toEqual([]);
    const still = await heardIn((dialogue, from) => ({
      ...{ planes: [new Float32Array(dialogue.length)], bed: chord(dialogue, from) },
    }));
    // Where the sound itself is silent for more than a second nothing plays.
    expect(still.music).toEqual([]);
    for (const { speech, silence } of [bed, still]) {
      for (const quiet of silence) {
        expect(speech.every(({ start, end }) => end <= quiet.start || start >= quiet.end)).toBe(true);
      }
    }
  });
});
