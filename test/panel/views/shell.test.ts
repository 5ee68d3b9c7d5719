import { describe, expect, test } from "vitest";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import type { Message, PanelState, ViewName } from "../../../panel/state/panel-state.ts";
import { shell, tabId, tabIds } from "../../../panel/views/shell.ts";
import { words } from "../../../panel/words/words.ts";
import { jobEntry } from "../session-in-memory.ts";
import { elementOf, happens, outlineOf, usesOf } from "./drawn.ts";
import { reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const { sequence: SEQUENCE } = jobEntry();

function shown(state: Partial<PanelState> = {}, members: Partial<PanelEnvironment> = {}) {
  const page = viewPage({ sequence: SEQUENCE, isLoaded: false, ...state }, members);
  page.answers["connection.badge"] = "Where it runs.";
  return { ...page, draw: () => shell(page.session.state, page.actions) };
}

describe("the panel", () => {
  test("has a header, tabs, a view and messages; until all is read, the view says that it waits", async () => {
    const page = shown();
    expect(outlineOf(page.draw())).toEqual([
      "banner",
      "  heading “Harbour” #sequence level=1",
      `  button “${words.views.history}” #tab-history`,
      `  button “${words.views.connect}: Where it runs.” #badge : Where it runs.`,
      `navigation “${words.title}”`,
      `  tablist “${words.title}”`,
      `    tab “${words.views.describe}” #tab-describe selected=true`,
      `    tab “${words.views.review}” #tab-review selected=false`,
      `    tab “${words.views.deliver}” #tab-deliver selected=false`,
      "main",
      `  tabpanel “${words.views.describe}” : ${words.loading}`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "tab-history": ['panelController.go("history")'],
      badge: ['panelController.go("connect")'],
      "tab-describe": ['panelController.go("describe")'],
      "tab-review": ['panelController.go("review")'],
      "tab-deliver": ['panelController.go("deliver")'],
    });
    expect(elementOf(page.draw(), "sequence").properties["title"]).toBe("Harbour · 00:01:00:00 · 25 fps");
  });

  test("says that no sequence is open, or why it cannot be read, what was tried, and offers to look again", async () => {
    expect(outlineOf(shown({ sequence: null }).draw()).slice(0, 6)).toEqual([
      "banner",
      `  heading “${words.title}” #sequence level=1`,
      `  button “${words.views.history}” #tab-history`,
      `  button “${words.views.connect}: Where it runs.” #badge : Where it runs.`,
      `  ${words.noSequence}`,
      `  button “${words.remedies["retry-sequence"]}” #retry-sequence`,
    ]);
    const sequenceFault = {
      code: "x",
      sentence: "It did not answer.",
      next: "Open it again.",
      tried: ["asked: nothing", "again: nothing"],
    };
    const page = shown({ sequence: null, sequenceFault });
    const lines = outlineOf(page.draw());
    expect(
      lines.slice(
        0,
        lines.findIndex((line) => line.startsWith("navigation")),
      ),
    ).toEqual([
      "banner",
      `  heading “${words.title}” #sequence level=1`,
      `  button “${words.views.history}” #tab-history`,
      `  button “${words.views.connect}: Where it runs.” #badge : Where it runs.`,
      "  It did not answer. Open it again.",
      `  button “${words.remedies["retry-sequence"]}” #retry-sequence`,
      "  asked: nothing",
      "  again: nothing",
      `  ${words.reportHint}`,
      `  button “${words.remedies["copy-report"]}” #copy-sequence-report`,
    ]);
    const { "retry-sequence": retry, "copy-sequence-report": copy } = await usesOf(page, page.draw());
    expect({ retry, copy }).toEqual({
      retry: ['panelController.go("describe")'],
      copy: ["contactController.copyReport(null)"],
    });
  });

  test.each<[ViewName, string]>([
    ["describe", words.whoWritesHint],
    ["progress", words.nothingRunning],
    ["review", words.noReview],
    ["history", words.noJobs],
    ["connect", words.whereItRuns],
    ["models", words.modelsUnknown],
    ["conform", words.conformNothing],
    ["deliver", words.noReview],
    ["keys", words.keysHint],
    ["bible", words.noReview],
    ["contact", words.contactNone],
  ])("shows the view %s in its place, under its own name", (view, said) => {
    const page = shown({ view, isLoaded: true });
    const lines = outlineOf(page.draw());
    expect(lines.some((line) => line.includes(`tabpanel “${words.views[view]}”`))).toBe(true);
    if (view !== "describe") expect(lines.join("\n")).toContain(said);
    else expect(lines.join("\n")).toContain("#describe");
  });

  test("shows the tools in place of its own where there are such", () => {
    const page = shown({ view: "diagnostics", isLoaded: true });
    const tools = {
      views: { diagnostics: () => ["Probes."] },
      tabs: ["diagnostics", "describe"] as const,
      header: () => ({ name: "p", properties: {}, children: ["Head."] }),
      close: () => undefined,
    };
    const actions = Object.create(page.actions, { tools: { value: tools } });
    expect(outlineOf(shell(page.session.state, actions))).toEqual([
      "Head.",
      `navigation “${words.title}”`,
      `  tablist “${words.title}”`,
      `    tab “${words.views.diagnostics}” #tab-diagnostics selected=true`,
      `    tab “${words.views.describe}” #tab-describe selected=false`,
      "main",
      `  tabpanel “${words.views.diagnostics}” : Probes.`,
    ]);
    expect(tabIds(actions)).toEqual(["tab-diagnostics", "tab-describe"]);
    expect(tabId("review", actions)).toBe("tab-describe");
  });
});

describe("the tabs", () => {
  const VIEWS: readonly (readonly [ViewName, string])[] = [
    ["describe", "describe"],
    ["progress", "describe"],
    ["review", "review"],
    ["conform", "review"],
    ["bible", "review"],
    ["deliver", "deliver"],
  ];
  test.each(VIEWS)("the view %s is that of the tab %s", (view, tab) => {
    const page = shown({ view });
    const selected = outlineOf(page.draw()).flatMap((line) =>
      line.includes("selected=true") ? [/#tab-(\w+)/.exec(line)?.[1]] : [],
    );
    expect(selected).toEqual([tab]);
    expect(elementOf(page.draw(), `tab-${tab}`).properties["class"]).toBe("tab here");
    expect(tabId(view, page.actions)).toBe(`tab-${tab}`);
  });

  test("lead back where what has the focus goes: from a view that has none, to the history's button or the first", () => {
    const { actions } = shown();
    expect(
      [tabId("history", actions), tabId("keys", actions), tabId("models", actions), tabIds(actions)].flat(),
    ).toEqual(["tab-history", "tab-describe", "tab-connect", "tab-describe", "tab-review", "tab-deliver"]);
  });

  test("are one stop of Tab where the arrow keys reach them, and all of them where none is chosen", () => {
    const stops = (view: PanelState["view"], keysReachAll: boolean) => {
      const page = shown({ view }, keysReachAll ? { keysReachAll } : {});
      return ["describe", "review", "deliver"].map(
        (name) => elementOf(page.draw(), `tab-${name}`).properties["tabindex"],
      );
    };
    expect(stops("review", true)).toEqual(["-1", "0", "-1"]);
    expect(stops("keys", true)).toEqual(["0", "0", "0"]);
    expect(stops("review", false)).toEqual([undefined, undefined, undefined]);
  });

  test("show a job under way in place of the form, and a delivery of the result under review", async () => {
    const page = shown({ progress: { runId: "x" } as never, review: reviewed() });
    const tabs = Object.entries(await usesOf(page, page.draw())).filter(([id]) => /^tab-/.test(id));
    expect(Object.fromEntries(tabs)).toEqual({
      "tab-history": ['panelController.go("history")'],
      "tab-describe": ['panelController.go("progress")'],
      "tab-review": ['panelController.go("review")'],
      "tab-deliver": ["deliverController.open()"],
    });
    expect(
      outlineOf(page.draw())
        .filter((line) => line.includes("#tab-describe"))
        .map((line) => line.trim()),
    ).toEqual([`tab “● ${words.views.describe}” #tab-describe selected=true`]);
  });

  test.each([
    ["ArrowRight", "review", "deliver"],
    ["ArrowLeft", "review", "describe"],
    ["ArrowRight", "deliver", "describe"],
    ["ArrowLeft", "describe", "deliver"],
    ["Home", "deliver", "describe"],
    ["End", "describe", "deliver"],
  ])("%s leads from %s to %s, which is shown and has the focus", (key, from, to) => {
    const focused: string[] = [];
    const elements = new Map(
      ["describe", "review", "deliver"].map((name) => [`tab-${name}`, { focus: () => void focused.push(name) }]),
    );
    const document = {
      activeElement: elements.get(`tab-${from}`),
      getElementById: (id: string) => elements.get(id) ?? null,
    };
    const page = shown({}, { document } as never);
    expect(happens(page.draw(), ".tabs", "keydown", { key })).toBe(true);
    expect([focused, page.did.filter((one) => one.includes("go("))]).toEqual([[to], [`panelController.go("${to}")`]]);
    expect(happens(page.draw(), ".tabs", "keydown", { key: "x" })).toBe(false);
  });

  test("do nothing with keys while none of them has the focus", () => {
    const page = shown();
    expect(happens(page.draw(), ".tabs", "keydown", { key: "ArrowRight" })).toBe(false);
    expect(page.did.filter((one) => one.includes("go("))).toEqual([]);
  });
});

describe("a message", () => {
  const MESSAGE: Message = {
    isFault: true,
    text: "It broke.",
    next: "Try again.",
    code: "broken",
    details: ["The first.", "The second."],
    remedies: ["resume", "connect", "copy-report"],
    copy: "all of it",
  };

  test("that is a fault has its next step, its details, its code and a button for each way out", async () => {
    const page = shown({ message: MESSAGE });
    const lines = outlineOf(page.draw());
    expect(lines.slice(lines.findIndex((line) => line.startsWith("region")))).toEqual([
      `region “${words.messages}”`,
      "  ✕ It broke.",
      "  Try again.",
      "  The first. The second.",
      `  ${words.details}: broken`,
      `  button “${words.tryAgain}” #remedy-resume`,
      `  button “${words.remedies.connect}” #remedy-connect`,
      `  button “${words.remedies["copy-report"]}” #remedy-copy-report`,
      `  button “${words.copy}” #copy-text`,
      `  button “${words.dismiss}” #dismiss`,
    ]);
    const uses = Object.entries(await usesOf(page, page.draw())).slice(-5);
    expect(uses.map(([id]) => id)).toEqual([
      "remedy-resume",
      "remedy-connect",
      "remedy-copy-report",
      "copy-text",
      "dismiss",
    ]);
    for (const [index, remedy] of (MESSAGE.remedies ?? []).entries())
      expect(uses[index]?.[1]).toEqual([`panelController.remedy("${remedy}", ${JSON.stringify(MESSAGE)})`]);
    expect(uses.slice(3).map(([, done]) => done)).toEqual([['panelController.copy("all of it")'], ["message: null"]]);
    expect(elementOf(page.draw(), "message").properties["class"]).toBe("message is-fault");
  });

  test("that is none is words alone, and dismissed", () => {
    const page = shown({ message: { isFault: false, text: "Done.", next: "" } });
    const lines = outlineOf(page.draw());
    expect(lines.slice(lines.findIndex((line) => line.startsWith("region")))).toEqual([
      `region “${words.messages}”`,
      "  Done.",
      `  button “${words.dismiss}” #dismiss`,
    ]);
    expect(elementOf(page.draw(), "message").properties["class"]).toBe("message");
  });
});

test.each<[string, Partial<PanelState>, string, string]>([
  ["nothing leaves", { shownKey: "k", serviceSettings: sending(null) }, "true", "local"],
  ["something leaves", { shownKey: "k", serviceSettings: sending("api.example.com") }, "false", "sent"],
  ["it is elsewhere", { service: { address: "https://cloud.example" } }, "false", "sent"],
  ["it answers, and says no more", { shownKey: "k", answered: { address: HERE, isThere: true } }, "true", "local"],
  ["it does not run", { answered: { address: HERE, isThere: false } }, "true", "offline"],
])("the badge says by its sign where the work is done: %s", (_, state, isLocal, sign) => {
  const page = shown(state);
  const badge = elementOf(page.draw(), "badge");
  expect([badge.properties["data-local"], (badge.children[0] as { properties: object }).properties]).toMatchObject([
    isLocal,
    { icon: sign },
  ]);
  for (const view of ["connect", "models"] as const)
    expect(elementOf(shown({ ...state, view }).draw(), "badge").properties["class"]).toBe("badge here");
});

function sending(host: string | null): PanelState["serviceSettings"] {
  return {
    address: HERE,
    settings: {
      may_change: true,
      voices: [],
      describer: { sends_to: null },
      dialogue: { sends_to: host },
      voice: { sends_to: null },
    },
  } as never;
}
