import { expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { spokenWav } from "../../../sessions/spoken-words.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { sequenceOf } from "../conform/recut.ts";

const CUES = [
  { id: "1", start: 1, end: 2.5, text: "A woman sits at a desk." },
  { id: "2", start: 4, end: 5, text: "She opens a letter." },
];

/** Names of the clips on the narration track. */
function clipNames(panel: PanelOnDoubles): string[] {
  const track = sequenceOf(panel).audioTracks.find(({ name }) => name === NARRATION_TRACK_NAME);
  return (track?.items ?? []).map(({ name }) => name);
}

async function described(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  panel.server.wav = spokenWav(CUES, 6);
  await panel.describe();
  return panel;
}

test("a muted line is silent at once, and is said", async () => {
  const panel = await described();
  panel.menu().tick("place-clips", false);
  await panel.placeNarration();
  expect(clipNames(panel)).toHaveLength(1);
  await panel.openCue(1);
  panel.page().click("mute-cue");
  panel.menu().click("place-narration");
  await panel.sees("1 muted or deleted line is silent.");
  expect(clipNames(panel)).toEqual(["aside-cue-0001 A woman sits at a desk.wav"]);
});

test("a line whose words changed since it was voiced is left out, and is said", async () => {
  const panel = await described();
  await panel.openCue(0);
  panel.page().type("cue-text", "A man sits.");
  panel.menu().click("place-narration");
  await panel.sees("1 line was not placed: the words changed since it was recorded.");
  expect(clipNames(panel)).toEqual(["aside-cue-0002 She opens a letter.wav"]);
});

test("a line that the next one would cut off is left out, and is said", async () => {
  const panel = await described();
  await panel.openCue(1);
  panel.page().type("cue-in", "00:00:02:00");
  panel.menu().click("place-narration");
  await panel.sees("1 line was not placed: the next line begins before the voice ends.");
  expect(clipNames(panel)).toEqual(["aside-cue-0002 She opens a letter.wav"]);
});

test("where the editor wants it, changed lines are voiced first, and the narration is placed after that", async () => {
  const panel = await described();
  await panel.openCue(0);
  panel.page().type("cue-text", "A man sits.");
  panel.menu().tick("voices-first", true);
  panel.server.speaks = () => {
    const cues = CUES.map((cue, index) => (index === 0 ? { ...cue, text: "A man sits." } : cue));
    const line = (start: string, end: string, text = "") => `${start} --> ${end}\n${text}\n`;
    const vtt = `WEBVTT\n\n${line("00:01.000", "00:02.500", cues[0]?.text)}\n${line("00:04.000", "00:05.000", cues[1]?.text)}`;
    return { vtt, wav: spokenWav(cues, 6) };
  };
  panel.menu().click("place-narration");
  await panel.sees("Done: Place narration");
  expect(panel.server.bodies("generateAudio")).toHaveLength(2);
  expect(clipNames(panel)).toEqual(["aside-cue-0001 A man sits.wav", "aside-cue-0002 She opens a letter.wav"]);
});

test("a mix that says other words than the cues is not placed", async () => {
  const panel = await panelOnDoubles();
  panel.server.wav = spokenWav(CUES, 6);
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.openOptions();
  panel.page().type("track", "mixed");
  await panel.order();
  await panel.sees("2 descriptions");
  await panel.openCue(0);
  panel.page().type("cue-text", "A man sits.");
  panel.menu().click("place-narration");
  await panel.sees("The mix no longer matches the words.");
  expect(clipNames(panel)).toEqual([]);
});
