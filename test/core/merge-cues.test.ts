import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignCues, alignedIds, isSamePlace, isSameText } from "../../src/core/align-cues.ts";
import { type Cue, compareCues } from "../../src/core/cue.ts";
import { type MergeSide, mergeCues } from "../../src/core/merge-cues.ts";

const cue = (id: string, start: number, text = `Words of ${id}.`, length = 2): Cue => ({
  id,
  start,
  end: start + length,
  text,
});

/** Versions of one list: every cue has an id of a small set, so that the sides often meet. */
const version = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom(..."abcdefgh"),
      start: fc.integer({ min: 0, max: 30 }),
      length: fc.integer({ min: 1, max: 4 }),
      text: fc.constantFrom("She sits.", "He stands.", "Rain falls.", "A door opens.", "Night."),
    }),
    { selector: ({ id }) => id, maxLength: 8 },
  )
  .map((list) => list.map(({ id, start, length, text }) => cue(id, start, text, length)).sort(compareCues));

const choices = fc
  .uniqueArray(fc.tuple(fc.constantFrom(..."abcdefgh"), fc.constantFrom<MergeSide>("mine", "theirs")), {
    selector: ([id]) => id,
  })
  .map((list) => new Map(list));

describe("the laws of a merge", () => {
  test("identity: what only one side changed is that side's", () => {
    fc.assert(
      fc.property(version, version, (base, other) => {
        expect(mergeCues({ base, mine: base, theirs: base }).cues).toEqual(base);
        expect(mergeCues({ base, mine: other, theirs: base }).cues).toEqual(other);
        expect(mergeCues({ base, mine: base, theirs: other }).cues).toEqual(other);
      }),
    );
  });

  test("two sides that agree give what they agree on, without a dispute", () => {
    fc.assert(
      fc.property(version, version, (base, both) => {
        const merge = mergeCues({ base, mine: both, theirs: both });
        expect(merge.cues).toEqual(both);
        expect(merge.entries.flatMap(({ conflicts }) => conflicts)).toEqual([]);
      }),
    );
  });

  test("idempotence: merging the outcome with the same result changes nothing, whatever was chosen", () => {
    fc.assert(
      fc.property(version, version, version, choices, (base, mine, theirs, chosen) => {
        const { cues } = mergeCues({ base, mine, theirs, choices: chosen });
        expect(mergeCues({ base: theirs, mine: cues, theirs }).cues).toEqual(cues);
      }),
    );
  });

  test("no loss: every word the editor wrote is kept unless a choice gave it up", () => {
    fc.assert(
      fc.property(version, version, version, choices, (base, mine, theirs, chosen) => {
        const { cues } = mergeCues({ base, mine, theirs, choices: chosen });
        for (const own of mine) {
          const isEdited = base.find(({ id }) => id === own.id)?.text !== own.text;
          if (!isEdited || chosen.get(own.id) === "theirs") continue;
          expect(cues.find(({ id }) => id === own.id)?.text).toBe(own.text);
        }
      }),
    );
  });

  test("no loss over any number of new results", () => {
    fc.assert(
      fc.property(version, version, fc.array(version, { maxLength: 4 }), (base, mine, results) => {
        let [last, cues]: [readonly Cue[], readonly Cue[]] = [base, mine];
        for (const theirs of results) {
          cues = mergeCues({ base: last, mine: cues, theirs }).cues;
          last = theirs;
        }
        for (const own of mine) {
          const first = base.find(({ id }) => id === own.id);
          const matched = results.some((result) => result.find(({ id }) => id === own.id)?.text === own.text);
          if (first?.text === own.text || matched) continue;
          expect(cues.find(({ id }) => id === own.id)?.text).toBe(own.text);
        }
      }),
    );
  });

  test("deleted stays deleted, and nothing appears that no side has", () => {
    fc.assert(
      fc.property(version, version, version, (base, mine, theirs) => {
        const { cues, entries } = mergeCues({ base, mine, theirs });
        const has = (list: readonly Cue[], id: string) => list.some((other) => other.id === id);
        for (const { id } of base) if (!has(mine, id)) expect(has(cues, id)).toBe(false);
        for (const { id, text } of cues) {
          expect([...mine, ...theirs].some((other) => other.id === id && other.text === text)).toBe(true);
        }
        expect(new Set(entries.map(({ cueId }) => cueId)).size).toBe(entries.length);
      }),
    );
  });

  test("without a base all that the editor has is kept, and what is new is added", () => {
    fc.assert(
      fc.property(version, version, (mine, theirs) => {
        const { cues } = mergeCues({ base: null, mine, theirs });
        for (const own of mine) expect(cues).toContainEqual(own);
        for (const { id } of theirs) expect(cues.some((other) => other.id === id)).toBe(true);
      }),
    );
  });
});

describe("what becomes of each cue", () => {
  const sides = fc.record({
    base: version,
    mine: version,
    theirs: version,
    choices,
    marked: fc.subarray([..."abcdefgh"]).map((ids) => new Set(ids)),
  });
  const isSame = (a: Cue | undefined, b: Cue | undefined) => JSON.stringify(a) === JSON.stringify(b);

  test("nothing that an editor made, changed or marked goes without a dispute that says so", () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs, choices: chosen, marked }) => {
        for (const entry of mergeCues({ base, mine, theirs, choices: chosen, marked }).entries) {
          if (entry.mine === undefined || entry.result !== undefined) continue;
          const isTouched = !isSame(entry.base, entry.mine) || marked.has(entry.cueId);
          expect(entry).toMatchObject({ outcome: "removed", conflicts: isTouched ? ["removed-there"] : [] });
          if (isTouched) expect(chosen.get(entry.cueId)).toBe("theirs");
        }
      }),
    );
  });

  test("the outcome, the disputes and the result are those of the versions that there are", () => {
    fc.assert(
      fc.property(sides, ({ base: from, mine: ours, theirs: others, choices: chosen, marked }) => {
        const { entries, cues } = mergeCues({ base: from, mine: ours, theirs: others, choices: chosen, marked });
        for (const { cueId, outcome, conflicts, base, mine, theirs, result } of entries) {
          const of = (list: readonly Cue[]) => list.find(({ id }) => id === cueId);
          expect([base, mine, theirs]).toEqual([of(from), of(ours), of(others)]);
          const isTheirChoice = chosen.get(cueId) === "theirs";
          if (mine !== undefined && theirs !== undefined) {
            // Words and timing apart: a part that one side alone changed is that side's.
            const parts = [(cue?: Cue) => cue?.text, (cue?: Cue) => cue && `${cue.start} ${cue.end}`].map((part) => {
              const [was, here, there] = [part(base), part(mine), part(theirs)];
              const isDisputed = new Set([was, here, there]).size === 3;
              return { isDisputed, is: here === was || (isDisputed && isTheirChoice) ? there : here };
            });
            expect([result?.text, `${result?.start} ${result?.end}`]).toEqual(parts.map(({ is }) => is));
            expect(conflicts).toEqual(["text", "timing"].filter((_, index) => parts[index]?.isDisputed));
            const isKept = isSame(result, base) || isSame(mine, theirs);
            expect(outcome).toBe(isKept ? "unchanged" : isSame(result, theirs) ? "updated" : "edited");
          } else if (mine !== undefined) {
            const isTouched = !isSame(base, mine) || marked.has(cueId);
            const isGone = base !== undefined && (!isTouched || isTheirChoice);
            expect(result).toEqual(isGone ? undefined : mine);
            expect(outcome).toBe(base === undefined ? "own" : isGone ? "removed" : "edited");
            expect(conflicts).toEqual(base !== undefined && isTouched ? ["removed-there"] : []);
          } else if (theirs !== undefined) {
            const isDisputed = base !== undefined && !isSame(base, theirs);
            const isTaken = base === undefined || (isDisputed && isTheirChoice);
            expect(result).toEqual(isTaken ? theirs : undefined);
            expect(outcome).toBe(base === undefined ? "added" : isTaken ? "updated" : "deleted");
            expect(conflicts).toEqual(isDisputed ? ["deleted-here"] : []);
          } else expect({ outcome, conflicts, result }).toEqual({ outcome: "deleted", conflicts: [] });
        }
        expect(cues).toEqual(entries.flatMap(({ result }) => result ?? []).sort(compareCues));
        const latest = entries.flatMap(({ result, mine, theirs, base }) => result ?? mine ?? theirs ?? base ?? []);
        expect(latest).toEqual([...latest].sort(compareCues));
        expect(latest).toHaveLength(entries.length);
      }),
      { numRuns: 300 },
    );
  });

  test("without a base, what the editor has not is new, and what only the editor has is the editor's own", () => {
    fc.assert(
      fc.property(sides, ({ mine, theirs, choices: chosen }) => {
        for (const entry of mergeCues({ base: null, mine, theirs, choices: chosen }).entries) {
          if (entry.mine === undefined) expect(entry).toMatchObject({ outcome: "added", result: entry.theirs });
          else expect(entry.result).toEqual(entry.mine);
          if (entry.theirs === undefined) expect(entry.outcome).toBe("own");
          expect(entry.conflicts).toEqual([]);
        }
      }),
    );
  });
});

describe("a merge", () => {
  const base = [cue("a", 1), cue("b", 5), cue("c", 9)];

  test("takes the editor's words and the new result's timing", () => {
    const merge = mergeCues({
      base,
      mine: [cue("a", 1, "Mine."), ...base.slice(1)],
      theirs: [cue("a", 2), ...base.slice(1)],
    });
    expect(merge.cues[0]).toEqual(cue("a", 2, "Mine."));
    expect(merge.entries[0]).toMatchObject({ outcome: "edited", conflicts: [] });
  });

  test("lists what both changed, keeps the editor's, and takes the other on request", () => {
    const mine = [cue("a", 1, "Mine.")];
    const theirs = [cue("a", 1, "Theirs."), cue("b", 5, "New words.")];
    const { entries } = mergeCues({ base, mine, theirs });
    expect(entries.map(({ cueId, outcome, conflicts }) => [cueId, outcome, conflicts])).toEqual([
      ["a", "edited", ["text"]],
      ["b", "deleted", ["deleted-here"]],
      ["c", "deleted", []],
    ]);
    const chosen = new Map<string, MergeSide>([
      ["a", "theirs"],
      ["b", "theirs"],
    ]);
    expect(mergeCues({ base, mine, theirs, choices: chosen }).cues).toEqual(theirs);
  });

  test("keeps an edited cue that the new result leaves out", () => {
    const { entries } = mergeCues({ base: [cue("a", 1)], mine: [cue("a", 3)], theirs: [] });
    expect(entries).toMatchObject([{ outcome: "edited", conflicts: ["removed-there"], result: cue("a", 3) }]);
  });
});

describe("alignCues", () => {
  test("knows a description again by its words or its place, whatever its number is", () => {
    const earlier = [cue("cue-0001", 1), cue("cue-0002", 5), cue("cue-0003", 9)];
    const result = [
      cue("cue-0001", 0, "A new first line.", 0.9),
      cue("cue-0002", 1, "Words of cue-0001."),
      cue("cue-0003", 5.2, "Other words."),
      cue("cue-0004", 12, "Words of cue-0003."),
    ];
    expect(alignCues(earlier, result).map(({ id, text }) => [id, text])).toEqual([
      ["cue-0001-2", "A new first line."],
      ["cue-0001", "Words of cue-0001."],
      ["cue-0002", "Other words."],
      ["cue-0003", "Words of cue-0003."],
    ]);
  });

  test("is the identity on an unchanged result, and never gives one id twice", () => {
    fc.assert(
      fc.property(version, version, (earlier, result) => {
        expect(alignCues(earlier, earlier)).toEqual(earlier);
        const ids = [...alignedIds(earlier, result, ["a-2"]).values()];
        expect(new Set(ids).size).toBe(result.length);
        expect(ids).not.toContain("a-2");
      }),
    );
  });
});

describe("which description is which", () => {
  const ids = (earlier: readonly Cue[], result: readonly Cue[], inUse?: readonly string[]) =>
    Object.fromEntries(alignedIds(earlier, result, inUse));

  test("its own id and its words or place win; else the same words, the nearest in time; else most of its place", () => {
    fc.assert(
      fc.property(version, version, (earlier, result) => {
        const found = alignedIds(earlier, result);
        const wordsOf = (cue: Cue) => cue.text;
        const isPlaced = (a: Cue, b: Cue) =>
          Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start)) >=
          0.5 * Math.min(a.end - a.start, b.end - b.start);
        for (const now of result) {
          const id = found.get(now.id);
          const was = earlier.find((one) => one.id === id);
          // A version of nothing that was there has a fresh id, as near to its own as there is.
          if (was === undefined) {
            expect(id).toMatch(new RegExp(`^${now.id}(-\\d+)?$`));
            if (!earlier.some((one) => one.id === now.id)) expect(id).toBe(now.id);
          } else expect(wordsOf(was) === wordsOf(now) || isPlaced(was, now)).toBe(true);
          const same = earlier.find((one) => one.id === now.id);
          if (same !== undefined && JSON.stringify(same) === JSON.stringify(now)) expect(id).toBe(now.id);
        }
        // What is left on both sides is neither the same in words nor in place.
        const taken = new Set(found.values());
        for (const free of earlier.filter(({ id }) => !taken.has(id))) {
          for (const fresh of result.filter(({ id }) => !earlier.some((one) => one.id === found.get(id)))) {
            expect(wordsOf(free) === wordsOf(fresh) || isPlaced(free, fresh)).toBe(false);
          }
        }
        expect(alignCues(earlier, result)).toEqual(
          result.map((now) => ({ ...now, id: found.get(now.id) ?? "" })).sort(compareCues),
        );
      }),
    );
  });

  test("of several with the same words it is the nearest, of several in its place the one with most in common", () => {
    const said = (id: string, start: number) => cue(id, start, "She sits.");
    expect(ids([said("a", 0), said("b", 20), said("c", 40)], [said("x", 24)])).toEqual({ x: "b" });
    expect(ids([said("a", 20), said("b", 28)], [said("x", 25)])).toEqual({ x: "b" });
    const over = [cue("a", 0, "A.", 4), cue("b", 4, "B.", 4)];
    expect(ids(over, [cue("x", 3, "X.", 4)])).toEqual({ x: "b" });
    expect(ids(over, [cue("x", 1, "X.", 4)])).toEqual({ x: "a" });
    // Half of the shorter is enough, less is not.
    expect(ids([cue("a", 0, "A.", 2)], [cue("x", 1, "X.", 2)])).toEqual({ x: "a" });
    expect(ids([cue("a", 0, "A.", 2)], [cue("x", 1.1, "X.", 2)])).toEqual({ x: "x" });
    expect(ids([cue("a", 0, "A.", 0)], [cue("x", 0, "X.", 2)])).toEqual({ x: "x" });
    // Its own id in nearly its place comes before another's that has more in common.
    expect(ids([cue("x", 0, "A.", 4), cue("b", 2, "B.", 4)], [cue("x", 2, "X.", 4)])).toEqual({ x: "x" });
  });

  test("every cue that stands as it stood keeps its id, though another that has its words comes before it", () => {
    const said = (id: string, start: number) => cue(id, start, "She sits.");
    const earlier = [cue("a", 0), said("b", 20), said("c", 40)];
    expect(ids(earlier, [cue("a", 0), said("x", 15), said("b", 20), said("y", 37), said("c", 40)])).toMatchObject({
      a: "a",
      b: "b",
      c: "c",
    });
  });

  test("every cue of other words that is nearly in its place keeps its id, though another's has more in common", () => {
    const earlier = [cue("a", 0, "A.", 4), cue("c", 11, "C.", 4), cue("b", 10, "B.", 1)];
    const result = [cue("a", 1, "New A.", 4), cue("b", 10.5, "New B.", 4), cue("c", 12, "New C.", 4)];
    expect(ids(earlier, result)).toEqual({ a: "a", b: "b", c: "c" });
  });

  test("fresh ids count on past all that are in use", () => {
    const news = [cue("a", 50, "New.", 1)];
    expect(ids([cue("a", 1)], news)).toEqual({ a: "a-2" });
    expect(ids([cue("a", 1)], news, ["a-2", "a-3"])).toEqual({ a: "a-4" });
    expect(ids([], [cue("a", 1), cue("b", 9)], ["b"])).toEqual({ a: "a", b: "b-2" });
  });

  test("white space is no word, and a millisecond no time", () => {
    expect(isSameText(cue("a", 1, " She\n sits. "), cue("b", 2, "She sits."))).toBe(true);
    expect(isSameText(cue("a", 1, "She sits"), cue("b", 2, "Shesits"))).toBe(false);
    const at = (start: number, end: number) => isSamePlace({ start: 1, end: 2 }, { start, end });
    expect([at(1.0009, 1.9991), at(1.002, 2), at(1, 2.002), at(0.998, 2), at(1, 1.998)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
