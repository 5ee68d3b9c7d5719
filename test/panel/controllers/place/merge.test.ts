import { expect, test } from "vitest";
import { fingerprintOf } from "../../../../src/core/bytes.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import { type MarkerState, withSequence } from "../../../fakes/premiere/state.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { markerFrames, markerWords, ownMarkers, sequenceOf } from "../conform/recut.ts";

const NEW_RESULT =
  "WEBVTT\n\n00:01.000 --> 00:02.500\nA tall woman sits at a desk.\n\n00:04.000 --> 00:05.000\nShe opens a red letter.\n\n" +
  "00:05.200 --> 00:05.900\nRain.\n";

/** Described and placed: "A woman sits at a desk." and "She opens a letter.". */
async function placed(version: "26.3" | "26.2" = "26.3"): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  panel.premiere.faults.version = version;
  await panel.connect();
  await describeAgain(panel, "2 descriptions");
  await panel.placeMarkers();
  await expect.poll(() => sequenceOf(panel).properties.size).toBe(1);
  panel.page().click("dismiss");
  await expect.poll(() => panel.page().find("message") === null).toBe(true);
  return panel;
}

async function describeAgain(panel: PanelOnDoubles, says: string): Promise<void> {
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await expect.poll(() => panel.page().view).toBe("review");
  await panel.sees(says);
}

const edit = (panel: PanelOnDoubles, index: number, change: (marker: MarkerState) => Partial<MarkerState>) => {
  const marker = ownMarkers(panel)[index];
  if (marker === undefined) throw new Error(`no marker ${index}`);
  panel.premiere.user.changeMarker(SAMPLE_SEQUENCE_ID, marker.guid, change(marker));
};
const say = (from: string, to: string) => (marker: MarkerState) => ({ comments: marker.comments.replace(from, to) });
const others = (panel: PanelOnDoubles) => {
  const { videoTracks, audioTracks, markers } = sequenceOf(panel);
  return { videoTracks, audioTracks, markers: markers.filter(({ name }) => !name.startsWith("AD ")) };
};

test("a new result over edited markers is shown before it is done; each conflict is decided; one plan does it", async () => {
  const panel = await placed();
  edit(panel, 0, say("A woman", "Ann"));
  edit(panel, 1, say("a letter", "the letter"));
  const before = ownMarkers(panel);
  const untouched = others(panel);
  panel.server.vtt = NEW_RESULT;
  await describeAgain(panel, "3 descriptions");
  panel.menu().click("place-markers");
  await panel.sees("Placing will do this");
  expect(panel.page().byId("merge-counts").textContent).toBe("1 added, 2 kept as you changed them, 2 to decide.");
  expect(panel.page().activeElement).toBe(panel.page().byId("merge-heading"));
  await panel.sees("“Rain.”: It is new.");
  await panel.sees("Mine: “Ann sits at a desk.”");
  await panel.sees("New: “A tall woman sits at a desk.”");
  // Nothing is done yet, and leaving does nothing.
  expect(ownMarkers(panel)).toEqual(before);
  const choice = panel.page().byId("choice-cue-0002-mine");
  panel.page().byId("merge").happens("keydown", { key: "Escape", target: choice });
  await panel.sees("Place on timeline");
  expect(ownMarkers(panel)).toEqual(before);
  panel.menu().click("place-markers");
  await panel.sees("Placing will do this");
  panel.page().byId("choice-cue-0002-theirs").happens("change");
  await panel.sees("Both you and the new result changed the words. It takes the new result.");
  expect(panel.page().byId("choice-cue-0002-theirs").checked).toBe(true);
  panel.page().byId("choice-cue-0001-theirs").happens("change");
  panel.page().byId("choice-cue-0001-mine").happens("change");
  panel.page().click("merge-place");
  await panel.sees("Done: Place 3 description markers");
  expect(markerWords(panel)).toEqual(["Ann sits at a desk.", "She opens a red letter.", "Rain."]);
  expect(others(panel)).toEqual(untouched);
  // Taken back, the markers are as the editor had left them, and nobody takes that for new work of the editor's.
  panel.page().click("take-back");
  await panel.sees("Undone");
  expect(markerWords(panel)).toEqual(["Ann sits at a desk.", "She opens the letter."]);
  expect(others(panel)).toEqual(untouched);
});

thoroughTest("all conflicts at once, and a list that the timeline outdated is shown anew", async () => {
  const panel = await placed();
  edit(panel, 0, say("A woman", "Ann"));
  edit(panel, 1, say("a letter", "the letter"));
  panel.server.vtt = NEW_RESULT;
  await describeAgain(panel, "3 descriptions");
  panel.menu().click("place-markers");
  await panel.sees("Placing will do this");
  panel.page().click("all-theirs");
  await panel.sees("1 added, 2 to decide");
  edit(panel, 0, say("Ann", "Anna"));
  panel.page().click("merge-place");
  await panel.sees("The markers changed meanwhile");
  await panel.sees("Mine: “Anna sits at a desk.”");
  panel.page().click("merge-place");
  await panel.sees("Done: Place 3 description markers");
  expect(markerWords(panel)).toEqual(["A tall woman sits at a desk.", "She opens a red letter.", "Rain."]);
});

test("the same result over markers that nobody touched is placed without a question", async () => {
  const panel = await placed();
  panel.menu().click("place-markers");
  await panel.sees("on the timeline already");
  expect(panel.page().find("merge")).toBeNull();
});

test("after an undo in Premiere, the markers are placed again, once", async () => {
  const panel = await placed();
  while (ownMarkers(panel).length > 0) panel.premiere.user.undo();
  await panel.placeMarkers();
  expect(markerFrames(panel)).toEqual([25, 100]);
});

test.each([
  ["with its properties", true],
  ["without its properties", false],
])("on a duplicated sequence, %s, the copy's own markers are changed and the original's are not", async (_, keeps) => {
  const panel = await placed();
  const copyId = panel.premiere.user.duplicateSequence(SAMPLE_SEQUENCE_ID, keeps);
  const copy = () => panel.premiere.machine.sequence("project-sample", copyId);
  const [first] = copy().markers.filter(({ name }) => name.startsWith("AD "));
  panel.premiere.user.changeMarker(copyId, first?.guid ?? "", say("A woman", "Ann")(first as MarkerState));
  const original = ownMarkers(panel);
  panel.menu().click("place-markers");
  await panel.sees("of which this is a copy");
  await panel.sees("It stays as you changed it");
  panel.page().click("merge-place");
  await panel.sees(/on the timeline already|Done/);
  expect(copy().markers.filter(({ name }) => name.startsWith("AD "))).toHaveLength(2);
  expect(copy().markers.some(({ comments }) => comments.startsWith("Ann sits"))).toBe(true);
  expect(ownMarkers(panel)).toEqual(original);
});

test("a result is not placed on a sequence that it does not belong to", async () => {
  const panel = await placed();
  const copyId = panel.premiere.user.duplicateSequence(SAMPLE_SEQUENCE_ID, false);
  const { machine, user } = panel.premiere;
  user.editSequence(copyId, "Clear", (sequence) => ({ ...sequence, markers: [] }));
  panel.menu().click("place-markers");
  await panel.sees("This result belongs to “Harbour_v7”");
  expect(machine.sequence("project-sample", copyId).markers).toEqual([]);
});

thoroughTest(
  "of copied markers, an exact one goes and one with words of its own is a cue of the editor's",
  async () => {
    const panel = await placed();
    const [first] = ownMarkers(panel);
    if (first === undefined) throw new Error("no marker");
    const { guid: _, ...plain } = first;
    const { ticksPerFrame } = sequenceOf(panel);
    panel.premiere.user.addMarker(SAMPLE_SEQUENCE_ID, plain);
    const own = { ...plain, ...say("A woman sits at a desk.", "A door opens.")(first), start: ticksPerFrame * 70n };
    panel.premiere.user.addMarker(SAMPLE_SEQUENCE_ID, own);
    panel.menu().click("place-markers");
    await panel.sees("“A door opens.”: It is yours and stays.");
    panel.page().click("merge-place");
    await panel.sees("Done: Place 3 description markers");
    expect(markerWords(panel)).toEqual(["A woman sits at a desk.", "A door opens.", "She opens a letter."]);
  },
);

test("without marker identities, as before 26.3, an edit is told apart and somebody else's marker is left alone", async () => {
  const panel = await placed("26.2");
  const untouched = others(panel);
  edit(panel, 0, say("A woman", "Ann"));
  panel.server.vtt = NEW_RESULT;
  await describeAgain(panel, "3 descriptions");
  panel.menu().click("place-markers");
  await panel.sees("Mine: “Ann sits at a desk.”");
  panel.page().click("merge-place");
  await panel.sees(/Done: Place 3|Only part of it was done on the timeline/);
  expect(markerWords(panel)).toEqual(["Ann sits at a desk.", "She opens a red letter.", "Rain."]);
  expect(others(panel)).toEqual(untouched);
});

test("names and colours that the editor gave stay with a new result", async () => {
  const panel = await placed();
  edit(panel, 0, () => ({ name: "AD check with Ann", colour: "RED" }));
  panel.server.vtt = NEW_RESULT;
  await describeAgain(panel, "3 descriptions");
  panel.menu().click("place-markers");
  await panel.sees("It takes the new result");
  panel.page().click("merge-place");
  await panel.sees("Done: Place 3 description markers");
  expect(ownMarkers(panel)[0]).toMatchObject({ name: "AD check with Ann", colour: "RED" });
  expect(markerWords(panel)[0]).toBe("A tall woman sits at a desk.");
});

/** Writes the records of the sequence anew: in the project and beside it. */
function changeRecords(panel: PanelOnDoubles, change: (text: string) => string | null): void {
  const { machine } = panel.premiere;
  const project = machine.project("project-sample");
  const sequence = sequenceOf(panel);
  const properties = new Map(sequence.properties);
  for (const [name, value] of sequence.properties) {
    const next = change(String(value));
    if (next === null) properties.delete(name);
    else properties.set(name, next);
  }
  machine.replace(withSequence(project, { ...sequence, properties }));
  for (const [path, bytes] of panel.disk.files) {
    if (!path.endsWith(".record.txt")) continue;
    const next = change(Buffer.from(bytes).toString());
    if (next === null) panel.disk.files.delete(path);
    else panel.disk.files.set(path, new Uint8Array(Buffer.from(next)));
  }
}

test("with the record lost, the markers speak: the editor's words win and it is said before anything is done", async () => {
  const panel = await placed();
  edit(panel, 0, say("A woman", "Ann"));
  changeRecords(panel, () => null);
  panel.server.vtt = NEW_RESULT;
  await describeAgain(panel, "3 descriptions");
  panel.menu().click("place-markers");
  await panel.sees("Placing will do this");
  panel.page().click("merge-place");
  await panel.sees("Done: Place 3 description markers");
  expect(markerWords(panel)).toEqual(["Ann sits at a desk.", "She opens a letter.", "Rain."]);
});

test("a damaged record is said to be damaged, and counts as lost", async () => {
  const panel = await placed();
  changeRecords(panel, (text) => text.replace("cue-0001", "cue-0009"));
  edit(panel, 0, say("A woman", "Ann"));
  panel.menu().click("place-markers");
  await panel.sees("The record of this sequence is damaged");
  panel.page().click("merge-place");
  await expect.poll(() => panel.page().find("merge") === null).toBe(true);
  expect(markerWords(panel)).toEqual(["Ann sits at a desk.", "She opens a letter."]);
});

test("a record of the first version is read; one of a newer version is left as it is and said so", async () => {
  const panel = await placed();
  const rewritten = (change: (record: Record<string, unknown>) => object) => (text: string) => {
    const json = JSON.stringify(change(JSON.parse(text.slice(17))));
    return `${fingerprintOf(json)} ${json}`;
  };
  changeRecords(
    panel,
    rewritten(({ generated: _, voiced: __, placed, ...old }) => ({ ...old, ...Object(placed), version: 1 })),
  );
  edit(panel, 0, say("A woman", "Ann"));
  panel.menu().click("read-markers");
  await panel.sees("Read from the timeline: 1 kept as you changed them.");
  changeRecords(
    panel,
    rewritten((record) => ({ ...record, version: 99 })),
  );
  panel.menu().click("read-markers");
  await panel.sees("written by a newer version of Aside");
});

test("words that were typed before the first placing stay when the sequence is described again", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.openCue(0);
  panel.page().type("cue-text", "Kim sits at a desk.");
  panel.menu().click("place-markers");
  await panel.sees("Done: Place 2 description markers");
  panel.server.vtt = NEW_RESULT;
  await describeAgain(panel, "3 descriptions");
  panel.menu().click("place-markers");
  await panel.sees("Mine: “Kim sits at a desk.”");
  await panel.sees("New: “A tall woman sits at a desk.”");
  panel.page().click("merge-place");
  await expect.poll(() => panel.page().find("merge") === null).toBe(true);
  await expect.poll(() => markerWords(panel)).toEqual(["Kim sits at a desk.", "She opens a red letter.", "Rain."]);
});

thoroughTest(
  "read back, markers and words typed in the panel meet: neither is lost, and what both changed is told",
  async () => {
    const panel = await placed();
    await panel.openCue(0);
    panel.page().type("cue-text", "Kim sits at a desk.");
    edit(panel, 0, say("A woman", "Ann"));
    edit(panel, 1, say("a letter", "the letter"));
    panel.menu().click("read-markers");
    await panel.sees("1 line was changed both here and on the timeline. The versions here stay, and placing asks.");
    await panel.sees("She opens the letter.");
    expect(panel.page().byId("cue-text").value).toBe("Kim sits at a desk.");
    expect(markerWords(panel)[0]).toBe("Ann sits at a desk.");
  },
);

test("taking back leaves a marker that was rewritten since", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.placeMarkers();
  await expect.poll(() => sequenceOf(panel).properties.size).toBe(1);
  edit(panel, 0, say("A woman", "Ann"));
  panel.page().click("take-back");
  await panel.sees("Undone, except for what is listed here.");
  await panel.sees("1 marker was edited since and stays.");
  expect(markerWords(panel)).toEqual(["Ann sits at a desk."]);
});
