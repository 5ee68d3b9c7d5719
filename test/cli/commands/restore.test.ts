import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideHere } from "../run-aside.ts";

test("a backup whose records are damaged is refused, and nothing is made of it", async () => {
  const [backup, data] = [await temporaryFolder(), await temporaryFolder()];
  const manifest = { format: "aside-backup-1", made_at: "2026-01-01", records_sha256: "0", objects: 0, bytes: 0 };
  await writeFile(join(backup, "backup.json"), JSON.stringify(manifest));
  await writeFile(join(backup, "records.pack"), "other records");
  const { code, stderr } = await asideHere(["restore", backup, "--data", data]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("The backup's records are damaged")]);
  expect(await readdir(data)).toEqual([]);
});
