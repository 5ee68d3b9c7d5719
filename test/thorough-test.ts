import { test } from "vitest";

/** A test of a file with quick ones that takes long itself and rarely breaks: it runs with `npm run test:thorough` alone. */
export const thoroughTest = test.runIf(process.env["TEST_MODE"] === "thorough");
