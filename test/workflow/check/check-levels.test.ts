import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { SILENCE_LUFS, type SoundMeasure } from "../../../src/core/measures.ts";
import type { TimeRange } from "../../../src/core/time-range.ts";
import { checkLevels } from "../../../src/workflow/check/check-levels.ts";
import { DEFAULT_PROFILE } from "../../../src/workflow/check/check-profile.ts";
import { numbersBetween } from "../../numbers-between.ts";

const CUE: Cue = { id: "a", start: 10, end: 12, text: "A dog." };

/** A sound of twenty seconds that is as loud as said, and in one stretch otherwise. */
function sound(lufs: number, loud: { readonly range: TimeRange; readonly lufs: number } | null = null): SoundMeasure {
  const isLoud = (tenth: number) => loud !== null && tenth / 10 >= loud.range.start && tenth / 10 < loud.range.end;
  return {
    durationSeconds: 20,
    levels: Array.from({ length: 200 }, (_, tenth) => (isLoud(tenth) && loud !== null ? loud.lufs : lufs)),
    integratedLufs: lufs,
    truePeakDbtp: -6,
    active: [],
  };
}

const NOBODY = { speech: [], music: [], silence: [] };
/** Loudness of two sounds together that have nothing to do with each other. */
const together = (a: number, b: number) => 10 * Math.log10(10 ** (a / 10) + 10 ** (b / 10));
const check = (
  result: Parameters<typeof checkLevels>[0]["result"],
  cues: readonly Cue[] = [CUE],
  music: readonly TimeRange[] = [],
) => checkLevels({ result, heardCues: cues, music, profile: DEFAULT_PROFILE });
const narration = (lufs: number) => sound(SILENCE_LUFS, { range: CUE, lufs });

describe("a narration in a mix", () => {
  const mixed = (voice: number, bed: number) =>
    check({ narration: narration(voice), mix: sound(bed, { range: CUE, lufs: together(voice, bed) }) });

  test("is held against what lies under it, told from the mix, whatever the loudness of both", () => {
    fc.assert(
      fc.property(numbersBetween(-40, -10), numbersBetween(-3, 30), (voice, above) => {
        const [finding, ...more] = mixed(voice, voice - above);
        expect(more).toEqual([]);
        const expected = above < 5.99 ? "fail" : above < 14.49 ? "warn" : undefined;
        // At the limits themselves either is right.
        if ([6, 14.5].some((limit) => Math.abs(above - limit) < 0.02)) return;
        expect(finding?.severity).toBe(expected);
        if (finding === undefined) return;
        expect(finding).toMatchObject({ rule: "level", cueIds: ["a"], limit: above < 6 ? 6 : 14.5, unit: "LU" });
        expect(finding.measured).toBeCloseTo(above, 2);
        const [, told] = /^the narration is (-?[\d.]+) LU above what lies under it$/.exec(finding.message) ?? [];
        expect(Math.abs(Number(told) - above)).toBeLessThan(0.06);
      }),
    );
  });

  test("is clear of a mix that is nothing but itself, and of one that is quieter still", () => {
    expect(check({ narration: narration(-20), mix: narration(-20) })).toEqual([]);
    expect(check({ narration: narration(-20), mix: narration(-21) })).toEqual([]);
  });

  test("is not judged where nothing is heard of it, or the sound does not reach so far", () => {
    expect(check({ narration: sound(SILENCE_LUFS), mix: sound(-20) })).toEqual([]);
    expect(check({ narration: narration(-20), mix: { ...sound(-20), levels: [] } })).toEqual([]);
    expect(check({ narration: { ...sound(-20), levels: [] }, mix: sound(-20) })).toEqual([]);
    expect(check({ narration: narration(-20) })).toEqual([]);
    expect(check({})).toEqual([]);
  });
});

test("beside a narration alone it is advice to lower the programme by what lacks, never a fault of the narration", () => {
  const advised = (bed: number, music: readonly TimeRange[] = []) =>
    check({ narration: narration(-20), programme: sound(bed) }, [CUE], music).map(({ severity, measured, message }) => [
      severity,
      measured,
      message.split(": ")[1],
    ]);
  expect(advised(-34.6)).toEqual([]);
  expect(advised(-30)).toEqual([["warn", 10, "lower the programme by 5 dB there"]]);
  expect(advised(-22)).toEqual([["warn", 2, "lower the programme by 13 dB there"]]);
  // Over music less will do; it counts as music where more than half of the line lies over it.
  expect(advised(-30, [{ start: 10.9, end: 20 }])).toEqual([]);
  expect(advised(-27, [{ start: 10.9, end: 20 }])).toEqual([["warn", 7, "lower the programme by 3 dB there"]]);
  expect(advised(-30, [{ start: 11, end: 20 }])).toHaveLength(1);
});

describe("a mix that comes alone", () => {
  const heard = (speech: readonly TimeRange[]) => ({
    ...NOBODY,
    speech: speech.map((range) => ({ ...range, confidence: 1 })),
  });
  const alone = (voice: number, bed: number, cues: readonly Cue[], speech: readonly TimeRange[] = []) =>
    check({ mix: { ...sound(bed, { range: CUE, lufs: together(voice, bed) }), heard: heard(speech) } }, cues);

  test("is judged line by line against the pauses beside each", () => {
    expect(alone(-20, -40, [CUE])).toEqual([]);
    expect(alone(-20, -30, [CUE])).toMatchObject([{ severity: "warn", cueIds: ["a"], measured: 10 }]);
    expect(alone(-20, -22, [CUE])).toMatchObject([{ severity: "fail", cueIds: ["a"], measured: 2 }]);
    expect(alone(-20, -22, [CUE])[0]).not.toHaveProperty("range");
  });

  test("is judged at every line, and at every stretch of speech without one", () => {
    const at = (start: number): TimeRange => ({ start, end: start + 1 });
    const [one, two] = [at(4), at(14)];
    const isLoud = (tenth: number) => [one, two].some(({ start, end }) => tenth / 10 >= start && tenth / 10 < end);
    const levels = Array.from({ length: 200 }, (_, tenth) => (isLoud(tenth) ? together(-20, -22) : -22));
    const mix = { ...sound(-22), levels, heard: heard([one, two]) };
    const cues = [one, two].map((range, index): Cue => ({ ...range, id: `${index}`, text: "A dog." }));
    expect(check({ mix }, cues).map(({ cueIds }) => cueIds)).toEqual([["0"], ["1"]]);
    expect(check({ mix }, []).map(({ range }) => range)).toEqual([one, two]);
  });

  test("without descriptions, where somebody speaks, and says where", () => {
    expect(alone(-20, -22, [], [CUE])).toMatchObject([{ cueIds: [], range: { start: 10, end: 12 }, measured: 2 }]);
    expect(alone(-20, -22, [])).toEqual([]);
    // Nobody listened: where somebody speaks is not known.
    expect(check({ mix: sound(-20) })).toEqual([]);
  });

  test("a voice that is below its bed does not stand out at all", () => {
    const [finding] = check({ mix: { ...sound(-20, { range: CUE, lufs: -30 }), heard: NOBODY } });
    expect(finding).toMatchObject({ severity: "fail", measured: 0 });
  });

  test("what others say beside the line is no bed, nor is anything farther than five seconds", () => {
    // All but a short breath around the line is speech: there is nothing to hold it against.
    const talk = [
      { start: 0, end: 9.8 },
      { start: 12.2, end: 20 },
    ];
    expect(alone(-20, -20, [CUE], talk)).toEqual([]);
    const breath = [
      { start: 0, end: 9.6 },
      { start: 12, end: 20 },
    ];
    expect(alone(-20, -22, [CUE], breath)).toMatchObject([{ measured: 2 }]);
    const far = [
      { start: 5, end: 10 },
      { start: 12, end: 17 },
    ];
    expect(alone(-20, -20, [CUE], far)).toEqual([]);
    // The other lines of the description are none either.
    const others = far.map((range, index): Cue => ({ ...range, id: `${index}`, text: "Others." }));
    expect(alone(-20, -20, [CUE, ...others]).filter(({ cueIds }) => cueIds.includes("a"))).toEqual([]);
  });
});
