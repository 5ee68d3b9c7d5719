import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planPieces, soundOfPieces } from "../../../src/engine/dialogue/transcribe.ts";
import { sentWave } from "../../../src/engine/dialogue/transcriber.ts";
import { decodeProgramme } from "../../../src/engine/ffmpeg/decode/decode-programme.ts";
import { readWaveHeader, waveLength } from "../../../src/formats/wave/read-wave.ts";
import { numbersBetween } from "../../numbers-between.ts";
import { sharedMedia } from "../../shared-media.ts";

const range = (start: number, end: number) => ({ start, end });

describe("pieces of sound", () => {
  test("hold speech with a little around it, without what is silent for long", () => {
    expect(planPieces([range(0.2, 5), range(10, 12), range(60, 99.9)], 100)).toEqual([
      range(0, 12.5),
      range(59.5, 100),
    ]);
    expect(planPieces([], 100)).toEqual([]);
  });

  test("are ten minutes long at most, and cut where nobody speaks unless somebody speaks on", () => {
    expect(planPieces([range(1, 400), range(402, 590), range(592, 700)], 2000)).toEqual([
      range(0.5, 590.5),
      range(591.5, 700.5),
    ]);
    expect(planPieces([range(0.5, 1299.5)], 2000)).toEqual([range(0, 600), range(600, 1200), range(1200, 1300)]);
  });

  test("hold all speech, in order, each part once", () => {
    const speech = fc.array(fc.tuple(numbersBetween(0, 4000), numbersBetween(0.1, 900)));
    fc.assert(
      fc.property(speech, (parts) => {
        const ranges = parts.map(([start, length]) => range(start, start + length));
        const pieces = planPieces(ranges, 5000);
        for (const [index, piece] of pieces.entries()) {
          expect(piece.end - piece.start).toBeLessThanOrEqual(600.001);
          expect(piece.start).toBeGreaterThanOrEqual(pieces[index - 1]?.end ?? 0);
        }
        for (const { start, end } of ranges)
          for (const at of [start, (start + end) / 2, end - 0.01])
            expect(pieces.some((piece) => at >= piece.start && at <= piece.end)).toBe(true);
      }),
    );
  });

  test("are the sound of their stretch, to the sample, also where the last one ends with the file", async () => {
    const { signal } = new AbortController();
    const path = sharedMedia("constructed/placed-speech-silence.mp4");
    const read = async (pieces: readonly { start: number; end: number }[]) => {
      const waves: Uint8Array[] = [];
      for await (const { samples } of soundOfPieces(path, pieces, 120, signal)) waves.push(sentWave(samples));
      return waves;
    };
    const dialogue: number[] = [];
    for await (const part of decodeProgramme(path, { durationSeconds: 120, withPicture: false }))
      if (part.kind === "sound") for (const sample of part.block.dialogue) dialogue.push(Math.round(32_767 * sample));
    const parts = [range(1, 2), range(2, 40), range(90, 120)];
    const waves = await read(parts);
    expect(waves).toHaveLength(3);
    for (const [index, { start, end }] of parts.entries()) {
      const wave = waves[index] ?? new Uint8Array();
      const reading = readWaveHeader(wave);
      if (!reading.ok) throw new Error(reading.code);
      expect(waveLength(reading.layout, wave.length).seconds).toBe(end - start);
      const same = Int16Array.from(dialogue.slice(16_000 * start, 16_000 * end));
      expect(Buffer.compare(wave.subarray(reading.layout.dataOffset), new Uint8Array(same.buffer))).toBe(0);
    }
  }, 60_000);
});
