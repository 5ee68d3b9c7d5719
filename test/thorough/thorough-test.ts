import { test } from "vitest";

/** Whether all tests run, those that take long too. */
export const IS_THOROUGH = process.env["TEST_MODE"] === "thorough";

/** A test of a file with quick ones that takes long itself and rarely breaks: it runs with `npm run test:thorough` alone. */
export const thoroughTest = test.runIf(IS_THOROUGH);
