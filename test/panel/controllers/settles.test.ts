import { describe, expect, test } from "vitest";
import { ConformController } from "../../../panel/controllers/conform/conform-controller.ts";
import { ContactController } from "../../../panel/controllers/contact-controller.ts";
import { DeliverController } from "../../../panel/controllers/deliver/deliver-controller.ts";
import { FormController } from "../../../panel/controllers/describe/form-controller.ts";
import { GapController } from "../../../panel/controllers/describe/gap-controller.ts";
import { JobQueue } from "../../../panel/controllers/describe/job-queue.ts";
import { JobResults } from "../../../panel/controllers/describe/job-results.ts";
import { withEditPoints, withKnownOfFilm } from "../../../panel/controllers/describe/known-of-film.ts";
import { beginOnKeptMedia, voicingOrder } from "../../../panel/controllers/describe/voice-changed.ts";
import { ModelsController } from "../../../panel/controllers/models-controller.ts";
import { PanelController } from "../../../panel/controllers/panel-controller.ts";
import { PictureController, PlayheadController } from "../../../panel/controllers/review/playhead-controller.ts";
import { ProgrammeSoundController } from "../../../panel/controllers/review/programme-sound-controller.ts";
import { ReviewController } from "../../../panel/controllers/review/review-controller.ts";
import { SignOffController } from "../../../panel/controllers/review/sign-off-controller.ts";
import { SettingsController } from "../../../panel/controllers/settings-controller.ts";
import { keepRecord } from "../../../panel/session/kept-record.ts";
import { runsOf } from "../../../panel/session/library.ts";
import type { Session } from "../../../panel/session/session.ts";
import { firstDelivery, HAND_OFFS, SOUND_KINDS } from "../../../panel/state/delivery-state.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import { toggleMuted } from "../../../panel/state/review-edits.ts";
import { selectCue } from "../../../panel/state/review-state.ts";
import { Learnt } from "../../../src/host/learnt.ts";
import { DELIVERY_TEXTS } from "../../../src/workflow/deliver/delivery-preset.ts";
import { RECORD_VERSION } from "../../../src/workflow/describe/recovery.ts";
import { madeTimeline, madeTrack } from "../../made-timeline.ts";
import { ADDRESS, fetching, type HeldPanel, heldPanel, RESULT, SEQUENCE, SETTINGS, withState } from "../held-panel.ts";
import { jobEntry } from "../session-in-memory.ts";

const settingsOf = ({ session, connection }: HeldPanel) => new SettingsController(session, connection);
const modelsOf = (panel: HeldPanel) => new ModelsController(panel.session, panel.connection, settingsOf(panel));
/** A queue that begins nothing: what is queued waits. */
function queueOf({ session, connection }: HeldPanel): JobQueue {
  session.close();
  return new JobQueue(session, connection, { voiced: async () => undefined, described: async () => 0 });
}
const TRIAL = { works: true, message: "", seconds: 1, audio: Buffer.from("sound").toString("base64") };

const COMPANION = { address: "http://127.0.0.1:9000", key: "k", version: "1.0.0", pid: 1 };
const delivering = () => withState(heldPanel(), { delivery: firstDelivery(openReview(RESULT, jobEntry())) });
const deliverOf = ({ session, connection }: HeldPanel) => new DeliverController(session, connection);
const panelOf = ({ session }: HeldPanel) => new PanelController(session, {} as never);
const conformOf = ({ session }: HeldPanel) => new ConformController(session, {} as never, {} as never);
const recorded = () => withState(heldPanel(), { sequence: SEQUENCE });

/** What a person has the panel do, what it needs, and what is asked of the ports; `null` where the disk alone is. */
const DEEDS: Readonly<
  Record<string, readonly [panel: () => HeldPanel, deed: (panel: HeldPanel) => Promise<unknown>, asked: RegExp | null]>
> = {
  "looks at the models": [() => heldPanel({ models: fetching("done") }), (one) => modelsOf(one).look(), /models/],
  "fetches a model": [
    () => heldPanel({ fetchModel: fetching("done") }),
    (one) => modelsOf(one).fetch("m"),
    /fetchModel m.*settings/s,
  ],
  "checks a model": [
    () => heldPanel({ checkModel: fetching("done") }),
    (one) => modelsOf(one).check("m"),
    /checkModel m.*settings/s,
  ],
  "removes a model": [
    () => heldPanel({ removeModel: fetching("done") }),
    (one) => modelsOf(one).remove("m"),
    /removeModel m.*settings/s,
  ],
  "pauses a download": [
    () => heldPanel({ cancelFetch: fetching("done") }),
    (one) => modelsOf(one).pause(),
    /cancelFetch/,
  ],
  "looks at the settings": [heldPanel, (one) => settingsOf(one).look(), /settings/],
  "starts Aside": [
    () => heldPanel({}, { rest: { startCompanion: async () => true, findCompanion: async () => COMPANION } }),
    (one) => settingsOf(one).start(),
    /settings/,
  ],
  "looks again": [heldPanel, (one) => settingsOf(one).lookAgain(), /load.*settings/s],
  "looks after a fetch": [heldPanel, (one) => settingsOf(one).lookAfterFetch(), /settings/],
  "looks for choices": [heldPanel, (one) => settingsOf(one).findChoices(), /settingChoices/],
  "begins settings anew": [
    () => withState(heldPanel(), { damagedSettings: { address: ADDRESS, sentence: "Damaged." } }),
    (one) => settingsOf(one).beginAnew(),
    /beginSettingsAnew.*settings/s,
  ],
  "lets nothing leave": [
    () => heldPanel({ changeSettings: SETTINGS }),
    (one) => settingsOf(one).setLocalOnly(true),
    /changeSettings.*settingChoices/s,
  ],
  "sets numbers": [
    () => heldPanel({ changeSettings: SETTINGS }),
    (one) => settingsOf(one).useNumbers("retention"),
    /changeSettings/,
  ],
  "hears the voice": [
    () => heldPanel({ testSettings: TRIAL }),
    (one) => settingsOf(one).hear(),
    /testSettings.*stop.*write.*close.*play/s,
  ],
  "hears a model": [
    () => heldPanel({ testSettings: TRIAL }),
    (one) => settingsOf(one).hearModel("m", ["en-US"]),
    /testSettings.*stop.*write.*close.*play/s,
  ],
  "chooses a preset of a delivery": [delivering, (one) => deliverOf(one).choosePreset("netflix"), null],
  "ticks a text": [delivering, (one) => deliverOf(one).wantText("srt", false), null],
  "ticks a sound": [delivering, (one) => deliverOf(one).wantSound("mix", false), null],
  "ticks a form for others": [delivering, (one) => deliverOf(one).wantHandOff("aaf", true), null],
  "looks at the cut": [recorded, (one) => conformOf(one).look(), /readNote.*/s],
  "glances at the cut": [recorded, (one) => conformOf(one).glance(), /readNote.*/s],
  "shows a reply as it came": [
    () => withState(heldPanel(), { jobs: [jobEntry({ rawPath: "/panel/results/raw" })] }),
    (one) => panelOf(one).showRaw("run-1"),
    null,
  ],
  "copies a text": [heldPanel, (one) => panelOf(one).copy("words"), /copied true/],
  "opens a result, and saves the one before": [
    heldPanel,
    async ({ session }) => {
      const review = new ReviewController(session);
      review.change((state) => toggleMuted(selectCue(state, "a", false)));
      await review.open("other");
    },
    null,
  ],
  "begins on what the service has": [
    heldPanel,
    async ({ session, files }) => {
      files.texts.set("/panel/runs/run-1.json", JSON.stringify({ version: 1, runId: "run-1" }));
      await beginOnKeptMedia(session, RESULT, "run-2");
    },
    null,
  ],
  "notes what is sent to be voiced": [
    heldPanel,
    async ({ session, files }) => {
      await voicingOrder(session, jobEntry({ runId: "run-2", voices: "run-1" }));
      expect([...files.texts.values()].join()).toContain("Rain.");
    },
    null,
  ],
  "tries the host's buttons again": [
    () => {
      const panel = heldPanel();
      const trial = panel.ports.wrap({ name: "buttons", run: async () => ({ outcome: "usual", seen: "x" }) });
      const contact = { version: "27", learnt: new Learnt(null), trials: [trial], calls: () => [] };
      Object.assign(panel.session.environment, { contact });
      return panel;
    },
    async ({ session }) => {
      await new ContactController(session).usePlainButtons(false);
      expect(session.state.contact?.answers).toHaveLength(1);
    },
    null,
  ],
  "copies a report": [heldPanel, ({ session }) => new ContactController(session).copyReport(null), /copied true/],
  "picks a preset": [heldPanel, ({ session }) => new FormController(session).pickPreset(), /presets.*hasEncoder/s],
  "reads the cut": [
    () => withState(heldPanel(), { jobs: [jobEntry({ serviceAddress: ADDRESS, describer: {} as never })] }),
    ({ session }) => withEditPoints(session, jobEntry({ serviceAddress: ADDRESS })),
    /readSequence.*readTimeline/s,
  ],
  "looks what is known": [
    () =>
      withState(heldPanel(), {
        jobs: [jobEntry({ serviceAddress: ADDRESS, describer: {} as never, runId: "x" })],
        review: null,
      }),
    ({ session }) => withKnownOfFilm(session, jobEntry()),
    null,
  ],
  "looks where the playhead is": [
    heldPanel,
    ({ session }) => new PlayheadController(session, { showAt: () => undefined } as never).look(),
    /playhead/,
  ],
  "looks for pictures": [
    heldPanel,
    ({ session, connection }) => new PictureController(session, connection).look(),
    /moments/,
  ],
  "exports the sound": [heldPanel, ({ session }) => new ProgrammeSoundController(session).prepare(), /exportSequence/],
  "signs off": [heldPanel, (one) => signOffOf(one).sign(), /save waiting.*readSequence/s],
  "takes a sign-off back": [heldPanel, (one) => signOffOf(one).withdraw(), /save waiting.*readSequence/s],
  "opens a delivery": [heldPanel, ({ session, connection }) => new DeliverController(session, connection).open(), null],
  "picks a sound": [
    () =>
      withState(heldPanel(), {}, (session) =>
        session.store.set({ delivery: firstDelivery(openReview(RESULT, jobEntry())) }),
      ),
    ({ session, connection }) => new DeliverController(session, connection).pickSound("mix"),
    null,
  ],
  "orders a description": [heldPanel, (one) => queueOf(one).order(), /readSequence.*projectId/s],
  "orders a description beside the project": [
    () => heldPanel({}, { editor: { projectFolder: "/projects" } }),
    (one) => queueOf(one).takeUp({ sequence: SEQUENCE, form: jobEntry().form }, {}),
    /projectId.*projectFolder/s,
  ],
  "delivers texts": [
    () => {
      const panel = recorded();
      const delivery = firstDelivery(openReview(RESULT, jobEntry()));
      panel.session.store.set({ delivery: { ...delivery, soundKinds: [], findings: [], goesDespite: true } });
      return panel;
    },
    (one) => deliverOf(one).deliver(),
    null,
  ],
  "hands a sequence off": [
    () => {
      const panel = recorded();
      const delivery = firstDelivery(openReview(RESULT, jobEntry()));
      const handOffs = ["aaf", "captions"] as const;
      panel.session.store.set({
        delivery: { ...delivery, texts: ["srt"], soundKinds: [], handOffs, findings: [], goesDespite: true },
      });
      return panel;
    },
    (one) => deliverOf(one).deliver(),
    /convert.*importFile/s,
  ],
  "orders what is new in a cut": [
    heldPanel,
    (one) => {
      const adds = { to: "run-1", stretches: [{ start: 1, end: 2 }] } as never;
      return queueOf(one).describeNew({ sequence: SEQUENCE, form: jobEntry().form, adds });
    },
    /load.*projectId/s,
  ],
  "voices what changed": [heldPanel, (one) => queueOf(one).voice(), null],
  "takes a description": [heldPanel, ({ session }) => resultsOf(session).take("run-1", runOf(RESULT)), null],
  "takes what is new": [
    heldPanel,
    ({ session }) => {
      const stretch = { start: 1, end: 2 } as never;
      return resultsOf(session).takeStretches("run-1", [{ stretch, run: runOf(RESULT) }]);
    },
    null,
  ],
  "exports the sound anew": [
    heldPanel,
    async ({ session }) => {
      const sound = new ProgrammeSoundController(session);
      await sound.prepare();
      await sound.prepare();
    },
    /exportSequence.*exportSequence/s,
  ],
  "takes a job up": [
    heldPanel,
    (one) => queueOf(one).takeUp({ sequence: SEQUENCE, form: jobEntry().form }, {}),
    /projectId/,
  ],
  "goes on with a job": [heldPanel, (one) => queueOf(one).resume("run-1"), null],
  "starts a job anew": [heldPanel, (one) => queueOf(one).again("run-1", {}), null],
  "stops waiting": [heldPanel, (one) => queueOf(one).cancel("run-1"), null],
  "stops a job": [heldPanel, (one) => queueOf(one).stop("run-1"), null],
  "fetches a sound again": [heldPanel, (one) => queueOf(one).fetchAgain("run-1"), null],
  "removes a job": [heldPanel, (one) => queueOf(one).remove("run-1"), null],
};

const resultsOf = (session: Session) =>
  new JobResults(session, { voiced: async () => undefined, described: async () => 0 });

/** A run that brought a result, whose export lies there for nothing else. */
function runOf(result: typeof RESULT) {
  const exported = { path: "/exports/a.wav", isTemporary: true };
  return { result, raw: { format: "vtt", content: "WEBVTT" }, exported, sequence: SEQUENCE, stepSeconds: {} } as never;
}

function signOffOf({ session, ports, asked }: HeldPanel): SignOffController {
  return new SignOffController(session, ports.wrap({ save: async () => void asked.push("save waiting") }).save);
}

describe("what the panel does is done when it says so", () => {
  test.each(Object.entries(DEEDS))("%s", async (_, [panelOf, deed, wanted]) => {
    const panel = panelOf();
    expect(await panel.ports.settlesLast(() => deed(panel))).toBeNull();
    expect(panel.ports.calls.length).toBeGreaterThan(0);
    if (wanted !== null) expect(panel.asked.join("\n")).toMatch(wanted);
    const other = panelOf();
    expect(await other.ports.settlesLast(() => deed(other), -1, "newest first")).toBeNull();
    // Whatever fails on the way fails for whoever waits, or is done without: never beside them.
    for (let index = 0; index < panel.ports.calls.length; index++) {
      const again = panelOf();
      await again.ports.settlesLast(() => deed(again), index);
      // Of two files that are kept together, the other may still be on its way.
      const left = again.ports.left.filter((name) => name !== "writeText");
      expect(left, `${again.ports.calls[index]} failed`).toEqual([]);
    }
  });
});

test("every stretch of a job that the service has accepted is stopped there, and that is kept when it is said", async () => {
  const panel = heldPanel({ cancelJob: { progress: { stage: "describe" } } });
  const stretch = { start: 1, end: 2 } as never;
  const adds = { to: "run-1", stretches: [stretch, stretch] };
  const job = jobEntry({ runId: "new", state: "stopped", serviceAddress: ADDRESS, adds });
  for (const [index, runId] of runsOf(job).entries()) {
    const submission = { state: "accepted", jobId: `job-${index}`, mediaId: "m" };
    const record = {
      version: RECORD_VERSION,
      runId,
      startedAt: "2026-01-01T00:00:00.000Z",
      name: "Harbour",
      submission,
    };
    panel.files.texts.set(`/panel/runs/${runId}.json`, JSON.stringify(record));
  }
  panel.session.store.set({ jobs: [job] });
  expect(await panel.ports.settlesLast(() => queueOf(panel).stop("new"))).toBeNull();
  expect(panel.asked.filter((one) => one.startsWith("cancelJob"))).toEqual(["cancelJob job-0", "cancelJob job-1"]);
  expect([...panel.files.texts.values()].join()).not.toContain("accepted");
});

test("new picture that was ordered before is gone on with, whichever of the jobs it is, and other picture is a job of its own", async () => {
  const order = (start: number) => ({ to: "run-1", stretches: [{ start, end: start + 1 }] }) as never;
  const panel = heldPanel();
  const jobs = [1, 2].map((start) => jobEntry({ runId: `new-${start}`, state: "stopped", adds: order(start) }));
  panel.session.store.set({ jobs: [jobEntry(), ...jobs] });
  const queue = queueOf(panel);
  for (const start of [1, 2]) {
    await panel.ports.settlesLast(() =>
      queue.describeNew({ sequence: SEQUENCE, form: jobEntry().form, adds: order(start) }),
    );
  }
  expect(panel.session.state.jobs.map(({ runId, state }) => [runId, state])).toEqual([
    ["run-1", "done"],
    ["new-1", "waiting"],
    ["new-2", "waiting"],
  ]);
  await panel.ports.settlesLast(() => queue.describeNew({ sequence: SEQUENCE, form: jobEntry().form, adds: order(3) }));
  expect(panel.session.state.jobs).toHaveLength(4);
});

test("a delivery that is cancelled while it is handed off is gone by the time that is said", async () => {
  for (const order of ["oldest first", "newest first"] as const) {
    const cancelled: { go?: () => void } = {};
    const panel = withState(heldPanel({}, { editor: { convert: () => cancelled.go?.() } }), { sequence: SEQUENCE });
    const delivery = firstDelivery(openReview(RESULT, jobEntry()));
    const chosen = { texts: ["srt"], soundKinds: [], handOffs: ["captions", "aaf", "otio"], goesDespite: true };
    panel.session.store.set({ delivery: { ...delivery, ...chosen, findings: [] } as never });
    const deliver = deliverOf(panel);
    cancelled.go = () => deliver.cancel();
    expect(await panel.ports.settlesLast(() => deliver.deliver(), -1, order)).toBeNull();
    expect(panel.session.state.delivery).toMatchObject({ written: null, running: null });
    expect([...panel.files.texts.keys()].filter((path) => path.startsWith("/delivered/"))).toEqual([]);
    expect(panel.ports.calls.filter((name) => name === "remove").length).toBeGreaterThan(3);
  }
});

test("whatever is ticked of a delivery, and nothing else, is ticked then", async () => {
  const panel = delivering();
  const ticked = () => panel.session.state.delivery;
  for (const kind of DELIVERY_TEXTS) await panel.ports.settlesLast(() => deliverOf(panel).wantText(kind, true));
  for (const kind of SOUND_KINDS) await panel.ports.settlesLast(() => deliverOf(panel).wantSound(kind, true));
  for (const kind of HAND_OFFS) await panel.ports.settlesLast(() => deliverOf(panel).wantHandOff(kind, true));
  expect([ticked()?.texts, ticked()?.soundKinds, ticked()?.handOffs]).toEqual([DELIVERY_TEXTS, SOUND_KINDS, HAND_OFFS]);
  const [firstText] = DELIVERY_TEXTS;
  await panel.ports.settlesLast(() => deliverOf(panel).wantText(firstText, false));
  expect(ticked()?.texts).toEqual(DELIVERY_TEXTS.slice(1));
});

test("a voice is heard in the form's language where that is any of its languages, else in its own", async () => {
  const heard = async (languages: readonly string[]) => {
    let asked: unknown;
    const panel = heldPanel({
      testSettings: (order: { language: string }) => {
        asked = order.language;
        return TRIAL;
      },
    });
    await panel.ports.settlesLast(() => settingsOf(panel).hearModel("m", languages));
    return asked;
  };
  const { language } = jobEntry().form.settings;
  expect(await heard(["de-DE", language])).toBe(language);
  expect(await heard(["de-DE", "fr-FR"])).toMatch(/^de-/);
});

test("an export that could not be sent is gone when the look for pauses is over", async () => {
  const here = { ...COMPANION, address: "http://127.0.0.1:8420" };
  const rest = { findCompanion: async () => here, transfer: {} } as never;
  const panel = heldPanel({ longestHeardSeconds: 3_600 }, { rest });
  panel.session.store.set({ sequence: SEQUENCE, service: { address: here.address } });
  const ended = await panel.ports.settlesLast(() => new GapController(panel.session, panel.connection).look(true));
  expect(ended).toBeInstanceOf(Error);
  expect(panel.asked.join()).toContain("exportSequence");
  expect(panel.ports.calls.at(-1)).toBe("remove");
});

test("the sound of a programme counts until any of its tracks is muted", async () => {
  for (const muted of [0, 1]) {
    let timeline = madeTimeline([madeTrack("audio", []), madeTrack("audio", [])]);
    const panel = heldPanel({}, { editor: { readTimeline: () => timeline } });
    const sound = new ProgrammeSoundController(panel.session);
    await panel.ports.settlesLast(() => sound.prepare());
    const isThere = async () => {
      const found = sound.of(SEQUENCE.id);
      await panel.ports.letGo();
      return (await found) !== null;
    };
    expect(await isThere()).toBe(true);
    timeline = madeTimeline([0, 1].map((index) => madeTrack("audio", [], { isEnabled: index !== muted })));
    expect(panel.ports.calls).not.toContain("remove");
    expect(await isThere()).toBe(false);
    expect(panel.ports.calls.filter((one) => one === "remove")).toHaveLength(1);
  }
});

test("files of a model are picked by the endings of all that it may be made of, and of archives, each once", async () => {
  let asked: readonly string[] = [];
  const pickFiles = async (types: readonly string[]) => {
    asked = types;
    return [];
  };
  const panel = heldPanel({}, { rest: { pickFiles } });
  const at = (...names: readonly string[]) => names.map((name) => `https://models.example/${name}?download=true`);
  const models = [
    { id: "other", addresses: at("x.bin") },
    { id: "m", addresses: at("a.onnx", "b.json", "c.onnx") },
  ];
  const question = { model: "m", about: "files", files: [] };
  panel.session.store.set({ modelsHere: { address: ADDRESS, reply: { models }, question } as never });
  await panel.ports.settlesLast(() => modelsOf(panel).pickFiles());
  expect([...asked].sort()).toEqual(["bz2", "gz", "json", "onnx", "tgz", "zip"]);
});

test("a look at the cut that fails keeps no later one from looking", async () => {
  const panel = withState(heldPanel(), { sequence: SEQUENCE });
  const conform = conformOf(panel);
  for (const looks of [1, 2]) {
    await panel.ports.settlesLast(() => conform.glance(), 0);
    expect(panel.asked.filter((one) => one === "readSequence")).toHaveLength(looks);
  }
});

test.each(["fetch", "check", "look"] as const)(
  "a download is watched once a second until it is over, whatever began to watch it (%s), and then what it changed is looked for",
  async (deed) => {
    let state = "running";
    const told = () => fetching(state);
    const panel = heldPanel({ fetchModel: told, checkModel: told, models: told });
    const { clock, ports, session, asked } = panel;
    let isOver = false;
    void modelsOf(panel)
      [deed]("m")
      .then(() => {
        isOver = true;
      });
    await ports.letGo();
    const looks = () => asked.filter((one) => one === "models").length;
    const before = looks();
    for (const [index, next] of ["running", "unpacking", "checking"].entries()) {
      state = next;
      await clock.pass(999);
      await ports.letGo();
      expect([isOver, looks() - before]).toEqual([false, index]);
      await clock.pass(1);
      await ports.letGo();
      expect([isOver, looks() - before]).toEqual([false, index + 1]);
    }
    state = "done";
    await clock.pass(1000);
    await ports.letGo();
    expect([isOver, asked.at(-1)]).toEqual([true, "settings"]);
    expect(session.state.message?.text).toContain("Model");
    await clock.pass(60_000);
    expect(looks() - before).toBe(4);
  },
);

test("a sign-off is in the result and in the record of its sequence once it is said, and what waited was saved before", async () => {
  const notes = new Map<string, string>();
  const editor = {
    readNote: () => notes.get("record") ?? null,
    writeNote: (_: string, { text }: { readonly text: string }) => void notes.set("record", text),
  };
  const panel = heldPanel({}, { editor });
  const { session, ports, asked } = panel;
  await ports.settlesLast(() => keepRecord(session, RESULT));
  asked.length = 0;
  await ports.settlesLast(() => signOffOf(panel).sign());
  expect(asked[0]).toBe("save waiting");
  const kept = [...panel.files.texts]
    .filter(([, text]) => text.includes("Ada"))
    .map(([path]) => path.split("/").at(-1));
  expect(kept).toEqual(expect.arrayContaining(["run-1.result.json", "sequence-s1.record.txt"]));
  expect(notes.get("record")).toContain("Ada");
  expect(session.state.review?.result.signOff?.name).toBe("Ada");
  await ports.settlesLast(() => signOffOf(panel).withdraw());
  expect([notes.get("record")?.includes("Ada"), session.state.review?.result.signOff]).toEqual([false, undefined]);
});

test("a host is met once; what could not be seen is looked for again, but for a service that does not run", async () => {
  const seen = (name: string, outcome: string) => ({ name, run: async () => ({ outcome, seen: "x" }) });
  const meet = async (trials: readonly object[]) => {
    const learnt = new Learnt(null);
    const contact = { version: "27", learnt, trials, calls: () => [] };
    const { session, ports, clock } = heldPanel({}, { rest: { contact } as never });
    void clock;
    await ports.settlesLast(() => new ContactController(session).meet());
    return { kept: learnt.recall("contact"), message: session.state.message };
  };
  expect((await meet([seen("sequence", "usual"), seen("loopback", "open")])).kept).toBe(
    "sequence usual, loopback open",
  );
  for (const trials of [
    [seen("sequence", "open"), seen("buttons", "usual")],
    [seen("buttons", "usual"), seen("presets", "open")],
  ]) {
    expect((await meet(trials)).kept).toBeUndefined();
  }
  const { message } = await meet([seen("sequence", "differs"), seen("sound", "differs"), seen("buttons", "differs")]);
  // What nobody would notice is not told.
  expect(message?.details).toHaveLength(2);
});

test("jobs, reports and deliveries have the time of the clock, whatever that is", async () => {
  const panel = heldPanel();
  const { session, ports, clock, connection } = panel;
  await clock.pass(86_400_000);
  const queue = new JobQueue(session, connection, { voiced: async () => undefined, described: async () => 0 });
  session.close();
  await ports.settlesLast(() => queue.takeUp({ sequence: SEQUENCE, form: jobEntry().form }, {}));
  expect(session.state.jobs[0]?.startedAt).toBe(new Date(clock.now()).toISOString());
  await ports.settlesLast(() => queue.voice());
  expect(session.state.jobs[0]).toMatchObject({ voices: "run-1", startedAt: new Date(clock.now()).toISOString() });
  const copied: string[] = [];
  const reporting = heldPanel({}, { rest: { copyText: async (text: string) => void copied.push(text) } });
  await reporting.clock.pass(86_400_000);
  await reporting.ports.settlesLast(() => new ContactController(reporting.session).copyReport(null));
  expect(copied[0]).toContain(new Date(reporting.clock.now()).toISOString().slice(0, 10));
});

test("Aside is started before its settings are looked for, at the address where it listens then", async () => {
  const rest = { startCompanion: async () => true, findCompanion: async () => COMPANION };
  const panel = heldPanel({}, { rest });
  const { session, clock, ports } = panel;
  session.store.set({ service: { address: "http://127.0.0.1:8420" }, serviceSettings: null });
  const started = settingsOf(panel).start();
  await ports.letGo();
  expect(session.state.serviceSettings).toBeNull();
  await clock.pass(500);
  await ports.letGo();
  await started;
  expect(session.state.serviceSettings?.address).toBe(COMPANION.address);
});
