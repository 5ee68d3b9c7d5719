import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAdministration } from "../../../src/service/admin/open-administration.ts";
import { foundAt, placeOf } from "../../../src/service/storage/data-place.ts";
import { diskJournal } from "../../fakes/disk-journal.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const FILES = { "records/base/1": "rows", "objects/film.mp4": "picture", "aside.json": "{}" };

async function put(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** What is found by the path of a data folder. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, "utf8")]),
  );
  return Object.fromEntries(texts);
}

/** A user's data folder that is not there yet, and where an earlier version would have moved it. */
async function places() {
  const [home, place] = [await temporaryFolder(), await temporaryFolder()];
  return { home, place, folder: join(home, "server"), moved: join(place, "Aside data", "server") };
}

describe("data that an earlier version moved to another disk", () => {
  test("is found by its folder, whoever opens it", async () => {
    const { folder, moved } = await places();
    await put(moved);
    await symlink(moved, folder, "junction");
    for (const isUsersOwn of [true, false]) expect(await foundAt(folder, isUsersOwn)).toBe(moved);
    expect([await placeOf(folder), await placeOf(moved)]).toEqual([moved, null]);
    expect([(await lstat(folder)).isSymbolicLink(), await contentOf(folder)]).toMatchObject([true, FILES]);
  });

  test("is asked for by name while its disk is away, and nothing is made in its place", async () => {
    const { home, folder, moved, place } = await places();
    await put(moved);
    await symlink(moved, folder, "junction");
    await rename(place, `${place}-away`);
    // What an earlier version may have left must not pass for the data.
    await put(`${folder}-before`);
    const refused = { code: "data_folder_unusable", message: expect.stringContaining(`${moved}, which is not there.`) };
    for (const isUsersOwn of [true, false]) await expect(foundAt(folder, isUsersOwn)).rejects.toMatchObject(refused);
    await expect(openAdministration({ dataFolder: folder })).rejects.toMatchObject(refused);
    expect((await readdir(home)).sort()).toEqual(["server", "server-before"]);
    expect(await readdir(join(place, ".."))).not.toContain(basename(place));
    await rename(`${place}-away`, place);
    expect(await contentOf(await foundAt(folder, true))).toEqual(FILES);
  });

  /** What a move leaves that is killed between two of its steps, by what is missing yet. */
  const kills: Record<string, (all: Awaited<ReturnType<typeof places>>) => Promise<unknown>> = {
    "nothing was moved": async ({ folder, moved }) => {
      await put(folder);
      await symlink(moved, `${folder}-link`, "junction");
    },
    "half a copy is there": async ({ folder, moved }) => {
      await put(folder);
      await symlink(moved, `${folder}-link`, "junction");
      await mkdir(`${moved}-incoming`, { recursive: true });
    },
    "the folder is moved, the link has another name": async ({ folder, moved }) => {
      await put(moved);
      await symlink(moved, `${folder}-link`, "junction");
    },
    "the folder is copied, what was here has another name": async ({ folder, moved }) => {
      await put(moved);
      await put(`${folder}-before`);
      await symlink(moved, `${folder}-link`, "junction");
    },
    "the same, and the disk of the copy is away": async ({ folder, moved }) => {
      await put(`${folder}-before`);
      await symlink(moved, `${folder}-link`, "junction");
    },
    "the link is there, what was here is not gone": async ({ folder, moved }) => {
      await put(moved);
      await symlink(moved, folder, "junction");
      await mkdir(`${folder}-before`);
    },
    "on the way to a third disk": async ({ home, folder, moved }) => {
      await put(moved);
      await mkdir(join(home, "second", "Aside data"), { recursive: true });
      await symlink(join(home, "second", "Aside data", "server"), folder, "junction");
      await symlink(moved, `${folder}-link`, "junction");
    },
    "on the way back, the link leads to what has gone": async ({ folder, moved, place }) => {
      await put(`${folder}-whole`);
      await mkdir(join(place, "Aside data"));
      await symlink(moved, folder, "junction");
    },
    "on the way back, the link is gone": ({ folder }) => put(`${folder}-whole`),
  };

  test.each(Object.entries(kills))("is found whole where the move was broken off: %s", async (_, leave) => {
    const all = await places();
    await leave(all);
    expect(await contentOf(await foundAt(all.folder, true))).toEqual(FILES);
    expect(await contentOf(all.folder)).toEqual(FILES);
    // Nothing that has the data is thrown away, and a second start finds the same.
    expect(await contentOf(await foundAt(all.folder, true))).toEqual(FILES);
  });

  test("is not taken for found where the move cannot be ended", async () => {
    const { home, folder } = await places();
    await put(`${folder}-before`);
    const journal = diskJournal((path) => (path.startsWith(home) ? basename(path) : null));
    journal.failAt = /^rename server-before server$/;
    await expect(foundAt(folder, true)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await contentOf(`${folder}-before`)).toEqual(FILES);
    journal.failAt = null;
    expect(await contentOf(await foundAt(folder, true))).toEqual(FILES);
  });

  test("is found whole by two that open it at once", async () => {
    const all = await places();
    await put(all.moved);
    await put(`${all.folder}-before`);
    await symlink(all.moved, `${all.folder}-link`, "junction");
    const found = await Promise.allSettled(Array.from({ length: 4 }, () => foundAt(all.folder, true)));
    for (const one of found) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "data_folder_in_use" });
      else expect(await contentOf(one.value)).toEqual(FILES);
    }
    expect(await contentOf(all.folder)).toEqual(FILES);
  });
});

test("what is beside a folder that a person named is theirs, whatever it is called", async () => {
  const { home, folder } = await places();
  for (const ending of ["-link", "-whole", "-before"]) await put(`${folder}${ending}`);
  expect(await foundAt(folder, false)).toBe(folder);
  expect((await readdir(home)).sort()).toEqual(["server-before", "server-link", "server-whole"]);
});

test("a link that a person made is followed, and is none that an earlier version made", async () => {
  const { folder, place } = await places();
  await put(join(place, "films"));
  await symlink(join(place, "films"), folder, "junction");
  expect([await foundAt(folder, true), await placeOf(folder)]).toEqual([join(place, "films"), null]);
  await rm(join(place, "films"), { recursive: true });
  await expect(foundAt(folder, true)).rejects.toMatchObject({ code: "data_folder_unusable" });
});
