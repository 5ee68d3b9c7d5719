import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { words } from "../../../../panel/words/words.ts";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import type { SequenceState, TrackState } from "../../../fakes/premiere/state.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { recut, sequenceOf } from "../conform/recut.ts";

const CUES =
  "WEBVTT\n\n00:01.000 --> 00:01.040\nA woman sits at a desk.\n\n00:04.000 --> 00:04.040\nShe opens a letter.\n";

/** Held at 1 s for 3 s, and at 4 s for 2 s: what the service says of an extended description. */
const HELD = {
  duration_seconds: 11,
  pauses: [
    { at: 1, video_time: 1, seconds: 3 },
    { at: 4, video_time: 7, seconds: 2 },
  ],
  cues: [
    { id: "cue-0001", start: 1.2, end: 3.8 },
    { id: "cue-0002", start: 7.2, end: 8.8 },
  ],
};

/** An extended description of two lines under review. */
async function extended(panel: PanelOnDoubles): Promise<void> {
  panel.server.vtt = CUES;
  panel.server.report = { describer: "vision", held: HELD };
  panel.server.additions["GET voice_line"] = () => ({ body: { status: "available", maximum_characters: 1000 } });
  panel.server.additions["POST voice_line"] = (asked) => {
    const seconds = JSON.stringify(asked).includes("woman") ? 2.6 : 1.6;
    const wave = silentWav(seconds);
    const sha256 = createHash("sha256").update(wave).digest("hex");
    return { body: { seconds, rate: 1, fits: true, audio: Buffer.from(wave).toString("base64"), sha256 } };
  };
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  panel.page().tick("type-extended", true);
  await expect.poll(() => panel.page().byId("type-extended").checked).toBe(true);
  await panel.order();
  await panel.sees("2 descriptions");
}

function copyOf({ premiere }: PanelOnDoubles): SequenceState {
  const { sequences } = premiere.machine.project("project-sample");
  const copy = [...sequences.values()].find(({ id }) => id !== SAMPLE_SEQUENCE_ID);
  if (copy === undefined) throw new Error("there is no copy");
  return copy;
}

/** Waits until the panel knows how it has left the copy. */
const isLeft = (panel: PanelOnDoubles) =>
  expect.poll(() => panel.page().withAttribute("data-action", "take-back").length, { timeout: 10_000 }).toBe(1);

/** Takes back, as soon as a person can. */
async function takenBack(panel: PanelOnDoubles): Promise<void> {
  await isLeft(panel);
  panel.page().click("take-back");
}

/** Where the clips of a track lie, and what of their source they show first: in frames. */
function frames({ items }: TrackState, { ticksPerFrame }: SequenceState): number[][] {
  return items.map(({ start, end, inPoint }) => [start, end, inPoint].map((ticks) => Number(ticks / ticksPerFrame)));
}

test.each(["stay", "ripple"] as const)(
  "a copy is held for extended descriptions; markers of the editor's go along where Premiere lets them %s",
  async (markers) => {
    const panel = await panelOnDoubles();
    panel.premiere.faults.markers = markers;
    await extended(panel);
    const before = sequenceOf(panel);
    panel.page().click("place-held");
    await panel.sees("Done: 2 holds, 5 s in all.");
    expect(sequenceOf(panel)).toEqual(before);
    const copy = copyOf(panel);
    expect(copy.name).toBe("Harbour_v7 – described, held");
    // Held at frames 25 and 100 for 75 and 50 frames: nothing is seen or heard there but the narration.
    const [picture] = copy.videoTracks;
    const [sound, music, narration] = copy.audioTracks;
    const parted = [
      [0, 25, 0],
      [100, 175, 25],
      [225, 275, 100],
    ];
    expect(frames(picture as TrackState, copy)).toEqual(parted);
    expect(frames(sound as TrackState, copy)).toEqual(parted);
    expect(frames(music as TrackState, copy)).toEqual([
      [10, 25, 10],
      [100, 175, 25],
      [225, 275, 100],
    ]);
    expect(narration?.name).toBe(NARRATION_TRACK_NAME);
    expect(frames(narration as TrackState, copy)).toEqual([
      [30, 95, 0],
      [180, 220, 0],
    ]);
    const own = copy.markers.filter(({ name }) => name.startsWith("AD "));
    expect(own.map(({ start, duration }) => [start / copy.ticksPerFrame, duration / copy.ticksPerFrame])).toEqual([
      [30n, 65n],
      [180n, 40n],
    ]);
    // The editor's own was at frame 40.
    const [theirs] = copy.markers.filter(({ name }) => name === "Check grade");
    expect(theirs?.start).toBe(115n * copy.ticksPerFrame);
    expect(panel.premiere.machine.violations).toEqual([]);
  },
);

test("nothing is held in a cut that changed since it was exported, and no copy stays", async () => {
  const panel = await panelOnDoubles();
  await extended(panel);
  recut(panel, [[10, 150]]);
  panel.page().click("place-held");
  await panel.sees("where to hold is unknown");
  expect([...panel.premiere.machine.project("project-sample").sequences.keys()]).toEqual([SAMPLE_SEQUENCE_ID]);
});

test("the held copy goes again as long as nobody has worked on it", async () => {
  const panel = await panelOnDoubles();
  await extended(panel);
  panel.page().click("place-held");
  await panel.sees("Done: 2 holds");
  await isLeft(panel);
  const { id } = copyOf(panel);
  panel.premiere.user.addMarker(id, {
    name: "Louder",
    type: "marker-type:comment",
    comments: "",
    start: 0n,
    duration: 0n,
    colour: "GREEN",
  });
  await takenBack(panel);
  await panel.sees("The copy “Harbour_v7 – described, held” stays");
  panel.premiere.user.undo();
  panel.page().click("place-held");
  await panel.sees("“Harbour_v7 – described, held 2”, which is open");
  await takenBack(panel);
  await panel.sees("the copy “Harbour_v7 – described, held 2” is removed");
  expect(copyOf(panel).id).toBe(id);
});

test("a track that does not open is named, and nothing is laid on a copy that is out of step", async () => {
  const panel = await panelOnDoubles();
  panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Sync lock off", (sequence) => ({
    ...sequence,
    audioTracks: sequence.audioTracks.map((track) =>
      track.name === "Audio 2" ? { ...track, isSyncLockOff: true } : track,
    ),
  }));
  await extended(panel);
  panel.page().click("place-held");
  await panel.sees("Not every track opened for the holds.");
  await panel.sees('"Audio 2" did not open');
  const copy = copyOf(panel);
  expect(copy.markers.filter(({ name }) => name.startsWith("AD "))).toEqual([]);
  await takenBack(panel);
  await panel.sees("is removed");
});

test("where no single lines are voiced, the markers are there alone, and it is said", async () => {
  const panel = await panelOnDoubles();
  await extended(panel);
  delete panel.server.additions["GET voice_line"];
  panel.page().click("place-held");
  await panel.sees("2 lines have no narration");
  const copy = copyOf(panel);
  expect(copy.markers.filter(({ name }) => name.startsWith("AD "))).toHaveLength(2);
  expect(copy.audioTracks.at(-1)?.items).toEqual([]);
});

/** A standard description whose first line is longer than its pause, open under review; its voice takes so long. */
async function tooLong(
  panel: PanelOnDoubles,
  { seconds = 2.6, speech = [[1.9, 3.8]] }: { readonly seconds?: number; readonly speech?: number[][] } = {},
): Promise<string[]> {
  const voiced: string[] = [];
  panel.server.report = { describer: "vision", speech, music: [] };
  panel.server.additions["GET voice_line"] = () => ({ body: { status: "available", maximum_characters: 1000 } });
  panel.server.additions["POST voice_line"] = (asked) => {
    voiced.push(/(A woman|She opens)/.exec(JSON.stringify(asked))?.[0] ?? "");
    const wave = silentWav(seconds);
    const sha256 = createHash("sha256").update(wave).digest("hex");
    return { body: { seconds, rate: 1, fits: true, audio: Buffer.from(wave).toString("base64"), sha256 } };
  };
  await panel.describe();
  await panel.openCue();
  await panel.sees(words.tooLong);
  return voiced;
}

test("a line that is too long is heard on a copy that is held for it, and the others keep their sound; in the film it is silent", async () => {
  const panel = await panelOnDoubles();
  const voiced = await tooLong(panel);
  panel.page().click("extend");
  await panel.sees(words.linesHeld({ count: 1 }));
  await panel.sees(words.heldHere);
  panel.page().click("place");
  await panel.sees(/Done: Place/);
  const markersOf = ({ markers }: SequenceState) => markers.filter(({ name }) => name.startsWith("AD "));
  expect(markersOf(sequenceOf(panel))).toHaveLength(1);
  const before = sequenceOf(panel);
  panel.page().click("place-held");
  await panel.sees("Done: 1 hold, 2 s in all.");
  expect(sequenceOf(panel)).toEqual(before);
  // Once to know how long it takes, and once as the copy has it.
  expect(voiced).toEqual(["A woman", "A woman"]);
  const copy = copyOf(panel);
  const [picture] = copy.videoTracks;
  // It begins at 1 s, its pause ends at 1.8 s, and the film waits there: 1.8 s are missing, and a breath.
  expect(frames(picture as TrackState, copy).slice(0, 2)).toEqual([
    [0, 45, 0],
    [95, expect.any(Number), 45],
  ]);
  const narration = copy.audioTracks.find(({ name }) => name === NARRATION_TRACK_NAME);
  expect(frames(narration as TrackState, copy).map(([start]) => start)).toEqual([25, 150]);
  expect(markersOf(copy).map(({ start }) => start / copy.ticksPerFrame)).toEqual([25n, 150n]);
  expect(panel.premiere.machine.violations).toEqual([]);
});

test("of several such lines each is voiced as long as it takes, and held for", async () => {
  const panel = await panelOnDoubles();
  const voiced = await tooLong(panel, { speech: [[1.9, 3.8], [4.6, 5.9]] }); // biome-ignore format: two stretches
  panel.page().click("extend");
  await panel.sees(words.linesHeld({ count: 1 }));
  await panel.openCue(1);
  await panel.sees(words.tooLong);
  panel.page().click("extend");
  await panel.sees(words.linesHeld({ count: 2 }));
  panel.page().click("place-held");
  await panel.sees("Done: 2 holds");
  expect(voiced).toEqual(["A woman", "She opens", "A woman", "She opens"]);
  const narration = copyOf(panel).audioTracks.find(({ name }) => name === NARRATION_TRACK_NAME);
  const lengths = frames(narration as TrackState, copyOf(panel)).map(([start = 0, end = 0]) => end - start);
  expect(lengths).toEqual([65, 65]);
});

test("where the line fits its pause by now, nothing is held, and it is said", async () => {
  const panel = await panelOnDoubles();
  await tooLong(panel, { seconds: 0.5 });
  panel.page().click("extend");
  await panel.sees(words.linesHeld({ count: 1 }));
  panel.page().click("place-held");
  await panel.sees(words.fitWithoutHold);
  expect([...panel.premiere.machine.project("project-sample").sequences.keys()]).toEqual([SAMPLE_SEQUENCE_ID]);
  panel.page().click("back-into-pause");
  await panel.sees(words.tooLong);
  expect(panel.page().find("place-held")).toBeNull();
});
