import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CatalogModel } from "../../../src/engine/store/catalog-row.ts";
import { asideAlone } from "../run-aside.ts";
import { storeWith } from "./installed-models.ts";

test("installed models are checked, all or one; a damaged one ends with 3", async () => {
  const folder = await storeWith("ced-mini");
  const env = { ASIDE_MODELS: folder };
  expect(await asideAlone(["models", "check"], env)).toMatchObject({ code: 0, stdout: "ced-mini is whole.\n" });
  await writeFile(join(folder, "ced-mini", "model"), "hEard");
  const { code, stdout } = await asideAlone(["models", "check", "ced-mini", "--json"], env);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject([{ model: "ced-mini", isWhole: false }]);
  expect((await asideAlone(["models"], env)).stdout).toMatch(/^ced-mini \* +sounds +\d+ MB +damaged/m);
  expect((await asideAlone(["models", "check", "kokoro-en", "--json"], env)).code).toBe(1);
});

test("of several models each is told, whichever is damaged", async () => {
  const both = ["ced-mini", "parakeet-v3"] as const;
  for (const damaged of both) {
    const folder = await storeWith(...both);
    await writeFile(join(folder, damaged, "model"), "hEard");
    const { code, stdout } = await asideAlone(["models", "check"], { ASIDE_MODELS: folder });
    expect(code).toBe(3);
    const whole = both.filter((model) => stdout.includes(`${model} is whole.`));
    expect(whole).toEqual(both.filter((model) => model !== damaged));
    expect(stdout).toContain(" is damaged (model)");
  }
});

test("the list has a row for each model, with its size in the unit that suits it", async () => {
  const env = { ASIDE_MODELS: await storeWith("ced-mini") };
  const [table, reply] = [await asideAlone(["models"], env), await asideAlone(["models", "list", "--json"], env)];
  const { models } = JSON.parse(reply.stdout) as { models: { id: string; bytes: number; state: string }[] };
  expect(models.length).toBeGreaterThan(20);
  for (const { id, bytes, state } of models) {
    const [, size = "", unit = "", shown] =
      new RegExp(`^${id}(?: \\*)? +\\w+ +([\\d.]+) (kB|MB|GB) +(\\w+)`, "m").exec(table.stdout) ?? [];
    const one = { kB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? 0;
    expect([id, shown, Math.abs(Number(size) * one - bytes) <= one, unit === "kB" || bytes >= one]).toEqual([
      id,
      state,
      true,
      true,
    ]);
  }
});

test("where none is installed, that is said", async () => {
  const env = { ASIDE_MODELS: await storeWith() };
  expect(await asideAlone(["models", "check"], env)).toMatchObject({
    code: 0,
    stdout: "No model of Aside's is installed.\n",
  });
  expect((await asideAlone(["models", "check", "--json"], env)).stdout).toBe("[]\n");
});

/** Models that can be ordered, told apart by what differs. */
const offered = (...rows: readonly Partial<CatalogModel>[]) => ({
  catalog: rows.map(
    (row): CatalogModel => ({
      id: "one",
      title: "One",
      kind: "ears",
      form: "parakeet",
      languages: [],
      voices: 0,
      licence: { name: "MIT", url: "https://licences.example/mit", has_terms: false },
      memoryBytes: 1,
      installedBytes: 1,
      sources: [],
      files: {},
      remark: "",
      ...row,
    }),
  ),
});

test("two languages are named and more are counted, and what helps to choose is said behind", async () => {
  const env = { ASIDE_MODELS: await storeWith() };
  const { stdout } = await asideAlone(
    ["models"],
    env,
    offered(
      { id: "two", languages: ["de", "en"], remark: "Take it for talks." },
      { id: "three", languages: ["de", "en", "fr"] },
    ),
  );
  expect(stdout).toMatch(/^two .*Writes down what is said, de and en\. Take it for talks\.$/m);
  expect(stdout).toMatch(/^three .*Writes down what is said, 3 languages\.$/m);
});

test("any model that is there already is not ordered again, and what counts for an order alone is refused elsewhere", async () => {
  const env = { ASIDE_MODELS: await storeWith("ced-mini", "parakeet-v3") };
  for (const id of ["ced-mini", "parakeet-v3"]) {
    const { code, stdout } = await asideAlone(["models", "install", id, "--json"], env);
    expect([code, JSON.parse(stdout)]).toEqual([0, { model: id, isNew: false }]);
  }
  for (const [option, ...value] of [["--from", "x"], ["--yes"]]) {
    const { code, stderr } = await asideAlone(["models", "check", option ?? "", ...value], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} counts only together with install`)]);
  }
});

test("a size is told in the largest unit of which there is one", async () => {
  const env = { ASIDE_MODELS: await storeWith() };
  const sizes = { a: 999_000, b: 1e6, c: 999_999_999, d: 1e9 };
  const rows = Object.entries(sizes).map(([id, bytes]) => {
    const source = { url: `https://models.example/${id}`, bytes, sha256: null, into: "model" };
    return { id, sources: [source] };
  });
  const { stdout } = await asideAlone(["models"], env, offered(...rows));
  for (const [id, size] of Object.entries({ a: "999 kB", b: "1 MB", c: "1000 MB", d: "1.0 GB" })) {
    expect(stdout).toMatch(new RegExp(`^${id}(?: \\*)? +ears +${size} +absent`, "m"));
  }
});
