import { describe, expect, test } from "vitest";
import { estimateText, estimateWithout, type ItemEstimate } from "../../../../src/cli/commands/batch/prepare-batch.ts";

const item = (parts: Partial<ItemEstimate> = {}): ItemEstimate => ({
  ...{ state: "waiting", minutes: 2, credits: 1.5, upload_bytes: 3_000_001 },
  ...parts,
});
const DONE = item({ state: "done", credits: 0, upload_bytes: 0 });

describe("what a batch will take is said with", () => {
  test("the minutes and credits of all that wait, and each video once, in megabytes", () => {
    const media = ["a.mp4", "a.mp4", "b.mp4", "c.mp4"];
    const items = [item(), item(), item({ upload_bytes: 1_000_000 }), DONE];
    expect(estimateText(items, (index) => media[index] ?? "", "ad.example")).toBe(
      "3 to describe, 6.0 minutes in all; 1 done already. " +
        "About 4.5 credits at the hosted service's list price; a service of another kind has its own. " +
        "To ad.example go 2 videos, each once: 5 MB, with their settings, captions and scripts.",
    );
  });

  test("a cut that is rendered first, one or several", () => {
    const cut = item({ upload_bytes: null });
    expect(estimateText([cut, item()], String, undefined)).toContain(
      "To the service go 2 videos, each once: 4 MB and 1 rendered cut, with",
    );
    expect(estimateText([cut, cut], String, undefined)).toContain("2 videos, each once: 0 MB and 2 rendered cuts");
    expect(estimateText([item({ upload_bytes: 2_000_000 })], String, "h")).toContain(
      "To h go 1 video, each once: 2 MB,",
    );
  });

  test("nothing that leaves the computer, and what cannot be made", () => {
    const here = item({ credits: 0, upload_bytes: 0 });
    expect(estimateText([here, estimateWithout("gone"), here, DONE], String, undefined)).toBe(
      "2 to describe, 4.0 minutes in all; 1 done already; 1 cannot be made. No credits. No video leaves this computer.",
    );
  });
});
