import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../src/core/cue.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { idsOfAll, withIds } from "../../src/result/edit.ts";
import { voiceLengths } from "../../src/result/held.ts";
import { describedType, isSameRange, type Result, soundingCues, voiceFiles } from "../../src/result/result.ts";
import { soundStanding, staleIn, voicedCues } from "../../src/result/stale.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { numbersBetween } from "../numbers-between.ts";

const IDS = ["a", "b", "c", "d", "e"];
const MADE: readonly Cue[] = IDS.map((id, index) => ({
  id,
  start: 10 * index,
  end: 10 * index + 3,
  text: `Words of ${id}.`,
}));

/** What can be done to a cue after its voice was made. */
const CHANGES = {
  none: (cue: Cue) => cue,
  words: (cue: Cue) => ({ ...cue, text: `${cue.text} More.` }),
  moved: (cue: Cue) => ({ ...cue, start: cue.start + 1, end: cue.end + 1 }),
  longer: (cue: Cue) => ({ ...cue, end: cue.end + 1 }),
  deleted: () => null,
  muted: (cue: Cue) => cue,
} as const;
type Change = keyof typeof CHANGES;
const changes = fc.tuple(...IDS.map(() => fc.constantFrom(...(Object.keys(CHANGES) as Change[]))));

/** A result whose cues were all voiced, and then changed one by one. */
function changed(done: readonly Change[], more: Partial<Result> = {}): Result {
  const idsOf = (change: Change) => IDS.filter((_, index) => done[index] === change);
  return placedResult(
    MADE.flatMap((cue, index) => CHANGES[done[index] ?? "none"](cue) ?? []),
    {
      voiced: voicedCues(MADE, DEFAULT_SETTINGS),
      audio: { path: "all.wav", durationSeconds: 60 },
      mutedIds: idsOf("muted"),
      ...more,
    },
  );
}
const idsWith = (done: readonly Change[], ...wanted: readonly Change[]) =>
  new Set(IDS.filter((_, index) => wanted.includes(done[index] ?? "none")));

describe("what may be heard of a narration", () => {
  test("no voice says other words than its cue has, and no silenced line is heard", () => {
    fc.assert(
      fc.property(changes, (done) => {
        const result = changed(done);
        const { untrue, silenced, isWhole } = soundStanding(result);
        expect(untrue).toEqual(idsWith(done, "words"));
        expect(silenced).toEqual(idsWith(done, "deleted", "muted"));
        expect(isWhole).toBe(idsWith(done, "none", "longer").size === IDS.length);
        expect(new Set(staleIn(result).keys())).toEqual(idsWith(done, "words", "moved", "longer", "deleted", "muted"));
        expect(staleIn(result)).toBe(staleIn(result));
        expect(new Set(voiceLengths(result).keys())).toEqual(idsWith(done, "none", "moved", "longer"));
        expect(soundingCues(result).map(({ id }) => id)).toEqual([
          ...idsWith(done, "none", "words", "moved", "longer"),
        ]);
      }),
    );
  });

  test("a line that was moved and reworded is untrue, and one that is only longer leaves the whole as it is", () => {
    const both = MADE.map((cue) => (cue.id === "b" ? { ...CHANGES.words(cue), start: cue.start + 1 } : cue));
    const result = { ...changed([]), cues: both };
    expect(soundStanding(result)).toMatchObject({ untrue: new Set(["b"]), isWhole: false });
    expect(soundStanding(changed(["longer", "none", "none", "longer"])).isWhole).toBe(true);
    expect(soundStanding(changed(["longer", "moved"])).isWhole).toBe(false);
    const added = { ...changed([]), cues: [...MADE, { id: "new", start: 55, end: 56, text: "New." }] };
    expect([...voiceLengths(added).keys()]).toEqual(IDS);
    expect(soundStanding(added).untrue).toEqual(new Set(["new"]));
  });

  test("where only single lines were voiced the others lack nothing; a line in a file of its own is not in the whole", () => {
    fc.assert(
      fc.property(changes, fc.subarray(IDS), (done, alone) => {
        const pieces = Object.fromEntries(alone.map((id) => [id, { path: id, start: 0, durationSeconds: 3 }]));
        const stale = idsWith(done, "words", "moved", "longer", "deleted", "muted");
        const { audio: _, ...lines } = changed(done, { pieces });
        for (const result of [lines, changed(done, { pieces, track: "none" })]) {
          expect(new Set(staleIn(result).keys())).toEqual(new Set(alone.filter((id) => stale.has(id))));
        }
        expect(soundStanding(changed(done, { pieces })).isWhole).toBe(
          alone.length === 0 && idsWith(done, "none", "longer").size === IDS.length,
        );
      }),
    );
    const { audio: _, ...unvoiced } = changed(["words", "none", "none", "none", "none"]);
    expect([...staleIn(unvoiced).keys()]).toEqual([]);
  });

  test("a voice is as long as somebody heard it, else as its cue was, or as the frames of its file but the last", () => {
    const result = changed(["none", "none", "none", "none", "none"], {
      voiced: Object.fromEntries(
        Object.entries(voicedCues(MADE, DEFAULT_SETTINGS)).map(([id, was]) => [
          id,
          id === "b" ? { ...was, seconds: 1.5 } : was,
        ]),
      ),
      pieces: {
        b: { path: "b", start: 10, durationSeconds: 9 },
        c: { path: "c", start: 20.5, durationSeconds: 4 },
        d: { path: "d", start: 30, durationSeconds: 2 },
      },
    });
    const lengths = [...voiceLengths(result)];
    expect(lengths.map(([id]) => id)).toEqual(IDS);
    for (const [index, seconds] of [3, 1.5, 4.45, 3, 3].entries()) expect(lengths[index]?.[1]).toBeCloseTo(seconds, 9);
  });
});

describe("a result under other ids", () => {
  const NEW = new Map(IDS.map((id) => [id, `new-${id}`]));
  const OLD = new Map([...NEW].map(([was, is]) => [is, was]));
  const finding = (...cueIds: string[]) => ({ rule: "r", severity: "warn", cueIds, message: "m" }) as const;
  const heard = { start: 1, end: 2, words: "w", estimate: 1 };
  const full = changed(["none", "words", "moved", "deleted", "muted"], {
    generated: MADE,
    findings: [finding("a", "b"), finding()],
    standing: [finding("c")],
    acceptedIds: ["a", "c"],
    wordings: { b: [{ text: "w", seconds: 1 }] },
    pieces: { c: { path: "c", start: 0, durationSeconds: 1 } },
    held: { holds: [{ at: 1, seconds: 2 }], heard: { e: heard } },
  });

  test("is the same result, with nothing left under the old ones, and comes back whole", () => {
    const { placed: _, ...renamed } = withIds(full, NEW) as Result;
    // What has ids in it, written out, has each of them and only in its new form.
    const idsIn = (value: unknown) => new Set(JSON.stringify(value).match(/"(?:new-)?[a-e]"/g));
    for (const name of ["cues", "generated", "findings", "standing", "acceptedIds", "mutedIds", "wordings"] as const) {
      expect(idsIn(renamed[name])).toEqual(new Set([...idsIn(full[name])].map((id) => id.replace('"', '"new-'))));
    }
    expect(Object.keys(renamed.voiced)).toEqual(IDS.map((id) => `new-${id}`));
    expect(Object.keys(renamed.held?.heard ?? {})).toEqual(["new-e"]);
    expect(Object.keys(renamed.pieces ?? {})).toEqual(["new-c"]);
    expect(withIds(withIds(full, NEW), OLD)).toEqual(full);
    expect(soundStanding(renamed).untrue).toEqual(new Set(["new-b"]));
  });

  test("still knows what is heard of a deleted cue whose id goes to another", () => {
    const silenced = soundStanding(full).silenced;
    expect(silenced).toContain("d");
    const renamed = withIds(full, new Map([["a", "d"]]));
    expect(Object.keys(renamed.voiced)).toHaveLength(IDS.length);
    expect(Object.values(renamed.voiced)).toEqual(expect.arrayContaining(Object.values(full.voiced)));
    expect(soundStanding(renamed).silenced.size).toBe(silenced.size);
    expect(soundStanding(renamed).silenced).not.toContain("d");
    expect(new Set(renamed.generated?.map(({ id }) => id)).size).toBe(full.generated?.length);
  });

  test("is the very same where no id is another; ids that it has not change nothing", () => {
    expect(withIds(full, new Map(IDS.map((id) => [id, id])))).toBe(full);
    expect(withIds(full, new Map())).toBe(full);
    expect(withIds(full, new Map([["x", "y"]]))).toEqual(full);
    expect(withIds(full, new Map([...IDS.map((id) => [id, id] as const), ["a", "z"]])).cues[0]?.id).toBe("z");
    const lost = placedResult(MADE, { generated: null });
    expect(withIds(lost, NEW).generated).toBeNull();
    expect(Object.keys(withIds(lost, NEW)).sort()).toEqual(Object.keys(lost).sort());
  });
});

test("sound is made of standard descriptions alone", () => {
  const settings = { ...DEFAULT_SETTINGS, type: "extended" as const };
  expect(describedType({ track: "none", settings })).toBe("extended");
  expect(describedType({ track: "mixed", settings })).toBe("standard");
});

test("ranges are the same where both ends lie within a frame of any rate", () => {
  const range = { offsetSeconds: 10, durationSeconds: 60 };
  fc.assert(
    fc.property(fc.constantFrom(-1, 1), numbersBetween(0, 0.1), (sign, by) => {
      for (const name of ["offsetSeconds", "durationSeconds"] as const) {
        const other = { ...range, [name]: range[name] + sign * by };
        fc.pre(Math.abs(by - 0.05) > 1e-9);
        expect(isSameRange(range, other)).toBe(by < 0.05);
        expect(isSameRange(other, range)).toBe(by < 0.05);
      }
    }),
  );
});

test("the files of voices are the narration first, where there is one, and that of every line in a file of its own", () => {
  fc.assert(
    fc.property(fc.subarray(IDS), fc.boolean(), (apart, hasNarration) => {
      const { audio: _, ...without } = changed(IDS.map(() => "none"));
      const pieces = Object.fromEntries(apart.map((id) => [id, { path: `${id}.wav`, start: 0, durationSeconds: 1 }]));
      const audio = { path: "all.wav", durationSeconds: 60 };
      expect(voiceFiles({ ...without, pieces, ...(hasNarration ? { audio } : {}) })).toEqual([
        ...(hasNarration ? ["all.wav"] : []),
        ...apart.map((id) => `${id}.wav`),
      ]);
    }),
  );
});

test("of whatever a result knows, each has an id of its own after others are given: what is given stays, what is in nobody's way too", () => {
  const some = fc.subarray(IDS);
  fc.assert(
    fc.property(fc.tuple(some, some, some, some, some, some), fc.array(fc.nat(9)), (parts, picks) => {
      const [cues, generated, others, voiced, pieces, wordings] = parts;
      const of = (ids: readonly string[]) => MADE.filter(({ id }) => ids.includes(id));
      const keyed = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, {} as never]));
      const result = placedResult(of(cues), {
        generated: of(generated),
        voiced: keyed(voiced),
        pieces: keyed(pieces),
        wordings: keyed(wordings),
      });
      const names = [...new Set(picks)].map((pick) => IDS[pick] ?? `new-${pick}`);
      const given = new Map(cues.slice(0, names.length).map((id, index) => [id, names[index] ?? id]));
      const ids = idsOfAll(result, given, of(others));
      const known = new Set(parts.flat());
      expect(new Set([...ids.keys()])).toEqual(known);
      expect(new Set(ids.values()).size).toBe(known.size);
      const taken = new Set(given.values());
      for (const [was, is] of ids) {
        if (given.has(was)) expect(is).toBe(given.get(was));
        else if (!taken.has(was)) expect(is).toBe(was);
      }
    }),
  );
});

test("a line that says other words is not to be heard, whatever else of it is out of date before that", () => {
  const moved = changed(IDS.map(() => "moved"));
  for (const isOther of [false, true]) {
    const settings = { ...moved.settings, language: isOther ? "de-DE" : moved.settings.language };
    const { untrue, isWhole } = soundStanding({ ...moved, settings });
    expect([[...untrue], isWhole]).toEqual([isOther ? IDS : [], false]);
  }
});
