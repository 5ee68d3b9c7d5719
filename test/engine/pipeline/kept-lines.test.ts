import { describe, expect, test } from "vitest";
import type { MixReport } from "../../../src/engine/mix/mix-report.ts";
import type { FittedCue } from "../../../src/engine/pipeline/fit.ts";
import { fitAsKept, voicingOf } from "../../../src/engine/pipeline/fit-kept.ts";
import { refuseUnreadMix, soundFindings, unknownThroughout } from "../../../src/engine/pipeline/unknown-sound.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import type { VoiceRequest } from "../../../src/engine/voice/voice.ts";

const { signal } = new AbortController();

/** A voice of 0.4 s a word. */
const narrator = () =>
  new Narrator(
    {
      ...{ id: "even", name: "The even voice", isCharged: false, check: () => {} },
      speak: async ({ text, rate }: VoiceRequest) => ({
        samples: new Float32Array(Math.round((1000 * 0.4 * text.split(" ").length) / rate)).fill(0.1),
        sampleRate: 1000,
      }),
    },
    null,
    { language: "en-US", voice: "Achernar" },
  );

const cue = (id: string, start: number, text: string, rate = 1): FittedCue => ({
  ...{ id, start, end: start + 2, text, rate, narrationSeconds: 2, holdSeconds: 0 },
});
const mixOf = (cues: readonly FittedCue[], programmeLufs: readonly (number | null)[] | null): MixReport => ({
  ...{ sampleCount: 1, channels: 2, narrationGainDb: 3, volumeGainDb: -1, integratedLufs: null, truePeakDbtp: null },
  programmeLufs,
  cues: cues.map(({ id, start }, index) => ({
    ...{ cueId: id, start, seconds: 1.2 + index / 10, narrationLufs: -23, programmeLufs: null, isOverMusic: false },
    ...{ duckDb: 0, marginLu: null, isCut: false },
  })),
});
const description = (id: string, text: string, start: number, seconds: number) => ({
  ...{ id, wordings: [text], importance: 1, picture: { start, end: start + seconds } },
});

describe("lines of an earlier mix", () => {
  const cues = [cue("a", 1.0005, "A dog runs."), cue("b", 5, "A cat sits.", 1.1), cue("c", 9, "A dog runs.", 1.2)];

  test("are kept with all that a later mix takes over, and lines that are gone are not", () => {
    const { lines, ...gains } = voicingOf(
      mixOf([...cues, cue("x", 20, "Gone.")], [-30, null, -20, -10]),
      cues,
      "mixed",
    );
    expect(gains).toEqual({ track: "mixed", narrationGainDb: 3, trackGainDb: -1 });
    expect(lines.map(({ start, seconds, rate, programmeLufs }) => [start, seconds, rate, programmeLufs])).toEqual([
      [1.0005, 1.2, 1, -30],
      [5, 1.3, 1.1, null],
      [9, 1.4, 1.2, -20],
    ]);
    expect(lines[0]?.words).toBe(lines[2]?.words);
    expect(lines[0]?.words).not.toBe(lines[1]?.words);
    for (const line of voicingOf(mixOf(cues, null), cues, "ad_only").lines) {
      expect(line).not.toHaveProperty("programmeLufs");
    }
  });

  test("stay by the sample and the rate where words and length are theirs, the nearest of equal ones; others are fitted", async () => {
    const made = voicingOf(mixOf(cues, [-30, null, -20]), cues, "mixed");
    const voicing = { ...made, lines: made.lines.map((line) => ({ ...line, seconds: 1.2 })) };
    const fractions: number[] = [];
    const descriptions = [
      description("1", " A  dog runs.", 1, 1.2),
      description("2", "A cat sits.", 5.5, 1.2),
      description("3", "A dog runs.", 8, 1.201),
      description("4", "A new line of six words.", 12, 2),
      description("5", "A dog runs.", 30, 1.3),
    ];
    const fitting = await fitAsKept(descriptions, voicing, narrator(), signal, (done) => fractions.push(done));
    const told = fitting.cues.map(({ id, start, rate, programmeLufs }) => [id, start, rate, programmeLufs]);
    expect(told.slice(0, 3)).toEqual([
      ["1", 1.0005, 1, -30],
      // Moved: what lay under it is not what lies under it now.
      ["2", 5.5, 1.1, undefined],
      ["3", 8, 1.2, undefined],
    ]);
    expect(told.slice(3).map(([id, start]) => [id, start])).toEqual([
      ["4", 12],
      ["5", 30],
    ]);
    expect(fitting.cues[3]?.rate).toBeGreaterThan(1);
    expect(fitting.cues[4]?.rate).toBe(1);
    for (const { start, end, narrationSeconds } of fitting.cues) expect(end).toBeCloseTo(start + narrationSeconds, 9);
    expect(fractions).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
    const unspoken = await fitAsKept(descriptions, voicing, null, signal, () => {});
    expect(unspoken.cues.map(({ narrationSeconds }) => Number(narrationSeconds.toFixed(3)))).toEqual([
      1.2, 1.2, 1.201, 2, 1.3,
    ]);
  });
});

describe("sound that is not known", () => {
  const range = (start: number) => ({ start, end: start + 1 });
  const heard = (...unknown: readonly { readonly start: number; readonly end: number }[]) => ({
    ...{ speech: [], music: [], silence: [], unknown },
  });
  const probe = { durationSeconds: 100, statedSeconds: null, unreadSound: null };
  const messages = (
    count: number,
    untold: readonly { readonly start: number; readonly end: number }[] = [range(0)],
  ) => {
    const unknown = Array.from({ length: count }, (_, index) => range(10 * index));
    return soundFindings({ durationSeconds: 100, heard: heard(...unknown) }, probe, untold);
  };

  test("is told with its first stretches, four of them, and how many more", () => {
    const [finding] = messages(4);
    expect(finding).toMatchObject({ rule: "sound-unknown", severity: "fail", start: 0, end: 1 });
    expect(finding?.message).toContain("00:00:20.000 to 00:00:21.000, 00:00:30.000 to 00:00:31.000:");
    expect(messages(6)[0]?.message).toContain("00:00:30.000 to 00:00:31.000 and 2 times more:");
    expect(messages(3, [])[0]).toMatchObject({ severity: "warn" });
    expect(messages(0)).toEqual([]);
  });

  test("throughout is told as such, and keeps a job without captions or a mix from being made", () => {
    const all = [
      { start: 0, end: 30 },
      { start: 30, end: 100 },
    ];
    expect(soundFindings({ durationSeconds: 100, heard: heard(...all) }, probe, all)[0]?.message).toContain(
      "throughout",
    );
    const half = [
      { start: 0, end: 25 },
      { start: 50, end: 75 },
    ];
    expect(unknownThroughout(half, 100, probe)?.message).toContain("does not know where people speak");
    expect(unknownThroughout([{ start: 0, end: 49 }], 100, probe)).toBeNull();
    const refuse = (kind: "text" | "audio" | "video", track: "mixed" | "ad_only", unknown = half) =>
      refuseUnreadMix({ kind, track }, probe, { durationSeconds: 100, heard: heard(...unknown) });
    expect(() => refuse("audio", "mixed")).toThrow("cannot be mixed with the narration");
    expect(() => refuse("video", "ad_only")).toThrow("cannot be mixed with the narration");
    refuse("audio", "ad_only");
    refuse("text", "mixed");
    refuse("audio", "mixed", half.slice(0, 1));
  });

  test("a film that ends before its length is told", () => {
    const ends = (seconds: number, statedSeconds: number | null) =>
      soundFindings({ durationSeconds: seconds, heard: heard() }, { ...probe, statedSeconds }, []).map(
        ({ rule }) => rule,
      );
    expect([ends(100, null), ends(50, null), ends(100, 200)]).toEqual([[], ["ends-early"], ["ends-early"]]);
  });
});
