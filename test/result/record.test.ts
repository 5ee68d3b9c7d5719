import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../src/core/fingerprint.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import {
  readSequenceRecord,
  type SequenceRecord,
  writeSequenceRecord,
} from "../../src/result/record.ts";

const RECORD: SequenceRecord = {
  version: 2,
  revision: 3,
  sequenceId: "s1",
  runId: "run-1",
  jobId: "job-1",
  settings: DEFAULT_SETTINGS,
  track: "ad_only",
  offsetSeconds: 10,
  durationSeconds: 60,
  cues: [{ id: "a", start: 1, end: 2, text: "Grüße 🎬" }],
  generated: [{ id: "a", start: 1, end: 2, text: "Greetings" }],
  voiced: {},
  markerIds: { a: "m-a" },
  clipNames: ["aside-1.wav"],
  layout: [],
};

describe("the record of a sequence", () => {
  test("PANEL-37: survives as text", () => {
    expect(readSequenceRecord(writeSequenceRecord(RECORD))).toEqual({ ok: true, record: RECORD });
  });

  test("PANEL-37: any changed letter is noticed", () => {
    const text = writeSequenceRecord(RECORD);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, letter) => {
          fc.pre(text[at] !== letter);
          const changed = text.slice(0, at) + letter + text.slice(at + 1);
          expect(readSequenceRecord(changed).ok).toBe(false);
        },
      ),
    );
  });

  test("a record of another version, and text that is none, are told apart", () => {
    const json = JSON.stringify({ ...RECORD, version: 3 });
    expect(readSequenceRecord(`${fingerprintOf(json)} ${json}`)).toEqual({ ok: false, fault: "other-version" });
    for (const text of ["", "{}", "null", "x".repeat(20)]) {
      expect(readSequenceRecord(text)).toEqual({ ok: false, fault: "not-a-record" });
    }
  });

  test("a record of version 1 is read: what was placed counts as what was generated", () => {
    const { generated: _, voiced: __, ...fields } = RECORD;
    const json = JSON.stringify({ ...fields, version: 1 });
    const reading = readSequenceRecord(`${fingerprintOf(json)} ${json}`);
    expect(reading).toEqual({ ok: true, record: { ...RECORD, generated: RECORD.cues } });
  });
});
