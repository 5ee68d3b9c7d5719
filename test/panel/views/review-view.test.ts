import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import type { ReviewState } from "../../../panel/state/review-state.ts";
import { reviewView } from "../../../panel/views/review-view.ts";
import { words } from "../../../panel/words/words.ts";
import type { Result } from "../../../src/result/result.ts";
import { happens, optionsOf, outlineOf, usesOf } from "./drawn.ts";
import { found, reviewed } from "./reviewed.ts";
import { type ViewPage, viewPage } from "./view-page.ts";

const PAUSE = { id: "p", start: 40, end: 44, words: 9, hints: [], before: "Hello.", after: "Bye." };
const FINDINGS = [
  found("cps", ["b"]),
  found("over", ["b", "c"], { severity: "fail" }),
  found("cps", ["c"]),
  found("whole", []),
  found("late", [], { severity: "note" }),
];
const ISSUES = ["first", "second", "third", "fourth"].map((word, line) => ({
  line,
  message: `The ${word} issue`,
  code: `code-${line}`,
  text: "",
  effect: line === 1 ? "kept" : line === 2 ? "repaired" : "dropped",
}));

/** The view of a result, and what is around it. */
function shown(result: Partial<Result> = {}, review: Partial<ReviewState> = {}, state: Partial<PanelState> = {}) {
  const page = viewPage({ review: reviewed(result, review), ...state });
  page.answers["auditionController.isAlone"] = true;
  return { ...page, draw: () => reviewView(page.session.state, page.actions) };
}

/** What stands above the list of lines, and what stands below it. */
function around({ draw }: { readonly draw: () => ReturnType<typeof reviewView> }): readonly [string[], string[]] {
  const lines = outlineOf(draw());
  const at = lines.findIndex((line) => line.startsWith("combobox") && line.includes("#cue-keys"));
  const below = lines.findIndex((line, index) => index > at + 1 && !line.startsWith(" "));
  return [lines.slice(0, at), lines.slice(below)];
}

test("beside a film the strip and the script are two parts, with the same in them", () => {
  const page = shown();
  const within = outlineOf(page.draw());
  const apart = reviewView(page.session.state, page.actions, { isBesideFilm: true });
  expect(apart.map(({ properties }) => properties["class"])).toEqual([expect.stringMatching(/^strip/), "script-side"]);
  expect(outlineOf(apart)).toEqual(within);
});

describe("above the lines", () => {
  test("stand their count, what is to be checked, written and chosen, and what concerns the whole", () => {
    const page = shown(
      {
        findings: FINDINGS,
        issues: ISSUES as never,
        acceptedIds: ["b"],
        toWrite: [PAUSE, { ...PAUSE, id: "q", start: 50, end: 53 }],
      },
      { selectedId: "a", markedIds: ["c", "d"] },
    );
    expect(around(page)[0]).toEqual([
      `img “${words.stripLabel({ speech: "speech unknown", cues: 4 })}” #strip : 00:00:00 00:00:10 00:00:20 00:00:30 00:00:40 00:00:50`,
      `4 descriptions · ${words.toCheck({ count: 1 })} · ${words.pauseCount({ count: 2 })} · ${words.chosenCount({ count: 3 })}`,
      `button “${words.filter}” #open-filter expanded=false`,
      `button “${words.find}” #open-search`,
      `button “${words.undo}” #undo-edit disabled`,
      `button “${words.redo}” #redo-edit disabled`,
      "⚠ Found: whole.",
      "ℹ Found: late.",
      words.issueCount({ count: 3 }),
      "0: The first issue (code-0)",
      "2: The third issue (code-2)",
      "3: The fourth issue (code-3)",
    ]);
  });

  test("stand of issues with the reply three at the most, and their count", () => {
    const issues = ISSUES.map((issue) => ({ ...issue, effect: "dropped" }));
    expect(around(shown({ issues: issues as never }))[0].slice(5)).toEqual([
      `button “${words.redo}” #redo-edit disabled`,
      words.issueCount({ count: 4 }),
      "0: The first issue (code-0)",
      "1: The second issue (code-1)",
      "2: The third issue (code-2)",
    ]);
  });

  test("stands nothing that is not so; on a slim list the count has no words, and who wrote the lines is told by it", () => {
    const page = shown({ describer: "vision" }, { viewWidth: 200 });
    expect(around(page)[0]).toEqual([
      `img “${words.stripLabel({ speech: "speech unknown", cues: 4 })}” #strip : 00:00:00 00:00:10 00:00:20 00:00:30 00:00:40 00:00:50`,
      "4",
      `button “${words.filter}” #open-filter expanded=false`,
      `button “${words.find}” #open-search`,
      `button “${words.undo}” #undo-edit disabled`,
      `button “${words.redo}” #redo-edit disabled`,
    ]);
    expect(JSON.stringify(page.draw())).toContain(words.writtenBy({ by: words.describers["vision"] ?? "" }));
  });

  test("stands who signed them off, as long as they are the same lines, and where they are heard that need more time than there is", () => {
    const signOff = { name: "Ada", signedAt: "2026-01-02T03:04:05.000Z", hash: "" } as never;
    const held = { holds: [{ at: 2, seconds: 3 }], heard: {} } as never;
    expect(around(shown({ signOff, held }))[0].slice(5)).toEqual([
      `button “${words.redo}” #redo-edit disabled`,
      words.heldElsewhere,
      `button “${words.placeHeld}” #place-held`,
      words.signedVoid({ name: "Ada", date: "2026-01-02 03:04" }),
    ]);
  });

  test("stands how many lines are heard on a held copy alone, and the way there, where anything can be placed", () => {
    const page = shown({ mutedIds: ["a", "b"], extendedIds: ["b"] });
    expect(around(page)[0].slice(6, 8)).toEqual([
      words.linesHeld({ count: 1 }),
      `button “${words.placeHeld}” #place-held`,
    ]);
    Object.assign(page.session.environment, { noTimeline: true });
    expect(around(page)[0].slice(6)).not.toContain(`button “${words.placeHeld}” #place-held`);
    expect(around(shown({ mutedIds: ["a", "b"] }))[0].join()).not.toContain("held copy");
  });

  test("each button does what it says", async () => {
    const held = { holds: [{ at: 2, seconds: 3 }], heard: {} } as never;
    const past = [{ action: "muted", muted: { at: 0, gone: [], come: ["a"] } }] as never;
    const future = [
      { action: "words", cues: { before: [{ id: "c", start: 22, end: 25, text: "Rain." }], after: [] } },
    ] as never;
    const page = shown({ held, mutedIds: ["a"] }, { past, future });
    expect(around(page)[0].slice(2, 6)).toEqual([
      `button “${words.filter}” #open-filter expanded=false`,
      `button “${words.find}” #open-search`,
      `button “${words.undoStep({ edit: "mute" })}” #undo-edit`,
      `button “${words.redoStep({ edit: "words of line 3" })}” #redo-edit`,
    ]);
    const {
      "open-filter": filter,
      "open-search": search,
      "undo-edit": undo,
      "redo-edit": redo,
      "place-held": place,
    } = await usesOf(page, page.draw());
    expect({ filter, search, undo, redo, place }).toEqual({
      filter: ['formController.toggleSection("review-filter")'],
      search: ['review.search: {"find":"","replacement":""}'],
      undo: ["reviewController.undo()"],
      redo: ["reviewController.redo()"],
      place: ["heldCopyController.place()"],
    });
  });
});

describe("the filter", () => {
  test("is open while it shows less than all, and offers what there is: each rule once, and pauses where some are", () => {
    const toWrite = [PAUSE];
    const page = shown({ findings: FINDINGS, toWrite }, { filter: "rule:over" });
    expect(around(page)[0].filter((line) => line.includes("filter"))).toEqual([
      `button “${words.filter}” #open-filter expanded=true`,
      `combobox “${words.filter}” #filter = rule:over`,
    ]);
    expect(optionsOf(page.draw(), "filter")).toEqual([
      `all: ${words.filters.all}`,
      `findings: ${words.filters.findings}`,
      `unaccepted: ${words.filters.unaccepted}`,
      `stale: ${words.filters.stale}`,
      `to-write: ${words.filters.toWrite}`,
      "rule:cps: cps",
      "rule:over: over",
      "rule:whole: whole",
      "rule:late: late",
    ]);
    expect(optionsOf(shown({}, { filter: "stale" }).draw(), "filter").map((one) => one.split(":")[0])).toEqual([
      "all",
      "findings",
      "unaccepted",
      "stale",
    ]);
  });

  test("narrows the list, from its top on, and closes the open line", async () => {
    const page = shown({}, { scrollTop: 90, selectedId: "b", isOpen: true }, { openSections: ["review-filter"] });
    expect((await usesOf(page, page.draw(), { filter: "unaccepted" }))["filter"]).toEqual([
      "review.isOpen: false",
      'review.filter: "unaccepted"',
      "review.scrollTop: 0",
      "review.scrollOrders: 1",
    ]);
  });

  test("that nothing fits is said", () => {
    expect(outlineOf(shown({}, { filter: "findings" }).draw())).toContain(words.nothingListed);
  });
});

describe("the search", () => {
  const SEARCH = { find: "the", replacement: "a" };

  test("has its fields, how often it was found, and what can be done with that", async () => {
    const page = shown({}, { search: SEARCH, selectedId: "c" });
    const lines = outlineOf(page.draw());
    const at = lines.findIndex((line) => line.startsWith("search"));
    expect(lines.slice(at, at + 9)).toEqual([
      `search “${words.find}”`,
      `  textbox “${words.find}” #find-text takesFocus = the`,
      `  textbox “${words.replacement}” #replace-text = a`,
      `  ${words.found({ count: 2 })}`,
      `  button “${words.findPrevious}” #find-previous`,
      `  button “${words.findNext}” #find-next`,
      `  button “${words.replace}” #replace-one`,
      `  button “${words.replaceAll}” #replace-all`,
      `  button “${words.close}” #close-search`,
    ]);
    const uses = await usesOf(page, page.draw(), { "find-text": "boat", "replace-text": "ship" });
    const own = Object.entries(uses).filter(([id]) => /find-|replace-|close-search/.test(id));
    expect(Object.fromEntries(own)).toEqual({
      "find-text": ['review.search: {"find":"boat","replacement":"a"}'],
      "replace-text": ['review.search: {"find":"the","replacement":"ship"}'],
      "find-previous": ['editor.movePlayhead("s1", 32)', 'review.selectedId: "d"'],
      "find-next": ['editor.movePlayhead("s1", 32)', 'review.selectedId: "d"'],
      "replace-one": [
        'editor.movePlayhead("s1", 32)',
        "step: replaced",
        "line c: 22 to 25 “Rain falls on a roof.”",
        'review.selectedId: "d"',
      ],
      "replace-all": [
        "step: replaced",
        "line c: 22 to 25 “Rain falls on a roof.”",
        "line d: 32 to 34 “a boat leaves.”",
      ],
      "close-search": ["review.search: null"],
    });
  });

  test("that finds nothing offers nothing, and one line is replaced only where one is chosen", () => {
    const disabled = (lines: readonly string[]) => lines.filter((line) => /(find|replace)-\w+ disabled/.test(line));
    expect(
      disabled(outlineOf(shown({}, { search: { find: "zebra", replacement: "" }, selectedId: "c" }).draw())),
    ).toHaveLength(4);
    expect(disabled(outlineOf(shown({}, { search: SEARCH }).draw()))).toEqual([
      `  button “${words.replace}” #replace-one disabled`,
    ]);
  });

  test("goes on by Enter, back with Shift, and is closed by Escape; other keys are typed", () => {
    const { draw, session } = shown({}, { search: SEARCH, selectedId: "c" });
    const press = (key: string, more = {}) => {
      const isTaken = happens(draw(), "find-text", "keydown", { key, ...more });
      return [isTaken, session.state.review?.selectedId, session.state.review?.search === null];
    };
    expect(press("x")).toEqual([false, "c", false]);
    expect(press("Enter")).toEqual([true, "d", false]);
    expect(press("Enter", { shiftKey: true })).toEqual([true, "c", false]);
    expect(press("Escape")).toEqual([true, "c", true]);
  });
});

describe("the foot", () => {
  test("places what is ticked, of a copy where that is wanted; lines that are out of date are voiced, what was done is taken back", async () => {
    const stale = { cues: [{ id: "a", start: 2, end: 4, text: "Changed." }], voiced: {} };
    const page = shown(stale, {}, { canTakeBack: true, muting: "offered" });
    expect(around(page)[1]).toEqual([
      `button “${words.voiceChanged({ count: 1 })}” #voice-changed`,
      `button “${words.mute}” #mute-others`,
      `button “${words.takeBack}” #take-back`,
      `button “${words.place}” #place`,
      `button “${words.more}” #menu expanded=false : ▴`,
    ]);
    const uses = async () => {
      const { "voice-changed": voice, "mute-others": mute, "take-back": back, place } = await usesOf(page, page.draw());
      return { voice, mute, back, place };
    };
    expect(await uses()).toEqual({
      voice: ["jobQueue.voice()"],
      mute: ["placeController.mute()"],
      back: ["applyController.takeBack()"],
      place: ["placeController.everything()"],
    });
    page.session.store.set({ placesOnCopy: true, muting: "done", canTakeBack: false });
    expect(around(page)[1]).toEqual([
      `button “${words.voiceChanged({ count: 1 })}” #voice-changed`,
      `button “${words.unmute}” #mute-others`,
      `button “${words.place}” #place`,
      `button “${words.more}” #menu expanded=false : ▴`,
    ]);
    expect((await uses()).place).toEqual(["copyController.place()"]);
  });

  test.each<[string, Partial<Result>, Partial<PanelState>, boolean]>([
    ["markers alone", { audio: undefined as never }, { placesNarration: false }, true],
    ["narration alone", {}, { placesMarkers: false }, true],
    ["narration that is not there", { audio: undefined as never }, { placesMarkers: false }, false],
    ["nothing", {}, { placesMarkers: false, placesNarration: false }, false],
    ["no line, but a pause that is to be written", { cues: [], toWrite: [PAUSE] }, {}, true],
    ["no line at all", { cues: [] }, {}, false],
  ])("can be pressed where there is something to place: %s", (_, result, state, isPossible) => {
    expect(outlineOf(shown(result, {}, state).draw()).some((line) => line.endsWith("#place"))).toBe(isPossible);
  });

  test("is what is being placed, with the way to stop it, while something is", async () => {
    const page = shown(
      {},
      { preview: { counts: "", lines: [], notices: [] } },
      { placing: { what: "Placing markers", fraction: 0.256 } },
    );
    expect(around(page)[1]).toEqual([
      "Placing markers…",
      `progressbar “${words.placingMarkers}” valuenow=26`,
      `button “${words.stop}” #stop-placing`,
    ]);
    expect((await usesOf(page, page.draw()))["stop-placing"]).toEqual(["applyController.stop()"]);
  });

  test("says that the sound of the programme is exported, and how to stop that", async () => {
    const page = shown({}, {}, { programmeSound: "exporting" });
    expect(around(page)[1].slice(0, 2)).toEqual([
      words.programmeSounds.exporting,
      `button “${words.cancel}” #cancel-sound`,
    ]);
    expect((await usesOf(page, page.draw()))["cancel-sound"]).toEqual(["programmeSoundController.cancel()"]);
  });
});

describe("the menu", () => {
  const menuOf = (page: ReturnType<typeof shown>) => {
    const lines = around(page)[1];
    return lines.slice(
      0,
      lines.findIndex((line, index) => index > 0 && !line.startsWith(" ")),
    );
  };
  const open = (result: Partial<Result> = {}, state: Partial<PanelState> = {}) =>
    shown(result, {}, { isMenuOpen: true, ...state });

  test("has what is placed, what can be done once, what concerns timeline and script, each row with its state", async () => {
    const pieces = { a: { path: "/a.wav", start: 2, durationSeconds: 2 } };
    const page = open({ pieces, toWrite: [PAUSE] } as never, {
      duckedSequenceId: "s1",
      muting: "done",
      placesClips: false,
      ducksProgramme: true,
    });
    expect(menuOf(page)).toEqual([
      `group “${words.more}” #menu-rows`,
      `  group “${words.placeParts.what}”`,
      `    ${words.placeParts.what}`,
      `    checkbox “${words.wanted.markers}” #wants-markers checked`,
      `    checkbox “${words.wanted.narration}” #wants-narration checked`,
      `    checkbox “${words.placeClips}” #place-clips`,
      `    checkbox “${words.duckProgramme}” #duck-programme checked`,
      `    checkbox “${words.voicesFirst}” #voices-first`,
      `    checkbox “${words.colourMarkers}” #colour-markers`,
      `    checkbox “${words.placeOnCopy}” #wants-copy`,
      `    ${words.undoHint({ steps: 1 })}`,
      `    ${words.muteHint}`,
      `  group “${words.placeParts.once}”`,
      `    ${words.placeParts.once}`,
      `    button “${words.placeMarkers}” #place-markers`,
      `    button “${words.placeNarration}” #place-narration`,
      `  group “${words.placeParts.timeline}”`,
      `    ${words.placeParts.timeline}`,
      `    button “${words.readMarkers}” #read-markers`,
      `    button “${words.placeFindings}” #place-findings`,
      `    button “${words.removeDuck}” #remove-duck`,
      `    button “${words.prepareSound}” #prepare-sound`,
      `    ${words.programmeSounds.none}`,
      `  group “${words.placeParts.script}”`,
      `    ${words.placeParts.script}`,
      `    button “${words.acceptAll}” #accept-all`,
      `    button “${words.openBible}” #open-bible`,
      `    button “${words.voiceWhole}” #voice-whole`,
      `    button “${words.views.keys}” #open-keys`,
      `    group “${words.signOff}”`,
      `      textbox “${words.reviewer}” #reviewer = `,
      `      button “${words.signOff}” #sign-off`,
    ]);
    const rows = Object.entries(await usesOf(page, page.draw()));
    const from = rows.findIndex(([id]) => id === "wants-markers");
    const to = rows.findIndex(([id]) => id === "sign-off");
    expect(Object.fromEntries(rows.slice(from, to + 1))).toEqual({
      "wants-markers": ['panelController.changePreferences({"placesMarkers":false})'],
      "wants-narration": ['panelController.changePreferences({"placesNarration":false})'],
      "place-clips": ['panelController.changePreferences({"placesClips":true})'],
      "duck-programme": ['panelController.changePreferences({"ducksProgramme":false})'],
      "voices-first": ['panelController.changePreferences({"voicesFirst":true})'],
      "colour-markers": ['panelController.changePreferences({"coloursMarkers":true})'],
      "wants-copy": ['panelController.changePreferences({"placesOnCopy":true})'],
      "place-markers": ["placeController.markers()", "isMenuOpen: false"],
      "place-narration": ["placeController.narration()", "isMenuOpen: false"],
      "read-markers": ["placeController.readMarkers()", "isMenuOpen: false"],
      "place-findings": ["placeController.findings()", "isMenuOpen: false"],
      "remove-duck": ["duckController.remove()", "isMenuOpen: false"],
      "prepare-sound": ["programmeSoundController.prepare()", "isMenuOpen: false"],
      "accept-all": ["reviewController.acceptAll()", "isMenuOpen: false"],
      "open-bible": ['panelController.go("bible")', "isMenuOpen: false"],
      "voice-whole": ["jobQueue.voice()", "isMenuOpen: false"],
      "open-keys": ['panelController.go("keys")', "isMenuOpen: false"],
      reviewer: ['reviewer: "typed"'],
      "sign-off": ["signOffController.sign()"],
    });
  });

  test("offers of a mix no clips and no lowering; without narration nothing of it; without lines and pauses no markers", () => {
    const rows = (page: ReturnType<typeof shown>) =>
      menuOf(page).map((line) => /#(\S+)( disabled)?/.exec(line)?.[0] ?? line.trim());
    expect(rows(open({ track: "mixed" }))).toEqual([
      "#menu-rows",
      `group “${words.placeParts.what}”`,
      words.placeParts.what,
      "#wants-markers",
      "#wants-narration",
      "#voices-first",
      "#colour-markers",
      "#wants-copy",
      words.undoHint({ steps: 1 }),
      `group “${words.placeParts.once}”`,
      words.placeParts.once,
      "#place-markers",
      "#place-narration",
      `group “${words.placeParts.timeline}”`,
      words.placeParts.timeline,
      "#read-markers",
      "#place-findings",
      "#remove-duck disabled",
      "#prepare-sound",
      words.programmeSounds.none,
      `group “${words.placeParts.script}”`,
      words.placeParts.script,
      "#accept-all",
      "#open-bible",
      "#open-keys",
      `group “${words.signOff}”`,
      "#reviewer",
      "#sign-off",
    ]);
    expect(rows(open({ audio: undefined as never, cues: [] }))).toEqual([
      "#menu-rows",
      `group “${words.placeParts.what}”`,
      words.placeParts.what,
      "#wants-markers",
      words.noNarration,
      "#colour-markers",
      "#wants-copy",
      words.undoHint({ steps: 0 }),
      `group “${words.placeParts.once}”`,
      words.placeParts.once,
      "#place-markers disabled",
      "#place-narration disabled",
      `group “${words.placeParts.timeline}”`,
      words.placeParts.timeline,
      "#read-markers",
      "#place-findings",
      `group “${words.placeParts.script}”`,
      words.placeParts.script,
      "#accept-all",
      "#open-bible",
      "#open-keys",
      `group “${words.signOff}”`,
      "#reviewer",
      "#sign-off",
    ]);
  });

  test("counts the steps that markers take to undo, more where they are coloured", () => {
    const cues = Array.from({ length: 60 }, (_, index) => ({
      id: `${index}`,
      start: index,
      end: index + 0.5,
      text: "x",
    }));
    const hint = (state: Partial<PanelState>) =>
      menuOf(open({ cues, mutedIds: ["1"], toWrite: [PAUSE] } as never, state))
        .filter((line) => /undo/i.test(line))
        .at(-1)
        ?.trim();
    expect(hint({})).toBe(words.undoHint({ steps: 2 }));
    expect(hint({ coloursMarkers: true })).toBe(words.undoHint({ steps: 4 }));
  });

  test("looks for ducking as it opens, closes by its button and by Escape, and by no other key", () => {
    const { draw, session, did } = shown();
    happens(draw(), "menu", "click");
    expect([session.state.isMenuOpen, did]).toEqual([true, ["duckController.look()"]]);
    const press = (key: string) => [happens(draw(), ".footer", "keydown", { key }), session.state.isMenuOpen];
    expect(press("x")).toEqual([false, true]);
    expect(press("Escape")).toEqual([true, false]);
    expect(press("Escape")).toEqual([false, false]);
    happens(draw(), "menu", "click");
    happens(draw(), "menu", "click");
    expect([session.state.isMenuOpen, did.filter((one) => one.startsWith("duck")).length]).toEqual([false, 2]);
  });

  test("signs off under the name that is typed, and withdraws what counts; the sound is renewed, and not exported beside a job", async () => {
    const page = open({}, { programmeSound: "ready", reviewer: "Ada", progress: { runId: "run-1" } as never });
    expect(menuOf(page).filter((line) => /reviewer|sign|sound|programme/i.test(line))).toEqual([
      `    checkbox “${words.duckProgramme}” #duck-programme`,
      `    button “${words.removeDuck}” #remove-duck disabled`,
      `    button “${words.renewSound}” #prepare-sound disabled`,
      `    ${words.programmeSounds.ready}`,
      `    group “${words.signOff}”`,
      `      textbox “${words.reviewer}” #reviewer = Ada`,
      `      button “${words.signOff}” #sign-off`,
    ]);
    const { signOff } = await import("../../../src/result/sign-off.ts");
    const { LINES } = await import("./reviewed.ts");
    const signed = open({ signOff: signOff(LINES, "Ada", "2026-01-02T03:04:05.000Z") });
    expect(menuOf(signed).slice(-2)).toEqual([
      `    group “${words.signOff}”`,
      `      button “${words.withdraw}” #withdraw`,
    ]);
    expect((await usesOf(signed, signed.draw()))["withdraw"]).toEqual(["signOffController.withdraw()"]);
    expect(around(signed)[0].at(-1)).toBe(words.signed({ name: "Ada", date: "2026-01-02 03:04" }));
  });
});

test("without a result, that is said; what placing would do to markers that were worked on is shown in place of the lines", () => {
  const page: ViewPage = viewPage();
  expect(outlineOf(reviewView(page.session.state, page.actions))).toEqual([words.noReview]);
  const preview = { counts: "1 changed", lines: [], notices: [] };
  expect(outlineOf(shown({}, { preview }).draw())[0]).toContain(words.mergeHeading);
});
