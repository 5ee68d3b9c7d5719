import { expect, test } from "vitest";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { sequenceOf } from "../conform/recut.ts";

const PAUSES = [
  { id: "pause-0001", start: 2.6, end: 3.8, words: 3, hints: ["dark", "cut"], before: "I never got your letter." },
  { id: "pause-0002", start: 5.1, end: 5.9, words: 2, hints: [] },
];

/** A result with two cues, and two pauses that the service left to be written. */
async function described(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  panel.server.report = { describer: "text", speech: [], music: [], to_write: PAUSES };
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("2 descriptions");
  return panel;
}

const rows = (panel: PanelOnDoubles) => panel.page().withAttribute("role", "row");
const markers = (panel: PanelOnDoubles) =>
  sequenceOf(panel)
    .markers.filter(({ comments }) => comments.includes("AD·"))
    .map(({ name, comments, colour }) => [name, comments, colour]);

/** Opens the row at a place. */
function open(panel: PanelOnDoubles, index: number): void {
  panel.page().withAttribute("data-action", "edit-cue")[index]?.happens("click");
}

test("pauses stand in the list as what is to be written; words make one a cue, to be voiced", async () => {
  const panel = await described();
  await panel.sees("2 to write");
  expect(rows(panel)).toHaveLength(4);
  expect(rows(panel)[1]?.textContent).toContain("Write here: room for 3 words");
  expect(panel.page().withAttribute("title", "dark, cut")).toHaveLength(1);
  open(panel, 1);
  await panel.sees("“I never got your letter.”");
  panel.page().type("cue-text", "She waits.");
  await panel.sees("1 to write");
  await panel.sees("3 descriptions");
  panel.page().click("close-cue");
  await expect.poll(() => rows(panel)[1]?.textContent).toContain("She waits.");
  expect(rows(panel)[1]?.textContent).toContain("♪");
  await panel.sees("Record 1 changed line");
  // Taken back, it is a pause again; made again, the words are there.
  panel.page().click("undo-edit");
  await panel.sees("2 to write");
  panel.page().click("redo-edit");
  await panel.sees("She waits.");
});

test("a pause is neither accepted, muted, deleted nor heard, and has no empty words", async () => {
  const panel = await described();
  panel.page().withAttribute("data-action", "select-cue")[1]?.happens("click");
  for (const key of [" ", "m", "l", "Delete"]) panel.page().byId("cue-keys").happens("keydown", { key });
  expect(rows(panel)).toHaveLength(4);
  expect(rows(panel)[1]?.textContent).not.toMatch(/[✓✕]/);
  expect(panel.heard).toEqual([]);
  open(panel, 1);
  panel.page().type("cue-text", "  ");
  await panel.sees("2 to write");
  await panel.sees("2 descriptions");
});

test("placed, they are markers of their own; what is written there is read back, and placed as a cue", async () => {
  const panel = await described();
  panel.menu().click("place-markers");
  await panel.sees("Done: Place 4 description markers");
  expect(markers(panel).map(([name]) => name)).toEqual([
    "AD 1 · 1.5 s",
    "To write: 3 words, 1.2 s",
    "AD 2 · 1.0 s",
    "To write: 2 words, 0.8 s",
  ]);
  panel.menu().click("read-markers");
  await panel.sees("Read from the timeline: Nothing changes.");
  await panel.sees("2 to write");
  const marker = sequenceOf(panel).markers.find(({ comments }) => comments.includes("pause-0002"));
  panel.premiere.user.changeMarker(SAMPLE_SEQUENCE_ID, marker?.guid ?? "", { comments: "Rain on the window." });
  panel.menu().click("read-markers");
  await panel.sees("1 to write");
  await panel.sees("Rain on the window.");
  panel.menu().click("place-markers");
  await panel.sees("Placing will do this");
  panel.page().click("merge-place");
  await expect
    .poll(() => markers(panel).map(([name, comments]) => [name, comments]))
    .toContainEqual(["AD 3 · 0.8 s", "Rain on the window.\nAD·pause-0002"]);
  expect(markers(panel).map(([name]) => name)).toContain("To write: 3 words, 1.2 s");
});
