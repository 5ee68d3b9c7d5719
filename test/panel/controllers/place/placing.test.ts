import { describe, expect, test } from "vitest";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { PlaceController } from "../../../../panel/controllers/place/place-controller.ts";
import type { PanelState } from "../../../../panel/state/panel-state.ts";
import { editCue, toggleMuted } from "../../../../panel/state/review-edits.ts";
import { selectCue } from "../../../../panel/state/review-state.ts";
import { cutText, words } from "../../../../panel/words/words.ts";
import { markerComment } from "../../../../src/core/cue.ts";
import type { TimelineMarker } from "../../../../src/core/timeline.ts";
import { cutOf } from "../../../../src/host/edit-plan.ts";
import { readRecord } from "../../../../src/result/record.ts";
import type { PlacedResult, Result } from "../../../../src/result/result.ts";
import { madeClip, madeMedia, madeTrack } from "../../../made-timeline.ts";
import { CUES, type EditingPanel, editingPanel, FILM, NARRATION, withNarration } from "../../editing-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";
import { found } from "../../views/reviewed.ts";

interface Placing extends EditingPanel {
  readonly place: PlaceController;
  readonly apply: ApplyController;
  /** What others were asked to do. */
  readonly asked: string[];
}

function placing(change: Partial<Result> = {}, state: Partial<PanelState> = {}): Placing {
  // Times that are set by hand: they stay when words change.
  const panel = editingPanel({ timedIds: ["a", "b", "c", "d"], ...change }, state);
  const asked: string[] = [];
  const apply = new ApplyController(panel.session);
  const others = panel.ports.wrap({
    voice: async () => void asked.push("voice"),
    duck: async (how: object) => void asked.push(`duck ${JSON.stringify(how)}`),
  });
  return { ...panel, asked, apply, place: new PlaceController(panel.session, apply, others) };
}
const message = ({ session }: EditingPanel) => session.state.message;
const review = ({ session }: EditingPanel) => {
  const { review } = session.state;
  if (review === null) throw new Error("no review");
  return review;
};
/** The records of the sequence: in the project, and beside it. */
function records({ editor, files }: EditingPanel, sequenceId = "s1"): readonly (PlacedResult | null)[] {
  return [
    editor.notes.get(`${sequenceId} record`),
    files.texts.get(`/panel/results/sequence-${sequenceId}.record.txt`),
  ].map((text) => {
    const reading = text === undefined ? null : readRecord(text);
    return reading?.ok === true ? reading.record : null;
  });
}
/** An editor changes markers of ours on the timeline. */
function workOn({ editor }: EditingPanel, change: (marker: TimelineMarker) => readonly TimelineMarker[]): void {
  const { timeline } = editor;
  editor.timeline = {
    ...timeline,
    markers: timeline.markers.flatMap((one) => (one.name.startsWith("AD ") ? change(one) : [one])),
  };
}
const wordsOf = (marker: TimelineMarker, id: string, text: string) =>
  marker.comment.includes(`AD·${id}`) ? { ...marker, comment: markerComment(id, text) } : marker;
const edit = ({ session }: EditingPanel, id: string, change: { text?: string; start?: number; end?: number }) =>
  session.store.update((state) =>
    state.review === null ? state : { ...state, review: editCue(state.review, id, change) },
  );

/** Both markers and both cues were worked on, and the editor is asked which words stay. */
async function disputed(): Promise<Placing> {
  const panel = placing();
  await panel.does(() => panel.place.markers());
  workOn(panel, (marker) => [wordsOf(wordsOf(marker, "a", "A man sits."), "b", "Hail.")]);
  edit(panel, "a", { text: "A girl sits." });
  edit(panel, "b", { text: "Snow." });
  await panel.does(() => panel.place.markers());
  return panel;
}

describe("markers", () => {
  test("lie where the cues are on the clock of the sequence; the record of them is in the project and beside it, and the job says so", async () => {
    const panel = placing({ offsetSeconds: 10, durationSeconds: 50 });
    expect(await panel.does(() => panel.place.markers())).toBe(true);
    expect(panel.markers()).toEqual(["11 12.52 A woman sits.", "16 17 Rain."]);
    const [inside, beside] = records(panel);
    expect([inside?.revision, beside?.revision, beside?.placed.markerIds]).toEqual([1, 1, { a: "a", b: "b" }]);
    expect(beside?.placed.layout).toEqual(cutOf(FILM));
    expect([panel.keptJob()?.placedMarkers, panel.keptJob()?.placedNarration]).toEqual([true, undefined]);
    expect(panel.session.state.canTakeBack).toBe(true);
    expect(panel.kept()?.cues).toEqual(CUES);
    // A second time there is nothing to do.
    expect(await panel.does(() => panel.place.markers())).toBe(true);
    expect(message(panel)?.text).toBe(words.nothingToPlace);
    expect(panel.editor.applied).toHaveLength(1);
    await panel.does(() => panel.apply.takeBack());
    expect(panel.markers()).toEqual([]);
  });

  test("that were placed in part are kept as far as they came, and that is told as a fault", async () => {
    const panel = placing();
    panel.editor.report = { outcome: "partial", differences: ["one is missing"], tried: ["asked: nothing"] };
    expect(await panel.does(() => panel.place.markers())).toBe(false);
    expect(message(panel)).toMatchObject({ isFault: true, details: ["one is missing", "asked: nothing"] });
    expect(panel.keptJob()?.placedMarkers).toBe(true);
    expect(records(panel)[1]?.cues.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("that nobody worked on follow the edits in the review; what was worked on is asked about first, and done at the second call", async () => {
    const panel = placing();
    await panel.does(() => panel.place.markers());
    edit(panel, "b", { text: "Rain falls." });
    expect(await panel.does(() => panel.place.markers())).toBe(true);
    expect(panel.markers()).toEqual(["1 2.52 A woman sits.", "6 7 Rain falls."]);
    workOn(panel, (marker) => [wordsOf(marker, "a", "A man sits.")]);
    edit(panel, "b", { text: "Snow falls." });
    expect(await panel.does(() => panel.place.markers())).toBe(false);
    expect(review(panel).preview?.lines.map(({ cueId, isDisputed }) => [cueId, isDisputed])).toEqual([
      ["a", false],
      ["b", false],
    ]);
    expect(panel.markers()).toEqual(["1 2.52 A man sits.", "6 7 Rain falls."]);
    expect(await panel.does(() => panel.place.markers())).toBe(true);
    expect(panel.markers()).toEqual(["1 2.52 A man sits.", "6 7 Snow falls."]);
    expect([review(panel).preview, review(panel).result.cues.map(({ text }) => text)]).toEqual([
      null,
      ["A man sits.", "Snow falls."],
    ]);
    expect(panel.kept()?.cues.map(({ text }) => text)).toEqual(["A man sits.", "Snow falls."]);
    expect(message(panel)?.details?.[0]).toContain(words.merged({ counts: "" }).slice(0, 20));
  });

  test("that both sides changed are decided cue by cue: the editor's stay unless the new ones are chosen; what comes of it is shown", async () => {
    for (const side of ["mine", "theirs"] as const) {
      const panel = await disputed();
      expect(review(panel).preview?.lines.map(({ isDisputed }) => isDisputed)).toEqual([true, true]);
      const before = review(panel).preview?.counts;
      panel.place.choose(["a"], side);
      panel.place.choose(["b"], "theirs");
      expect(review(panel).choices).toEqual({ a: side, b: "theirs" });
      expect(review(panel).preview?.counts === before).toBe(false);
      expect(await panel.does(() => panel.place.markers())).toBe(true);
      expect(panel.markers()).toEqual([`1 2.52 ${side === "mine" ? "A man sits." : "A girl sits."}`, "6 7 Snow."]);
      expect(review(panel).choices).toEqual({});
    }
  });

  test("that both sides changed are decided at once where several are named, and no others", async () => {
    for (const ids of [["a", "b"], ["b"], []]) {
      const panel = await disputed();
      panel.place.choose(ids, "theirs");
      await panel.does(() => panel.place.markers());
      expect(panel.markers()).toEqual([
        `1 2.52 ${ids.includes("a") ? "A girl sits." : "A man sits."}`,
        `6 7 ${ids.includes("b") ? "Snow." : "Hail."}`,
      ]);
    }
  });

  test("that changed again while they were asked about are shown again, and that is said; left as they are, nothing is chosen", async () => {
    const panel = placing();
    await panel.does(() => panel.place.markers());
    workOn(panel, (marker) => [wordsOf(marker, "a", "A man sits.")]);
    edit(panel, "a", { text: "A girl sits." });
    await panel.does(() => panel.place.markers());
    expect(message(panel)?.text).not.toBe(words.mergeChanged);
    workOn(panel, (marker) => [wordsOf(marker, "b", "Hail.")]);
    expect(await panel.does(() => panel.place.markers())).toBe(false);
    expect(message(panel)?.text).toBe(words.mergeChanged);
    panel.place.choose(["a"], "theirs");
    panel.place.closePreview();
    expect([review(panel).preview, review(panel).choices]).toEqual([null, {}]);
    expect(panel.markers()).toEqual(["1 2.52 A man sits.", "6 7 Hail."]);
    panel.place.choose(["a"], "theirs");
    expect(review(panel).choices).toEqual({});
  });

  test("of another range are none that this result is merged into", async () => {
    const panel = placing({ durationSeconds: 30 });
    await panel.does(() => panel.place.markers());
    const other = { ...review(panel), result: { ...review(panel).result, durationSeconds: 50 } };
    panel.session.store.set({ review: other });
    edit(panel, "b", { text: "Snow." });
    // Of the markers that are there nobody knows whose they are.
    expect(await panel.does(() => panel.place.markers())).toBe(false);
    expect(review(panel).preview?.lines.length).toBeGreaterThan(0);
  });

  test("get a colour by their findings only where that is wanted", async () => {
    const findings = [found("over", ["b"], { severity: "fail" })];
    const colours = async (coloursMarkers: boolean) => {
      const panel = placing({ findings }, { coloursMarkers });
      await panel.does(() => panel.place.markers());
      return panel.editor.timeline.markers.map(({ colour }) => colour);
    };
    const [plain, coloured] = [await colours(false), await colours(true)];
    expect([new Set(plain).size, new Set(coloured).size]).toEqual([1, 2]);
  });
});

describe("markers that are read back", () => {
  test("bring what was changed, moved, deleted and added on the timeline into the result, as one step, and on disk", async () => {
    const panel = placing({ cues: [...CUES, { id: "c", start: 9, end: 10, text: "Night." }] });
    await panel.does(() => panel.place.markers());
    workOn(panel, (marker) => {
      if (marker.comment.includes("AD·b")) return [];
      return [
        marker.comment.includes("AD·c") ? { ...marker, start: 20, end: 21 } : wordsOf(marker, "a", "A man sits."),
      ];
    });
    await panel.does(() => panel.place.readMarkers());
    expect(review(panel).result.cues.map(({ id, start, end, text }) => [id, start, end, text])).toEqual([
      ["a", 1, 2.5, "A man sits."],
      ["c", 20, 21, "Night."],
    ]);
    expect(review(panel).past.map(({ action }) => action)).toEqual(["merged"]);
    expect(panel.kept()?.cues).toEqual(review(panel).result.cues);
    expect(message(panel)?.text).toEqual(words.markersRead({ counts: "2 kept as you changed them, 1 stay deleted" }));
    // The timeline is only read.
    expect(panel.editor.applied).toHaveLength(1);
  });

  test("leave what was changed here too as it is here, and that is said", async () => {
    const panel = placing();
    await panel.does(() => panel.place.markers());
    workOn(panel, (marker) => [wordsOf(wordsOf(marker, "a", "A man sits."), "b", "Hail.")]);
    edit(panel, "a", { text: "A girl sits." });
    edit(panel, "b", { text: "Snow." });
    await panel.does(() => panel.place.readMarkers());
    expect(review(panel).result.cues.map(({ text }) => text)).toEqual(["A girl sits.", "Snow."]);
    expect(message(panel)?.details).toEqual([words.readDisputed({ count: 2 })]);
  });

  test("are none where nothing was placed, which is said; words that are still being typed are taken first", async () => {
    const panel = placing();
    let committed = 0;
    panel.session.commitTyped = () => {
      committed += 1;
    };
    await panel.does(() => panel.place.readMarkers());
    expect([message(panel)?.text, committed]).toEqual([words.nothingToRead, 1]);
  });
});

describe("narration", () => {
  test("lies as a clip for each line, on a track of its own, where the lines are; the job says so, and taking it back takes it off", async () => {
    const panel = placing({ ...withNarration(), offsetSeconds: 10, durationSeconds: 50 });
    await panel.does(() => panel.place.narration());
    expect(panel.voices()).toEqual(["aside-a A woman sits.wav 11", "aside-b Rain.wav 16"]);
    expect(panel.keptJob()?.placedNarration).toBe(true);
    expect(panel.files.folders).toEqual(["/projects/aside-harbour"]);
    expect([...panel.files.bytes.keys()].filter((path) => path.startsWith("/projects/aside-harbour/"))).toHaveLength(2);
    await panel.does(() => panel.apply.takeBack());
    expect(panel.voices()).toEqual([]);
    await panel.does(() => panel.place.narration());
    await panel.does(() => panel.place.narration());
    expect(message(panel)?.text).toBe(words.nothingToPlace);
  });

  test("is one file where that is wanted, and the mix; a mix holds the programme too, so that the rest is muted if that is wanted", async () => {
    const whole = placing(withNarration(), { placesClips: false });
    await whole.does(() => whole.place.narration());
    expect(whole.voices()).toEqual(["aside-harbour.wav 0"]);
    expect(whole.session.state.muting).toBeNull();
    const mix = placing({ ...withNarration(), track: "mixed" }, { placesClips: true, ducksProgramme: true });
    await mix.does(() => mix.place.narration());
    expect([mix.voices(), mix.session.state.muting, mix.asked]).toEqual([["aside-harbour.wav 0"], "offered", []]);
    const sounding = () => mix.editor.timeline.tracks.map(({ isEnabled }) => isEnabled);
    await mix.does(() => mix.place.mute());
    expect([sounding(), mix.session.state.muting]).toEqual([[true, false, false, true], "done"]);
    await mix.does(() => mix.place.narration());
    expect(mix.session.state.muting).toBe("done");
    await mix.does(() => mix.place.mute());
    expect([sounding(), mix.session.state.muting]).toEqual([[true, true, true, true], "offered"]);
    // What was not done is offered again.
    mix.editor.report = { outcome: "partial" };
    await mix.does(() => mix.place.mute());
    expect(mix.session.state.muting).toBe("offered");
  });

  test("leaves out what says other words, and what is muted, and says how many; or has them voiced first", async () => {
    const cues = [
      ...CUES,
      { id: "c", start: 9, end: 10, text: "Night." },
      { id: "d", start: 12, end: 13, text: "Day." },
    ];
    const panel = placing({ cues, ...withNarration(cues) });
    edit(panel, "a", { text: "A man sits." });
    edit(panel, "d", { text: "Dawn." });
    panel.session.store.update((state) =>
      state.review === null ? state : { ...state, review: toggleMuted(selectCue(state.review, "b", false)) },
    );
    await panel.does(() => panel.place.narration());
    expect(panel.voices()).toEqual(["aside-c Night.wav 9"]);
    expect(message(panel)?.details).toEqual([words.untrueLeftOut({ count: 2 }), words.silenced({ count: 1 })]);
    panel.session.store.set({ voicesFirst: true });
    await panel.does(() => panel.place.narration());
    expect([panel.asked, panel.editor.applied.length]).toEqual([["voice"], 1]);
    const mix = placing({ cues, ...withNarration(cues), track: "mixed" });
    edit(mix, "a", { text: "A man sits." });
    await mix.does(() => mix.place.narration());
    expect([message(mix)?.text, message(mix)?.isFault, mix.editor.applied]).toEqual([words.mixDiffers, true, []]);
  });

  test("has the programme lowered under it where that is wanted, as one thing with it, and not where it could not be placed", async () => {
    const panel = placing(withNarration(), { ducksProgramme: true });
    await panel.does(() => panel.place.narration());
    await panel.does(() => panel.place.narration());
    expect(panel.asked).toEqual(['duck {"continues":true}', 'duck {"continues":false}']);
    const partly = placing(withNarration(), { ducksProgramme: true });
    partly.editor.report = { outcome: "partial" };
    await partly.does(() => partly.place.narration());
    expect(partly.asked).toEqual([]);
  });

  test("whose clips an editor drew elsewhere go back to their lines, and that is said", async () => {
    const panel = placing(withNarration());
    await panel.does(() => panel.place.narration());
    const { timeline } = panel.editor;
    const drawn = timeline.tracks.map((track, index) =>
      index < 3
        ? track
        : { ...track, clips: track.clips.map((clip) => ({ ...clip, start: clip.start + 5, end: clip.end + 5 })) },
    );
    panel.editor.timeline = { ...timeline, tracks: drawn };
    await panel.does(() => panel.place.narration());
    expect(panel.voices()).toEqual(["aside-a A woman sits.wav 1", "aside-b Rain.wav 6"]);
    expect(message(panel)?.details).toEqual([words.clipsToLines({ count: 2 })]);
  });
});

describe("all that is ticked", () => {
  test("is markers and narration in one plan, one step to undo, which is taken back together", async () => {
    const panel = placing(withNarration(), { ducksProgramme: true });
    await panel.does(() => panel.place.everything());
    expect(panel.editor.applied).toHaveLength(1);
    expect(panel.editor.applied[0]?.groups.map(({ label }) => label)).toEqual([
      words.withNarration({ label: "Place 2 description markers" }),
    ]);
    expect([panel.markers().length, panel.voices()]).toEqual([2, ["aside-a A woman sits.wav 1", "aside-b Rain.wav 6"]]);
    expect([panel.keptJob()?.placedMarkers, panel.keptJob()?.placedNarration, panel.asked]).toEqual([
      true,
      true,
      ['duck {"continues":true}'],
    ]);
    await panel.does(() => panel.apply.takeBack());
    expect([panel.markers(), panel.voices()]).toEqual([[], []]);
  });

  test("is markers alone or narration alone where the other is not ticked, or not there", async () => {
    const markers = placing(withNarration(), { placesNarration: false });
    await markers.does(() => markers.place.everything());
    expect([markers.markers().length, markers.voices()]).toEqual([2, []]);
    const narration = placing(withNarration(), { placesMarkers: false });
    await narration.does(() => narration.place.everything());
    expect([narration.markers(), narration.voices().length]).toEqual([[], 2]);
    const without = placing();
    await without.does(() => without.place.everything());
    expect([without.markers().length, message(without)?.isFault]).toEqual([2, false]);
  });

  test("is placed without its sound where that is gone, which is told after the markers", async () => {
    const panel = placing(withNarration(), { placesClips: false });
    panel.files.bytes.delete(NARRATION);
    await panel.does(() => panel.place.everything());
    expect(panel.markers()).toHaveLength(2);
    expect(panel.editor.applied[0]?.groups.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
      "add-marker",
      "add-marker",
    ]);
  });

  test("says of both what was done: of the markers first, then of the narration", async () => {
    const panel = placing(withNarration());
    await panel.does(() => panel.place.markers());
    await panel.does(() => panel.place.everything());
    expect(panel.editor.applied).toHaveLength(2);
    expect([message(panel)?.text, message(panel)?.details]).toEqual([
      "Done: Place narration. Premiere’s Undo removes it in 2 steps.",
      ["Everything is on the timeline already.", "Merged with what is on the timeline: Nothing changes."],
    ]);
    edit(panel, "b", { text: "Snow." });
    await panel.does(() => panel.place.everything());
    expect([message(panel)?.text, message(panel)?.details, panel.voices()]).toEqual([
      "Done: Place 2 description markers with the narration. Premiere’s Undo removes it in 1 step.",
      [
        "Merged with what is on the timeline: 1 updated.",
        "1 line was not placed: the words changed since it was recorded. Record, then place again.",
      ],
      ["aside-a A woman sits.wav 1"],
    ]);
  });

  test("waits while the markers ask something, and places no sound then", async () => {
    const panel = placing(withNarration());
    await panel.does(() => panel.place.markers());
    workOn(panel, (marker) => [wordsOf(marker, "a", "A man sits.")]);
    await panel.does(() => panel.place.everything());
    expect([review(panel).preview === null, panel.voices()]).toEqual([false, []]);
  });
});

describe("findings", () => {
  test("are markers in place of those of an earlier check; without any these only go, and where none are that is said", async () => {
    const findings = [found("cps", ["a"]), found("over", ["b"], { severity: "fail" }), found("whole", [])];
    const panel = placing({ findings, offsetSeconds: 10, durationSeconds: 50 });
    const shown = () => panel.editor.timeline.markers.map(({ start }) => start);
    await panel.does(() => panel.place.findings());
    expect(shown()).toEqual([11, 16]);
    panel.session.store.update((state) =>
      state.review === null
        ? state
        : { ...state, review: { ...state.review, result: { ...state.review.result, findings: findings.slice(1, 2) } } },
    );
    await panel.does(() => panel.place.findings());
    expect(shown()).toEqual([16]);
    await panel.does(() => panel.apply.takeBack());
    expect(shown()).toEqual([11, 16]);
    const none = placing();
    await none.does(() => none.place.findings());
    expect(message(none)?.text).toBe(words.noFindingMarkers);
  });
});

describe("the sequence that is active", () => {
  test("has to be the one that was described, or a copy that holds its markers; of another nothing is changed", async () => {
    const panel = placing();
    await panel.does(() => panel.place.markers());
    await panel.does(() =>
      panel.session.environment.editor.copySequence(
        { sequenceId: "s1", name: "Copy" },
        { signal: new AbortController().signal },
      ),
    );
    panel.editor.notes.clear();
    edit(panel, "b", { text: "Snow." });
    expect(await panel.does(() => panel.place.markers())).toBe(true);
    expect([review(panel).sequence.name, panel.markers()]).toEqual(["Copy", ["1 2.52 A woman sits.", "6 7 Snow."]]);
    const other = placing();
    await other.does(() =>
      other.session.environment.editor.copySequence(
        { sequenceId: "s1", name: "Other" },
        { signal: new AbortController().signal },
      ),
    );
    await expect(other.does(() => other.place.markers())).rejects.toMatchObject({
      code: "no_sequence",
      message: words.otherActive({ wanted: "Harbour", active: "Other" }),
    });
    expect(other.editor.applied).toEqual([]);
  });

  test("that was cut anew since its export is followed before the first placing, and that is said", async () => {
    const panel = placing({ cut: { layout: cutOf(FILM) } });
    panel.editor.timeline = {
      ...FILM,
      tracks: [madeTrack("video", [madeClip(madeMedia("film.mov"), 0, 55, { sourceStart: 5 })], { name: "V1" })],
    };
    await panel.does(() => panel.place.markers());
    expect(panel.markers()).toEqual(["1 1.04 Rain.", "1.04 2.52 A woman sits."]);
    expect(message(panel)?.details).toEqual([cutText(words.cutSinceExport, { moved: 0, touched: 1, orphaned: 1 })]);
    expect(panel.kept()?.cues.map(({ id, start }) => [id, start])).toEqual([
      ["b", 1],
      ["a", 1],
    ]);
  });

  test("that was cut anew since the placing has to be followed first, unless its notice was put away", async () => {
    const panel = placing(withNarration());
    await panel.does(() => panel.place.everything());
    const applied = panel.editor.applied.length;
    const { timeline } = panel.editor;
    const [, ...others] = timeline.tracks;
    panel.editor.timeline = {
      ...timeline,
      tracks: [madeTrack("video", [madeClip(madeMedia("film.mov"), 2, 62)], { name: "V1" }), ...others],
    };
    for (const work of [() => panel.place.markers(), () => panel.place.narration(), () => panel.place.everything()]) {
      await panel.does<unknown>(work);
      expect(message(panel)).toMatchObject({ text: words.followFirst, isFault: true, remedies: ["follow-cut"] });
    }
    expect(panel.editor.applied).toHaveLength(applied);
  });

  test("is left alone while something else is done on it", async () => {
    const panel = placing(withNarration());
    const held = Promise.withResolvers<void>();
    const work = panel.apply.work("working", () => held.promise);
    const before = panel.ports.calls.length;
    await panel.does(() => panel.place.markers());
    await panel.does(() => panel.place.narration());
    expect([panel.ports.calls.length - before, panel.editor.applied]).toEqual([0, []]);
    held.resolve();
    await work;
  });

  test("gets nothing of a result whose job is gone, and none where no result is open", async () => {
    for (const state of [{ jobs: [jobEntry({ runId: "other" })] }, { review: null }]) {
      const panel = placing({}, state);
      expect(await panel.does(() => panel.place.markers())).toBe(false);
      expect(panel.editor.applied).toEqual([]);
    }
  });
});
