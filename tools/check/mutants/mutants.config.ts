import { mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import project from "../../../vitest.config.ts";

/** Laws about time: with counters in the code they say nothing, and take minutes. */
const TIMED = ["test/formats/linear-time.test.ts"];

/** What answers soonest is asked first: the first failure ends a run. */
class SoonestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** The project's tests, without those that say nothing here. */
export default mergeConfig(project({ command: "serve", mode: "test" }), {
  // What fails here fails by a mistake that was made for it: the project's own runs are not told.
  cacheDir: ".cache/tests",
  test: {
    exclude: TIMED,
    setupFiles: ["tools/check/mutants/first-failure.ts"],
    sequence: { sequencer: SoonestFirst },
  },
});
