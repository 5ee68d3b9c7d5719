import { describe, expect, test } from "vitest";
import type { SampleOptions } from "../fakes/premiere/sample-project.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

/** The panel at the form, before anything is ordered. */
async function atForm(sample: SampleOptions = {}): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles(sample);
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Look for pauses");
  return panel;
}

const speech = (start: number, duration: number) =>
  JSON.stringify({ segments: [{ start, duration, words: [{ text: "Hello" }] }] });

describe("looking for pauses", () => {
  test("tells from the transcript what fits, before anything is exported or sent", async () => {
    const panel = await atForm({ frames: 1500, transcript: speech(10, 20) });
    const before = panel.server.seen.length;
    panel.page().click("look-for-gaps");
    await panel.sees("2 pauses by the transcript: room for about 103 words, 3 cues to be expected.");
    expect(panel.page().byId("gaps").textContent).toContain("Standard fits.");
    expect(panel.server.seen).toHaveLength(before);
  });

  test("foretells that Standard would fail, and advises Extended", async () => {
    const panel = await atForm({ transcript: speech(0, 6) });
    panel.page().click("look-for-gaps");
    await panel.sees("0 pauses by the transcript: room for about 0 words, 0 cues to be expected.");
    await panel.sees("Standard would fail. Choose Extended.");
  });

  test("is reckoned anew by other settings", async () => {
    const panel = await atForm({ transcript: speech(0, 3.5) });
    panel.page().click("look-for-gaps");
    await panel.sees("1 pause by the transcript");
    panel.page().click("section-timing");
    await expect.poll(() => panel.page().find("shortest")).not.toBeNull();
    panel.page().type("shortest", "3");
    await panel.sees("0 pauses by the transcript");
    await panel.sees("Standard would fail");
  });

  test("says what to do where nothing tells where somebody speaks", async () => {
    const panel = await atForm();
    panel.page().click("look-for-gaps");
    await panel.sees("Transcribe the clips in Premiere, choose a captions file");
  });
});
