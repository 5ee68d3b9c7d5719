import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countConform, formForNew } from "../../../panel/state/conform-state.ts";
import { FIRST_FORM, withSavedForm } from "../../../panel/state/form.ts";
import { askedByHand, choiceByHand } from "../../../panel/state/given-text.ts";
import { missingPictures, missingPortraits, pictureKey } from "../../../panel/state/job-progress.ts";
import { mustBeShown, previewOf } from "../../../panel/state/merge-preview.ts";
import { fileAt, installable, missingFiles, offeredModel, standingOf } from "../../../panel/state/models-here.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import { firstState, placingOf } from "../../../panel/state/panel-state.ts";
import { outdatedSide } from "../../../panel/state/service-address.ts";
import {
  hostsSentTo,
  NUMBER_PARTS,
  numbersOf,
  type ShownSettings,
  valuesOf,
  WORKING_PARTS,
} from "../../../panel/state/service-settings.ts";
import { MOST_MOMENTS } from "../../../src/contract/choices.ts";
import type { MergeEntry } from "../../../src/core/merge-cues.ts";
import { TIME_UNITS } from "../../../src/core/verdict.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";

/** Something of which only what a law asks about is there. */
const partly = <Whole>(part: object): Whole => part as unknown as Whole;

const ADDRESS = "http://127.0.0.1:8420";

describe("the settings of a service", () => {
  const host = fc.option(fc.constantFrom("a.example", "b.example", "c.example"));

  test("send to every host that a part names, each told once", () => {
    fc.assert(
      fc.property(fc.tuple(host, host, host), (hosts) => {
        const settings = Object.fromEntries(
          WORKING_PARTS.map((part, index) => [part, { sends_to: hosts[index] ?? null }]),
        );
        const told = hostsSentTo(partly({ settings }));
        expect(new Set(told)).toEqual(new Set(hosts.filter((one) => one !== null)));
        expect(new Set(told).size).toBe(told.length);
      }),
    );
  });

  test("keep every number that was set, and leave those alone that nobody set; what is typed comes before", () => {
    const number = fc.record({
      name: fc.constantFrom("hours", "days", "jobs", "bytes"),
      value: fc.constantFrom("1", "2"),
      decided_by: fc.constantFrom("settings", "default"),
    });
    const numbers = fc.uniqueArray(number, { selector: ({ name }) => name });
    fc.assert(
      fc.property(numbers, fc.constantFrom(...NUMBER_PARTS), fc.boolean(), (there, part, isTyped) => {
        const typed = isTyped ? { days: "9" } : {};
        const shown = partly<ShownSettings>({ settings: { [part]: { numbers: there } }, numbers: { [part]: typed } });
        const set = there.filter(({ decided_by }) => decided_by === "settings").map(({ name, value }) => [name, value]);
        expect(numbersOf(shown, part)).toEqual({ ...Object.fromEntries(set), ...typed });
      }),
    );
  });

  test("can be set once every value is there that a choice needs; what was left blank is not set", () => {
    const needs = ["url", "model", "key"];
    fc.assert(
      fc.property(fc.subarray(needs), fc.subarray(needs), fc.boolean(), (given, blank, has_key) => {
        const typed = Object.fromEntries([
          ...blank.map((name) => [name, " "]),
          ...given.map((name) => [name, `${name}!`]),
        ]);
        const choice = { values: { kind: "x" }, needs, is_local: true };
        const shown = partly<ShownSettings>({
          settings: { describer: { has_key } },
          choices: { describer: [{ values: {}, needs: [], is_local: true }, choice] },
          drafts: { describer: { index: 1, typed } },
        });
        const isWhole = needs.every((name) => given.includes(name) || (name === "key" && has_key));
        const values = { kind: "x", ...Object.fromEntries(given.map((name) => [name, `${name}!`])) };
        expect(valuesOf(shown, "describer")).toEqual(isWhole ? values : null);
      }),
    );
  });
});

test("a model is offered where none of its kind is there: the first recommended one that the computer can run", () => {
  const model = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    kind: fc.constantFrom("vision", "voice"),
    state: fc.constantFrom("absent", "partial", "installed"),
    suits: fc.constantFrom("yes", "no"),
    is_recommended: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(model, { maxLength: 6 }),
      fc.constantFrom(null, null, null, "Nothing may be fetched."),
      (models, refused) => {
        const known = { modelsHere: { address: ADDRESS, reply: { models, refused } }, service: { address: ADDRESS } };
        const own = models.filter(({ kind }) => kind === "vision");
        const isThere = refused !== null || own.some(({ state }) => state === "installed");
        const wanted = own.filter(({ is_recommended, suits }) => is_recommended && suits === "yes")[0];
        expect(offeredModel(partly(known), "vision" as Parameters<typeof offeredModel>[1])).toBe(
          isThere ? undefined : wanted,
        );
      },
    ),
  );
});

describe("the files of a model", () => {
  const names = ["voice.onnx", "voices.bin", "config.json"];
  const addresses = names.map((name, index) => `https://models.example/at%20${index}/${name}?download=true#top`);
  const fileOf = (name: string) => ({ name, path: `/picked/${name}` });

  test("are missing each until it was picked, in the order of their addresses; an archive may hold them all", () => {
    expect(addresses.map(fileAt)).toEqual(names);
    expect(fileAt("https://models.example/a%20voice.onnx")).toBe("a voice.onnx");
    fc.assert(
      fc.property(fc.shuffledSubarray(names), fc.shuffledSubarray(["notes.txt", "other.bin"]), (picked, others) => {
        const files = [...others, ...picked].map(fileOf);
        expect(missingFiles({ addresses }, files)).toEqual(
          addresses.filter((_, index) => !picked.includes(names[index] ?? "")),
        );
        for (const archive of ["all.zip", "ALL.ZIP", "all.tar.gz", "all.tgz", "all.tar.bz2"]) {
          expect(missingFiles({ addresses }, [...files, fileOf(archive)])).toEqual([]);
          expect(missingFiles({ addresses }, [fileOf(archive), ...files])).toEqual([]);
        }
      }),
    );
  });

  test("that is an archive itself are missing all the same where another of its own was picked", () => {
    const own = { addresses: ["https://models.example/one.zip", "https://models.example/two.zip"] };
    for (const [picked, other] of [
      ["one.zip", "two.zip"],
      ["two.zip", "one.zip"],
    ] as const)
      expect(missingFiles(own, [fileOf(picked)])).toEqual([`https://models.example/${other}`]);
    expect(missingFiles(own, [fileOf("other.zip")])).toEqual([]);
  });

  test("can be brought of each model that the service's own store keeps, that has addresses, and that suits the computer", () => {
    const model = fc.record({
      keeper: fc.constantFrom("aside", "ollama"),
      addresses: fc.constantFrom([], addresses),
      suits: fc.constantFrom("yes", "slow", "no"),
    });
    fc.assert(
      fc.property(fc.array(model, { maxLength: 5 }), (models) => {
        expect(installable(partly({ reply: { models } }))).toEqual(
          models.filter((one) => one.keeper === "aside" && one.addresses.length > 0 && one.suits !== "no"),
        );
      }),
    );
  });

  test("stand as they are, but while they are fetched, where that failed, and where the computer is too weak", () => {
    const standing = (model: object, download: object | null = null) =>
      standingOf(partly({ id: "m", suits: "yes", ...model }), partly({ download }));
    for (const state of ["absent", "partial", "installed", "damaged"]) {
      expect(standing({ state })).toBe(state);
      expect(standing({ state }, { model: "other", state: "running" })).toBe(state);
      for (const under of ["running", "checking", "unpacking"])
        expect(standing({ state }, { model: "m", state: under })).toBe("fetching");
      expect(standing({ state }, { model: "m", state: "done" })).toBe(state);
      expect(standing({ state }, { model: "m", state: "failed" })).toBe(state === "installed" ? state : "failed");
      expect(standing({ state, suits: "no" })).toBe(state === "absent" ? "too-weak" : state);
    }
  });
});

describe("what a merge will do", () => {
  const entry = fc.record({
    outcome: fc.constantFrom("unchanged", "updated", "edited", "added", "own", "removed", "deleted"),
    conflicts: fc.constantFrom([], [], ["text"]),
  });
  const entries = fc.array(entry, { maxLength: 6 }).map((some) =>
    some.map((one, index) => {
      const cue = { id: `c${index}`, start: index, end: index + 1, text: `Line ${index}.` };
      return partly<MergeEntry>({ cueId: cue.id, ...one, base: cue, mine: cue, theirs: cue, result: cue });
    }),
  );

  test("is told of every line that does not stay, what is to be decided first, each with both its versions", () => {
    fc.assert(
      fc.property(entries, (some) => {
        const { lines } = previewOf(partly({ entries: some }), []);
        const isDisputed = ({ conflicts }: MergeEntry) => conflicts.length > 0;
        const told = some.filter((one) => isDisputed(one) || one.outcome !== "unchanged");
        const wanted = [...told.filter(isDisputed), ...told.filter((one) => !isDisputed(one))];
        expect(lines.map(({ cueId }) => cueId)).toEqual(wanted.map(({ cueId }) => cueId));
        expect(lines.map(({ mine, theirs }) => [mine, theirs])).toEqual(
          wanted.map(({ mine, theirs }) => [mine, theirs]),
        );
      }),
    );
  });

  test("must be seen where any line is disputed, or was worked on, whichever it is", () => {
    fc.assert(
      fc.property(entries, (some) => {
        const merge = partly<Parameters<typeof mustBeShown>[0]>({ entries: some, readBack: { markers: [{}] } });
        const isDisputed = some.some(({ conflicts }) => conflicts.length > 0);
        const isWorkedOn = some.some(({ outcome }) => ["edited", "own", "deleted"].includes(outcome));
        expect(mustBeShown(merge, { runId: "r" }, "r")).toBe(isDisputed || isWorkedOn);
        const isOther = some.some(({ outcome }) => outcome !== "unchanged");
        expect(mustBeShown(merge, { runId: "other" }, "r")).toBe(isDisputed || isOther);
      }),
    );
  });
});

describe("a re-cut", () => {
  test("is counted line by line", () => {
    const states = fc.array(fc.constantFrom("kept", "moved", "touched", "orphaned"), { maxLength: 8 });
    fc.assert(
      fc.property(states, (some) => {
        const counted = countConform(partly({ plan: { descriptions: some.map((state) => ({ state })) } }));
        const count = (wanted: string) => some.filter((state) => state === wanted).length;
        expect(counted).toEqual({ moved: count("moved"), touched: count("touched"), orphaned: count("orphaned") });
      }),
    );
  });

  test("has what is new described as the rest was, whichever job of the history made it", () => {
    const forms = ["en-US", "de-DE", "fr-FR"].map((language) => ({
      ...FIRST_FORM,
      settings: { ...FIRST_FORM.settings, language },
    }));
    const jobs = forms.map((form, index) => jobEntry({ runId: `r${index}`, form }));
    const languageOf = (runId: string) =>
      formForNew({ jobs, form: FIRST_FORM }, partly({ record: { runId } })).settings.language;
    expect(["r0", "r1", "r2", "gone"].map(languageOf)).toEqual([
      "en-US",
      "de-DE",
      "fr-FR",
      FIRST_FORM.settings.language,
    ]);
  });
});

describe("pictures", () => {
  const cues = [2, 5, 9].map((start) => ({ id: `c${start}`, start, end: start + 1, text: "Rain." }));
  const pictures = (times: readonly number[]) => Object.fromEntries(times.map((start) => [pictureKey({ start }), "x"]));

  test("are fetched for every line in sight that has none", () => {
    fc.assert(
      fc.property(fc.subarray([2, 5, 9]), (there) => {
        const review = { ...openReview(placedResult(cues), jobEntry()), pictures: pictures(there) };
        expect(missingPictures(review)).toEqual([2, 5, 9].filter((start) => !there.includes(start)));
        expect(missingPictures({ ...review, pictures: null })).toEqual([]);
      }),
    );
  });

  test("of persons likewise, as many as are given at once", () => {
    const text = (count: number) =>
      [
        "PERSONS",
        ...Array.from(
          { length: count },
          (_, at) => `Woman ${at}: tall\n  picture: 00:${String(at % 60).padStart(2, "0")}`,
        ),
      ].join("\n");
    const asked = (count: number, there: readonly number[]) =>
      missingPortraits({
        ...openReview(placedResult(cues, { bible: { text: text(count) } }), jobEntry()),
        pictures: pictures(there),
      });
    expect(asked(4, [1])).toEqual([0, 2, 3]);
    expect(asked(59, [])).toHaveLength(MOST_MOMENTS);
  });
});

describe("what is chosen", () => {
  test("of placing is kept, each choice for itself", () => {
    const first = placingOf({});
    const names = Object.keys(first) as (keyof typeof first)[];
    for (const name of names) {
      const other = { [name]: !first[name] };
      expect(placingOf(other)).toEqual({ ...first, ...other });
    }
    expect(firstState(ADDRESS, 0)).toMatchObject(first);
  });

  test("under one name replaces what was kept under it, and nothing else", () => {
    const names = fc.uniqueArray(fc.constantFrom("Film", "Series", "News"), { minLength: 1 });
    fc.assert(
      fc.property(names, fc.constantFrom("Film", "Series", "News"), (kept, name) => {
        const saved = kept.map((one) => ({ name: one, form: FIRST_FORM }));
        const after = withSavedForm(saved, name, { ...FIRST_FORM, track: "mixed" });
        expect(after.map((one) => one.name).sort()).toEqual([...new Set([...kept, name])].sort());
        expect(after.filter(({ form }) => form.track === "mixed").map((one) => one.name)).toEqual([name]);
      }),
    );
  });
});

test("what is asked by hand is the first thing in which the readings of a text differ, else the first frame", () => {
  const other = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const choice = fc.record({ column: other(["A", "B"]), unit: other(["s", "ms"]), rate: other(["24", "25"]) });
  fc.assert(
    fc.property(fc.array(choice), (choices) => {
      const readings = choices.map((one) => partly<Parameters<typeof askedByHand>[0][number]>({ choice: one }));
      const differs = (what: "column" | "unit" | "rate") => choices.some((one) => one[what] !== choices[0]?.[what]);
      const first = (["column", "unit", "rate"] as const).find(differs);
      expect(askedByHand(readings)).toBe(first ?? "start");
    }),
  );
});

test("the side with the lower of the first two numbers of its version is out of date", () => {
  const number = fc.nat(12);
  fc.assert(
    fc.property(number, number, number, number, (a, b, c, d) => {
      const difference = a - c || b - d;
      const side = difference === 0 ? null : difference < 0 ? "panel" : "companion";
      expect(outdatedSide(`${a}.${b}.3`, `${c}.${d}.1`)).toBe(side);
    }),
  );
});

test("what is typed about a text by hand is taken where it can be meant, and nothing else is", () => {
  for (const unit of TIME_UNITS) expect(choiceByHand("unit", unit)).toEqual({ unit });
  for (const typed of ["", "seconds", "S"]) expect(choiceByHand("unit", typed)).toBeNull();
  expect(choiceByHand("start", "01:00:00:00")).toEqual({ start: "01:00:00:00" });
  expect(choiceByHand("start", "one o'clock")).toBeNull();
  expect(choiceByHand("rate", "23.976")).toEqual({ rate: "23.976" });
  for (const typed of ["0", "fast", ""]) expect(choiceByHand("rate", typed)).toBeNull();
  expect(choiceByHand("column", "Seen")).toEqual({ column: "Seen" });
});
