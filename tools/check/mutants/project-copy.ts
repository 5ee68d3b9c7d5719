import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findProgram, wholePath } from "../../../src/engine/isolate/programs.ts";

/** What a run of tests came to. */
export interface TestRun {
  /** Whether all passed; `false` too where they did not come to an end in time. */
  readonly hasPassed: boolean;
  /** Seconds of each test file that passed, by its path; of what was told before the end. */
  readonly seconds: ReadonlyMap<string, number>;
}

const GIT = await findProgram("git");

/** What git says of a project. @throws Error where there is no git, or it refuses. */
export function gitSays(project: string, ...args: readonly string[]): string {
  if (GIT === null) throw new Error("git is not installed");
  return execFileSync(wholePath(GIT), args, { cwd: project, encoding: "utf8", maxBuffer: 2 ** 30 });
}

/** As `nice` counts: whatever else runs comes first. */
const LOW_PRIORITY = 10;

/** A copy of the project in which a file may be changed: its tests are run there, one run at a time. */
export class ProjectCopy {
  readonly #root: string;

  /**
   * Copies what git knows of, changed or not, and what is new. Packages and the media beside the project are linked.
   *
   * @param project - The project's folder.
   * @param folder - Folder of the copy; what is there stays, where nothing replaces it.
   */
  constructor(project: string, folder: string) {
    this.#root = join(folder, "project");
    for (const path of gitSays(project, "ls-files", "-co", "--exclude-standard")
      .split("\n")
      .filter((one) => one !== "" && existsSync(join(project, one)))) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true });
      cpSync(join(project, path), join(this.#root, path));
    }
    const links = [
      [join(project, "node_modules"), join(this.#root, "node_modules")],
      [resolve(project, "../shared"), join(folder, "shared")],
    ] as const;
    for (const [target, link] of links) if (existsSync(target) && !existsSync(link)) symlinkSync(target, link);
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), "utf8");
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.#root, path), text);
  }

  /** Runs tests until the first fails. They are killed when `limitMs` is over. */
  run(tests: readonly string[], limitMs: number): Promise<TestRun> {
    const report = join(this.#root, "..", "report.json");
    writeFileSync(report, "");
    const config = "tools/check/mutants/mutants.config.ts";
    const options = [
      "--config",
      config,
      "--bail",
      "1",
      "--maxWorkers",
      "1",
      "--reporter",
      "json",
      "--outputFile",
      report,
    ];
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...tests, ...options], {
      cwd: this.#root,
      stdio: "ignore",
      detached: true,
      env: { ...process.env, TEST_MODE: "test" },
    });
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
    const over = setTimeout(() => {
      // The group: tests start processes of their own.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, limitMs);
    return new Promise((done) => {
      child.once("exit", (code) => {
        clearTimeout(over);
        done({ hasPassed: code === 0, seconds: this.#secondsOf(report) });
      });
    });
  }

  #secondsOf(report: string): ReadonlyMap<string, number> {
    const text = readFileSync(report, "utf8");
    if (text === "") return new Map();
    const { testResults } = JSON.parse(text) as { testResults: readonly VitestFile[] };
    const passed = testResults.filter(({ status }) => status === "passed");
    return new Map(
      passed.map(({ name, startTime, endTime }) => [name.slice(this.#root.length + 1), (endTime - startTime) / 1000]),
    );
  }
}

/** What vitest tells of a test file. */
interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
}
