import { mergeConfig } from "vitest/config";
import project from "../../vitest.config.ts";

/** The project's tests with one process for all files of a run: most of a fault's time went into starting processes. */
export default mergeConfig(project, { test: { isolate: false } });
