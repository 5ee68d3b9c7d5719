import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { checkScriptedVideo, videoOrder } from "../../../src/workflow/revoice/scripted-video.ts";

const cues = [{ id: "c1", start: 1.033, end: 2.5, text: "Ann sits." }];
const wanted = {
  settings: { ...DEFAULT_SETTINGS, script: "old", captions: { content: "old" } },
  type: "extended",
  cues,
  grid: { rate: { numerator: 25, denominator: 1 }, isDropFrame: false, startFrame: 0 },
  path: "/out/described.mp4",
} as const;

test("our service gets the words with exact times, others in each layout that they may take; what was given before is left out", () => {
  const ours = videoOrder({ ...wanted, isOurService: true });
  expect(ours.scripts).toBeUndefined();
  expect(ours.settings.script).toContain("00:00:01.033 --> 00:00:02.500\nAnn sits.");
  expect(ours.settings).not.toHaveProperty("captions");
  const others = videoOrder({ ...wanted, isOurService: false });
  expect(others.settings).toMatchObject({ type: "extended", autoFit: false });
  expect(others.settings).not.toHaveProperty("script");
  expect(others.scripts?.map(({ layout }) => layout)).toEqual(["edl", "vtt", "plaintext"]);
});

test("an extended video may be longer than its programme, a standard one may not; neither may be shorter or state no length", () => {
  const rules = (type: "standard" | "extended", durationSeconds: number | null) =>
    checkScriptedVideo(
      { name: "described.mp4", durationSeconds, heard: cues },
      { cues, settings: DEFAULT_SETTINGS, type, programmeSeconds: 10 },
    ).map(({ rule }) => rule);
  expect([rules("extended", 14), rules("standard", 10.5)]).toEqual([[], []]);
  for (const found of [rules("standard", 14), rules("extended", 8), rules("extended", null)]) {
    expect(found).toEqual(["video-length"]);
  }
});
