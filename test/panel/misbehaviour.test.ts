import { describe, expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import type { Faults } from "../fakes/premiere/faults.ts";
import { SAMPLE_SEQUENCE_ID } from "../fakes/premiere/sample-project.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

const sequenceIn = ({ premiere }: PanelOnDoubles) => premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
const clipsIn = (panel: PanelOnDoubles) =>
  sequenceIn(panel).audioTracks.flatMap(({ items }) =>
    items.flatMap(({ name }) => (name.startsWith("aside-") ? [name] : [])),
  );

/** Connected, with a Premiere that misbehaves from now on. */
async function ready(faults: Partial<Faults>): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  Object.assign(panel.premiere.faults, faults);
  return panel;
}

/** A finished job under review, in a Premiere that misbehaves from now on. */
async function reviewed(faults: Partial<Faults>): Promise<PanelOnDoubles> {
  const panel = await ready({});
  await panel.order();
  await panel.sees("2 descriptions");
  Object.assign(panel.premiere.faults, faults);
  return panel;
}

describe("what the editor reads when Premiere misbehaves", () => {
  test.each<[Faults["export"], string]>([
    ["cancelled", "the export was cancelled there, or refused"],
    ["fails", "Premiere could not export the sequence"],
    ["disk full", "There is not enough room on the disk for the export."],
  ])("PANEL-07: an export that is %s", async (fault, sentence) => {
    const panel = await ready({ export: fault });
    await panel.order();
    await panel.sees(sentence);
    expect(panel.server.seen.filter(({ route }) => route === "uploadMedia")).toEqual([]);
  });

  thoroughTest("an imported sound that never shows in the project", async () => {
    const panel = await reviewed({ importDelay: Number.POSITIVE_INFINITY });
    const before = sequenceIn(panel);
    panel.menu().click("place-narration");
    await panel.sees('Not all files show in the project. Import them by hand into the bin "Aside", then place again.');
    expect(sequenceIn(panel)).toEqual(before);
  });

  test("no track for the narration", async () => {
    const panel = await reviewed({ overwrite: "nothing", insert: "nothing" });
    panel.menu().click("place-narration");
    await panel.sees(
      `Premiere added no audio track. Add an empty one, name it "${NARRATION_TRACK_NAME}", then place again.`,
    );
    expect(clipsIn(panel)).toEqual([]);
  });

  test("a narration that lands on another track", async () => {
    const panel = await reviewed({ overwrite: "first track" });
    const before = sequenceIn(panel);
    panel.menu().click("place-narration");
    await panel.sees('Premiere laid the narration on "Audio 1" instead of a new track. Choose Undo in Premiere once');
    panel.premiere.user.undo();
    expect(sequenceIn(panel)).toEqual(before);
  });

  test.each(["returns false", "throws"] as const)(
    "a transaction that %s with the clips: what is missing is told, and placing again completes it",
    async (how) => {
      const panel = await reviewed({ transaction: { at: 2, how } });
      panel.menu().click("place-narration");
      await panel.sees("Only part of it was done on the timeline.");
      await panel.sees("is not where it should be");
      expect(clipsIn(panel)).toHaveLength(0);
      await panel.placeNarration();
      expect(clipsIn(panel)).toHaveLength(2);
    },
  );

  test.each(["returns false", "throws"] as const)(
    "a transaction that %s with the track's name: the name is given by itself, and all of it is taken back",
    async (how) => {
      const panel = await reviewed({ transaction: { at: 3, how } });
      await panel.placeNarration();
      expect(clipsIn(panel)).toHaveLength(2);
      panel.page().click("take-back");
      await panel.sees("Undone. The timeline is as it was.");
      expect(clipsIn(panel)).toEqual([]);
    },
  );

  test.each(["returns false", "throws"] as const)("a first transaction that %s: nothing was changed", async (how) => {
    const panel = await reviewed({ transaction: { at: 1, how } });
    const before = sequenceIn(panel);
    panel.menu().click("place-markers");
    await panel.sees("Check what is there, undo it, or try again.");
    expect(sequenceIn(panel)).toEqual(before);
  });

  test("a marker that is dropped without a word", async () => {
    const panel = await reviewed({ droppedAction: 1 });
    panel.menu().click("place-markers");
    await panel.sees(/Only part of it was done on the timeline\..*the marker "AD 1 · .*" is missing/);
    await panel.placeMarkers();
    expect(sequenceIn(panel).markers.filter(({ name }) => name.startsWith("AD "))).toHaveLength(2);
  });

  test.each(["26.2", "25.6"] as const)(
    "a Premiere %s, which gives markers no identity and tracks no name: both are placed once",
    async (version) => {
      const panel = await reviewed({ version });
      await panel.placeMarkers();
      panel.menu().click("place-narration");
      await panel.sees(/Done: Place.*this Premiere names no tracks: name "Audio 3" by hand/);
      panel.menu().click("place-narration");
      await panel.sees("Everything is on the timeline already.");
      expect(clipsIn(panel)).toHaveLength(2);
      panel.page().click("take-back");
      await panel.sees("Undone. The timeline is as it was.");
      expect(clipsIn(panel)).toEqual([]);
    },
  );

  test("a narration on a track that the editor renamed is replaced there", async () => {
    const panel = await reviewed({});
    await panel.placeNarration();
    panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Rename", (sequence) => ({
      ...sequence,
      audioTracks: sequence.audioTracks.map((track) =>
        track.name === NARRATION_TRACK_NAME ? { ...track, name: "AD en" } : track,
      ),
    }));
    panel.menu().click("place-narration");
    await panel.sees("Everything is on the timeline already.");
    expect(clipsIn(panel)).toHaveLength(2);
  });

  test("a track that Premiere does not mute: the editor is asked to do it, and it stays on offer", async () => {
    const panel = await ready({ mute: "returns false" });
    await panel.openOptions();
    panel.page().type("track", "mixed");
    await expect.poll(() => panel.page().byId("track").value).toBe("mixed");
    await panel.order();
    await panel.sees("2 descriptions");
    await panel.placeNarration();
    const placed = sequenceIn(panel);
    panel.page().click("mute-others");
    await panel.sees("Premiere did not mute a track. Do it by hand.");
    await panel.sees("Mute the other sound tracks");
    expect(sequenceIn(panel)).toEqual(placed);
    panel.premiere.faults.mute = "works";
    panel.page().click("mute-others");
    await panel.sees("Unmute the other sound tracks");
    expect(sequenceIn(panel).audioTracks.map(({ isMuted }) => isMuted)).toEqual([true, true, false]);
  });

  test("a display format that nobody knows: frames are counted without dropping", async () => {
    const panel = await panelOnDoubles({ display: "29.97 DF" });
    panel.premiere.faults.displayCodes = "unknown";
    await panel.connect();
    panel.page().click("tab-describe");
    await panel.sees(/29\.97(?! DF)/);
  });
});
