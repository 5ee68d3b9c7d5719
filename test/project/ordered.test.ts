import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

// What the project was ordered with, by whoever pays for it: neither size nor taste takes any of it away.

test("what was ordered for the top of the repository is there", async () => {
  const top = await readdir(".");
  const ordered = ["package.json", "tsconfig.json", "webpack.config.js", "manifest.json", "src", "panel", "test"];
  expect(ordered.filter((name) => !top.includes(name))).toEqual([]);
});

test("the packages that were ordered are used, and no second bundler beside them", async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
  const packages = { ...dependencies, ...devDependencies };
  const ordered = ["webpack", "zod", "vitest", "@adobe/premierepro", "@adobe/cc-ext-uxp-types"];
  expect(ordered.filter((name) => !(name in packages))).toEqual([]);
  const others = ["esbuild", "rollup", "vite", "parcel", "@rspack/core", "tsup", "bun"];
  expect(others.filter((name) => name in packages)).toEqual([]);
});

test("webpack's configurations are the panel, the page and the preview, each with its scripts", async () => {
  const { default: configurations } = await import("../../webpack.config.js");
  const found = configurations().map(({ name, entry }) => [name, Object.keys(entry ?? {})]);
  expect(found).toEqual([
    ["panel", ["start", "index", "diagnostics"]],
    ["page", ["page"]],
    ["preview", ["premiere", "uxp"]],
  ]);
});

test("the readme says which typings stand for those that are on no registry", async () => {
  const readme = await readFile("README.md", "utf8");
  const line = readme.split("\n").find((one) => one.includes("@adobe/cc-web-types")) ?? "";
  expect(line).toMatch(/no registry.*`@adobe\/premierepro`.*`@adobe\/cc-ext-uxp-types`/);
});
