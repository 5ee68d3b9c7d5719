import { globSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import {
  findProgram,
  neededProgram,
  ProgramError,
  runSystemProgram,
  systemProgram,
  wholePath,
  windowsFolder,
} from "../../src/engine/isolate/programs.ts";
import { launchersOf, layoutOf } from "../../tools/companion/launchers.ts";
import { PLATFORMS } from "../../tools/companion/platforms.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every file of code that is ours. */
const SOURCES = globSync("{src,panel,page,bin,tools,test}/**/*.{ts,mjs,js}", { cwd: ROOT });

/** What starts a program by its first argument. `exec` and `execSync` hand a line to a shell, and are not used at all. */
const STARTERS = ["spawn", "spawnSync", "execFile", "execFileSync"];

/** Where a program's path is whole by how it came about: plain JavaScript for an old Node cannot import ours. */
const WHOLE_ALREADY = ["bin/aside.mjs"];

/** Calls of a file that could start a program by a bare name, or in a shell; with their line. */
function bareCalls(file: string, text: string): string[] {
  if (!/["'](?:node:)?child_process["']/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1} ${node.getText().split("\n")[0]}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && /child_process["']$/.test(node.moduleSpecifier.getText())) {
      // Under its own name alone can a call be found.
      const { namedBindings, name } = node.importClause ?? {};
      const isByName = name === undefined && namedBindings !== undefined && ts.isNamedImports(namedBindings);
      if (!isByName) report(node);
      for (const one of isByName ? namedBindings.elements : []) {
        if (one.propertyName !== undefined || /^exec(?:Sync)?$/.test(one.name.text)) report(one);
      }
      return;
    }
    if (ts.isIdentifier(node) && STARTERS.includes(node.text) && !ts.isPropertyAccessExpression(node.parent)) {
      const call = callOf(node);
      if (call === null || !isWhole(call.arguments[0])) report(call ?? node);
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === "execPath" && !isWhole(node.initializer)) report(node);
    if (ts.isPropertyAssignment(node) && node.name.getText() === "shell" && node.initializer.getText() !== "false")
      report(node);
    if (ts.isCallExpression(node) && /^(?:require|import)$/.test(node.expression.getText())) {
      if (/child_process/.test(node.arguments[0]?.getText() ?? "")) report(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The call that a starter's name is of: `spawn(…)` or `promisify(execFile)(…)`. */
function callOf(name: ts.Identifier): ts.CallExpression | null {
  const { parent } = name;
  if (!ts.isCallExpression(parent)) return null;
  if (parent.expression === name) return parent;
  const isPromisified = parent.expression.getText() === "promisify" && ts.isCallExpression(parent.parent);
  return isPromisified && parent.parent.expression === parent ? parent.parent : null;
}

/** Whether a program is this Node, is written with its whole path, or is made sure of. */
function isWhole(program: ts.Node | undefined): boolean {
  return /^(?:process\.execPath|"\/[^"]*"|wholePath\(.*\))$/s.test(program?.getText() ?? "");
}

describe("every program that the project starts is named by its whole path", () => {
  test("in every file of ours", () => {
    const files = SOURCES.filter((file) => !WHOLE_ALREADY.includes(file));
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((file) => bareCalls(file, readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
  });

  test.each([
    'spawn("whoami", []);',
    "spawn(program, []);",
    'execFileSync("git", []);',
    'await promisify(execFile)("reg", []);',
    "const run = promisify(execFile);",
    "const start = spawn;",
    'spawn(...["reg", []]);',
    'exec("dir");',
    'fork("x.ts", [], { execPath: found });',
    "spawn(wholePath(program), [], { shell: true });",
  ])("and a call that breaks this is found: %s", (call) => {
    const names = ["exec", "execFile", "execFileSync", "fork", "spawn"].filter((name) => call.includes(name));
    expect(bareCalls("x.ts", `import { ${names.join(", ")} } from "node:child_process";\n${call}`)).not.toEqual([]);
  });

  test.each(['import * as child from "node:child_process";', 'const { spawn } = await import("node:child_process");'])(
    "and so is a way around it: %s",
    (line) => expect(bareCalls("x.ts", line)).not.toEqual([]),
  );

  test("in what is double-clicked too, on every system", () => {
    const words = Object.values(PLATFORMS).flatMap((platform) => {
      const facts = { version: "1.0.0", ...layoutOf(platform) };
      return launchersOf(platform, facts).flatMap(({ path, text }) =>
        /\.plist$/.test(path) ? [] : text.split(/\r?\n/),
      );
    });
    // Beside what a shell has in itself, nothing is named without its folder.
    const programs = words.flatMap(
      (line) => /^\s*(?:start "" |exec |\[.*\] && exec |.*\$\()?("[^"]*"|[\w.-]+)/.exec(line)?.[1] ?? [],
    );
    const builtIn = /^(?:rem|set|pause|here|export|for|done|do|echo|cd)$/;
    expect(
      programs.filter((one) => !builtIn.test(one) && !/^"(?:%~dp0|%SystemRoot%\\|\$here\/|\$app\/)/.test(one)),
    ).toEqual([]);
  });
});

describe("where programs are found", () => {
  /** A program that can be run. */
  async function put(path: string): Promise<string> {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, "#!/bin/sh\necho done\n");
    await chmod(path, 0o755);
    return path;
  }

  test("those of Windows stand in the folder of the system, whatever PATH and the current folder hold", async () => {
    const root = await temporaryFolder();
    for (const name of ["whoami", "icacls", "reg", "rundll32"] as const) {
      const at = { environment: { SystemRoot: root, PATH: "." }, platform: "win32" } as const;
      expect(await systemProgram(name, at)).toBe(join(root, "System32", `${name}.exe`));
    }
  });

  test.each(["", "Windows", ".\\Windows", "..", undefined])("%j is not taken for the folder of Windows", (told) => {
    expect(windowsFolder({ SystemRoot: told })).toBe("C:\\Windows");
  });

  test.skipIf(process.platform === "win32")("folders of PATH that are no whole paths are not looked into", async () => {
    const folder = await temporaryFolder();
    const path = await put(join(folder, "bin", "speaks-well"));
    const here = process.cwd();
    process.chdir(join(folder, "bin"));
    try {
      for (const PATH of ["", ".", ":", "bin:.:", "./bin"]) {
        expect(await findProgram("speaks-well", { environment: { PATH }, platform: "linux" })).toBeNull();
      }
      for (const name of ["./speaks-well", "bin/speaks-well"]) expect(await findProgram(name)).toBeNull();
      const PATH = `.:${join(folder, "bin")}`;
      expect(await findProgram("speaks-well", { environment: { PATH } })).toBe(path);
      expect(await findProgram(path, { environment: { PATH: "" } })).toBe(path);
    } finally {
      process.chdir(here);
    }
  });

  test("a folder of its name is no program", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "speaks-well"));
    expect(await findProgram("speaks-well", { environment: { PATH: folder } })).toBeNull();
  });

  test("one that is missing, or fails, is told in a sentence", async () => {
    await expect(neededProgram("no-such-program")).rejects.toThrow(ProgramError);
    if (process.platform !== "linux") return;
    const error = await runSystemProgram(["launchctl"]).catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(ProgramError);
    expect(String(error)).toContain('Aside needs the program "launchctl"');
  });

  test("a bare name is refused where a program would be started", () => {
    for (const name of ["whoami", "./whoami", "bin/whoami", ""]) expect(() => wholePath(name)).toThrow(TypeError);
    expect(wholePath(process.execPath)).toBe(process.execPath);
  });
});
