import { expect, test } from "vitest";
import { premiereProbes } from "../../../src/host/premiere/probes.ts";
import { openSample } from "./open-premiere.ts";

const presets = { list: async () => [{ name: "p", path: "/presets/p.epr", origin: "ours", isProven: false }] as const };

test.each(["26.3", "25.6"] as const)(
  "in Premiere %s every probe is answered, and none changes anything",
  async (version) => {
    const nothing = async () => undefined;
    const world = { exists: async () => true, probe: async () => null, render: nothing, touch: nothing, save: nothing };
    const premiere = openSample({}, { world, faults: { version } });
    const before = premiere.machine.project("project-sample");
    const answers: string[] = [];
    for (const { run } of premiereProbes(premiere.module, presets)) {
      answers.push(await run().catch((error: unknown) => `raises: ${String(error)}`));
    }
    const report = answers.join("\n");
    expect(report).toContain("10160640000 ticks per frame");
    expect(report).toContain("3 tracks, 3 clips, 1 markers");
    expect(report).toContain("ours: mp4");
    expect(premiere.machine.project("project-sample")).toEqual(before);
    expect(premiere.machine.undoStack).toEqual([]);
    // A report may be handed on: it tells nothing of the project.
    expect(report).not.toMatch(/Harbour|harbour|\/presets|\/media|Check grade/);
  },
);

test("a time display that no source knows stands in the report", async () => {
  const premiere = openSample({ display: "29.97 DF" }, { faults: { displayCodes: "unknown" } });
  const answers = await Promise.all(
    premiereProbes(premiere.module, presets).map(({ run }) => run().catch((error: unknown) => `raises: ${error}`)),
  );
  expect(answers.join("\n")).toContain("counting known: false");
});
