import { describe, expect, test } from "vitest";
import { ContactController } from "../../../panel/controllers/contact-controller.ts";
import { FormController } from "../../../panel/controllers/describe/form-controller.ts";
import { ModelsController } from "../../../panel/controllers/models-controller.ts";
import { PanelController } from "../../../panel/controllers/panel-controller.ts";
import { SettingsController } from "../../../panel/controllers/settings-controller.ts";
import type { FaultRemedy, PanelState, ViewName } from "../../../panel/state/panel-state.ts";
import { words } from "../../../panel/words/words.ts";
import { ServiceError } from "../../../src/client/errors.ts";
import { Learnt } from "../../../src/host/learnt.ts";
import { turns } from "../../fakes/set-clock.ts";
import { ADDRESS, type Answers, heldPanel, SETTINGS } from "../held-panel.ts";
import { jobEntry } from "../session-in-memory.ts";

const OTHER = "https://other.example.com";
const MODELS = [
  { id: "m", title: "Model" },
  { id: "n", title: "Another" },
];
const reply = (state: string, model = "m") => ({ models: MODELS, download: { model, state }, refused: null });

function working(answers: Answers = {}, state: Partial<PanelState> = {}, rest: Answers = {}) {
  const given: unknown[][] = [];
  const client = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (...args: unknown[]) => {
        given.push([name, ...args]);
        return typeof answer === "function" ? answer(...args) : answer;
      },
    ]),
  );
  const panel = heldPanel(client, { rest });
  panel.session.store.set(state);
  const settings = new SettingsController(panel.session, panel.connection);
  const models = new ModelsController(panel.session, panel.connection, settings);
  const shown = () => panel.session.state.serviceSettings;
  const does = async (work: () => Promise<unknown>) => {
    const raised = await panel.ports.settlesLast(work, -1, "newest first");
    if (raised !== null) throw raised;
  };
  return { ...panel, given, settings, models, shown, does, message: () => panel.session.state.message };
}
type Working = ReturnType<typeof working>;
const switchService = ({ session }: Working) => session.store.set({ service: { address: OTHER } });
const draftOf = (panel: Working, part: "describer" | "voice") => panel.shown()?.drafts[part];
const TRIAL = { works: true, message: "It works.", seconds: 1, audio: Buffer.alloc(288_000 * 2).toString("base64") };

describe("settings of a service", () => {
  test("are shown with what was chosen and tried before; where it has none there are none; those of another service are as new", async () => {
    const panel = working({ settings: { ...SETTINGS, may_change: false } });
    panel.settings.choose("voice", 0);
    await panel.does(() => panel.settings.look());
    expect([panel.shown()?.settings.may_change, panel.shown()?.drafts]).toEqual([
      false,
      { voice: { index: 0, typed: {} } },
    ]);
    switchService(panel);
    await panel.does(() => panel.settings.look());
    expect([panel.shown()?.address, panel.shown()?.drafts, panel.shown()?.choices, panel.shown()?.trials]).toEqual([
      OTHER,
      {},
      null,
      {},
    ]);
    const none = working({ settings: null });
    await none.does(() => none.settings.look());
    expect(none.shown()).toBeNull();
  });

  test("that are damaged are told of with where they are, and put aside there; any other fault hides them", async () => {
    let answer: unknown = SETTINGS;
    const panel = working({
      settings: () => (answer instanceof Error ? Promise.reject(answer) : answer),
      beginSettingsAnew: SETTINGS,
    });
    answer = new Error("no line");
    await panel.does(() => panel.settings.look());
    expect([panel.shown(), panel.session.state.damagedSettings]).toEqual([null, null]);
    await panel.does(() => panel.settings.beginAnew());
    expect(panel.given.filter(([name]) => name === "beginSettingsAnew")).toEqual([]);
    answer = new ServiceError("internal_error", "Damaged.", { status: 409, foreignCode: "settings_damaged" });
    await panel.does(() => panel.settings.look());
    expect([panel.shown(), panel.session.state.damagedSettings]).toEqual([
      null,
      { address: ADDRESS, sentence: "Damaged." },
    ]);
    answer = SETTINGS;
    await panel.does(() => panel.settings.beginAnew());
    expect([panel.shown()?.settings.may_change, panel.session.state.damagedSettings]).toEqual([true, null]);
  });

  test("are chosen for one part, with what is typed beside it; that forgets how it was tried, and the other parts stay", () => {
    const panel = working();
    panel.session.store.update((state) =>
      state.serviceSettings === null
        ? state
        : {
            ...state,
            serviceSettings: { ...state.serviceSettings, trials: { describer: TRIAL as never, voice: TRIAL as never } },
          },
    );
    panel.settings.type("voice", "key", "typed before");
    expect(draftOf(panel, "voice")).toBeUndefined();
    panel.settings.choose("describer", 1);
    panel.settings.choose("voice", 0);
    panel.settings.type("voice", "key", "k");
    panel.settings.type("voice", "region", "r");
    expect([draftOf(panel, "describer"), draftOf(panel, "voice"), panel.shown()?.trials]).toEqual([
      { index: 1, typed: {} },
      { index: 0, typed: { key: "k", region: "r" } },
      {},
    ]);
    panel.settings.choose("voice", null);
    expect([draftOf(panel, "voice"), draftOf(panel, "describer")]).toEqual([undefined, { index: 1, typed: {} }]);
    panel.session.store.set({ serviceSettings: null });
    panel.settings.choose("voice", 1);
    panel.settings.type("voice", "key", "k");
    panel.settings.typeNumber("retention", "days", "3");
    expect(panel.shown()).toBeNull();
  });

  test("have their choices looked for once, and only by who may change them", async () => {
    const panel = working();
    await panel.does(() => panel.settings.findChoices());
    expect(panel.shown()?.choices?.voice).toHaveLength(1);
    await panel.does(() => panel.settings.findChoices());
    expect(panel.asked.filter((name) => name === "settingChoices")).toHaveLength(1);
    const bound = working(
      {},
      { serviceSettings: { ...(working().shown() as object), settings: { ...SETTINGS, may_change: false } } as never },
    );
    await bound.does(() => bound.settings.findChoices());
    expect(bound.asked).toEqual([]);
  });

  test("are set part by part: what was typed and tried for it is forgotten, of the rest nothing, and that it counts is said", async () => {
    const changed = { ...SETTINGS, voices: ["Ann"] };
    const panel = working({ changeSettings: changed });
    const all = (name: string) => [{ title: name, values: { model: name }, needs: [], is_local: true }];
    panel.session.store.update((state) =>
      state.serviceSettings === null
        ? state
        : {
            ...state,
            serviceSettings: {
              ...state.serviceSettings,
              choices: { describer: all("d"), dialogue: all("l"), voice: all("v") } as never,
              trials: { dialogue: TRIAL as never },
            },
          },
    );
    await panel.does(() => panel.settings.use("voice"));
    expect(panel.given).toEqual([]);
    panel.settings.choose("voice", 0);
    panel.settings.choose("describer", 0);
    await panel.does(() => panel.settings.use("voice"));
    expect([
      panel.given,
      panel.shown()?.drafts,
      panel.shown()?.settings,
      panel.shown()?.trials,
      panel.message()?.text,
    ]).toEqual([
      [["changeSettings", { voice: { model: "v" } }]],
      { describer: { index: 0, typed: {} } },
      changed,
      { dialogue: TRIAL },
      words.settingsTaken,
    ]);
    panel.session.store.set({ serviceSettings: null });
    for (const work of [
      () => panel.settings.use("voice"),
      () => panel.settings.useNumbers("retention"),
      () => panel.settings.setLocalOnly(true),
      () => panel.settings.try("voice"),
    ])
      await panel.does(work);
    expect(panel.given).toHaveLength(1);
  });

  test("that the service refuses stay chosen, and its words are told by who asked", async () => {
    const panel = working({
      changeSettings: () =>
        Promise.reject(new ServiceError("invalid_input", "No such model.", { status: 400 } as never)),
    });
    panel.settings.typeNumber("retention", "days", "3");
    await expect(panel.does(() => panel.settings.useNumbers("retention"))).rejects.toThrow("No such model.");
    expect(panel.shown()?.numbers).toEqual({ retention: { days: "3" } });
  });

  test("hold numbers that are typed one beside the other; set, they are as the service says, and whether a start is needed is said", async () => {
    const panel = working({ changeSettings: SETTINGS });
    panel.settings.typeNumber("retention", "days", "3");
    panel.settings.typeNumber("retention", "hours", "4");
    panel.settings.typeNumber("limits" as never, "minutes", "5");
    expect(panel.shown()?.numbers).toEqual({ retention: { days: "3", hours: "4" }, limits: { minutes: "5" } });
    await panel.does(() => panel.settings.useNumbers("retention"));
    expect([panel.given, panel.shown()?.numbers, panel.message()?.text]).toEqual([
      [["changeSettings", { retention: { days: "3", hours: "4" } }]],
      { limits: { minutes: "5" } },
      words.settingsFromStart,
    ]);
    const part = { ...SETTINGS.retention, numbers: [{ name: "days" }] };
    const soon = working({ changeSettings: { ...SETTINGS, retention: part } });
    await soon.does(() => soon.settings.useNumbers("retention"));
    expect(soon.message()?.text).toBe(words.settingsTaken);
  });

  test("let nothing leave, or all that is chosen; what could be chosen is looked for anew", async () => {
    const panel = working({ changeSettings: SETTINGS });
    for (const isLocalOnly of [true, false]) {
      panel.settings.choose("voice", 0);
      await panel.does(() => panel.settings.setLocalOnly(isLocalOnly));
      expect([panel.given.at(-1), panel.shown()?.drafts, panel.shown()?.choices === null]).toEqual([
        ["changeSettings", { privacy: isLocalOnly ? { local_only: "on" } : {} }],
        {},
        false,
      ]);
    }
    expect(panel.asked.filter((name) => name === "settingChoices")).toHaveLength(2);
    expect(panel.message()?.text).toBe(words.settingsTaken);
  });

  test("are tried as they are chosen, or as they are; the outcome is shown, one at a time, and a failure forgets that it was tried", async () => {
    const panel = working({ testSettings: { ...TRIAL, audio: undefined } });
    await panel.does(() => Promise.all([panel.settings.try("describer"), panel.settings.try("describer")]));
    expect([panel.given, panel.shown()?.trials.describer]).toEqual([
      [["testSettings", { part: "describer" }]],
      { works: true, message: "It works.", seconds: 1 },
    ]);
    const { language, voice } = panel.session.state.form.settings;
    await panel.does(() => panel.settings.try("voice"));
    expect(panel.given.at(-1)).toEqual(["testSettings", { part: "voice", language, voice }]);
    const broken = working({ testSettings: () => Promise.reject(new Error("no line")) });
    const trying = broken.settings.try("voice").catch((error: unknown) => error);
    expect(broken.shown()?.trials.voice).toBe("trying");
    await broken.ports.letGo();
    expect([String(await trying), broken.shown()?.trials]).toEqual(["Error: no line", {}]);
  });

  test("have their voice heard: by a file for the time of its sound, which goes again; what stands against it is told", async () => {
    const played: unknown[][] = [];
    const player = {
      play: async (...args: unknown[]) => void played.push(args),
      stop: () => void played.push(["stop"]),
    };
    const panel = working({ testSettings: TRIAL }, {}, { player });
    await panel.does(() => panel.settings.hear());
    await panel.does(() => panel.settings.hear());
    expect(played).toEqual([
      ["stop"],
      ["/panel/exports/listen-voice-1.wav", 2],
      ["stop"],
      ["/panel/exports/listen-voice-2.wav", 2],
    ]);
    expect([panel.message(), panel.ports.calls.filter((name) => name === "remove").length]).toEqual([null, 2]);
    const bad = working({ testSettings: { works: false, message: "No voice." } }, {}, { player });
    await bad.does(() => bad.settings.hear());
    await bad.does(() => bad.settings.hearModel("m", ["de-DE"]));
    expect([bad.message(), bad.said, played.length]).toEqual([
      { isFault: true, text: "No voice." },
      [words.settingsTrying],
      4,
    ]);
    const failing = working(
      { testSettings: TRIAL },
      {},
      { player: { ...player, play: async () => Promise.reject(new Error("no device")) } },
    );
    await expect(failing.does(() => failing.settings.hearModel("m", ["en-GB"]))).rejects.toThrow("no device");
    expect([failing.ports.calls.at(-1), failing.given]).toEqual([
      "remove",
      [["testSettings", { part: "voice", values: { natural: "m" }, language: "en-US", voice: "Achernar" }]],
    ]);
  });

  test("that come when another service is in use change nothing of that one", async () => {
    const panel = working({ changeSettings: SETTINGS });
    const before = {
      address: OTHER,
      settings: SETTINGS,
      choices: null,
      drafts: {},
      numbers: { retention: { days: "9" } },
      trials: {},
    } as never;
    const work = panel.settings.useNumbers("retention");
    panel.session.store.set({ serviceSettings: before });
    await panel.ports.letGo();
    await work;
    expect(panel.shown()).toBe(before);
    const looking = working();
    const look = looking.settings.look();
    switchService(looking);
    const shown = looking.shown();
    await looking.ports.letGo();
    await look;
    expect(looking.shown()).toBe(shown);
  });

  test("tell what their model would take of a film: once for each length and each change, and nothing where there is no film", async () => {
    const panel = working({ modelEstimate: (seconds: number) => ({ seconds }) });
    const estimated = async (seconds: number) => {
      panel.settings.estimate(seconds);
      await panel.ports.letGo();
      return [panel.given.length, panel.session.state.modelEstimate?.durationSeconds];
    };
    expect(await estimated(0)).toEqual([0, undefined]);
    expect(await estimated(60)).toEqual([1, 60]);
    expect(await estimated(60)).toEqual([1, 60]);
    expect(await estimated(61)).toEqual([2, 61]);
    for (const part of ["describer", "limits"] as const) {
      const before = panel.given.length;
      panel.session.store.update((state) =>
        state.serviceSettings === null
          ? state
          : {
              ...state,
              serviceSettings: {
                ...state.serviceSettings,
                settings: {
                  ...state.serviceSettings.settings,
                  [part]: { ...SETTINGS[part], decided_by: part } as never,
                },
              },
            },
      );
      expect((await estimated(61))[0]).toBe(before + 1);
    }
    const before = panel.given.length;
    const looked = panel.settings.lookAfterFetch();
    await panel.ports.letGo();
    await looked;
    expect([panel.given.length, panel.given.at(-1)]).toEqual([before + 1, ["modelEstimate", 61]]);
    const silent = working({ modelEstimate: () => Promise.reject(new Error("no")) });
    silent.settings.estimate(60);
    await silent.ports.letGo();
    expect([silent.session.state.modelEstimate, silent.message()]).toEqual([null, null]);
  });
});

describe("models of a service", () => {
  test("are shown with the question that is open, while it is about one of them; where it does not say there are none", async () => {
    const panel = working({ models: reply("done") });
    panel.models.ask({ kind: "remove", model: "n" } as never);
    await panel.does(() => panel.models.look());
    expect(panel.session.state.modelsHere).toEqual({
      address: ADDRESS,
      reply: reply("done"),
      question: { kind: "remove", model: "n" },
    });
    panel.models.ask({ kind: "remove", model: "gone" } as never);
    await panel.does(() => panel.models.look());
    expect(panel.session.state.modelsHere?.question).toBeNull();
    const none = working({ models: null });
    await none.does(() => none.models.look());
    expect(none.session.state.modelsHere).toBeNull();
    none.models.ask({ kind: "remove", model: "n" } as never);
    expect(none.session.state.modelsHere).toBeNull();
  });

  test("that another service was asked for by then are not shown, of a question or an order", async () => {
    for (const work of [
      (one: Working) => one.models.look(),
      (one: Working) => one.models.remove("m"),
      (one: Working) => one.models.pause(),
    ]) {
      const panel = working({ models: reply("done"), removeModel: reply("done"), cancelFetch: reply("done") });
      panel.session.store.set({ modelsHere: null });
      const done = work(panel);
      await turns();
      switchService(panel);
      await panel.ports.letGo();
      await done;
      expect(panel.session.state.modelsHere).toBeNull();
    }
  });

  test("are glanced at once for each service whose settings may be changed, and what goes wrong is not told", async () => {
    const panel = working({ models: () => Promise.reject(new Error("no line")) });
    for (let count = 0; count < 3; count++) {
      panel.models.glance();
      await panel.ports.letGo();
    }
    expect([panel.given.length, panel.message()]).toEqual([1, null]);
    switchService(panel);
    panel.models.glance();
    panel.session.store.update((state) =>
      state.serviceSettings === null
        ? state
        : {
            ...state,
            serviceSettings: {
              ...state.serviceSettings,
              address: OTHER,
              settings: { ...SETTINGS, may_change: false } as never,
            },
          },
    );
    panel.models.glance();
    await panel.ports.letGo();
    expect(panel.given.length).toBe(1);
  });

  test("are named by their titles, whichever it is: when one is fetched, is there, was checked, or was removed", async () => {
    for (const [model, title] of [
      ["m", "Model"],
      ["n", "Another"],
      ["new", "new"],
    ] as const) {
      const panel = working({
        fetchModel: reply("done", model),
        checkModel: reply("done", model),
        removeModel: { models: [], download: null, refused: null },
      });
      panel.session.store.set({ modelsHere: { address: ADDRESS, reply: reply("done"), question: null } as never });
      await panel.does(() => panel.models.fetch(model));
      expect([panel.said, panel.message()?.text, panel.given.at(-1)]).toEqual([
        [words.modelFetching({ model: title })],
        words.modelThere({ model: title }),
        ["fetchModel", model],
      ]);
      await panel.does(() => panel.models.check(model));
      expect(panel.message()?.text).toBe(words.modelWhole({ model: title }));
      await panel.does(() => panel.models.fetch(model));
      expect(panel.message()?.text).toBe(words.modelThere({ model: title }));
      await panel.does(() => panel.models.remove(model));
      expect(panel.message()?.text).toBe(words.modelRemoved({ model: title }));
    }
  });

  test("of which a download failed are not said to be there; settings are looked at after it all the same, and not after a glance", async () => {
    const panel = working({ fetchModel: reply("failed"), models: reply("failed") });
    await panel.does(() => panel.models.fetch("m"));
    expect([panel.message(), panel.asked.filter((name) => name === "settings").length]).toEqual([null, 1]);
    await panel.does(() => panel.models.look());
    expect(panel.asked.filter((name) => name === "settings").length).toBe(1);
  });
});

describe("the panel", () => {
  function whole(state: Partial<PanelState> = {}, editor: Answers = {}) {
    const done: string[] = [];
    const panel = heldPanel({}, { editor });
    panel.session.store.set(state);
    const note =
      (name: string) =>
      async (...args: unknown[]) =>
        void done.push([name, ...args.map((one) => JSON.stringify(one))].join(" "));
    const controller = new PanelController(panel.session, {
      formController: new FormController(panel.session),
      jobQueue: { again: note("again"), resume: note("resume") } as never,
      conformController: { glance: note("glance") } as never,
      settingsController: { lookAgain: note("lookAgain") } as never,
      modelsController: { look: note("models") } as never,
      contactController: { copyReport: async () => void done.push("report") } as never,
    });
    return { ...panel, controller, done };
  }

  test.each<[ViewName, readonly string[]]>([
    ["describe", ["glance"]],
    ["connect", ["lookAgain"]],
    ["models", ["models"]],
    ["review", ["glance"]],
    ["conform", ["glance"]],
    ["history", []],
  ])("looks at what a view shows when somebody goes there: %s", async (view, looks) => {
    const panel = whole({ view: "deliver", isMenuOpen: true, message: { isFault: true, text: "Before." } });
    panel.controller.go(view);
    const { view: now, message, isMenuOpen } = panel.session.state;
    expect([now, message, isMenuOpen]).toEqual([view, null, false]);
    await panel.ports.letGo();
    expect(panel.done).toEqual(looks);
    expect(panel.asked.includes("readSequence")).toBe(view === "describe");
    const tried = whole({ view: "deliver", trial: {} as never });
    tried.controller.go(view);
    expect([tried.session.state.view, tried.done]).toEqual(["deliver", []]);
  });

  test("reads the sequence with its project; what it cannot read is no fault but in the header; what an export left is put back, but not beside one", async () => {
    const panel = whole({ projectId: null, review: null, jobs: [] }, { projectId: "p" });
    await panel.ports.settlesLast(() => panel.controller.readSequence(), -1, "newest first");
    expect(panel.asked).toEqual(["projectId", "restoreRange", "readSequence"]);
    expect([
      panel.session.state.projectId,
      panel.session.state.sequence?.id,
      panel.session.state.sequenceFault,
      panel.done,
    ]).toEqual(["p", "s1", null, ["glance"]]);
    const none = whole(
      { review: null, jobs: [] },
      {
        projectId: () => Promise.reject(new Error("none")),
        readSequence: () => Promise.reject(new Error("no sequence")),
        restoreRange: () => Promise.reject(new Error("no")),
      },
    );
    await none.ports.settlesLast(() => none.controller.readSequence(), -1, "newest first");
    expect([
      none.session.state.projectId,
      none.session.state.sequence,
      none.session.state.sequenceFault?.code,
      none.session.state.message,
    ]).toEqual([null, null, "internal_error", null]);
    for (const state of [{ progress: {} }, { trial: {} }]) {
      const busy = whole({ review: null, jobs: [], ...(state as object) });
      await busy.ports.settlesLast(() => busy.controller.readSequence(), -1, "newest first");
      expect(busy.asked).not.toContain("restoreRange");
    }
  });

  const REMEDIES: readonly (readonly [FaultRemedy, ViewName | null, string])[] = [
    ["copy-report", null, "report"],
    ["connect", "connect", "lookAgain"],
    ["retry-sequence", "describe", "glance"],
    ["follow-cut", "conform", "glance"],
    ["choose-voice", "describe", "glance"],
    ["allow-over-speech", null, 'again "run-1" {"autoFit":false}'],
    ["use-extended", null, 'again "run-1" {"type":"extended"}'],
    ["resume", null, 'resume "run-1" false'],
    ["send-again", null, 'resume "run-1" true'],
  ];
  test.each(REMEDIES)("takes a way out of a fault: %s", async (remedy, view, done) => {
    for (const runId of ["run-1", undefined]) {
      const message = { isFault: true, text: "It failed.", ...(runId === undefined ? {} : { runId }) };
      const panel = whole({ view: "history", message, openSections: [], jobs: [], review: null });
      panel.controller.remedy(remedy, message);
      await panel.ports.letGo();
      const isOfJob = done.includes("run-1");
      expect(panel.done).toEqual(isOfJob && runId === undefined ? [] : [done]);
      expect([panel.session.state.view, panel.session.state.message === null]).toEqual([
        view ?? "history",
        remedy !== "copy-report",
      ]);
      expect(panel.session.state.openSections).toEqual(remedy === "choose-voice" ? ["voice"] : []);
    }
    const open = whole({ openSections: ["voice"] });
    open.controller.remedy("choose-voice", { isFault: true, text: "" });
    expect(open.session.state.openSections).toEqual(["voice"]);
  });

  test("shows a reply as it came, as far as it goes into a message; all of it can be copied, and what is copied is said", async () => {
    const panel = whole({ jobs: [jobEntry(), jobEntry({ runId: "run-2", rawPath: "/panel/results/raw" })] });
    const content = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");
    panel.files.texts.set("/panel/results/raw", content);
    await panel.ports.settlesLast(() => panel.controller.showRaw("run-1"));
    expect(panel.session.state.message).toBeNull();
    await panel.ports.settlesLast(() => panel.controller.showRaw("run-2"));
    const { message } = panel.session.state;
    expect([message?.text, message?.details?.length, message?.details?.at(-1), message?.copy]).toEqual([
      words.raw,
      400,
      "line 399",
      content,
    ]);
    await panel.ports.settlesLast(() => panel.controller.copy("words"));
    expect([panel.session.state.message?.text, panel.asked.at(-1)]).toEqual([words.copied, "copied true"]);
  });

  test("keeps what is chosen beside the form", () => {
    const panel = whole();
    let kept = 0;
    panel.session.keepPreferences = () => {
      kept += 1;
    };
    panel.controller.changePreferences({ coloursMarkers: true });
    panel.controller.changePreferences({ placesClips: false });
    expect([panel.session.state.coloursMarkers, panel.session.state.placesClips, kept]).toEqual([true, false, 2]);
  });
});

describe("the host", () => {
  const seen = (name: string, outcome: string) => ({ name, run: async () => ({ outcome, seen: "x" }) });
  function meeting(trials: readonly object[], state: Partial<PanelState> = {}) {
    const learnt = new Learnt(null);
    const copied: string[] = [];
    const contact = { version: "27", learnt, trials, calls: () => ["call-1"] };
    const panel = heldPanel(
      {},
      {
        rest: {
          contact,
          versions: { plugin: "1.2.3" },
          copyText: async (text: string) => void copied.push(text),
        } as never,
      },
    );
    panel.session.store.set(state);
    return { ...panel, learnt, copied, contact: new ContactController(panel.session) };
  }

  test("is met once; whether it is slow, and which buttons it draws, is remembered", async () => {
    const panel = meeting([seen("buttons", "usual")]);
    await panel.ports.settlesLast(() => panel.contact.meet());
    expect([panel.learnt.recall("contact"), panel.session.state.message]).toEqual(["buttons usual", null]);
    panel.session.store.set({ contact: null });
    await panel.ports.settlesLast(() => panel.contact.meet());
    expect(panel.session.state.contact).toBeNull();
    for (const isSlow of [true, false]) {
      panel.contact.giveTime(isSlow);
      expect(panel.learnt.recall("pace")).toBe(isSlow ? "slow" : "usual");
    }
    await panel.contact.usePlainButtons(true);
    expect([panel.learnt.recall("button"), panel.session.state.contact]).toEqual(["button", null]);
    await panel.ports.settlesLast(() => panel.contact.usePlainButtons(false));
    expect(panel.session.state.contact).not.toBeNull();
  });

  test("that does otherwise is told of by its version, unless something else is told; two at once are tried once", async () => {
    const panel = meeting([seen("sequence", "differs"), seen("sound", "differs"), seen("members", "differs")]);
    await panel.ports.settlesLast(() => panel.contact.meet());
    expect(panel.session.state.message).toEqual({
      isFault: false,
      text: words.contactMet({ version: "27" }),
      details: [words.contactDiffers.sequence],
    });
    const busy = meeting([seen("sequence", "differs")], { message: { isFault: true, text: "Before." } });
    await busy.ports.settlesLast(() => busy.contact.meet());
    expect(busy.session.state.message?.text).toBe("Before.");
    const [first, second] = [busy.contact.tryAgain(), busy.contact.tryAgain()];
    expect(await second).toBeNull();
    await busy.ports.letGo();
    expect((await first)?.answers).toHaveLength(1);
  });

  test("has a report of what it answers and what went wrong, without names, addresses and keys", async () => {
    const panel = meeting([], { sequence: jobEntry().sequence, shownKey: "key-secret" });
    const message = {
      isFault: true,
      text: "Harbour at https://api.example.com with key-secret failed.",
      code: "c",
      details: ["tried this"],
    };
    await panel.ports.settlesLast(() => panel.contact.copyReport(message));
    expect(panel.copied[0]).toMatch(/1\.2\.3/);
    for (const told of ["tried this", "call-1", "2026-01-01"]) expect(panel.copied[0]).toContain(told);
    for (const secret of ["Harbour", "api.example.com", "key-secret"]) expect(panel.copied[0]).not.toContain(secret);
    expect(panel.session.state.message?.text).toBe(words.reportCopied);
    panel.session.store.set({
      sequenceFault: { code: "no_sequence", sentence: "None is open.", next: "", tried: ["looked twice"] },
    });
    await panel.ports.settlesLast(() => panel.contact.copyReport(null));
    for (const told of ["None is open.", "looked twice"]) expect(panel.copied[1]).toContain(told);
  });
});
