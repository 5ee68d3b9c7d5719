import { expect, test, vi } from "vitest";
import { Cancellable } from "../../../../panel/session/session.ts";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { PremiereHost } from "../../../../src/host/premiere/premiere-host.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { markerFrames, markerWords, type Piece, recut, sequenceOf } from "./recut.ts";

/** Four seconds that the described cut did not show, in its middle: 10 s in all, every one of them in the stretch. */
const WITH_NEW: readonly Piece[] = [[0, 75], [500, 600], [75, 150]]; // biome-ignore format: one cut

/** Described, with markers and narration placed, then cut anew: cues on frames 25 to 62 and 100 to 125 of 150. */
async function recutWithNew(pieces = WITH_NEW): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles({ inFrame: 10, outFrame: 140 });
  await panel.describe();
  await panel.placeMarkers();
  await panel.placeNarration();
  panel.page().click("dismiss");
  recut(panel, pieces);
  panel.server.wav = silentWav(10);
  panel.server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nKnown picture.\n\n00:04.000 --> 00:05.000\nA ship comes in.\n";
  panel.page().click("tab-review");
  await panel.sees("1 new part of the edit is not described: 00:10 in all");
  panel.page().click("open-conform");
  await panel.sees("Describe only what is new");
  return panel;
}

const voices = (panel: PanelOnDoubles) =>
  sequenceOf(panel)
    .audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME)
    .flatMap(({ items }) => items.map(({ name, start }) => [name, Number(start / sequenceOf(panel).ticksPerFrame)]));

/** Everything of the sequence but what is ours. */
const others = (panel: PanelOnDoubles) => {
  const { markers, audioTracks, properties: _, playerPosition: __, ...rest } = sequenceOf(panel);
  return {
    ...rest,
    markers: markers.filter(({ name }) => !name.startsWith("AD ")),
    audioTracks: audioTracks.filter(({ name }) => name !== NARRATION_TRACK_NAME),
  };
};

test("PANEL-41: what is new in a cut is described alone, and comes in with its voice in one step", async () => {
  const panel = await recutWithNew();
  const before = others(panel);
  const [first, second] = voices(panel);
  panel.page().click("describe-new");
  await panel.sees("1 new description added.");
  expect(panel.server.accepted).toBe(2);
  expect(markerFrames(panel)).toEqual([25, 100, 200]);
  expect(markerWords(panel)).toEqual(["A woman sits at a desk.", "A ship comes in.", "She opens a letter."]);
  // The narration that was there went along; the new voice is a clip of its own.
  expect(voices(panel)).toEqual([first, [expect.stringMatching(/A ship comes in/), 100], [second?.[0], 200]]);
  // In and out among the rest: they enclosed the stretch meanwhile.
  expect(others(panel)).toEqual(before);
  // The review lists it as new, and nothing is left to be followed or described.
  expect(panel.page().view).toBe("review");
  await expect.poll(() => panel.page().withAttribute("data-cue").length).toBe(1);
  await panel.sees("It describes picture that is new in this cut");
  expect(panel.page().find("open-conform")).toBeNull();
  // One click takes it back, and it is offered again; what was paid for is not asked for again.
  panel.page().click("take-back");
  await panel.sees("Undone");
  expect(markerFrames(panel)).toEqual([25, 200]);
  expect(voices(panel)).toEqual([first, [second?.[0], 200]]);
  panel.page().click("tab-review");
  await panel.sees("1 new part of the edit is not described");
  panel.page().click("open-conform");
  await panel.sees("Leave it undescribed");
  panel.page().click("describe-new");
  await panel.sees("1 new description added.");
  expect(markerFrames(panel)).toEqual([25, 100, 200]);
  expect(panel.server.accepted).toBe(2);
});

thoroughTest("new cues stay as the editor has them: placed again, cut again, and with narration in clips", async () => {
  const panel = await recutWithNew();
  panel.page().click("describe-new");
  await panel.sees("1 new description added.");
  await panel.filter("all");
  await expect.poll(() => panel.page().withAttribute("data-cue").length).toBe(3);
  panel.menu().click("place-markers");
  await panel.sees("Everything is on the timeline already.");
  expect(markerFrames(panel)).toEqual([25, 100, 200]);
  const clips = voices(panel).map(([name, start]) => [String(name).replace(/^aside-\S+ /, ""), Number(start)] as const);
  expect(clips.sort(([, a], [, b]) => a - b)).toEqual([
    ["A woman sits at a desk.wav", 25],
    ["A ship comes in.wav", 100],
    ["She opens a letter.wav", 200],
  ]);
  recut(panel, [[0, 75], [500, 600], [100, 150]]); // biome-ignore format: one cut
  panel.page().click("tab-review");
  await panel.sees("The edit changed: 1 needs a look");
});

thoroughTest(
  "new cues of a cut that changed once more while they were described come to where their picture went",
  async () => {
    const panel = await recutWithNew();
    panel.server.vtt += "\n00:05.600 --> 00:06.600\nIt moors.\n";
    panel.server.jobStates = Array.from({ length: 400 }, () => "processing");
    panel.page().click("describe-new");
    await expect.poll(() => panel.server.accepted).toBe(2);
    // Two seconds of another shot go before all of it.
    recut(panel, [[800, 850], ...WITH_NEW]);
    panel.server.jobStates = [];
    await panel.sees("2 new descriptions added.");
    expect(markerFrames(panel)).toEqual([75, 150, 190, 250]);
    expect(markerWords(panel)).toEqual([
      "A woman sits at a desk.",
      "A ship comes in.",
      "It moors.",
      "She opens a letter.",
    ]);
    expect(voices(panel)).toContainEqual([expect.stringMatching(/A ship comes in/), 150]);
    expect(voices(panel)).toContainEqual([expect.stringMatching(/It moors/), 190]);
    // What came in meanwhile is not described.
    await panel.sees("It describes picture that is new in this cut");
    panel.page().click("tab-review");
    await panel.sees("1 new part of the edit is not described");
  },
);

thoroughTest("a new cue whose picture went again while it was described does not come in", async () => {
  const panel = await recutWithNew();
  panel.server.jobStates = Array.from({ length: 400 }, () => "processing");
  panel.page().click("describe-new");
  await expect.poll(() => panel.server.accepted).toBe(2);
  recut(panel, [[0, 75], [75, 150]]); // biome-ignore format: one cut
  panel.server.jobStates = [];
  await panel.sees("No description was written for what is new in the edit.");
  expect(markerWords(panel)).toEqual(["A woman sits at a desk.", "She opens a letter."]);
});

thoroughTest("a stretch that is refused is told, nothing comes in, and it is not offered again", async () => {
  const panel = await recutWithNew();
  panel.server.jobEnd = "standard_ad_not_enough_gaps";
  panel.page().click("describe-new");
  await panel.sees("No description was written for what is new in the edit.");
  await panel.sees(/Not described: 00:00:00:00 to 00:00:10:00\. .*\./);
  expect(markerFrames(panel)).toEqual([25, 200]);
  panel.page().click("tab-describe");
  panel.page().click("tab-review");
  await panel.sees("2 descriptions");
  expect(panel.page().find("open-conform")).toBeNull();
});

test("a panel that closes while it waits goes on when it opens, and pays once", async () => {
  const panel = await recutWithNew();
  panel.server.jobStates = Array.from({ length: 40 }, () => "processing");
  panel.page().click("describe-new");
  await expect.poll(() => panel.server.accepted).toBe(2);
  panel.close();
  panel.server.jobStates = [];
  panel.open();
  await panel.sees("1 new description added.");
  expect(panel.server.accepted).toBe(2);
  expect(markerFrames(panel)).toEqual([25, 100, 200]);
});

thoroughTest("what is placed meanwhile is waited for: neither is lost", async () => {
  const panel = await recutWithNew();
  panel.server.jobStates = Array.from({ length: 1000 }, () => "processing");
  panel.page().click("describe-new");
  await expect.poll(() => panel.server.accepted).toBe(2);
  panel.page().click("tab-review");
  await panel.sees("Place on timeline");
  // What the editor begins lasts until it is let go.
  const begun = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const apply = PremiereHost.prototype.apply;
  const held = vi.spyOn(PremiereHost.prototype, "apply").mockImplementationOnce(async function (
    this: PremiereHost,
    ...given
  ) {
    begun.resolve();
    await letGo.promise;
    return apply.apply(this, given);
  });
  // The editor removed the narration, and places it again.
  panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Clear", (sequence) => ({
    ...sequence,
    audioTracks: sequence.audioTracks.map((track) =>
      track.name === NARRATION_TRACK_NAME ? { ...track, items: [] } : track,
    ),
  }));
  panel.menu().click("place-narration");
  await begun.promise;
  panel.server.jobStates = [];
  const read = vi.spyOn(Cancellable.prototype, "whenFree");
  await expect.poll(() => read.mock.calls.length).toBe(1);
  letGo.resolve();
  await panel.sees("1 new description added.");
  held.mockRestore();
  read.mockRestore();
  expect(markerFrames(panel)).toEqual([25, 100, 200]);
  expect(voices(panel)).toHaveLength(3);
});

test("moved alone, the new picture stays on offer until it is left undescribed", async () => {
  const panel = await recutWithNew();
  panel.page().click("conform");
  await panel.sees("Leave it undescribed");
  expect(markerFrames(panel)).toEqual([25, 200]);
  await panel.sees("1 new part of the edit is not described");
  panel.page().click("leave-new");
  await panel.sees("The edit is the one that was described.");
  expect(panel.server.accepted).toBe(1);
});
