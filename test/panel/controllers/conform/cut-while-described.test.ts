import { expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { spokenWav } from "../../../sessions/spoken-words.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { markerFrames, type Piece, recut, sequenceOf } from "./recut.ts";

const CUES = [
  { id: "1", start: 1, end: 2.5, text: "A woman sits at a desk." },
  { id: "2", start: 4, end: 5, text: "She opens a letter." },
];

/** Described, on frames 25 to 62 and 100 to 125 of 150; then cut anew, before anything is placed. */
async function cutMeanwhile(pieces: readonly Piece[]): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  panel.server.wav = spokenWav(CUES, 6);
  await panel.describe();
  recut(panel, pieces);
  return panel;
}

/** First frame and name of each clip of narration. */
function narration(panel: PanelOnDoubles): (readonly [number, string])[] {
  const { audioTracks, ticksPerFrame } = sequenceOf(panel);
  const voices = audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME).flatMap(({ items }) => items);
  return voices.map(({ start, name }) => [Number(start / ticksPerFrame), name] as const);
}

test("cues of a film that was cut on while it was described are placed where their pictures went, and that is said", async () => {
  const panel = await cutMeanwhile([[0, 75], 25, [75, 150]]);
  await panel.placeMarkers();
  await panel.sees("The edit changed since the export: 1 description moves with it.");
  expect(markerFrames(panel)).toEqual([25, 125]);
});

test("so are their voices, each for itself", async () => {
  const panel = await cutMeanwhile([[0, 75], 25, [75, 150]]);
  panel.menu().click("place-narration");
  await panel.sees("The edit changed since the export");
  await expect.poll(() => narration(panel)).toHaveLength(2);
  expect(narration(panel)).toEqual([
    [25, "aside-cue-0001 A woman sits at a desk.wav"],
    [125, "aside-cue-0002 She opens a letter.wav"],
  ]);
});

test("a cut that changes again before the next placing is followed again, from where the cues are", async () => {
  const panel = await cutMeanwhile([[0, 75], 25, [75, 150]]);
  panel.menu().click("place-narration");
  await panel.sees("The edit changed since the export");
  await expect.poll(() => narration(panel)).toHaveLength(2);
  panel.page().click("dismiss");
  recut(panel, [[10, 150]]);
  await panel.placeMarkers();
  expect(markerFrames(panel)).toEqual([15, 90]);
});

test("what came in meanwhile is told as new, once the cues are placed", async () => {
  const panel = await cutMeanwhile([
    [0, 75],
    [500, 600],
    [75, 150],
  ]);
  await panel.placeMarkers();
  expect(markerFrames(panel)).toEqual([25, 200]);
  panel.page().click("tab-review");
  await panel.sees("of the edit is not described");
});

test("a cue whose picture was taken out meanwhile is to be looked at", async () => {
  const panel = await cutMeanwhile([[75, 150]]);
  await panel.placeMarkers();
  await panel.sees("1 description moves with it, 1 lost its picture");
  await panel.sees("The picture it describes is no longer in the edit");
});

test("where the cut is as it was, nothing is said of it", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.placeMarkers();
  expect(markerFrames(panel)).toEqual([25, 100]);
  expect(panel.page().root.textContent).not.toContain("The edit changed");
});
