import { describe, expect, test } from "vitest";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { describeView } from "../../../panel/views/describe-view.ts";
import { words } from "../../../panel/words/words.ts";
import { jobEntry } from "../session-in-memory.ts";
import { elementOf, optionsOf, outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const CLOUD = "https://cloud.example";
const SEQUENCE = { ...jobEntry().sequence, durationSeconds: 600 };
const { form: FORM } = jobEntry();
const SENDING = (host: string | null) =>
  ({
    address: HERE,
    settings: {
      may_change: true,
      voices: [],
      describer: { sends_to: host },
      dialogue: { sends_to: null },
      voice: { sends_to: null },
    },
  }) as never;
const ESTIMATE = { model: "eyes", requests: 40, tokens: 1234567, cost: 0.5, ceiling: 0.4, seconds: 300 };
const estimate = (change: object = {}, address = HERE, durationSeconds = 600) =>
  ({ address, durationSeconds, reply: { ...ESTIMATE, ...change } }) as never;
const EYES = {
  id: "eyes",
  kind: "eyes",
  state: "absent",
  suits: "yes",
  is_recommended: true,
  bytes: 3e9,
  title: "Qwen",
};
const MODELS = {
  address: HERE,
  question: null,
  reply: { refused: null, download: null, models: [{ ...EYES, id: "small", is_recommended: false, bytes: 1e9 }, EYES] },
} as never;

const settings = (change: object) => ({ form: { ...FORM, settings: { ...FORM.settings, ...change } } });

function shown(state: Partial<PanelState> = {}, members: Partial<PanelEnvironment> = {}, isFilm = false) {
  const page = viewPage(
    { sequence: SEQUENCE, shownKey: "••••", serviceSettings: SENDING(null), notEstimated: HERE, ...state },
    members,
  );
  return { ...page, draw: () => describeView(page.session.state, page.actions, isFilm) };
}
const idsOf = (page: ReturnType<typeof shown>) =>
  outlineOf(page.draw()).flatMap((line) => /#(\S+)/.exec(line)?.[1] ?? []);
/** What stands at the foot of the form. */
function footOf(page: ReturnType<typeof shown>): readonly string[] {
  const lines = outlineOf(page.draw());
  const at = lines.findIndex((line) => line.includes("#section-more"));
  return lines.slice(at + 1);
}

describe("the form", () => {
  test("has what decides what comes out, the rest behind further options, which are named by what they are", async () => {
    const page = shown();
    expect(outlineOf(page.draw())).toEqual([
      `radiogroup “${words.type}”`,
      `  ${words.type}`,
      `  radio “${words.types.standard}” #type-standard checked`,
      `  radio “${words.types.extended}” #type-extended`,
      words.typeHints.standard,
      `group “${words.writer}”`,
      `  ${words.writer}`,
      `  ${words.writerHere}`,
      `  button “${words.changeWriterLong}” #change-writer : ${words.changeWriter}`,
      `combobox “${words.voice}” #voice = Achernar (${words.voiceIn({ language: "English (United States)" })})`,
      "00:00:00:00 – 00:10:00:00 · 25 fps",
      `button “${words.moreOptions} English (United States) · ${words.formats.vtt} · ${words.tracks.ad_only} · ${words.pausesFrom({ seconds: 0.75 })}” #section-more expanded=false`,
      `${words.estimate({ length: "10 minutes" })} · ${words.noUpload}`,
      `button “${words.describe}” #describe`,
      `button “${words.lookForGaps}” #look-for-gaps`,
    ]);
    const uses = await usesOf(page, page.draw());
    expect(uses).toEqual({
      "look-for-gaps": ["gapController.look(false)"],
      "type-standard": ['formController.changeSettings({"type":"standard"})'],
      "type-extended": ['formController.changeSettings({"type":"extended"})'],
      "change-writer": ["panelController.setUpModel()"],
      voice: ['formController.changeSettings({"voice":"typed"})'],
      "section-more": ['formController.toggleSection("more")'],
      describe: ["textController.areSettled()"],
    });
  });

  test("has the further options open below it, each section with its own", async () => {
    const page = shown({ openSections: ["more"] });
    const lines = outlineOf(page.draw());
    const at = lines.findIndex((line) => line.includes("#section-more"));
    expect(lines.slice(at, -3)).toEqual([
      `button “${words.moreOptions}” #section-more expanded=true`,
      `radiogroup “${words.make}”`,
      `  ${words.make}`,
      `  radio “${words.wanted.both}” #wanted-both checked`,
      `  radio “${words.wanted.markers}” #wanted-markers`,
      `  radio “${words.wanted.narration}” #wanted-narration`,
      `combobox “${words.format}” #format = vtt`,
      `combobox “${words.track}” #track = ad_only`,
      `button “${words.sectionVoice} English (United States)” #section-voice expanded=false`,
      `button “${words.sectionTiming} ${words.autoFit} · ${words.overMusic} · 0.75 s” #section-timing expanded=false`,
      `button “${words.sectionContext} ${words.captionSources.none}” #section-context expanded=false`,
      `button “${words.sectionExport} ${words.firstPreset}” #section-export expanded=false`,
      `button “${words.sectionSaved} ${words.noSaved}” #section-saved expanded=false`,
    ]);
    const uses = Object.entries(await usesOf(page, page.draw(), { format: "srt", track: "mixed" }));
    expect(Object.fromEntries(uses.filter(([id]) => /^(wanted|format|track|section)/.test(id)))).toEqual({
      "section-more": ['formController.toggleSection("more")'],
      "wanted-both": ['formController.change({"wanted":"both"})'],
      "wanted-markers": ['formController.change({"wanted":"markers"})'],
      "wanted-narration": ['formController.change({"wanted":"narration"})'],
      format: ['formController.changeSettings({"format":"srt"})'],
      track: ['formController.change({"track":"mixed"})'],
      "section-voice": ['formController.toggleSection("voice")'],
      "section-timing": ['formController.toggleSection("timing")'],
      "section-context": ['formController.toggleSection("context")'],
      "section-export": ['formController.toggleSection("export")'],
      "section-saved": ['formController.toggleSection("saved")'],
    });
    expect([optionsOf(page.draw(), "format"), optionsOf(page.draw(), "track")].flat()).toEqual([
      `vtt: ${words.formats.vtt}`,
      `srt: ${words.formats.srt}`,
      `json: ${words.formats.json}`,
      `edl: ${words.formats.edl}`,
      `ad_only: ${words.tracks.ad_only}`,
      `mixed: ${words.tracks.mixed}`,
    ]);
  });

  test("of markers alone, and of extended descriptions, has neither voice nor sound", () => {
    for (const state of [{ form: { ...FORM, wanted: "markers" as const } }, settings({ type: "extended" })]) {
      const ids = idsOf(shown({ ...state, openSections: ["more"] }));
      expect(ids.filter((id) => id === "voice" || id === "track")).toEqual([]);
      expect(ids).toContain("format");
    }
    const summary = (state: Partial<PanelState>) =>
      outlineOf(shown(state).draw()).find((line) => line.includes("#section-more"));
    expect([
      summary({ form: { ...FORM, wanted: "markers" } }),
      summary(settings({ type: "extended" })),
      summary(settings({ autoFit: false })),
    ]).toEqual([
      `button “${words.moreOptions} English (United States) · ${words.formats.vtt} · ${words.wanted.markers} · ${words.pausesFrom({ seconds: 0.75 })}” #section-more expanded=false`,
      `button “${words.moreOptions} English (United States) · ${words.formats.vtt} · ${words.wanted.markers}” #section-more expanded=false`,
      `button “${words.moreOptions} English (United States) · ${words.formats.vtt} · ${words.tracks.ad_only}” #section-more expanded=false`,
    ]);
  });

  test("asks for a range only where there is anything but the whole, and says which it is in timecode", () => {
    const range = (state: Partial<PanelState>) => outlineOf(shown(state).draw()).filter((line) => /range/.test(line));
    expect(range({})).toEqual([]);
    const from = { ...SEQUENCE, inPoint: 10, outPoint: 20 };
    expect(range({ sequence: { ...SEQUENCE, outPoint: 20 } })).toEqual([
      `  radio “${words.ranges.whole}” #range-whole checked`,
      `  radio “${words.ranges["in-to-out"]}” #range-in-to-out`,
    ]);
    expect(range({ form: { ...FORM, range: "in-to-out" } })).toHaveLength(2);
    const said = (state: Partial<PanelState>) => elementOf(shown(state).draw(), "range-shown").children.join("");
    expect([
      said({}),
      said({ sequence: from }),
      said({ sequence: from, form: { ...FORM, range: "in-to-out" } }),
    ]).toEqual([
      "00:00:00:00 – 00:10:00:00 · 25 fps",
      "00:00:00:00 – 00:10:00:00 · 25 fps",
      "00:00:10:00 – 00:00:20:00 · 25 fps",
    ]);
  });

  test("says who writes: a script, a model, nobody, this computer, a service", () => {
    const writer = (state: Partial<PanelState>) => elementOf(shown(state).draw(), "writer").children.join("");
    expect([
      writer({ form: { ...FORM, scriptFile: { filename: "a.vtt", content: "" } } }),
      writer({ modelEstimate: estimate() }),
      writer({ modelEstimate: estimate({ model: null }), jobs: [jobEntry()] }),
      writer({ modelEstimate: estimate({}, "http://other") }),
      writer({ service: { address: CLOUD } }),
    ]).toEqual([
      words.writerScript({ name: "a.vtt" }),
      "eyes",
      words.writerNobody,
      words.writerHere,
      words.writerThere({ host: "cloud.example" }),
    ]);
  });

  test("says that the computer is too weak for the model that writes, where its service does, and no other", () => {
    const warned = (state: Partial<PanelState>) => outlineOf(shown(state).draw()).filter((line) => line === "⚠ Weak.");
    const [weak, elsewhere] = [estimate({ remark: "Weak." }), estimate({ remark: "Weak." }, "http://other")];
    expect(warned({ modelEstimate: weak })).toHaveLength(1);
    expect(warned({ modelEstimate: estimate() })).toEqual([]);
    expect(warned({ modelEstimate: elsewhere })).toEqual([]);
    expect(warned({ modelEstimate: weak, form: { ...FORM, scriptFile: { filename: "a.vtt", content: "" } } })).toEqual(
      [],
    );
  });

  test("has jobs that can be gone on with above it, and the pauses, unless a job is under way", () => {
    const jobs = [jobEntry({ runId: "a", state: "stopped" })];
    const ids = idsOf(shown({ jobs }));
    expect([ids[0], ids.at(-1)]).toEqual(["resume-a", "look-for-gaps"]);
    const busy = idsOf(shown({ jobs, progress: { runId: "x" } as never }));
    expect([busy.includes("resume-a"), busy.includes("go-progress")]).toEqual([false, true]);
    expect(idsOf(shown({ sequence: null })).includes("look-for-gaps")).toBe(false);
  });

  test("of a film exports nothing: it has no range, no pauses, no export, no upload", () => {
    const ids = idsOf(
      shown(
        { openSections: ["more", "context"], service: { address: CLOUD }, form: { ...FORM, range: "in-to-out" } },
        {},
        true,
      ),
    );
    expect(ids.filter((id) => /range|gaps|export/.test(id))).toEqual([]);
    expect(ids).toContain("sound-track");
  });
});

describe("what it would take", () => {
  test("is said before the button: minutes, credits, what leaves, how long, and a model's own estimate with its ceiling", () => {
    const look = `button “${words.lookForGaps}” #look-for-gaps`;
    expect(footOf(shown())).toEqual([
      `${words.estimate({ length: "10 minutes" })} · ${words.noUpload}`,
      `button “${words.describe}” #describe`,
      look,
    ]);
    expect(footOf(shown({ service: { address: CLOUD }, serviceSettings: null }))).toEqual([
      words.leaves({ file: "85 MB", host: "cloud.example" }),
      `${words.estimate({ length: "10 minutes" })} · 7.5 credits · ${words.upload({ size: "85 MB" })} · ${words.wait({ minutes: 5 })}`,
      `button “${words.describe}” #describe`,
      look,
    ]);
    expect(footOf(shown({ serviceSettings: SENDING("api.example.com"), modelEstimate: estimate() }))).toEqual([
      `${words.estimate({ length: "10 minutes" })} · ${words.estimateSends({ hosts: "api.example.com" })}`,
      `${words.modelEstimate({ model: "eyes", requests: 40, tokens: "1 234 567" })} · ${words.modelCost({ cost: 0.5 })} · about 5 min, going by earlier films ⚠ This may exceed your limit of 0.4. The work stops there, and what is done is kept.`,
      `button “${words.describe}” #describe`,
      look,
    ]);
    expect(
      footOf(shown({ modelEstimate: estimate({ cost: null, seconds: null }) })).filter((line) =>
        line.includes("requests"),
      ),
    ).toEqual([words.modelEstimate({ model: "eyes", requests: 40, tokens: "1 234 567" })]);
    expect(footOf(shown({ modelEstimate: estimate({ cost: 0.4 }) })).join()).not.toContain("⚠");
  });

  test("is asked of the service for the range that is chosen, and shown of that length and service alone", () => {
    const page = shown({
      sequence: { ...SEQUENCE, inPoint: 10, outPoint: 70 },
      form: { ...FORM, range: "in-to-out" },
      modelEstimate: estimate(),
    });
    expect(footOf(page).join()).not.toContain("requests");
    expect(page.did).toContain("settingsController.estimate(60)");
    expect(page.did).toContain("modelsController.glance()");
    const script = shown({
      form: { ...FORM, scriptFile: { filename: "a.vtt", content: "" } },
      modelEstimate: estimate(),
    });
    expect(footOf(script).join()).not.toContain("requests");
    expect(script.did).not.toContain("settingsController.estimate(600)");
  });

  test("says of a large upload that it may not go through", () => {
    const large = { ...SEQUENCE, durationSeconds: 3600 };
    expect(
      footOf(shown({ sequence: large, service: { address: CLOUD }, serviceSettings: null })).filter((line) =>
        line.includes("⚠"),
      ),
    ).toEqual([`⚠ ${words.largeUpload}`]);
  });

  test.each<[string, Partial<PanelState>, boolean]>([
    ["all is well", {}, true],
    ["no sequence is open", { sequence: null }, false],
    ["no key is kept", { shownKey: null, service: { address: CLOUD } }, false],
    ["the plan allows less", { service: { address: HERE, planMinutes: 5 } }, false],
    [
      "nothing lies between in and out",
      { sequence: { ...SEQUENCE, inPoint: 5, outPoint: 5 }, form: { ...FORM, range: "in-to-out" } },
      false,
    ],
  ])("lets it be ordered where %s: %o", (_, state, isPossible) => {
    const lines = footOf(shown(state));
    expect(lines.some((line) => line.endsWith("#describe"))).toBe(isPossible);
    expect(lines.some((line) => line.endsWith("#describe disabled"))).toBe(!isPossible);
  });

  test("says what stands against it, and offers the way out of that", () => {
    expect(
      footOf(shown({ service: { address: HERE, planMinutes: 5 } })).filter((line) => line.includes("plan")),
    ).toEqual([words.limitMinutes({ plan: 5 })]);
    const empty = shown({ sequence: { ...SEQUENCE, inPoint: 5, outPoint: 5 }, form: { ...FORM, range: "in-to-out" } });
    expect(footOf(empty)).toContain(words.limitEmpty);
    const off = shown({ shownKey: null, serviceSettings: null }, { startCompanion: async () => true });
    expect(footOf(off).slice(-5)).toEqual([
      words.needsCompanion,
      `button “${words.describe}” #describe disabled`,
      `button “${words.lookForGaps}” #look-for-gaps`,
      `button “${words.companionStart}” #start-companion`,
      `button “${words.views.connect}” #go-connect`,
    ]);
    expect(footOf(shown({ shownKey: null, service: { address: CLOUD }, serviceSettings: null })).slice(-4)).toEqual([
      words.needsKey,
      `button “${words.describe}” #describe disabled`,
      `button “${words.lookForGaps}” #look-for-gaps`,
      `button “${words.views.connect}” #go-connect`,
    ]);
  });

  test("is ordered once its texts are settled, and not where they are not", async () => {
    for (const isSettled of [true, false]) {
      const page = shown({ progress: { runId: "x" } as never, shownKey: "••••" });
      page.answers["textController.areSettled"] = async () => isSettled;
      const { describe: order, "go-progress": go } = await usesOf(page, page.draw());
      expect({ order, go }).toEqual({
        order: ["textController.areSettled()", ...(isSettled ? ["jobQueue.order()"] : [])],
        go: ['panelController.go("progress")'],
      });
    }
    const off = shown({ shownKey: null, serviceSettings: null }, { startCompanion: async () => true });
    const { "start-companion": start, "go-connect": connect } = await usesOf(off, off.draw());
    expect({ start, connect }).toEqual({
      start: ["settingsController.start()"],
      connect: ['panelController.go("connect")'],
    });
  });
});

describe("where nobody would write", () => {
  const nobody = { modelEstimate: estimate({ model: null }) };

  test("the first opening asks who does, with the price of each; each answer leads there", async () => {
    const page = shown({ ...nobody, modelsHere: MODELS });
    expect(outlineOf(page.draw())).toEqual([
      `heading “${words.whoWrites}” level=2`,
      words.whoWritesHint,
      `button “${words.writers["model-here"].name} free A model on this computer looks at the pictures. Nothing leaves it. You download it once: 3.0 GB.” #model-here`,
      `button “${words.writers["set-up-model"].name} ${words.writers["set-up-model"].hint}” #set-up-model`,
      `button “${words.writers["write-by-hand"].name} ${words.askFree} ${words.writers["write-by-hand"].hint}” #write-by-hand`,
      `button “${words.writers["give-script"].name} ${words.askFree} ${words.writers["give-script"].hint}” #give-script`,
      `button “${words.writers["use-service"].name} ${words.writers["use-service"].hint}” #use-service`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "model-here": ['panelController.go("models")'],
      "set-up-model": ["panelController.setUpModel()"],
      "write-by-hand": ['openSections: ["by-hand"]'],
      "give-script": ['textController.pick("script")'],
      "use-service": ['panelController.go("connect")'],
    });
    expect(idsOf(shown({ ...nobody, modelsHere: MODELS }, {}, true))).toEqual(
      ["who-writes", "model-here", "set-up-model", "write-by-hand", "give-script"].slice(1),
    );
  });

  test("until it is known whether anything would, neither form nor question is shown, and then the right one at once", () => {
    const asked = { ...nobody, modelEstimate: null, notEstimated: null };
    const page = shown(asked);
    expect(outlineOf(page.draw())).toEqual([words.loading]);
    page.session.store.set({ modelEstimate: estimate({ model: null }) });
    expect(idsOf(page)).toContain("write-by-hand");
    page.session.store.set({ modelEstimate: estimate() });
    expect(idsOf(page)).toContain("describe");
    const isForm = (state: Partial<PanelState>) => idsOf(shown({ ...asked, ...state })).includes("describe");
    expect(isForm({})).toBe(false);
    // Nobody has answered yet.
    expect(isForm({ serviceSettings: null, answered: null })).toBe(false);
    expect(isForm({ notEstimated: HERE })).toBe(true);
    expect(isForm({ modelEstimate: estimate({}, CLOUD) })).toBe(false);
    expect(isForm({ serviceSettings: null, answered: { address: HERE, isThere: true } as never })).toBe(true);
    expect(isForm({ serviceSettings: null, answered: { address: HERE, isThere: false } as never })).toBe(true);
    expect(isForm({ service: { address: CLOUD }, serviceSettings: null })).toBe(true);
    expect(isForm({ jobs: [jobEntry({ state: "done" })] })).toBe(true);
    expect(isForm({ openSections: ["by-hand"] })).toBe(true);
    expect(isForm({ sequence: null })).toBe(true);
    expect(isForm({ sequence: { ...SEQUENCE, durationSeconds: 0 } })).toBe(true);
  });

  test("who has worked here before is told beside the button, with the ways to have somebody write", async () => {
    const page = shown({ ...nobody, jobs: [jobEntry({ state: "done" })] });
    expect(footOf(page)).toEqual([
      words.nobodyWrites,
      `${words.estimate({ length: "10 minutes" })} · ${words.noUpload}`,
      `button “${words.findPauses}” #describe`,
      `button “${words.setUpModel}” #set-up-model`,
      `button “${words.giveScript}” #give-script`,
      `button “${words.lookForGaps}” #look-for-gaps`,
    ]);
    const { "set-up-model": model, "give-script": script } = await usesOf(page, page.draw());
    expect({ model, script }).toEqual({
      model: ["panelController.setUpModel()"],
      script: ['textController.pick("script")'],
    });
    expect(
      footOf(shown({ ...nobody, jobs: [jobEntry({ state: "done" })], openSections: ["by-hand"] })).join(),
    ).not.toContain(words.nobodyWrites);
  });
});
