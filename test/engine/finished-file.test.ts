import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nameFinishedFile, writeFinishedFile } from "../../src/engine/finished-file.ts";
import { checkpoint } from "../../src/engine/pipeline/stages.ts";
import { NarrationCache } from "../../src/engine/voice/narration-cache.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("a file that is trusted because it is there", () => {
  test("is written whole, over what stood there, and leaves nothing else", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "a.json");
    await writeFinishedFile(path, "1");
    await Promise.all(["22", "33", "44"].map((content) => writeFinishedFile(path, content.repeat(50_000))));
    expect((await readFile(path, "utf8")).length).toBe(100_000);
    expect(new Set((await readFile(path, "utf8")).split("")).size).toBe(1);
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  test("that cannot take its name leaves what stands there, and no part of it", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "taken");
    // A folder with something in it: no file takes its place.
    await mkdir(join(path, "inside"), { recursive: true });
    await expect(writeFinishedFile(path, "x")).rejects.toThrow();
    await expect(nameFinishedFile(join(folder, "none"), path)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  test("whose writing fails half way leaves what stood there, or nothing, and no part of it", async () => {
    const folder = await temporaryFolder();
    async function* half() {
      yield "half of it";
      throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    }
    // Node writes what comes of an iterable, until that fails.
    const failing = (path: string) => writeFinishedFile(path, half() as unknown as string);
    await expect(failing(join(folder, "new"))).rejects.toThrow("no room");
    await writeFinishedFile(join(folder, "old"), "whole");
    await expect(failing(join(folder, "old"))).rejects.toThrow("no room");
    expect(await readdir(folder)).toEqual(["old"]);
    expect(await readFile(join(folder, "old"), "utf8")).toBe("whole");
  });

  test("is not there while it is written: what is killed meanwhile is done again", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "stage.json");
    // As a killed process leaves it.
    await writeFile(`${path}.0e1b4a7e-0000-4000-8000-000000000000.part`, '{"cues": [');
    expect(
      await checkpoint(
        path,
        () => true,
        async () => ({ cues: 1 }),
      ),
    ).toEqual({ cues: 1 });
    expect(
      await checkpoint(
        path,
        () => true,
        async () => ({ cues: 2 }),
      ),
    ).toEqual({ cues: 1 });
    // A damaged one, as an earlier version or a failing disk leaves it, is made again.
    await writeFile(path, '{"cues":');
    expect(
      await checkpoint(
        path,
        () => true,
        async () => ({ cues: 3 }),
      ),
    ).toEqual({ cues: 3 });
  });

  test.skipIf(process.getuid?.() === 0)(
    "fails where its folder cannot be written to, and nothing is there",
    async () => {
      const folder = await temporaryFolder();
      await chmod(folder, 0o500);
      await expect(writeFinishedFile(join(folder, "a"), "1")).rejects.toMatchObject({ code: "EACCES" });
      await chmod(folder, 0o700);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test("a spoken line that was cut short is spoken again", async () => {
    const folder = await temporaryFolder();
    const cache = new NarrationCache(folder);
    const request = { text: "A door.", language: "en-US", voice: "Kore", rate: 1 };
    const line = { samples: new Float32Array(4_800).fill(0.1), sampleRate: 48_000 };
    await cache.keep("voice", request, line);
    expect((await cache.find("voice", request))?.samples.length).toBe(4_800);
    const [name = ""] = await readdir(folder);
    const whole = await readFile(join(folder, name));
    for (const length of [0, 44, whole.length >> 1, whole.length - 1]) {
      await writeFile(join(folder, name), whole.subarray(0, length));
      expect([length, await cache.find("voice", request)]).toEqual([length, null]);
    }
  });
});
