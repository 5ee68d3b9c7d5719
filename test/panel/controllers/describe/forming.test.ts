import { describe, expect, test } from "vitest";
import { GapController } from "../../../../panel/controllers/describe/gap-controller.ts";
import { withEditPoints, withKnownOfFilm } from "../../../../panel/controllers/describe/known-of-film.ts";
import { TextController } from "../../../../panel/controllers/describe/text-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { FIRST_FORM, type Form } from "../../../../panel/state/form.ts";
import type { PanelState } from "../../../../panel/state/panel-state.ts";
import type { JobEntry } from "../../../../panel/state/saved.ts";
import { words } from "../../../../panel/words/words.ts";
import type { Result } from "../../../../src/result/result.ts";
import { RECORD_VERSION } from "../../../../src/workflow/describe/recovery.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTrack } from "../../../made-timeline.ts";
import { editingPanel, FILM } from "../../editing-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";

const HERE = "http://127.0.0.1:8420";
const ELSEWHERE = "https://api.example.com";
const vtt = (...times: readonly (readonly [string, string])[]) =>
  `WEBVTT\n\n${times.map(([from, to]) => `${from} --> ${to}\nHello.\n`).join("\n")}`;
const TALK = vtt(["00:10.000", "00:20.000"]);
const form = (change: Partial<Form> = {}): Form => ({ ...FIRST_FORM, ...change });
const captionFile = { filename: "own.vtt", content: vtt(["00:30.000", "00:40.000"]) };

describe("a look for pauses", () => {
  function looking(
    state: Partial<PanelState> = {},
    { transcript = null, listens = false }: { transcript?: string | null; listens?: boolean } = {},
  ) {
    const panel = editingPanel({}, { review: null, ...state });
    const asked: unknown[] = [];
    panel.editor.transcribedCaptions = (async (start: number) => {
      asked.push(start);
      return transcript === null ? null : { content: transcript, filename: "t.vtt" };
    }) as never;
    if (listens) {
      panel.server.additions["GET listen"] = () => ({ body: { status: "available", maximum_duration_seconds: 3600 } });
      panel.server.additions["POST listen"] = () => ({
        body: { duration_seconds: 60, speech: [[1, 9, 0.9]], music: [[40, 50, 0.9]], silence: [] },
      });
    }
    const stages: (string | undefined)[] = [];
    const { store } = panel.session;
    const update = store.update.bind(store);
    store.update = (next) => {
      update(next);
      const stage = store.state.looking?.stage;
      if (stage !== stages.at(-1)) stages.push(stage);
    };
    const gaps = new GapController(panel.session, panel.connection);
    return { ...panel, gapsOf: gaps, asked, stages, found: () => panel.session.state.gaps };
  }
  const sent = (panel: ReturnType<typeof looking>) =>
    panel.server.seen.map(({ method, path }) => `${method} ${path.split("/").slice(3).join("/")}`);

  test("asks the captions that were chosen, else the transcript from where the range begins; nothing of an earlier message stays", async () => {
    const given = looking(
      { form: form({ captionSource: "file", captionFile }), message: { isFault: true, text: "Before." } },
      { transcript: TALK },
    );
    await given.does(() => given.gapsOf.look());
    expect([given.found()?.basis, given.found()?.speech, given.asked, given.session.state.message]).toEqual([
      "captions",
      [{ start: 30, end: 40 }],
      [],
      null,
    ]);
    const transcribed = looking({ form: form({ captionFile }) }, { transcript: TALK });
    await transcribed.does(() => transcribed.gapsOf.look());
    expect([transcribed.found()?.basis, transcribed.found()?.speech, transcribed.asked]).toEqual([
      "transcript",
      [{ start: 10, end: 20 }],
      [0],
    ]);
    expect(transcribed.stages).toEqual(["read", undefined]);
    const sequence = { ...jobEntry().sequence, inPoint: 5, outPoint: 25 };
    const part = looking({ form: form({ range: "in-to-out" }), sequence }, { transcript: TALK });
    await part.does(() => part.gapsOf.look());
    expect([part.found()?.durationSeconds, part.asked]).toEqual([20, [5]]);
  });

  test("says what to do where nothing tells where somebody speaks, and finds nothing then", async () => {
    const panel = looking();
    await panel.does(() => panel.gapsOf.look());
    expect([panel.session.state.message, panel.found(), panel.session.state.looking]).toEqual([
      { isFault: false, text: words.gapsUnknown, next: words.gapsListener },
      null,
      null,
    ]);
    expect(panel.editor.exports).toEqual([]);
  });

  test("listens by the service of this computer, whichever is in use, to an export without our narration that goes again", async () => {
    for (const address of [HERE, ELSEWHERE]) {
      const panel = looking({ service: { address } }, { listens: true });
      await panel.does(() => panel.gapsOf.look());
      expect([panel.found()?.basis, panel.found()?.speech, panel.found()?.music]).toEqual([
        "sound",
        [{ start: 1, end: 9, confidence: 0.9 }],
        [{ start: 40, end: 50 }],
      ]);
      expect(panel.editor.exports).toEqual([{ range: "whole", content: "sound", sounding: ["1", "2"] }]);
      expect([...panel.files.bytes.keys()].filter((path) => path.includes("/exports/"))).toEqual([]);
      expect(panel.stages).toEqual(["read", "export", "send", "listen", undefined]);
      expect(sent(panel)).toEqual(["GET listen", "GET listen", "POST upload_media", "POST listen"]);
    }
  });

  test("listens although there are captions or a transcript only where it is asked to", async () => {
    const panel = looking({ form: form({ captionSource: "file", captionFile }) }, { transcript: TALK, listens: true });
    await panel.does(() => panel.gapsOf.look(true));
    expect([panel.found()?.basis, panel.asked, panel.editor.exports.length]).toEqual(["sound", [], 1]);
  });

  test("sends nothing of a programme that is longer than the service listens to, or to one that does not run or knows no key", async () => {
    const long = looking({}, { listens: true });
    long.server.additions["GET listen"] = () => ({ body: { status: "available", maximum_duration_seconds: 59 } });
    await long.does(() => long.gapsOf.look(true));
    expect([long.editor.exports, long.session.state.message?.text]).toEqual([[], words.gapsUnknown]);
    const exact = looking({}, { listens: true });
    exact.server.additions["GET listen"] = () => ({ body: { status: "available", maximum_duration_seconds: 60 } });
    await exact.does(() => exact.gapsOf.look(true));
    expect(exact.editor.exports).toHaveLength(1);
    const locked = looking({}, { listens: true });
    locked.server.additions["GET listen"] = () => ({
      status: 401,
      body: { error: "unauthorized", message: "Invalid API key." },
    });
    await locked.does(() => locked.gapsOf.look(true));
    expect([locked.editor.exports, locked.session.state.message?.text]).toEqual([[], words.gapsUnknown]);
    const broken = looking({}, { listens: true });
    broken.server.additions["POST listen"] = () => ({ body: { nonsense: true } });
    await expect(broken.does(() => broken.gapsOf.look(true))).rejects.toMatchObject({ code: "reply_unreadable" });
    expect([...broken.files.bytes.keys()].filter((path) => path.includes("/exports/"))).toEqual([]);
    expect(broken.session.state.looking).toBeNull();
  });

  test("is one at a time, of a sequence; cancelled, it ends without a fault, and that is said", async () => {
    const panel = looking({}, { listens: true });
    await panel.does(() => Promise.all([panel.gapsOf.look(true), panel.gapsOf.look(true)]));
    expect(panel.editor.exports).toHaveLength(1);
    panel.gapsOf.cancel();
    expect(panel.said).toEqual([]);
    const look = panel.gapsOf.look(true);
    panel.gapsOf.cancel();
    await panel.ports.letGo();
    await look;
    expect([panel.said, panel.session.state.message, panel.session.state.looking]).toEqual([
      [words.heard.stopped],
      null,
      null,
    ]);
    const none = looking({ sequence: null }, { transcript: TALK });
    await none.does(() => none.gapsOf.look());
    expect([none.asked, none.found()]).toEqual([[], null]);
  });

  test("has a playhead that goes to a pause on its sequence", async () => {
    const panel = looking();
    await panel.does(async () => panel.gapsOf.jump(12));
    panel.session.store.set({ sequence: null });
    await panel.does(async () => panel.gapsOf.jump(13));
    expect(panel.editor.moved).toEqual([12]);
  });
});

describe("a text that is given", () => {
  /** A service that reads files itself, or does not. */
  function giving(text: string | null, state: Partial<PanelState> = {}, members: Partial<PanelEnvironment> = {}) {
    const endings: unknown[] = [];
    const panel = editingPanel({}, { review: null, ...state }, {
      pickFile: async (asked: readonly string[]) => {
        endings.push(asked);
        return text === null ? null : { path: "/texts/own.vtt", name: "own.vtt" };
      },
      ...members,
    } as never);
    if (text !== null) panel.files.bytes.set("/texts/own.vtt", new TextEncoder().encode(text));
    let kept = 0;
    panel.session.keepPreferences = () => {
      kept += 1;
    };
    return { ...panel, texts: new TextController(panel.session, panel.connection), endings, kept: () => kept };
  }

  test("goes into the form as what it is, with what was read of it; that is kept, and it can be taken out again alone", async () => {
    const panel = giving(TALK);
    await panel.does(() => panel.texts.pick("captions"));
    const { form: before, texts, textQuestion } = panel.session.state;
    expect([
      before.captionSource,
      before.captionFile?.filename,
      before.captionFile?.content,
      before.captionFile?.receipt,
      textQuestion,
    ]).toEqual([
      "file",
      "own.vtt",
      "WEBVTT\n\n00:10.000 --> 00:20.000\nHello.\n",
      {
        facts: ["1 caption", "zero is 00:00:00 (the film's start)"],
        leftOut: [],
        choices: { start: "zero is 00:00:00 (the film's start)", rate: "made for 25 frames a second, as the film" },
      },
      null,
    ]);
    expect(texts.captions?.picked.name).toBe("own.vtt");
    expect(panel.kept()).toBe(1);
    await panel.does(() => panel.texts.pick("script"));
    const both = panel.session.state.form;
    expect([both.scriptFile?.filename, both.captionFile?.filename, Object.keys(panel.session.state.texts)]).toEqual([
      "own.vtt",
      "own.vtt",
      ["captions", "script"],
    ]);
    panel.texts.drop("captions");
    expect([
      panel.session.state.form.captionFile,
      panel.session.state.form.scriptFile?.filename,
      Object.keys(panel.session.state.texts),
    ]).toEqual([undefined, "own.vtt", ["script"]]);
    panel.texts.drop("script");
    expect([panel.session.state.form.scriptFile, panel.session.state.texts]).toEqual([undefined, {}]);
    expect(panel.endings).toEqual([
      ["vtt", "webvtt", "srt", "txt"],
      ["vtt", "webvtt", "edl", "srt", "json", "txt"],
    ]);
  });

  test("is none where none is picked; one that cannot be of the film is refused by its name, and what was there stays", async () => {
    const none = giving(null);
    await none.does(() => none.texts.pick("captions"));
    expect([none.session.state.form, none.kept()]).toEqual([FIRST_FORM, 0]);
    const panel = giving("no captions at all");
    await expect(panel.does(() => panel.texts.pick("captions"))).rejects.toMatchObject({
      code: "file_unreadable",
      message: expect.stringMatching(/^“own\.vtt”: /),
    });
    expect([panel.session.state.form, panel.session.state.texts, panel.kept()]).toEqual([FIRST_FORM, {}, 0]);
  });

  /** Times that count from the beginning, or from the hour that the sequence begins at. */
  const LATE = vtt(["01:04:00.000", "01:04:03.000"], ["01:40:00.000", "01:40:03.000"]);
  const LONG = { ...jobEntry().sequence, startFrame: 90_000, durationSeconds: 6100 };

  test("that may be meant in several ways is asked about on the form, and nothing of it counts before; left, nothing of it ever does", async () => {
    const panel = giving(LATE, { view: "review", sequence: LONG, message: { isFault: true, text: "Before." } });
    await panel.does(() => panel.texts.pick("captions"));
    const { textQuestion, view, message } = panel.session.state;
    expect([
      textQuestion?.text.understood.verdict.kind,
      textQuestion?.byHand,
      textQuestion?.handDraft,
      textQuestion?.isAsked,
      textQuestion?.film,
      view,
      message,
    ]).toEqual(["unsure", "start", "", false, { durationSeconds: 6100 }, "describe", null]);
    expect([panel.session.state.form, panel.session.state.texts, panel.kept()]).toEqual([FIRST_FORM, {}, 0]);
    panel.texts.typeByHand("noon");
    await panel.does(() => panel.texts.useByHand());
    expect([panel.session.state.message, panel.session.state.textQuestion?.handDraft]).toEqual([
      { isFault: true, text: words.textHandWrong.start },
      "noon",
    ]);
    panel.texts.leave();
    panel.texts.typeByHand("01:00:00");
    await panel.does(() => panel.texts.useByHand());
    await panel.does(() => panel.texts.choose({ start: "01:00:00" }));
    expect([panel.session.state.textQuestion, panel.session.state.form]).toEqual([null, FIRST_FORM]);
  });

  test("counts as the answer says, by a press or by hand; one thing of it can be said otherwise later, and the rest stays said", async () => {
    const panel = giving(LATE, { sequence: LONG });
    const read = () => panel.session.state.texts.captions;
    await panel.does(() => panel.texts.pick("captions"));
    panel.texts.typeByHand(" 01:03:00 ");
    await panel.does(() => panel.texts.useByHand());
    expect([read()?.choice, panel.session.state.textQuestion]).toEqual([{ start: "01:03:00" }, null]);
    panel.texts.ask("captions", "rate");
    expect([panel.session.state.textQuestion?.byHand, panel.session.state.textQuestion?.isAsked]).toEqual([
      "rate",
      true,
    ]);
    panel.texts.typeByHand("24");
    await panel.does(() => panel.texts.useByHand());
    expect(read()?.choice).toEqual({ start: "01:03:00", rate: "24" });
    panel.texts.ask("captions");
    expect(panel.session.state.textQuestion?.byHand).toBe("start");
    await panel.does(() => panel.texts.choose({ start: "01:00:00" }));
    expect(read()?.choice).toEqual({ start: "01:00:00" });
    panel.texts.ask("script");
    expect(panel.session.state.textQuestion).toBeNull();
  });

  test("is settled for the sequence as it is now, or asked about or refused once more; what is not used is not looked at", async () => {
    const panel = giving(null, {
      form: form({ captionSource: "file", captionFile: { filename: "own.vtt", content: TALK } }),
    });
    expect(await panel.does(() => panel.texts.areSettled())).toBe(true);
    panel.session.store.set({
      form: form({ captionSource: "none", captionFile: { filename: "own.vtt", content: "no captions" } }),
    });
    expect(await panel.does(() => panel.texts.areSettled())).toBe(true);
    panel.session.store.set({
      form: form({ captionSource: "file", captionFile: { filename: "own.vtt", content: "no captions" } }),
    });
    await expect(panel.does(() => panel.texts.areSettled())).rejects.toMatchObject({ code: "file_unreadable" });
    panel.session.store.set({ form: form({ scriptFile: { filename: "mine.vtt", content: "no script" } }) });
    await expect(panel.does(() => panel.texts.areSettled())).rejects.toMatchObject({
      code: "file_unreadable",
      message: expect.stringMatching(/^“mine\.vtt”: /),
    });
  });

  test("is read here where no service answers or knows the key; any other trouble is told", async () => {
    const panel = giving(TALK);
    panel.server.additions["GET read_text"] = () => ({
      status: 401,
      body: { error: "unauthorized", message: "Invalid API key." },
    });
    await panel.does(() => panel.texts.pick("captions"));
    expect(panel.session.state.form.captionFile?.filename).toBe("own.vtt");
    const other = giving(TALK);
    other.server.additions["GET read_text"] = () => ({ body: { nonsense: true } });
    await expect(other.does(() => other.texts.pick("captions"))).rejects.toMatchObject({ code: "reply_unreadable" });
    expect(other.endings).toEqual([]);
  });
});

describe("what is known of a film", () => {
  const job = (change: Partial<JobEntry> = {}) => jobEntry({ serviceAddress: HERE, ...change });
  const results = (...all: readonly Result[]) => all;
  async function knowing(jobs: readonly JobEntry[], kept: readonly Result[], state: Partial<PanelState> = {}) {
    const panel = editingPanel({}, { review: null, service: { address: HERE }, ...state, jobs: [...jobs] });
    for (const result of kept) await panel.does(() => panel.session.library.saveResult(result));
    const given = form({
      settings: { ...FIRST_FORM.settings, describing: { bible: "of before", cuts: [1, 2], style: "terse" } as never },
    });
    return {
      ...panel,
      told: async (order: Partial<JobEntry> = {}) =>
        (
          await panel.does(() =>
            withKnownOfFilm(panel.session, { sequence: jobEntry().sequence, form: given, ...order }),
          )
        ).settings.describing,
    };
  }
  const made = (runId: string, change: Partial<Result> = {}) => {
    const { placed: _, ...result } = placedResult([], { runId, ...change });
    return result;
  };
  const corrected = (runId: string, correctedAt: string, text: string) => made(runId, { bible: { text, correctedAt } });
  const given = (runId: string, bible: string) =>
    made(runId, { settings: { ...placedResult([]).settings, describing: { bible } } as never });

  test("is what was corrected last, whichever result it is in, else what the newest was given; of other sequences none", async () => {
    const jobs = [
      job({ runId: "new" }),
      job({ runId: "old" }),
      job({ runId: "voices", voices: "old" }),
      job({ runId: "joins", adds: { to: "old", stretches: [] } }),
      job({ runId: "other", sequence: { ...jobEntry().sequence, id: "s9" } }),
    ];
    const others = results(
      corrected("voices", "2026-09-01", "never"),
      corrected("joins", "2026-09-02", "never"),
      corrected("other", "2026-09-03", "of another"),
    );
    const told = async (...kept: readonly Result[]) => {
      const panel = await knowing(jobs, [...others, ...kept]);
      return panel.told();
    };
    expect(await told(corrected("new", "2026-01-01", "first"), corrected("old", "2026-02-01", "second"))).toEqual({
      style: "terse",
      bible: "second",
    });
    expect(await told(corrected("new", "2026-03-01", "third"), corrected("old", "2026-02-01", "second"))).toEqual({
      style: "terse",
      bible: "third",
    });
    expect(await told(given("new", "given"), given("old", "earlier"))).toEqual({ style: "terse", bible: "given" });
    expect(await told(given("old", "earlier"))).toEqual({ style: "terse", bible: "earlier" });
    expect(await told()).toEqual({ style: "terse" });
  });

  test("is that of the result that new picture joins, on whatever sequence it was made", async () => {
    const other = { ...jobEntry().sequence, id: "s9" };
    const panel = await knowing(
      [job({ runId: "described", sequence: other })],
      [corrected("described", "2026-01-01", "known")],
    );
    expect(await panel.told()).toEqual({ style: "terse" });
    expect(await panel.told({ adds: { to: "described", stretches: [] } })).toEqual({ style: "terse", bible: "known" });
  });

  test("is told to a service of ours alone, and not beside a script", async () => {
    const kept = [corrected("new", "2026-01-01", "known")];
    const told = async (address: string, jobs: readonly JobEntry[], change: Partial<Form> = {}) => {
      const panel = await knowing(jobs, kept, { service: { address } });
      return panel.told({ form: form(change) });
    };
    const elsewhere = job({ runId: "new", serviceAddress: ELSEWHERE });
    expect(await told(ELSEWHERE, [elsewhere])).toBeUndefined();
    expect(await told(ELSEWHERE, [elsewhere, { ...elsewhere, runId: "x", describer: "vision" as never }])).toEqual({
      bible: "known",
    });
    expect(await told(HERE, [job({ runId: "new" })])).toEqual({ bible: "known" });
    expect(
      await told(HERE, [job({ runId: "new" })], { scriptFile: { filename: "mine.vtt", content: "" } }),
    ).toBeUndefined();
  });

  const cutting = async (change: Partial<JobEntry> = {}, state: Partial<PanelState> = {}) => {
    const one = job({
      state: "waiting",
      form: form({ settings: { ...FIRST_FORM.settings, describing: { cuts: [3], bible: "b" } as never } }),
      ...change,
    });
    const panel = editingPanel({}, { review: null, ...state, jobs: [one] });
    panel.editor.timeline = {
      ...FILM,
      tracks: [
        madeTrack("video", [
          madeClip(madeMedia("a.mov"), 0, 20),
          madeClip(madeMedia("b.mov"), 20, 35),
          madeClip(madeMedia("c.mov"), 35, 60),
        ]),
      ],
    };
    const told = () => panel.does(() => withEditPoints(panel.session, one));
    return { ...panel, told };
  };
  const cutsOf = ({ form: { settings } }: JobEntry) =>
    (settings.describing as { cuts?: readonly number[] } | undefined)?.cuts;

  test("are the edit points of its range, read before its export and kept with the job", async () => {
    const panel = await cutting();
    const told = await panel.told();
    expect([cutsOf(told), panel.keptJob()?.form, panel.session.state.jobs[0]?.form]).toEqual([
      [20, 35],
      told.form,
      told.form,
    ]);
    expect(told.form.settings.describing).toMatchObject({ bible: "b" });
    const part = await cutting({ form: form({ range: "in-to-out" }) });
    part.session.environment.editor.readSequence = async () => ({ ...jobEntry().sequence, inPoint: 10, outPoint: 30 });
    expect(cutsOf(await part.told())).toEqual([10]);
  });

  test("are none of another sequence, or of a cut that cannot be read", async () => {
    const other = await cutting({ sequence: { ...jobEntry().sequence, id: "s9" } });
    expect((await other.told()).form.settings.describing).toEqual({ bible: "b" });
    const unreadable = await cutting();
    unreadable.editor.readTimeline = async () => Promise.reject(new Error("busy"));
    expect((await unreadable.told()).form.settings.describing).toEqual({ bible: "b" });
  });

  test("stays as it was told once the export is there, and is not read for voices or for what joins", async () => {
    for (const change of [{ voices: "run-0" }, { adds: { to: "run-0", stretches: [] } }]) {
      const panel = await cutting(change);
      expect(cutsOf(await panel.told())).toEqual([3]);
    }
    const panel = await cutting();
    const record = {
      version: RECORD_VERSION,
      runId: "run-1",
      startedAt: "2026-01-01T00:00:00.000Z",
      name: "Harbour",
      queued: { path: "/x", id: "1" },
    };
    panel.files.texts.set("/panel/runs/run-1.json", JSON.stringify(record));
    expect(cutsOf(await panel.told())).toEqual([3]);
  });
});
