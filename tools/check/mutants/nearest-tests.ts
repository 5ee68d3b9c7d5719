import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Imports of one file, relative ones alone; those too whose address is made first, as of what a browser runs. */
const IMPORTED = /(?:(?:from|import)\s*\(?|new URL\()\s*"(\.{1,2}\/[^"]+)"/g;

/** Which tests go through which file, by the imports of the whole project. */
export class NearestTests {
  readonly #importers = new Map<string, string[]>();

  /** @param root - Folder of the project. */
  constructor(root: string) {
    for (const path of globSync("{src,panel,page,test,tools,sample}/**/*.ts", { cwd: root })) {
      for (const [, target = ""] of readFileSync(join(root, path), "utf8").matchAll(IMPORTED)) {
        const imported = normalize(join(dirname(path), target));
        const known = this.#importers.get(imported) ?? [];
        known.push(path);
        this.#importers.set(imported, known);
      }
    }
  }

  /**
   * The tests of a file, those that stand for it first: of its own name, then by how few imports lie between.
   *
   * @param most - How many are given.
   */
  of(path: string, most: number): readonly string[] {
    const seen = new Set([path]);
    const found: string[] = [];
    let row = [path];
    while (row.length > 0 && found.length < most) {
      const next = row.flatMap((one) => this.#importers.get(one) ?? []).filter((one) => !seen.has(one));
      row = [...new Set(next)];
      for (const one of row) seen.add(one);
      found.push(...row.filter((one) => one.endsWith(".test.ts")).sort(byLikeness(path)));
    }
    return found.slice(0, most);
  }
}

/** Orders tests by how much of a file's path theirs has in common with it. */
function byLikeness(path: string): (a: string, b: string) => number {
  const parts = new Set(path.replace(/\.ts$/, "").split(/[/-]/));
  const likeness = (test: string) =>
    test
      .replace(/\.test\.ts$/, "")
      .split(/[/-]/)
      .filter((part) => parts.has(part)).length;
  return (a, b) => likeness(b) - likeness(a) || a.length - b.length;
}
