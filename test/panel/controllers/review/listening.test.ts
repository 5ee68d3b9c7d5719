import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { AuditionController, LineController } from "../../../../panel/controllers/review/audition-controller.ts";
import { PictureController } from "../../../../panel/controllers/review/playhead-controller.ts";
import { ProgrammeSoundController } from "../../../../panel/controllers/review/programme-sound-controller.ts";
import { ReviewController } from "../../../../panel/controllers/review/review-controller.ts";
import { SignOffController } from "../../../../panel/controllers/review/sign-off-controller.ts";
import { WordingController } from "../../../../panel/controllers/review/wording-controller.ts";
import { firstProgress } from "../../../../panel/state/job-progress.ts";
import type { PanelState } from "../../../../panel/state/panel-state.ts";
import { editCue } from "../../../../panel/state/review-edits.ts";
import { type ReviewState, selectCue } from "../../../../panel/state/review-state.ts";
import { words } from "../../../../panel/words/words.ts";
import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import { writeBible } from "../../../../src/formats/bible-text.ts";
import { readWaveHeader, waveLength } from "../../../../src/formats/wave/read-wave.ts";
import type { Result } from "../../../../src/result/result.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { turns } from "../../../fakes/set-clock.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { madeClip, madeMedia } from "../../../made-timeline.ts";
import { CUES, editingPanel, NARRATION, withNarration } from "../../editing-panel.ts";

/** Sound whose samples tell where in it they are: each second has its own level. */
function steps(seconds: number): Uint8Array {
  const bytes = silentWav(seconds, 1);
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset + 44);
  for (let second = 0; second < seconds; second++) samples.fill(10 * second, second * 48_000, (second + 1) * 48_000);
  return bytes;
}
const SPOKEN = steps(50);
const PROGRAMME = steps(60);

function listening(change: Partial<Result> = {}, state: Partial<PanelState> = {}) {
  const heard: { seconds: number; levels: number[]; channels: number; playhead: number | undefined }[] = [];
  const panel = editingPanel(
    { ...withNarration(), offsetSeconds: 10, durationSeconds: 50, jobId: "job-1", ...change },
    state,
    {
      player: {
        play: async (path: string, seconds: number) => {
          const bytes = panel.files.bytes.get(path) ?? new Uint8Array();
          const reading = readWaveHeader(bytes);
          if (!reading.ok) throw new Error("no sound");
          const { dataOffset } = reading.layout as unknown as { dataOffset: number };
          const view = new DataView(bytes.buffer, bytes.byteOffset);
          const { channels } = reading.layout.format;
          const levels: number[] = [];
          for (let at = dataOffset ?? 44; at + 1 < bytes.length; at += 96_000 * channels)
            levels.push(view.getInt16(at, true));
          expect(waveLength(reading.layout, bytes.length).seconds).toBeCloseTo(seconds, 2);
          heard.push({ seconds, levels, channels, playhead: panel.editor.moved.at(-1) });
        },
        stop: () => void stops.push(heard.length),
      },
    } as never,
  );
  const stops: number[] = [];
  panel.files.bytes.set(NARRATION, SPOKEN);
  panel.editor.sound = { wave: PROGRAMME, offsetSeconds: 0 };
  const review = new ReviewController(panel.session);
  const programme = new ProgrammeSoundController(panel.session);
  const lines = new LineController(panel.session, panel.connection, review);
  const audition = new AuditionController(panel.session, programme, lines);
  const voiced: { text: string; seconds?: number }[] = [];
  panel.server.additions["GET voice_line"] = () => ({ body: { status: "available", maximum_characters: 1000 } });
  panel.server.additions["POST voice_line"] = (asked: { text: string; seconds?: number }) => {
    voiced.push(asked);
    const wave = silentWav(1.2, 1);
    const sha256 = createHash("sha256").update(wave).digest("hex");
    return { body: { seconds: 1.2, rate: 1, fits: true, audio: Buffer.from(wave).toString("base64"), sha256 } };
  };
  const cue = (id: string) => {
    const found = panel.session.state.review?.result.cues.find((one) => one.id === id);
    if (found === undefined) throw new Error("no such line");
    return found;
  };
  return { ...panel, heard, stops, review, programme, lines, audition, voiced, cue };
}
type Listening = ReturnType<typeof listening>;
const message = ({ session }: Pick<Listening, "session">) => session.state.message;
const left = ({ files }: Listening) => [...files.bytes.keys()].filter((path) => path.includes("/exports/"));
const change = ({ session }: Pick<Listening, "session">, edit: (review: ReviewState) => ReviewState) =>
  session.store.update((state) => (state.review === null ? state : { ...state, review: edit(state.review) }));

describe("a line that is listened to", () => {
  test("is heard with two seconds of the narration around it, the playhead before it, and nothing is left of it", async () => {
    const panel = listening();
    await panel.does(() => panel.audition.toggle(panel.cue("b")));
    expect(panel.heard).toEqual([{ seconds: 5, levels: [40, 50, 60, 70, 80], channels: 1, playhead: 14 }]);
    expect([left(panel), panel.session.state.listening, message(panel), panel.stops]).toEqual([[], null, null, [0]]);
    // No sound before the programme, nor behind its end.
    change(panel, (review) => editCue(review, "b", { start: 47, end: 49.5 }));
    panel.session.store.update((state) => state);
    await panel.does(() => panel.audition.toggle(panel.cue("a")));
    await panel.does(() => panel.audition.toggle(panel.cue("b")));
    expect(panel.heard.slice(1).map(({ seconds, levels, playhead }) => [seconds, levels, playhead])).toEqual([
      [4.5, [0, 10, 20, 30, 40], 10],
      [5, [450, 460, 470, 480, 490], 55],
    ]);
  });

  test("is heard from where the narration's file begins, and from its own file alone where it has one", async () => {
    const late = listening();
    const { audio } = withNarration();
    change(late, (review) => ({ ...review, result: { ...review.result, audio: { ...audio, start: 3 } as never } }));
    await late.does(() => late.audition.toggle(late.cue("b")));
    expect(late.heard.map(({ seconds, levels }) => [seconds, levels])).toEqual([[5, [10, 20, 30, 40, 50]]]);
    const own = listening({ pieces: { b: { path: "/projects/aside-b.wav", start: 6, durationSeconds: 1.5 } } });
    own.files.bytes.set("/projects/aside-b.wav", steps(2));
    await own.does(() => own.audition.toggle(own.cue("b")));
    expect(own.heard.map(({ seconds, levels }) => [seconds, levels])).toEqual([[1.5, [0, 10]]]);
  });

  test("is heard in the programme once that was exported, which is lowered under it; a mix is heard as it is", async () => {
    const panel = listening();
    await panel.does(() => panel.programme.prepare());
    await panel.does(() => panel.audition.toggle(panel.cue("b")));
    expect(panel.heard).toEqual([{ seconds: 5, levels: [140, 150, 74, 15, 180], channels: 2, playhead: 14 }]);
    expect(left(panel)).toEqual(["/panel/exports/export-1.wav"]);
    const mixed = listening({ track: "mixed" });
    await mixed.does(() => mixed.programme.prepare());
    await mixed.does(() => mixed.audition.toggle(mixed.cue("b")));
    expect(mixed.heard.map(({ channels }) => channels)).toEqual([1]);
    expect([panel.audition.isAlone(), mixed.audition.isAlone()]).toEqual([true, false]);
  });

  test("of which there is no sound, or none that can be read, says so", async () => {
    const none = listening({ audio: undefined as never });
    await none.does(() => none.audition.toggle(none.cue("b")));
    expect([message(none)?.text, message(none)?.isFault, none.heard]).toEqual([words.noNarration, false, []]);
    const broken = listening();
    broken.files.bytes.set(NARRATION, new Uint8Array(100));
    await broken.does(() => broken.audition.toggle(broken.cue("b")));
    expect([message(broken)?.text, message(broken)?.isFault, broken.session.state.listening]).toEqual([
      words.cannotHear,
      true,
      null,
    ]);
  });

  test("ends at a second press, also while its sound is being made; another line is heard in its place; and none of a result that was left", async () => {
    const panel = listening();
    const [first, second] = [panel.audition.toggle(panel.cue("a")), panel.audition.toggle(panel.cue("a"))];
    expect(panel.session.state.listening).toBeNull();
    await panel.ports.letGo();
    await Promise.all([first, second]);
    expect([panel.heard, left(panel), panel.stops]).toEqual([[], [], [0, 0]]);
    await panel.does(() => Promise.all([panel.audition.toggle(panel.cue("a")), panel.audition.toggle(panel.cue("b"))]));
    expect(panel.heard.map(({ playhead }) => playhead)).toEqual([14]);
    const leaving = panel.audition.toggle(panel.cue("a"));
    change(panel, (review) => ({ ...review, result: placedResult(CUES, { runId: "other" }) }));
    await panel.ports.letGo();
    await leaving;
    panel.session.store.set({ review: null });
    await panel.does(() => panel.audition.toggle({ id: "a", start: 1, end: 2, text: "" }));
    expect([panel.heard.length, panel.session.state.listening]).toEqual([1, null]);
  });

  test("that fails to be played leaves nothing, and is no longer listened to", async () => {
    const panel = listening();
    panel.session.environment.player.play = async () => Promise.reject(new Error("no device"));
    await expect(panel.does(() => panel.audition.toggle(panel.cue("b")))).rejects.toThrow("no device");
    expect([left(panel), panel.session.state.listening]).toEqual([[], null]);
  });
});

describe("a line whose words changed", () => {
  const edited = (change: Partial<Result> = {}, state: Partial<PanelState> = {}) => {
    const panel = listening(change, state);
    change2(panel);
    return panel;
  };
  const change2 = (panel: Listening) => change(panel, (review) => editCue(review, "b", { text: "Snow falls." }));

  test("is voiced by itself before it is heard, into a file beside the narration, once however often that is asked", async () => {
    const panel = edited();
    await panel.does(() => panel.audition.toggle(panel.cue("b")));
    const { result } = panel.session.state.review ?? {};
    expect(Object.values(result?.pieces ?? {}).map(({ path, start }) => [path, start])).toEqual([
      ["/projects/aside-harbour/aside-b Snow falls ea5c6244-0.wav", 6],
    ]);
    expect([
      panel.voiced.map(({ text, seconds }) => [text, seconds]),
      panel.heard.map(({ seconds }) => seconds),
    ]).toEqual([[["Snow falls.", 1]], [1.2]]);
    expect(await panel.does(() => panel.lines.voice({ id: "b" }))).toBe(true);
    expect(panel.voiced).toHaveLength(1);
    const twice = edited();
    expect(
      await twice.does(() => Promise.all([twice.lines.voice({ id: "b" }), twice.lines.voice({ id: "b" })])),
    ).toEqual([true, true]);
    expect(twice.voiced).toHaveLength(1);
    change2(twice);
    change(twice, (review) => editCue(review, "b", { text: "Hail." }));
    await twice.does(() => twice.lines.voice({ id: "b" }));
    expect(twice.voiced.map(({ text }) => text)).toEqual(["Snow falls.", "Hail."]);
  });

  test("is heard as it was where no service voices single lines, which is said; that service is not asked again", async () => {
    const panel = edited();
    panel.server.additions["GET voice_line"] = () => ({ body: { status: "unavailable" } });
    await panel.does(() => panel.audition.toggle(panel.cue("b")));
    expect([message(panel)?.text, panel.heard.length, panel.voiced]).toEqual([words.heardBefore, 1, []]);
    const before = panel.server.seen.length;
    expect(await panel.does(() => panel.lines.voice({ id: "b" }))).toBe(false);
    expect(panel.server.seen.length).toBe(before);
  });

  test.each<[string, Partial<Result>, Partial<PanelState>]>([
    ["in a mix", { track: "mixed" }, {}],
    ["without a key", {}, { shownKey: null }],
    ["of no result", {}, { review: null }],
  ])("is not voiced by itself %s", async (_, result, state) => {
    const panel = listening(result, state);
    if (state.review !== null) change2(panel);
    expect(await panel.does(() => panel.lines.voice({ id: "b" }))).toBe(false);
    expect(panel.server.seen).toEqual([]);
  });

  test("and changed again while it was voiced, or whose result was left, or whose panel closed, is not true yet", async () => {
    const again = edited();
    const voicing = again.lines.voice({ id: "b" });
    change(again, (review) => editCue(review, "b", { text: "Hail." }));
    await again.ports.letGo();
    expect(await voicing).toBe(false);
    const leftOne = edited();
    const other = leftOne.lines.voice({ id: "b" });
    change(leftOne, (review) => ({ ...review, result: placedResult(CUES, { runId: "other" }) }));
    await leftOne.ports.letGo();
    expect([await other, leftOne.session.state.review?.result.pieces]).toEqual([false, undefined]);
    const closed = edited();
    const late = closed.lines.voice({ id: "b" });
    closed.session.close();
    await closed.ports.letGo();
    expect([await late, closed.session.state.review?.result.pieces]).toEqual([false, undefined]);
  });

  test("is voiced in the background without a word where that does not work", async () => {
    const panel = edited();
    panel.server.additions["POST voice_line"] = () => ({
      status: 401,
      body: { error: "unauthorized", message: "No." },
    });
    panel.lines.voiceQuietly({ id: "b" });
    await panel.ports.letGo();
    expect(message(panel)).toBeNull();
    await expect(panel.does(() => panel.audition.toggle(panel.cue("b")))).rejects.toMatchObject({
      code: "unauthorized",
    });
    expect(panel.session.state.listening).toBeNull();
  });
});

describe("the programme's sound", () => {
  test("is exported once without our narration, kept while the cut is the same, and thrown away when it is not, which is said", async () => {
    const panel = listening();
    const { store } = panel.session;
    const states: string[] = [];
    const update = store.update.bind(store);
    store.update = (next) => {
      update(next);
      if (store.state.programmeSound !== states.at(-1)) states.push(store.state.programmeSound);
    };
    await panel.does(() => panel.programme.prepare());
    expect([states, message(panel)?.text, panel.editor.exports.map(({ content, range }) => [content, range])]).toEqual([
      ["none", "exporting", "ready"].slice(states[0] === "none" ? 0 : 1),
      words.programmeSounds.ready,
      [["sound", "whole"]],
    ]);
    expect(await panel.does(() => panel.programme.of("s1"))).toMatchObject({
      path: "/panel/exports/export-1.wav",
      offsetSeconds: 0,
    });
    expect(await panel.does(() => panel.programme.of("s2"))).toBeNull();
    expect([left(panel), panel.session.state.programmeSound, message(panel)?.text]).toEqual([
      [],
      "none",
      words.programmeGone,
    ]);
    panel.session.store.set({ message: null });
    expect(await panel.does(() => panel.programme.of("s1"))).toBeNull();
    expect(message(panel)).toBeNull();
    await panel.does(() => panel.programme.prepare());
    const [video, ...sounds] = panel.editor.timeline.tracks;
    if (video === undefined) throw new Error("no picture");
    panel.editor.timeline = {
      ...panel.editor.timeline,
      tracks: [{ ...video, clips: [madeClip(madeMedia("other.mov"), 0, 60)] }, ...sounds],
    };
    expect(await panel.does(() => panel.programme.of("s1"))).toBeNull();
  });

  test("takes the place of an earlier one, and is none where its export fails or is stopped", async () => {
    const panel = listening();
    await panel.does(() => panel.programme.prepare());
    await panel.does(() => panel.programme.prepare());
    expect(left(panel)).toEqual(["/panel/exports/export-2.wav"]);
    panel.editor.exportSequence = async () => Promise.reject(new Error("no encoder"));
    await expect(panel.does(() => panel.programme.prepare())).rejects.toThrow("no encoder");
    expect([left(panel), panel.session.state.programmeSound]).toEqual([[], "none"]);
    panel.programme.cancel();
    expect(panel.said).toEqual([]);
    const untilStopped = (_: object, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((__, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    Object.assign(panel.editor, { exportSequence: untilStopped });
    const stopped = panel.programme.prepare();
    await panel.ports.letGo();
    panel.programme.cancel();
    await panel.ports.letGo();
    await stopped;
    expect([panel.said, panel.session.state.programmeSound]).toEqual([[words.heard.stopped], "none"]);
  });

  test("is not exported of another sequence, beside a job, beside itself, or of no result", async () => {
    const panel = listening();
    await panel.does(() => Promise.all([panel.programme.prepare(), panel.programme.prepare()]));
    expect(panel.editor.exports.length).toBeLessThanOrEqual(2);
    const other = listening();
    await other.editor.copySequence({ sequenceId: "s1", name: "Copy" }, { signal: new AbortController().signal });
    await other.does(() => other.programme.prepare());
    expect(message(other)).toEqual({ isFault: true, text: words.otherSequence({ name: "Harbour" }) });
    for (const state of [{ progress: firstProgress("run-2", 0) }, { review: null }]) {
      const busy = listening({}, state);
      await busy.does(() => busy.programme.prepare());
      expect([busy.ports.calls, busy.session.state.programmeSound]).toEqual([[], "none"]);
    }
  });
});

describe("pictures beside the lines", () => {
  const looking = (state: Partial<PanelState> = {}) => {
    const panel = listening(
      {
        bible: {
          text: writeBible({
            ...EMPTY_BIBLE,
            persons: [{ label: "the woman", looks: "in red", name: "Ann", pictureAt: 12 }],
          } as never),
        } as never,
      },
      state,
    );
    const asked: (readonly number[])[] = [];
    panel.server.additions["POST jobs/job-1/pictures"] = ({ at }: { at: readonly number[] }) => {
      asked.push(at);
      return {
        body: {
          pictures:
            at.includes(6) || at.includes(12) ? [{ at: at[0], time: at[0], width: 1, height: 1, jpeg: "AAAA" }] : [],
        },
      };
    };
    return { ...panel, asked, pictures: new PictureController(panel.session, panel.connection) };
  };

  test("are fetched once for each line in sight; a line that has none is not asked for again", async () => {
    const panel = looking();
    await panel.does(() => panel.pictures.look());
    expect([panel.asked, panel.session.state.review?.pictures]).toEqual([
      [[1, 6]],
      { "1.00": "data:image/jpeg;base64,AAAA", "6.00": "" },
    ]);
    await panel.does(() => panel.pictures.look());
    expect(panel.asked).toHaveLength(1);
    // Of persons where these are shown.
    panel.session.store.set({ view: "bible" });
    await panel.does(() => panel.pictures.look());
    expect([panel.asked.slice(1), Object.keys(panel.session.state.review?.pictures ?? {})]).toEqual([
      [[12]],
      ["1.00", "6.00", "12.00"],
    ]);
  });

  test("are none where the service has none, and it is not asked again; nor is it without a key, or twice at once", async () => {
    const none = looking();
    none.server.additions["POST jobs/job-1/pictures"] = () => ({ body: { pictures: [] } });
    await none.does(() => none.pictures.look());
    expect(none.session.state.review?.pictures).toBeNull();
    const before = none.server.seen.length;
    await none.does(() => none.pictures.look());
    expect(none.server.seen.length).toBe(before);
    const locked = looking({ shownKey: null });
    await locked.does(() => locked.pictures.look());
    expect(locked.asked).toEqual([]);
    const twice = looking();
    await twice.does(() => Promise.all([twice.pictures.look(), twice.pictures.look()]));
    expect(twice.asked).toHaveLength(1);
  });

  test("that come when another result is shown are not put there, and a failure hides no later try", async () => {
    const panel = looking();
    const look = panel.pictures.look();
    change(panel, (review) => ({ ...review, result: placedResult(CUES, { runId: "other", jobId: "job-1" }) }));
    await panel.ports.letGo();
    await look;
    expect(panel.session.state.review?.pictures ?? {}).toEqual({});
    await panel.does(() => panel.pictures.look());
    expect(panel.asked).toHaveLength(2);
  });
});

describe("other wordings of a line", () => {
  const asking = (change: Partial<Result> = {}, state: Partial<PanelState> = {}) => {
    const panel = listening({ describer: "vision" as never, ...change }, state);
    const asked: object[] = [];
    panel.server.additions["POST jobs/job-1/wordings"] = (body: object) => {
      asked.push(body);
      return {
        body: {
          wordings: [
            { text: "Snow.", seconds: 0.5, fits: true },
            { text: "Hail.", seconds: 0.5, fits: true },
          ],
          model: "m",
        },
      };
    };
    change2(panel);
    return { ...panel, asked, wording: new WordingController(panel.session, panel.connection, panel.review) };
  };
  const change2 = (panel: Listening) => change(panel, (review) => selectCue(review, "b", true));

  test("are asked for with the line, its room and what stands around it, shown, and taken over as one step", async () => {
    const panel = asking({ bible: { text: "Notes." } as never });
    await panel.does(() => panel.wording.ask("shorten"));
    expect(panel.asked).toEqual([
      {
        kind: "shorten",
        start: 6,
        end: 7,
        seconds: 44,
        text: "Rain.",
        before: ["A woman sits."],
        after: [],
        notes: "Notes.",
      },
    ]);
    expect(panel.session.state.wordings).toEqual({
      runId: "run-1",
      id: "b",
      kind: "shorten",
      wordings: ["Snow.", "Hail."],
      model: "m",
      fault: null,
    });
    expect(panel.said).toEqual([words.asking, words.wordingsHeard({ count: 2 })]);
    panel.wording.choose("Hail.");
    const { review, wordings } = panel.session.state;
    expect([review?.result.cues.map(({ text }) => text), review?.past.map(({ action }) => action), wordings]).toEqual([
      ["A woman sits.", "Hail."],
      ["suggested"],
      null,
    ]);
    panel.wording.choose("Snow.");
    expect(panel.session.state.review?.past).toHaveLength(1);
  });

  test("that the service does not give are explained in its own words; any other fault is told, and nothing is shown", async () => {
    const panel = asking();
    panel.server.additions["POST jobs/job-1/wordings"] = () => ({
      status: 400,
      body: { error: "invalid_input", message: "No model is set up." },
    });
    await panel.does(() => panel.wording.ask("shorten"));
    expect([panel.session.state.wordings?.fault, panel.session.state.wordings?.wordings, panel.said]).toEqual([
      "No model is set up.",
      null,
      ["Asking for wordings…", "No model is set up."],
    ]);
    const locked = asking();
    locked.server.additions["POST jobs/job-1/wordings"] = () => ({
      status: 401,
      body: { error: "unauthorized", message: "No." },
    });
    await expect(locked.does(() => locked.wording.ask("shorten"))).rejects.toMatchObject({ code: "unauthorized" });
    expect(locked.session.state.wordings).toBeNull();
  });

  test("are asked for one line at a time, and stopped; what comes too late changes nothing", async () => {
    const panel = asking();
    const stopped = panel.wording.ask("shorten");
    await turns();
    expect(panel.session.state.wordings).toMatchObject({ id: "b", wordings: null, fault: null });
    panel.wording.cancel();
    expect(panel.session.state.wordings).toBeNull();
    await panel.ports.letGo();
    await stopped;
    expect([panel.session.state.wordings, message(panel)]).toEqual([null, null]);
    // Asked for another line, what was asked before is given up.
    const first = panel.wording.ask("shorten");
    await turns();
    change(panel, (review) => selectCue(review, "a", true));
    await panel.does(() => Promise.all([first, panel.wording.ask("other")]));
    expect(panel.session.state.wordings).toMatchObject({ id: "a", kind: "other" });
    panel.wording.choose("Snow.");
    expect(panel.session.state.review?.result.cues.map(({ text }) => text)).toEqual(["Snow.", "Rain."]);
    change(panel, (review) => selectCue(review, null, false));
    const before = panel.asked.length;
    await panel.does(() => panel.wording.ask("shorten"));
    expect(panel.asked.length).toBe(before);
  });

  test("are offered where somebody can be asked, and the price is known once for a result", async () => {
    const offered = async (change: Partial<Result> = {}, state: Partial<PanelState> = {}) => {
      const panel = asking(change, state);
      let count = 0;
      panel.server.additions["GET jobs/job-1/wordings"] = () => {
        count += 1;
        return { body: { model: "m", is_local: true, cost: null } };
      };
      panel.wording.look();
      panel.wording.look();
      await panel.ports.letGo();
      return [count, panel.session.state.wordingOffer];
    };
    expect(await offered()).toEqual([1, { runId: "run-1", offer: { model: "m", isLocal: true, cost: null } }]);
    expect(await offered({}, { shownKey: null })).toEqual([0, null]);
    const estimate = (model: string | null | undefined) => ({ modelEstimate: { reply: { model } } as never });
    expect((await offered({ describer: "script" as never }))[0]).toBe(0);
    expect((await offered({ describer: "script" as never }, estimate("m")))[0]).toBe(1);
    expect((await offered({ describer: "script" as never }, estimate(null)))[0]).toBe(0);
    expect((await offered({ describer: undefined as never }, estimate(null)))[0]).toBe(0);
    expect((await offered({ describer: undefined as never }))[0]).toBe(1);
  });
});

describe("a sign-off", () => {
  test("needs every line accepted and a name, and says which is missing; it is kept before it is said", async () => {
    const panel = listening({}, { reviewer: " " });
    const saved: string[] = [];
    const sign = new SignOffController(
      panel.session,
      panel.ports.wrap({ save: async () => void saved.push("saved") }).save,
    );
    await panel.does(() => sign.sign());
    expect(message(panel)).toEqual({ isFault: true, text: words.acceptFirst({ open: 2 }) });
    change(panel, (review) => ({ ...review, result: { ...review.result, acceptedIds: ["a"] } }));
    await panel.does(() => sign.sign());
    expect(message(panel)?.text).toBe(words.acceptFirst({ open: 1 }));
    change(panel, (review) => ({ ...review, result: { ...review.result, acceptedIds: ["a", "b"] } }));
    await panel.does(() => sign.sign());
    expect(message(panel)).toEqual({ isFault: true, text: words.nameFirst });
    expect(saved).toEqual([]);
    panel.session.store.set({ reviewer: "Ada" });
    await panel.clock.pass(5000);
    await panel.does(() => sign.sign());
    expect([
      message(panel)?.text,
      panel.kept()?.signOff?.name,
      panel.session.state.review?.result.signOff?.signedAt,
      saved,
    ]).toEqual(["Signed off by Ada.", "Ada", "2026-01-01T00:00:05.000Z", ["saved"]]);
    await panel.does(() => sign.withdraw());
    expect([message(panel)?.text, panel.kept()?.signOff, panel.session.state.review?.result.signOff]).toEqual([
      words.withdrawn,
      undefined,
      undefined,
    ]);
    const empty = listening({ cues: [] }, { reviewer: "Ada" });
    await empty.does(() => new SignOffController(empty.session, async () => undefined).sign());
    expect(message(empty)?.text).toBe(words.acceptFirst({ open: 0 }));
  });
});
