import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptLines } from "../../../src/engine/ocr/kept-lines.ts";
import { ScreenTextReader } from "../../../src/engine/ocr/text-reading.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const PICTURE = Uint8Array.of(1, 2, 3);
const LINES = { lines: ["THE END"], doubtful: [], isPartial: false, unread: null };

/** Language data that is there, and no more. */
async function madeData(content = "no data") {
  const folder = await temporaryFolder();
  const path = join(folder, "eng.traineddata");
  await writeFile(path, content);
  return { folder, data: [{ language: "en", name: "eng", path }] };
}

test("lines are found again for the very picture, language and data they were read with, and for no other", async () => {
  const folder = join(await temporaryFolder(), "onscreen");
  const { data } = await madeData();
  const kept = await KeptLines.of(folder, "en-US", data);
  expect(await kept.find(PICTURE)).toBeNull();
  await kept.keep(PICTURE, LINES);
  expect(await kept.find(PICTURE)).toEqual(LINES);
  expect(await (await KeptLines.of(folder, "en-US", data)).find(PICTURE)).toEqual(LINES);
  expect(await kept.find(Uint8Array.of(1, 2, 4))).toBeNull();
  expect(await (await KeptLines.of(folder, "de-DE", data)).find(PICTURE)).toBeNull();
  const others = (await madeData("other data")).data;
  expect(await (await KeptLines.of(folder, "en-US", others)).find(PICTURE)).toBeNull();
});

test("half a file is no reading, and where nothing can be kept it is read all the same", async () => {
  const folder = await temporaryFolder();
  const { data } = await madeData();
  const kept = await KeptLines.of(folder, "en-US", data);
  await kept.keep(PICTURE, LINES);
  const [name = ""] = await readdir(folder);
  for (const content of ['{"lines":["THE', "null", "[]", ""]) {
    await writeFile(join(folder, name), content);
    expect(await kept.find(PICTURE)).toBeNull();
  }
  const inTheWay = join(folder, name, "onscreen");
  await expect((await KeptLines.of(inTheWay, "en-US", data)).keep(PICTURE, LINES)).resolves.toBeUndefined();
});

test("a picture that was read before is not read again", async () => {
  const folder = await temporaryFolder();
  const { folder: dataFolder, data } = await madeData();
  await (await KeptLines.of(folder, "en-US", data)).keep(PICTURE, LINES);
  const [known, unknown] = [join(dataFolder, "a.jpg"), join(dataFolder, "b.jpg")];
  await writeFile(known, PICTURE);
  await writeFile(unknown, Uint8Array.of(9));
  // The data cannot be used: whatever is really read says so.
  await using reading = new ScreenTextReader("en-US", { ASIDE_OCR_DATA: dataFolder }, folder);
  expect(await reading.read(known)).toEqual(LINES);
  expect(await reading.read(unknown)).toBe("damaged");
});
