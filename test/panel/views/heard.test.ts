import { describe, expect, test } from "vitest";
import { firstProgress, type JobProgress } from "../../../panel/state/job-progress.ts";
import { changedReview } from "../../../panel/state/opened-review.ts";
import { firstState, type PanelState } from "../../../panel/state/panel-state.ts";
import {
  acceptAll,
  deleteChosen,
  editCue,
  editCues,
  mergeSelectedWithNext,
  redoStep,
  splitSelected,
  toggleAccepted,
  toggleExtended,
  toggleMuted,
  toggleSilent,
  undoStep,
} from "../../../panel/state/review-edits.ts";
import { markAll, type ReviewState, selectCue, toggleMarked } from "../../../panel/state/review-state.ts";
import { gapKeys } from "../../../panel/state/strip.ts";
import { heard } from "../../../panel/views/heard.ts";
import { cutText, words } from "../../../panel/words/words.ts";
import { signOff } from "../../../src/result/sign-off.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";
import { found, LINES, reviewed } from "./reviewed.ts";

const HERE = "http://127.0.0.1:8420";
const STATE: PanelState = { ...firstState(HERE, 0), isLoaded: true };
const PAUSE = { id: "p", start: 40, end: 44, words: 9, hints: [] };

/** What is said when these fields of the state change, in order. */
function said(change: Partial<PanelState>, before: Partial<PanelState> = {}): readonly string[] {
  const was = { ...STATE, ...before };
  return heard(was, { ...was, ...change }).map(({ text }) => text);
}
/** What is said of an edit of a result under review. */
const edited = (edit: (review: ReviewState) => ReviewState, review = reviewed()) =>
  said({ review: edit(review) }, { review, view: "review" });
const chosen = (ids: readonly string[], review = reviewed()): ReviewState =>
  ids.slice(1).reduce(toggleMarked, selectCue(review, ids[0] ?? null, false));

test("nothing is said of what is read at the start, nor of what is the same", () => {
  const was = { ...STATE, isLoaded: false };
  expect(heard(was, { ...was, view: "history", isLoaded: true })).toEqual([]);
  expect(heard(STATE, STATE)).toEqual([]);
});

describe("of a result under review is said", () => {
  const EDITS: Readonly<Record<string, readonly string[]>> = {
    "words that changed": edited((one) => editCue(one, "b", { text: "She reads." })),
    "words that are too long then": edited((one) =>
      editCue(one, "b", {
        text: "She opens the letter that has come from far away, reads it twice, and puts it into the drawer of the old desk by the window, and then goes out into the rain.",
      }),
    ),
    "times that changed": edited((one) => editCue(one, "c", { start: 22.2 })),
    "several at once": edited((one) =>
      editCues(
        one,
        [
          { id: "b", text: "x" },
          { id: "c", text: "y" },
        ],
        "replaced",
      ),
    ),
    "a line that was written": edited((one) => editCue(one, "p", { text: "Night." }), reviewed({ toWrite: [PAUSE] })),
    "a line that went": edited(deleteChosen, chosen(["c"])),
    "lines that went": edited(deleteChosen, chosen(["b", "c"])),
    "a line that was split": edited((one) => splitSelected(one, 9), chosen(["b"])),
    "lines that were joined": edited(mergeSelectedWithNext, chosen(["b"])),
    "a line that is accepted": edited(toggleAccepted, chosen(["b"])),
    "acceptance that went": edited(toggleAccepted, chosen(["c"], reviewed({ acceptedIds: ["b", "c"] }))),
    "the last that is accepted": edited(toggleAccepted, chosen(["d"], reviewed({ acceptedIds: ["a", "b", "c"] }))),
    "all that are accepted": edited(acceptAll),
    "an accepted line that went": edited(deleteChosen, chosen(["b"], reviewed({ acceptedIds: ["b"] }))),
    "a line that is muted": edited(toggleMuted, chosen(["b"])),
    "lines that are muted": edited(toggleMuted, chosen(["a", "b", "d"])),
    "a line that is extended": edited(toggleExtended, chosen(["b"])),
    "lines that are extended, one of them muted before": edited(
      toggleExtended,
      chosen(["a", "b"], reviewed({ mutedIds: ["a"] })),
    ),
    "a line that is back in its pause": edited(
      toggleExtended,
      chosen(["b"], reviewed({ mutedIds: ["b"], extendedIds: ["b"] })),
    ),
    "a line that sounds again": edited(toggleMuted, chosen(["b"], reviewed({ mutedIds: ["a", "b"] }))),
    "lines that sound again": edited(toggleMuted, chosen(["a", "b"], reviewed({ mutedIds: ["a", "b", "c"] }))),
    "a muted line that went": edited(deleteChosen, chosen(["b"], reviewed({ mutedIds: ["b"] }))),
    "a pause that is left silent": edited(
      (one) => toggleSilent(selectCue(one, "p", true)),
      reviewed({ toWrite: [PAUSE] }),
    ),
    "a pause that is not any more": edited(
      (one) => toggleSilent(selectCue(one, "p", true)),
      reviewed({ toWrite: [PAUSE], silentIds: ["p"] }),
    ),
    "what was undone": edited(undoStep, toggleMuted(chosen(["b"]))),
    "what was undone of several": edited(
      undoStep,
      editCues(reviewed(), [
        { id: "b", text: "x" },
        { id: "c", text: "y" },
      ]),
    ),
    "what was undone of a line": edited(undoStep, editCue(reviewed(), "c", { text: "x" })),
    "what was done again": edited(redoStep, undoStep(toggleMuted(chosen(["b"])))),
    "lines that are chosen together": edited((one) => toggleMarked(one, "d"), chosen(["b", "c"])),
    "one that is chosen no more": edited((one) => toggleMarked(one, "c"), chosen(["b", "c"])),
    "all that are chosen": edited(markAll),
    "one that is chosen alone": edited((one) => selectCue(one, "d", false)),
    "one that a search came to": edited(
      (one) => selectCue(one, "d", false),
      reviewed({}, { search: { find: "boat", replacement: "" } }),
    ),
    "what a search finds": edited(
      (one) => ({ ...one, search: { find: "the", replacement: "" } }),
      reviewed({}, { search: { find: "t", replacement: "" } }),
    ),
    "a search that is emptied": edited(
      (one) => ({ ...one, search: { find: "", replacement: "" } }),
      reviewed({}, { search: { find: "t", replacement: "" } }),
    ),
    "what the list shows": edited(
      (one) => ({ ...one, filter: "findings" }),
      reviewed({ findings: [found("x", ["b", "c"])] }),
    ),
    "a list that shows nothing": edited((one) => ({ ...one, filter: "findings" })),
    "what placing would do": edited((one) => ({ ...one, preview: { counts: "2 changed", lines: [], notices: [] } })),
    "that it does it not": edited(
      (one) => ({ ...one, preview: null }),
      reviewed({}, { preview: { counts: "2 changed", lines: [], notices: [] } }),
    ),
    "nothing of scrolling": edited((one) => ({ ...one, scrollTop: 90 })),
    "nothing of what a merge brought": edited((one) => ({
      ...one,
      result: { ...one.result, cues: one.result.cues.slice(1) },
    })),
  };
  test("each edit in a sentence, and no more", () => {
    expect(EDITS).toEqual({
      "words that changed": [words.heard.done.words({ line: 2 })],
      "words that are too long then": [
        words.heard.done.words({ line: 2 }),
        words.roomMissing({ seconds: 21, missing: 11.3, words: 18 }),
      ],
      "times that changed": [words.heard.done.times({ line: 3, start: "00:00:22:05", end: "00:00:25:00" })],
      "several at once": [words.heard.done.changed({ count: 2 })],
      "a line that was written": [words.heard.done.written({ line: 5 })],
      "a line that went": [words.heard.done.deleted({ count: 1, left: 3 })],
      "lines that went": [words.heard.done.deleted({ count: 2, left: 2 })],
      "a line that was split": [words.heard.done.split],
      "lines that were joined": [words.heard.done.joined],
      "a line that is accepted": [words.heard.accepted({ accepted: 1, lines: 4 })],
      "acceptance that went": [words.heard.unaccepted({ accepted: 1, lines: 4 })],
      "the last that is accepted": [words.heard.allAccepted({ lines: 4 })],
      "all that are accepted": [words.heard.allAccepted({ lines: 4 })],
      "an accepted line that went": [words.heard.done.deleted({ count: 1, left: 3 })],
      "a line that is muted": [words.heard.muted],
      "lines that are muted": [words.heard.manyMuted({ count: 3 })],
      "a line that is extended": [words.heard.extended],
      "lines that are extended, one of them muted before": [words.heard.manyExtended({ count: 2 })],
      "a line that is back in its pause": [words.heard.unmuted],
      "a line that sounds again": [words.heard.unmuted],
      "lines that sound again": [words.heard.manyUnmuted({ count: 2 })],
      "a muted line that went": [words.heard.done.deleted({ count: 1, left: 3 })],
      "a pause that is left silent": [words.heard.leftSilent],
      "a pause that is not any more": [words.heard.notSilent],
      "what was undone": ["Undone: mute."],
      "what was undone of several": ["Undone: words of 2 lines."],
      "what was undone of a line": ["Undone: words of line 3."],
      "what was done again": ["Redone: mute."],
      "lines that are chosen together": [words.chosenCount({ count: 3 })],
      "one that is chosen no more": [],
      "all that are chosen": [words.chosenCount({ count: 4 })],
      "one that is chosen alone": [],
      "one that a search came to": ["The boat leaves."],
      "what a search finds": [words.found({ count: 2 })],
      "a search that is emptied": [],
      "what the list shows": ["2 lines."],
      "a list that shows nothing": [words.nothingListed],
      "what placing would do": ["2 changed"],
      "that it does it not": [],
      "nothing of scrolling": [],
      "nothing of what a merge brought": [],
    });
  });

  test("a sign-off that counts no more, and one that counts again", () => {
    const signed = reviewed({ signOff: signOff(LINES, "Ada", "2026-01-02T03:04:05.000Z") });
    const changed = editCue(signed, "b", { text: "x" });
    const by = { name: "Ada", date: "2026-01-02 03:04" };
    expect(edited(() => changed, signed)).toContain(words.signedVoid(by));
    expect(edited(undoStep, changed)).toContain(words.signed(by));
    // Between two states that do not count nothing is new.
    expect(edited((one) => editCue(one, "b", { text: "y" }), changed).join()).not.toContain("Ada");
    expect(
      edited(
        (one) => ({ ...one, result: { ...one.result, signOff: signOff([], "Bo", "2026-01-02T03:04:05.000Z") } }),
        signed,
      ).join(),
    ).not.toContain("Bo");
    // Whoever signs other lines says so; the sign-off before is no news.
    const others = (review: ReviewState) => {
      const { result, ...rest } = editCue(review, "b", { text: "x" });
      return { ...rest, result: { ...result, signOff: signOff(LINES, "Bo", "2026-01-02T03:04:05.000Z") } };
    };
    for (const review of [signed, reviewed()]) expect(edited(others, review).join()).not.toMatch(/Ada|Bo/);
  });

  test("words that have become too long while they are typed, or fit again; of this line and result alone", () => {
    const review = reviewed();
    const long =
      "She opens the letter that has come from far away, reads it twice, and puts it into the drawer of the old desk by the window, and then goes out.";
    const typed = (text: string, id = "b", runId = "run-1") => ({ runId, id, text });
    const typing = (now: PanelState["typed"], before: PanelState["typed"] = null) =>
      heard({ ...STATE, review, typed: before }, { ...STATE, review, typed: now });
    expect(typing(typed("She reads."))).toEqual([]);
    const [one, ...more] = typing(typed(long));
    expect([one?.topic, one?.waitsForTyping, one?.text.includes("too long"), more]).toEqual(["room", true, true, []]);
    expect(typing(typed(`${long} Again.`), typed(long))).toEqual([]);
    expect(typing(typed("She."), typed(long)).map(({ text }) => text.includes("left"))).toEqual([true]);
    // What was typed into another line says nothing of this one.
    expect(typing(typed(long), typed(long, "c"))).toHaveLength(1);
    expect(typing(typed(long, "gone"))).toEqual([]);
    expect(typing(typed(long, "b", "another"))).toEqual([]);
  });

  test("that it is shown, with how much is in it; another one in the same view too", () => {
    const review = reviewed({ findings: [found("x", ["b"]), found("y", [])] });
    const shown = words.heard.review({ name: "Harbour", lines: 4, problems: 2 });
    expect(said({ view: "review", review })).toEqual([shown]);
    expect(said({ review }, { view: "review", review: reviewed({ runId: "another" }) })).toEqual([shown]);
    expect(said({ review }, { view: "history" })).toEqual([]);
  });
});

describe("of the rest of the panel is said", () => {
  const JOB = jobEntry({ runId: "a", state: "running" });
  const at = (change: Partial<JobProgress> = {}) => ({ ...firstProgress("a", 0), ...change });
  const SENTENCES: Readonly<Record<string, readonly string[]>> = {
    "the view that one comes to": said({ view: "history" }),
    "another sequence": said({ sequence: { ...JOB.sequence, id: "s2", name: "Pier" } }, { sequence: JOB.sequence }),
    "no sequence that is read for the first time": said({ sequence: JOB.sequence }),
    "a line that is heard": said({ listening: "c" }, { review: reviewed() }),
    "that it is heard no more": said({ listening: null }, { review: reviewed(), listening: "c" }),
    "nothing of an end that a fault told": said(
      { listening: null, message: { isFault: true, text: "No sound." } },
      { listening: "c", review: reviewed() },
    ),
    "that the programme is exported": said({ programmeSound: "exporting" }),
    "nothing of a sound that is there": said({ programmeSound: "ready" }, { programmeSound: "exporting" }),
    "a job that begins": said({ jobs: [JOB], progress: at() }),
    "its step": said({ progress: at({ step: "upload" }) }, { jobs: [JOB], progress: at({ step: "export" }) }),
    "its quarters": said(
      { progress: at({ step: "upload", fraction: 0.5 }) },
      { jobs: [JOB], progress: at({ step: "upload", fraction: 0.49 }) },
    ),
    "nothing between them": said(
      { progress: at({ step: "upload", fraction: 0.49 }) },
      { jobs: [JOB], progress: at({ step: "upload", fraction: 0.26 }) },
    ),
    "nothing at its end": said(
      { progress: at({ step: "upload", fraction: 1 }) },
      { jobs: [JOB], progress: at({ step: "upload", fraction: 0.9 }) },
    ),
    "a pause of its upload": said(
      { progress: at({ step: "upload", pause: "asked" }) },
      { jobs: [JOB], progress: at({ step: "upload" }) },
    ),
    "that it goes on": said(
      { progress: at({ step: "upload" }) },
      { jobs: [JOB], progress: at({ step: "upload", pause: "held" }) },
    ),
    "a job that is done": said({ jobs: [{ ...JOB, state: "done" }], progress: null }, { jobs: [JOB], progress: at() }),
    "a job that was stopped": said({ jobs: [{ ...JOB, state: "stopped" }] }, { jobs: [JOB], progress: at() }),
    "a job that waits behind another": said(
      { jobs: [jobEntry({ runId: "b", state: "waiting", sequence: { ...JOB.sequence, name: "Pier" } }), JOB] },
      { jobs: [JOB], progress: at() },
    ),
    "one of several that is removed": said({ jobs: [JOB] }, { jobs: [jobEntry({ runId: "b" }), JOB] }),
    "what is done on the timeline": said({ placing: { what: "Placing", fraction: 0 } }),
    "nothing of how far that is": said(
      { placing: { what: "Placing", fraction: 0.5 } },
      { placing: { what: "Placing", fraction: 0 } },
    ),
    "what is being delivered": said({ delivery: { running: { what: "Writing a", fraction: 0 } } as never }),
    "what was delivered": said(
      { delivery: { running: null, written: { folder: "/f", names: ["a", "b"], findings: [] } } as never },
      { delivery: { running: null, written: null } as never },
    ),
    "that pauses are looked for": said({ looking: { stage: "listen" } }, { looking: { stage: "export" } }),
    "nothing of how far the look is": said(
      { looking: { stage: "listen", fraction: 0.5 } },
      { looking: { stage: "listen" } },
    ),
    "that the service is tried": said({ connection: { state: "works" } }),
    "why it fails": said({
      connection: { state: "fails", fault: { code: "x", sentence: "It refused.", next: "Ask." } },
    }),
    "nothing of one that was not tried": said(
      { connection: { state: "untested" } },
      { connection: { state: "works" } },
    ),
    "a key that is kept": said({ shownKey: "••••" }, { view: "connect" }),
    "a key that is forgotten": said({ shownKey: null }, { view: "connect", shownKey: "••••" }),
    "nothing of a key elsewhere": said({ shownKey: "••••" }, { view: "history" }),
    "Aside that is found": said({ companion: { address: HERE, version: "1.0.0" } }),
    "nothing of one that is there": said(
      { companion: { address: HERE, version: "1.0.1" } },
      { companion: { address: HERE, version: "1.0.0" } },
    ),
    "a script": said({
      form: {
        ...STATE.form,
        scriptFile: { filename: "a.vtt", content: "", receipt: { facts: ["3 lines", "from A"], leftOut: [] } },
      },
    }),
    "a script that is left out": said(
      { form: STATE.form },
      { form: { ...STATE.form, scriptFile: { filename: "a.vtt", content: "" } } },
    ),
    captions: said({ form: { ...STATE.form, captionSource: "file", captionFile: { filename: "a.srt", content: "" } } }),
    "captions that are left out": said(
      { form: { ...STATE.form, captionSource: "file" } },
      { form: { ...STATE.form, captionSource: "file", captionFile: { filename: "a.srt", content: "" } } },
    ),
    "a preset that was picked": said({ presetPaths: ["/a"], form: { ...STATE.form, preset: "Small" } }),
    "settings that are kept": said({ savedForms: [{ name: "A", form: STATE.form }] }),
    "settings that are removed": said({ savedForms: [] }, { savedForms: [{ name: "A", form: STATE.form }] }),
    "a message, its next step and three of its details": said({
      message: { isFault: false, text: "Done", next: "Look.", details: ["One", "Two", "Three", "Four"] },
    }),
  };
  test("each change in a sentence, and no more", () => {
    expect(SENTENCES).toEqual({
      "the view that one comes to": [words.views.history],
      "another sequence": ["Sequence: Pier."],
      "no sequence that is read for the first time": [],
      "a line that is heard": [words.heard.listening({ line: 3 })],
      "that it is heard no more": [words.heard.stopped],
      "nothing of an end that a fault told": ["No sound."],
      "that the programme is exported": [words.programmeSounds.exporting],
      "nothing of a sound that is there": [],
      "a job that begins": ["Started: Harbour."],
      "its step": [words.steps.upload],
      "its quarters": [words.heard.quarter({ step: "Upload", percent: 50 })],
      "nothing between them": [],
      "nothing at its end": [],
      "a pause of its upload": [words.pauses.asked],
      "that it goes on": [words.heard.uploadGoesOn],
      "a job that is done": ["Done: Harbour."],
      "a job that was stopped": ["Stopped: Harbour."],
      "a job that waits behind another": ["Waiting: Pier."],
      "one of several that is removed": [words.heard.removed],
      "what is done on the timeline": ["Placing"],
      "nothing of how far that is": [],
      "what is being delivered": [words.deliveringSound({ name: "a" })],
      "what was delivered": [words.delivered({ files: 2, folder: "/f" })],
      "that pauses are looked for": [words.looking.listen],
      "nothing of how far the look is": [],
      "that the service is tried": [words.testWorks],
      "why it fails": ["It refused. Ask."],
      "nothing of one that was not tried": [],
      "a key that is kept": [words.heard.keyKept],
      "a key that is forgotten": [words.keyMissing],
      "nothing of a key elsewhere": [],
      "Aside that is found": [words.companionRuns({ version: "1.0.0" })],
      "nothing of one that is there": [],
      "a script": ["a.vtt. 3 lines. from A"],
      "a script that is left out": ["None: the service writes them."],
      captions: ["a.srt"],
      "captions that are left out": [words.noFile],
      "a preset that was picked": ["Small"],
      "settings that are kept": [words.heard.saved],
      "settings that are removed": [words.heard.removed],
      "a message, its next step and three of its details": ["Done. Look. One. Two. Three."],
    });
  });

  test("a fault at once, whatever is being said; a message that goes is not told", () => {
    expect(heard(STATE, { ...STATE, message: { isFault: true, text: "It broke." } })).toEqual([
      { text: "It broke.", isUrgent: true, topic: "message" },
    ]);
    expect(said({ message: null }, { message: { isFault: true, text: "It broke." } })).toEqual([]);
  });

  test("what the pauses offer, once they are found, as long as they are of this sequence", () => {
    const state = { ...STATE, sequence: JOB.sequence };
    const gaps = {
      basis: "sound",
      durationSeconds: 60,
      speech: [{ start: 10, end: 20 }],
      music: [],
      unknown: [],
      ...gapKeys(state),
    } as never;
    const lines = said({ gaps }, { sequence: JOB.sequence, looking: { stage: "listen" } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(words.gapBases.sound);
    expect(said({ gaps }, { sequence: { ...JOB.sequence, id: "other" } })).toEqual([]);
  });

  test("a cut that changed, as its notice says it, once for each cut, and not where that was put away", () => {
    const record = placedResult([]);
    const cut = (layout: readonly object[]) =>
      ({
        sequence: JOB.sequence,
        record,
        stretches: [],
        toRecord: null,
        plan: {
          descriptions: [
            { cueId: "a", state: "moved" },
            { cueId: "b", state: "orphaned" },
          ],
          record: { ...record, placed: { ...record.placed, layout } },
        },
      }) as never;
    const notice = cutText(words.cutChanged, { moved: 1, touched: 0, orphaned: 1 });
    expect(said({ conform: cut([{ a: 1 }]) })).toEqual([notice]);
    expect(said({ conform: cut([{ a: 1 }]) }, { conform: cut([{ a: 1 }]) })).toEqual([]);
    expect(said({ conform: cut([{ a: 2 }]) }, { conform: cut([{ a: 1 }]) })).toEqual([notice]);
    expect(said({ conform: null }, { conform: cut([]) })).toEqual([]);
  });

  test("what came of each trial of the service's parts", () => {
    const settings = (trials: object) => ({ address: HERE, settings: {}, trials }) as never;
    const trial = (message: string) => ({ works: true, message, seconds: 1 });
    const lines = said(
      { serviceSettings: settings({ voice: trial("Spoke."), dialogue: trial("Heard.") }) },
      { serviceSettings: settings({ dialogue: "trying" }) },
    );
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["Heard.", "Spoke."]);
    const same = { voice: trial("Spoke.") };
    expect(said({ serviceSettings: settings(same) }, { serviceSettings: settings(same) })).toEqual([]);
  });

  test("each step and quarter of a model's download, its end where it came to nothing, and what was stopped", () => {
    const models = (change: object | null) =>
      ({
        modelsHere: {
          address: HERE,
          question: null,
          reply: {
            models: [],
            download:
              change === null
                ? null
                : { model: "m", state: "running", completed_bytes: 0, total_bytes: 100e6, message: "", ...change },
          },
        },
      }) as never as Partial<PanelState>;
    const told = (now: object, before: object | null = null) => said(models(now), models(before));
    const STEPS: Readonly<Record<string, readonly string[]>> = {
      "nothing of its beginning": told({}),
      "a quarter": told({ completed_bytes: 25e6 }, {}),
      "nothing between": told({ completed_bytes: 49e6 }, { completed_bytes: 25e6 }),
      "the next": told({ completed_bytes: 50e6 }, { completed_bytes: 49e6 }),
      "one that is gone on with": told({ completed_bytes: 60e6 }, { completed_bytes: 60e6, state: "cancelled" }),
      "another one at the same place": told({ completed_bytes: 60e6, model: "n" }, { completed_bytes: 60e6 }),
      "its check": told({ state: "checking" }, {}),
      "nothing of a check that goes on": told({ state: "checking", completed_bytes: 1 }, { state: "checking" }),
      "its unpacking": told({ state: "unpacking" }, { state: "checking" }),
      "why it failed": told({ state: "failed", message: "The disk is full." }, {}),
      "no failure twice": told(
        { state: "failed", message: "The disk is full.", completed_bytes: 1 },
        { state: "failed", message: "The disk is full." },
      ),
      "that it is paused": told({ state: "cancelled" }, {}),
      "that its check was stopped": told({ state: "cancelled" }, { state: "checking" }),
      "nothing of one that was stopped before": told({ state: "cancelled" }),
      "nothing of its end, which is a message": told({ state: "done" }, {}),
      "nothing of no known size": told({ completed_bytes: 5, total_bytes: 0 }, {}),
    };
    expect(STEPS).toEqual({
      "nothing of its beginning": [],
      "a quarter": ["25 MB of 100 MB"],
      "nothing between": [],
      "the next": ["50 MB of 100 MB"],
      "one that is gone on with": ["60 MB of 100 MB"],
      "another one at the same place": ["60 MB of 100 MB"],
      "its check": [words.modelSteps.checking],
      "nothing of a check that goes on": [],
      "its unpacking": [words.modelSteps.unpacking],
      "why it failed": ["The disk is full."],
      "no failure twice": [],
      "that it is paused": [words.heard.downloadPaused],
      "that its check was stopped": [words.heard.stopped],
      "nothing of one that was stopped before": [],
      "nothing of its end, which is a message": [],
      "nothing of no known size": [],
    });
  });
});

test("what a job brought to the result under review is told as what it changed", () => {
  const review = reviewed({ mutedIds: ["a"] });
  const { result } = reviewed({ mutedIds: [] });
  expect(edited((one) => changedReview(one, result, jobEntry()), review)).toEqual([words.heard.unmuted]);
});
