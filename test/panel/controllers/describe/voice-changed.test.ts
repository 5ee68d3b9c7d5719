import { expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { markerWords, recut, sequenceOf } from "../conform/recut.ts";

/** Described, with markers and narration placed, all of it as one clip. */
async function placed(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.describe();
  panel.menu().tick("place-clips", false);
  await panel.placeMarkers();
  await panel.placeNarration();
  return panel;
}

/** Changes the words of the first cue and has them voiced, by a service that says so many times that it is at work. */
async function beginVoicing(panel: PanelOnDoubles, polls: number): Promise<void> {
  await panel.openCue();
  panel.page().type("cue-text", "Ann sits.");
  await panel.sees("Record 1 changed line");
  panel.server.jobStates = Array.from({ length: polls }, () => "processing");
  panel.server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nAnn sits.\n\n00:04.000 --> 00:05.000\nShe opens a letter.\n";
  panel.page().click("voice-changed");
  await panel.sees(/●Describe/);
}

const narrationOf = (panel: PanelOnDoubles) =>
  sequenceOf(panel)
    .audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME)
    .flatMap(({ items }) => items.map(({ name }) => name));

test("PANEL-40: changed words mark a cue; one button voices, with no second export or upload, and updates the timeline", async () => {
  const panel = await placed();
  expect(panel.page().find("voice-changed")).toBeNull();
  const [before] = narrationOf(panel);
  await panel.openCue();
  panel.page().type("cue-text", "Ann sits.");
  await panel.sees("♪ changed");
  await panel.sees("♪ Its words changed; It has another length.");
  await panel.filter("stale");
  await expect.poll(() => panel.page().withAttribute("data-cue").length).toBe(1);
  // The server refuses an EDL, as nobody knows which layout a hosted service takes.
  panel.server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nAnn sits.\n\n00:04.000 --> 00:05.000\nShe opens a letter.\n";
  panel.server.wav = silentWav(6);
  panel.page().click("voice-changed");
  await expect.poll(() => narrationOf(panel).join()).not.toBe(before);
  await panel.sees(/Done: Place narration/);
  await expect.poll(() => panel.page().find("voice-changed") === null).toBe(true);
  const bodies = panel.server.bodies("generateAudio");
  expect(bodies).toHaveLength(2);
  expect(JSON.stringify(bodies[1])).toContain("Ann sits.");
  expect(JSON.stringify(bodies[1])).toContain("She opens a letter.");
  expect(panel.server.stored.size).toBe(1);
  const after = narrationOf(panel);
  expect(after).toHaveLength(1);
  expect(after[0]).not.toBe(before);
  // One click puts the old narration back.
  panel.page().click("take-back");
  await panel.sees("Undone");
  expect(narrationOf(panel)).toEqual([before]);
});

test("a cue that is edited while others are voiced stays as it was edited, and is to be voiced again", async () => {
  const panel = await placed();
  await beginVoicing(panel, 10);
  panel.page().click("tab-review");
  await panel.sees("2 descriptions");
  await panel.openCue(1);
  await expect.poll(() => panel.page().find("cue-text")?.value).toBe("She opens a letter.");
  panel.page().type("cue-text", "She tears the letter.");
  await panel.sees("Record 2 changed lines");
  await panel.sees("Record 1 changed line");
  // The row that was open is open still.
  expect(panel.page().byId("cue-text").value).toBe("She tears the letter.");
});

thoroughTest(
  "voices that come while another result is worked on are kept with their own, and the timeline waits for it",
  async () => {
    const panel = await placed();
    const before = narrationOf(panel);
    const steps = () => panel.premiere.machine.undoStack.length;
    const stepsBefore = steps();
    panel.page().click("tab-describe");
    await panel.order();
    await expect.poll(() => panel.server.accepted).toBe(2);
    await expect.poll(() => panel.page().view).toBe("review");
    const open = async (index: number) => {
      panel.page().click("tab-history");
      await expect.poll(() => panel.page().withAttribute("data-action", "open").length).toBeGreaterThan(1);
      panel.page().withAttribute("data-action", "open")[index]?.happens("click");
      await expect.poll(() => panel.page().view).toBe("review");
    };
    await open(1);
    await beginVoicing(panel, 1_000_000);
    await open(0);
    await panel.sees("A woman sits at a desk.");
    panel.server.jobStates = [];
    await panel.sees("is ready. Open it from the history.");
    await panel.sees("A woman sits at a desk.");
    expect(narrationOf(panel)).toEqual(before);
    // The voicing leads to its result.
    await open(0);
    await panel.sees("Ann sits.");
    expect(steps()).toBe(stepsBefore);
    await panel.placeNarration();
    expect(steps()).toBeGreaterThan(stepsBefore);
    expect(narrationOf(panel)).not.toEqual(before);
  },
);

test("the voicing stands in the history and leads to the result it was made for", async () => {
  const panel = await placed();
  await panel.openCue();
  panel.page().type("cue-text", "Ann sits.");
  await panel.sees("Record 1 changed line");
  panel.server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nAnn sits.\n\n00:04.000 --> 00:05.000\nShe opens a letter.\n";
  const [before] = narrationOf(panel);
  panel.page().click("voice-changed");
  await expect.poll(() => narrationOf(panel).join()).not.toBe(before);
  panel.page().click("tab-history");
  await panel.sees("Changed lines recorded");
  panel.page().withAttribute("data-action", "open")[0]?.happens("click");
  await panel.sees("Ann sits.");
  expect(panel.page().view).toBe("review");
});

thoroughTest("after a re-cut the cues that moved are to be voiced, and the film is exported as it is now", async () => {
  const panel = await placed();
  recut(panel, [[0, 75], 25, [75, 150]]); // biome-ignore format: one cut
  panel.page().click("tab-review");
  await panel.sees("The edit changed: 1 description moves with it");
  panel.page().click("open-conform");
  await panel.sees("The narration becomes a clip for each line");
  panel.page().click("conform");
  await panel.sees("moved with the edit");
  panel.page().click("tab-review");
  await panel.sees("Record 1 changed line");
  panel.server.vtt =
    "WEBVTT\n\n00:01.000 --> 00:02.500\nA woman sits at a desk.\n\n00:05.000 --> 00:06.000\nShe opens a letter.\n";
  panel.server.wav = silentWav(7);
  panel.page().click("voice-changed");
  await expect.poll(() => panel.server.stored.size).toBe(2);
  await panel.sees(/Done: Place narration/);
  expect(markerWords(panel)).toEqual(["A woman sits at a desk.", "She opens a letter."]);
  await expect.poll(() => panel.page().find("voice-changed") === null).toBe(true);
});

test("a cue that is longer than its gap offers the ways out with their outcome", async () => {
  const panel = await placed();
  await panel.openCue();
  expect(panel.page().find("remedy-accept")).toBeNull();
  panel.page().type("cue-text", "A woman sits at a desk and looks out of the window, for hours, it seems, and days.");
  await panel.sees("Too long for its pause:");
  await panel.sees("Leave Stays");
  panel.page().type("cue-text", "A woman sits at a desk with a lamp.");
  await expect.poll(() => panel.page().root.textContent).not.toContain("Too long for its pause:");
  panel.page().type("cue-out", "00:00:03:20");
  panel.page().type("cue-in", "00:00:03:00");
  await panel.sees("Too long for its pause:");
  panel.page().click("remedy-move");
  await expect.poll(() => panel.page().root.textContent).not.toContain("Too long for its pause:");
});

test("what our service heard and wrote offers two more ways out: over the music, and in fewer words", async () => {
  const panel = await panelOnDoubles();
  const others = [
    { text: "A woman sits at a desk with a lamp, in thought.", seconds: 4 },
    { text: "A woman sits.", seconds: 0.9 },
    { text: "Ann.", seconds: 0.4 },
  ];
  panel.server.report = {
    describer: "vision",
    speech: [],
    music: [[2, 6, 0.9]],
    wordings: [{ said: "A woman sits at a desk.", others }],
  };
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  for (const section of ["section-more", "section-timing"]) panel.page().click(section);
  panel.page().tick("over-music", false);
  await panel.order();
  await panel.sees("2 descriptions");
  await panel.openCue();
  // From 1 to 2.5 s, and the music begins at 2 s: the cue does not fit before it, and may lie over it.
  await panel.sees("Too long for its pause:");
  await panel.sees("the music is lowered under it");
  await panel.sees("Shorten “A woman sits.”0.9 s");
  panel.close();
  // Both are kept with the result.
  panel.open();
  await panel.sees("Place on timeline");
  await panel.openCue();
  await panel.sees("Too long for its pause:");
  panel.page().click("remedy-shorten");
  await expect.poll(() => panel.page().find("cue-text")?.value).toBe("A woman sits.");
  await expect.poll(() => panel.page().root.textContent).not.toContain("Too long for its pause:");
});

test("the layout of a script that a service took is remembered, also when the panel was closed", async () => {
  const panel = await placed();
  const voice = async (words: string) => {
    await panel.openCue();
    panel.page().type("cue-text", words);
    await panel.sees("Record 1 changed line");
    panel.server.vtt = `WEBVTT\n\n00:01.000 --> 00:02.500\n${words}\n\n00:04.000 --> 00:05.000\nShe opens a letter.\n`;
    const [before] = narrationOf(panel);
    panel.page().click("voice-changed");
    await expect.poll(() => narrationOf(panel).join()).not.toBe(before);
  };
  const refusal = { error: "invalid_input", message: "description_content: EDL is not supported" };
  panel.server.faults.generateAudio = [{ status: 400, type: "application/json", body: JSON.stringify(refusal) }];
  await voice("Ann sits.");
  expect(panel.server.bodies("generateAudio")).toHaveLength(3);
  panel.close();
  panel.open();
  await panel.sees("Place on timeline");
  panel.page().click("tab-history");
  await panel.sees("Changed lines recorded");
  panel.page().withAttribute("data-action", "open")[0]?.happens("click");
  await panel.sees("Ann sits.");
  await voice("Ann sits down.");
  const bodies = panel.server.bodies("generateAudio").map((body) => JSON.stringify(body));
  expect(bodies).toHaveLength(4);
  expect(bodies[1]).toContain("TITLE:");
  for (const body of bodies.slice(2)) expect(body).toContain("WEBVTT");
});

test("narration is placed as a clip for each cue or as one for all, and switched later; only our own goes", async () => {
  const panel = await placed();
  const [stem] = narrationOf(panel);
  const others = sequenceOf(panel).audioTracks.slice(0, 2);
  panel.menu().tick("place-clips", true);
  panel.menu().click("place-narration");
  await expect
    .poll(() => narrationOf(panel))
    .toEqual(["aside-cue-0001 A woman sits at a desk.wav", "aside-cue-0002 She opens a letter.wav"]);
  const { ticksPerFrame, audioTracks } = sequenceOf(panel);
  const clips = audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME).flatMap(({ items }) => items);
  // On the frames of their cues: 1 s to 2.5 s, and 4 s to 5 s, at 25 frames a second.
  expect(clips.map(({ start, end }) => [start / ticksPerFrame, end / ticksPerFrame])).toEqual([
    [25n, 63n],
    [100n, 125n],
  ]);
  expect(sequenceOf(panel).audioTracks.slice(0, 2)).toEqual(others);
  await expect.poll(() => panel.page().find("place") !== null).toBe(true);
  panel.menu().tick("place-clips", false);
  await expect.poll(() => panel.menu().byId("place-clips").checked).toBe(false);
  panel.menu().click("place-narration");
  await expect.poll(() => narrationOf(panel)).toEqual([stem]);
  expect(sequenceOf(panel).audioTracks.slice(0, 2)).toEqual(others);
});
