import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  copyAsBroadcastWave,
  DeliveryFolder,
  sha256Of,
  waveLayoutOf,
} from "../../../../src/cli/commands/deliver/delivery-folder.ts";
import { readWaveHeader } from "../../../../src/formats/wave/read-wave.ts";
import { REPORT_GENERATOR } from "../../../../src/result/read-report.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const NAMES = ["a.srt", "b.vtt", "c.wav", "d.html"];

/** The files of a folder that can be seen, by name. */
async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => !name.startsWith(".")) : [];
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

/** Delivers some files with a manifest, of which nothing is to be seen before all are whole. */
async function deliver(folder: string, files: Readonly<Record<string, string>>, overwrites: boolean): Promise<void> {
  const delivery = await DeliveryFolder.open(folder, overwrites);
  const before = await filesIn(folder);
  const listed = Object.entries(files).map(([name, text]) => ({ name, sha256: hashOf(text) }));
  const made = { ...files, "manifest.json": JSON.stringify({ generator: REPORT_GENERATOR, files: listed }) };
  for (const [name, text] of Object.entries(made)) await writeFile(join(delivery.making, name), text);
  expect(await filesIn(folder)).toEqual(before);
  await delivery.deliver(Object.keys(made));
  await delivery.close();
  expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
}

describe("the folder of a delivery", () => {
  const some = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 });

  test("holds the newest delivery, and whatever a person made or changed; nothing of an earlier or a killed one", async () => {
    await fc.assert(
      fc.asyncProperty(
        some,
        some,
        fc.subarray(NAMES),
        fc.boolean(),
        fc.nat(3),
        async (first, second, changed, isForeign, killed) => {
          const folder = join(await temporaryFolder(), "delivery");
          const earlier = Object.fromEntries(first.map((name) => [name, `first ${name}`]));
          await deliver(folder, earlier, false);
          const byHand = changed.filter((name) => first.includes(name));
          for (const name of byHand) await writeFile(join(folder, name), "by hand");
          if (isForeign) await writeFile(join(folder, "notes.txt"), "mine");
          for (let index = 0; index < killed; index++) {
            await mkdir(join(folder, `.delivery-${index}`));
            await writeFile(join(folder, `.delivery-${index}`, "half.wav"), "half");
          }
          const newer = Object.fromEntries(second.map((name) => [name, `second ${name}`]));
          const isRefused = byHand.length > 0 || isForeign;
          const before = await filesIn(folder);
          const outcome = await deliver(folder, newer, false).then(
            () => "done",
            (error: Error) => error.message,
          );
          expect(outcome === "done").toBe(!isRefused);
          if (isRefused) {
            expect(await filesIn(folder)).toEqual(before);
            await deliver(folder, newer, true);
          }
          const { "manifest.json": manifest = "", ...there } = await filesIn(folder);
          const kept = Object.fromEntries(byHand.map((name) => [name, "by hand"]));
          expect(there).toEqual({ ...kept, ...newer, ...(isForeign ? { "notes.txt": "mine" } : {}) });
          expect(JSON.parse(manifest).files).toHaveLength(second.length);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("is as it was before where nothing is delivered, and not there where it was not", async () => {
    const folder = join(await temporaryFolder(), "delivery");
    await (await DeliveryFolder.open(folder, false)).close();
    expect(existsSync(folder)).toBe(false);
    await deliver(folder, { "a.srt": "x" }, false);
    const before = await filesIn(folder);
    const opened = await DeliveryFolder.open(folder, false);
    await writeFile(join(opened.making, "b.vtt"), "half");
    await opened.close();
    expect(await filesIn(folder)).toEqual(before);
  });

  test("has the files of every delivery put back that was killed while it gave names", async () => {
    const folder = join(await temporaryFolder(), "delivery");
    await deliver(folder, { "a.srt": "one", "b.vtt": "two" }, false);
    const before = await filesIn(folder);
    for (const [index, name] of ["a.srt", "b.vtt"].entries()) {
      const making = `.delivery-killed${index}`;
      await mkdir(join(folder, making));
      // As it stands in the middle: the list of moves is there, and the first is done.
      const to = join(making, name);
      await writeFile(join(folder, making, ".moves.json"), JSON.stringify([{ from: name, to }]));
      await rename(join(folder, name), join(folder, to));
    }
    expect(await filesIn(folder)).not.toEqual(before);
    await (await DeliveryFolder.open(folder, false)).close();
    expect(await filesIn(folder)).toEqual(before);
  });
});

test("a sound that is copied is whole when that is said, the same samples behind another head", async () => {
  const folder = await temporaryFolder();
  const [from, to] = [join(folder, "a.wav"), join(folder, "b.wav")];
  const bytes = Buffer.from(silentWav(20));
  for (let at = 100; at < bytes.length; at++) bytes[at] = at % 251;
  await writeFile(from, bytes);
  const layout = await waveLayoutOf(from);
  const order = { startSeconds: 1, broadcast: { description: "x", originator: "Aside" } };
  await copyAsBroadcastWave(from, to, layout, order);
  const copied = await readFile(to);
  const reading = readWaveHeader(copied);
  if (!reading.ok) throw new Error(reading.code);
  const { dataOffset, dataBytes } = reading.layout;
  expect(dataBytes).toBe(layout.dataBytes);
  expect(
    copied
      .subarray(dataOffset, dataOffset + (dataBytes ?? 0))
      .equals(bytes.subarray(layout.dataOffset, layout.dataOffset + (layout.dataBytes ?? 0))),
  ).toBe(true);
  expect(await sha256Of(to)).toBe(createHash("sha256").update(copied).digest("hex"));
  await writeFile(from, "no sound at all");
  await expect(waveLayoutOf(from)).rejects.toMatchObject({ code: "file_unreadable" });
});
