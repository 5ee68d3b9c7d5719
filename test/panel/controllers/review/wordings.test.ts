import { expect, test } from "vitest";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";

const LONG = "A woman sits at a desk and looks out of the window, for hours, it seems, and days.";
const MADE = [
  { text: "A woman sits.", seconds: 1.1, fits: true },
  { text: "A woman sits at a desk and looks out over the wide and windy sea for hours.", seconds: 6, fits: false },
];

interface AskedHere {
  readonly kind: string;
  readonly text: string;
  readonly seconds: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A described film whose service asks a model for wordings; `reply` is what it answers. */
async function described(
  cost: number | null,
  reply: () => { status?: number; body: object },
  to_write: readonly object[] = [],
) {
  const panel = await panelOnDoubles();
  if (to_write.length > 0) panel.server.report = { describer: "text", speech: [], music: [], to_write };
  const asked: AskedHere[] = [];
  await panel.describe();
  const [jobId] = [...panel.server.jobs.keys()];
  const path = `jobs/${jobId}/wordings`;
  panel.server.additions[`GET ${path}`] = () => ({
    body: { status: "available", model: "seer", is_local: cost === null, cost },
  });
  panel.server.additions[`POST ${path}`] = (order: AskedHere) => {
    asked.push(order);
    return reply();
  };
  return { panel, asked };
}

const wordsOf = (panel: PanelOnDoubles) => panel.page().find("cue-text")?.value;

test("a line gets other wordings for a price that is known before; the one that is chosen is one step", async () => {
  const { panel, asked } = await described(0.004, () => ({ body: { wordings: MADE, model: "seer" } }));
  await panel.openCue();
  await panel.sees("3 wordings, by seer · about 0.004");
  panel.page().click("ask-other");
  await panel.sees("By seer, from the pictures and the film notes");
  expect(asked).toMatchObject([
    { kind: "other", text: "A woman sits at a desk.", before: [], after: ["She opens a letter."], notes: "" },
  ]);
  // What is too long is there, and says so.
  await panel.sees(/⚠ [\d.]+ s, [\d.]+ s too long/);
  await panel.sees(/✓ [\d.]+ s/);
  panel.page().click("wording-0");
  await expect.poll(() => wordsOf(panel)).toBe("A woman sits.");
  expect(panel.page().find("wording-0")).toBeNull();
  panel.page().click("undo-edit");
  await expect.poll(() => wordsOf(panel)).toBe("A woman sits at a desk.");
});

test("a line that is too long is offered shorter ones, and a model of this computer is free", async () => {
  const { panel, asked } = await described(null, () => ({ body: { wordings: MADE, model: "seer" } }));
  await panel.openCue();
  panel.page().type("cue-text", LONG);
  await panel.sees("3 shorter wordings, by seer · free");
  panel.page().click("ask-shorten");
  await panel.sees("By seer");
  expect(asked).toMatchObject([{ kind: "shorten", text: LONG }]);
  expect(asked[0]?.seconds).toBeLessThan(4);
});

test("why there is none is said beside the offer, in the service's own words, and it can be asked again", async () => {
  const message = "seer gave no wording that can be used. Ask again, or write it yourself.";
  const { panel, asked } = await described(null, () => ({ status: 500, body: { error: "internal_error", message } }));
  await panel.openCue();
  await panel.sees("· free");
  for (const times of [1, 2]) {
    panel.page().click("ask-other");
    await expect.poll(() => asked.length).toBe(times);
    await panel.sees(message);
  }
  expect(wordsOf(panel)).toBe("A woman sits at a desk.");
});

test("asking can be cancelled, and what comes too late changes nothing", async () => {
  const { panel, asked } = await described(null, () => ({ body: { wordings: MADE, model: "seer" } }));
  await panel.openCue();
  await panel.sees("· free");
  const told = Promise.withResolvers<void>();
  panel.server.mayLeave = told.promise;
  panel.page().click("ask-other");
  await expect.poll(() => asked.length).toBe(1);
  await expect.poll(() => panel.page().find("cancel-wordings")).not.toBeNull();
  panel.page().click("cancel-wordings");
  await expect.poll(() => panel.page().find("cancel-wordings")).toBeNull();
  panel.server.mayLeave = null;
  told.resolve();
  await panel.sees("· free");
  // It can be asked again, which finds what is told by now.
  panel.page().click("ask-other");
  await panel.sees("By seer, from");
  expect(asked).toHaveLength(2);
});

test("a service that makes none, as one without a model, offers none", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.openCue();
  expect(panel.page().root.textContent).not.toContain("Other wordings");
});

test("a pause says its room, is suggested words for, or is left silent: each is a step of its own", async () => {
  const pause = { id: "pause-0001", start: 2.6, end: 3.8, words: 3, hints: [] };
  const { panel, asked } = await described(null, () => ({ body: { wordings: MADE, model: "seer" } }), [pause]);
  const open = () => panel.page().withAttribute("data-action", "edit-cue")[1]?.happens("click");
  await panel.sees("1 to write");
  open();
  await panel.sees("Up to 1.2 s, 3 words");
  panel.page().click("leave-silent");
  await panel.sees("Left silent · room for 3 words");
  expect(panel.page().root.textContent).not.toContain("1 to write");
  panel.page().click("undo-edit");
  await panel.sees("1 to write");
  open();
  await panel.sees("3 wordings for this pause, by seer · free");
  panel.page().click("ask-suggest");
  await panel.sees("By seer, from");
  expect(asked).toMatchObject([
    { kind: "suggest", text: "", before: ["A woman sits at a desk."], after: ["She opens a letter."] },
  ]);
  expect(asked[0]?.seconds).toBeCloseTo(1.2);
  panel.page().click("wording-0");
  await panel.sees("3 descriptions");
  panel.page().click("undo-edit");
  await panel.sees("1 to write");
});
