import { describe, expect, test } from "vitest";
import { type SpokenLine, spokenSeconds } from "../../src/engine/spoken-line.ts";
import { MAX_LINE_CHARACTERS, type Voice, VoiceUnavailableError } from "../../src/engine/voice/voice.ts";

/** What the suite needs to know of an adapter. */
export interface VoiceUnderTest {
  readonly open: () => Promise<Voice>;
  /** A pairing that the adapter speaks. */
  readonly speaks: { readonly language: string; readonly voice: string };
  /** A pairing that it does not speak. */
  readonly lacks: { readonly language: string; readonly voice: string };
}

const TEXT = "A woman sits at a desk. She opens the letter.";

/** What every adapter of the {@link Voice} port must do. */
export function voiceSuite(name: string, { open, speaks, lacks }: VoiceUnderTest): void {
  describe(`${name}, as a voice`, () => {
    test("speaks a line as mono samples within full scale", async () => {
      const line = await (await open()).speak({ text: TEXT, ...speaks, rate: 1 });
      expect(line.sampleRate).toBeGreaterThanOrEqual(8_000);
      expect(spokenSeconds(line)).toBeGreaterThan(0.5);
      expect(peak(line)).toBeGreaterThan(0.02);
      expect(peak(line)).toBeLessThanOrEqual(1);
    });

    test("gives equal samples for equal requests, whatever was said in between", async () => {
      const voice = await open();
      const first = await voice.speak({ text: TEXT, ...speaks, rate: 1 });
      await voice.speak({ text: "Something else entirely.", ...speaks, rate: 1.2 });
      const second = await voice.speak({ text: TEXT, ...speaks, rate: 1 });
      expect(second.sampleRate).toBe(first.sampleRate);
      expect(second.samples).toEqual(first.samples);
    });

    test("leaves no silence at either end and no click", async () => {
      const { samples, sampleRate } = await (await open()).speak({ text: TEXT, ...speaks, rate: 1 });
      const edge = Math.round(0.03 * sampleRate);
      const loudest = peak({ samples, sampleRate });
      expect(peak({ samples: samples.subarray(0, edge), sampleRate })).toBeGreaterThan(loudest / 300);
      expect(peak({ samples: samples.subarray(-edge), sampleRate })).toBeGreaterThan(loudest / 300);
      // A negative zero is silence too.
      expect(Math.abs(samples[0] ?? 1)).toBe(0);
      expect(Math.abs(samples.at(-1) ?? 1)).toBe(0);
    });

    test("speaks faster at a higher rate", async () => {
      const voice = await open();
      const normal = spokenSeconds(await voice.speak({ text: TEXT, ...speaks, rate: 1 }));
      const faster = spokenSeconds(await voice.speak({ text: TEXT, ...speaks, rate: 1.25 }));
      expect(normal / faster).toBeGreaterThan(1.15);
      expect(normal / faster).toBeLessThan(1.35);
    });

    test("gives no samples for a text without anything to pronounce", async () => {
      const line = await (await open()).speak({ text: " ... ", ...speaks, rate: 1 });
      expect(line.samples.length).toBe(0);
    });

    test("GEN-12: refuses a pairing it does not speak, before and when asked to speak", async () => {
      const voice = await open();
      expect(() => voice.check(lacks.language, lacks.voice)).toThrow(VoiceUnavailableError);
      await expect(voice.speak({ text: TEXT, ...lacks, rate: 1 })).rejects.toThrow(VoiceUnavailableError);
      expect(() => voice.check(speaks.language, speaks.voice)).not.toThrow();
    });

    test("rejects with the signal's own reason once cancelled", async () => {
      const reason = new Error("stopped by the user");
      const request = { text: TEXT, ...speaks, rate: 1 };
      await expect((await open()).speak(request, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    test("refuses a line that no cue could hold", async () => {
      const text = "word ".repeat(MAX_LINE_CHARACTERS);
      await expect((await open()).speak({ text, ...speaks, rate: 1 })).rejects.toThrow(RangeError);
    });

    test("has an identity of its own", async () => {
      expect((await open()).id).toMatch(/^[a-z0-9][a-z0-9._:/-]+$/);
    });
  });
}

function peak(line: SpokenLine): number {
  return line.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}
