import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { historyOf } from "../../../src/workflow/deliver/cue-history.ts";
import { disclosureOf, narrationVoice, parseDeliveryOrigin } from "../../../src/workflow/deliver/delivery-manifest.ts";
import { SEQUENCE_RECORD_VERSION, writeSequenceRecord } from "../../../src/result/record.ts";

const cue = (id: string, start: number, text: string) => ({ id, start, end: start + 2, text });
const WRITTEN = [cue("a", 1, "A dog."), cue("b", 5, "A cat."), cue("c", 9, "A bird."), cue("d", 13, "A cow.")];

test("every description is told by who wrote it and what the editor changed", () => {
  const delivered = [
    cue("a", 1.02, "A  dog."),
    cue("b", 5, "A grey cat."),
    cue("d", 14, "A cow."),
    cue("x", 20, "Me."),
  ];
  const { counts, cues } = historyOf(delivered, WRITTEN, 0.04);
  expect(counts).toEqual({ "as-written": 1, edited: 2, added: 1, deleted: 1 });
  expect(cues).toEqual([
    { id: "a", state: "as-written", changed: [] },
    { id: "b", state: "edited", changed: ["words"], written: "A cat." },
    { id: "d", state: "edited", changed: ["times"] },
    { id: "x", state: "added", changed: [] },
    { id: "c", state: "deleted", changed: [], written: "A bird." },
  ]);
});

test("how descriptions came about is read from a record of a sequence and from the report of a run", () => {
  const record = writeSequenceRecord({
    version: SEQUENCE_RECORD_VERSION,
    revision: 3,
    sequenceId: "s",
    runId: "r",
    jobId: "j",
    settings: { ...DEFAULT_SETTINGS, voice: "Charon" },
    track: "ad_only",
    offsetSeconds: 0,
    durationSeconds: 60,
    cues: WRITTEN,
    generated: WRITTEN.slice(1),
    voiced: {},
    markerIds: {},
    clipNames: [],
    layout: [],
  });
  expect(parseDeliveryOrigin(record)).toMatchObject({ written: WRITTEN.slice(1), settings: { voice: "Charon" } });
  const report = {
    generator: "aside",
    cues: WRITTEN,
    settings: { voice: "Kore" },
    service_report: { describer: "text" },
    programme: { frame_rate: "30000/1001", drop_frame: true, start_timecode: "00:01:00;02" },
  };
  expect(parseDeliveryOrigin(JSON.stringify(report))).toMatchObject({
    written: WRITTEN,
    settings: { voice: "Kore" },
    describer: "text",
    grid: { rate: { numerator: 30_000, denominator: 1001 }, isDropFrame: true, startFrame: 1800 },
  });
  expect(parseDeliveryOrigin(JSON.stringify({ ...report, generator: "other" }))).toBeNull();
  expect(parseDeliveryOrigin("WEBVTT")).toBeNull();
});

test("the voice is named to listeners", () => {
  expect(disclosureOf({ isHuman: false, name: "Kore" })).toBe("The narration was made with a synthetic voice (Kore).");
  expect(disclosureOf({ isHuman: true })).toBe("The narration was spoken by a person.");
  const told = { isHuman: false, name: "Kore" };
  const some = narrationVoice(told, { written: null, recorded: ["a", "gone"] }, WRITTEN);
  expect(disclosureOf(some)).toBe(
    "The narration was made with a synthetic voice (Kore); 1 of 4 descriptions were spoken by a person.",
  );
  const all = WRITTEN.map(({ id }) => id);
  expect(narrationVoice(told, { written: null, recorded: all }, WRITTEN)).toEqual({ isHuman: true });
  expect(narrationVoice(told, null, WRITTEN)).toEqual(told);
});
