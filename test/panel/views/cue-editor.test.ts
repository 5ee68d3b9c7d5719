import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import type { ReviewState } from "../../../panel/state/review-state.ts";
import { keysView } from "../../../panel/views/cue-row.ts";
import { script } from "../../../panel/views/script-list.ts";
import { words } from "../../../panel/words/words.ts";
import type { Result } from "../../../src/result/result.ts";
import { STALE_REASONS, voicedCues } from "../../../src/result/stale.ts";
import { elementsOf } from "../../page/page-actions.ts";
import { elementOf, happens, outlineOf, usesOf } from "./drawn.ts";
import { found, LINES, reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

const PAUSE = { id: "p", start: 40, end: 44, words: 9, hints: ["dark", "rain"], before: "Hello.", after: "Bye." };
const SILENT = { ...PAUSE, id: "q", start: 50, end: 53, words: 7, unit: "characters", hints: [], before: undefined };
const DIALOGUE = [
  { start: 7, end: 8, text: "Who is it?", speaker: "Ann" },
  { start: 8.5, end: 9, text: "Me." },
];
const ALL = {
  findings: [found("cps", ["b"]), found("over", ["b", "c"], { severity: "fail" }), found("late", ["b"])],
  acceptedIds: ["c"],
  mutedIds: ["d"],
  toWrite: [PAUSE, SILENT],
  silentIds: ["q"],
  dialogue: DIALOGUE,
} as unknown as Partial<Result>;

/** The lines of a result as they are listed, in a host where keys reach fields alone, or everything. */
function listed(
  result: Partial<Result> = {},
  review: Partial<ReviewState> = {},
  state: Partial<PanelState> = {},
  keysReachAll = false,
) {
  const page = viewPage({ review: reviewed(result, review), ...state }, keysReachAll ? { keysReachAll } : {});
  page.answers["auditionController.isAlone"] = true;
  const draw = () => {
    const now = page.session.state;
    return now.review === null ? [] : script(now, now.review, page.actions);
  };
  return { ...page, draw };
}

/** What is drawn of some lines of the outline: from the first that has a text to the next that is not deeper. */
function within(lines: readonly string[], text: string): readonly string[] {
  const at = lines.findIndex((line) => line.includes(text));
  const depth = lines[at]?.search(/\S/) ?? 0;
  const end = lines.findIndex((line, index) => index > at && line.search(/\S/) <= depth);
  return lines.slice(at, end < 0 ? undefined : end);
}

const classesOf = (drawn: ReturnType<ReturnType<typeof listed>["draw"]>) =>
  elementsOf(drawn).flatMap(({ properties }) =>
    String(properties["id"]).startsWith("row-") ? [`${properties["data-cue"]} ${properties["class"]}`] : [],
  );

describe("the rows of the script", () => {
  test("are lines, pauses and what is said, in order of time, each with its time, its words and its signs", () => {
    expect(outlineOf(listed(ALL).draw())).toEqual([
      "combobox “Script. Keys of the script: arrows choose, with Shift several; Enter writes, Space accepts, L listens, P adds the programme’s sound, M mutes, Delete deletes.” #cue-keys takesFocus=lost expanded=true = ",
      `grid “${words.list}” #cues`,
      "  row #row-a selected=false rowindex=1",
      "    gridcell : 00:00:02:00",
      "    gridcell : 2.0 s",
      "    gridcell : A woman sits.",
      "  row rowindex=2",
      "    gridcell : Ann: “Who is it?”",
      "  row rowindex=3",
      "    gridcell : “Me.”",
      "  row #row-b selected=false rowindex=4",
      "    gridcell : 00:00:12:00",
      "    gridcell",
      "      1.5 s",
      "      img “Found: cps.; Found: late.” : ⚠",
      "      img “Found: over.” : ✕",
      "    gridcell : She opens a letter.",
      "  row #row-c selected=false rowindex=5",
      "    gridcell : 00:00:22:00",
      "    gridcell",
      "      3.0 s",
      "      img “Found: over.” : ✕",
      `      img “${words.accepted}” : ✓`,
      "    gridcell : Rain falls on the roof.",
      "  row #row-d selected=false rowindex=6",
      "    gridcell : 00:00:32:00",
      "    gridcell",
      "      2.0 s",
      `      img “${words.stale}” : ♪`,
      `      img “${words.muted}” : ✕`,
      "    gridcell : The boat leaves.",
      "  row #row-p selected=false rowindex=7",
      "    gridcell : 00:00:40:00",
      "    gridcell : 4.0 s",
      `    gridcell : ${words.writeHere({ room: "9 words" })}`,
      "  row #row-q selected=false rowindex=8",
      "    gridcell : 00:00:50:00",
      "    gridcell : 3.0 s",
      `    gridcell : ${words.leftSilent({ room: "7 characters" })}`,
    ]);
  });

  test("say that a line is heard on a held copy alone, in signs and in words, and not that it is too long", () => {
    const extended = { mutedIds: ["b", "d"], extendedIds: ["b"] };
    const option = outlineOf(listed(extended, {}, {}, true).draw());
    expect(option.filter((line) => line.includes(words.option.extended))).toHaveLength(1);
    expect(option.filter((line) => line.includes(words.option.muted))).toHaveLength(1);
    expect(option.filter((line) => line === `    img “${words.extended}” : ‖`)).toHaveLength(1);
    expect(option.filter((line) => line === `    img “${words.muted}” : ✕`)).toHaveLength(1);
    const both = outlineOf(listed({ mutedIds: ["b", "d"], extendedIds: ["b", "d"] }, {}, {}, true).draw());
    expect(both.filter((line) => line.includes(words.option.extended))).toHaveLength(2);
    const long = {
      cues: [{ id: "b", start: 10, end: 16, text: "She opens a letter." }],
      speech: [{ start: 12, end: 20 }],
    };
    const signs = (more: object, review: object = {}) =>
      outlineOf(listed({ ...long, ...more } as never, review).draw()).join();
    const ofRoom = words.secondsOf({ seconds: "6.0", room: "1.9" });
    expect(signs({})).toContain(ofRoom);
    // Beside its time the narrowest list has room for one number.
    expect(signs({}, { viewWidth: 240 })).toContain(words.seconds({ seconds: "6.0" }));
    expect(signs({}, { viewWidth: 240 })).not.toContain("of 1.9 s");
    expect(signs({ mutedIds: ["b"], extendedIds: ["b"] })).not.toContain("of 1.9 s");
    const opened = signs({ mutedIds: ["b"], extendedIds: ["b"] }, { selectedId: "b", isOpen: true });
    expect(opened).toContain(words.extendedRoom({ seconds: "6" }));
    expect(opened).not.toContain("too long: cut");
    expect(signs({}, { selectedId: "b", isOpen: true })).toContain("too long: cut");
  });

  test("say by their look which is chosen, marked, open, muted, and where the playhead is: at its start, and no more at its end", () => {
    const rows = (playhead: number | null) =>
      classesOf(listed(ALL, { selectedId: "b", markedIds: ["a", "c"], isOpen: true }, { playhead }).draw());
    expect(rows(22)).toEqual([
      "a cue marked",
      "b cue selected open",
      "c cue marked now",
      "d cue muted",
      "p cue",
      "q cue",
    ]);
    expect(rows(25).filter((row) => row.includes("now"))).toEqual([]);
    expect(rows(24.9).filter((row) => row.includes("now"))).toEqual(["c cue marked now"]);
  });

  test("that do not fit say how long they are of how much room, and fill the bar", () => {
    const cues = [LINES[0], { ...LINES[1], start: 4.5, end: 5 }, { ...LINES[2], start: 5.5, end: 6.5 }] as typeof LINES;
    const { draw } = listed({ cues });
    const bars = elementsOf(draw()).flatMap(({ properties }) =>
      String(properties["class"]).startsWith("fill") ? [`${properties["class"]} ${properties["style"]}`] : [],
    );
    expect(bars).toEqual(["fill width: 89%", "fill width: 67%", "fill width: 2%"]);
    expect(outlineOf(draw()).filter((line) => / s$| s of /.test(line))).toEqual([
      "    gridcell : 2.0 s",
      "    gridcell : 0.5 s",
      "    gridcell : 1.0 s",
    ]);
  });

  test.each([
    ["wide", 560, ["cue-picture", "cue-time", "cue-body", "cue-signs"]],
    ["narrow", 559, ["cue-picture", "cue-body"]],
    ["narrow", 280, ["cue-picture", "cue-body"]],
    ["slim", 279, ["cue-body"]],
  ] as const)("of a list that is %s (%i pixels) are laid out for it", (layout, viewWidth, parts) => {
    const { draw } = listed({}, { viewWidth });
    const row = elementOf(draw(), "row-a");
    expect(row.children.map((one) => (typeof one === "string" ? one : one.properties["class"]))).toEqual(parts);
    expect(String(elementOf(draw(), "cues").properties["class"])).toBe(`cues ${layout}`);
    // Nothing of a row is lost by that.
    const inside = elementsOf(row).map(({ properties }) => properties["class"]);
    expect(["cue-picture", "cue-time", "cue-signs", "cue-words"].filter((part) => !inside.includes(part))).toEqual([]);
  });

  test("do what their parts do: hear, choose, write; of a pause nothing is heard", async () => {
    const page = listed(ALL);
    expect(await usesOf(page, page.draw())).toEqual({
      "cue-keys": [],
      "hear-cue in row-a": ['auditionController.toggle({"id":"a","start":2,"end":4,"text":"A woman sits."})'],
      "select-cue in row-a": ['editor.movePlayhead("s1", 2)', "focus(cue-keys)", 'review.selectedId: "a"'],
      "edit-cue in row-a": ['editor.movePlayhead("s1", 2)', 'review.selectedId: "a"', "review.isOpen: true"],
      "hear-cue in row-b": ['auditionController.toggle({"id":"b","start":12,"end":13.5,"text":"She opens a letter."})'],
      "select-cue in row-b": ['editor.movePlayhead("s1", 12)', "focus(cue-keys)", 'review.selectedId: "b"'],
      "edit-cue in row-b": ['editor.movePlayhead("s1", 12)', 'review.selectedId: "b"', "review.isOpen: true"],
      "hear-cue in row-c": [
        'auditionController.toggle({"id":"c","start":22,"end":25,"text":"Rain falls on the roof."})',
      ],
      "select-cue in row-c": ['editor.movePlayhead("s1", 22)', "focus(cue-keys)", 'review.selectedId: "c"'],
      "edit-cue in row-c": ['editor.movePlayhead("s1", 22)', 'review.selectedId: "c"', "review.isOpen: true"],
      "hear-cue in row-d": ['auditionController.toggle({"id":"d","start":32,"end":34,"text":"The boat leaves."})'],
      "select-cue in row-d": ['editor.movePlayhead("s1", 32)', "focus(cue-keys)", 'review.selectedId: "d"'],
      "edit-cue in row-d": ['editor.movePlayhead("s1", 32)', 'review.selectedId: "d"', "review.isOpen: true"],
      "select-cue in row-p": ['editor.movePlayhead("s1", 40)', "focus(cue-keys)", 'review.selectedId: "p"'],
      "edit-cue in row-p": ['editor.movePlayhead("s1", 40)', 'review.selectedId: "p"', "review.isOpen: true"],
      "select-cue in row-q": ['editor.movePlayhead("s1", 50)', "focus(cue-keys)", 'review.selectedId: "q"'],
      "edit-cue in row-q": ['editor.movePlayhead("s1", 50)', 'review.selectedId: "q"', "review.isOpen: true"],
    });
  });

  test("are chosen up to a time that is clicked with Shift, and that one too with Ctrl or Cmd", () => {
    for (const [how, marked] of [
      [{ shiftKey: true }, ["a", "b"]],
      [{ ctrlKey: true }, ["c"]],
      [{ metaKey: true }, ["c"]],
    ] as const) {
      const { draw, session, did } = listed({}, { selectedId: "a" });
      const time = elementsOf(elementOf(draw(), "row-c")).find(
        ({ properties }) => properties["data-action"] === "select-cue",
      );
      const pick = time?.properties["onclick"];
      if (typeof pick === "function")
        pick({
          ...how,
          target: null,
          currentTarget: null,
          preventDefault: () => undefined,
          stopPropagation: () => undefined,
        });
      expect([session.state.review?.markedIds, did.at(-1)]).toEqual([marked, "focus(cue-keys)"]);
    }
  });

  test("show what the programme shows, and whether it is heard; an empty picture is none", () => {
    const { draw } = listed(
      ALL,
      { pictures: { "22.00": "data:c", "12.00": "", "40.00": "data:p" } },
      { listening: "b" },
    );
    const pictures = elementsOf(draw()).flatMap(({ properties }) =>
      properties["class"] === "still" ? [properties["src"]] : [],
    );
    expect(pictures).toEqual(["data:c", "data:p"]);
    const titles = elementsOf(draw()).flatMap(({ properties }) =>
      properties["data-action"] === "hear-cue" ? [properties["title"]] : [],
    );
    expect(titles).toEqual([words.listen, words.stop, words.listen, words.listen]);
    const icons = elementsOf(draw()).flatMap(({ properties }) =>
      properties["icon"] === undefined ? [] : [properties["icon"]],
    );
    expect(icons).toEqual(["play", "pause", "play", "play"]);
  });

  test("are options of a list where keys reach everything, whose names say words, standing, findings and place", () => {
    expect(outlineOf(listed(ALL, { selectedId: "b", markedIds: ["c"], opens: "below" }, {}, true).draw())).toEqual([
      "listbox “Script” #cues takesFocus=lost activedescendant=row-b",
      "  option #row-a selected=false posinset=1 setsize=8 : A woman sits. Not accepted. 1 of 8, at 00:02. 00:00:02:00 2.0 s A woman sits.",
      "  Ann: “Who is it?”",
      "  “Me.”",
      "  option #row-b selected=true posinset=4 setsize=8",
      "    She opens a letter. Not accepted. Found: cps. Found: over. Found: late. 4 of 8, at 00:12.",
      "    00:00:12:00",
      "    1.5 s",
      "    img “Found: cps.; Found: late.” : ⚠",
      "    img “Found: over.” : ✕",
      "    She opens a letter.",
      "  option #row-c selected=true posinset=5 setsize=8",
      "    Rain falls on the roof. Accepted. Found: over. 5 of 8, at 00:22.",
      "    00:00:22:00",
      "    3.0 s",
      "    img “Found: over.” : ✕",
      `    img “${words.accepted}” : ✓`,
      "    Rain falls on the roof.",
      "  option #row-d selected=false posinset=6 setsize=8",
      "    The boat leaves. Not accepted. Muted. ♪ changed. 6 of 8, at 00:32.",
      "    00:00:32:00",
      "    2.0 s",
      `    img “${words.stale}” : ♪`,
      `    img “${words.muted}” : ✕`,
      "    The boat leaves.",
      `  option #row-p selected=false posinset=7 setsize=8 : ${words.option.pause({ room: "9 words" })} dark. rain. 7 of 8, at 00:40. 00:00:40:00 4.0 s Write here: room for 9 words`,
      `  option #row-q selected=false posinset=8 setsize=8 : ${words.option.silent({ room: "7 characters" })} 8 of 8, at 00:50. 00:00:50:00 3.0 s Left silent · room for 7 characters`,
    ]);
  });

  test("that are out of sight are not drawn, and their room is kept", () => {
    const cues = Array.from({ length: 100 }, (_, index) => ({
      id: `c${index}`,
      start: index,
      end: index + 0.5,
      text: "x",
    }));
    const { draw } = listed({ cues }, { viewHeight: 320, scrollTop: 64 * 40 });
    const drawn = classesOf(draw()).map((row) => Number(/\d+/.exec(row)?.[0]));
    expect([drawn[0], drawn.at(-1), drawn.length]).toEqual([34, 51, 18]);
    const spare = elementsOf(elementOf(draw(), "cues")).flatMap(({ properties }) =>
      properties["role"] === "presentation" && properties["style"] !== undefined ? [properties["style"]] : [],
    );
    expect(spare).toEqual(["height: 2176px", "height: 3072px"]);
  });
});

describe("an open line", () => {
  const open = (result: Partial<Result> = {}, state: Partial<PanelState> = {}, review: Partial<ReviewState> = {}) =>
    listed(result, { selectedId: "b", isOpen: true, ...review }, state);

  test("has its words, its room, its times, what can be done with it, and what was found of it", () => {
    const limits = [
      found("cps", ["b"], { limit: 17, unit: "characters a second", source: "Netflix" }),
      found("late", ["b"], { limit: 3, unit: undefined as never, severity: "note" }),
      found("over", ["c"]),
    ];
    expect(within(outlineOf(open({ findings: limits, timedIds: ["b"] }).draw()), "#row-b")).toEqual([
      "  row #row-b selected=true rowindex=2",
      "    gridcell : 00:00:12:00",
      "    gridcell",
      "      1.5 s",
      "      img “Found: cps.” : ⚠",
      "      img “Found: late.” : ℹ",
      "    gridcell",
      `      textbox “${words.cueText}” #cue-text takesFocus = She opens a letter.`,
      "    gridcell",
      `      ${words.roomLeft({ seconds: 1.5, left: 8.3, words: 14 })}, ${words.pace({ wordsPerMinute: 160 })}`,
      `      textbox “${words.cueIn}” #cue-in = 00:00:12:00`,
      "      button “In −1 frame” #nudge-start-1 : −1",
      "      button “In +1 frame” #nudge-start1 : +1",
      `      textbox “${words.cueOut}” #cue-out = 00:00:13:13`,
      "      button “Out −1 frame” #nudge-end-1 : −1",
      "      button “Out +1 frame” #nudge-end1 : +1",
      `      ${words.nudged.both}`,
      "      button “Line −1 frame” #nudge-both-1 : −1",
      "      button “Line +1 frame” #nudge-both1 : +1",
      `      button “${words.fitToPause}” #fit-cue`,
      `      button “${words.listen}” #listen`,
      `      button “${words.accept}” #accept-cue`,
      `      button “${words.muteCue}” #mute-cue`,
      `      button “${words.split}” #split-cue`,
      `      button “${words.delete}” #delete-cue`,
      `      button “${words.merge}” #merge-cue`,
      `      button “${words.close}” #close-cue`,
      "      ⚠ Found: cps. (limit 17 characters a second) · Netflix",
      "      ℹ Found: late. (limit 3)",
    ]);
  });

  test("does what its controls say", async () => {
    const page = open({ timedIds: ["b"] });
    page.actions.reviewController.cursor = 9;
    const uses = await usesOf(page, elementOf(page.draw(), "row-b"));
    expect(uses).toEqual({
      "hear-cue in row-b": ['auditionController.toggle({"id":"b","start":12,"end":13.5,"text":"She opens a letter."})'],
      "select-cue in row-b": ['editor.movePlayhead("s1", 12)', "focus(cue-keys)", "review.isOpen: false"],
      "cue-text": [
        'reviewController.typing("b", "typed")',
        'reviewController.typing("b", "typed")',
        "reviewController.commit()",
      ],
      "cue-in": ['reviewController.retime("start", "typed")'],
      "nudge-start-1": ["step: times", "line b: 11.96 to 13.5 “She opens a letter.”"],
      "nudge-start1": ["step: times", "line b: 12.04 to 13.5 “She opens a letter.”"],
      "cue-out": ['reviewController.retime("end", "typed")'],
      "nudge-end-1": ["step: times", "line b: 12 to 13.48 “She opens a letter.”"],
      "nudge-end1": ["step: times", "line b: 12 to 13.56 “She opens a letter.”"],
      "nudge-both-1": ["step: times", "line b: 11.96 to 13.48 “She opens a letter.”"],
      "nudge-both1": ["step: times", "line b: 12.04 to 13.56 “She opens a letter.”"],
      "fit-cue": ["step: fitted", "review.result.timedIds: []"],
      listen: ['auditionController.toggle({"id":"b","start":12,"end":13.5,"text":"She opens a letter."})'],
      "accept-cue": ["reviewController.toggleAccepted()"],
      "mute-cue": ["step: muted", 'review.result.mutedIds: ["b"]'],
      "split-cue": [
        "step: split",
        "line b: 12 to 12.375 “She”",
        "line b-2: 12.375 to 13.5 “opens a letter.”",
        'review.result.timedIds: ["b","b-2"]',
      ],
      "delete-cue": ["step: deleted", "line b is gone", 'review.selectedId: "c"', "review.isOpen: false"],
      "merge-cue": ["step: joined", "line c is gone", "line b: 12 to 25 “She opens a letter. Rain falls on the roof.”"],
      "close-cue": ['editor.movePlayhead("s1", 12)', "review.isOpen: false"],
    });
  });

  test("says that it is accepted, muted and heard, and each is taken back by the same button", () => {
    const lines = outlineOf(open({ acceptedIds: ["b"], mutedIds: ["b"] }, { listening: "b" }).draw());
    expect(
      lines.filter((line) => /#(listen|accept-cue|mute-cue|fit-cue)/.test(line)).map((line) => line.trim()),
    ).toEqual([
      `button “${words.fitToPause}” #fit-cue`,
      `button “${words.stop}” #listen`,
      `button “${words.unaccept}” #accept-cue`,
      `button “${words.unmuteCue}” #mute-cue`,
    ]);
    const classes = ["accept-cue", "mute-cue"].map(
      (id) => elementOf(open({ acceptedIds: ["b"], mutedIds: ["a"] }).draw(), id).properties["class"],
    );
    expect(classes).toEqual(["button icon-button here", "button icon-button"]);
  });

  test("is fitted only where its times were set by hand", () => {
    expect(outlineOf(open({ timedIds: ["a"] }).draw()).join()).not.toContain("fit-cue");
  });

  test("says of which words its narration is, and why it is out of date", () => {
    const was = { ...LINES[1], id: "b", start: 12.5, end: 14, text: "She sits." };
    const voiced = voicedCues([...LINES.filter(({ id }) => id !== "b"), was], reviewed().result.settings);
    const said = outlineOf(open({ voiced }).draw())
      .filter((line) => line.includes("♪"))
      .map((line) => line.trim());
    expect(said).toEqual([`img “${words.stale}” : ♪`, `♪ ${STALE_REASONS.words}; ${STALE_REASONS.moved}.`]);
  });

  test("shows the words as they are typed, in this result alone, and the room that these need", () => {
    const long = "She opens a letter that came a week ago and reads it to the very end, twice, and then once more.";
    const room = (typed: PanelState["typed"]) => {
      const { draw } = open({}, { typed });
      return [elementOf(draw(), "cue-text").properties["value"], elementOf(draw(), "room").children];
    };
    expect(room({ runId: "run-1", id: "b", text: long })).toEqual([
      "She opens a letter that came a week ago and reads it to the very end, twice, and then once more.",
      ["⚠ 11.9 s to say, 2.2 s too long: cut 4 words"],
    ]);
    expect(room({ runId: "another", id: "b", text: long })[0]).toBe("She opens a letter.");
    expect(room({ runId: "run-1", id: "a", text: long })[0]).toBe("She opens a letter.");
  });

  test.each([
    ["a word", "x", 400, "within", 42],
    ["what fills two lines", "x".repeat(2 * 45 - 1), 400, "within", 42],
    ["a letter more", "x".repeat(2 * 45), 400, "within", 58],
    ["what would fill ninety", "x".repeat(4000), 400, "within", 138],
    ["what fills two lines of a narrow list", "x".repeat(31), 100, "within", 42],
    ["a letter more there", "x".repeat(32), 100, "within", 58],
    ["what fills two lines beside the list", "x".repeat(2 * 45 - 1), 900, "beside", 42],
    ["a letter more beside it", "x".repeat(2 * 45), 900, "beside", 58],
    ["what fills two lines below the list", "x".repeat(2 * 138 - 1), 900, "below", 42],
    ["a letter more below it", "x".repeat(2 * 138), 900, "below", 58],
  ] as const)("has a field as high as its words need: %s", (_, text, viewWidth, opens, height) => {
    const { draw } = open({ cues: [{ id: "b", start: 1, end: 3, text }] }, {}, { viewWidth, opens });
    expect(elementOf(draw(), "cue-text").properties["style"]).toBe(`height: ${height}px`);
  });

  test.each([
    ["Enter", {}, [], { isOpen: false, selectedId: "b" }, true],
    ["Enter", { ctrlKey: true }, ['reviewController.acceptAndGoOn("b")'], { isOpen: true }, true],
    ["Enter", { metaKey: true }, ['reviewController.acceptAndGoOn("b")'], { isOpen: true }, true],
    ["ArrowDown", { altKey: true }, ['reviewController.step(1, {"isOpen":true})'], { isOpen: true }, true],
    ["ArrowUp", { altKey: true }, ['reviewController.step(-1, {"isOpen":true})'], { isOpen: true }, true],
    ["ArrowDown", {}, [], { isOpen: true }, false],
    ["Enter", { isComposing: true }, [], { isOpen: true }, false],
    ["a", {}, [], { isOpen: true }, false],
  ] as const)("in its words %s with %o does what it says", (key, more, asked, state, isTaken) => {
    const { draw, session, did } = open();
    expect(happens(draw(), "cue-text", "keydown", { key, ...more })).toBe(isTaken);
    expect(did.filter((one) => one.startsWith("review"))).toEqual(asked);
    expect(session.state.review).toMatchObject(state);
  });

  test("is split where the cursor was last, by key and by mouse", () => {
    for (const event of ["keyup", "click"]) {
      const { draw, actions } = open();
      happens(draw(), "cue-text", event, { target: { selectionStart: 7 } });
      expect(actions.reviewController.cursor).toBe(7);
    }
  });

  test("that is a pause has what is said around it, what can be done, and no times", async () => {
    const page = open(ALL, {}, { selectedId: "p" });
    expect(within(outlineOf(page.draw()), "#row-p")).toEqual([
      "  row #row-p selected=true rowindex=7",
      "    gridcell : 00:00:40:00",
      "    gridcell : 4.0 s",
      "    gridcell",
      `      textbox “${words.cueText}” #cue-text takesFocus = `,
      "    gridcell",
      "      Up to 4.0 s, 9 words",
      "      “Hello.”",
      "      “Bye.”",
      `      group “${words.pauseOffers}”`,
      `        button “${words.leaveSilent}, ${words.leaveSilentHint}” #leave-silent : ${words.leaveSilent} ${words.leaveSilentHint}`,
      `      button “${words.close}” #close-cue`,
    ]);
    expect(await usesOf(page, elementOf(page.draw(), "row-p"))).toEqual({
      "select-cue in row-p": ['editor.movePlayhead("s1", 40)', "focus(cue-keys)", "review.isOpen: false"],
      "cue-text": [
        'reviewController.typing("p", "typed")',
        'reviewController.typing("p", "typed")',
        "reviewController.commit()",
      ],
      "leave-silent": ["reviewController.toggleSilent()"],
      "close-cue": ['editor.movePlayhead("s1", 40)', "review.isOpen: false"],
    });
    expect(within(outlineOf(open(ALL, {}, { selectedId: "q" }).draw()), "#row-q")).toEqual([
      "  row #row-q selected=true rowindex=8",
      "    gridcell : 00:00:50:00",
      "    gridcell : 3.0 s",
      "    gridcell",
      `      textbox “${words.cueText}” #cue-text takesFocus = `,
      "    gridcell",
      "      Up to 3.0 s, 7 characters",
      "      “Bye.”",
      `      group “${words.pauseOffers}”`,
      `        ${words.writeLaterHint}`,
      `        button “${words.writeLater}” #write-later`,
      `      button “${words.close}” #close-cue`,
    ]);
  });

  test("stands beside or below a list that has no room for it, with its number, its time and its picture", () => {
    const beside = open(ALL, {}, { opens: "beside", selectedId: "c", pictures: { "22.00": "data:c" } });
    const lines = outlineOf(beside.draw());
    expect(within(lines, "#open-line").slice(0, 4)).toEqual([
      `group “${words.lineOf({ number: 5, count: 8 })}” #open-line`,
      "  Line 5 of 8 00:00:22:00",
      `  textbox “${words.cueText}” #cue-text takesFocus = Rain falls on the roof.`,
      `  ${words.roomLeft({ seconds: 3, left: 35, words: 64 })}, ${words.pace({ wordsPerMinute: 100 })}`,
    ]);
    expect(
      elementsOf(elementOf(beside.draw(), "open-line")).some(({ properties }) => properties["src"] === "data:c"),
    ).toBe(true);
    const below = open(ALL, {}, { opens: "below", selectedId: "c", pictures: { "22.00": "data:c" } });
    expect(
      elementsOf(elementOf(below.draw(), "open-line")).some(({ properties }) => properties["src"] === "data:c"),
    ).toBe(false);
    expect(outlineOf(open(ALL, {}, { opens: "beside", isOpen: false }).draw()).at(-1)).toBe(words.openBeside);
    expect(outlineOf(open(ALL, {}, { opens: "below", isOpen: false }).draw()).at(-1)).not.toBe(words.openBeside);
    expect(happens(beside.draw(), "open-line", "keydown", { key: "Escape" })).toBe(true);
    expect(beside.session.state.review).toMatchObject({ isOpen: false, selectedId: "c" });
  });
});

describe("the keys of the list", () => {
  const KEYS: readonly (readonly [string, object, readonly string[], object])[] = [
    ["ArrowDown", {}, ['reviewController.step(1, {"marks":false})'], {}],
    ["ArrowUp", { shiftKey: true }, ['reviewController.step(-1, {"marks":true})'], {}],
    ["PageDown", {}, ['reviewController.step(10, {"marks":false})'], {}],
    ["PageUp", {}, ['reviewController.step(-10, {"marks":false})'], {}],
    ["Home", {}, ['reviewController.step(null, {"marks":false})'], {}],
    ["End", { shiftKey: true }, ['reviewController.step(null, {"marks":true})'], {}],
    ["Enter", {}, [], { isOpen: true, selectedId: "b" }],
    ["Escape", {}, [], { isOpen: false, selectedId: "b" }],
    [" ", {}, ["reviewController.toggleAccepted()"], {}],
    ["Delete", {}, [], { selectedId: "c" }],
    ["Backspace", {}, [], { selectedId: "c" }],
    ["m", {}, [], { result: { mutedIds: ["b"] } }],
    ["z", { ctrlKey: true }, ["reviewController.undo()"], {}],
    ["Z", { metaKey: true, shiftKey: true }, ["reviewController.redo()"], {}],
    ["a", { ctrlKey: true }, [], { selectedId: "b", markedIds: ["a", "c", "d"] }],
    ["f", { metaKey: true }, [], { search: { find: "", replacement: "" } }],
    ["l", {}, [`auditionController.toggle(${JSON.stringify(LINES[1])})`], {}],
    ["p", {}, ["programmeSoundController.prepare()"], {}],
  ];

  test.each(KEYS)("%s with %o", (key, more, asked, state) => {
    for (const keysReachAll of [false, true]) {
      const { draw, session, did } = listed({}, { selectedId: "b" }, {}, keysReachAll);
      expect(happens(draw(), keysReachAll ? "cues" : "cue-keys", "keydown", { key, ...more })).toBe(true);
      expect(did.filter((one) => !/^(editor|auditionController.isAlone)/.test(one))).toEqual(asked);
      expect(session.state.review).toMatchObject(state);
    }
  });

  test.each([
    ["x", {}],
    ["s", { ctrlKey: true }],
    ["m", { ctrlKey: true }],
    ["p", {}],
  ])("%s with %o is nobody's where it means nothing, or the narration is a mix", (key, more) => {
    const { draw, did, session, answers } = listed({}, { selectedId: "b" });
    answers["auditionController.isAlone"] = false;
    const before = session.state;
    expect(happens(draw(), "cue-keys", "keydown", { key, ...more })).toBe(false);
    expect([did.filter((one) => !one.includes("isAlone")), session.state]).toEqual([[], before]);
  });

  test("l says why nothing is heard where no line is chosen, and where a pause is", () => {
    for (const [selectedId, said] of [
      [null, words.heard.noLineChosen],
      ["p", words.heard.noWordsYet],
    ] as const) {
      const page = listed(ALL, { selectedId });
      happens(page.draw(), "cue-keys", "keydown", { key: "l" });
      expect([page.said, page.did]).toEqual([[said], []]);
    }
  });

  test("are taken in by a field that keeps nothing of them, and by the list as far as it lies open", () => {
    const target = { value: "x" };
    const page = listed({}, { selectedId: "b", isOpen: true });
    happens(page.draw(), "cue-keys", "input", { target });
    expect(target.value).toBe("");
    expect(happens(page.draw(), "cues", "keydown", { key: "ArrowDown" })).toBe(false);
    expect(happens(page.draw(), "cues", "keydown", { key: "Escape" })).toBe(true);
    expect(page.session.state.review).toMatchObject({ isOpen: false, selectedId: "b" });
    expect(happens(page.draw(), "cues", "keydown", { key: "Escape" })).toBe(false);
  });

  test("stand on one page, each once, what they do beside them", () => {
    const lines = outlineOf(keysView());
    expect(lines.filter((line) => line.startsWith("  "))).toHaveLength(words.keyMap.length);
    for (const [keys, what] of words.keyMap)
      expect(lines.some((line) => line.includes(`${keys} ${what}`.trim()))).toBe(true);
    expect(lines.at(-1)).toBe(words.keysHint);
  });

  test("a list that is scrolled tells where, how high and how wide it is", () => {
    const page = listed();
    const target = { scrollTop: 120, clientHeight: 90, clientWidth: 300, parentElement: { clientWidth: 300 } };
    happens(page.draw(), "cues", "scroll", { target });
    expect(page.session.state.review).toMatchObject({
      scrollTop: 120,
      viewHeight: 100,
      viewWidth: 300,
      opens: "within",
    });
  });
});
