import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isHeldError, whileHeld } from "../../../src/core/held-file.ts";
import { type Move, moveTogether, undoMoves } from "../../../src/host/headless/move-together.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const JOURNAL = ".hidden/moves.json";

/** Old files under their names, new ones in a hidden folder, and the moves that exchange them. */
async function exchange(): Promise<{ folder: string; moves: Move[]; before: Record<string, string> }> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, ".hidden/new"), { recursive: true });
  const names = ["a.txt", "b.txt", "c.txt"];
  for (const name of names) await writeFile(join(folder, ".hidden/new", name), `new ${name}`);
  for (const name of ["a.txt", "b.txt", "old.txt"]) await writeFile(join(folder, name), `old ${name}`);
  const moves = [
    { from: "old.txt", to: "earlier/today/old.txt" },
    { from: "a.txt", to: ".hidden/replaced/a.txt" },
    { from: "b.txt", to: ".hidden/replaced/b.txt" },
    ...names.map((name) => ({ from: join(".hidden/new", name), to: name })),
  ];
  return { folder, moves, before: await contentOf(folder) };
}

async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, "utf8")]),
  );
  return Object.fromEntries(texts.sort());
}

const held = (code: string) => Object.assign(new Error("held"), { code });
const impatient = { platform: "win32", sleep: async () => undefined, patienceMs: 100 };

describe("moving files together", () => {
  test("moves all of them, and leaves no list", async () => {
    const { folder, moves } = await exchange();
    await moveTogether(folder, moves, JOURNAL);
    expect(await contentOf(folder)).toEqual({
      "a.txt": "new a.txt",
      "b.txt": "new b.txt",
      "c.txt": "new c.txt",
      "earlier/today/old.txt": "old old.txt",
      ".hidden/replaced/a.txt": "old a.txt",
      ".hidden/replaced/b.txt": "old b.txt",
    });
  });

  test.each([0, 1, 2, 3, 4, 5])("a program that holds the file of move %i leaves all as it was", async (at) => {
    const { folder, moves, before } = await exchange();
    const { from, to } = moves[at] ?? { from: "", to: "" };
    // As Windows refuses to move what is open, to and fro.
    const move = async (one: string, other: string) => {
      if (one === join(folder, from) && other === join(folder, to)) throw held("EBUSY");
      await rename(one, other);
    };
    const name = from.split("/").at(-1);
    await expect(moveTogether(folder, moves, JOURNAL, { rename: move, wait: impatient })).rejects.toMatchObject({
      code: "file_in_use",
      message: `"${name}" is open in another program`,
    });
    expect(await contentOf(folder)).toEqual(before);
  });

  test("a program that lets go in time is waited for", async () => {
    const { folder, moves } = await exchange();
    let refusals = 3;
    const move = async (from: string, to: string) => {
      if (refusals-- > 0) throw held("EPERM");
      await rename(from, to);
    };
    await moveTogether(folder, moves, JOURNAL, { rename: move, wait: { ...impatient, patienceMs: 5_000 } });
    expect((await contentOf(folder))["a.txt"]).toBe("new a.txt");
  });

  test.each([0, 1, 2, 3, 4, 5])("what a process moved that was killed before move %i comes back", async (at) => {
    const { folder, moves, before } = await exchange();
    let moved = 0;
    const reached = Promise.withResolvers<void>();
    // It never returns: as if the process were gone.
    const move = (from: string, to: string) => {
      if (moved++ < at) return rename(from, to);
      reached.resolve();
      return new Promise<void>(() => undefined);
    };
    void moveTogether(folder, moves, JOURNAL, { rename: move });
    await reached.promise;
    await undoMoves(folder, JOURNAL);
    expect(await contentOf(folder)).toEqual(before);
    // There is nothing to bring back twice.
    await undoMoves(folder, JOURNAL);
    expect(await contentOf(folder)).toEqual(before);
  });

  test("a list that somebody else wrote moves nothing out of the folder, nor into it", async () => {
    const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(elsewhere, "mine.txt"), "mine");
    await symlink(elsewhere, join(folder, "link"));
    await mkdir(join(folder, ".hidden"));
    const moves = [
      { from: "taken.txt", to: join("..", elsewhere.split("/").at(-1) ?? "", "mine.txt") },
      { from: "taken.txt", to: join(elsewhere, "mine.txt") },
      { from: "taken.txt", to: "link/mine.txt" },
      { from: "link/taken.txt", to: ".hidden/moves.json" },
      { from: 7, to: null },
    ];
    await writeFile(join(folder, JOURNAL), JSON.stringify(moves));
    await undoMoves(folder, JOURNAL);
    expect(await readdir(elsewhere)).toEqual(["mine.txt"]);
    expect((await readdir(folder)).sort()).toEqual([".hidden", "link"]);
    for (const text of ["", "{", '"x"', "[null]"]) {
      await writeFile(join(folder, JOURNAL), text);
      await undoMoves(folder, JOURNAL);
    }
  });
});

describe("a file that another program holds", () => {
  test("is told by what its system says: a permission that is missing means that on Windows alone", () => {
    for (const code of ["EBUSY", "EPERM", "EACCES"]) expect(isHeldError(held(code), "win32")).toBe(true);
    expect(isHeldError(held("EBUSY"), "linux")).toBe(true);
    for (const code of ["EPERM", "EACCES", "ENOENT"]) expect(isHeldError(held(code), "linux")).toBe(false);
    expect(isHeldError(held("ENOENT"), "win32")).toBe(false);
    expect(isHeldError("EBUSY", "win32")).toBe(false);
  });

  test.each([
    [0, []],
    [1, [20]],
    [60, [20, 40]],
    [61, [20, 40, 80]],
  ])("is waited for until %i ms are over", async (patienceMs, wanted) => {
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
    const waiting = whileHeld(() => Promise.reject(held("EBUSY")), { platform: "linux", sleep, patienceMs });
    await expect(waiting).rejects.toThrow("held");
    expect(pauses).toEqual(wanted);
  });

  test("is waited for some seconds, in longer and longer steps, and no longer", async () => {
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
    const work = () => Promise.reject(held("EBUSY"));
    await expect(whileHeld(work, { platform: "linux", sleep })).rejects.toThrow("held");
    expect(pauses.slice(0, 7)).toEqual([20, 40, 80, 160, 320, 500, 500]);
    const waited = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(waited).toBe(5_120);
    await expect(whileHeld(() => Promise.reject(held("ENOENT")), { platform: "win32", sleep })).rejects.toThrow();
  });
});
