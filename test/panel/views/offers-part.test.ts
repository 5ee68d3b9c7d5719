import { describe, expect, test } from "vitest";
import type { PanelState, RowWordings } from "../../../panel/state/panel-state.ts";
import { pauseOf } from "../../../panel/state/review-state.ts";
import { lineOffers, pauseOffers, roomOfPause, roomText } from "../../../panel/views/offers-part.ts";
import { words } from "../../../panel/words/words.ts";
import type { Cue } from "../../../src/core/cue.ts";
import type { Result } from "../../../src/result/result.ts";
import { staleIn, voicedCues } from "../../../src/result/stale.ts";
import { remediesIn } from "../../../src/workflow/remedies.ts";
import { outlineOf, usesOf } from "./drawn.ts";
import { reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

/** A line of ten seconds in a pause of six, with music behind that pause, and lines on either side. */
const LONG =
  "She opens the letter that has come from far away, reads it twice, and puts it into the drawer of the old desk by the window.";
const TIGHT = {
  cues: [
    { id: "a", start: 2, end: 4, text: "A woman sits." },
    { id: "b", start: 10, end: 20, text: LONG },
    { id: "c", start: 17.5, end: 19, text: "Rain." },
  ],
  speech: [{ start: 5, end: 9 }],
  music: [],
} as unknown as Partial<Result>;
const PAUSE = { id: "p", start: 40, end: 44.25, words: 9, hints: [] };

const OFFER = { model: "qwen3-vl", isLocal: false, cost: 0.0123 };

function page(result: Partial<Result>, state: Partial<PanelState> = {}) {
  return viewPage({ review: reviewed(result, { selectedId: "b", isOpen: true }), ...state });
}

function offersOf(made: ReturnType<typeof page>, id = "b") {
  const { review } = made.session.state;
  const cue = review?.result.cues.find((one) => one.id === id);
  const pause = review === null ? undefined : pauseOf(review, id);
  if (review === null) throw new Error("no review");
  if (pause !== undefined) return pauseOffers(review, pause, made.actions);
  if (cue === undefined) throw new Error(`no line ${id}`);
  return lineOffers(review, cue, remediesIn(review.result, cue, staleIn(review.result)), made.actions);
}

const asked = (change: Partial<RowWordings>): Partial<PanelState> => ({
  wordings: { runId: "run-1", id: "b", kind: "shorten", wordings: null, model: "", fault: null, ...change },
});

/** A description that is not to lie over music. */
const QUIET = { settings: { ...reviewed({}).result.settings, allowsOverMusic: false } };

/** What that offer does. */
const EXTENDED = ["step: extended", 'review.result.mutedIds: ["b"]', 'review.result.extendedIds: ["b"]'];

/** The offer to have the film held so many seconds for a line that takes so many. */
function extended(held: string, seconds: string): string {
  const [name, detail] = [words.offerNames.extended, words.offerDetails.extended({ seconds: held })];
  return `  button “${name}, ${detail}, ${seconds} s” #extend : ${name} ${detail} ${seconds} s`;
}

describe("what is offered for a line", () => {
  test("that is longer than its pause: each way out with what comes of it and the seconds that it takes then", async () => {
    const made = page(TIGHT);
    expect(outlineOf(offersOf(made))).toEqual([
      `group “${words.tooLong}”`,
      `  ${words.tooLong}`,
      extended("3", "10.0"),
      `  button “${words.offerNames.accept}, Stays 2.8 s longer than its pause, 10.0 s” #remedy-accept : Leave Stays 2.8 s longer than its pause 10.0 s`,
    ]);
    expect(await usesOf(made, offersOf(made))).toEqual({
      "remedy-accept": ["reviewController.toggleAccepted()"],
      extend: EXTENDED,
    });
  });

  test("that would fit otherwise: shorter, at another time, faster, over music; each is done by a click, as one step", async () => {
    const cues = [{ id: "b", start: 10, end: 13.4, text: "She opens the old letter slowly." }];
    const wordings = {
      b: [
        { text: "She reads.", seconds: 1 },
        { text: "She opens it.", seconds: 1.5 },
      ],
    };
    const made = page({
      ...QUIET,
      cues,
      wordings,
      speech: [{ start: 5, end: 8 }],
      music: [{ start: 13, end: 20 }],
    } as never);
    expect(outlineOf(offersOf(made))).toEqual([
      `group “${words.tooLong}”`,
      `  ${words.tooLong}`,
      `  button “${words.askNames.shorten}, “She opens it.”, 1.5 s” #remedy-shorten : Shorten “She opens it.” 1.5 s`,
      `  button “${words.offerNames.earlier}, At 00:00:09:15, in its pause, 3.4 s” #remedy-move : ${words.offerNames.earlier} At 00:00:09:15, in its pause 3.4 s`,
      `  button “${words.offerNames.duck}, At 00:00:10:00; the music is lowered under it, 3.4 s” #remedy-duck : ${words.offerNames.duck} At 00:00:10:00; the music is lowered under it 3.4 s`,
      extended("0.6", "3.4"),
      `  button “${words.offerNames.accept}, Stays 0.4 s longer than its pause, 3.4 s” #remedy-accept : Leave Stays 0.4 s longer than its pause 3.4 s`,
    ]);
    expect(await usesOf(made, offersOf(made))).toEqual({
      "remedy-shorten": ["step: words", "line b: 10 to 11.5 “She opens it.”"],
      "remedy-move": ["step: fitted", "line b: 9.6 to 13 “She opens the old letter slowly.”"],
      "remedy-duck": ["reviewController.toggleAccepted()"],
      "remedy-accept": ["reviewController.toggleAccepted()"],
      extend: EXTENDED,
    });
    // What may lie over music anyway has its room.
    expect(
      offersOf(page({ cues, wordings, speech: [{ start: 5, end: 8 }], music: [{ start: 13, end: 20 }] } as never)),
    ).toBeNull();
    const before = page({ cues, speech: [{ start: 5, end: 10.5 }] } as never);
    expect(outlineOf(offersOf(before)).filter((line) => line.includes("remedy-move"))).toEqual([
      `  button “${words.offerNames.later}, At 00:00:10:15, in its pause, 3.4 s” #remedy-move : ${words.offerNames.later} At 00:00:10:15, in its pause 3.4 s`,
    ]);
  });

  test("that is heard on a held copy alone: the way back into its pause, and nothing of a pause that it does not need", async () => {
    const cues = TIGHT.cues as unknown as readonly Cue[];
    const voiced = voicedCues(cues, reviewed({}).result.settings);
    const made = page({ ...TIGHT, voiced, mutedIds: ["b"], extendedIds: ["b"] });
    const [name, detail] = [words.offerNames.back, words.offerDetails.back({ missing: "2.8" })];
    expect(outlineOf(offersOf(made))).toEqual([
      `group “${words.heldHere}”`,
      `  ${words.heldHere}`,
      `  button “${name}, ${detail}, 10.0 s” #back-into-pause : ${name} ${detail} 10.0 s`,
    ]);
    expect(await usesOf(made, offersOf(made))).toEqual({
      "back-into-pause": [
        "step: unextended",
        "review.result.mutedIds: undefined",
        "review.result.extendedIds: undefined",
      ],
    });
  });

  test("that is heard there is told so wherever it stands among others", () => {
    const both = page({ ...TIGHT, mutedIds: ["a", "b"], extendedIds: ["a", "b"] });
    expect(["a", "b"].map((id) => outlineOf(offersOf(both, id))[0])).toEqual(
      Array(2).fill(`group “${words.heldHere}”`),
    );
  });

  test("where nothing can be held, as on the page, or the film is held anyway: no hold for it alone", () => {
    const offers = (made: ReturnType<typeof page>) =>
      outlineOf(offersOf(made)).filter((line) => line.includes("#extend"));
    const made = page(TIGHT);
    expect(offers(made)).toHaveLength(1);
    Object.assign(made.session.environment, { noTimeline: true });
    expect(offers(made)).toEqual([]);
    const type = { type: "extended" };
    expect(offers(page({ ...TIGHT, track: "none", settings: type } as never))).toEqual([]);
  });

  test("that is a little too long may be spoken faster, as fast as it is said to be then", async () => {
    const cues = [{ id: "b", start: 10, end: 13.2, text: "She opens the old letter slowly." }];
    const made = page({ ...QUIET, cues, speech: [{ start: 5, end: 8 }], music: [{ start: 13, end: 20 }] } as never);
    const lines = outlineOf(offersOf(made)).filter((line) => line.includes("#remedy-faster"));
    const { faster } = words.offerNames;
    const detail = words.offerDetails.faster({ wordsPerMinute: 120 });
    expect(lines).toEqual([`  button “${faster}, ${detail}, 3.0 s” #remedy-faster : ${faster} ${detail} 3.0 s`]);
    expect((await usesOf(made, offersOf(made)))["remedy-faster"]).toEqual([
      "step: fitted",
      "line b: 10 to 13 “She opens the old letter slowly.”",
    ]);
  });

  test("that would leave it as it is, is not offered: over music where it lies already, and acceptance that it has", async () => {
    const accepted = page({ ...TIGHT, acceptedIds: ["b"] });
    expect(await usesOf(accepted, offersOf(accepted))).toEqual({ extend: EXTENDED });
    const text = "She opens the old letter slowly.";
    const over = (spokenUntil: number, acceptedIds: readonly string[]) => {
      const cues = [{ id: "b", start: 10, end: 13.4, text }];
      const speech = [{ start: 5, end: spokenUntil }];
      return page({ ...QUIET, cues, speech, music: [{ start: 11, end: 20 }], acceptedIds } as never);
    };
    const ducks = (made: ReturnType<typeof page>) =>
      outlineOf(offersOf(made)).filter((line) => line.includes("#remedy-duck")).length;
    expect([ducks(over(8, ["b"])), ducks(over(8, [])), ducks(over(10.5, ["b"]))]).toEqual([0, 1, 1]);
  });

  test("that has room: nothing, but wordings where a model can be asked", async () => {
    expect(offersOf(page({}))).toBeNull();
    const made = page({}, { wordingOffer: { runId: "run-1", offer: OFFER } });
    expect(outlineOf(offersOf(made))).toEqual([
      `group “${words.askNames.other}”`,
      `  button “${words.askNames.other}, ${words.askDetails.other({ model: "qwen3-vl" })} · ${words.askCost({ cost: 0.01 })}” #ask-other : ${words.askNames.other} ${words.askDetails.other({ model: "qwen3-vl" })} · ${words.askCost({ cost: 0.01 })}`,
    ]);
    expect(await usesOf(made, offersOf(made))).toEqual({
      "ask-other": ['wordingController.ask("other")'],
    });
    expect(offersOf(page({}, { wordingOffer: { runId: "another", offer: OFFER } }))).toBeNull();
  });

  test.each([
    [{ ...OFFER, isLocal: true }, words.askFree],
    [OFFER, words.askCost({ cost: "0.01" })],
    [{ ...OFFER, cost: 0.256 }, words.askCost({ cost: "0.26" })],
    [{ ...OFFER, cost: null }, null],
  ])("names the price of wordings: %o", (offer, price) => {
    const [, line] = outlineOf(offersOf(page({}, { wordingOffer: { runId: "run-1", offer } })));
    const detail = words.askDetails.other({ model: "qwen3-vl" });
    expect(line).toContain(`“${words.askNames.other}, ${price === null ? detail : `${detail} · ${price}`}”`);
  });
});

describe("wordings by the model", () => {
  const offered = { wordingOffer: { runId: "run-1", offer: OFFER } };

  test("are shorter ones for a line that is too long, and can be called off while they are asked for", async () => {
    expect(outlineOf(offersOf(page(TIGHT, offered))).slice(0, 3)).toEqual([
      `group “${words.tooLong}”`,
      `  ${words.tooLong}`,
      `  button “${words.askNames.shorten}, ${words.askDetails.shorten({ model: "qwen3-vl" })} · ${words.askCost({ cost: 0.01 })}” #ask-shorten : Shorten 3 shorter wordings, by qwen3-vl · ${words.askCost({ cost: 0.01 })}`,
    ]);
    const made = page(TIGHT, { ...offered, ...asked({}) });
    expect(outlineOf(offersOf(made)).slice(0, 4)).toEqual([
      `group “${words.tooLong}”`,
      `  ${words.tooLong}`,
      `  ${words.asking}`,
      `  button “${words.cancel}” #cancel-wordings`,
    ]);
    expect((await usesOf(made, offersOf(made)))["cancel-wordings"]).toEqual(["wordingController.cancel()"]);
  });

  test("stand below each other, each with its seconds and whether it fits, and are taken by a click", async () => {
    const made = page(TIGHT, {
      ...offered,
      ...asked({ wordings: ["She reads.", LONG, "She reads it twice."], model: "qwen3-vl" }),
    });
    expect(outlineOf(offersOf(made)).slice(0, 7)).toEqual([
      `group “${words.tooLong}”`,
      `  ${words.tooLong}`,
      `  button “${words.askNames.shorten}, ${words.askDetails.shorten({ model: "qwen3-vl" })} · ${words.askCost({ cost: 0.01 })}” #ask-shorten : Shorten 3 shorter wordings, by qwen3-vl · ${words.askCost({ cost: 0.01 })}`,
      `  ${words.wordingsBy({ model: "qwen3-vl" })}`,
      "  button “She reads., ✓ 0.9 s” #wording-0 : She reads. ✓ 0.9 s",
      "  button “She opens the letter that has come from far away, reads it twice, and puts it into the drawer of the old desk by the window., ⚠ 10.0 s, 2.8 s too long” #wording-1 : She opens the letter that has come from far away, reads it twice, and puts it into the drawer of the old desk by the window. ⚠ 10.0 s, 2.8 s too long",
      "  button “She reads it twice., ✓ 1.8 s” #wording-2 : She reads it twice. ✓ 1.8 s",
    ]);
    const uses = Object.entries(await usesOf(made, offersOf(made))).filter(([id]) => /wording|ask/.test(id));
    expect(Object.fromEntries(uses)).toEqual({
      "ask-shorten": ['wordingController.ask("shorten")'],
      "wording-0": ['wordingController.choose("She reads.")'],
      "wording-1": [
        'wordingController.choose("She opens the letter that has come from far away, reads it twice, and puts it into the drawer of the old desk by the window.")',
      ],
      "wording-2": ['wordingController.choose("She reads it twice.")'],
    });
  });

  test("that could not be made say why, beside the offer to ask again", () => {
    const made = page(TIGHT, { ...offered, ...asked({ fault: "The model did not answer." }) });
    expect(outlineOf(offersOf(made)).slice(1, 4)).toEqual([
      `  ${words.tooLong}`,
      `  button “${words.askNames.shorten}, ${words.askDetails.shorten({ model: "qwen3-vl" })} · ${words.askCost({ cost: 0.01 })}” #ask-shorten : Shorten 3 shorter wordings, by qwen3-vl · ${words.askCost({ cost: 0.01 })}`,
      "  ⚠ The model did not answer.",
    ]);
  });

  test("of another line or result are not shown", () => {
    const plain = outlineOf(offersOf(page(TIGHT, offered)));
    for (const change of [{ id: "c" }, { runId: "another" }]) {
      for (const more of [{}, { wordings: ["She reads."] }, { fault: "It failed." }]) {
        expect(outlineOf(offersOf(page(TIGHT, { ...offered, ...asked({ ...change, ...more }) })))).toEqual(plain);
      }
    }
  });
});

describe("what is offered for a pause", () => {
  test("without words: to have some suggested, to leave it silent; one that is left silent, to write it after all", async () => {
    const made = page({ toWrite: [PAUSE] }, { wordingOffer: { runId: "run-1", offer: OFFER } });
    expect(outlineOf(offersOf(made, "p"))).toEqual([
      `group “${words.pauseOffers}”`,
      `  button “${words.askNames.suggest}, ${words.askDetails.suggest({ model: "qwen3-vl" })} · ${words.askCost({ cost: 0.01 })}” #ask-suggest : Suggest 3 wordings for this pause, by qwen3-vl · ${words.askCost({ cost: 0.01 })}`,
      `  button “${words.leaveSilent}, ${words.leaveSilentHint}” #leave-silent : ${words.leaveSilent} ${words.leaveSilentHint}`,
    ]);
    expect(await usesOf(made, offersOf(made, "p"))).toEqual({
      "ask-suggest": ['wordingController.ask("suggest")'],
      "leave-silent": ["reviewController.toggleSilent()"],
    });
    const silent = page({ toWrite: [PAUSE], silentIds: ["p"] }, { wordingOffer: { runId: "run-1", offer: OFFER } });
    expect(outlineOf(offersOf(silent, "p"))).toEqual([
      `group “${words.pauseOffers}”`,
      `  ${words.writeLaterHint}`,
      `  button “${words.writeLater}” #write-later`,
    ]);
    expect(await usesOf(silent, offersOf(silent, "p"))).toEqual({
      "write-later": ["reviewController.toggleSilent()"],
    });
  });
});

test("where the service has no model, a pause and a line that is too long lead to setting one up; no other service is meant", async () => {
  const { serviceAddress: address } = reviewed({}, {}).job;
  const known = (model: string | null, of = address) =>
    ({ modelEstimate: { address: of, durationSeconds: 60, reply: { model } } }) as unknown as Partial<PanelState>;
  for (const [made, id, name] of [
    [page({ toWrite: [PAUSE] }, known(null)), "p", words.askNames.suggest],
    [page(TIGHT, known(null)), "b", words.askNames.shorten],
  ] as const) {
    expect(outlineOf(offersOf(made, id)).join()).toContain(`“${name}, ${words.askNobody}”`);
    expect(await usesOf(made, offersOf(made, id))).toMatchObject({ "set-up-model": ["panelController.setUpModel()"] });
  }
  for (const state of [known("seer"), known(null, "https://elsewhere.example"), {}]) {
    expect(outlineOf(offersOf(page({ toWrite: [PAUSE] }, state), "p")).join()).not.toContain(words.askNobody);
  }
  expect(offersOf(page({}, known(null)))).toBeNull();
});

test.each([
  [{ seconds: 2, left: 3.04, wordsLeft: 8 }, words.roomLeft({ seconds: "2", left: "3", words: 8 })],
  [{ seconds: 2, left: 0.2, wordsLeft: 0 }, words.roomFull({ seconds: "2" })],
  [{ seconds: 2, left: 0.5, wordsLeft: 1 }, words.roomLeft({ seconds: "2", left: "0.5", words: 1 })],
  [{ seconds: 4.26, left: -1.24, wordsLeft: -3 }, words.roomMissing({ seconds: "4.3", missing: "1.2", words: 3 })],
  [{ seconds: 4, left: -0.2, wordsLeft: 0 }, words.roomMissing({ seconds: "4", missing: "0.2", words: 1 })],
])("%o is said in seconds and words", (room, said) => {
  expect(roomText(room)).toBe(said);
});

test("a pause has room for words, or for characters where a language is counted in those", () => {
  expect(roomOfPause(PAUSE)).toBe(words.upTo({ seconds: "4.3", words: 9 }));
  expect(roomOfPause({ ...PAUSE, unit: "characters" })).toBe(words.upToCharacters({ seconds: "4.3", words: 9 }));
});
