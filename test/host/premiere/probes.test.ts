import { expect, test } from "vitest";
import { premiereProbes } from "../../../src/host/premiere/probes.ts";
import { otherwise } from "../../fakes/premiere/otherwise.ts";
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

test("each probe says by name what the running Premiere has, of this version and of older ones", async () => {
  const told = async (
    version: "26.3" | "25.6",
    edit: (premiere: ReturnType<typeof openSample>) => void = () => undefined,
  ) => {
    const premiere = openSample({}, { faults: { version } });
    edit(premiere);
    const probes = premiereProbes(premiere.module, presets);
    const answers = await Promise.all(probes.map(async ({ name, run }) => [name, await run().catch(String)] as const));
    return Object.fromEntries(answers);
  };
  const now = await told("26.3");
  expect(Object.keys(now)).toEqual([
    "Sequence identity",
    "Sequence facts",
    "Time display",
    "Timeline",
    "Marker identity",
    "Marker type and colour",
    "Track naming",
    "Transcripts",
    "Export presets",
    "Media Encoder",
  ]);
  expect([now["Track naming"], now["Transcripts"]]).toEqual(["there", "there"]);
  expect(now["Sequence identity"]).toBe(`${"sequence-sample".length} characters`);
  expect(now["Time display"]).toMatch(/^type \d+; own constants (?:\w+ -?\d+, )+\w+ -?\d+$/);
  expect(now["Marker type and colour"]).toMatch(/colours (?:[A-Z]+ \d+, )+[A-Z]+ \d+$/);
  const old = await told("25.6");
  expect([old["Track naming"], old["Transcripts"], old["Marker identity"]]).toEqual(["missing", "missing", "none"]);
  const empty = await told("26.3", (premiere) =>
    premiere.user.editSequence("sequence-sample", "Clear", (one) => ({ ...one, audioTracks: [], markers: [] })),
  );
  expect(empty["Track naming"]).toBe("no audio track");
  expect(empty["Marker identity"]).toMatch(/^no marker to look at/);
  expect(empty["Marker type and colour"]).toMatch(/^no marker;/);
});

test("what Premiere does not tell of any clip stands in the report, once, though it tells it of the first", async () => {
  const premiere = openSample({}, { faults: {} });
  const module = otherwise(premiere.module, premiere.machine);
  const timeline = premiereProbes(module, presets).find(({ name }) => name === "Timeline");
  expect(await timeline?.run()).toBe("3 tracks, 3 clips, 1 markers");
  // The first clip is one of pictures.
  premiere.faults.members = {
    "AudioClipTrackItem.getSpeed": "refuses",
    "AudioClipTrackItem.isDisabled": "refuses",
  };
  expect(await timeline?.run()).toBe("3 tracks, 3 clips, 1 markers; not told of some clips: disabled, speed");
});
