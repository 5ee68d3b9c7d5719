import { expect, test } from "vitest";
import { panelOnDoubles } from "../../open-panel.ts";
import { markerWords, sequenceOf } from "../conform/recut.ts";

test("findings become markers on demand, are replaced by the next check's, and are no cues", async () => {
  const panel = await panelOnDoubles();
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("2 descriptions · 2 to check");
  await panel.placeMarkers();
  const own = sequenceOf(panel).markers;
  const checks = () => sequenceOf(panel).markers.filter(({ name }) => name.startsWith("AD check"));
  panel.menu().click("place-findings");
  await panel.sees("Done: Place 2 finding markers");
  const { ticksPerFrame } = sequenceOf(panel);
  expect(checks().map(({ name, start, colour }) => [name, start / ticksPerFrame, colour])).toEqual([
    ["AD check · pace", 25n, "RED"],
    ["AD check · pace", 100n, "RED"],
  ]);
  expect(checks()[0]?.comments).toContain("240 words per minute");
  expect(sequenceOf(panel).markers.filter((marker) => !checks().includes(marker))).toEqual(own);
  // Read back, they are nobody's descriptions.
  panel.menu().click("read-markers");
  await panel.sees("Read from the timeline: Nothing changes.");
  // One cue less, one finding less.
  panel.page().withAttribute("data-action", "edit-cue")[0]?.happens("click");
  panel.page().byId("cue-keys").happens("keydown", { key: "Delete" });
  await panel.sees("1 description · 1 to check");
  panel.menu().click("place-findings");
  await panel.sees("Done: Place 1 finding marker.");
  expect(checks()).toHaveLength(1);
  panel.page().click("take-back");
  await panel.sees("Undone");
  expect(checks()).toHaveLength(2);
  expect(markerWords(panel)).toContain("A woman sits at a desk.");
});
