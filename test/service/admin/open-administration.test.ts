import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAdministration } from "../../../src/service/admin/open-administration.ts";
import { lockDataFolder } from "../../../src/service/storage/data-folder-lock.ts";
import { ServiceStartError } from "../../../src/service/storage/database.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// Records that administration opens itself, because no service has them.

test("a data folder is held until its administration is closed, with its records; where it cannot be opened, by nobody", async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  const administration = await openAdministration({ dataFolder });
  expect(await administration.listKeys()).toEqual([]);
  await expect(lockDataFolder(dataFolder)).rejects.toMatchObject({ code: "data_folder_in_use" });
  await administration.close();
  await expect(administration.listKeys()).rejects.toThrow();
  await (await lockDataFolder(dataFolder)).release();
  // Objects that belong to other records.
  await writeFile(join(dataFolder, "objects", "aside-records"), "of others");
  await expect(openAdministration({ dataFolder })).rejects.toBeInstanceOf(ServiceStartError);
  await (await lockDataFolder(dataFolder)).release();
});
