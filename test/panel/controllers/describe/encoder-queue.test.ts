import { expect, test } from "vitest";
import { movieHeader } from "../../../fakes/premiere/memory-world.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { markerFrames, recut } from "../conform/recut.ts";

/** A panel whose form asks for an export in Media Encoder. */
async function inMediaEncoder(encoder: "works" | "paused"): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  panel.premiere.faults.encoder = encoder;
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.openOptions("export");
  await panel.sees("Media Encoder, while you go on editing");
  panel.page().type("exports-in", "encoder");
  await expect.poll(() => panel.page().byId("exports-in").value).toBe("encoder");
  return panel;
}

/** The file that a run on record waits for; empty where none does. */
function queuedPath({ disk }: PanelOnDoubles): string {
  const kept = [...disk.files.values()].map((bytes) => new TextDecoder().decode(bytes));
  return kept.map((text) => /"queued":\{"path":"([^"]+)"/.exec(text)?.[1] ?? "").find((path) => path !== "") ?? "";
}

test("an export in Media Encoder is described like any other, and a cut that changes meanwhile is followed", async () => {
  const panel = await inMediaEncoder("works");
  await panel.order();
  await panel.sees("2 descriptions");
  recut(panel, [[10, 150]]);
  await panel.placeMarkers();
  expect(markerFrames(panel)).toEqual([15, 90]);
});

test("a panel that closed while Media Encoder was busy finds its file when it resumes", async () => {
  const panel = await inMediaEncoder("paused");
  await panel.order();
  await panel.sees("Media Encoder exports, and you can go on editing.");
  await panel.sees("Media Encoder continues. Resume finds its file.");
  await expect.poll(() => queuedPath(panel)).not.toBe("");
  panel.close();
  panel.disk.files.set(queuedPath(panel), movieHeader(6));
  panel.open();
  await panel.sees("Resume");
  panel.page().click(panel.page().withAttribute("data-action", "resume")[0]?.attributes["id"] ?? "");
  await panel.sees("2 descriptions");
});

test("where Media Encoder is not installed, nobody is asked", async () => {
  const panel = await panelOnDoubles();
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.openOptions("export");
  await panel.sees("Export preset");
  expect(panel.page().find("exports-in")).toBeNull();
});
