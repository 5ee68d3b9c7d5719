import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { statSync } from "node:fs";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { lockDataFolder, readHolder } from "../../../src/service/storage/data-folder-lock.ts";
import { isOpenToOthers, makePrivateFolder } from "../../../src/service/storage/private-file.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

test("a folder is held by one at a time, also within a process", async () => {
  const lock = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toMatchObject({
    code: "data_folder_in_use",
    message: expect.stringContaining(`process ${process.pid}`),
  });
  await lock.release();
  const next = await lockDataFolder(folder);
  await next.release();
  expect(await readHolder(folder)).toBeNull();
});

test("a lock ends with its process, however that ends, whatever it left written down", async () => {
  const module = new URL("../../../src/service/storage/data-folder-lock.ts", import.meta.url).href;
  const script = `
    import { lockDataFolder } from ${JSON.stringify(module)};
    await lockDataFolder(${JSON.stringify(folder)});
    process.stdout.write("held\\n");
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  await expect(lockDataFolder(folder)).rejects.toMatchObject({
    code: "data_folder_in_use",
    message: expect.stringContaining(`process ${child.pid}`),
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readHolder(folder)).toMatchObject({ pid: child.pid });
  const lock = await lockDataFolder(folder);
  expect(lock.predecessor).toMatchObject({ pid: child.pid });
  expect(await readHolder(folder)).toMatchObject({ pid: process.pid });
  await lock.announce("/run/aside.sock");
  expect(await readHolder(folder)).toMatchObject({ administration: "/run/aside.sock" });
  await lock.release();
});

test("where the system does not tell its starts apart, a computer that was not started anew is known by its running time", async () => {
  const { readFile: readReal } = fs.promises;
  let secondsUp = 100;
  const unnamed = (async (path: string, ...how: [BufferEncoding]) => {
    if (path.includes("boot_id")) throw new Error("no such file");
    return readReal(path, ...how);
  }) as typeof fs.promises.readFile;
  const restored = [replaceCalls(fs.promises, { readFile: unnamed }), replaceCalls(os, { uptime: () => secondsUp })];
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-01T12:00:10Z") });
  try {
    const own = join(folder, "started");
    const killed = join(own, "service.json");
    // Whoever was killed has left what it wrote down.
    const isAfterPowerCut = async () => {
      const lock = await lockDataFolder(own);
      const left = await readFile(killed, "utf8");
      await lock.release();
      await writeFile(killed, left);
      return lock.isAfterPowerCut;
    };
    expect(await isAfterPowerCut()).toBe(false);
    for (const passed of [1, 59, 3_600, 86_400]) {
      secondsUp += passed;
      vi.setSystemTime(Date.now() + passed * 1_000);
      expect([passed, await isAfterPowerCut()]).toEqual([passed, false]);
    }
    vi.setSystemTime(Date.now() + 120_000);
    secondsUp = 30;
    expect(await isAfterPowerCut()).toBe(true);
  } finally {
    vi.useRealTimers();
    for (const restore of restored) restore();
  }
});

test("only the owner may read a data folder it makes", async () => {
  const fresh = join(folder, "fresh");
  const lock = await lockDataFolder(fresh);
  expect((await stat(fresh)).mode & 0o077).toBe(0);
  expect((await stat(join(fresh, "service.json"))).mode & 0o077).toBe(0);
  await lock.release();
});

test("a folder that others could read is closed to them, and so is what a killed process wrote down", async () => {
  const open = join(folder, "open");
  await mkdir(open);
  await chmod(open, 0o755);
  await writeFile(join(open, "service.json"), "{}");
  await chmod(join(open, "service.json"), 0o644);
  const lock = await lockDataFolder(open);
  // Looked at at once: whoever holds the folder has it closed already.
  for (const path of [open, join(open, "service.json")]) expect(statSync(path).mode & 0o077).toBe(0);
  await lock.release();
});

test("a folder of everybody stays theirs", async () => {
  const shared = join(folder, "shared");
  await mkdir(shared);
  await chmod(shared, 0o1777);
  expect(await makePrivateFolder(shared)).toBe(false);
  expect(await isOpenToOthers(shared)).toBe(true);
});

test("a folder that cannot be made is said to be so", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  await chmod(file, 0o400);
  await expect(lockDataFolder(join(file, "below"))).rejects.toMatchObject({ code: "data_folder_unusable" });
});
