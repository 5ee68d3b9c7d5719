import { mergeConfig } from "vitest/config";
import project from "../../../vitest.config.ts";

/** Laws about time: with counters in the code they say nothing, and take minutes. */
const TIMED = ["test/formats/linear-time.test.ts"];

/** The project's tests, without those that say nothing here. */
export default mergeConfig(project({ command: "serve", mode: "test" }), {
  test: { exclude: TIMED, setupFiles: ["tools/check/mutants/first-failure.ts"] },
});
