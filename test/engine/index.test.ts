import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { engine, openEngine, RIGHTS } from "../../src/engine/index.ts";
import { TASKS } from "../../src/engine/pipeline/task-table.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";

test("the engine has a dozen functions at most, and each has a task and what its process may do", () => {
  const names = Object.keys(engine).sort();
  expect(names.length).toBeLessThanOrEqual(12);
  expect(Object.keys(TASKS).sort()).toEqual(names);
  expect(Object.keys(RIGHTS).sort()).toEqual(names);
});

test("what an engine is opened with is what does its work, by the name that was asked for", async () => {
  const asked: string[] = [];
  const deaf = openEngine({
    tasks: "file:///tasks.ts",
    run: (name, _order, { tasks }) => {
      asked.push(`${name} of ${tasks}`);
      return Promise.reject(new Error("heard nothing"));
    },
  });
  const { signal } = new AbortController();
  await expect(deaf.probe({ path: "a.mp4" }, { signal })).rejects.toThrow("heard nothing");
  await expect(deaf.detectSpeech({ path: "a.mp4" }, { signal })).rejects.toThrow("heard nothing");
  expect(asked).toEqual(["probe of file:///tasks.ts", "detectSpeech of file:///tasks.ts"]);
});

thoroughTest("a program without a service gets a film described, in order, with its sound", async () => {
  const { signal } = new AbortController();
  const folder = await temporaryFolder();
  const mediaPath = fileURLToPath(new URL("../../sample/aside-sample.mp4", import.meta.url));
  const { picture, durationSeconds } = await engine.probe({ path: mediaPath }, { signal });
  expect(picture).not.toBeNull();
  const stages: string[] = [];
  const order = {
    ...({ kind: "audio", track: "ad_only", resolution: "Auto", mediaPath } as const),
    ...{ workFolder: folder, mediaFolder: folder, narrationFolder: folder },
    settings: { ...DEFAULT_SETTINGS, type: "extended" as const },
  };
  const { cues, files } = await engine.describe(order, { signal, onProgress: ({ stage }) => stages.push(stage) });
  expect(cues.length).toBeGreaterThan(0);
  for (const { start, end } of cues) expect([start >= 0, end > start]).toEqual([true, true]);
  expect(new Set(stages).size).toBeGreaterThan(2);
  const sound = await readFile(files.audio ?? "");
  expect(sound.subarray(0, 4).toString()).toBe("RIFF");
  expect(durationSeconds ?? 0).toBeGreaterThan(0);
});
