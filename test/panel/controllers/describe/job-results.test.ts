import { expect, test } from "vitest";
import { silentWav } from "../../../fakes/wav.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";

const inFolder = ({ disk }: PanelOnDoubles, folder: string) =>
  [...disk.files.keys()].filter((path) => path.includes(`/${folder}/`));

/** Clicks what an entry of the history offers. */
async function inHistory(panel: PanelOnDoubles, action: string): Promise<void> {
  panel.page().click("tab-history");
  await expect.poll(() => panel.page().withAttribute("data-action", action).length).toBe(1);
  panel.page().withAttribute("data-action", action)[0]?.happens("click");
}

test("sound that is fetched again replaces the old; what the editor changed in the result stays", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.openCue();
  panel.page().type("cue-text", "Ann sits.");
  await panel.sees("♪ changed");
  const narration = () => {
    const paths = [...panel.disk.files.keys()].filter((path) => /^\/projects\/.*\.wav$/.test(path));
    expect(paths).toHaveLength(1);
    return panel.disk.files.get(paths[0] ?? "")?.length;
  };
  expect(narration()).toBe(panel.server.wav.length);
  panel.server.wav = silentWav(6, 1);
  await inHistory(panel, "fetch-again");
  await expect.poll(() => panel.page().view).toBe("review");
  expect(narration()).toBe(panel.server.wav.length);
  // The row that was open is open still.
  expect(panel.page().byId("cue-text").value).toBe("Ann sits.");
  await panel.sees("She opens a letter.");
  expect(panel.server.accepted).toBe(1);
});

test("a programme in which nothing is described is said to be one, with an empty result", async () => {
  const panel = await panelOnDoubles();
  panel.server.vtt = "WEBVTT\n\n";
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.order();
  await panel.sees("The service found nothing to describe.");
  expect(panel.page().view).toBe("review");
});

test("an editor who went elsewhere meanwhile is not taken to the result; what the service notes is said there", async () => {
  const panel = await panelOnDoubles();
  panel.server.report = { notes: ["The end credits were not read."] };
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.order();
  await expect.poll(() => panel.page().view).toBe("progress");
  panel.page().click("tab-history");
  await panel.sees("The end credits were not read.");
  expect(panel.page().view).toBe("history");
  await panel.sees("2 descriptions");
});

test("the export is removed once its result is there, and all else with the job", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  expect(inFolder(panel, "exports")).toEqual([]);
  expect(inFolder(panel, "results")).not.toEqual([]);
  await inHistory(panel, "delete-job");
  await expect.poll(() => panel.page().withAttribute("data-action", "delete-now")).toHaveLength(1);
  expect(panel.server.seen.map(({ route }) => route)).not.toContain("deleteJob");
  panel.page().withAttribute("data-action", "delete-now")[0]?.happens("click");
  await expect.poll(() => [...inFolder(panel, "results"), ...inFolder(panel, "runs")]).toEqual([]);
  expect(panel.server.seen.map(({ route }) => route)).toContain("deleteJob");
});

test("what is ordered while the panel is still opening is done like any other", async () => {
  const panel = await panelOnDoubles();
  let goOn = () => {};
  panel.slow.presets = new Promise((resolve) => (goOn = resolve));
  panel.server.jobStates = Array.from({ length: 1_000_000 }, () => "processing");
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.order();
  await expect.poll(() => panel.server.accepted).toBe(1);
  // A second one waits for it.
  panel.page().click("tab-describe");
  panel.page().click("order-another");
  await panel.order();
  await expect.poll(() => panel.page().view).toBe("progress");
  goOn();
  panel.server.jobStates = [];
  await expect.poll(() => panel.server.accepted).toBe(2);
  await panel.sees("2 descriptions");
});

test("a result that comes while another one is worked on leaves that one in place, and says where it is", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  panel.server.jobStates = Array.from({ length: 1_000_000 }, () => "processing");
  panel.page().click("tab-describe");
  await panel.order();
  await expect.poll(() => panel.server.accepted).toBe(2);
  panel.page().click("tab-review");
  await panel.openCue();
  const field = panel.page().byId("cue-text");
  field.value = "Ann sits, half ty";
  field.happens("input");
  panel.server.jobStates = [];
  await panel.sees("The result for Harbour_v7 is ready. Open it from the history.");
  expect(panel.page().byId("cue-text").value).toBe("Ann sits, half ty");
  // What was typed belongs to the result that was open, though the cues of the new one have the same ids.
  panel.page().click("tab-history");
  await expect.poll(() => panel.page().withAttribute("data-action", "open").length).toBe(2);
  const open = (index: number) => panel.page().withAttribute("data-action", "open")[index]?.happens("click");
  open(0);
  await panel.sees("A woman sits at a desk.");
  panel.page().click("tab-history");
  await expect.poll(() => panel.page().withAttribute("data-action", "open").length).toBe(2);
  open(1);
  await panel.sees("Ann sits, half ty");
});
