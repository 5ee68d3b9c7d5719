import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sharedCorpora } from "../shared-media.ts";
import { scoreRecuts } from "./score-recuts.ts";

describe.skipIf(!existsSync(sharedCorpora("xml")))("random re-cuts of real timelines", () => {
  test("put cues exactly where their picture went, and call none unchanged that is not", () => {
    const score = scoreRecuts(60);
    expect(score.falseUnchanged).toBe(0);
    expect(score.exact / score.whole).toBeGreaterThan(0.99);
  });
});
