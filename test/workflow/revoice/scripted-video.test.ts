import { expect, test } from "vitest";
import { DownloadError, ServiceError } from "../../../src/client/errors.ts";
import type { Cue } from "../../../src/core/cue.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { checkScriptedVideo, isResultGone, videoOrder } from "../../../src/workflow/revoice/scripted-video.ts";

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

test("what the script was described with stays, whoever makes the video; only its words and their times are given", () => {
  const voicing = { track: "mixed", lines: [] } as const;
  const settings = {
    ...wanted.settings,
    voicing,
    instructions: "Be brief.",
    language: "de-DE",
    format: "edl",
  } as const;
  const { script: _, captions: __, voicing: ___, ...kept } = settings;
  for (const type of ["standard", "extended"] as const) {
    for (const isOurService of [true, false]) {
      const order = videoOrder({ ...wanted, settings, type, isOurService });
      expect(order).toMatchObject({ track: "none", video: { path: wanted.path, resolution: "Auto" } });
      const { script = "", ...asked } = order.settings;
      expect(asked).toEqual({ ...kept, type, format: "vtt", autoFit: false });
      const texts = [...(isOurService ? [script] : []), ...(order.scripts ?? []).map(({ content }) => content)];
      for (const text of texts) expect(text).toContain("Ann sits.");
      expect(texts.find((text) => text.startsWith("WEBVTT"))).toMatch(/^Language: de-DE$/m);
    }
  }
});

const checked = (
  type: "standard" | "extended",
  durationSeconds: number | null,
  heard: readonly Cue[] = cues,
  asked: readonly Cue[] = cues,
) =>
  checkScriptedVideo(
    { name: "described.mp4", durationSeconds, heard },
    { cues: asked, settings: DEFAULT_SETTINGS, type, programmeSeconds: 10 },
  );

test("an extended video may be longer than its programme, a standard one may not; neither may be shorter or state no length", () => {
  for (const seconds of [9, 10, 10.5, 11]) {
    expect([checked("standard", seconds), checked("extended", seconds)]).toEqual([[], []]);
  }
  expect(checked("extended", 14)).toEqual([]);
  const rule = { rule: "video-length", severity: "fail", cueIds: [] } as const;
  for (const [type, measured] of [
    ["standard", 11.01],
    ["standard", 8.99],
    ["extended", 8.99],
  ] as const) {
    const [finding, ...others] = checked(type, measured);
    expect(others).toEqual([]);
    expect(finding).toEqual({ ...rule, message: expect.any(String), measured, limit: 10, unit: "s" });
    expect(finding?.message).toContain(`"described.mp4" is ${measured.toFixed(1)} s long`);
  }
  for (const type of ["standard", "extended"] as const) {
    expect(checked(type, null)).toEqual([{ ...rule, message: expect.stringContaining("states no length") }]);
  }
});

test("cues that are heard elsewhere in the video, or not at all, are named", () => {
  const more = [
    ...cues,
    { id: "c2", start: 4, end: 5, text: "Ben waves." },
    { id: "c3", start: 7, end: 8, text: "Rain." },
  ];
  const heard = [more[0], { id: "2", start: 5.5, end: 6.5, text: "Ben waves." }] as Cue[];
  expect(checked("standard", 10, heard, more)).toEqual([
    { rule: "video-times", severity: "warn", cueIds: ["c2"], message: expect.any(String) },
    { rule: "video-words", severity: "warn", cueIds: ["c3"], message: expect.any(String) },
  ]);
});

test("a result is gone where the service says so of its job, or storage of its file under every link; nothing else says it", () => {
  const service = (code: ServiceError["code"], status: number) => new ServiceError(code, "m", { status });
  const storage = (status: number | null) => new DownloadError("result_unavailable", "m", { status });
  for (const gone of [service("not_found", 404), storage(403), storage(404), storage(410)]) {
    expect(isResultGone(gone)).toBe(true);
  }
  for (const other of [service("unauthorized", 404), storage(null), storage(500), new Error("not_found"), null]) {
    expect(isResultGone(other)).toBe(false);
  }
});
