import { describe, expect, test } from "vitest";
import { writeWebVtt } from "../../src/formats/index.ts";
import { NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import { readRecord } from "../../src/result/record.ts";
import { staleCues } from "../../src/result/stale.ts";
import { SAMPLE_SEQUENCE_ID, wholeSeconds } from "../fakes/premiere/sample-project.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

const sequenceIn = ({ premiere }: PanelOnDoubles) => premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
const markersIn = (panel: PanelOnDoubles) => sequenceIn(panel).markers.filter(({ name }) => name.startsWith("AD "));
const narrationIn = (panel: PanelOnDoubles) =>
  sequenceIn(panel).audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME);

/** Described, with the result under review. */
async function described(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.describe();
  return panel;
}

describe("the journey", () => {
  test("the first time, the panel opens where the service is set up; later, where a sequence is described", async () => {
    const panel = await panelOnDoubles();
    panel.open();
    await panel.sees("Aside is not running on this computer.");
    expect(panel.page().view).toBe("connect");
    await panel.connect();
    panel.open();
    await panel.sees("Harbour_v7");
    expect(panel.page().view).toBe("describe");
    expect(panel.page().byId("sequence").textContent).toBe("Harbour_v7");
    expect(panel.page().byId("badge").textContent).toBe("On this computer");
  });

  test("a wrong key is told as such, and nothing is sent to describe", async () => {
    const panel = await panelOnDoubles();
    panel.open();
    await panel.otherService();
    panel.page().type("service-address", panel.address);
    panel.page().type("service-key", "wrong-key-123456");
    panel.page().click("test-connection");
    await panel.sees("The service does not accept the API key.");
    // On this clock two seconds of silence are over at once: the harmless look for the computer's other name may come beside it.
    const asked = panel.server.seen.filter(({ method, path }) => method !== "GET" || path !== "/");
    expect(asked.map(({ route }) => route)).toEqual(["getResults"]);
  });

  test("PANEL-28 PANEL-30: a described sequence gets a marker for each cue and the narration on its own track", async () => {
    const panel = await described();
    const before = sequenceIn(panel);
    await panel.placeMarkers();
    await panel.placeNarration();
    expect(markersIn(panel).map(({ comments }) => comments.split("\n")[0])).toEqual([
      "A woman sits at a desk.",
      "She opens a letter.",
    ]);
    expect(narrationIn(panel)).toMatchObject([{ items: [{ start: wholeSeconds(1) }, { start: wholeSeconds(4) }] }]);
    const after = sequenceIn(panel);
    expect(after.videoTracks).toEqual(before.videoTracks);
    expect(after.audioTracks.slice(0, 2)).toEqual(before.audioTracks);
    expect(after.markers.filter(({ name }) => !name.startsWith("AD "))).toEqual(before.markers);
  });

  test("PANEL-32: what was placed is taken back by one click, and placing twice doubles nothing", async () => {
    const panel = await described();
    await panel.placeMarkers();
    panel.menu().click("place-markers");
    await panel.sees("on the timeline already");
    expect(markersIn(panel)).toHaveLength(2);
    panel.page().click("take-back");
    await panel.sees("Undone");
    expect(markersIn(panel)).toEqual([]);
    await panel.placeMarkers();
    expect(markersIn(panel)).toHaveLength(2);
  });

  test("PANEL-28: one undo in Premiere takes the markers back whole, and a redo brings them without doubling", async () => {
    const panel = await described();
    expect(panel.menu().root.textContent).toContain("Premiere’s Undo: 1 step for markers");
    const before = sequenceIn(panel);
    panel.menu().click("place-markers");
    await panel.sees("Premiere’s Undo removes it in 1 step.");
    expect(panel.premiere.machine.undoStack).toHaveLength(1);
    const after = sequenceIn(panel);
    expect(after.properties.size).toBe(1);
    panel.premiere.user.undo();
    expect(sequenceIn(panel)).toEqual(before);
    panel.premiere.user.redo();
    expect(sequenceIn(panel)).toEqual(after);
    panel.menu().click("place-markers");
    await panel.sees("on the timeline already");
    expect(sequenceIn(panel)).toEqual(after);
  });

  test("markers are coloured by their findings where that is asked for, which is a second step and said before", async () => {
    const panel = await described();
    panel.menu().tick("colour-markers", true);
    await panel.sees("2 steps for markers");
    panel.menu().click("place-markers");
    await panel.sees("Premiere’s Undo removes it in 2 steps.");
    expect(markersIn(panel).map(({ colour }) => colour)).not.toContain("GREEN");
    panel.open();
    await expect.poll(() => panel.page().view).toBe("review");
    panel.menu();
    await panel.sees("2 steps for markers");
  });

  thoroughTest("how many steps to undo more markers are than go into one is said before they are placed", async () => {
    const panel = await panelOnDoubles({ frames: 60_000 });
    const cues = Array.from({ length: 1_001 }, (_, i) => ({
      id: `c${i}`,
      start: i * 2,
      end: i * 2 + 1,
      text: `Cue ${i}.`,
    }));
    panel.server.vtt = writeWebVtt(cues);
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await panel.sees("1001 descriptions");
    panel.menu();
    await panel.sees("3 steps for markers");
    panel.menu().click("place-markers");
    await panel.sees("removes it in 3 steps.");
    expect(panel.premiere.machine.undoStack.map(({ label }) => label)).toEqual(
      [1, 2, 3].map((n) => `Place 1001 description markers (${n} of 3)`),
    );
    for (let step = 0; step < 3; step++) panel.premiere.user.undo();
    expect(markersIn(panel)).toEqual([]);
    expect(sequenceIn(panel).properties.size).toBe(0);
  });

  test("a muted cue stays in the list and is not placed; unmuted, it is placed too", async () => {
    const panel = await described();
    await panel.openCue();
    panel.page().click("mute-cue");
    await expect.poll(() => panel.page().withAttribute("role", "row")[0]?.textContent).toContain("✕");
    panel.menu().click("place-markers");
    await panel.sees("Done: Place 1 description marker");
    expect(markersIn(panel).map(({ comments }) => comments.split("\n")[0])).toEqual(["She opens a letter."]);
    await panel.sees("2 descriptions");
    panel.menu().click("place-markers");
    await panel.sees("on the timeline already");
    panel.page().click("mute-cue");
    await panel.placeMarkers();
    expect(markersIn(panel)).toHaveLength(2);
    panel.page().click("mute-cue");
    panel.menu().click("place-markers");
    await panel.sees("Done: Place 1 description marker.");
    expect(markersIn(panel).map(({ comments }) => comments.split("\n")[0])).toEqual(["She opens a letter."]);
    await panel.sees("2 descriptions");
  });

  test("undone in Premiere and placed again, there is nothing twice", async () => {
    const panel = await described();
    await panel.placeMarkers();
    panel.premiere.user.undo();
    expect(markersIn(panel)).toEqual([]);
    panel.page().click("dismiss");
    await expect.poll(() => panel.page().find("message")).toBeNull();
    await panel.placeMarkers();
    expect(markersIn(panel)).toHaveLength(2);
  });

  test("PANEL-38: words that the editor changed on a marker stay when the result is placed again", async () => {
    const panel = await described();
    await panel.placeMarkers();
    const [marker] = markersIn(panel);
    const comments = marker?.comments.replace("A woman", "A young woman") ?? "";
    panel.premiere.user.changeMarker(SAMPLE_SEQUENCE_ID, marker?.guid ?? "", { comments });
    panel.menu().click("read-markers");
    await panel.sees("Read from the timeline: 1 kept as you changed them.");
    await panel.sees("A young woman sits at a desk.");
    panel.menu().click("place-markers");
    await panel.sees("already");
    expect(markersIn(panel)[0]?.comments).toContain("A young woman");
  });

  test("a cue edited before it is placed is known to be stale: its narration has the words as they came", async () => {
    const panel = await described();
    await panel.openCue();
    panel.page().type("cue-text", "A woman sits.");
    await panel.placeMarkers();
    const [path] = [...panel.disk.files.keys()].filter((name) => name.endsWith(".record.txt"));
    const text = new TextDecoder().decode(panel.disk.files.get(path ?? ""));
    const reading = readRecord(text);
    if (!reading.ok) throw new Error(reading.fault);
    const { record } = reading;
    const stale = staleCues(record, record.cues, record.settings);
    expect(stale.map(({ cueId, reasons }) => [cueId, reasons])).toEqual([[record.cues[0]?.id, ["words", "length"]]]);
  });

  test("PANEL-27: a cue is selected, which moves the playhead, edited in place and saved", async () => {
    const panel = await described();
    await panel.openCue();
    panel.page().type("cue-text", "A woman sits.");
    panel.page().type("cue-in", "00:00:01:10");
    expect(panel.page().byId("cue-in").value).toBe("00:00:01:10");
    expect(panel.page().byId("cue-out").value).toBe("00:00:02:13");
    await expect.poll(() => sequenceIn(panel).playerPosition).toBe(10_160_640_000n * 25n);
    panel.page().type("cue-in", "never");
    await panel.sees("“never” is not a timecode in this sequence");
    expect(panel.page().byId("cue-in").value).toBe("00:00:01:10");
    panel.page().click("delete-cue");
    await panel.sees("1 description");
    panel.page().click("undo-edit");
    await panel.sees("2 descriptions");
  });

  test("what a key does is to be seen when the next key comes", async () => {
    const panel = await described();
    const key = (pressed: string) => panel.page().byId("cue-keys").happens("keydown", { key: pressed });
    const words = () => panel.page().find("cue-text")?.value;
    key("ArrowDown");
    key("Enter");
    expect(words()).toBe("A woman sits at a desk.");
    key("Enter");
    expect(words()).toBeUndefined();
    key("ArrowDown");
    key("Enter");
    // Tab leads into the field of this cue, not into that of the one before, which would be gone while it is typed into.
    expect(words()).toBe("She opens a letter.");
  });

  test("words that are still being typed stay when the row is closed by the keyboard", async () => {
    const panel = await described();
    await panel.openCue();
    const field = panel.page().byId("cue-text");
    field.value = "A woman sits down.";
    field.happens("input");
    panel.page().byId("cues").happens("keydown", { key: "Escape", target: field });
    await panel.sees("A woman sits down.");
    panel.page().click("undo-edit");
    await expect.poll(() => panel.page().root.textContent).not.toContain("A woman sits down.");
  });

  test("a result is opened from the history after the panel was closed, with the edits in it", async () => {
    const panel = await described();
    await panel.openCue();
    panel.page().click("merge-cue");
    expect(panel.page().root.textContent).toContain("1 description");
    // Closed at once: an edit is saved a little later, or when the panel closes.
    panel.open();
    await panel.sees("Place on timeline");
    panel.page().click("tab-history");
    await panel.sees("WebVTT · English (United States)");
    panel.page().withAttribute("data-action", "open")[0]?.happens("click");
    await panel.sees("A woman sits at a desk. She opens a letter.");
  });

  test("PANEL-23: the reply is shown as it came", async () => {
    const panel = await described();
    panel.page().click("tab-history");
    await panel.sees("Raw result");
    panel.page().withAttribute("data-action", "raw")[0]?.happens("click");
    await panel.sees("WEBVTT");
  });
});

describe("accessibility", () => {
  test("every control of every view has a name that is seen or shown to the pointer, and a stable one for scripts", async () => {
    const panel = await described();
    await panel.openCue();
    const seen = new Set<string>();
    const ways: Readonly<Record<string, string>> = { connect: "badge", diagnostics: "open-diagnostics" };
    for (const view of ["review", "history", "connect", "diagnostics", "describe"]) {
      panel.page().click(ways[view] ?? `tab-${view}`);
      await expect.poll(() => panel.page().view).toBe(view);
      if (view === "describe") {
        await panel.openOptions("voice", "timing", "context", "export", "saved");
        await panel.sees("Save settings");
      }
      if (view === "review") panel.menu().click("open-search");
      for (const [control, parents] of panel.page().controls()) {
        const { attributes } = control;
        // The field of the list's keys is not to be seen: the list is.
        if (attributes["id"] === "cue-keys") continue;
        // Words are written where they are read: their cue's time stands beside them.
        const isWords = attributes["id"] === "cue-text";
        const label = parents.find(({ name, attributes: { role } }) => (isWords ? role === "row" : name === "label"));
        // An icon has its words where the pointer rests.
        const { "aria-label": name, title } = attributes;
        const words = control.textContent === "" && name === title ? title : control.textContent;
        const shown = control.name === "button" ? (words ?? "") : (label?.textContent ?? "");
        expect(shown.trim(), `${view}: ${attributes["id"]}`).not.toBe("");
        expect(attributes["id"] ?? "", `${view}: ${shown}`).not.toBe("");
        seen.add(control.name);
      }
    }
    expect([...seen].sort()).toEqual(["button", "input", "select", "textarea"]);
  });

  test("the list of cues is worked by keys alone", async () => {
    const panel = await described();
    const key = (name: string, more = {}) => {
      panel
        .page()
        .byId("cue-keys")
        .happens("keydown", { key: name, ...more });
    };
    key("ArrowDown");
    key("ArrowDown");
    await expect
      .poll(() => panel.page().withAttribute("aria-selected", "true").at(-1)?.attributes["data-cue"])
      .toBe("cue-0002");
    key(" ");
    await panel.sees("✓ accepted");
    key("Enter");
    await panel.sees("Merge with next");
    key("Escape");
    await expect.poll(() => panel.page().find("merge-cue")).toBeNull();
    key("Delete");
    await panel.sees("1 description");
    key("z", { ctrlKey: true });
    await panel.sees("2 descriptions");
  });
});

describe("what goes wrong", () => {
  test("PANEL-18: no gap for standard descriptions offers both remedies, and the one chosen is taken", async () => {
    const panel = await panelOnDoubles();
    panel.server.jobEnd = "standard_ad_not_enough_gaps";
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await panel.sees("No pause in the dialogue is long enough");
    expect(panel.page().find("remedy-use-extended")).not.toBeNull();
    panel.server.jobEnd = "done";
    panel.page().click("remedy-allow-over-speech");
    await panel.sees("2 descriptions");
    const [first, second] = panel.server.bodies("generateAudio");
    expect(first).toMatchObject({ generation_config: { auto_fit: true } });
    expect(second).toMatchObject({ generation_config: { auto_fit: false } });
    // One export and one upload served both.
    expect(panel.server.stored.size).toBe(1);
  });

  test("PANEL-20 PANEL-36: closed while the service works, the panel goes on when it is opened, and orders nothing twice", async () => {
    const panel = await panelOnDoubles();
    panel.server.jobStates = Array.from({ length: 12 }, () => "processing");
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await panel.sees(/●Describe/);
    panel.close();
    panel.open();
    await panel.sees("2 descriptions");
    expect(panel.server.accepted).toBe(1);
  });

  test("PANEL-20: cancelled, a job can be gone on with from the history", async () => {
    const panel = await panelOnDoubles();
    panel.server.jobStates = Array.from({ length: 12 }, () => "processing");
    panel.server.jobCost = { requests: 9, useless: 0, unpriced: 0, spent: 0.12, reserved: 0, ceiling: 0.5 };
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await panel.sees(/●Describe/);
    panel.page().click("cancel");
    await panel.sees("Stop here?");
    await panel.sees("What is done so far is kept: 0.12 for 9 requests.");
    await panel.sees("It continues in the background, and may cost up to 0.5 in all.");
    // The service of others is asked first, and cannot.
    panel.page().click("stop-job");
    await panel.sees("This service cannot stop a job. It continues there and may be charged.");
    panel.page().click("cancel");
    panel.page().click("stop-waiting");
    await panel.sees("Nothing is in progress");
    panel.page().click("tab-history");
    await panel.sees("stopped");
    panel.page().withAttribute("data-action", "resume")[0]?.happens("click");
    await panel.sees("2 descriptions");
    expect(panel.server.accepted).toBe(1);
  });

  test("without a sequence, the panel says so and orders nothing", async () => {
    const panel = await panelOnDoubles();
    await panel.connect();
    panel.premiere.user.activateSequence(null);
    panel.page().click("tab-describe");
    await expect.poll(() => panel.page().find("describe")?.disabled).toBe(true);
    await panel.sees("Open the sequence that you want described");
    expect(panel.page().find("retry-sequence")).not.toBeNull();
  });

  test("an export that gives no file is told with its next step", async () => {
    const panel = await panelOnDoubles();
    panel.premiere.faults.export = "fails";
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await panel.sees("export_failed");
    expect(panel.page().byId("message").textContent).toContain("try again");
    expect(panel.server.accepted).toBe(0);
  });

  test("the diagnostics list what the host answers, errors too", async () => {
    const panel = await panelOnDoubles();
    await panel.connect();
    panel.page().click("open-diagnostics");
    await panel.sees("Run the probes");
    panel.page().click("run-probes");
    await panel.sees("failsraises: no such call");
    await panel.sees("uxp-8.1.0");
  });
});
