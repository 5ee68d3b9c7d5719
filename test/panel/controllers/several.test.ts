import { describe, expect, test } from "vitest";
import { ConformController } from "../../../panel/controllers/conform/conform-controller.ts";
import { JoinController } from "../../../panel/controllers/conform/join-controller.ts";
import { DeliverController } from "../../../panel/controllers/deliver/deliver-controller.ts";
import { JobResults } from "../../../panel/controllers/describe/job-results.ts";
import { ApplyController } from "../../../panel/controllers/place/apply-controller.ts";
import { DuckController } from "../../../panel/controllers/place/duck-controller.ts";
import { PlaceController } from "../../../panel/controllers/place/place-controller.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { editCue, toggleMuted } from "../../../panel/state/review-edits.ts";
import { selectCue } from "../../../panel/state/review-state.ts";
import { words } from "../../../panel/words/words.ts";
import type { Cue } from "../../../src/core/cue.ts";
import type { Result } from "../../../src/result/result.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { silentWav } from "../../fakes/wav.ts";
import { madeClip, madeMedia } from "../../made-timeline.ts";
import { type EditingPanel, editingPanel, NARRATION, withNarration } from "../editing-panel.ts";
import { jobEntry } from "../session-in-memory.ts";

/** Eight lines; the narration of {@link several} ends before the last two. */
const LINES: readonly Cue[] = [..."abcdefgh"].map((id, index) => ({
  id,
  start: 4 * index + 1,
  end: 4 * index + 2.5,
  text: `Line ${id}.`,
}));

/** A panel with all that places, over a result of many lines. */
function several(change: Partial<Result> = {}, state: Partial<PanelState> = {}) {
  const ids = LINES.map(({ id }) => id);
  const panel = editingPanel(
    { cues: LINES, generated: LINES, timedIds: ids, ...withNarration(LINES), ...change },
    state,
  );
  panel.files.bytes.set(NARRATION, silentWav(24, 1));
  const apply = new ApplyController(panel.session);
  const duck = new DuckController(panel.session, apply);
  const place = new PlaceController(panel.session, apply, {
    voice: async () => undefined,
    duck: (how) => duck.lay(how),
  });
  const conform = new ConformController(panel.session, apply, { record: async () => false });
  return { ...panel, apply, duck, place, conform, join: new JoinController(panel.session, apply) };
}
const message = ({ session }: EditingPanel) => session.state.message;
const edit = ({ session }: EditingPanel, ids: readonly string[], to: string) =>
  session.store.update((state) => {
    if (state.review === null) return state;
    return { ...state, review: ids.reduce((review, id) => editCue(review, id, { text: to }), state.review) };
  });
const mute = ({ session }: EditingPanel, ids: readonly string[]) =>
  session.store.update((state) => {
    if (state.review === null) return state;
    return { ...state, review: ids.reduce((review, id) => toggleMuted(selectCue(review, id, false)), state.review) };
  });

/** Three seconds go at the beginning of the film. */
function cutAhead({ editor }: EditingPanel): void {
  const [video, ...others] = editor.timeline.tracks;
  if (video === undefined) throw new Error("no picture");
  const clips = [madeClip(madeMedia("film.mov"), 0, 57, { sourceStart: 3 })];
  editor.timeline = { ...editor.timeline, tracks: [{ ...video, clips }, ...others] };
}

describe("of several things each is done, counted and told", () => {
  test("lines of a narration that are left out, by each reason, and clips that go back to their lines", async () => {
    const panel = several();
    edit(panel, ["a", "b", "c"], "Changed.");
    mute(panel, ["d", "e"]);
    await panel.does(() => panel.place.narration());
    expect(panel.voices()).toEqual(["aside-f Line f.wav 21", "aside-g Line g.wav 25", "aside-h Line h.wav 29"]);
    expect(message(panel)?.details).toEqual([words.untrueLeftOut({ count: 3 }), words.silenced({ count: 2 })]);
    const moved = several();
    await moved.does(() => moved.place.narration());
    const { timeline } = moved.editor;
    const last = timeline.tracks.length - 1;
    moved.editor.timeline = {
      ...timeline,
      tracks: timeline.tracks.map((track, index) =>
        index === last
          ? {
              ...track,
              clips: track.clips.map((clip, at) =>
                at < 2 ? { ...clip, start: clip.start + 1, end: clip.end + 1 } : clip,
              ),
            }
          : track,
      ),
    };
    await moved.does(() => moved.place.narration());
    expect([message(moved)?.details, moved.voices()]).toEqual([
      [words.clipsToLines({ count: 2 })],
      [
        "aside-a Line a.wav 1",
        "aside-b Line b.wav 5",
        "aside-c Line c.wav 9",
        "aside-d Line d.wav 13",
        "aside-e Line e.wav 17",
        "aside-f Line f.wav 21",
        "aside-g Line g.wav 25",
        "aside-h Line h.wav 29",
      ],
    ]);
  });

  test("what differs from a plan, what is to be noted of it, and what was tried for it", async () => {
    const panel = several();
    panel.editor.report = { differences: ["one", "two"], notices: ["three", "four"] };
    await panel.does(() => panel.place.markers());
    expect(message(panel)?.details).toEqual(["one", "two", "three", "four"]);
    const partly = several();
    partly.editor.report = {
      outcome: "partial",
      differences: ["one", "two"],
      notices: ["three", "four"],
      tried: ["five", "six"],
    };
    await partly.does(() => partly.place.markers());
    expect(message(partly)?.details).toEqual(["one", "two", "three", "four", "five", "six"]);
  });

  test("what the last doing was, one after the other from its end, and what of it stays", async () => {
    const panel = several();
    const done: string[] = [];
    panel.apply.onTakeBack(async () => {
      done.push("first");
      return ["first stays", "so does more"];
    });
    panel.apply.onTakeBack(
      async () => {
        done.push("second");
        return ["second stays"];
      },
      { continues: true },
    );
    panel.apply.onTakeBack(
      async () => {
        done.push("third");
        return [];
      },
      { continues: true },
    );
    await panel.does(() => panel.apply.takeBack());
    expect([done, panel.session.state.canTakeBack]).toEqual([["third", "second", "first"], false]);
    // Another doing alone is in the place of all before it.
    panel.apply.onTakeBack(async () => [`${done.push("alone")}`]);
    await panel.does(() => panel.apply.takeBack());
    expect(done).toEqual(["third", "second", "first", "alone"]);
    await panel.does(() => panel.apply.takeBack());
    expect(done).toHaveLength(4);
  });

  test("clips whose volumes somebody else has set, and what differs where they are lowered", async () => {
    const panel = several();
    const loud = silentWav(60, 1);
    new Int16Array(loud.buffer, loud.byteOffset + 44).fill(2000);
    const voice = silentWav(24, 1);
    new Int16Array(voice.buffer, voice.byteOffset + 44).fill(500);
    panel.files.bytes.set(NARRATION, voice);
    panel.editor.sound = { wave: loud, offsetSeconds: 0 };
    const own = [1, 2].map((trackIndex) => ({
      trackIndex,
      clipIndex: 0,
      sourceId: `${trackIndex}`,
      gain: null,
      points: [{ at: 3, gain: 0.3 }],
    }));
    panel.editor.levels = own;
    panel.session.tell("Placed.", { details: ["So far.", "And more."] });
    await panel.does(() => panel.duck.lay());
    expect([message(panel)?.text, message(panel)?.details]).toEqual([
      words.nothingToDuck,
      ["Placed.", "So far.", "And more.", words.duckLeftAlone({ names: "sound.wav (A1), music.wav (A2)" })],
    ]);
    panel.editor.levels = null;
    panel.editor.report = { differences: ["one", "two"] };
    await panel.does(() => panel.duck.lay());
    expect(message(panel)?.details?.slice(0, 2)).toEqual(["one", "two"]);
    panel.editor.report = {};
    panel.editor.levels = (
      (panel.editor.levels ?? []) as readonly { points: readonly { at: number; gain: number }[] }[]
    ).map((one) => ({ ...one, points: one.points.map((point) => ({ ...point, gain: 0.1 })) })) as never;
    expect(await panel.does(() => panel.duck.remove())).toEqual([
      words.duckLeftAlone({ names: "sound.wav (A1), music.wav (A2)" }),
    ]);
    expect(message(panel)?.details).toEqual([words.duckLeftAlone({ names: "sound.wav (A1), music.wav (A2)" })]);
  });

  test("lines of a narration that follows a cut: those that say other words, and those that the file does not hold", async () => {
    const panel = several({}, { placesClips: false });
    await panel.does(() => panel.place.everything());
    edit(panel, ["a", "b", "c"], "Changed.");
    cutAhead(panel);
    await panel.does(() => panel.conform.apply());
    expect([message(panel)?.details, panel.voices()]).toEqual([
      [words.untrueLeftOut({ count: 3 })],
      [
        "aside-d Line d.wav 10",
        "aside-e Line e.wav 14",
        "aside-f Line f.wav 18",
        "aside-g Line g.wav 22",
        "aside-h Line h.wav 26",
      ],
    ]);
    expect(panel.session.state.review?.result.cues.map(({ id, start }) => `${id} ${start}`)).toEqual([
      "a 1",
      "b 2",
      "c 6",
      "d 10",
      "e 14",
      "f 18",
      "g 22",
      "h 26",
    ]);
  });

  /** Two pairs of lines that are heard over one another in the one file, of each of which the second says other words by now. */
  const PAIRS: readonly Cue[] = [1, 2.5, 11, 12.5].map((start, index) => ({
    id: `p${index}`,
    start,
    end: start + 2,
    text: `Pair ${index}.`,
  }));
  const pairs = () =>
    several(
      { cues: PAIRS, generated: PAIRS, timedIds: PAIRS.map(({ id }) => id), ...withNarration(PAIRS) },
      { placesClips: false },
    );

  test("lines in whose sound another one is heard that says other words, and those whose next one begins before they end", async () => {
    const panel = pairs();
    edit(panel, ["p1", "p3"], "Changed.");
    await panel.does(() => panel.place.narration());
    expect([message(panel)?.text, message(panel)?.details, panel.voices()]).toEqual([
      words.untrueLeftOut({ count: 2 }),
      [words.sharedLeftOut({ count: 2 })],
      [],
    ]);
    const followed = pairs();
    await followed.does(() => followed.place.everything());
    edit(followed, ["p1", "p3"], "Changed.");
    cutAhead(followed);
    await followed.does(() => followed.conform.apply());
    expect([message(followed)?.details, followed.voices()]).toEqual([
      [words.untrueLeftOut({ count: 2 }), words.sharedLeftOut({ count: 2 }), words.stemStale],
      ["aside-harbour.wav 0"],
    ]);
    const cut = several({}, { placesClips: false });
    await cut.does(() => cut.place.everything());
    const long = ["c", "d"].map(
      (id) => [id, { path: `/projects/aside-${id}.wav`, start: 0, durationSeconds: 4.6 }] as const,
    );
    for (const [, { path }] of long) cut.files.bytes.set(path, silentWav(5, 1));
    cut.session.store.update((state) =>
      state.review === null
        ? state
        : {
            ...state,
            review: { ...state.review, result: { ...state.review.result, pieces: Object.fromEntries(long) } },
          },
    );
    cutAhead(cut);
    await cut.does(() => cut.conform.apply());
    expect([message(cut)?.details, cut.voices()]).toEqual([
      [words.cutOffLeftOut({ count: 3 })],
      [
        "aside-b Line b.wav 2",
        "aside-e Line e.wav 14",
        "aside-f Line f.wav 18",
        "aside-g Line g.wav 22",
        "aside-h Line h.wav 26",
      ],
    ]);
  });

  test("stretches of new picture, with a voice for each of their lines; why some were refused; what is to be noted", async () => {
    const panel = several();
    await panel.does(() => panel.place.everything());
    const { settings } = placedResult([]);
    const described = [40, 50].map((start, index) => {
      const cues = [0, 3].map((at, number) => ({
        id: `n${number}`,
        start: at + 1,
        end: at + 2,
        text: `New ${index} ${number}.`,
      }));
      const path = `/projects/aside-new-${index}.wav`;
      panel.files.bytes.set(path, silentWav(8, 1));
      const audio = { path, start: 0, durationSeconds: 8 } as never;
      const { placed: _, ...result } = placedResult(cues, {
        runId: `new-${index}`,
        offsetSeconds: start,
        durationSeconds: 8,
        audio,
        voiced: voicedCues(cues, settings),
        notices: [`${index} a`, `${index} b`],
      });
      const stretch = { start, end: start + 8, inside: [{ start, end: start + 8 }] };
      return {
        stretch,
        run: { result, raw: { format: "vtt", content: "" }, exported: { path: "/x", isTemporary: false } } as never,
      };
    });
    const refused = [34, 36].map((start) => ({
      stretch: { start, end: start + 1, inside: [] },
      run: null,
      refusal: { code: "content_blocked", message: `No ${start}.` },
    }));
    const job = jobEntry({ runId: "new", audioPath: "/projects/aside-new.wav", adds: { to: "run-1", stretches: [] } });
    expect(await panel.does(() => panel.join.take(job, [...described, ...refused]))).toBe(4);
    expect(panel.voices().slice(-4)).toEqual([
      "aside-n0 New 0 0.wav 41",
      "aside-n1 New 0 1.wav 44",
      "aside-n0-2 New 1 0.wav 51",
      "aside-n1-2 New 1 1.wav 54",
    ]);
    expect(message(panel)?.details).toEqual([
      words.newRefused({ start: "00:00:34:00", end: "00:00:35:00", why: "No 34." }),
      words.newRefused({ start: "00:00:36:00", end: "00:00:37:00", why: "No 36." }),
      "0 a",
      "0 b",
      "1 a",
      "1 b",
    ]);
    expect(panel.session.state.review?.result.findings.flatMap(({ cueIds }) => cueIds)).toHaveLength(4);
  });

  test("what a job and what it voices are to be noted for", async () => {
    const panel = several();
    const after: string[] = [];
    const results = new JobResults(panel.session, {
      voiced: async () => void after.push("voiced"),
      described: async () => 0,
    });
    const { placed: _, ...result } = placedResult(LINES, { notices: ["one", "two"] });
    const exported = { path: "/panel/exports/a.wav", isTemporary: true };
    const run = { result, raw: { format: "vtt", content: "" }, exported } as never;
    await panel.does(() => results.take("run-1", run));
    expect(message(panel)).toMatchObject({ text: words.doneWithNotices, details: ["one", "two"] });
    await panel.does(() => panel.session.library.saveText("voices.sent.json", JSON.stringify(LINES)));
    panel.session.store.update((state) => ({
      ...state,
      jobs: [jobEntry({ runId: "voices", voices: "run-1" }), ...state.jobs],
    }));
    await panel.does(() => results.take("voices", run));
    expect([message(panel)?.text, message(panel)?.details?.slice(0, 2), after]).toEqual([
      words.voiced,
      ["one", "two"],
      [],
    ]);
    const exports = ["1", "2"].map((name) => `/panel/exports/${name}.wav`);
    for (const path of exports) panel.files.bytes.set(path, new Uint8Array(1));
    const stretches = exports.map((path) => ({
      stretch: { start: 0, end: 1, inside: [] },
      run: { result, exported: { path, isTemporary: true } } as never,
    }));
    await panel.does(() => results.takeStretches("run-1", stretches));
    expect([...panel.files.bytes.keys()].filter((path) => path.includes("/exports/"))).toEqual([]);
  });

  test("sounds of a delivery, and what was not handed off", async () => {
    const panel = several();
    panel.files.bytes.set("/sounds/mix.wav", silentWav(3));
    const deliver = new DeliverController(panel.session, panel.connection);
    await panel.does(() => deliver.open());
    await panel.does(() =>
      deliver.change({
        picked: { mix: "/sounds/mix.wav" },
        texts: ["srt", "vtt"],
        handOffs: ["aaf", "otio"],
        goesDespite: true,
      }),
    );
    panel.editor.convert = async () => Promise.reject(new Error("no form"));
    await panel.does(() => deliver.deliver());
    expect(panel.session.state.delivery?.written?.names).toEqual([
      "descriptions.srt",
      "descriptions.vtt",
      "narration.wav",
      "mix.wav",
      "manifest.json",
    ]);
    expect(message(panel)?.details).toHaveLength(2);
  });
});
