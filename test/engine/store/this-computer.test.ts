import fs from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { freeBytes, thisComputer } from "../../../src/engine/store/this-computer.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";

/** A computer with these files, and these entries among the drivers of graphics. */
async function hasGraphics(drivers: readonly string[], files: readonly string[]): Promise<boolean> {
  const absent = Object.assign(new Error("no such file"), { code: "ENOENT" });
  const calls = {
    readdir: async () => (drivers.length === 0 ? Promise.reject(absent) : drivers),
    access: async (path: fs.PathLike) => (files.includes(String(path)) ? undefined : Promise.reject(absent)),
  };
  const restore = replaceCalls(fs.promises, calls as unknown as Partial<typeof fs.promises>);
  onTestFinished(restore);
  return (await thisComputer()).hasGraphics;
}

test.runIf(process.platform === "linux").each([
  ["renderD128", "/usr/lib/x86_64-linux-gnu"],
  ["renderD128", "/usr/lib/aarch64-linux-gnu"],
  ["renderD128", "/usr/lib64"],
  ["card0 renderD129", "/usr/lib"],
])("a graphics card can help where it has a driver, %s, and the library is in %s", async (drivers, folder) => {
  expect(await hasGraphics(drivers.split(" "), [`${folder}/libvulkan.so.1`])).toBe(true);
});

test.runIf(process.platform === "linux").each<[string, string[], string[], boolean]>([
  ["no driver", [], ["/usr/lib/libvulkan.so.1"], false],
  ["a driver for screens alone", ["by-path", "card0"], ["/usr/lib/libvulkan.so.1"], false],
  ["no library", ["renderD128"], ["/usr/lib/libvulkan.so.2"], false],
  ["the driver of its maker", [], ["/proc/driver/nvidia/version", "/usr/lib64/libvulkan.so.1"], true],
])("with %s, whether a graphics card can help is told", async (_what, drivers, files, can) => {
  expect(await hasGraphics(drivers, files)).toBe(can);
});

test("what is free is told of a folder that is not there yet by the one that it will lie in, and is nothing where none is", async () => {
  const asked: string[] = [];
  const statfs = async (place: fs.PathLike) => {
    asked.push(String(place));
    if (String(place) !== "/disk") throw new Error("no such folder");
    return { bavail: 3, bsize: 4096 };
  };
  onTestFinished(replaceCalls(fs.promises, { statfs } as unknown as Partial<typeof fs.promises>));
  expect(await freeBytes("/disk/models/voices")).toBe(3 * 4096);
  expect(asked).toEqual(["/disk/models/voices", "/disk/models", "/disk"]);
  expect(await freeBytes("/elsewhere/models")).toBe(0);
});
