import { describe, expect, test } from "vitest";
import { SequenceCopies } from "../../../src/host/headless/sequence-copies.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";

describe("the copies of a sequence in a file", () => {
  const TIMELINE = madeTimeline([madeTrack("video", [madeClip(madeMedia("a.mov"), 0, 10)])]);
  const CHANGED = madeTimeline([madeTrack("video", [madeClip(madeMedia("a.mov"), 0, 9)])]);

  /** Sequences of a file that holds one. */
  const opened = () => new SequenceCopies("s", { name: "cut", timeline: TIMELINE });

  test("are the active one as soon as they are made, under a name that no other has", () => {
    const sequences = opened();
    sequences.copy("s", "cut");
    expect([sequences.activeId === "s", sequences.active.name, sequences.active.timeline.name]).toEqual([
      false,
      "cut 2",
      "cut 2",
    ]);
    sequences.copy("s", "cut");
    expect(sequences.active.name).toBe("cut 3");
    sequences.copy("s", "held");
    expect(sequences.active.name).toBe("held");
    sequences.open("s");
    expect(sequences.active).toMatchObject({ name: "cut", timeline: TIMELINE });
  });

  test("change alone", () => {
    const sequences = opened();
    sequences.copy("s", "held");
    sequences.active = { name: "held", timeline: CHANGED };
    expect(sequences.active.timeline).toBe(CHANGED);
    sequences.open("s");
    expect(sequences.active.timeline).toBe(TIMELINE);
  });

  test("are removed as they were left, once the other is open; the file itself never", () => {
    const sequences = opened();
    sequences.copy("s", "held");
    const { activeId } = sequences;
    const asLeft = sequences.active.timeline;
    sequences.copy(activeId, "second");
    const second = sequences.activeId;
    const removal = { asLeft, opensInstead: "s" };
    for (const [id, opensInstead] of [
      ["s", activeId],
      [activeId, activeId],
    ] as const) {
      expect(() => sequences.remove(id, { asLeft: sequences.active.timeline, opensInstead })).toThrow(/no copy/);
    }
    expect(sequences.activeId).toBe(second);
    expect(sequences.remove(activeId, removal)).toBe(true);
    expect(sequences.activeId).toBe("s");
    expect(() => sequences.open(activeId)).toThrow(/there is no sequence/);
    sequences.open(second);
    // Somebody has worked in it.
    sequences.active = { name: "second", timeline: CHANGED };
    expect([sequences.remove(second, removal), sequences.activeId]).toEqual([false, second]);
    // What is to be open instead is there, or nothing is removed.
    sequences.active = { name: "second", timeline: asLeft };
    expect(() => sequences.remove(second, { asLeft, opensInstead: activeId })).toThrow(/there is no sequence/);
    expect(sequences.active.name).toBe("second");
  });

  test("write to files of their own beside those of the file, by their number; a removed one's number stays its own", () => {
    const sequences = opened();
    expect(sequences.pathOf("/out/cut.fcpxml")).toBe("/out/cut.fcpxml");
    sequences.copy("s", "held");
    const first = sequences.activeId;
    expect(sequences.pathOf("/out/my.cut.fcpxml")).toBe("/out/my.cut-1.fcpxml");
    sequences.remove(first, { asLeft: sequences.active.timeline, opensInstead: "s" });
    sequences.copy("s", "held");
    expect([sequences.activeId === first, sequences.pathOf("/out/cut.wav")]).toEqual([false, "/out/cut-2.wav"]);
    expect(sequences.pathOf("/out/cut.wav", "s")).toBe("/out/cut.wav");
  });

  test("of what is not there are refused", () => {
    const sequences = opened();
    expect(() => sequences.copy("other", "held")).toThrow(/there is no sequence other/);
    expect(() => sequences.open("other")).toThrow(/there is no sequence other/);
    expect(sequences.activeId).toBe("s");
  });
});
