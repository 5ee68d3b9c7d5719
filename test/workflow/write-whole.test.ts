import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Files } from "../../src/host/files.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { openWaveCutter, writeSilence, writeWhole } from "../../src/workflow/wave-files.ts";
import { silentWav } from "../fakes/wav.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Written = Pick<Files, "size" | "readBytes" | "openWriter" | "rename">;

/** Files whose `at`-th step of writing fails, after half of it was done: opening, a write, closing, or giving the name. */
function failingAt(at: number): { files: Written; steps: () => number } {
  let steps = 0;
  const step = async (half: () => Promise<unknown> = async () => undefined) => {
    if (steps++ !== at) return;
    await half();
    throw Object.assign(new Error("no room"), { code: "ENOSPC" });
  };
  const files: Written = {
    ...nodeFiles,
    async openWriter(path) {
      await step();
      const writer = await nodeFiles.openWriter(path);
      return {
        async write(position, bytes) {
          await step(() => writer.write(position, bytes.slice(0, Math.floor(bytes.byteLength / 2))));
          await writer.write(position, bytes);
        },
        async close() {
          await writer.close();
          await step();
        },
      };
    },
    async rename(from, to) {
      await step();
      await nodeFiles.rename(from, to);
    },
  };
  return { files, steps: () => steps };
}

/** Whatever writes a file that is trusted afterwards because it is there. */
const WRITERS: Readonly<Record<string, (files: Written, path: string) => Promise<void>>> = {
  "what is written whole": (files, path) =>
    writeWhole(files, path, async (writer) => {
      await writer.write(0, new Uint8Array([1, 2, 3, 4]).buffer);
      await writer.write(4, new Uint8Array([5, 6, 7, 8]).buffer);
    }),
  silence: (files, path) => writeSilence(files, path, 0.5),
  "a piece of a narration": async (files, path) => {
    const narration = `${path}.narration`;
    const writer = await nodeFiles.openWriter(narration);
    await writer.write(0, Uint8Array.from(silentWav(1)).buffer);
    await writer.close();
    await (await openWaveCutter(files, narration))?.cut({ start: 0.2, end: 0.7 }, path);
  },
};

describe.each(Object.entries(WRITERS))("%s", (_name, write) => {
  test("is under its name whole or not at all, whichever step of writing it fails, and is written the next time", async () => {
    const folder = await temporaryFolder();
    const whole = join(folder, "whole");
    const counting = failingAt(Number.POSITIVE_INFINITY);
    await write(counting.files, whole);
    const length = (await nodeFiles.size(whole)) ?? 0;
    expect(length).toBeGreaterThan(7);
    const content = await nodeFiles.readBytes(whole, 0, length);
    expect(counting.steps()).toBeGreaterThan(3);
    for (let at = 0; at < counting.steps(); at++) {
      const path = join(folder, `failed at ${at}`);
      await expect(write(failingAt(at).files, path)).rejects.toThrow("no room");
      expect([at, await nodeFiles.size(path)]).toEqual([at, null]);
      await write(nodeFiles, path);
      expect(await nodeFiles.readBytes(path, 0, length + 1)).toEqual(content);
    }
  });
});
