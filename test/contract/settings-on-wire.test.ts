import { describe, expect, test } from "vitest";
import { creditsFor } from "../../src/contract/choices.ts";
import { AudioConfig, TextConfig, VideoConfig } from "../../src/contract/generation.ts";
import {
  audioConfigFromSettings,
  flatTextFromSettings,
  settingsFromConfig,
  textConfigFromSettings,
  videoConfigFromSettings,
  voiceFromConfig,
  voicingFromWire,
  voicingOnWire,
} from "../../src/contract/settings-on-wire.ts";
import { DEFAULT_SETTINGS, type DescriptionSettings, type Voicing } from "../../src/core/settings.ts";

const { voice: _, ...DEFAULTS } = DEFAULT_SETTINGS;
const read = (settings: DescriptionSettings) => settingsFromConfig(TextConfig.parse(textConfigFromSettings(settings)));

describe("settings on the wire", () => {
  const ALL: DescriptionSettings = {
    ...DEFAULTS,
    format: "srt",
    language: "de-DE",
    instructions: "Call her Ann.",
    autoFit: !DEFAULTS.autoFit,
    allowsOverMusic: !DEFAULTS.allowsOverMusic,
    minimumCueSeconds: 2.5,
    captions: { content: "1\n", format: "srt", filename: "a.srt" },
    audioTrack: "2",
    script: "WEBVTT",
  };

  test("come back as they were sent, each of them", () => {
    expect(read(DEFAULTS)).toStrictEqual(DEFAULTS);
    expect(read(ALL)).toStrictEqual(ALL);
    for (const isRead of [true, false]) {
      const extended = { ...DEFAULTS, type: "extended" as const, readsAllOnscreenText: isRead };
      expect(read(extended)).toStrictEqual(extended);
    }
  });

  test("that a server may lack, and that are as it would have them, are not sent", () => {
    const sent = Object.keys(textConfigFromSettings(DEFAULT_SETTINGS));
    for (const name of ["custom_instructions", "standard_ad_min_cue_length", "read_all_onscreen_text", "resolution"]) {
      expect(sent).not.toContain(name);
    }
    // What only times of standard descriptions are for is not sent of others, and the other way round.
    const extended = { ...ALL, type: "extended" as const, readsAllOnscreenText: true };
    const sentExtended = textConfigFromSettings(extended);
    expect(sentExtended).toMatchObject({ ad_type: "extended_ad", read_all_onscreen_text: true });
    for (const name of ["auto_fit", "allow_descriptions_over_music", "standard_ad_min_cue_length"]) {
      expect(sentExtended).not.toHaveProperty(name);
    }
    expect(textConfigFromSettings({ ...ALL, readsAllOnscreenText: true })).not.toHaveProperty("read_all_onscreen_text");
  });

  test("texts of nothing but blanks are none; of others not a blank is lost", () => {
    const config = (change: object) =>
      settingsFromConfig(TextConfig.parse({ ...textConfigFromSettings(DEFAULT_SETTINGS), ...change }));
    for (const blank of ["", " \n\t"]) {
      expect(config({ description_content: blank })).not.toHaveProperty("script");
      expect(config({ audio_track: blank })).not.toHaveProperty("audioTrack");
    }
    expect(config({ description_content: " WEBVTT\n\n" }).script).toBe(" WEBVTT\n\n");
    expect(config({ audio_track: " 2 " }).audioTrack).toBe("2");
  });

  test("of a video say its height where one is wanted", () => {
    const sent = (resolution?: string) => videoConfigFromSettings(DEFAULT_SETTINGS, resolution);
    expect(sent("720p")).toMatchObject({ resolution: "720p" });
    for (const usual of [sent(), sent("Auto")]) expect(usual).not.toHaveProperty("resolution");
    expect(() => VideoConfig.parse(sent("720p"))).not.toThrow();
  });

  test.each([{ option: "auto" }, { option: "max", levelDbfs: -3 }] as const)(
    "of a sound say track, voice and volume: %j",
    (volume) => {
      for (const track of ["ad_only", "mixed"] as const) {
        const sent = audioConfigFromSettings({ ...DEFAULT_SETTINGS, voice: "Kore", volume }, track);
        expect(sent.audio_track_type).toBe(track);
        expect(voiceFromConfig(AudioConfig.parse(sent))).toStrictEqual({ voice: "Kore", volume });
      }
    },
  );

  test("in the flat form say what it has: no times, and SRT as WebVTT", () => {
    expect(flatTextFromSettings("m1", { ...ALL, category: "Auto" })).toEqual({
      media_id: "m1",
      format: "vtt",
      language: "de-DE",
      video_category: "Auto",
      ad_type: "standard_ad",
      custom_instructions: "Call her Ann.",
    });
    const plain = flatTextFromSettings("m1", { ...DEFAULT_SETTINGS, format: "edl", type: "extended" });
    expect([plain.format, plain.ad_type, "custom_instructions" in plain]).toEqual(["edl", "extended_ad", false]);
  });

  test("lines that are kept come back whole, each with what was measured for it", () => {
    const line = { id: "a", start: 1, end: 2, text: "A boat.", sound: "s1", programmeLufs: -23 };
    const voicing = { track: "mixed", narrationGainDb: 1, trackGainDb: -2, lines: [line] } as unknown as Voicing;
    expect(voicingFromWire(voicingOnWire(voicing))).toStrictEqual(voicing);
    expect(voicingOnWire(voicing)).toMatchObject({ narration_gain_db: 1, track_gain_db: -2 });
    expect(voicingOnWire(voicing).lines[0]).toMatchObject({ programme_lufs: -23 });
    const bare = { track: "ad_only", lines: [{ id: "b", start: 3, end: 4, text: "Night." }] } as unknown as Voicing;
    expect(voicingFromWire(voicingOnWire(bare))).toStrictEqual(bare);
  });
});

test("a minute of text, sound and video takes half a credit, three quarters and one", () => {
  expect([creditsFor(1), creditsFor(10)]).toEqual([
    { text: 0.5, audio: 0.75, video: 1 },
    { text: 5, audio: 7.5, video: 10 },
  ]);
});
