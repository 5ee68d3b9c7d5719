import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("no two types of the product have one name: a word that is looked for is found in one place", () => {
  const places = new Map<string, string[]>();
  for (const file of globSync("{src,panel,page}/**/*.ts", { cwd: ROOT })) {
    // What a platform gives is declared once for each that has it.
    if (file.endsWith(".d.ts")) continue;
    for (const [, name = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(
      /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
    )) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(1000);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});
