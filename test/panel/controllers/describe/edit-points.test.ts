import { expect, test } from "vitest";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { recut, sequenceOf } from "../conform/recut.ts";

/** What each order told the service of the cut. */
const told = (panel: PanelOnDoubles) =>
  panel.server
    .bodies("generateAudio")
    .map((body) => (body as { generation_config: { describing?: { cuts: number[] } } }).generation_config.describing);

test("a service of ours is told where the picture of the cut changes; a razor that changes nothing is no edge", async () => {
  const panel = await panelOnDoubles();
  recut(panel, [
    [0, 50],
    [80, 130],
    [130, 180],
  ]);
  panel.server.report = { describer: "vision" };
  await panel.describe();
  expect(told(panel)).toEqual([{ cuts: [2] }]);
});

test("of the part from in to out, edit points are on its own clock", async () => {
  const panel = await panelOnDoubles();
  recut(panel, [
    [0, 50],
    [80, 130],
    [0, 50],
  ]);
  const { ticksPerFrame } = sequenceOf(panel);
  panel.premiere.user.editSequence(sequenceOf(panel).id, "In", (sequence) => ({
    ...sequence,
    inPoint: ticksPerFrame * 75n,
  }));
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await expect.poll(() => panel.page().find("range-in-to-out")).not.toBeNull();
  panel.page().tick("range-in-to-out", true);
  await expect.poll(() => panel.page().byId("range-in-to-out").checked).toBe(true);
  await panel.order();
  await panel.sees("2 descriptions");
  expect(told(panel)).toEqual([{ cuts: [1] }]);
});

test("what was told belongs to the export: an edit after it changes nothing, one before a new order does", async () => {
  const panel = await panelOnDoubles();
  recut(panel, [
    [0, 50],
    [80, 180],
  ]);
  panel.server.jobEnds = ["internal_error"];
  panel.premiere.faults.export = "fails";
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("could not export");
  // Not in what is exported.
  recut(panel, [
    [0, 100],
    [0, 50],
  ]);
  panel.premiere.faults.export = "works";
  panel.page().click("remedy-resume");
  await panel.sees("Code: internal_error");
  recut(panel, [[0, 150]]);
  panel.page().click("remedy-resume");
  await panel.sees("2 descriptions");
  panel.page().click("tab-describe");
  await panel.order();
  await expect.poll(() => told(panel)).toHaveLength(3);
  expect(told(panel)).toEqual([{ cuts: [4] }, { cuts: [4] }, undefined]);
});
