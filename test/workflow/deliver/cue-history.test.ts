import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { disclosureOf, historyOf, narrationVoice } from "../../../src/workflow/deliver/delivery-manifest.ts";
import { placedResult } from "../../fakes/placed-result.ts";

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

test("the voice is named to listeners", () => {
  expect(disclosureOf({ isHuman: false, name: "Kore" })).toBe("The narration was made with a synthetic voice (Kore).");
  expect(disclosureOf({ isHuman: true })).toBe("The narration was spoken by a person.");
  const told = { isHuman: false, name: "Kore" };
  const recorded = (...ids: string[]) => {
    const recordings = Object.fromEntries(ids.map((id) => [id, "take"]));
    return placedResult(WRITTEN, { voiced: voicedCues(WRITTEN, { ...DEFAULT_SETTINGS, recordings }) });
  };
  const some = narrationVoice(told, recorded("a", "gone"), WRITTEN);
  expect(disclosureOf(some)).toBe(
    "The narration was made with a synthetic voice (Kore); 1 of 4 descriptions were spoken by a person.",
  );
  const all = WRITTEN.map(({ id }) => id);
  expect(narrationVoice(told, recorded(...all), WRITTEN)).toEqual({ isHuman: true });
  expect(narrationVoice(told, null, WRITTEN)).toEqual(told);
});
