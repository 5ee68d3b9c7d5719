import { expect, onTestFinished, test } from "vitest";
import { cueIdAt } from "../../../../src/core/cue.ts";
import { writeWebVtt } from "../../../../src/formats/index.ts";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { sequenceOf } from "../conform/recut.ts";

/** Cues of one second, every two seconds. */
async function described(count: number): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles({ frames: 50 * count + 50 });
  const cues = Array.from({ length: count }, (_, index) => ({
    id: cueIdAt(index),
    start: index * 2 + 1,
    end: index * 2 + 2,
    text: `Ann walks ${index}.`,
  }));
  panel.server.vtt = writeWebVtt(cues);
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees(`${count} descriptions`);
  return panel;
}

const row = (panel: PanelOnDoubles, index: number) => panel.page().byId(`row-${cueIdAt(index)}`);
const words = (panel: PanelOnDoubles, index: number) =>
  [...row(panel, index).all()].find(({ attributes }) => attributes["data-action"] === "edit-cue")?.textContent;
const click = (panel: PanelOnDoubles, index: number, action: string, more = {}) =>
  [...row(panel, index).all()].find(({ attributes }) => attributes["data-action"] === action)?.happens("click", more);
const key = (panel: PanelOnDoubles, name: string, more = {}) =>
  panel
    .page()
    .byId("cue-keys")
    .happens("keydown", { key: name, ...more });
const chosen = (panel: PanelOnDoubles) =>
  panel
    .page()
    .withAttribute("aria-selected", "true")
    .flatMap(({ attributes }) => attributes["data-cue"] ?? []);
const placed = (panel: PanelOnDoubles) => {
  const { markers, audioTracks } = sequenceOf(panel);
  const clips = audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME).flatMap(({ items }) => items);
  return [markers.filter(({ name }) => name.startsWith("AD ")).length, clips.length];
};

test("a click on words puts the cursor into them, and what they take is said while they are typed", async () => {
  const panel = await described(3);
  click(panel, 0, "edit-cue");
  const field = panel.page().byId("cue-text");
  expect(panel.page().activeElement).toBe(field);
  const said = () => panel.page().byId("room").textContent;
  expect(said()).toContain("to say");
  expect(said()).not.toContain("⚠");
  field.value = "Ann walks all the way down to the harbour, where the boats lie, and looks for her brother.";
  field.happens("input");
  await expect.poll(said).toMatch(/⚠ .* s too long: cut \d+ words/);
  // The result is as it was until the words are left.
  expect(panel.page().byId("undo-edit").disabled).toBe(true);
});

test("Enter ends the writing, with Ctrl it accepts and goes on, and Alt with arrows goes to the neighbours", async () => {
  const panel = await described(3);
  click(panel, 0, "edit-cue");
  const type = (text: string) => {
    panel.page().byId("cue-text").value = text;
    panel.page().byId("cue-text").happens("input");
  };
  const press = (name: string, more = {}) =>
    panel
      .page()
      .byId("cue-text")
      .happens("keydown", { key: name, ...more });
  type("Ann runs.");
  // A sign that is being put together needs the key for itself.
  press("Enter", { isComposing: true });
  expect(panel.page().find("cue-text")).not.toBeNull();
  press("Enter", { ctrlKey: true });
  expect(words(panel, 0)).toBe("Ann runs.");
  expect(row(panel, 0).said).toContain("✓ accepted");
  expect(panel.page().byId("cue-text").value).toBe("Ann walks 1.");
  press("ArrowDown", { altKey: true });
  expect(panel.page().byId("cue-text").value).toBe("Ann walks 2.");
  press("ArrowUp", { altKey: true });
  type("Ann sleeps.");
  press("Enter");
  expect(panel.page().find("cue-text")).toBeNull();
  expect(words(panel, 1)).toBe("Ann sleeps.");
});

test("several cues are chosen by mouse and by keys, and changed together in one step", async () => {
  const panel = await described(4);
  click(panel, 0, "select-cue");
  click(panel, 2, "select-cue", { shiftKey: true });
  expect(chosen(panel)).toEqual(["cue-0001", "cue-0002", "cue-0003"]);
  click(panel, 1, "select-cue", { ctrlKey: true });
  expect(chosen(panel)).toEqual(["cue-0001", "cue-0003"]);
  expect(panel.page().byId("cue-count").textContent).toContain("2 chosen");
  key(panel, " ");
  expect([0, 1, 2, 3].map((index) => row(panel, index).said.includes("✓ accepted"))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  key(panel, "Delete");
  await panel.sees("2 descriptions");
  key(panel, "z", { ctrlKey: true });
  await panel.sees("4 descriptions");
  key(panel, "Home");
  key(panel, "ArrowDown", { shiftKey: true });
  expect(chosen(panel)).toEqual(["cue-0001", "cue-0002"]);
  key(panel, "a", { ctrlKey: true });
  expect(chosen(panel)).toHaveLength(4);
  key(panel, "m");
  await expect.poll(() => panel.page().root.said.match(/muted: not placed/g)).toHaveLength(4);
});

test("words are found and replaced, in all cues at once, and taken back in one step", async () => {
  const panel = await described(3);
  key(panel, "f", { ctrlKey: true });
  panel.page().type("find-text", "ann");
  await expect.poll(() => panel.page().byId("found").textContent).toBe("3 found");
  panel.page().click("find-next");
  expect(chosen(panel)).toEqual(["cue-0001"]);
  panel.page().type("replace-text", "Mary");
  panel.page().click("replace-one");
  expect([words(panel, 0), words(panel, 1)]).toEqual(["Mary walks 0.", "Ann walks 1."]);
  panel.page().click("replace-all");
  expect([0, 1, 2].map((index) => words(panel, index))).toEqual(["Mary walks 0.", "Mary walks 1.", "Mary walks 2."]);
  panel.page().click("undo-edit");
  expect(words(panel, 1)).toBe("Ann walks 1.");
  panel.page().byId("find-text").happens("keydown", { key: "Escape" });
  expect(panel.page().find("find-text")).toBeNull();
});

test("the script and its strip follow the playhead, but not while somebody writes", async () => {
  const panel = await described(120);
  const list = panel.page().byId("cues");
  const { ticksPerFrame } = sequenceOf(panel);
  const movePlayhead = (seconds: number) =>
    panel.premiere.user.movePlayhead(SAMPLE_SEQUENCE_ID, ticksPerFrame * BigInt(Math.round(seconds * 25)));
  movePlayhead(201.5);
  await expect.poll(() => row(panel, 100).className).toContain("now");
  expect(list.scrollTop).toBeGreaterThan(3000);
  expect(panel.page().byId("playhead").attributes["style"]).toMatch(/^left: 8[23]/);
  click(panel, 100, "edit-cue");
  const before = panel.page().byId("cues").scrollTop;
  await expect.poll(() => sequenceOf(panel).playerPosition).toBe(ticksPerFrame * 25n * 201n);
  movePlayhead(1.5);
  await expect.poll(() => panel.page().byId("playhead").attributes["style"]).toMatch(/^left: 0/);
  expect(panel.page().byId("cues").scrollTop).toBe(before);
});

test("a list that follows the playhead while nothing can be drawn is not taken back to where it stood", async () => {
  const panel = await described(120);
  const { body } = panel.page();
  /** Waits until it was looked at something, the playhead or the list, which the panel does at intervals of its own. */
  const looksAgain = async (everyMs: number) => {
    const from = panel.pauses.length;
    await expect.poll(() => panel.pauses.slice(from).filter((ms) => ms === everyMs).length).toBeGreaterThan(1);
  };
  // A button that is held down lets nothing be drawn; the panel waits for no button for long.
  const hold = setInterval(() => body.happens("mousedown"), 5);
  onTestFinished(() => clearInterval(hold));
  body.happens("mousedown");
  panel.premiere.user.movePlayhead(SAMPLE_SEQUENCE_ID, sequenceOf(panel).ticksPerFrame * 25n * 201n);
  await looksAgain(300);
  await looksAgain(150);
  clearInterval(hold);
  body.happens("mouseup");
  await expect.poll(() => row(panel, 100).className).toContain("now");
  // From there it is scrolled by hand, on a host that tells nobody.
  panel.page().byId("cues").scrollTop = 0;
  await expect.poll(() => panel.page().find(`row-${cueIdAt(0)}`)).not.toBeNull();
});

test("one button places markers and narration, and one takes both back", async () => {
  const panel = await described(3);
  const { undoStack } = panel.premiere.machine;
  panel.page().click("place");
  await panel.sees("Premiere’s Undo removes it in 3 steps, and its own for the import.");
  const label = "Place 3 description markers with the narration";
  expect(undoStack.map((step) => step.label)).toEqual(["Add bin Aside", "Import", "Import", "Import", label, label]);
  expect(placed(panel)).toEqual([3, 3]);
  panel.page().click("place");
  await panel.sees("on the timeline already");
  expect(placed(panel)).toEqual([3, 3]);
  panel.page().click("take-back");
  await panel.sees("Undone");
  await expect.poll(() => placed(panel)).toEqual([0, 0]);
  // Where track and sound are there already, all of it is one step.
  const { length } = undoStack;
  panel.page().click("place");
  await panel.sees(`Done: ${label}. Premiere’s Undo removes it in 1 step.`);
  expect(undoStack.slice(length).map((step) => step.label)).toEqual([label]);
  panel.premiere.user.undo();
  expect(placed(panel)).toEqual([0, 0]);
});

test("the menu opens, leads on, and is closed by Escape and by what is chosen in it", async () => {
  const panel = await described(2);
  panel.page().click("menu");
  expect(panel.page().byId("menu").attributes["aria-expanded"]).toBe("true");
  const foot = [...panel.page().root.all()].find(({ className }) => className === "footer");
  foot?.happens("keydown", { key: "Escape", target: panel.page().byId("menu") });
  await expect.poll(() => panel.page().find("menu-rows")).toBeNull();
  panel.menu().click("open-keys");
  expect(panel.page().view).toBe("keys");
  panel.page().click("tab-review");
  expect(panel.page().find("menu-rows")).toBeNull();
});
