import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { builtPage } from "../../../src/service/http/built-page.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// The page of a checkout whose builder is quick, and of a package.

/** Writes a page that says how many were built before it, or fails where the sources say so. */
const BUILDER = `
  import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
  const out = process.argv[process.argv.indexOf("--out") + 1];
  const built = readdirSync("builds").length;
  writeFileSync("builds/" + built, "");
  if (existsSync("page/broken")) { process.stderr.write("a word is missing"); process.exit(1); }
  mkdirSync(out + "/home/files", { recursive: true });
  writeFileSync(out + "/index.html", "build " + built);
  writeFileSync(out + "/home/files/main.js", "1");
  writeFileSync(out + "/home/files/page.css", "2");
`;

let project: string;
let said: string[];
const page = () => builtPage((sentence) => void said.push(sentence), project);

beforeEach(async () => {
  project = await temporaryFolder();
  said = [];
  for (const folder of ["page", "panel/views", "src/core", "tools/build", "builds"]) {
    await mkdir(join(project, folder), { recursive: true });
  }
  for (const path of ["page/index.html", "panel/views/a.ts", "src/core/b.ts", "webpack.config.js"]) {
    await writeFile(join(project, path), "");
    await utimes(join(project, path), 1_000, 1_000);
  }
  await writeFile(join(project, "tools/build/build.ts"), BUILDER);
});

test("the page of a checkout is built once, and again whenever one of its sources has changed", async () => {
  const first = await page();
  expect(first.html).toBe("build 0");
  expect([...first.files].map(([name, { contentType }]) => [name, contentType]).sort()).toEqual([
    ["main.js", "text/javascript; charset=utf-8"],
    ["page.css", "text/css; charset=utf-8"],
  ]);
  expect(await page()).toBe(first);
  const sources = ["page/index.html", "panel/views/a.ts", "src/core/b.ts", "webpack.config.js"];
  for (const [index, path] of sources.entries()) {
    const later = Date.now() / 1000 + 10 * (index + 1);
    await utimes(join(project, path), later, later);
    expect([path, (await page()).html]).toEqual([path, `build ${index + 1}`]);
  }
  expect(said).toHaveLength(5);
});

test("a page that cannot be built says the builder's words, and is tried again; no folder is left of any", async () => {
  const before = await readdir(tmpdir());
  await writeFile(join(project, "page/broken"), "");
  for (const build of [0, 1]) {
    await expect(page()).rejects.toThrow(/could not be built.*\na word is missing/);
    expect(await readdir(join(project, "builds"))).toHaveLength(build + 1);
    expect(await readdir(tmpdir())).toEqual(before);
  }
  await rm(join(project, "page/broken"));
  expect((await page()).html).toBe("build 2");
  expect(await readdir(tmpdir())).toEqual(before);
});

test("a package sends the page that it brings, or says that it is missing", async () => {
  await rm(join(project, "page"), { recursive: true });
  await expect(page()).rejects.toThrow(/missing from this installation/);
  await mkdir(join(project, "dist/page/home/files"), { recursive: true });
  await writeFile(join(project, "dist/page/index.html"), "whole");
  expect((await page()).html).toBe("whole");
  expect(said).toEqual([]);
});
