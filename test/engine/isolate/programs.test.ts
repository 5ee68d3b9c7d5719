import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../../src/engine/isolate/programs.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const NAME = "aside-test-program";

async function folders(...programs: readonly (readonly string[])[]) {
  return Promise.all(
    programs.map(async (names) => {
      const folder = await temporaryFolder();
      for (const name of names) {
        await writeFile(join(folder, name), "");
        await chmod(join(folder, name), 0o755);
      }
      return folder;
    }),
  );
}

test("a program is found in whichever folder of PATH it lies, in the first of several", async () => {
  const [none, one, other] = await folders([], [NAME], [NAME]);
  const environment = { PATH: [".", none, one, other].join(delimiter) };
  expect(await findProgram(NAME, { environment, platform: "linux" })).toBe(join(one ?? "", NAME));
  expect(await findProgram("aside-test-absent", { environment, platform: "linux" })).toBeNull();
  // What lies in the current folder is nobody's program.
  expect(await findProgram(`./${NAME}`, { environment, platform: "linux" })).toBeNull();
});

test("on Windows a name alone is that of an .exe, else of a .com, in any folder", async () => {
  const [com, exe, plain] = await folders([`${NAME}.com`], [`${NAME}.exe`], [NAME, "other.com"]);
  const at = (...paths: readonly (string | undefined)[]) => ({
    environment: { Path: paths.join(delimiter) },
    platform: "win32" as const,
  });
  expect(await findProgram(NAME, at(com, exe))).toBe(join(exe ?? "", `${NAME}.exe`));
  expect(await findProgram(NAME, at(plain, com))).toBe(join(com ?? "", `${NAME}.com`));
  expect(await findProgram("other.com", at(com, plain))).toBe(join(plain ?? "", "other.com"));
  expect(await findProgram(NAME, at(plain))).toBeNull();
});
