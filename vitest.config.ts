// What the tests start (the command line, job children) keeps its compiled code, as it does for a user.
import "./bin/compiled-code.mjs";
import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { THOROUGH_FILES } from "./test/thorough/thorough-files.ts";

/**
 * Test files that read other people's media and caption files, which stand beside the checkout and are not ours to ship; those too
 * that do so by a module of the tests.
 */
function filesOnSharedMedia(): string[] {
  const root = fileURLToPath(new URL("./", import.meta.url));
  const imports = new Map<string, string[]>();
  for (const path of globSync("test/**/*.ts", { cwd: root })) {
    const found = readFileSync(join(root, path), "utf8").matchAll(/from "(\.{1,2}\/[^"]+)"/g);
    imports.set(
      path,
      Array.from(found, ([, to = ""]) => join(dirname(path), to)),
    );
  }
  const reading = new Set([...imports.keys()].filter((path) => /^test\/(?:shared-media\.ts$|corpus\/)/.test(path)));
  for (let count = -1; count !== reading.size; ) {
    count = reading.size;
    for (const [path, others] of imports) if (others.some((other) => reading.has(other))) reading.add(path);
  }
  return [...reading].filter((path) => path.endsWith(".test.ts"));
}

const missing = existsSync(new URL("../shared/media", import.meta.url)) ? [] : filesOnSharedMedia();
if (missing.length > 0) {
  process.stderr.write(
    `../shared is not here: ${missing.length} test files that need its media are left out:\n  ${missing.join("\n  ")}\n`,
  );
}

/** What needs the computer to itself, because it waits for screen readers to speak: `npm run test:heard`. */
const HEARD = ["test/page/heard/*.test.ts"];

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "heard" ? HEARD : ["test/**/*.test.ts"],
    exclude: [...missing, ...(mode === "thorough" ? [] : THOROUGH_FILES), ...(mode === "heard" ? [] : HEARD)],
    setupFiles: ["test/nothing-left-behind.ts"],
    // Models that run on the tester's own computer are not asked.
    env: { ASIDE_VISION_URL: "off", ASIDE_TRANSCRIPTION_URL: "off", TEST_MODE: mode },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A screen reader may miss a word for reasons of its own.
    retry: mode === "heard" ? 1 : 0,
    pool: "forks",
    // Tests make much that lives briefly. With more room for it, clearing it away takes a sixth less of all their time.
    execArgv: ["--max-semi-space-size=64"],
    // What was compiled once is not compiled again by the next run.
    fsModuleCache: true,
    // Most of a file's time went into loading the same modules anew. A test that changes what all share puts it back.
    isolate: false,
    // Twice as many as a small computer has cores: many tests wait for a clock or a process.
    maxWorkers: Math.max(4, availableParallelism()),
    // States are awaited, however slow the machine is; a test that waits in vain ends by its own time limit.
    expect: { poll: { timeout: 45_000, interval: 50 } },
  },
}));
