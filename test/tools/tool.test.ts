import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { TOOLS } from "../../tools/registry.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(textOf("package.json"));
const ROWS = Object.values(TOOLS).flat();

function textOf(path: string): string {
  return readFileSync(`${ROOT}/${path}`, "utf8");
}

function run(...args: readonly string[]) {
  return promisify(execFile)(process.execPath, ["tools/tool.ts", ...args], { cwd: ROOT });
}

test("every tool has a name of its own, a file that is there, and one sentence", () => {
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  for (const { name, file, sentence } of ROWS) {
    expect.soft(existsSync(`${ROOT}/tools/${file}`), name).toBe(true);
    expect.soft(sentence, name).toMatch(/^[A-Z].*\.$/);
  }
});

test("--help says what a tool does and runs nothing of it; one that has more to say says it itself", async () => {
  const sentence = (name: string) => ROWS.find((row) => row.name === name)?.sentence ?? "";
  expect((await run("screenshots", "--help")).stdout).toBe(`screenshots: ${sentence("screenshots")}\n`);
  expect((await run("slips", "--help")).stdout).not.toContain(sentence("slips"));
  const own = ROWS.filter(
    ({ file }) => textOf(`tools/${file}`).includes('"--help"') || textOf(`tools/${file}`).includes("help: {"),
  );
  expect(ROWS.filter(({ hasHelp }) => hasHelp)).toEqual(own);
});

test("every file of tools is a tool, or is used by one", () => {
  const entries = new Set(["tools/tool.ts", ...ROWS.map(({ file }) => `tools/${file}`)]);
  const files = globSync("tools/**/*.ts", { cwd: ROOT }).map((path) => path.replaceAll("\\", "/"));
  const texts = new Map(files.map((path) => [path, textOf(path)]));
  const isUsed = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return [...texts].some(
      ([other, text]) => other !== path && (text.includes(`"${name}"`) || text.includes(`/${name}"`)),
    );
  };
  const named = (path: string) => Object.values(scripts).some((script) => script.includes(path));
  const unknown = files.filter((path) => !path.endsWith(".d.ts") && !entries.has(path) && !named(path));
  expect(unknown.filter((path) => !isUsed(path))).toEqual([]);
});

test("a folder of tools has at most fifteen files", () => {
  const folders = Map.groupBy(globSync("tools/**/*.*", { cwd: ROOT }), (path) => path.replace(/[^/\\]+$/, ""));
  expect([...folders].filter(([, files]) => files.length > 15).map(([folder]) => folder)).toEqual([]);
});

test("package.json has at most fifteen scripts: what else there is, is a tool", () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(15);
});

test("what texts and comments say to run is there", () => {
  const texts = globSync(["*.md", ".ci/run", "docs/**/*.md", "{src,panel,page,tools,test}/**/*.{ts,json}"], {
    cwd: ROOT,
  });
  const names = new Set(ROWS.map(({ name }) => name));
  for (const path of texts) {
    for (const [, script = "", tool] of textOf(path).matchAll(
      /npm run (?:--silent )?([a-z][a-z:-]*[a-z])(?: -- ([a-z][a-z:-]*[a-z]))?/g,
    )) {
      expect.soft(Object.keys(scripts), path).toContain(script);
      if (script === "tool" && tool !== undefined) expect.soft([...names], path).toContain(tool);
    }
  }
});

test("without a name all tools are listed; an unknown name is told, and ends with 2", async () => {
  const { stdout } = await run();
  const lines = stdout.split("\n").map((line) => line.trim().split(/ {2,}/));
  for (const { name, sentence } of ROWS) expect(lines).toContainEqual([name, sentence]);
  await expect(run("no-such-tool")).rejects.toMatchObject({
    code: 2,
    stderr: "There is no tool no-such-tool. npm run tool lists what there is.\n",
  });
});

test("a tool is run with the arguments behind its name", async () => {
  const { stdout } = await run("checklist", "--open");
  expect(stdout).toContain("rows proved on every side they name");
});
