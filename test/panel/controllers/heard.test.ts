import { expect, test } from "vitest";
import { firstProgress, type JobProgress } from "../../../panel/state/job-progress.ts";
import { firstState } from "../../../panel/state/panel-state.ts";
import { heard } from "../../../panel/views/heard.ts";
import { cueIdAt } from "../../../src/core/cue.ts";
import { writeWebVtt } from "../../../src/formats/index.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../open-panel.ts";
import { recut } from "./conform/recut.ts";

const PAUSE = { id: "pause-0001", start: 6, end: 7.5, words: 3, hints: ["dark"] };

/** Three lines under review, and a pause that nobody has written into. */
async function described(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles({ frames: 200 });
  panel.server.report = { describer: "text", speech: [], music: [], to_write: [PAUSE] };
  panel.server.vtt = writeWebVtt(
    ["Ann walks.", "A boat, white as snow.", "The end."].map((text, index) => ({
      id: cueIdAt(index),
      start: index * 2 + 0.5,
      end: index * 2 + 1.5,
      text,
    })),
  );
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("3 descriptions");
  await quiet(panel);
  return panel;
}

/** Waits until all is said that was to be said. */
async function quiet(panel: PanelOnDoubles): Promise<void> {
  const { heard } = panel.page();
  let count = -1;
  while (count !== heard.length) {
    count = heard.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

/** What is said of an action. */
async function saidOf(panel: PanelOnDoubles, act: () => void): Promise<string> {
  const { heard } = panel.page();
  const before = heard.length;
  act();
  await expect.poll(() => heard.length, { interval: 5 }).toBeGreaterThan(before);
  await quiet(panel);
  return heard.slice(before).join(" ").trim();
}

const press = (panel: PanelOnDoubles, key: string, more = {}) =>
  panel
    .page()
    .byId("cue-keys")
    .happens("keydown", { key, ...more });

test("every key of the script ends in a sentence, by whichever way it is done", async () => {
  const panel = await described();
  const key = (name: string, more = {}) => saidOf(panel, () => press(panel, name, more));
  expect(await key(" ")).toBe("No line is chosen.");
  press(panel, "Home");
  expect(await key("m")).toBe("Muted. Not in the voice.");
  expect(await key("m")).toBe("Unmuted.");
  expect(await key(" ")).toBe("Accepted, 1 of 3.");
  expect(await key(" ")).toBe("Acceptance removed, 0 of 3.");
  expect(await key("l")).toContain("Playing line 1.");
  expect(await key("l")).toBe("Stopped.");
  expect(await key("ArrowDown", { shiftKey: true })).toBe("2 chosen.");
  expect(await key("m")).toBe("2 lines muted. Not in the voice.");
  expect(await key("m")).toBe("2 lines unmuted.");
  expect(await key("z", { ctrlKey: true })).toBe("Undone: unmute 2 lines.");
  expect(await key("Delete")).toBe("2 lines deleted, 1 left.");
  expect(await key("z", { ctrlKey: true })).toBe("Undone: delete 2 lines.");
  expect(await key("z", { ctrlKey: true, shiftKey: true })).toBe("Redone: delete 2 lines.");
  expect(await key("z", { ctrlKey: true, shiftKey: true })).toBe("Nothing to redo.");
  for (const edit of ["delete 2 lines", "mute 2 lines", "remove acceptance", "accept", "unmute", "mute"]) {
    expect(await key("z", { ctrlKey: true })).toBe(`Undone: ${edit}.`);
  }
  expect(await key("z", { ctrlKey: true })).toBe("Nothing to undo.");
  press(panel, "End");
  // The last row is the pause.
  for (const name of [" ", "m", "l", "Delete"]) {
    expect(await key(name)).toBe("This pause has no words yet. Press Enter to write them.");
  }
});

test("every button of an open line ends in a sentence, and an edit that is too long says so", async () => {
  const panel = await described();
  await panel.openCue(1);
  const click = (id: string) => saidOf(panel, () => panel.page().click(id));
  expect(await click("nudge-start1")).toMatch(/^Line 2: \d\d:\d\d:\d\d:\d\d to \d\d:\d\d:\d\d:\d\d\./);
  expect(await click("undo-edit")).toBe("Undone: times of line 2.");
  expect(await click("redo-edit")).toBe("Redone: times of line 2.");
  expect(await click("accept-cue")).toBe("Accepted, 1 of 3.");
  expect(await click("mute-cue")).toBe("Muted. Not in the voice.");
  const nameOf = (id: string) => panel.page().byId(id).attributes["aria-label"];
  expect(nameOf("undo-edit")).toBe("Undo mute");
  expect(await click("split-cue")).toBe("Split in two.");
  expect(await click("undo-edit")).toBe("Undone: split.");
  expect(nameOf("redo-edit")).toBe("Redo split");
  expect(await click("merge-cue")).toBe("Joined with the next line.");
  expect(await click("undo-edit")).toBe("Undone: merge.");
  const long = "A boat, white as snow, leaves the harbour while everybody on the quay waves and waves again.";
  // Once as it is typed, and once as it stands.
  const typed = await saidOf(panel, () => panel.page().type("cue-text", long));
  expect(typed).toMatch(/^[\d.]+ s to say, .*s too long: .* Line 2 changed\. .*s too long/);
  expect(await click("delete-cue")).toBe("1 line deleted, 2 left.");
});

test("while words are typed it is said once that they have become too long, and that they fit again", async () => {
  const panel = await described();
  await panel.openCue(1);
  const field = panel.page().byId("cue-text");
  const type = (text: string) => {
    field.value = text;
    field.happens("input");
  };
  const long = "A boat, white as snow, leaves the harbour while everybody on the quay waves and waves again";
  expect(await saidOf(panel, () => type(long))).toMatch(/s too long/);
  const { length } = panel.page().heard;
  type(`${long} and again`);
  await quiet(panel);
  expect(panel.page().heard).toHaveLength(length);
  expect(await saidOf(panel, () => type("A boat."))).not.toMatch(/too long/);
});

test("a list that became empty, a search, a menu's work and the same fault a second time are said", async () => {
  const panel = await described();
  const page = panel.page();
  const choose = (value: string) =>
    saidOf(panel, () => {
      page.byId("filter").value = value;
      page.byId("filter").happens("change");
    });
  page.click("open-filter");
  await expect.poll(() => page.find("filter")).not.toBeNull();
  expect(await choose("stale")).toBe("Nothing matches this filter.");
  expect(await choose("all")).toBe("4 lines.");
  page.click("open-search");
  const look = () => {
    page.byId("find-text").value = "boat";
    page.byId("find-text").happens("input");
  };
  expect(await saidOf(panel, look)).toBe("1 found.");
  expect(await saidOf(panel, () => page.click("find-next"))).toBe("A boat, white as snow.");
  page.type("replace-text", "ship");
  expect(await saidOf(panel, () => page.click("replace-all"))).toMatch(/^Line 2 changed\./);
  page.click("close-search");
  const sign = () => saidOf(panel, () => panel.menu().click("sign-off"));
  const refused = await sign();
  expect(refused).toMatch(/^3 lines are not accepted yet\./);
  expect(await sign()).toBe(refused);
  const tooLong = "1 of the 3 accepted lines is too long for its pause.";
  expect(await saidOf(panel, () => panel.menu().click("accept-all"))).toBe(`Accepted, all 3. ${tooLong}`);
  expect(await saidOf(panel, () => panel.menu().click("accept-all"))).toBe(`Accepted, all 3. ${tooLong}`);
  panel.menu().type("reviewer", "Kim Lind");
  expect(await sign()).toBe("Signed off by Kim Lind.");
  press(panel, "Home");
  expect(await saidOf(panel, () => press(panel, "Delete"))).toMatch(
    /deleted.*no longer counts: the descriptions changed since\./,
  );
});

test("a job is heard from its start to its end, and a view by its name", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  await quiet(panel);
  const said = panel.page().heard.join(" ");
  expect(said).toMatch(/The service accepts this key\..*Progress\. Started: .*Done: /);
  expect(said).toMatch(/Review: .*\. 2 lines, \d+ problems?\./);
  const go = (view: string) => saidOf(panel, () => panel.page().click(`tab-${view}`));
  expect(await go("history")).toBe("History.");
  expect(await go("review")).toMatch(/^Review: .* 2 lines/);
});

test("an upload is heard to wait, to be paused and to go on", () => {
  const state = { ...firstState("http://127.0.0.1:1", 0), isLoaded: true };
  const during = (pause: JobProgress["pause"]) => ({
    ...state,
    progress: { ...firstProgress("run", 0), pause },
  });
  const said = (from: JobProgress["pause"], to: JobProgress["pause"]) =>
    heard(during(from), during(to)).map(({ text }) => text.split(/[.:]/)[0]);
  expect(said("none", "asked")).toEqual(["Pauses once this part is sent"]);
  expect(said("asked", "held")).toEqual(["Paused"]);
  for (const paused of ["asked", "held"] as const) expect(said(paused, "none")).toEqual(["The upload continues"]);
  expect(said("none", "none")).toEqual([]);
});

test("two jobs of one sequence have buttons of different names", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  panel.page().click("tab-describe");
  await panel.order();
  await expect.poll(() => panel.server.accepted, { interval: 5 }).toBe(2);
  await panel.sees("2 descriptions");
  panel.page().click("tab-history");
  await expect.poll(() => panel.page().withAttribute("data-action", "open").length).toBe(2);
  const names = ["open", "delete-job"].flatMap((action) =>
    panel
      .page()
      .withAttribute("data-action", action)
      .map(({ attributes }) => attributes["aria-label"]),
  );
  expect(new Set(names).size).toBe(4);
});

test("a cut that changed is said by itself", async () => {
  const panel = await described();
  panel.menu().click("place-markers");
  await panel.sees("Done: Place 4");
  await quiet(panel);
  recut(panel, [[10, 150]]);
  panel.page().click("tab-describe");
  await expect.poll(() => panel.page().heard.join(" ")).toContain("The edit changed: 2 descriptions move with it");
});

/** Ways to each view, with all its buttons in sight. */
const VIEWS: Readonly<Record<string, (panel: PanelOnDoubles) => Promise<unknown>>> = {
  describe: async (panel) => panel.page().click("tab-describe"),
  "an open line": async (panel) => {
    panel.page().click("tab-review");
    await expect.poll(() => panel.page().withAttribute("data-action", "edit-cue").length).toBeGreaterThan(0);
    if (panel.page().find("merge-cue") === null) await panel.openCue();
  },
  "the menu": async (panel) => {
    panel.page().click("tab-review");
    // It is away while something is placed.
    await expect.poll(() => panel.page().find("menu")).not.toBeNull();
    panel.menu();
  },
  deliver: async (panel) => panel.page().click("tab-deliver"),
  history: async (panel) => panel.page().click("tab-history"),
  settings: async (panel) => panel.page().click("badge"),
};

/** What screen readers tell of a button by themselves, once it is pressed. */
const TOLD_OF_A_BUTTON = ["aria-expanded", "aria-pressed", "aria-checked", "aria-selected"];

test.each(Object.entries(VIEWS))("no button is pressed in silence: %s", async (_, go) => {
  const panel = await described();
  const isThere = (id: string) => {
    const node = panel.page().find(id);
    return node !== null && !node.disabled && node.attributes["aria-disabled"] !== "true";
  };
  const reach = async () => {
    await go(panel);
    await quiet(panel);
  };
  await reach();
  const buttons = [...panel.page().controls()].flatMap(([{ name, attributes }]) =>
    name === "button" && attributes["id"] !== undefined ? [attributes["id"]] : [],
  );
  const view = panel.page().view;
  const silent: string[] = [];
  let pressed = 0;
  for (const id of buttons) {
    if (panel.page().view !== view || !isThere(id)) await reach();
    // A tab leads to the view that one is in, and what an earlier button took away cannot be pressed.
    if (!isThere(id) || id === `tab-${view}` || (id === "badge" && view === "connect")) continue;
    const page = panel.page();
    const told = () => TOLD_OF_A_BUTTON.map((name) => page.find(id)?.attributes[name]).join();
    const [before, focus, count] = [told(), page.activeElement, page.heard.length];
    page.click(id);
    pressed += 1;
    const isTold = () => page.heard.length > count || page.activeElement !== focus || told() !== before;
    await expect
      .poll(isTold, { interval: 5, timeout: 20_000 })
      .toBe(true)
      .catch(() => silent.push(id));
    await quiet(panel);
  }
  expect(silent).toEqual([]);
  expect(pressed).toBeGreaterThan(3);
});
