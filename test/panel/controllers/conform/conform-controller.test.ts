import { expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { extract, markerFrames, markerWords, type Piece, recut, sequenceOf } from "./recut.ts";

/** Described and placed: cues on frames 25 to 62 and 100 to 125 of 150. */
async function placed(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.placeMarkers();
  await expect.poll(() => sequenceOf(panel).properties.size).toBe(1);
  panel.page().click("dismiss");
  await expect.poll(() => panel.page().find("message") === null).toBe(true);
  return panel;
}

/** Has the panel look at the cut, and goes to what it found. */
async function look(panel: PanelOnDoubles): Promise<void> {
  panel.page().click("tab-review");
  await panel.sees("The edit changed");
  panel.page().click("open-conform");
  await panel.sees("Compare again");
}

/** First frame of each clip of narration. */
function narrationFrames(panel: PanelOnDoubles): number[] {
  const { audioTracks, ticksPerFrame } = sequenceOf(panel);
  const voices = audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME).flatMap(({ items }) => items);
  return voices.map(({ start }) => Number(start / ticksPerFrame));
}

/** Frames of each clip of narration. */
function narrationLengths(panel: PanelOnDoubles): number[] {
  const { audioTracks, ticksPerFrame } = sequenceOf(panel);
  const voices = audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME).flatMap(({ items }) => items);
  return voices.map(({ start, end }) => Number((end - start) / ticksPerFrame));
}

const withoutOurs = (panel: PanelOnDoubles) => {
  const { markers, audioTracks, properties: _, playerPosition: __, ...rest } = sequenceOf(panel);
  return {
    ...rest,
    markers: markers.filter(({ name }) => !name.startsWith("AD ")),
    audioTracks: audioTracks.filter(({ name }) => name !== NARRATION_TRACK_NAME),
  };
};

const RECUTS: readonly (readonly [how: string, pieces: readonly Piece[], says: string, frames: number[]])[] = [
  ["a trim ahead", [[10, 150]], "2 descriptions move with it", [15, 90]],
  ["a ripple between them", [[0, 75], [91, 150]], "1 description moves with it", [25, 84]],
  ["an insert", [[0, 75], 25, [75, 150]], "1 description moves with it", [25, 125]],
  ["a swap", [[75, 150], [0, 75]], "2 descriptions move with it", [25, 100]],
  ["a trim into one", [[0, 50], [75, 150]], "1 description moves with it, 1 needs a look", [25, 75]],
  ["a cut into one at the start of the film", [[40, 150]], "1 description moves with it, 1 needs a look", [0, 60]],
  ["a shot taken out", [[75, 150]], "1 description moves with it, 1 lost its picture", [25, 26]],
]; // biome-ignore format: a table

test.each(RECUTS)(
  "PANEL-41: after %s, markers follow their picture and nothing else changes",
  async (_how, pieces, says, frames) => {
    const panel = await placed();
    recut(panel, pieces);
    await look(panel);
    await panel.sees(says);
    const others = withoutOurs(panel);
    const frozen = markerFrames(panel);
    panel.page().click("conform");
    await panel.sees("moved with the edit");
    expect(markerFrames(panel)).toEqual(frames);
    expect(withoutOurs(panel)).toEqual(others);
    // One click takes it back, and the cut is seen to differ again.
    panel.page().click("take-back");
    await panel.sees("Undone");
    expect(markerFrames(panel)).toEqual(frozen);
    expect(withoutOurs(panel)).toEqual(others);
    await panel.sees(says);
  },
);

test("a cue that lost picture goes to review with the reason, is no longer accepted, and stands until it is", async () => {
  const panel = await placed();
  panel.menu().click("accept-all");
  await panel.sees("✓ accepted");
  recut(panel, [[0, 50], [75, 150]]); // biome-ignore format: one cut
  await look(panel);
  await panel.sees("Part of the picture it describes was cut out or trimmed.");
  panel.page().click("conform");
  await panel.sees("1 to check");
  expect(panel.page().view).toBe("review");
  await panel.sees("Part of the picture it describes was cut out or trimmed");
  await panel.filter("rule:conform-touched");
  await expect.poll(() => panel.page().withAttribute("data-cue").length).toBe(1);
  panel.page().byId("cue-keys").happens("keydown", { key: "Home" });
  panel.page().byId("cue-keys").happens("keydown", { key: " " });
  await expect.poll(() => panel.page().root.textContent).not.toContain("Part of the picture");
});

test("clips of single cues go along with their markers, in one step of the undo history", async () => {
  const panel = await placed();
  panel.menu().tick("place-clips", true);
  panel.menu().click("place-narration");
  await expect.poll(() => narrationFrames(panel)).toEqual([25, 100]);
  await panel.sees("Done: Place narration");
  recut(panel, [[0, 75], [91, 150]]); // biome-ignore format: one cut
  await look(panel);
  const before = sequenceOf(panel);
  const steps = panel.premiere.machine.undoStack.length;
  panel.page().click("conform");
  await panel.sees("Premiere’s Undo removes it in 1 step.");
  expect(panel.premiere.machine.undoStack.slice(steps).map(({ label }) => label)).toEqual([
    "Follow the cut: 2 descriptions",
  ]);
  expect([markerFrames(panel), narrationFrames(panel)]).toEqual([
    [25, 84],
    [25, 84],
  ]);
  panel.premiere.user.undo();
  expect(sequenceOf(panel)).toEqual(before);
});

test.each([
  ["between them", [75, 91], [25, 84]],
  ["through the first", [50, 75], [25, 75]],
  ["over the beginning of the first", [0, 40], [0, 60]],
] as const)(
  "clips that Premiere moved along with what was taken out %s are each heard whole with their cue",
  async (_where, range, frames) => {
    const panel = await placed();
    panel.menu().tick("place-clips", true);
    panel.menu().click("place-narration");
    await expect.poll(() => narrationFrames(panel)).toEqual([25, 100]);
    await panel.sees("Done: Place narration");
    const lengths = narrationLengths(panel);
    extract(panel, range);
    await look(panel);
    panel.page().click("conform");
    await panel.sees("moved with the edit");
    expect([markerFrames(panel), narrationFrames(panel)]).toEqual([frames, frames]);
    expect(narrationLengths(panel)).toEqual(lengths);
  },
);

test.each(["place-narration", "place"])(
  "a clip that an editor drew elsewhere goes back to its line, and that is said: %s",
  async (how) => {
    const panel = await placed();
    panel.menu().tick("place-clips", true);
    panel.menu().click("place-narration");
    await expect.poll(() => narrationFrames(panel)).toEqual([25, 100]);
    await panel.sees("Done: Place narration");
    panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Move", (sequence) => ({
      ...sequence,
      audioTracks: sequence.audioTracks.map((track) => {
        if (track.name !== NARRATION_TRACK_NAME) return track;
        const later = 12n * sequence.ticksPerFrame;
        const [first, ...others] = track.items;
        if (first === undefined) throw new Error("there is narration");
        return { ...track, items: [{ ...first, start: first.start + later, end: first.end + later }, ...others] };
      }),
    }));
    panel.page().click("tab-review");
    panel.menu().click(how);
    await panel.sees("1 narration clip moved to the time of its line. To move a line, move its marker.");
    expect(narrationFrames(panel)).toEqual([25, 100]);
  },
);

test("nothing is placed again where the pictures were: the cut is followed first, unless its notice was put away", async () => {
  const panel = await placed();
  panel.menu().tick("place-clips", true);
  panel.menu().click("place-narration");
  await expect.poll(() => narrationFrames(panel)).toEqual([25, 100]);
  await panel.sees("Done: Place narration");
  extract(panel, [75, 91]);
  panel.page().click("tab-review");
  await panel.sees("The edit changed");
  const before = sequenceOf(panel);
  for (const what of ["place-narration", "place-markers"]) {
    panel.menu().click(what);
    await panel.sees("Follow the cut first");
    expect(sequenceOf(panel)).toEqual(before);
    panel.page().click("dismiss");
    await expect.poll(() => panel.page().find("message") === null).toBe(true);
  }
  panel.menu().click("place-narration");
  await panel.sees("Follow the cut first");
  panel.page().click("remedy-follow-cut");
  await panel.sees("Compare again");
  panel.page().click("conform");
  await panel.sees("moved with the edit");
  panel.page().click("tab-review");
  panel.menu().click("place-narration");
  await panel.sees("on the timeline already");
  expect([markerFrames(panel), narrationFrames(panel)]).toEqual([
    [25, 84],
    [25, 84],
  ]);
  // Who wants the old times says so by putting the notice away: that of the next cut, not of the one that was followed.
  await expect.poll(() => panel.page().find("conform-later")).toBeNull();
  extract(panel, [0, 10]);
  panel.page().click("tab-describe");
  panel.page().click("tab-review");
  await expect.poll(() => panel.page().find("conform-later") !== null).toBe(true);
  panel.page().click("conform-later");
  await expect.poll(() => panel.page().find("conform-later") === null).toBe(true);
  panel.menu().click("place-narration");
  await expect.poll(() => narrationFrames(panel)).toEqual([25, 84]);
});

test("the cut is compared when the panel opens and when the host hints at a change; a click moves the playhead", async () => {
  const panel = await placed();
  recut(panel, [[10, 150]]);
  panel.open();
  await panel.sees("The edit changed: 2 descriptions move with it");
  panel.page().click("open-conform");
  await panel.sees("Compare again");
  panel.page().click("conform-cue-0002");
  await expect.poll(() => sequenceOf(panel).playerPosition / sequenceOf(panel).ticksPerFrame).toBe(90n);
  // The editor undoes the cut: there is nothing to follow any more.
  panel.premiere.user.undo();
  panel.premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
  await panel.sees("The edit is the one that was described.");
  expect(panel.page().find("open-conform")).toBeNull();
  expect(markerWords(panel)).toEqual(["A woman sits at a desk.", "She opens a letter."]);
});

test("words and places that the editor changed on the timeline meanwhile stay", async () => {
  const panel = await placed();
  const [first, second] = sequenceOf(panel).markers.filter(({ name }) => name.startsWith("AD "));
  const { user } = panel.premiere;
  const { ticksPerFrame } = sequenceOf(panel);
  user.changeMarker(SAMPLE_SEQUENCE_ID, first?.guid ?? "", {
    comments: first?.comments.replace("A woman", "A young woman") ?? "",
  });
  user.changeMarker(SAMPLE_SEQUENCE_ID, second?.guid ?? "", { start: ticksPerFrame * 110n });
  recut(panel, [[10, 150]]);
  await look(panel);
  await panel.sees("Its marker stays where you put it.");
  panel.page().click("conform");
  await panel.sees("moved with the edit");
  expect(markerFrames(panel)).toEqual([15, 110]);
  expect(markerWords(panel)[0]).toBe("A young woman sits at a desk.");
});

test("the notice of a cut can be put away; another cut has one of its own", async () => {
  const panel = await placed();
  recut(panel, [[10, 150]]);
  panel.page().click("tab-review");
  await panel.sees("The edit changed");
  panel.page().click("conform-later");
  await expect.poll(() => panel.page().find("open-conform")).toBeNull();
  panel.page().click("tab-describe");
  panel.page().click("tab-review");
  await expect.poll(() => panel.page().find("open-conform")).toBeNull();
  recut(panel, [[20, 150]]);
  panel.page().click("tab-describe");
  await panel.sees("The edit changed");
});
