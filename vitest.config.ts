import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // States are awaited, however slow the machine is; a test that waits in vain ends by its own time limit.
    expect: { poll: { timeout: 45_000, interval: 50 } },
  },
});
