import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_CUTS } from "../../src/contract/choices.ts";
import { AudioConfig, DescribingSchema, TextConfig, VideoConfig } from "../../src/contract/generation.ts";
import {
  audioConfigFromSettings,
  describingFromWire,
  describingOnWire,
  settingsFromConfig,
  textConfigFromSettings,
  videoConfigFromSettings,
  voiceFromConfig,
} from "../../src/contract/settings-on-wire.ts";
import { DEFAULT_SETTINGS, type DescribingSettings, type Voicing } from "../../src/core/settings.ts";
import { withoutEffect } from "../../src/service/http/generation-settings.ts";
import { numbersBetween } from "../numbers-between.ts";

const settings: fc.Arbitrary<DescribingSettings> = fc.record(
  {
    bible: fc.string(),
    cuts: fc.array(numbersBetween(0, 20_000)),
    maximumAddedShare: fc.integer({ min: 0, max: 40 }).map((quarters) => quarters / 4),
    maximumCost: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
  },
  { requiredKeys: [] },
);

describe("how a model goes about it, on the wire", () => {
  test("comes back as it was sent, with what was not said left out", () => {
    fc.assert(
      fc.property(settings, (describing) => {
        const sent = describingOnWire(describing);
        expect(describingFromWire(DescribingSchema.parse(sent))).toEqual(describing);
        expect(Object.keys(sent)).toHaveLength(Object.keys(describing).length);
        const config = TextConfig.parse(textConfigFromSettings({ ...DEFAULT_SETTINGS, describing }));
        expect(settingsFromConfig(config).describing).toEqual(describing);
      }),
    );
    const config = TextConfig.parse(textConfigFromSettings(DEFAULT_SETTINGS));
    expect(settingsFromConfig(config)).not.toHaveProperty("describing");
  });

  test("has the words of the interface: hundredths of the length, money", () => {
    expect(describingOnWire({ bible: "# Story", maximumAddedShare: 0.25, maximumCost: 2 })).toEqual({
      bible: "# Story",
      maximum_added_percent: 25,
      maximum_cost: 2,
    });
  });

  test.each([
    { bible: 7 },
    { bible: "x".repeat(200_001) },
    { cuts: [-0.1] },
    { cuts: ["1"] },
    { cuts: Array(MOST_CUTS + 1).fill(1) },
    { maximum_added_percent: -1 },
    { maximum_added_percent: 1001 },
    { maximum_cost: -0.01 },
    { maximum_cost: "1" },
  ])("is refused outside of its bounds: %o", (describing) => {
    expect(DescribingSchema.safeParse(describing).success).toBe(false);
    expect(TextConfig.safeParse({ describing }).success).toBe(false);
  });

  test("has no effect beside a script, and the reply names it", () => {
    const ignored = (more: object) => {
      const sent = { describing: { maximum_cost: 1 }, ...more };
      return withoutEffect(sent, TextConfig.parse(sent), "generation_config.");
    };
    expect(ignored({ description_content: "00:01 A door." })).toContain("generation_config.describing");
    expect(ignored({})).not.toContain("generation_config.describing");
    expect(ignored({ description_content: " " })).not.toContain("generation_config.describing");
  });
});

test("the choice of a sound track goes over the wire of all three kinds as it was said, and empty is as if left out", () => {
  const settings = { ...DEFAULT_SETTINGS, audioTrack: "Stereo mix" };
  for (const sent of [
    TextConfig.parse(textConfigFromSettings(settings)),
    AudioConfig.parse(audioConfigFromSettings(settings, "mixed")),
    VideoConfig.parse(videoConfigFromSettings(settings, "Auto")),
  ]) {
    expect(settingsFromConfig(sent).audioTrack).toBe("Stereo mix");
  }
  for (const audio_track of ["", " ", undefined]) {
    expect(settingsFromConfig(TextConfig.parse({ audio_track }))).not.toHaveProperty("audioTrack");
  }
  expect(textConfigFromSettings(DEFAULT_SETTINGS)).not.toHaveProperty("audio_track");
});

test("what a mix used for its lines comes back as it was sent, every line of it", () => {
  const kept = fc.record(
    {
      words: fc.string(),
      start: numbersBetween(0, 20_000),
      seconds: numbersBetween(0, 600),
      rate: numbersBetween(0.5, 2),
      programmeLufs: fc.oneof(fc.constant(null), numbersBetween(-70, 0)),
    },
    { requiredKeys: ["words", "start", "seconds", "rate"] },
  );
  const voicings: fc.Arbitrary<Voicing> = fc.record(
    {
      track: fc.constantFrom("mixed", "ad_only"),
      narrationGainDb: numbersBetween(-80, 80),
      trackGainDb: numbersBetween(-80, 80),
      lines: fc.array(kept),
    },
    { requiredKeys: ["track", "lines"] },
  );
  fc.assert(
    fc.property(voicings, (voicing) => {
      const sent = audioConfigFromSettings({ ...DEFAULT_SETTINGS, voice: "Kore", voicing }, voicing.track);
      expect(voiceFromConfig(AudioConfig.parse(sent))).toEqual({ voice: "Kore", voicing });
    }),
  );
});
