import { describe, expect, test } from "vitest";
import type { Actions } from "../../panel/controllers/actions.ts";
import { FIRST_FORM } from "../../panel/state/form.ts";
import { firstState, type PanelState } from "../../panel/state/panel-state.ts";
import { describeView } from "../../panel/views/describe-view.ts";
import { words } from "../../panel/words/words.ts";
import { jobEntry } from "./session-in-memory.ts";

const HERE = "http://127.0.0.1:8420";
const NO_MODEL = { model: null, requests: 0, tokens: 0, cost: null, ceiling: null, seconds: null };

/** Settings of the service on this computer that has something sent to a host, or nothing. */
function serviceSending(sends_to: string | null): PanelState["serviceSettings"] {
  const [describer, nothing] = [{ sends_to }, { sends_to: null }];
  const settings = { voices: [], describer, dialogue: nothing, voice: nothing };
  // What else the settings say is not asked for.
  return { address: HERE, settings } as unknown as PanelState["serviceSettings"];
}

/** What a service tells of the models that its computer may have: one to see with, of three gigabytes. */
function modelsOf(state: "absent" | "installed", address = HERE): PanelState["modelsHere"] {
  const eyes = {
    id: "eyes",
    kind: "eyes",
    state,
    suits: "yes",
    is_recommended: true,
    bytes: 3e9,
    title: "Qwen3-VL 4B",
  };
  // What else is told of them is not asked for.
  return {
    address,
    question: null,
    reply: { refused: null, download: null, models: [eyes] },
  } as unknown as PanelState["modelsHere"];
}

/** What the view says and offers, as text. */
function shown(change: Partial<PanelState>): string {
  const { sequence } = jobEntry();
  const state = {
    ...firstState(HERE, 0),
    sequence,
    shownKey: "k",
    serviceSettings: serviceSending(null),
    modelEstimate: { address: HERE, durationSeconds: 60, reply: NO_MODEL },
    ...change,
  };
  const session = { environment: { startCompanion: async () => true } };
  const controllers = {
    settingsController: { estimate: () => undefined },
    modelsController: { glance: () => undefined },
  };
  const actions = { ...controllers, session } as unknown as Actions;
  return JSON.stringify(describeView(state, actions));
}

describe("where a service says that no model would be asked", () => {
  test("the first opening asks who writes, with what each answer costs, and shows no form", () => {
    const view = shown({ modelsHere: modelsOf("absent") });
    expect(view).toContain(words.whoWrites);
    expect(view).toContain("You download it once: 3.0 GB.");
    for (const { name, hint } of Object.values(words.writers)) {
      expect(view).toContain(name);
      expect(view).toContain(hint);
    }
    expect(view).not.toContain(words.findPauses);
  });

  test("a model on its computer is offered where that may have one, and has none", () => {
    for (const modelsHere of [null, modelsOf("installed"), modelsOf("absent", "http://other")]) {
      const view = shown({ modelsHere });
      expect(view).toContain(words.whoWrites);
      expect(view).not.toContain(words.writers["model-here"].hint);
    }
  });

  test("whoever writes by hand comes to the form, which looks for pauses and says no more of it", () => {
    const view = shown({ openSections: ["by-hand"] });
    expect(view).toContain(words.findPauses);
    expect(view).toContain(words.writerNobody);
    expect(view).not.toContain(words.nobodyWrites);
  });

  test("later it is said beside the button, before anything is exported, with the ways to go on", () => {
    const view = shown({ jobs: [jobEntry()] });
    for (const said of [words.nobodyWrites, words.setUpModel, words.giveScript, words.findPauses]) {
      expect(view).toContain(said);
    }
    expect(view).not.toContain(words.describe);
  });

  test.each<[string, Partial<PanelState>]>([
    ["a script is given", { form: { ...FIRST_FORM, scriptFile: { filename: "a.vtt", content: "" } } }],
    [
      "it has a model",
      { modelEstimate: { address: HERE, durationSeconds: 60, reply: { ...NO_MODEL, model: "eyes" } } },
    ],
    ["the service does not tell", { modelEstimate: null, notEstimated: HERE }],
    [
      "it was another service",
      { modelEstimate: { address: "http://other", durationSeconds: 60, reply: NO_MODEL }, notEstimated: HERE },
    ],
  ])("nothing of it is said where %s", (_, change) => {
    const view = shown(change);
    expect(view).not.toContain(words.whoWrites);
    expect(view).not.toContain(words.nobodyWrites);
    expect(view).toContain(words.describe);
  });
});

test("what it would take names no credits where the service is on this computer", () => {
  expect(shown({ jobs: [jobEntry()] })).not.toContain("credit");
  expect(shown({ service: { address: "https://cloud.example" } })).toContain("credit");
});

test("that nothing leaves this computer is said once the service has told it, and else where things go", () => {
  expect(shown({ openSections: ["by-hand"] })).toContain(words.noUpload);
  const away = shown({ serviceSettings: serviceSending("api.example.com"), openSections: ["by-hand"] });
  expect(away).toContain(words.estimateSends({ hosts: "api.example.com" }));
  expect(away).not.toContain(words.noUpload);
  expect(shown({ serviceSettings: null })).not.toContain(words.noUpload);
});

test("no key is asked for where none is needed: Aside is started instead", () => {
  const off = { shownKey: null, serviceSettings: null };
  expect(shown(off)).toContain(words.needsCompanion);
  expect(shown(off)).toContain(words.companionStart);
  expect(shown(off)).not.toContain(words.needsKey);
  const hosted = { ...off, service: { address: "https://cloud.example" } };
  expect(shown(hosted)).toContain(words.needsKey);
  expect(shown(hosted)).not.toContain(words.companionStart);
  expect(shown({ openSections: ["by-hand"] })).not.toContain(words.needsKey);
});
