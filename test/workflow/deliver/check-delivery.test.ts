import { describe, expect, test } from "vitest";
import type { SoundMeasure } from "../../../src/core/measures.ts";
import {
  checkDeliveredFiles,
  countsSpeech,
  type DeliveredSound,
  demandsOf,
  loudnessRows,
} from "../../../src/workflow/deliver/check-delivery.ts";
import {
  DELIVERY_PRESETS,
  type DeliveryPreset,
  parseDeliveryPreset,
} from "../../../src/workflow/deliver/delivery-preset.ts";

function preset(name: string): DeliveryPreset {
  const found = DELIVERY_PRESETS.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

const MEASURE: SoundMeasure = {
  durationSeconds: 4,
  levels: [...Array(20).fill(-27), ...Array(20).fill(-60)],
  integratedLufs: -23.2,
  truePeakDbtp: -3,
  active: [],
  heard: { speech: [{ start: 0, end: 2, confidence: 0.9 }], music: [], silence: [] },
};

function mix(more: Partial<DeliveredSound> = {}): DeliveredSound {
  return {
    name: "mix.wav",
    kind: "mix",
    sampleRate: 48_000,
    bits: 24,
    channels: 2,
    startSeconds: 3600,
    measure: MEASURE,
    ...more,
  };
}

const rulesOf = (name: string, sound: DeliveredSound) =>
  checkDeliveredFiles(preset(name), { sounds: [sound], texts: [], startSeconds: 3600 }).map(({ rule }) => rule);

describe("the files of a delivery", () => {
  test.each(["ebu-r128", "netflix", "wbd"])("that are as %s asks have no finding", (name) => {
    expect(rulesOf(name, mix())).toEqual([]);
  });

  test("A/85 counts dialogue, and the whole where nobody speaks", () => {
    const spoken = { ...MEASURE, levels: [...Array(20).fill(-22.1), ...Array(20).fill(-60)], integratedLufs: -30 };
    const { heard: _, ...silent } = MEASURE;
    expect(rulesOf("atsc-a85", mix({ measure: spoken }))).toEqual([]);
    expect(rulesOf("atsc-a85", mix())).toEqual(["loudness"]);
    expect(rulesOf("atsc-a85", mix({ measure: silent }))).toEqual([]);
    expect(rulesOf("atsc-a85", mix({ measure: { ...silent, integratedLufs: -30 } }))).toEqual(["loudness"]);
  });

  test("their loudness is told beside what is asked of the mix", () => {
    const narration = mix({ name: "voice.wav", kind: "narration" });
    const measure = { ...MEASURE, rangeLu: 7, momentaryLufs: -15, shortTermLufs: -18 };
    const rows = (name: string, one: DeliveredSound) => loudnessRows(preset(name), [narration, one]);
    const [alone, mixed] = rows("ebu-r128", mix({ measure }));
    expect(alone).toMatchObject({ file: "voice.wav", integratedLufs: -23.2, truePeakDbtp: -3 });
    expect(alone?.asked).toBeUndefined();
    expect(mixed).toMatchObject({
      dialogueLufs: -27,
      rangeLu: 7,
      momentaryLufs: -15,
      shortTermLufs: -18,
      asked: { demand: "programme -23 ± 0.5 LUFS, true peak at most -1 dBTP", isMet: true },
    });
    expect(rows("atsc-a85", mix())[1]?.asked).toMatchObject({
      demand: "dialogue -24 ± 2 LUFS, true peak at most -2 dBTP",
      isMet: false,
    });
    const loud = { ...measure, truePeakDbtp: -0.9 };
    expect(rows("ebu-r128", mix({ measure: loud }))[1]?.asked?.isMet).toBe(false);
  });

  test.each([
    ["ebu-r128", { sampleRate: 44_100 }, "sample-rate"],
    ["netflix", { bits: 16 }, "bit-depth"],
    ["wbd", { startSeconds: 0 }, "time-reference"],
    ["ebu-r128", { measure: { ...MEASURE, integratedLufs: -22.4 } }, "loudness"],
    ["ebu-r128", { measure: { ...MEASURE, integratedLufs: null } }, "loudness"],
    ["netflix", { measure: { ...MEASURE, levels: Array(40).fill(-24.9) } }, "loudness"],
  ] as const)("%s is broken by %o: %s", (name, fault, rule) => {
    expect(rulesOf(name, mix(fault))).toEqual([rule]);
  });

  test("what breaks a demand is told in words and numbers, with where the demand comes from", () => {
    const found = (name: string, fault: Partial<DeliveredSound>) =>
      checkDeliveredFiles(preset(name), { sounds: [mix(fault)], texts: [], startSeconds: 3600 })[0];
    const loud = { ...MEASURE, integratedLufs: -22.36 };
    const { sound } = preset("ebu-r128");
    expect(found("ebu-r128", { measure: loud })).toEqual({
      rule: "loudness",
      severity: "fail",
      cueIds: [],
      message: "the programme of mix.wav is at -22.4 LUFS in place of -23 ± 0.5",
      measured: -22.4,
      limit: -23,
      unit: "LUFS",
      source: sound?.loudness?.source,
    });
    expect(found("ebu-r128", { sampleRate: 44_100 })).toMatchObject({ measured: 44_100, limit: 48_000, unit: "Hz" });
    expect(found("netflix", { bits: 16 })).toMatchObject({
      measured: 16,
      limit: 24,
      unit: "bit",
      source: preset("netflix").sound?.source,
    });
    expect(found("wbd", { startSeconds: 0 })).toMatchObject({ measured: 0, limit: 3600, unit: "s" });
    const { startSeconds: _, ...unplaced } = mix();
    const [unstated] = checkDeliveredFiles(preset("wbd"), { sounds: [unplaced], texts: [], startSeconds: 3600 });
    expect(unstated).toMatchObject({ rule: "time-reference", limit: 3600 });
    expect(unstated).not.toHaveProperty("measured");
    const silent = { ...MEASURE, levels: Array(40).fill(-120) };
    expect(found("netflix", { measure: silent })?.message).toBe(
      "mix.wav holds no dialogue whose loudness can be measured",
    );
  });

  test("a mix and a narration are as long as the picture, or as each other where nobody knows that", () => {
    const long = { ...MEASURE, durationSeconds: 4.5 };
    const check = (sounds: readonly DeliveredSound[], durationSeconds?: number) =>
      checkDeliveredFiles(preset("complete"), {
        sounds,
        texts: [],
        startSeconds: 3600,
        ...(durationSeconds === undefined ? {} : { programme: { durationSeconds, channels: 2 } }),
      }).filter(({ rule }) => rule === "mix-length");
    const narration = mix({ kind: "narration", name: "voice.wav" });
    expect(check([narration, mix({ measure: long })])).toMatchObject([
      {
        severity: "warn",
        measured: 0.5,
        limit: 0.042,
        unit: "s",
        message: "mix.wav and the narration differ in length by 0.50 s",
      },
    ]);
    expect(check([mix({ measure: long }), narration], 4)[0]?.message).toContain("the picture");
    expect(check([narration, mix({ measure: long })], 4.5)).toEqual([]);
    expect(check([narration, mix()], 60)).toMatchObject([{ severity: "fail", limit: 2 }]);
    expect(check([mix({ measure: long })], 4)).toEqual([]);
    expect(check([narration], 4.5)).toEqual([]);
    expect(check([narration, mix()])).toEqual([]);
  });

  test("dialogue counts where somebody speaks: what is quiet elsewhere does not", () => {
    expect(rulesOf("netflix", mix({ measure: { ...MEASURE, integratedLufs: -40 } }))).toEqual([]);
  });

  test("a mix is held against the picture beside a narration too", () => {
    const narration = mix({ kind: "narration", name: "narration.wav" });
    const files = { texts: [], startSeconds: 3600, programme: { durationSeconds: 4.1, channels: 6 } };
    const found = checkDeliveredFiles(preset("youtube"), { ...files, sounds: [narration, mix()] });
    expect(found.map(({ rule, severity }) => [rule, severity])).toEqual([
      ["mix-length", "fail"],
      ["channels", "warn"],
    ]);
  });

  test("a mix has the programme's channels, which a narration need not have, nor a programme without sound", () => {
    const channels = (sound: DeliveredSound, count: number) =>
      checkDeliveredFiles(preset("complete"), {
        sounds: [sound],
        texts: [],
        startSeconds: 3600,
        programme: { durationSeconds: 4, channels: count },
      });
    expect(channels(mix(), 6)).toEqual([
      {
        rule: "channels",
        severity: "warn",
        cueIds: [],
        message: "mix.wav has 2 channels, the programme 6",
        measured: 2,
        limit: 6,
        unit: "channels",
        source: expect.any(String),
      },
    ]);
    expect(channels(mix(), 2)).toEqual([]);
    expect(channels(mix(), 0)).toEqual([]);
    expect(channels(mix({ kind: "narration" }), 6)).toEqual([]);
  });

  test("a narration is no mix: its loudness is asked of nobody, its samples are", () => {
    const narration = mix({ kind: "narration", measure: { ...MEASURE, integratedLufs: -40 }, bits: 12 });
    const found = checkDeliveredFiles(preset("ebu-r128"), { sounds: [narration], texts: [], startSeconds: 3600 });
    expect(found.map(({ rule, message, limit }) => [rule, message, limit])).toEqual([
      ["bit-depth", expect.stringMatching(/ has 12 bits a sample in place of \d+ or \d+/), 24],
    ]);
  });

  test("loudness that reads as the limit is within it, and somebody listens where speech alone counts", () => {
    const at = (integratedLufs: number, truePeakDbtp: number | null = -3) =>
      loudnessRows(preset("ebu-r128"), [mix({ measure: { ...MEASURE, integratedLufs, truePeakDbtp } })])[0];
    expect([-22.5, -23.5, -22.46, -22.4, -23.6].map((lufs) => at(lufs)?.asked?.isMet)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect([-1, -0.99, null].map((peak) => at(-23, peak)?.asked?.isMet)).toEqual([true, false, true]);
    const { sound, profile } = preset("ebu-r128");
    expect(at(-23)?.asked?.source).toBe(`${sound?.loudness?.source}; ${profile.truePeak.source}`);
    const { heard: _, ...unheard } = MEASURE;
    expect(loudnessRows(preset("complete"), [mix({ measure: unheard })])[0]).not.toHaveProperty("dialogueLufs");
    const silent = { ...MEASURE, levels: Array(40).fill(-120), integratedLufs: null };
    const [row] = loudnessRows(preset("atsc-a85"), [mix({ measure: silent })]);
    expect(row?.asked).toMatchObject({ isMet: false, demand: expect.stringMatching(/^programme /) });
    const [dialogue] = loudnessRows(preset("netflix"), [mix({ measure: silent })]);
    expect(dialogue?.asked?.demand).toMatch(/^dialogue /);
    const demands = ["ebu-r128", "netflix", "atsc-a85", "complete"].map((name) => preset(name).sound?.loudness);
    expect(demands.map(countsSpeech)).toEqual([false, true, true, false]);
  });

  test("markup counts where the recipient rejects it, and references do not", () => {
    const text = (cue: string) => [{ name: "a.vtt", text: `WEBVTT\n\n00:01.000 --> 00:02.000\n${cue}\n` }];
    const check = (name: string, cue: string) =>
      checkDeliveredFiles(preset(name), { sounds: [], texts: text(cue), startSeconds: 0 }).map(({ rule }) => rule);
    expect(check("plain-captions", "<i>A dog</i> runs.")).toEqual(["markup"]);
    expect(check("plain-captions", "A &lt;dog&gt; runs.")).toEqual([]);
    expect(check("complete", "<i>A dog</i> runs.")).toEqual([]);
    const files = { sounds: [], startSeconds: 0, texts: [{ name: "a.srt", text: "<i>A dog</i>" }] };
    expect(checkDeliveredFiles(preset("plain-captions"), files)).toEqual([]);
    const [found] = checkDeliveredFiles(preset("plain-captions"), { ...files, texts: text("<i>A</i>\n<b>dog</b>") });
    expect(found).toMatchObject({ message: "a.vtt has markup in 2 lines", source: expect.stringContaining("reject") });
  });
});

test("what a preset asks of files is told with its source", () => {
  for (const one of DELIVERY_PRESETS) {
    for (const demand of demandsOf(one)) for (const part of demand) expect(part).not.toBe("");
  }
  const { sound: _, ...noSound } = preset("netflix");
  expect(demandsOf({ ...noSound, plainCues: false })).toEqual([]);
  expect(demandsOf({ ...noSound, plainCues: true }).map(([name]) => name)).toEqual(["markup"]);
  expect(demandsOf(preset("ebu-r128"))[1]?.[1]).toMatch(/^other than \d+ or \d+ bit$/);
  expect(demandsOf(preset("netflix")).map(([name]) => name)).toEqual(["sampleRate", "bits", "start", "loudness"]);
  expect(demandsOf(preset("wbd"))).toContainEqual(["start", "other than 01:00:00:00", expect.stringContaining("WBD")]);
});

describe("a preset of one's own", () => {
  test("differs in what it says from the one it names", () => {
    const own = parseDeliveryPreset(
      JSON.stringify({
        base: "ebu-r128",
        name: "house",
        texts: ["script", "vtt"],
        limits: { pace: { warn: 150, fail: 170 } },
      }),
    );
    expect(own).toMatchObject({
      name: "house",
      texts: ["vtt", "script"],
      needs: ["mix"],
      sound: { loudness: { target: -23 } },
      profile: { name: "broadcast", pace: { warn: 150, fail: 170, unit: "words/min" } },
    });
  });

  test("has what it names of each field, as it is, and the rest of the one that it builds on, or of that where none is named", () => {
    const sound = { sampleRate: 96_000, bits: [16, 24], source: "our sheet" };
    const loudness = { of: "anchor", target: -27, tolerance: 2, source: "their sheet" } as const;
    const of = (given: object) => {
      const read = parseDeliveryPreset(JSON.stringify(given));
      if (typeof read === "string") throw new Error(read);
      return read;
    };
    expect(of({})).toEqual({ ...preset("complete"), name: "own", title: "A preset of one's own" });
    expect(of({ base: "netflix" }).sound).toEqual(preset("netflix").sound);
    for (const given of [
      { sound },
      { sound: { ...sound, startTimecode: "00:59:00:00" } },
      { sound: { ...sound, loudness } },
      { name: "house", title: "Our house", source: "a letter" },
      { makesVideo: !preset("complete").makesVideo, plainCues: true, plainNames: true },
      { fileName: "{reference}_{kind}.{ending}" },
      { needs: ["media", "mix"] },
      { kindNames: { narration: "AD" } },
    ]) {
      expect(of(given)).toMatchObject(given);
    }
    const { source: _, ...unsaid } = sound;
    expect(of({ sound: unsaid }).sound?.source).toBe("the preset");
    expect(of({ sound: { ...sound, loudness: { ...loudness, source: "" } } }).sound?.loudness?.source).toBe(
      "the preset",
    );
    expect(of({ profile: "streaming" }).profile).toEqual(preset("netflix").profile);
    expect(of({ profile: "broadcast", limits: { title: "Ours" } }).profile).toMatchObject({
      name: "broadcast",
      title: "Ours",
    });
  });

  test.each([
    ...["[]", "null", "3"].map((text) => ["it is no JSON object", text]),
    ...[
      { name: "" },
      { name: 3 },
      { title: null },
      { texts: ["vtt", "pdf"] },
      { texts: "vtt" },
      { makesVideo: "yes" },
      { plainCues: 1 },
      { plainNames: null },
      { fileName: 3 },
      { kindNames: [] },
      { kindNames: null },
      { kindNames: { narration: "AD", nothing: "x" } },
      ...[
        ...[
          null,
          [],
          { sampleRate: 0, bits: [24] },
          { sampleRate: -1, bits: [24] },
          { sampleRate: 48_000 },
          { bits: [24] },
        ],
        ...[
          { sampleRate: 48_000, bits: 24 },
          { sampleRate: 48_000, bits: [24, "16"] },
          { sampleRate: "1", bits: [24] },
        ],
        { sampleRate: 48_000, bits: [24], startTimecode: 3 },
        ...[3, null, {}, { of: "all", target: -23, tolerance: 1 }, { of: "programme", target: "x", tolerance: 1 }].map(
          (loudness) => ({ sampleRate: 48_000, bits: [24], loudness }),
        ),
        { sampleRate: 48_000, bits: [24], loudness: { of: "programme", target: -23 } },
      ].map((sound) => ({ sound })),
    ].map((given) => [`"${Object.keys(given)[0]}" cannot be used`, JSON.stringify(given)]),
    ['"limits" is no JSON object', '{"limits": 3}'],
    ['there is no preset "nobody" to build on', '{"base": "nobody"}'],
    ['there is no profile "mine"', '{"profile": "mine"}'],
    ['there is no "toString" in a preset', '{"toString": "x"}'],
  ])("says of what cannot be used what it is: %s, for %s", (sentence, text) => {
    expect(parseDeliveryPreset(text)).toContain(sentence);
  });

  test.each([
    ["no JSON", "{"],
    ["there is no", '{"texs": []}'],
    ["cannot be used", '{"texts": ["pdf"]}'],
    ["cannot be used", '{"fileName": "same-for-all"}'],
    ["cannot be used", '{"sound": {"sampleRate": "48k"}}'],
    ["no profile", '{"profile": "mine"}'],
    ['"limits"', '{"limits": {"pace": 3}}'],
    ["build on", '{"base": "nobody"}'],
  ])("that cannot be used is answered with a sentence: %s", (sentence, text) => {
    expect(parseDeliveryPreset(text)).toContain(sentence);
  });
});
