import { describe, expect, test } from "vitest";
import type { Cue } from "../../src/core/cue.ts";
import { STALE_REASONS, staleCues, type VoicingSettings, voicedCues } from "../../src/result/stale.ts";

const SETTINGS: VoicingSettings = { language: "en-US", voice: "Achernar" };
const CUES: readonly Cue[] = [
  { id: "a", start: 1, end: 3, text: "She opens the door." },
  { id: "b", start: 5, end: 8, text: "A man runs." },
  { id: "c", start: 10, end: 12, text: "Night falls." },
];
const RECORD = { track: "ad_only" as const, voiced: voicedCues(CUES, SETTINGS) };

function changed(id: string, change: Partial<Cue>): Cue[] {
  return CUES.map((cue) => (cue.id === id ? { ...cue, ...change } : cue));
}

describe("stale cues", () => {
  test("nothing is stale as voiced, whatever a frame or white space does to it", () => {
    expect(staleCues(RECORD, CUES, SETTINGS)).toEqual([]);
    expect(staleCues(RECORD, changed("a", { start: 1.003, end: 3.003 }), SETTINGS)).toEqual([]);
    expect(staleCues(RECORD, changed("a", { text: " She opens\nthe door. " }), SETTINGS)).toEqual([]);
  });

  test.each([
    [{ text: "She shuts the door." }, ["words"], true],
    [{ start: 1.5, end: 3.5 }, ["moved"], false],
    [{ end: 2.5 }, ["length"], true],
    [{ text: "He waits.", start: 2 }, ["words", "moved", "length"], true],
  ] as const)("PANEL-40: a change to a cue makes it stale: %j", (change, reasons, isSpokenAnew) => {
    expect(staleCues(RECORD, changed("a", change), SETTINGS)).toMatchObject([{ cueId: "a", reasons, isSpokenAnew }]);
  });

  test.each([
    [{ ...SETTINGS, voice: "Kore" }, "voice", true],
    [{ ...SETTINGS, language: "de-DE" }, "language", true],
    [{ ...SETTINGS, volume: { option: "max", levelDbfs: -3 } }, "level", false],
  ] as const)("PANEL-40: other settings make every cue stale: %j", (settings, reason, isSpokenAnew) => {
    const stale = staleCues(RECORD, CUES, settings);
    expect(stale).toEqual(CUES.map(({ id, start }) => ({ cueId: id, start, reasons: [reason], isSpokenAnew })));
  });

  test("deleted cues are listed at the time they are heard, new ones as never voiced", () => {
    const cues = [...CUES.filter(({ id }) => id !== "b"), { id: "n", start: 4, end: 4.5, text: "New." }];
    expect(staleCues(RECORD, cues, SETTINGS)).toEqual([
      { cueId: "n", start: 4, reasons: ["never-voiced"], isSpokenAnew: true },
      { cueId: "b", start: 5, reasons: ["deleted"], isSpokenAnew: false },
    ]);
  });

  test("narration of a record that does not say what it was made from is not known", () => {
    const ofTrack = (track: "ad_only" | "none") => staleCues({ track, voiced: {} }, CUES, SETTINGS)[0]?.reasons;
    expect(ofTrack("ad_only")).toEqual(["not-known"]);
    expect(ofTrack("none")).toEqual(["never-voiced"]);
  });

  test("a recording counts by what it holds, and who speaks in it is its own", () => {
    const record = { ...RECORD, voiced: voicedCues(CUES, { ...SETTINGS, recordings: { b: "take 1" } }) };
    const reasonsWith = (settings: VoicingSettings) => staleCues(record, CUES, settings);
    expect(reasonsWith({ ...SETTINGS, recordings: { b: "take 1" } })).toEqual([]);
    expect(reasonsWith(SETTINGS)).toEqual([]);
    expect(reasonsWith({ ...SETTINGS, recordings: { b: "take 2" } })[0]?.reasons).toEqual(["recording"]);
    expect(reasonsWith({ ...SETTINGS, recordings: {} })[0]?.reasons).toEqual(["recording"]);
    const other = reasonsWith({ ...SETTINGS, voice: "Kore", recordings: { b: "take 1" } });
    expect(other.map(({ cueId }) => cueId)).toEqual(["a", "c"]);
  });

  test("each volume that can be asked for is another than the others", () => {
    const volumes = [
      undefined,
      { option: "auto" },
      { option: "max" },
      { option: "max", levelDbfs: -3 },
      { option: "max", levelDbfs: -6 },
    ] as const;
    const settingsOf = (volume: (typeof volumes)[number]) =>
      volume === undefined ? SETTINGS : { ...SETTINGS, volume };
    const levels = volumes.map((volume) => voicedCues(CUES, settingsOf(volume))["a"]?.level);
    expect(levels).toEqual(["none", "auto", "max", "max -3", "max -6"]);
    for (const [index, volume] of volumes.entries()) {
      const record = { ...RECORD, voiced: voicedCues(CUES, settingsOf(volume)) };
      const isStale = volumes.map((other) => staleCues(record, CUES, settingsOf(other)).length > 0);
      expect(isStale).toEqual(volumes.map((_, at) => at !== index));
    }
  });

  test("is listed in order of time, deleted cues among the others", () => {
    const voiced = {
      ...voicedCues(CUES, SETTINGS),
      ...voicedCues([{ id: "z", start: 0, end: 1, text: "" }], SETTINGS),
    };
    const stale = staleCues({ track: "ad_only", voiced }, changed("c", { text: "Day.", start: 2, end: 4 }), SETTINGS);
    expect(stale.map(({ cueId, start }) => [cueId, start])).toEqual([
      ["z", 0],
      ["c", 2],
    ]);
    const recorded = voicedCues(CUES, { ...SETTINGS, recordings: { a: "take 1" } });
    const retaken = { ...SETTINGS, voice: "Kore", language: "de-DE", recordings: { a: "take 2" } };
    expect(staleCues({ track: "ad_only", voiced: recorded }, CUES, retaken)[0]?.reasons).toEqual([
      "voice",
      "language",
      "recording",
    ]);
  });

  test("every reason has a sentence", () => {
    for (const sentence of Object.values(STALE_REASONS)) expect(sentence).toMatch(/^[A-Z].*[^.]$/);
  });
});
