import { describe, expect, test } from "vitest";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { DuckController } from "../../../../panel/controllers/place/duck-controller.ts";
import { PlaceController } from "../../../../panel/controllers/place/place-controller.ts";
import { words } from "../../../../panel/words/words.ts";
import type { ClipLevel } from "../../../../src/host/editor.ts";
import type { Result } from "../../../../src/result/result.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { editingPanel, NARRATION, withNarration } from "../../editing-panel.ts";

/** Some seconds of one level. */
function levelWav(seconds: number, level: number): Uint8Array {
  const bytes = silentWav(seconds, 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 44; at < bytes.length; at += 2) view.setInt16(at, level, true);
  return bytes;
}
const LOUD = levelWav(22, 2000);
const QUIET = levelWav(12, 500);

/** A narration that begins at 10 s of the sequence, under which the programme is loud; the export begins at its second 2. */
function ducking(change: Partial<Result> = {}) {
  const panel = editingPanel({ ...withNarration(), offsetSeconds: 10, durationSeconds: 12, ...change });
  panel.files.bytes.set(NARRATION, QUIET);
  panel.editor.sound = { wave: LOUD, offsetSeconds: 2 };
  const apply = new ApplyController(panel.session);
  const duck = new DuckController(panel.session, apply);
  const place = new PlaceController(panel.session, apply, {
    voice: async () => undefined,
    duck: (how) => duck.lay(how),
  });
  return { ...panel, apply, duck, place };
}
type Ducking = ReturnType<typeof ducking>;
const message = ({ session }: Ducking) => session.state.message;
/** The points of each clip that is ducked, as `track at gain`. */
const points = ({ editor }: Ducking) =>
  (editor.levels ?? []).flatMap(({ trackIndex, points }) =>
    points.map(({ at, gain }) => `${trackIndex} ${at.toFixed(2)} ${gain.toFixed(2)}`),
  );
const beside = ({ files }: Ducking) => files.texts.get("/panel/results/sequence-s1.duck.txt");
const noted = ({ editor }: Ducking) => editor.notes.get("s1 duck");
const named = (clips: number) => words.ducked({ clips });

describe("the programme", () => {
  test("is lowered on every clip of the editor's under each line, measured without our narration; that is kept in the project and beside it", async () => {
    const panel = ducking();
    await panel.does(() => panel.place.narration());
    await panel.does(() => panel.duck.lay());
    expect(points(panel)).toEqual([
      "1 10.85 1.00",
      "1 11.00 0.09",
      "1 12.50 0.09",
      "1 13.00 1.00",
      "1 15.85 1.00",
      "1 16.00 0.09",
      "1 17.00 0.09",
      "1 17.50 1.00",
      "2 10.85 1.00",
      "2 11.00 0.09",
      "2 12.50 0.09",
      "2 13.00 1.00",
      "2 15.85 1.00",
      "2 16.00 0.09",
      "2 17.00 0.09",
      "2 17.50 1.00",
    ]);
    expect(message(panel)?.text).toBe(`${named(2)} ${words.undoSteps({ steps: 2 })}`);
    expect(panel.editor.exports).toEqual([{ range: "whole", content: "sound", sounding: ["1", "2"] }]);
    expect(panel.editor.timeline.tracks.map(({ isEnabled }) => isEnabled)).toEqual([true, true, true, true]);
    expect([noted(panel) === beside(panel), (noted(panel) ?? "").length > 0]).toEqual([true, true]);
    expect([...panel.files.bytes.keys()].filter((path) => path.includes("/exports/"))).toEqual([]);
    expect(panel.session.state.duckedSequenceId).toBe("s1");
  });

  test("is lowered only once what takes that back is on disk", async () => {
    const panel = ducking();
    const { changeLevels } = panel.editor;
    const onDisk: (string | undefined)[] = [];
    // A disk that takes its time: until nothing else goes on.
    const isSlow = Promise.withResolvers<void>();
    panel.files.mayWrite = () => isSlow.promise;
    const { whenIdle } = panel.ports;
    panel.ports.whenIdle = async () => {
      isSlow.resolve();
      panel.ports.whenIdle = whenIdle;
      return true;
    };
    panel.editor.changeLevels = (order) => {
      onDisk.push(beside(panel));
      return changeLevels.call(panel.editor, order);
    };
    await panel.does(() => panel.duck.lay());
    expect(onDisk).toEqual([noted(panel)]);
    expect(onDisk[0]).not.toBe("");
  });

  test("has its own volume again when that is taken back, and nothing is kept of it then", async () => {
    const panel = ducking();
    await panel.does(() => panel.duck.lay());
    await panel.does(() => panel.apply.takeBack());
    expect(points(panel)).toEqual([]);
    expect((panel.editor.levels ?? []).map(({ gain }) => gain)).toEqual([1, 1]);
    expect([noted(panel), beside(panel), panel.session.state.duckedSequenceId]).toEqual(["", "", null]);
    expect(message(panel)?.text).toBe(`${words.unducked({ clips: 2 })} ${words.undoSteps({ steps: 2 })}`);
    await panel.does(() => panel.duck.remove());
    expect(message(panel)?.text).toBe(words.nothingDucked);
  });

  test("is measured and lowered anew without the earlier lowering; where the project has lost its note, the one beside it counts", async () => {
    const panel = ducking();
    await panel.does(() => panel.duck.lay());
    const once = points(panel);
    panel.editor.notes.clear();
    await panel.does(() => panel.duck.lay());
    expect(points(panel)).toEqual(once);
    expect(panel.editor.ordered.map(({ label }) => label)).toEqual([words.ducking, words.removeDuck, words.ducking]);
    expect(panel.editor.exports).toHaveLength(2);
  });

  test("stays as it is on clips with volumes of the editor's own, which are named once, also when it is taken away", async () => {
    const panel = ducking();
    const own: ClipLevel = { trackIndex: 2, clipIndex: 0, sourceId: "2", gain: null, points: [{ at: 3, gain: 0.3 }] };
    panel.editor.levels = [own];
    panel.session.tell("Placed.", { details: ["So far."] });
    await panel.does(() => panel.duck.lay());
    expect(panel.editor.levels).toContainEqual(own);
    expect(message(panel)?.details).toEqual(["Placed.", "So far.", words.duckLeftAlone({ names: "music.wav (A2)" })]);
    await panel.does(() => panel.duck.lay());
    // Somebody changes what was laid.
    panel.editor.levels = (panel.editor.levels ?? []).map((one) => ({
      ...one,
      points: one.points.map((point) => ({ ...point, gain: 0.1 })),
    }));
    const stays = await panel.does(() => panel.duck.remove());
    expect([stays, message(panel)?.text]).toEqual([
      ["Left alone, because they have their own keyframes or speed: sound.wav (A1)."],
      "Aside has lowered no clip here.",
    ]);
  });

  test("that is low enough stays as it is, which is said with what was said before", async () => {
    const panel = ducking();
    panel.editor.sound = { wave: levelWav(22, 5), offsetSeconds: 2 };
    panel.session.tell("Placed.", { details: ["So far."] });
    await panel.does(() => panel.duck.lay());
    expect([message(panel)?.text, message(panel)?.details, panel.editor.ordered]).toEqual([
      words.nothingToDuck,
      ["Placed.", "So far."],
      [],
    ]);
  });

  test("that was lowered in part is told of as a fault, with the way on; it can be taken away from there", async () => {
    const panel = ducking();
    panel.editor.report = { outcome: "partial", differences: ["one clip is as it was"] };
    await panel.does(() => panel.duck.lay());
    expect(message(panel)).toMatchObject({
      text: words.partlyPlaced,
      isFault: true,
      next: words.partlyDuckedNext,
      details: ["one clip is as it was"],
    });
    expect([noted(panel) === beside(panel), panel.session.state.canTakeBack]).toEqual([true, true]);
    panel.editor.report = {};
    await panel.does(() => panel.duck.remove());
    expect(points(panel)).toEqual([]);
  });

  test("is taken back together with the narration that it was lowered for, and its steps are counted with that", async () => {
    const panel = ducking();
    panel.session.store.set({ ducksProgramme: true });
    await panel.does(() => panel.place.narration());
    expect(message(panel)?.text).toBe(`${named(2)} ${words.undoSteps({ steps: 3 })}`);
    expect([panel.voices().length, points(panel).length > 0]).toEqual([2, true]);
    await panel.does(() => panel.apply.takeBack());
    expect([panel.voices(), points(panel)]).toEqual([[], []]);
  });

  test.each<[string, Partial<Result>]>([
    ["a mix", { track: "mixed" }],
    ["without a voice", { audio: undefined as never }],
  ])("of a result that is %s is not lowered", async (_, change) => {
    const panel = ducking(change);
    const before = panel.ports.calls.length;
    await panel.does(() => panel.duck.lay());
    expect(panel.ports.calls.length).toBe(before);
  });

  test("of a narration that cannot be heard is not lowered, nor that of another sequence; both are said", async () => {
    const gone = ducking();
    gone.files.bytes.delete(NARRATION);
    await gone.does(() => gone.duck.lay());
    expect([message(gone)?.text, message(gone)?.isFault, gone.editor.exports]).toEqual([words.cannotHear, true, []]);
    const other = ducking();
    await other.editor.copySequence({ sequenceId: "s1", name: "Copy" }, { signal: new AbortController().signal });
    for (const work of [() => other.duck.lay(), () => other.duck.remove()]) {
      await other.does<unknown>(work);
      expect(message(other)?.text).toBe(words.otherActive({ wanted: "Harbour", active: "Copy" }));
      other.session.store.set({ message: null });
    }
    expect(other.editor.exports).toEqual([]);
  });

  test("is not touched while something else is placed, and an export that cannot be read leaves it as it is", async () => {
    const panel = ducking();
    const held = Promise.withResolvers<void>();
    const work = panel.apply.work("working", () => held.promise);
    await panel.does(() => panel.duck.lay());
    expect(await panel.does(() => panel.duck.remove())).toEqual([]);
    await panel.does(() => panel.duck.look());
    expect([panel.editor.exports, panel.session.state.duckedSequenceId]).toEqual([[], null]);
    held.resolve();
    await work;
    panel.editor.sound = { wave: new Uint8Array(100), offsetSeconds: 0 };
    await panel.does(() => panel.duck.lay());
    expect([message(panel)?.text, [...panel.files.bytes.keys()].filter((path) => path.includes("/exports/"))]).toEqual([
      words.nothingToDuck,
      [],
    ]);
  });

  test("is seen to be lowered on the sequence under review alone, where it is the active one", async () => {
    const panel = ducking();
    await panel.does(() => panel.duck.lay());
    panel.session.store.set({ duckedSequenceId: null });
    await panel.does(() => panel.duck.look());
    expect(panel.session.state.duckedSequenceId).toBe("s1");
    await panel.editor.copySequence({ sequenceId: "s1", name: "Copy" }, { signal: new AbortController().signal });
    await panel.does(() => panel.duck.look());
    expect(panel.session.state.duckedSequenceId).toBeNull();
  });
});
