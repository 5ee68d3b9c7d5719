import { describe, expect, test } from "vitest";
import type { Child } from "../../../panel/document/element.ts";
import { FIRST_FORM } from "../../../panel/state/form.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import { selectCue } from "../../../panel/state/review-state.ts";
import { rulerTimes, stripWindow } from "../../../panel/state/strip.ts";
import { bibleView } from "../../../panel/views/bible-view.ts";
import { connectView } from "../../../panel/views/connect-view.ts";
import { describeView } from "../../../panel/views/describe-view.ts";
import { historyView } from "../../../panel/views/history-view.ts";
import { stripView } from "../../../panel/views/programme-strip.ts";
import { stoppedJobs } from "../../../panel/views/progress-view.ts";
import { reviewView } from "../../../panel/views/review-view.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { elementsOf, pageActions, press, textOf } from "../../page/page-actions.ts";
import { jobEntry } from "../session-in-memory.ts";

const THREE = ["first", "second", "third"];
const SEQUENCE = { ...jobEntry().sequence, durationSeconds: 600 };

const HOST = {
  keysReachAll: true,
  noTimeline: undefined,
  startCompanion: null,
  contact: undefined,
} as unknown as Parameters<typeof pageActions>[0];

/** All that is drawn: what is read, and what stands in fields. */
function allOf(drawn: Child): string {
  const fields = elementsOf(drawn).flatMap(({ properties }) => Object.values(properties));
  return [textOf(drawn), ...fields.filter((one) => typeof one === "string")].join("\n");
}

/** A panel with three of everything. */
function panelWithThree() {
  const page = pageActions(HOST);
  const cues = THREE.map((word, index) => {
    return { id: `cue-${index}`, start: 100 * index, end: 100 * index + 2, text: `The ${word} line.` };
  });
  const finding = (cueIds: readonly string[], word: string) => {
    return { severity: "warn", rule: `rule-${word}`, cueIds, message: `The ${word} finding.` };
  };
  const toWrite = THREE.map((word, index) => {
    const start = 50 + 100 * index;
    const around = { before: `Before the ${word}.`, after: `After the ${word}.` };
    return { id: `pause-${index}`, start, end: start + 3, words: 5, hints: [], ...around };
  });
  const issues = THREE.map((word, line) => ({
    line,
    message: `The ${word} issue`,
    code: "x",
    text: "",
    effect: "dropped",
  }));
  const persons = THREE.map((word) => `The ${word} woman: tall\n  name: Name of the ${word}`);
  const findings = [
    ...THREE.map((word) => finding([], word)),
    finding(["cue-1"], "fourth"),
    finding(["cue-2"], "fifth"),
  ];
  const result = placedResult(cues, {
    durationSeconds: 600,
    findings: findings as never,
    issues: issues as never,
    toWrite,
    bible: { text: ["PERSONS", ...persons].join("\n") },
  });
  const jobs = THREE.map((word, index) => {
    return jobEntry({ runId: `run-${index}`, state: "stopped", sequence: { ...SEQUENCE, name: `The ${word} film` } });
  });
  const review = { ...openReview(result, jobEntry({ sequence: SEQUENCE })), viewHeight: 2000 };
  const savedForms = THREE.map((word) => ({ name: `The ${word} settings`, form: FIRST_FORM }));
  page.session.store.set({
    sequence: SEQUENCE,
    review,
    jobs,
    savedForms,
    isLoaded: true,
    openSections: ["saved", "more", "options"],
  });
  return page;
}

describe("of several, each is drawn:", () => {
  const each = (what: string) => THREE.map((word) => `The ${word} ${what}`);
  test.each([
    ["what a programme was found to be, and what of it was lost", reviewView, [...each("finding"), ...each("issue")]],
    ["lines of the script", reviewView, each("line")],
    ["jobs that can be gone on with", stoppedJobs, each("film")],
    ["jobs of the history", historyView, each("film")],
    ["settings that are kept", describeView, each("settings")],
    ["persons of a film", bibleView, THREE.map((word) => `Name of the ${word}`)],
  ] as const)("%s", (_, view, wanted) => {
    const { session, actions } = panelWithThree();
    const drawn = allOf(view(session.state, actions));
    expect(wanted.filter((one) => !drawn.includes(one))).toEqual([]);
  });

  test("what is said before a pause and after it, wherever the pause stands", () => {
    for (const [index, word] of THREE.entries()) {
      const { session, actions } = panelWithThree();
      const { review } = session.state;
      session.store.set({ review: review === null ? null : selectCue(review, `pause-${index}`, true) });
      const drawn = allOf(reviewView(session.state, actions));
      expect([drawn.includes(`Before the ${word}.`), drawn.includes(`After the ${word}.`)]).toEqual([true, true]);
    }
  });

  test("times over a programme, and lines with findings among those without", () => {
    const { session, actions } = panelWithThree();
    const { review } = session.state;
    if (review === null) throw new Error("no review");
    const marks = elementsOf(stripView(review, null, actions)).filter(
      ({ properties }) => properties["class"] === "ruler-mark",
    );
    expect(marks).toHaveLength(rulerTimes(stripWindow(600, 0, 0)).length);
    const { findings } = review.result;
    const strips = [findings, [], findings.slice(-1)].map((some) =>
      JSON.stringify(stripView({ ...review, result: { ...review.result, findings: some } }, null, actions)),
    );
    expect(new Set(strips).size).toBe(3);
  });
});

test.each([
  ["test-connection", "connection.test"],
  ["pair", "connection.pair"],
])("%s: the settings are looked for that a key opens once that is done, and not where it fails", async (id, deed) => {
  const { session, actions, act, did, ports } = pageActions(HOST);
  const address = "https://api.example.com";
  const connection = { state: "works" } as const;
  session.store.set({ service: { address }, addressDraft: address, shownKey: "••••", codeDraft: "123456", connection });
  const drawn = connectView(session.state, actions);
  await act(() => press(drawn, id));
  expect(did.map((one) => one.split(" ")[0])).toEqual([deed, "settingsController.look"]);
  await act(() => press(drawn, id), 0);
  expect([did.length, session.state.message?.isFault, ports.calls.length]).toEqual([3, true, 3]);
});
