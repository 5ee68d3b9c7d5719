import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { wholePath } from "../../../src/engine/isolate/programs.ts";
import { engineFor } from "../../../src/engine/store/catalog-engines.ts";
import { orderModels, stateInStore } from "../../../src/engine/store/install.ts";
import { readInstalled } from "../../../src/engine/store/installed.ts";
import { thisComputer } from "../../../src/engine/store/this-computer.ts";
import { startFileServer } from "../../fakes/file-server.ts";
import { servedSpeechLibrary } from "../../fakes/served-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { modelOf, sha256 } from "./archives.ts";

const { signal } = new AbortController();

test("the speech library that was ordered loads from the store, in a process without any other", async () => {
  const computer = await thisComputer();
  const engine = engineFor("sherpa-onnx", computer);
  if (engine === null) return;
  const served = await servedSpeechLibrary(await startFileServer(), engine);
  const folder = await temporaryFolder();
  await orderModels([served], { folder, environment: {}, signal, onProgress: () => undefined });
  const [installed] = await readInstalled(folder);
  expect(installed).toMatchObject({ id: "sherpa-onnx", kind: "engine" });
  const entry = join(installed?.folder ?? "", installed?.files["module"] ?? "");
  const script = `
    const { createRequire } = require("node:module");
    const byFile = createRequire(${JSON.stringify(entry)});
    const library = byFile("sherpa-onnx-node");
    console.log(JSON.stringify({ version: library.version, path: byFile.resolve("sherpa-onnx-node"), tts: typeof library.OfflineTts }));`;
  const { stdout } = await promisify(execFile)(wholePath(process.execPath), ["-e", script], { cwd: tmpdir(), env: {} });
  expect(JSON.parse(stdout)).toEqual({ version: "1.13.8", path: entry, tts: "function" });
}, 60_000);

/** A small disk of its own; `null` where this system lets nobody mount one. */
function mountDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), "aside-small-disk-"));
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

const disk = mountDisk(1_010);

describe.skipIf(disk === null)("a disk that fills up meanwhile", () => {
  const folder = disk ?? "";
  afterAll(() => {
    execFileSync("/bin/umount", [folder]);
    rmSync(folder, { recursive: true });
  });

  test("ends an order with the system's word for it, keeps what came, and lets the next one go on", async () => {
    const weights = Buffer.alloc(4_000_000, "w");
    const server = await startFileServer({ "/model": weights });
    const source = { url: `${server.origin}/model`, bytes: weights.length, sha256: sha256(weights), into: "model" };
    const model = modelOf([source], { model: "model" });
    const store = join(folder, "models");
    await mkdir(store);
    const others = join(folder, "others");
    server.answer("/model", (_request, reply, file) => {
      // Another program takes the room while the line is open.
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(others, Buffer.alloc(bavail * bsize - 1_000_000));
      reply.writeHead(200, { "content-length": file.length }).end(file);
    });
    const options = { folder: store, environment: {}, signal, onProgress: () => undefined };
    await expect(orderModels([model], options)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await stateInStore(store, model)).toBe("partial");
    expect(await readInstalled(store)).toEqual([]);
    rmSync(others);
    await orderModels([model], options);
    expect(await readInstalled(store)).toHaveLength(1);
  });
});
