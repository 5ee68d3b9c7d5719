import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignCues, alignedIds } from "../../src/core/align-cues.ts";
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
