import { expect, test } from "vitest";
import { premiereContact } from "../../../src/host/premiere/contact-trials.ts";
import { traced } from "../../../src/host/premiere/traced-premiere.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { otherwise } from "../../fakes/premiere/otherwise.ts";
import { openSample } from "./open-premiere.ts";

/** What a Premiere with some faults answers at first contact, by the name of the question. */
async function contact(faults: Partial<Faults> = {}) {
  const premiere = openSample({}, { faults });
  const trials = premiereContact(traced(otherwise(premiere.module, premiere.machine)));
  return Object.fromEntries(await Promise.all(trials.map(async ({ name, run }) => [name, await run()] as const)));
}

test("a Premiere that has all members, and leads to its sequence as usual, says so", async () => {
  expect(await contact({ version: "26.3" })).toEqual({
    sequence: { outcome: "usual", seen: "by Project.getSequence" },
    members: { outcome: "usual", seen: "all there" },
  });
});

test("every member that is missing is named, and not the first alone", async () => {
  const names = [
    "ProjectConverter.exportAsOpenTimelineIO",
    "ProjectConverter.exportAAF",
    "SourceMonitor.setPosition",
    "Transcript.hasTranscript",
    "EncoderManager.startBatchEncode",
  ];
  for (const missing of [names, ...names.map((name) => [name])]) {
    const members = Object.fromEntries(missing.map((name) => [name, "missing" as const]));
    expect((await contact({ members }))["members"]).toEqual({
      outcome: "differs",
      seen: `without ${missing.join(", ")}`,
    });
  }
});

test("every member that answers later than declared is named", async () => {
  for (const late of [["VideoTrack.getTrackItems"], ["Project.getSequence", "VideoTrack.getTrackItems"]]) {
    const { sequence } = await contact({ members: Object.fromEntries(late.map((name) => [name, "later"])) });
    expect(sequence?.outcome).toBe("differs");
    expect(sequence?.seen).toBe(`by Project.getSequence; answered later: ${late.join(", ")}`);
  }
});

test("tracks that do not tell of their clips are no way to the sequence", async () => {
  const { sequence } = await contact({ members: { "VideoTrack.getTrackItems": "refuses" } });
  expect(sequence).toMatchObject({ outcome: "differs", seen: expect.stringContaining("VideoTrack.getTrackItems") });
});
