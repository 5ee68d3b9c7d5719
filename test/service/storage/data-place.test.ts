import { execFileSync } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAdministration } from "../../../src/service/admin/open-administration.ts";
import { lockDataFolder } from "../../../src/service/storage/data-folder-lock.ts";
import { moveToPlace, placeFault, standsAt, wouldStandAt } from "../../../src/service/storage/data-place.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const FILES = { "records/base/1": "rows", "objects/film.mp4": "picture", "aside.json": "{}" };

/** A data folder of a user's that holds something. */
async function dataFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), "server");
  await put(folder);
  return folder;
}

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
  return Object.fromEntries(texts.filter(([name]) => !name?.startsWith("service.lock")));
}

/** A place on another disk than that of the tests; `null` where this computer has none. */
async function otherDisk(): Promise<string | null> {
  const here = await statfs(await temporaryFolder());
  for (const disk of ["/dev/shm", "/tmp", "/var/tmp"]) {
    const there = await statfs(disk).catch(() => null);
    if (there === null || (there.type === here.type && there.blocks === here.blocks)) continue;
    const place = await mkdtemp(join(disk, "aside-place-"));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    return place;
  }
  return null;
}

const sayNothing = () => undefined;

/** What lies beside a data folder: nothing but what moves lock, when a move is over. */
const beside = async (folder: string) =>
  (await readdir(join(folder, ".."))).filter((name) => name !== "server" && name !== "server-moving");

describe.each(["the same disk", "another disk"])("data moves to a place on %s", (disk) => {
  const aPlace = () => (disk === "the same disk" ? temporaryFolder() : otherDisk());

  test("and back, whole, found by the same path, with nothing left behind", async ({ skip }) => {
    const [folder, first, second] = [await dataFolder(), await aPlace(), await aPlace()];
    if (first === null || second === null) return skip();
    const told: string[] = [];
    for (const place of [first, second, null, first]) {
      const before = await standsAt(folder);
      expect(await moveToPlace(folder, place, (sentence) => told.push(sentence))).toBe(null);
      expect(await standsAt(folder)).toBe(wouldStandAt(folder, place));
      expect(await contentOf(folder)).toEqual(FILES);
      expect(await beside(folder)).toEqual([]);
      if (before !== folder) await expect(lstat(before)).rejects.toThrow("ENOENT");
      // Once is enough: a second start moves nothing.
      expect(await moveToPlace(folder, place, (sentence) => told.push(sentence))).toBe(null);
    }
    expect(told.length).toBe(4);
    expect(told[0]).toContain(join(first, "Aside data", "server"));
  });

  test("and never while somebody has it open", async ({ skip }) => {
    const [folder, place] = [await dataFolder(), await aPlace()];
    if (place === null) return skip();
    const lock = await lockDataFolder(folder);
    await expect(moveToPlace(folder, place, sayNothing)).rejects.toMatchObject({ code: "data_folder_in_use" });
    await lock.release();
    expect([await standsAt(folder), await contentOf(folder), await beside(folder)]).toEqual([folder, FILES, []]);
  });
});

test("two starts at once move once, and lose nothing", async () => {
  for (const isBack of [false, true]) {
    const [folder, place] = [await dataFolder(), await temporaryFolder()];
    if (isBack) await moveToPlace(folder, place, sayNothing);
    const told: string[] = [];
    const start = () => moveToPlace(folder, isBack ? null : place, (sentence) => told.push(sentence));
    const ends = await Promise.allSettled([start(), start(), start()]);
    for (const end of ends) {
      if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "data_folder_in_use" });
      else expect(end.value).toBe(null);
    }
    expect(ends.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(told).toHaveLength(1);
    expect(await standsAt(folder)).toBe(isBack ? folder : wouldStandAt(folder, place));
    expect([await contentOf(folder), await beside(folder)]).toEqual([FILES, []]);
  }
});

test("a move that was killed anywhere leaves one whole copy, which the next start finds", async () => {
  const wantedOf = (place: string, folder: string) => wouldStandAt(folder, place);
  /** What a kill can leave, by the step that it came after. */
  const kills: Record<string, (folder: string, wanted: string) => Promise<void>> = {
    "the link is made, nothing moved": (folder, wanted) => symlink(wanted, `${folder}-link`),
    "half a copy is there": async (folder, wanted) => {
      await symlink(wanted, `${folder}-link`);
      await mkdir(`${wanted}-incoming`, { recursive: true });
      await writeFile(join(`${wanted}-incoming`, "aside.json"), "{");
    },
    "the folder itself went": async (folder, wanted) => {
      await symlink(wanted, `${folder}-link`);
      await mkdir(join(wanted, ".."), { recursive: true });
      await rename(folder, wanted);
    },
    "the copy is whole, and what was here has another name": async (folder, wanted) => {
      await symlink(wanted, `${folder}-link`);
      await put(wanted);
      await rename(folder, `${folder}-before`);
    },
    "the link is in its place, what was here is not gone": async (folder, wanted) => {
      await put(wanted);
      await rename(folder, `${folder}-before`);
      await symlink(wanted, folder);
    },
  };
  for (const [step, leave] of Object.entries(kills)) {
    for (const isStillWanted of [true, false]) {
      const [folder, place] = [await dataFolder(), await temporaryFolder()];
      await leave(folder, wantedOf(place, folder));
      expect([step, await moveToPlace(folder, isStillWanted ? place : null, sayNothing)]).toEqual([step, null]);
      const wanted = isStillWanted ? wantedOf(place, folder) : folder;
      expect([step, await standsAt(folder), await contentOf(folder)]).toEqual([step, wanted, FILES]);
      expect([step, await beside(folder)]).toEqual([step, []]);
      if (!isStillWanted) expect([step, await contentOf(place)]).toEqual([step, {}]);
    }
  }
});

test("a way back that was killed anywhere leaves one whole copy too", async () => {
  const kills: Record<string, (folder: string, place: string) => Promise<void>> = {
    "half a copy is there": (folder) => mkdir(`${folder}-whole-incoming`),
    "a whole copy is there, the link still leads away": (folder) => put(`${folder}-whole`),
    "the folder itself came, the link leads nowhere": (folder, place) =>
      rename(wouldStandAt(folder, place), `${folder}-whole`),
    "the folder itself came, the link is gone": async (folder, place) => {
      await rename(wouldStandAt(folder, place), `${folder}-whole`);
      await rm(folder);
    },
  };
  for (const [step, leave] of Object.entries(kills)) {
    const [folder, place] = [await dataFolder(), await temporaryFolder()];
    await moveToPlace(folder, place, sayNothing);
    await leave(folder, place);
    expect([step, await moveToPlace(folder, null, sayNothing)]).toEqual([step, null]);
    expect([step, await standsAt(folder), await contentOf(folder)]).toEqual([step, folder, FILES]);
    expect([step, await beside(folder)]).toEqual([step, []]);
  }
});

test("what stands in a place already is never mixed with what moves, and is found on a new computer", async () => {
  const [folder, place] = [await dataFolder(), await temporaryFolder()];
  const wanted = wouldStandAt(folder, place);
  await mkdir(wanted, { recursive: true });
  await writeFile(join(wanted, "other"), "of another computer");
  expect(await moveToPlace(folder, place, sayNothing)).toContain("holds data already");
  expect([await contentOf(folder), await contentOf(wanted)]).toEqual([FILES, { other: "of another computer" }]);
  await rm(folder, { recursive: true });
  expect(await moveToPlace(folder, place, sayNothing)).toBe(null);
  expect(await contentOf(folder)).toEqual({ other: "of another computer" });
});

test("a disk that is away stops the start, and begins anew only for who names another place", async () => {
  const [folder, place, another] = [await dataFolder(), await temporaryFolder(), await temporaryFolder()];
  await moveToPlace(folder, place, sayNothing);
  await rename(place, `${place}-away`);
  await expect(moveToPlace(folder, place, sayNothing)).rejects.toMatchObject({
    code: "data_folder_unusable",
    message: expect.stringMatching(/is not there\. Connect its disk/),
  });
  await expect(openAdministration({ dataFolder: folder })).rejects.toMatchObject({ code: "data_folder_unusable" });
  expect(await readdir(join(place, "..")).then((names) => names.includes(basename(place)))).toBe(false);
  const told: string[] = [];
  expect(await moveToPlace(folder, another, (sentence) => told.push(sentence))).toBe(null);
  expect(told).toEqual([expect.stringMatching(/stays, and everything begins anew/)]);
  expect(await contentOf(folder)).toEqual({});
  await rename(`${place}-away`, place);
  expect(await contentOf(wouldStandAt(folder, place))).toEqual(FILES);
});

test("a place is a folder that is there, can be written and is not inside the data", async () => {
  const folder = await dataFolder();
  const file = join(folder, "aside.json");
  for (const [place, why] of [
    ["films", "no whole path"],
    [join(folder, "none"), "There is no folder"],
    [file, "There is no folder"],
    [join(folder, "objects"), "inside"],
    [folder, "inside"],
  ] as const) {
    expect([place, await placeFault(folder, place)]).toEqual([place, expect.stringContaining(why)]);
    expect([place, await moveToPlace(folder, place, sayNothing)]).toEqual([place, expect.stringContaining(why)]);
  }
  expect([await standsAt(folder), await contentOf(folder)]).toEqual([folder, FILES]);
});

test("a disk without room leaves everything where it is", async ({ skip }) => {
  const [folder, place] = [await dataFolder(), await temporaryFolder()];
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", place], { stdio: "ignore" });
  } catch {
    return skip();
  }
  onTestFinished(() => void execFileSync("/bin/umount", [place]));
  await writeFile(join(folder, "objects/large"), Buffer.alloc(200_000));
  const content = await contentOf(folder);
  expect(await moveToPlace(folder, place, sayNothing)).toContain("no room");
  expect([await standsAt(folder), await contentOf(folder), await beside(folder)]).toEqual([folder, content, []]);
  expect(await contentOf(place)).toEqual({});
});
