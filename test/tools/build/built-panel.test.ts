import { beforeAll } from "vitest";
import { uxpLimitsSuite } from "../../suites/uxp-limits.ts";
import { plainPanel } from "./plain-panel.ts";

// `package.test.ts` has the package that is handed out.
const files: Record<string, Uint8Array> = {};
beforeAll(async () => {
  Object.assign(files, await plainPanel());
}, 120_000);

// Of the package of hashes.
uxpLimitsSuite(files, ["TextEncoder"]);
