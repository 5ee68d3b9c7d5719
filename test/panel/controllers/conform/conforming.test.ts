import { describe, expect, test } from "vitest";
import { ConformController } from "../../../../panel/controllers/conform/conform-controller.ts";
import { JoinController } from "../../../../panel/controllers/conform/join-controller.ts";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { PlaceController } from "../../../../panel/controllers/place/place-controller.ts";
import type { PanelState } from "../../../../panel/state/panel-state.ts";
import { acceptAll } from "../../../../panel/state/review-edits.ts";
import { words } from "../../../../panel/words/words.ts";
import { cutOf, NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { readRecord } from "../../../../src/result/record.ts";
import type { Result } from "../../../../src/result/result.ts";
import { voicedCues } from "../../../../src/result/stale.ts";
import type { DescribedStretch } from "../../../../src/workflow/conform/describe-stretches.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { madeClip, madeMedia } from "../../../made-timeline.ts";
import { CUES, type EditingPanel, editingPanel, FILM, withNarration } from "../../editing-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";

/** A stretch of a file: its name, from where to where of it; one after the other. */
type Piece = readonly [name: string, from: number, to: number];

interface Conforming extends EditingPanel {
  readonly place: PlaceController;
  readonly apply: ApplyController;
  readonly conform: ConformController;
  readonly join: JoinController;
  /** Lines that were to be recorded. */
  readonly recorded: string[];
  /** Whether lines can be recorded. */
  records: (id: string) => boolean;
}

/** A result that is placed on its sequence, with a clip for each line. */
async function placed(change: Partial<Result> = {}, state: Partial<PanelState> = {}): Promise<Conforming> {
  const panel = editingPanel({ timedIds: ["a", "b"], ...withNarration(), ...change }, state);
  const apply = new ApplyController(panel.session);
  const place = new PlaceController(panel.session, apply, {
    voice: async () => undefined,
    duck: async () => undefined,
  });
  const recorded: string[] = [];
  const record = async ({ id }: { readonly id: string }) => {
    recorded.push(id);
    if (!made.records(id)) throw new Error("no voice");
    return true;
  };
  const conform = new ConformController(panel.session, apply, panel.ports.wrap({ record }));
  const made: Conforming = {
    ...panel,
    apply,
    place,
    conform,
    recorded,
    join: new JoinController(panel.session, apply),
    records: () => true,
  };
  await made.does(() => place.everything());
  panel.session.store.set({ message: null, canTakeBack: false });
  return made;
}

/** Cuts all tracks but the narration's anew. */
function recut({ editor }: EditingPanel, ...pieces: readonly Piece[]): void {
  let at = 0;
  const places = pieces.map(([name, from, to]) => {
    const start = at;
    at += to - from;
    return { name, from, start, end: at };
  });
  const tracks = editor.timeline.tracks.map((track) => {
    if (track.name === NARRATION_TRACK_NAME) return track;
    const [clip] = track.clips;
    const clips = places.map(({ name, from, start, end }) => {
      const source = name === "film.mov" ? (clip?.source ?? madeMedia(name)) : madeMedia(`${track.name} ${name}`);
      return madeClip(source, start, end, { sourceStart: from });
    });
    return { ...track, clips };
  });
  editor.timeline = { ...editor.timeline, tracks };
  editor.durationSeconds = at;
}
const message = ({ session }: EditingPanel) => session.state.message;
const result = ({ session }: EditingPanel) => session.state.review?.result;
const times = (cues: readonly { readonly id: string; readonly start: number }[] = []) =>
  cues.map(({ id, start }) => `${id} ${start}`);
const record = ({ files }: EditingPanel) => {
  const reading = readRecord(files.texts.get("/panel/results/sequence-s1.record.txt") ?? "");
  return reading?.ok === true ? reading.record : null;
};
/** Two seconds before the second line are taken out. */
const SHORTER: readonly Piece[] = [
  ["film.mov", 0, 3],
  ["film.mov", 5, 60],
];
/** The first line's picture is gone. */
const WITHOUT_FIRST: readonly Piece[] = [["film.mov", 4, 60]];
/** Ten seconds of new picture come in between. */
const LONGER: readonly Piece[] = [
  ["film.mov", 0, 4],
  ["new.mov", 0, 10],
  ["film.mov", 4, 60],
];

describe("a cut that changed", () => {
  test("is seen, whoever looks; as it was, it is nothing, and nothing of it stays to be told", async () => {
    const panel = await placed();
    await panel.does(() => panel.conform.look());
    expect(panel.session.state.conform).toBeNull();
    recut(panel, ...SHORTER);
    await panel.does(() => panel.conform.glance());
    const { conform } = panel.session.state;
    expect([
      conform?.sequence.id,
      conform?.sequence.durationSeconds,
      conform?.stretches,
      conform?.toRecord,
      conform?.record.runId,
    ]).toEqual(["s1", 58, [], 0, "run-1"]);
    expect(conform?.plan.descriptions.map(({ cueId, state }) => [cueId, state])).toEqual([
      ["a", "unchanged"],
      ["b", "moved"],
    ]);
    recut(panel, ["film.mov", 0, 60]);
    await panel.does(() => panel.conform.look());
    expect(panel.session.state.conform).toBeNull();
  });

  test("is not looked at while something is placed, nor of another sequence, nor where nothing of ours lies any more", async () => {
    const panel = await placed();
    recut(panel, ...SHORTER);
    const looks = async () => {
      panel.session.store.set({ conform: null });
      await panel.does(() => panel.conform.look());
      return panel.session.state.conform !== null;
    };
    expect(await looks()).toBe(true);
    panel.session.store.set({ placing: { what: "x", fraction: 0 } });
    expect(await looks()).toBe(false);
    panel.session.store.set({ placing: null, sequence: { ...jobEntry().sequence, id: "other" } });
    expect(await looks()).toBe(false);
    panel.session.store.set({ sequence: null });
    expect(await looks()).toBe(false);
    panel.session.store.set({ sequence: jobEntry().sequence });
    panel.editor.timeline = { ...panel.editor.timeline, markers: [] };
    expect(await looks()).toBe(false);
  });

  test("is read once at a time, and what is found of a sequence that was left meanwhile is not shown", async () => {
    const panel = await placed();
    recut(panel, ...SHORTER);
    const before = panel.ports.calls.filter((name) => name === "readTimeline").length;
    await panel.does(() => Promise.all([panel.conform.look(), panel.conform.look(), panel.conform.glance()]));
    expect(panel.ports.calls.filter((name) => name === "readTimeline").length - before).toBe(1);
    panel.session.store.set({ conform: null });
    const look = panel.conform.look();
    panel.session.store.set({ sequence: { ...jobEntry().sequence, id: "other" } });
    await panel.ports.letGo();
    await look;
    expect(panel.session.state.conform).toBeNull();
  });

  test("is followed by markers and voices in one step; what is kept follows, and all of it is taken back at once", async () => {
    const panel = await placed();
    const [markers, voices, kept] = [panel.markers(), panel.voices(), panel.kept()];
    const revision = record(panel)?.revision ?? 0;
    recut(panel, ...SHORTER);
    const applied = panel.editor.applied.length;
    expect(await panel.does(() => panel.conform.apply())).toBe(true);
    expect([panel.markers(), panel.voices()]).toEqual([
      ["1 2.52 A woman sits.", "4 5 Rain."],
      ["aside-a A woman sits.wav 1", "aside-b Rain.wav 4"],
    ]);
    expect([panel.editor.applied.length - applied, panel.editor.applied.at(-1)?.groups.length]).toEqual([1, 1]);
    expect([message(panel)?.text, message(panel)?.details]).toEqual([
      `${words.conformed({ cues: 1, doubtful: 0 })} ${words.undoSteps({ steps: 1 })}`,
      [],
    ]);
    expect([times(result(panel)?.cues), times(panel.kept()?.cues), times(record(panel)?.cues)]).toEqual([
      ["a 1", "b 4"],
      ["a 1", "b 4"],
      ["a 1", "b 4"],
    ]);
    expect([
      result(panel)?.isRecut,
      record(panel)?.revision,
      panel.session.state.conform,
      panel.session.state.view,
    ]).toEqual([true, revision + 1, null, "describe"]);
    expect(panel.editor.notes.get("s1 record")).toContain(`"revision":${revision + 1}`);
    expect(record(panel)?.placed.layout).toEqual(cutOf(panel.editor.timeline));
    await panel.does(() => panel.apply.takeBack());
    expect([panel.markers(), panel.voices(), panel.kept()?.cues, result(panel)?.cues]).toEqual([
      markers,
      voices,
      kept?.cues,
      kept?.cues,
    ]);
    expect([panel.session.state.conform === null, record(panel)?.revision]).toEqual([false, revision + 2]);
  });

  test("that took the picture of a line away has a person look at it: it is no longer accepted, and the review shows what was found", async () => {
    const panel = await placed();
    panel.session.store.update((state) =>
      state.review === null ? state : { ...state, review: acceptAll(state.review) },
    );
    recut(panel, ...WITHOUT_FIRST);
    expect(await panel.does(() => panel.conform.apply())).toBe(true);
    const { view, review } = panel.session.state;
    expect([
      view,
      review?.filter,
      review?.result.acceptedIds,
      review?.result.findings.map(({ rule, cueIds }) => [rule, cueIds]),
    ]).toEqual(["review", "findings", ["b"], [["conform-orphaned", ["a"]]]]);
    expect(message(panel)?.text).toBe(`${words.conformed({ cues: 1, doubtful: 1 })} ${words.undoSteps({ steps: 1 })}`);
    expect(panel.kept()?.findings.map(({ rule }) => rule)).toEqual(review?.result.findings.map(({ rule }) => rule));
  });

  test("of a result that is not under review is kept with it on disk, and the one under review stays; what must be looked at is opened", async () => {
    const panel = await placed();
    const other = placedResult([], { runId: "other" });
    const { review } = panel.session.state;
    if (review === null) throw new Error("no review");
    panel.session.store.set({ review: { ...review, result: other } });
    recut(panel, ...SHORTER);
    await panel.does(() => panel.conform.apply());
    expect([result(panel)?.runId, times(panel.kept()?.cues)]).toEqual(["other", ["a 1", "b 4"]]);
    recut(panel, ...WITHOUT_FIRST);
    await panel.does(() => panel.conform.apply());
    expect([result(panel)?.runId, panel.session.state.view, panel.session.state.review?.filter]).toEqual([
      "run-1",
      "review",
      "findings",
    ]);
  });

  test("that is as it was described is not followed, which is said; nor is any while something else is placed", async () => {
    const panel = await placed();
    const applied = panel.editor.applied.length;
    expect(await panel.does(() => panel.conform.apply())).toBe(false);
    expect(message(panel)?.text).toBe(words.conformNothing);
    recut(panel, ...SHORTER);
    const held = Promise.withResolvers<void>();
    const work = panel.apply.work("working", () => held.promise);
    expect(await panel.does(() => panel.conform.apply())).toBe(false);
    expect(panel.editor.applied.length).toBe(applied);
    held.resolve();
    await work;
  });

  test("that was followed in part is told so, and nothing is kept as if it were done", async () => {
    const panel = await placed();
    const kept = [times(panel.kept()?.cues), record(panel)?.revision];
    recut(panel, ...SHORTER);
    panel.editor.report = { outcome: "partial", differences: ["one is missing"] };
    expect(await panel.does(() => panel.conform.apply())).toBe(false);
    expect(message(panel)).toMatchObject({ isFault: true, text: words.partlyPlaced, details: ["one is missing"] });
    expect([times(panel.kept()?.cues), record(panel)?.revision]).toEqual(kept);
  });

  test("has a notice that can be put away, and a playhead that goes to its cues; without one neither does anything", async () => {
    const panel = await placed();
    panel.conform.putAside();
    panel.conform.jump(3);
    expect([panel.session.state.setAsideCut, panel.editor.moved]).toEqual([null, []]);
    recut(panel, ...SHORTER);
    await panel.does(() => panel.conform.look());
    panel.conform.putAside();
    const one = panel.session.state.setAsideCut;
    panel.conform.jump(3);
    await panel.rest();
    expect([typeof one, panel.editor.moved]).toEqual(["string", [3]]);
    recut(panel, ...WITHOUT_FIRST);
    await panel.does(() => panel.conform.look());
    panel.conform.putAside();
    expect(panel.session.state.setAsideCut).not.toBe(one);
  });
});

describe("narration that follows the cut", () => {
  /** The narration as one clip. */
  const asOne = (change: Partial<Result> = {}) => placed(change, { placesClips: false });

  test("becomes a clip for each line where it was one for all, each where its picture went", async () => {
    const panel = await asOne();
    expect(panel.voices()).toEqual(["aside-harbour.wav 0"]);
    recut(panel, ...SHORTER);
    await panel.does(() => panel.conform.apply());
    expect([panel.voices(), panel.recorded]).toEqual([["aside-a A woman sits.wav 1", "aside-b Rain.wav 4"], []]);
    await panel.does(() => panel.apply.takeBack());
    expect(panel.voices()).toEqual(["aside-harbour.wav 0"]);
  });

  test("has lines whose words changed recorded first, one after the other; what cannot be is left out, and that is said", async () => {
    const panel = await asOne();
    const { review } = panel.session.state;
    if (review === null) throw new Error("no review");
    const cues = CUES.map((cue) => ({ ...cue, text: `${cue.text} Still.` }));
    panel.session.store.set({ review: { ...review, result: { ...review.result, cues } } });
    panel.records = (id) => id === "b";
    recut(panel, ...SHORTER);
    await panel.does(() => panel.conform.look());
    expect(panel.session.state.conform?.toRecord).toBe(2);
    const shown: (number | undefined)[] = [];
    const { store } = panel.session;
    const update = store.update.bind(store);
    store.update = (next) => {
      update(next);
      if (store.state.placing?.what === words.recordingLines) shown.push(store.state.placing.fraction);
    };
    await panel.does(() => panel.conform.apply());
    expect([panel.recorded, [...new Set(shown)]]).toEqual([
      ["a", "b"],
      [0, 0.5],
    ]);
    expect(message(panel)?.details).toEqual([words.untrueLeftOut({ count: 1 }), words.stemStale]);
  });

  test("of a mix stays as it is, and is said not to fit any more", async () => {
    const panel = await asOne({ track: "mixed" });
    recut(panel, ...SHORTER);
    await panel.does(() => panel.conform.look());
    expect(panel.session.state.conform?.toRecord).toBeNull();
    await panel.does(() => panel.conform.apply());
    expect([panel.voices(), message(panel)?.details]).toEqual([["aside-harbour.wav 0"], [words.stemStale]]);
  });
});

describe("what is new in a cut", () => {
  test("is ordered once the rest has followed it; where it has, nothing moves again", async () => {
    const panel = await placed();
    recut(panel, ...LONGER);
    const applied = panel.editor.applied.length;
    const order = await panel.does(() => panel.conform.orderNew());
    expect([order?.sequence.durationSeconds, order?.adds, order?.form.range, order?.form.wanted]).toEqual([
      70,
      { to: "run-1", stretches: [{ start: 0, end: 19, inside: [{ start: 4, end: 14 }] }] },
      "whole",
      "both",
    ]);
    expect([panel.markers(), panel.editor.applied.length - applied]).toEqual([
      ["1 2.52 A woman sits.", "16 17 Rain."],
      1,
    ]);
    expect(await panel.does(() => panel.conform.orderNew())).toEqual(order);
    expect(panel.editor.applied.length - applied).toBe(1);
    // What was described until now is remembered: the rest is new until it is described too.
    expect(record(panel)?.placed.described).toEqual(cutOf(FILM));
  });

  test("is ordered of no sequence, of none that is as it was, and not where the rest could not follow", async () => {
    const panel = await placed();
    expect(await panel.does(() => panel.conform.orderNew())).toBeNull();
    expect(message(panel)?.text).toBe(words.conformNothing);
    recut(panel, ...SHORTER);
    expect(await panel.does(() => panel.conform.orderNew())).toBeNull();
    expect(panel.session.state.conform).not.toBeNull();
    recut(panel, ...LONGER);
    panel.editor.report = { outcome: "partial" };
    expect(await panel.does(() => panel.conform.orderNew())).toBeNull();
    panel.session.store.set({ sequence: null });
    expect(await panel.does(() => panel.conform.orderNew())).toBeNull();
  });

  test("can be left as it is: it counts as described then", async () => {
    const panel = await placed();
    await panel.does(() => panel.conform.leaveNew());
    const revision = record(panel)?.revision ?? 0;
    recut(panel, ...LONGER);
    await panel.does(() => panel.conform.apply());
    expect(panel.session.state.conform?.stretches.map(({ start, end, inside }) => [start, end, inside])).toEqual([
      [0, 19, [{ start: 4, end: 14 }]],
    ]);
    await panel.does(() => panel.conform.leaveNew());
    expect([panel.session.state.conform, record(panel)?.placed.described, record(panel)?.revision]).toEqual([
      null,
      undefined,
      revision + 2,
    ]);
    expect(record(panel)?.placed.layout).toEqual(cutOf(panel.editor.timeline));
  });

  /** The new picture of {@link LONGER} as a job of its own described it: where, and what. */
  const stretch = { start: 0, end: 19, inside: [{ start: 4, end: 14 }] };
  const JOB = jobEntry({
    runId: "new",
    audioPath: "/projects/aside-new.wav",
    adds: { to: "run-1", stretches: [stretch] },
  });
  async function described(
    panel: Conforming,
    { change = {}, refusal }: { change?: Partial<Result>; refusal?: { code: string; message: string } } = {},
  ): Promise<DescribedStretch[]> {
    const cues = [
      { id: "a", start: 1, end: 2, text: "Known." },
      { id: "x", start: 6, end: 8, text: "A gull." },
      { id: "y", start: 9, end: 10, text: "A boat." },
    ];
    panel.files.bytes.set("/projects/aside-new-1.wav", silentWav(19, 1));
    const { settings } = placedResult([]);
    const audio = { path: "/projects/aside-new-1.wav", start: 0, durationSeconds: 19 } as never;
    const { placed: _, ...result } = placedResult(cues, {
      runId: "new-1",
      offsetSeconds: 0,
      durationSeconds: 19,
      audio,
      voiced: voicedCues(cues, settings),
      notices: ["Said."],
      ...change,
    });
    const run = {
      result,
      raw: { format: "vtt", content: "" },
      exported: { path: "/panel/exports/1.wav", isTemporary: true },
    } as never;
    return [
      { stretch, run },
      ...(refusal === undefined ? [] : [{ stretch: { start: 20, end: 24, inside: [] }, run: null, refusal }]),
    ];
  }
  /** Cut longer, and followed. */
  async function longer(change: Partial<Result> = {}, state: Partial<PanelState> = {}): Promise<Conforming> {
    const panel = await placed(change, state);
    recut(panel, ...LONGER);
    await panel.does(() => panel.conform.apply());
    panel.session.store.set({ view: "progress", message: null });
    return panel;
  }

  test("joins the rest with its voices in one step, and is shown there; what was described counts then; all is taken back at once", async () => {
    const panel = await longer();
    const [markers, voices, kept] = [panel.markers(), panel.voices(), panel.kept()];
    const found = await described(panel, { refusal: { code: "content_blocked", message: "It was refused." } });
    expect(await panel.does(() => panel.join.take(JOB, found))).toBe(2);
    expect([panel.markers(), panel.voices()]).toEqual([
      ["1 2.52 A woman sits.", "6 8 A gull.", "9 10 A boat.", "16 17 Rain."],
      ["aside-a A woman sits.wav 1", "aside-x A gull.wav 6", "aside-y A boat.wav 9", "aside-b Rain.wav 16"],
    ]);
    expect([message(panel)?.text, message(panel)?.details]).toEqual([
      `${words.newPlaced({ count: 2 })} ${words.undoSteps({ steps: 1 })}`,
      [words.newRefused({ start: "00:00:20:00", end: "00:00:24:00", why: "It was refused." }), "Said."],
    ]);
    const { view, review, conform } = panel.session.state;
    expect([view, review?.filter, conform]).toEqual(["review", "rule:conform-new", null]);
    expect([times(review?.result.cues), times(panel.kept()?.cues), times(record(panel)?.cues)]).toEqual([
      ["a 1", "x 6", "y 9", "b 16"],
      ["a 1", "x 6", "y 9", "b 16"],
      ["a 1", "x 6", "y 9", "b 16"],
    ]);
    expect(Object.entries(review?.result.pieces ?? {}).map(([id, piece]) => [id, piece.path, piece.start])).toEqual([
      ["x", "/projects/aside-new/aside-x A gull.wav", 6],
      ["y", "/projects/aside-new/aside-y A boat.wav", 9],
    ]);
    expect(review?.result.findings.map(({ rule, cueIds }) => [rule, cueIds])).toEqual([
      ["conform-new", ["x"]],
      ["conform-new", ["y"]],
    ]);
    expect(record(panel)?.placed.described).toBeUndefined();
    expect(Object.keys(record(panel)?.placed.markerIds ?? {})).toEqual(["a", "b", "x", "y"]);
    await panel.does(() => panel.apply.takeBack());
    expect([panel.markers(), panel.voices(), panel.kept()?.cues]).toEqual([markers, voices, kept?.cues]);
    expect([panel.session.state.review?.filter, record(panel)?.placed.described]).toEqual(["all", cutOf(FILM)]);
  });

  test("of which nothing was to be described is kept as described, and that is said", async () => {
    const panel = await longer();
    const applied = panel.editor.applied.length;
    const found = await described(panel, { change: { cues: [], notices: [] } });
    expect(await panel.does(() => panel.join.take(JOB, found))).toBe(0);
    expect([message(panel)?.text, message(panel)?.details, panel.editor.applied.length - applied]).toEqual([
      words.newNothing,
      [],
      0,
    ]);
    expect([record(panel)?.placed.described, panel.session.state.conform]).toEqual([undefined, null]);
  });

  test("has no clips where the rest has no narration on the timeline, nor where it came without a voice", async () => {
    const panel = await longer({}, { jobs: [jobEntry()] });
    panel.session.store.set({ jobs: [jobEntry({ placedNarration: false })] });
    const before = panel.voices();
    await panel.does(async () => panel.join.take(JOB, await described(panel)));
    expect([panel.voices(), panel.markers().length]).toEqual([before, 4]);
    const silent = await longer();
    await silent.does(async () =>
      silent.join.take(JOB, await described(silent, { change: { audio: undefined as never } })),
    );
    expect([silent.voices().length, silent.markers().length]).toEqual([2, 4]);
  });

  test("waits for what is being placed, and takes the timeline as it is then", async () => {
    const panel = await longer();
    const held = Promise.withResolvers<void>();
    const work = panel.apply.work("working", () => held.promise);
    const found = await described(panel);
    const taken = panel.join.take(JOB, found);
    await panel.ports.letGo();
    expect(panel.markers()).toHaveLength(2);
    held.resolve();
    await work;
    await panel.ports.letGo();
    expect([await taken, panel.markers().length]).toEqual([2, 4]);
  });

  test("goes to the sequence that it was ordered for alone, and to the result that it joins; what is not there any more is said", async () => {
    const panel = await longer();
    const found = await described(panel);
    for (const change of [{ adds: { to: "other", stretches: [stretch] } }, { adds: undefined as never }]) {
      expect(await panel.does(() => panel.join.take({ ...JOB, ...change }, found))).toBe(0);
      expect([message(panel)?.text, message(panel)?.isFault]).toEqual([words.newTargetGone, true]);
    }
    panel.session.store.set({ jobs: [] });
    expect(await panel.does(() => panel.join.take(JOB, found))).toBe(0);
    const other = { ...JOB, sequence: { ...JOB.sequence, id: "s9", name: "Other" } };
    await expect(panel.does(() => panel.join.take(other, found))).rejects.toMatchObject({
      code: "no_sequence",
      message: words.otherActive({ wanted: "Other", active: "Harbour" }),
    });
    expect(panel.markers()).toHaveLength(2);
  });

  test("that was placed in part is told so, and nothing is kept as if it had joined", async () => {
    const panel = await longer();
    const found = await described(panel);
    panel.editor.report = { outcome: "partial" };
    await panel.does(() => panel.join.take(JOB, found));
    expect([message(panel)?.text, times(panel.kept()?.cues), panel.session.state.view]).toEqual([
      words.partlyPlaced,
      ["a 1", "b 16"],
      "progress",
    ]);
  });

  test("gets a colour only where markers have colours", async () => {
    const colours = async (coloursMarkers: boolean) => {
      const panel = await longer({}, { coloursMarkers });
      await panel.does(async () => panel.join.take(JOB, await described(panel)));
      return panel.editor.timeline.markers.map(({ colour }) => colour);
    };
    expect([await colours(false), await colours(true)]).toEqual([
      ["green", "green", "green", "green"],
      ["cyan", "cyan", "cyan", "cyan"],
    ]);
  });
});
