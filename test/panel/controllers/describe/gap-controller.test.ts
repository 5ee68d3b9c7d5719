import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SampleOptions } from "../../../fakes/premiere/sample-project.ts";
import { startTestService, type TestService } from "../../../service/service-fixture.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { sequenceOf } from "../conform/recut.ts";

/** The panel at the form, before anything is ordered. */
async function atForm(sample: SampleOptions = {}): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles(sample);
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Preview the pauses");
  return panel;
}

const speech = (start: number, duration: number) =>
  JSON.stringify({ segments: [{ start, duration, words: [{ text: "Hello" }] }] });

/** Looks for pauses, and opens what is told of each. */
async function look(panel: PanelOnDoubles): Promise<void> {
  panel.page().click("look-for-gaps");
  await expect.poll(() => panel.page().find("gap-map"), { timeout: 20_000 }).not.toBeNull();
  await panel.openOptions("gaps-listed");
}

describe("looking for pauses", () => {
  test("tells from the transcript what fits, before anything is exported or sent", async () => {
    const panel = await atForm({ frames: 1500, transcript: speech(10, 20) });
    const before = panel.server.seen.length;
    await look(panel);
    await panel.sees("2 pauses from the transcript · room for about 103 words · 3 descriptions");
    expect(panel.page().byId("gaps").textContent).toContain("Standard fits.");
    // What the panel only asks about (its connection, the voices) may still come in.
    expect(panel.server.seen.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("foretells that Standard would fail, and advises Extended", async () => {
    const panel = await atForm({ transcript: speech(0, 6) });
    panel.page().click("look-for-gaps");
    await panel.sees("0 pauses · room for about 0 words · 0 descriptions");
    await panel.sees("long enough for Standard. Choose Extended.");
  });

  test("is reckoned anew by other settings", async () => {
    const panel = await atForm({ transcript: speech(0, 3.5) });
    await look(panel);
    await panel.sees("1 pause from the transcript");
    panel.page().click("section-timing");
    await expect.poll(() => panel.page().find("shortest")).not.toBeNull();
    panel.page().type("shortest", "3");
    await panel.sees("0 pauses from the transcript");
    await panel.sees("long enough for Standard");
  });

  test("shows where the pauses are, and goes there", async () => {
    const panel = await atForm({ frames: 1500, transcript: speech(10, 20) });
    await look(panel);
    await panel.sees("00:00:00:00 · 10.0 s · 25 words");
    await panel.sees("00:00:30:00 · 30.0 s · 78 words");
    await panel.sees("Pauses: 40.0 s. Speech: 33 %. 1 min at the hosted service: 0.5 credits as text, 0.75 with sound");
    panel.page().withAttribute("data-action", "go-to-gap")[1]?.happens("click");
    const { ticksPerFrame } = sequenceOf(panel);
    await expect.poll(() => sequenceOf(panel).playerPosition / ticksPerFrame).toBe(750n);
  });

  test("says what to do where nothing tells where somebody speaks", async () => {
    const panel = await atForm();
    panel.page().click("look-for-gaps");
    await panel.sees("Transcribe the clips in Premiere, choose a captions file");
  });
});

describe("listening for pauses", () => {
  let service: TestService;
  let address: string;
  beforeAll(async () => {
    service = await startTestService({}, { worksOnJobs: false });
    address = await service.app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => service.close());

  /** Half a minute of a meeting, the panel connected to a real service on this computer. */
  async function atMeeting(sample: SampleOptions = {}): Promise<PanelOnDoubles> {
    const panel = await atForm({ frames: 750, ...sample });
    panel.rendered.sound = new Uint8Array(await readFile(sharedMedia("audio/meeting/dev00.wav")));
    panel.page().click("badge");
    await panel.otherService();
    panel.page().type("service-address", address);
    await panel.sees("No key is saved");
    panel.page().type("service-key", service.key);
    panel.page().click("test-connection");
    await panel.sees("The service accepts this key");
    panel.page().click("tab-describe");
    await panel.sees("Who writes the descriptions?");
    panel.page().click("write-by-hand");
    await panel.sees("Preview the pauses");
    return panel;
  }

  const sounds = ({ disk }: PanelOnDoubles) => [...disk.files.keys()].filter((path) => path.endsWith(".wav"));
  const uploads = () => service.database.query("SELECT 1 FROM aside.media");

  thoroughTest("exports the sound, has it heard on this computer, and leaves nothing behind", async () => {
    const panel = await atMeeting();
    await look(panel);
    await panel.sees(/\d+ pauses? from the sound · room for about \d+ words/);
    await panel.sees("Listen again");
    expect(panel.server.stored.size).toBe(0);
    expect(sounds(panel)).toEqual([]);
    expect(await uploads()).toEqual([]);
  });

  thoroughTest("listens although there is a transcript, where it is asked to", async () => {
    const panel = await atMeeting({ transcript: speech(10, 20) });
    await look(panel);
    await panel.sees("1 pause from the transcript");
    panel.page().click("listen-for-gaps");
    await panel.sees("from the sound");
  });

  test("can be cancelled, and tells of no fault then", async () => {
    const panel = await atMeeting();
    panel.page().click("look-for-gaps");
    await panel.sees("Listening…");
    panel.page().click("cancel-look");
    await panel.sees("Preview the pauses");
    expect(sounds(panel)).toEqual([]);
    await expect.poll(uploads).toEqual([]);
    expect(panel.page().root.textContent).not.toContain("Dismiss");
  });

  thoroughTest("what was heard stays with the result of a service that does not tell", async () => {
    const panel = await atMeeting();
    await look(panel);
    await panel.sees("from the sound");
    panel.page().click("badge");
    await panel.otherService();
    panel.page().type("service-address", panel.address);
    await panel.sees("••••");
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await panel.sees("2 descriptions");
    expect(panel.page().byId("strip").attributes["aria-label"]).toContain("speech above");
    // The double's cues lie over the first words of the meeting.
    await panel.sees("narration lies over speech");
  });

  test("sends nothing to a service elsewhere, and exports nothing for it", async () => {
    const panel = await atMeeting();
    panel.page().click("badge");
    await panel.otherService();
    panel.page().type("service-address", "https://hosted.example");
    await panel.sees("No key is saved");
    panel.page().click("tab-describe");
    await panel.sees("Preview the pauses");
    panel.page().click("look-for-gaps");
    await panel.sees("Hosted services do not listen");
    expect(sounds(panel)).toEqual([]);
  });
});
