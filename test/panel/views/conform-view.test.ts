import { describe, expect, test } from "vitest";
import { type ConformState, cutKey } from "../../../panel/state/conform-state.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { conformNotice, conformView } from "../../../panel/views/conform-view.ts";
import { cutText, words } from "../../../panel/words/words.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";
import { outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const described = (cueId: string, state: string, start: number, more: object = {}) => ({
  cueId,
  state,
  start,
  end: start + 1,
  text: `Words of ${cueId}.`,
  ...more,
});
const DESCRIPTIONS = [
  described("a", "unchanged", 1),
  described("b", "moved", 10),
  described("c", "touched", 20.5, { reason: "picture-cut" }),
  described("d", "orphaned", 30, { reason: "picture-gone" }),
  described("e", "moved", 40, { isWhereEditorPutIt: true }),
];
const STRETCHES = [
  {
    start: 45,
    end: 65,
    inside: [
      { start: 50, end: 52 },
      { start: 55, end: 60 },
    ],
  },
  { start: 95, end: 110.5, inside: [{ start: 100, end: 105.5 }] },
];

function conformed(change: Partial<ConformState> = {}, plan: object = {}): ConformState {
  const record = placedResult([]);
  const { sequence } = jobEntry();
  return {
    sequence,
    record,
    plan: {
      descriptions: DESCRIPTIONS,
      findings: [],
      record,
      hasStem: false,
      hasNarration: false,
      isStemStale: false,
      ...plan,
    },
    toRecord: null,
    stretches: [],
    ...change,
  } as unknown as ConformState;
}
function shown(conform: ConformState | null, state: Partial<PanelState> = {}) {
  const page = viewPage({ conform, view: "conform", jobs: [jobEntry()], ...state });
  return {
    ...page,
    draw: () => conformView(page.session.state, page.actions),
    notice: () => conformNotice(page.session.state, page.actions),
  };
}

describe("the view of a cut that changed", () => {
  test("counts what moved and lists each line that did: where it belongs, why it needs a person, its words", async () => {
    const page = shown(conformed(), { canTakeBack: true });
    expect(outlineOf(page.draw())).toEqual([
      cutText(words.cutChanged, { moved: 2, touched: 1, orphaned: 1 }),
      `list “${words.conformList}” #conform-list`,
      "  listitem",
      `    button “${words.conformStates.moved} · 00:00:10:00. Words of b.” #conform-b`,
      "  listitem",
      `    button “${words.conformStates.touched} · 00:00:20:13. Part of the picture it describes was cut out or trimmed. Words of c.” #conform-c`,
      "  listitem",
      `    button “${words.conformStates.orphaned} · 00:00:30:00. The picture it describes is no longer in the edit. Words of d.” #conform-d`,
      "  listitem",
      `    button “${words.conformStates.moved} · 00:00:40:00. Its marker stays where you put it. Words of e.” #conform-e`,
      `button “${words.conform}” #conform`,
      `button “${words.conformLook}” #conform-look`,
      `button “${words.takeBack}” #take-back`,
      `${words.conformDoes({ cues: 3 })} ${words.conformHint}`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "conform-b": ["conformController.jump(10)"],
      "conform-c": ["conformController.jump(20.5)"],
      "conform-d": ["conformController.jump(30)"],
      "conform-e": ["conformController.jump(40)"],
      conform: ["conformController.apply()"],
      "conform-look": ["conformController.look()"],
      "take-back": ["applyController.takeBack()"],
    });
  });

  test("says what becomes of the narration: cut into lines, recorded first, or left as it is", () => {
    const said = (conform: ConformState) =>
      outlineOf(shown(conform).draw())
        .slice(-5, -2)
        .map((line) => line.trim());
    expect(said(conformed({ toRecord: 2 }, { hasStem: true }))).toEqual([
      words.conformCuts,
      words.conformRecords({ count: 2 }),
      `button “${words.conform}” #conform`,
    ]);
    expect(said(conformed({ toRecord: 0 }))).toEqual([
      "listitem",
      `button “${words.conformStates.moved} · 00:00:40:00. Its marker stays where you put it. Words of e.” #conform-e`,
      `button “${words.conform}” #conform`,
    ]);
    expect(said(conformed({}, { isStemStale: true }))).toEqual([
      `button “${words.conformStates.moved} · 00:00:40:00. Its marker stays where you put it. Words of e.” #conform-e`,
      words.stemStale,
      `button “${words.conform}” #conform`,
    ]);
  });

  test("lists what is new in the cut, what that would take, and has it described or left; where all else is followed", async () => {
    const both = shown(conformed({ stretches: STRETCHES }));
    const lines = outlineOf(both.draw());
    expect(lines.slice(lines.findIndex((line) => line.includes("conform-look")) + 1)).toEqual([
      `${words.conformDoes({ cues: 3 })} ${words.conformHint}`,
      words.newStretches({ count: 2, time: "00:36", credits: "no charge" }),
      `list “${words.newList}” #new-list`,
      "  listitem",
      "    button “00:00:50:00 to 00:01:00:00” #new-1",
      "  listitem",
      "    button “00:01:40:00 to 00:01:45:13” #new-2",
      `button “${words.describeNew}” #describe-new`,
      `${words.newHint} ${words.newFollows}`,
    ]);
    const followed = shown(conformed({ stretches: STRETCHES }, { descriptions: DESCRIPTIONS.slice(0, 1) }));
    expect(outlineOf(followed.draw())).toEqual([
      words.newStretches({ count: 2, time: "00:36", credits: "no charge" }),
      `list “${words.newList}” #new-list`,
      "  listitem",
      "    button “00:00:50:00 to 00:01:00:00” #new-1",
      "  listitem",
      "    button “00:01:40:00 to 00:01:45:13” #new-2",
      `button “${words.describeNew}” #describe-new`,
      `button “${words.leaveNew}” #leave-new`,
      words.newHint,
      `button “${words.conformLook}” #conform-look`,
    ]);
    followed.answers["conformController.orderNew"] = async () => "the order";
    expect(await usesOf(followed, followed.draw())).toEqual({
      "new-1": ["conformController.jump(50)"],
      "new-2": ["conformController.jump(100)"],
      "describe-new": ["conformController.orderNew()", 'jobQueue.describeNew("the order")'],
      "leave-new": ["conformController.leaveNew()"],
      "conform-look": ["conformController.look()"],
    });
    followed.answers["conformController.orderNew"] = async () => null;
    expect((await usesOf(followed, followed.draw()))["describe-new"]).toEqual(["conformController.orderNew()"]);
  });

  test("names the price of what is new where it has one", () => {
    const page = shown(conformed({ stretches: STRETCHES }), { service: { address: "https://cloud.example" } });
    expect(outlineOf(page.draw()).filter((line) => line.includes("credit"))).toEqual([
      "2 new parts of the edit are not described: 00:36 in all, about 0.4 credits.",
    ]);
  });

  test("is how far it is while something is placed, and empty where the cut is as it was", async () => {
    expect(outlineOf(shown(conformed(), { placing: { what: "Following", fraction: 0.5 } }).draw())).toEqual([
      "Following…",
      "progressbar “Following” valuenow=50",
      `button “${words.stop}” #stop-placing`,
    ]);
    const none = shown(null, { canTakeBack: true });
    expect(outlineOf(none.draw())).toEqual([
      words.conformNothing,
      `button “${words.conformLook}” #conform-look`,
      `button “${words.takeBack}” #take-back`,
    ]);
    expect(await usesOf(none, none.draw())).toEqual({
      "conform-look": ["conformController.look()"],
      "take-back": ["applyController.takeBack()"],
    });
  });
});

describe("the notice of it", () => {
  test("stands on every other view until it is put away; another cut has its own", async () => {
    const conform = conformed({ stretches: STRETCHES });
    const page = shown(conform, { view: "review" });
    expect(outlineOf(page.notice())).toEqual([
      cutText(words.cutChanged, { moved: 2, touched: 1, orphaned: 1 }),
      words.newStretches({ count: 2, time: "00:36", credits: "no charge" }),
      `button “${words.openConform}” #open-conform`,
      `button “${words.conformLater}” #conform-later`,
    ]);
    expect(await usesOf(page, page.notice())).toEqual({
      "open-conform": ['panelController.go("conform")'],
      "conform-later": ["conformController.putAside()"],
    });
    expect(shown(conform).notice()).toEqual([]);
    expect(shown(null, { view: "review" }).notice()).toEqual([]);
    expect(shown(conform, { view: "review", setAsideCut: cutKey(conform) }).notice()).toEqual([]);
    expect(shown(conform, { view: "review", setAsideCut: "another" }).notice()).toHaveLength(1);
  });

  test("says what is new alone where all else is followed", () => {
    const page = shown(conformed({ stretches: STRETCHES }, { descriptions: DESCRIPTIONS.slice(0, 1) }), {
      view: "review",
    });
    expect(outlineOf(page.notice())[0]).toContain("2 new parts");
    expect(outlineOf(page.notice()).join()).not.toContain(
      cutText(words.cutChanged, { moved: 0, touched: 0, orphaned: 0 }),
    );
  });
});
