import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lockDataFolder } from "../../../src/service/storage/data-folder-lock.ts";
import { packFolder, unpackFolder } from "../../../src/service/storage/data-folders.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** What is in a folder: its files with their bytes, its folders with none. */
async function treeOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length), entry.isDirectory() ? "" : await readFile(path, "latin1")];
  });
  return Object.fromEntries(await Promise.all(tree));
}

test("what is packed is unpacked as it was, with each file and each folder, those too that are empty", async () => {
  const name = fc.constantFrom("a", "b", "c.txt", "long name");
  const files = fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.string()), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const root = await temporaryFolder();
      await mkdir(join(root, "from/empty"), { recursive: true });
      for (const [path, bytes] of given) {
        // A name that is a folder already stays one.
        const file = `${join(root, "from", ...path)}.file`;
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, bytes, "latin1");
      }
      await unpackFolder(await packFolder(join(root, "from")), join(root, "to"));
      expect(await treeOf(join(root, "to"))).toEqual(await treeOf(join(root, "from")));
    }),
    { numRuns: 30 },
  );
});

test("a holder is not said to be written down where it cannot be", async () => {
  const folder = join(await temporaryFolder(), "data");
  const lock = await lockDataFolder(folder);
  await rm(folder, { recursive: true });
  await expect(lock.announce("/run/aside.sock")).rejects.toMatchObject({ code: "ENOENT" });
  await lock.release();
});
