import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultFromReport } from "../../src/result/read-report.ts";

const CUE = { id: "cue-0001", start: 1, end: 2, text: "A dog." };
const LINE = { start: 2, end: 3, text: "Who is there?", speaker: "Kim" };
const HEARD = [2, 3, 0.9];
const PROGRAMME = {
  name: "Harbour",
  duration_seconds: 60,
  frame_rate: "29.97",
  drop_frame: true,
  start_timecode: "00:01:00;02",
};

/** A report with these lists and fields; the rest as a run writes it. */
const reportOf = (more: object = {}, service: object = {}) =>
  resultFromReport(
    JSON.stringify({
      generator: "aside",
      job_id: "job-1",
      cues: [CUE],
      settings: { voice: "Kore", track: "ad_only" },
      service_report: { describer: "text", speech: [HEARD], music: [HEARD], dialogue: [LINE], ...service },
      programme: PROGRAMME,
      ...more,
    }),
  );
const WHOLE = reportOf();

/** Anything that JSON holds and that is no text, no number, no list and no truth value of its own. */
const OTHER = [null, { a: 1 }, 7, "text", true, [1], undefined] as const;
const otherThan = (kind: string) =>
  OTHER.filter((value) => (kind === "array" ? !Array.isArray(value) : typeof value !== kind));

/** An entry of a list without one of its fields, or with something else in its place. */
const spoilt = (entry: object, ...names: readonly string[]) =>
  names.flatMap((name) => {
    const kind = typeof Object.entries(entry).find(([key]) => key === name)?.[1];
    return otherThan(kind).map((value) => ({ ...entry, [name]: value }));
  });

const SPOILT_HEARD = [...OTHER, [2, 3], [2, 3, 0.9, 1], ["2", 3, 0.9], [2, null, 0.9], [2, 3, "0.9"]];
const NO_CUES = [...OTHER, ...spoilt(CUE, "id", "start", "end", "text")];
const NO_LINES = [...OTHER, ...spoilt(LINE, "start", "end", "text")];

describe("the report of a run", () => {
  test("tells of a result that was never placed, voiced or looked at", () => {
    expect(WHOLE).toEqual({
      version: 3,
      revision: 0,
      runId: "",
      jobId: "job-1",
      settings: expect.objectContaining({ voice: "Kore", language: "en-US" }),
      track: "ad_only",
      sequence: {
        name: "Harbour",
        rate: { numerator: 30_000, denominator: 1001 },
        isDropFrame: true,
        startFrame: 1800,
      },
      offsetSeconds: 0,
      durationSeconds: 60,
      cues: [CUE],
      generated: [CUE],
      describer: "text",
      speech: [{ start: 2, end: 3, confidence: 0.9 }],
      music: [{ start: 2, end: 3 }],
      dialogue: [LINE],
      findings: [],
      issues: [],
      notices: [],
      voiced: {},
      acceptedIds: [],
      placed: { sequenceId: "", markerIds: {}, clipNames: [], layout: [] },
    });
  });

  test("an entry that is not of its list is left out, and takes no other along", () => {
    const among = <Kind>(good: Kind, bad: readonly unknown[]) =>
      fc
        .subarray([...bad], { minLength: 1 })
        .chain((some) => fc.nat(some.length).map((at) => [...some.slice(0, at), good, ...some.slice(at)]));
    fc.assert(
      fc.property(among(CUE, NO_CUES), among(LINE, NO_LINES), among(HEARD, SPOILT_HEARD), (cues, dialogue, heard) => {
        expect(reportOf({ cues }, { dialogue, speech: heard, music: heard })).toEqual(WHOLE);
      }),
    );
    for (const bad of NO_CUES) expect(reportOf({ cues: [bad] })?.cues).toEqual([]);
    for (const bad of NO_LINES) expect(reportOf({}, { dialogue: [bad] })).not.toHaveProperty("dialogue");
    for (const bad of SPOILT_HEARD) {
      expect(reportOf({}, { speech: [bad], music: [bad] })).toMatchObject({ speech: [], music: [] });
    }
  });

  test("a field that says nothing it can say counts as not there", () => {
    const without = (name: string) => Object.entries(WHOLE ?? {}).filter(([key]) => key !== name);
    const absent = (name: string, value?: unknown) =>
      Object.fromEntries([...without(name), ...(value === undefined ? [] : [[name, value]])]);
    for (const bad of otherThan("string")) {
      expect(reportOf({ job_id: bad })).toEqual(absent("jobId", ""));
      expect(reportOf({}, { describer: bad })).toEqual(absent("describer"));
      expect(reportOf({ programme: { ...PROGRAMME, name: bad } })?.sequence?.name).toBe("");
    }
    for (const bad of otherThan("number")) {
      expect(reportOf({ programme: { ...PROGRAMME, duration_seconds: bad } })?.durationSeconds).toBe(2 ** 53 - 1);
    }
    for (const name of ["speech", "music", "dialogue"]) {
      for (const bad of otherThan("array")) expect(reportOf({}, { [name]: bad })).toEqual(absent(name));
    }
    for (const track of ["none", "both", 1, undefined]) {
      expect(reportOf({ settings: { voice: "Kore", track } })).toEqual(absent("track", "none"));
    }
    expect(reportOf({ settings: { voice: "Kore", track: "mixed" } })).toEqual(absent("track", "mixed"));
    const spoiltProgrammes = [
      ...spoilt(PROGRAMME, "frame_rate", "drop_frame", "start_timecode"),
      { ...PROGRAMME, frame_rate: "fast" },
    ];
    for (const programme of spoiltProgrammes) expect(reportOf({ programme })).toEqual(absent("sequence"));
  });

  test("a start that drop-frame skips is the next label, one that is no label is 0", () => {
    const startOf = (start_timecode: string) =>
      reportOf({ programme: { ...PROGRAMME, start_timecode } })?.sequence?.startFrame;
    expect([startOf("00:01:00;00"), startOf("soon")]).toEqual([1800, 0]);
  });

  test.each(["WEBVTT", "{", "[]", "null", '{"generator":"aside"}', '{"generator":"aside","cues":{}}', '{"cues":[]}'])(
    "%s is none",
    (text) => {
      expect(resultFromReport(text)).toBeNull();
    },
  );
});

test("all that was heard is read, each stretch of it that is whole", () => {
  const heard = [[2, 3, 0.9], "nothing", [5, 6, 0.9], [8, 9, 0.9]];
  const { speech, music } = reportOf({}, { speech: heard, music: heard }) ?? {};
  for (const stretches of [speech, music]) expect(stretches?.map(({ start }) => start)).toEqual([2, 5, 8]);
});
