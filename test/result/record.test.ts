import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../src/core/bytes.ts";
import { portableRecord, readRecord, writeRecord } from "../../src/result/record.ts";
import { placedResult } from "../fakes/placed-result.ts";

const RECORD = placedResult(
  [{ id: "a", start: 1, end: 2, text: "Grüße 🎬" }],
  { revision: 3, offsetSeconds: 10, generated: [{ id: "a", start: 1, end: 2, text: "Greetings" }] },
  { markerIds: { a: "m-a" }, clipNames: ["aside-1.wav"] },
);

/** A record as text, of whatever is given. */
const textOf = (value: object) => `${fingerprintOf(JSON.stringify(value))} ${JSON.stringify(value)}`;

describe("the record of a sequence", () => {
  test("PANEL-37: survives as text", () => {
    expect(readRecord(writeRecord(RECORD))).toEqual({ ok: true, record: RECORD });
  });

  test("PANEL-37: any changed letter is noticed", () => {
    const text = writeRecord(RECORD);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, letter) => {
          fc.pre(text[at] !== letter);
          const changed = text.slice(0, at) + letter + text.slice(at + 1);
          const { ok, fault } = { fault: null, ...readRecord(changed) };
          expect(ok).toBe(false);
          // A changed hash is none at times; behind it all is the record's.
          if (at > 17) expect(fault).toBe("damaged");
        },
      ),
    );
  });

  test("a record of a newer version, one that was never placed, and text that is none, are told apart", () => {
    expect(readRecord(textOf({ ...RECORD, version: 4 }))).toEqual({ ok: false, fault: "other-version" });
    const { placed: _, ...unplaced } = RECORD;
    expect(readRecord(textOf(unplaced))).toEqual({ ok: false, fault: "damaged" });
    const whole = writeRecord(RECORD);
    for (const text of ["", "{}", "null", "x".repeat(20), `x${whole}`, whole.slice(1), whole.slice(0, 17)]) {
      expect(readRecord(text)).toEqual({ ok: false, fault: "not-a-record" });
    }
  });

  test("what travels with a project holds every word, and no path of this computer", () => {
    const mine = {
      ...RECORD,
      audio: { path: "/home/kim/narration.wav", durationSeconds: 60 },
      dialogue: [{ start: 1, end: 2, text: "said in the film" }],
      pieces: { a: { path: "/home/kim/a.wav", start: 1, durationSeconds: 1 } },
      findings: [{ rule: "pace", severity: "warn" as const, cueIds: ["a"], message: "fast" }],
      issues: [{ line: 1, message: "odd" } as never],
      notices: ["read from /home/kim"],
    };
    expect(portableRecord(mine)).toMatchObject({ findings: [], issues: [], notices: [] });
    const { cues, generated, placed } = portableRecord(mine);
    expect({ cues, generated, placed }).toEqual({
      cues: RECORD.cues,
      generated: RECORD.generated,
      placed: RECORD.placed,
    });
    expect(writeRecord(portableRecord(mine))).not.toMatch(/\/home\/kim|said in the film/);
  });
});
