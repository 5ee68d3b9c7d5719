import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openReview } from "../../../panel/state/opened-review.ts";
import {
  acceptAll,
  deleteChosen,
  editCue,
  editCues,
  fitChosen,
  mergeSelectedWithNext,
  nudgeChosen,
  redoStep,
  retimeChosen,
  splitSelected,
  toggleAccepted,
  toggleExtended,
  toggleMuted,
  undoStep,
  withMergedCues,
} from "../../../panel/state/review-edits.ts";
import { idsOfStep } from "../../../panel/state/review-history.ts";
import {
  chosenIds,
  findingsByCue,
  isExtended,
  listedCues,
  markTo,
  pauseOf,
  type ReviewState,
  rowOf,
  selectCue,
  timecodeOf,
  toggleMarked,
} from "../../../panel/state/review-state.ts";
import { rowIndexOf, rowListOf, SAID_HEIGHT, scriptRows } from "../../../panel/state/script-rows.ts";
import type { Cue } from "../../../src/core/cue.ts";
import type { Finding } from "../../../src/core/finding.ts";
import type { Result } from "../../../src/result/result.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";

const CUES: readonly Cue[] = ["a", "b", "c", "d", "e"].map((id, index) => {
  const start = 2 + index * 8;
  return { id, start, end: start + 5, text: `The boat ${id} leaves.` };
});
const IDS = CUES.map(({ id }) => id);

const review = (change: Partial<Result> = {}): ReviewState => openReview(placedResult(CUES, change), jobEntry());

/** With some lines chosen, none of them first. */
function choosing(state: ReviewState, [first = "", ...more]: readonly string[]): ReviewState {
  return more.reduce((marked, id) => toggleMarked(marked, id), selectCue(state, first, false));
}

/** What a person may do to lines, each for itself. */
const DEEDS: Readonly<Record<string, (state: ReviewState) => ReviewState>> = {
  accept: toggleAccepted,
  mute: toggleMuted,
  extend: toggleExtended,
  "nudge the start": (state) => nudgeChosen(state, "start", 10),
  "nudge the end": (state) => nudgeChosen(state, "end", -7),
  "nudge both": (state) => nudgeChosen(state, "both", 3),
  "type a distance": (state) => retimeChosen(state, "end", "-5") ?? state,
  fit: fitChosen,
  delete: deleteChosen,
};

/** The line that stands where some stood: the next one, else the last. */
function nextOf(gone: readonly string[], left: readonly string[]): readonly string[] {
  const first = IDS.findIndex((id) => gone.includes(id));
  const next = left.find((id) => IDS.indexOf(id) > first) ?? left.at(-1);
  return next === undefined ? [] : [next];
}

const some = fc.shuffledSubarray(IDS, { minLength: 1 });

/** All that lines are, whatever the order in which they came to be so. */
function reviewed({ result }: ReviewState) {
  const { cues, acceptedIds, mutedIds = [], extendedIds = [], timedIds = [], findings } = result;
  return {
    cues,
    accepted: [...acceptedIds].sort(),
    muted: [...mutedIds].sort(),
    extended: [...extendedIds].sort(),
    timed: [...timedIds].sort(),
    findings,
  };
}

describe("what is done to several lines", () => {
  test.each(Object.entries(DEEDS))(
    "%s: is what is done to one after the other, to each of them, and one step",
    (name, act) => {
      // Of a toggle, all of them are the one or the other before.
      const isToggle = ["accept", "mute", "extend"].includes(name);
      const before = isToggle ? fc.constant<string[]>([]) : fc.subarray(IDS);
      fc.assert(
        fc.property(some, before, before, before, (ids, timedIds, acceptedIds, mutedIds) => {
          const first = review({ timedIds, acceptedIds, mutedIds });
          const together = act(choosing(first, ids));
          const oneByOne = ids.reduce((state, id) => act(selectCue(state, id, false)), first);
          expect(reviewed(together)).toEqual(reviewed(oneByOne));
          expect(together.past.length).toBeLessThanOrEqual(1);
          if (together.past.length === 0) return;
          // Undone, just those are chosen; done again too, or what stands in their place.
          const changed = together.past.flatMap(idsOfStep);
          const undone = undoStep(together);
          expect(chosenIds(undone)).toEqual(IDS.filter((id) => changed.includes(id)));
          const left = together.result.cues.map(({ id }) => id);
          const kept = left.filter((id) => changed.includes(id));
          expect(chosenIds(redoStep(undone))).toEqual(kept.length > 0 ? kept : nextOf(changed, left));
        }),
      );
    },
  );

  test.each(Object.entries(DEEDS).filter(([, act]) => act !== fitChosen))(
    "%s: changes each of them, and no other line",
    (_, act) => {
      const marks = ({ result }: ReviewState, id: string) => {
        const { acceptedIds, mutedIds = [], extendedIds = [] } = result;
        const marked = [acceptedIds, mutedIds, extendedIds].map((ids) => ids.includes(id));
        return JSON.stringify([result.cues.find((cue) => cue.id === id), ...marked]);
      };
      fc.assert(
        fc.property(some, fc.boolean(), (ids, isDone) => {
          const first = isDone ? review({ acceptedIds: IDS, mutedIds: IDS, extendedIds: IDS }) : review();
          const after = act(choosing(first, ids));
          expect(IDS.filter((id) => marks(first, id) !== marks(after, id)).sort()).toEqual([...ids].sort());
          // Undone, they are what is chosen, all of them.
          expect(chosenIds(undoStep(after))).toEqual([...ids].sort());
        }),
      );
    },
  );

  test("that are extended are muted in the film; those that are heard again are neither, and the others stay both", () => {
    const sorted = (ids: readonly string[] = []) => [...ids].sort();
    fc.assert(
      fc.property(some, fc.nat(), (extended, count) => {
        const first = toggleExtended(choosing(review({ mutedIds: ["a"] }), extended));
        expect(sorted(first.result.extendedIds)).toEqual(sorted(extended));
        expect(IDS.filter((id) => isExtended(first, id))).toEqual(sorted(extended));
        expect(sorted(first.result.mutedIds)).toEqual(sorted([...new Set(["a", ...extended])]));
        const heard = extended.slice(0, 1 + (count % extended.length));
        const left = extended.filter((id) => !heard.includes(id));
        for (const act of [toggleMuted, toggleExtended]) {
          const { result } = act(choosing(first, heard));
          expect(sorted(result.extendedIds)).toEqual(sorted(left));
          const muted = extended.includes("a") ? left : [...left, "a"];
          expect(sorted(result.mutedIds)).toEqual(sorted(muted));
        }
      }),
    );
  });

  test("each of them is fitted to its words again, and follows them from then on; no other is", () => {
    const lengthOf = ({ result }: ReviewState, id: string) => {
      const { start = 0, end = 0 } = result.cues.find((cue) => cue.id === id) ?? {};
      return end - start;
    };
    fc.assert(
      fc.property(fc.shuffledSubarray(IDS, { minLength: 1, maxLength: 3 }), (ids) => {
        const long = nudgeChosen(choosing(review(), IDS), "end", 50);
        const short = nudgeChosen(choosing(long, IDS.filter((id) => !ids.includes(id))), "end", -50); // biome-ignore format: one step
        const fitted = fitChosen(choosing(short, ids));
        for (const id of IDS) expect(lengthOf(fitted, id), id).toBeLessThan(6);
        expect([...(fitted.result.timedIds ?? [])].sort()).toEqual(IDS.filter((id) => !ids.includes(id)));
      }),
    );
  });

  test("whatever times a person set stay when words change, in each of them", () => {
    fc.assert(
      fc.property(some, (ids) => {
        const timed = nudgeChosen(choosing(review(), ids), "end", 5);
        const worded = editCues(timed, IDS.map((id) => ({ id, text: "Gone." }))); // biome-ignore format: one step
        for (const cue of worded.result.cues) {
          const was = timed.result.cues.find(({ id }) => id === cue.id);
          expect(cue.end === was?.end, cue.id).toBe(ids.includes(cue.id));
        }
      }),
    );
  });

  test("words for pauses make a line of each of them, which is left silent no more, in one step; the others stay pauses", () => {
    const toWrite = [0, 1, 2].map((index) => {
      const start = 42 + index * 6;
      return { id: `pause-${index}`, start, end: start + 2, words: 4, hints: [] };
    });
    const pauses = toWrite.map(({ id }) => id);
    fc.assert(
      fc.property(fc.shuffledSubarray(pauses, { minLength: 1 }), fc.subarray(pauses), (ids, silentIds) => {
        const first = review({ toWrite, silentIds });
        for (const { id, start, end } of toWrite) expect(rowOf(first, id)).toEqual({ id, start, end, text: "" });
        const written = editCues(first, ids.map((id) => ({ id, text: `Words of ${id}.` }))); // biome-ignore format: one step
        for (const id of pauses) {
          const words = written.result.cues.find((cue) => cue.id === id)?.text;
          expect(words).toBe(ids.includes(id) ? `Words of ${id}.` : undefined);
          expect(pauseOf(written, id)?.id).toBe(ids.includes(id) ? undefined : id);
        }
        expect(written.result.silentIds ?? []).toEqual(silentIds.filter((id) => !ids.includes(id)));
        expect(written.past.map(({ action }) => action)).toEqual(["written"]);
        const { cues, silentIds: silent = [] } = undoStep(written).result;
        expect([cues, [...silent].sort()]).toEqual([first.result.cues, silentIds]);
      }),
    );
  });

  test("is told by the most that any of it is, wherever that stands among them", () => {
    const toWrite = [{ id: "pause", start: 42, end: 46, words: 4, hints: [] }];
    const words = IDS.slice(1).map((id) => ({ id, text: `Other words of ${id}.` }));
    const [first = { id: "", start: 0 }] = CUES;
    const deeds = {
      words: { id: "a", text: "Other words." },
      times: { id: "a", start: first.start + 1 },
      fitted: { id: "a", text: "Other words.", start: first.start + 1 },
      written: { id: "pause", text: "Rain falls." },
    };
    for (const [action, deed] of Object.entries(deeds)) {
      for (let at = 0; at <= words.length; at++) {
        const done = editCues(review({ toWrite }), [...words.slice(0, at), deed, ...words.slice(at)]);
        expect(
          done.past.map((step) => step.action),
          `${action}, at ${at}`,
        ).toEqual([action]);
      }
    }
  });

  test("two lines that are joined are accepted, muted and extended where both were, and all others stay as they were", () => {
    const lists = ["acceptedIds", "mutedIds", "extendedIds"] as const;
    const some = fc.subarray(IDS);
    fc.assert(
      fc.property(fc.nat(3), some, some, some, (index, acceptedIds, mutedIds, heard) => {
        const [id = "", next = ""] = IDS.slice(index);
        const before = review({ acceptedIds, mutedIds, extendedIds: mutedIds.filter((one) => !heard.includes(one)) });
        const joined = mergeSelectedWithNext(selectCue(before, id, false)).result;
        const left = IDS.filter((one) => one !== next);
        expect(joined.cues.map((cue) => cue.id)).toEqual(left);
        for (const name of lists) {
          const was = before.result[name] ?? [];
          const wanted = left.filter((one) => was.includes(one) && (one !== id || was.includes(next)));
          expect(
            left.filter((one) => joined[name]?.includes(one)),
            name,
          ).toEqual(wanted);
        }
      }),
    );
  });

  test("a line that is cut in two is accepted, muted and extended in both its parts where it was, and all others stay as they were", () => {
    const some = fc.subarray(IDS);
    fc.assert(
      fc.property(fc.constantFrom(...IDS), some, some, some, (id, acceptedIds, mutedIds, heard) => {
        const before = review({ acceptedIds, mutedIds, extendedIds: mutedIds.filter((one) => !heard.includes(one)) });
        const { cues, ...cut } = splitSelected(selectCue(before, id, false), 8).result;
        const added = cues.map((cue) => cue.id).filter((one) => !IDS.includes(one));
        expect(added).toHaveLength(1);
        for (const name of ["acceptedIds", "mutedIds", "extendedIds"] as const) {
          const was = before.result[name] ?? [];
          expect([...(cut[name] ?? [])].sort(), name).toEqual([...was, ...(was.includes(id) ? added : [])].sort());
        }
      }),
    );
  });

  test("whichever markers were moved on the timeline, their times are a person's", () => {
    fc.assert(
      fc.property(fc.subarray(IDS), (ids) => {
        const moved = CUES.map((cue) =>
          ids.includes(cue.id) ? { ...cue, start: cue.start + 1, end: cue.end + 1 } : cue,
        );
        const { timedIds = [] } = withMergedCues(review(), moved).result;
        expect([...timedIds].sort()).toEqual(ids);
        const longer = CUES.map((cue) => (ids.includes(cue.id) ? { ...cue, end: cue.end + 1 } : cue));
        expect([...(withMergedCues(review(), longer).result.timedIds ?? [])].sort()).toEqual(ids);
      }),
    );
  });

  test("what is undone is shown in the list as it is narrowed, where it stands in it, and else in the whole list", () => {
    for (const [index, id] of IDS.entries()) {
      for (const isListed of [true, false]) {
        const acceptedIds = isListed ? IDS.slice(0, index) : [id];
        const edited = editCue(review({ acceptedIds }), id, { text: "Other words." });
        expect(undoStep({ ...edited, filter: "unaccepted" })).toMatchObject({
          selectedId: id,
          filter: isListed ? "unaccepted" : "all",
        });
      }
    }
    const all = review();
    const last = editCue(all, "e", { text: "Other words." });
    expect(undoStep({ ...last, filter: "unaccepted" }).filter).toBe("unaccepted");
  });

  test("all are accepted at once but those without words", () => {
    const silent = { id: "x", start: 50, end: 52, text: " " };
    const all = acceptAll(openReview(placedResult([...CUES, silent]), jobEntry()));
    expect(all.result.acceptedIds).toEqual(IDS);
    fc.assert(
      fc.property(fc.shuffledSubarray(IDS, { minLength: IDS.length }), (acceptedIds) => {
        const done = review({ acceptedIds });
        expect(acceptAll(done)).toBe(done);
      }),
    );
  });

  test("the next line is chosen after any is deleted; the last one where none is left behind it", () => {
    for (const [index, id] of IDS.entries()) {
      expect(deleteChosen(selectCue(review(), id, false)).selectedId).toBe(IDS[index + 1] ?? IDS.at(-2));
    }
  });

  test("marking to a line chooses those between, from either side", () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(4), (from, to) => {
        const { selectedId, markedIds } = markTo(selectCue(review(), IDS[from] ?? "", false), IDS[to] ?? "");
        expect(selectedId).toBe(IDS[to]);
        const between = IDS.slice(Math.min(from, to), Math.max(from, to) + 1);
        expect([selectedId ?? "", ...markedIds].sort()).toEqual(between);
      }),
    );
  });
});

test("of lines whose sound is out of date each is listed, and no other", () => {
  fc.assert(
    fc.property(fc.subarray(IDS, { minLength: 1 }), fc.subarray(IDS), (voiced, edited) => {
      const { settings } = placedResult([]);
      const spoken = CUES.filter(({ id }) => voiced.includes(id));
      const audio = { path: "/narration.wav", durationSeconds: 60 };
      const first = review({ audio, voiced: voicedCues(spoken, settings) });
      const changed = editCues(first, edited.map((id) => ({ id, text: `Other words of ${id}.` }))); // biome-ignore format: one step
      const stale = listedCues({ ...changed, filter: "stale" }).map(({ id }) => id);
      expect(stale).toEqual(IDS.filter((id) => !voiced.includes(id) || edited.includes(id)));
    }),
  );
});

describe("findings", () => {
  const finding = (cueIds: readonly string[], rule = "pace") =>
    ({ severity: "warn", rule, cueIds, message: cueIds.join() }) as unknown as Finding;
  const found = fc.array(fc.subarray(IDS).map((ids) => finding(ids)), { maxLength: 6 }); // biome-ignore format: one

  test("are under each of their lines, in order, and those of the whole under none", () => {
    fc.assert(
      fc.property(found, (findings) => {
        const byCue = findingsByCue(findings);
        for (const id of IDS) expect(byCue.get(id) ?? []).toEqual(findings.filter(({ cueIds }) => cueIds.includes(id)));
        expect(byCue.get("") ?? []).toEqual(findings.filter(({ cueIds }) => cueIds.length === 0));
        const listed = listedCues({ ...review({ findings }), filter: "findings" });
        expect(listed.map(({ id }) => id)).toEqual(
          IDS.filter((id) => findings.some(({ cueIds }) => cueIds.includes(id))),
        );
      }),
    );
  });

  test("that no check makes stand until every line of theirs is accepted, and those of the whole for good", () => {
    fc.assert(
      fc.property(found, fc.subarray(IDS), (standing, accepted) => {
        const opened = review({ standing, acceptedIds: accepted.filter((id) => id !== "e") });
        const { result } = editCue(opened, "e", { text: "Other words now." });
        const stands = standing.filter(
          ({ cueIds }) => cueIds.length === 0 || cueIds.some((id) => !result.acceptedIds.includes(id)),
        );
        expect(result.findings.filter((one) => standing.includes(one))).toEqual(stands);
      }),
    );
  });
});

describe("the rows of a script", () => {
  const said = (starts: readonly number[]) => starts.map((start) => ({ start, end: start + 1, text: `At ${start}.` }));

  test("are all lines and all that is said, in order of time and numbered, each with its height", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 55 }), { maxLength: 8 }), (starts) => {
        const dialogue = said([...starts].sort((a, b) => a - b));
        const state = review({ dialogue });
        const rows = scriptRows(state);
        expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
        expect(rows.map(({ start }) => start)).toEqual(
          [...starts, ...CUES.map(({ start }) => start)].sort((a, b) => a - b),
        );
        expect(rows.flatMap((row) => (row.kind === "said" ? [row.line] : []))).toEqual(dialogue);
        const { tops } = rowListOf(state, rows);
        const heights = rows.map((_, index) => (tops[index + 1] ?? 0) - (tops[index] ?? 0));
        expect(heights.map((height) => height === SAID_HEIGHT)).toEqual(rows.map(({ kind }) => kind === "said"));
        for (const id of IDS)
          expect(rowOf(state, id)).toEqual(rows[rowIndexOf(rows, id)]?.kind === "cue" ? CUES[IDS.indexOf(id)] : null);
        expect(scriptRows({ ...state, filter: "unaccepted" }).every(({ kind }) => kind === "cue")).toBe(true);
      }),
    );
  });

  test("have the labels of the sequence's own clock", () => {
    expect(timecodeOf(review({ offsetSeconds: 3 }), 1)).toBe("00:00:04:00");
  });
});
