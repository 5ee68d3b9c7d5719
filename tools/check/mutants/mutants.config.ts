import { mergeConfig } from "vitest/config";
import project from "../../../vitest.config.ts";

/** Laws about time: with counters in the code they say nothing, and take minutes. */
const TIMED = ["test/formats/linear-time.test.ts"];

/** The project's tests, in one process for all files of a run: most of a fault's time went into starting processes. */
export default mergeConfig(project({ command: "serve", mode: "test" }), {
  test: { isolate: false, exclude: TIMED, setupFiles: ["tools/check/mutants/first-failure.ts"] },
});
