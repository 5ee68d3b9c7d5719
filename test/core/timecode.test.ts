import fc from "fast-check";
import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { formatTimecode, framesPerDay, parseTimecode, type TimecodeFormat } from "../../src/core/timecode.ts";
import { checkTimecode } from "../corpus/check-timecode.ts";
import { FORMATS } from "./timecode-formats.ts";

const DF: TimecodeFormat = { rate: frameRate(30000, 1001), isDropFrame: true };
const parse = (label: string, format: TimecodeFormat, repair = {}) => parseTimecode(label, format, repair);

test("all vectors of the corpora hold", () => {
  for (const { path, expectations, deviations } of checkTimecode()) {
    expect({ path, deviations }).toEqual({ path, deviations: [] });
    expect(expectations).toBeGreaterThan(40);
  }
});

test("drop-frame skips labels 00 and 01 at each minute except every tenth", () => {
  expect(formatTimecode(1799, DF)).toBe("00:00:59;29");
  expect(formatTimecode(1800, DF)).toBe("00:01:00;02");
  expect(formatTimecode(17981, DF)).toBe("00:09:59;29");
  expect(formatTimecode(17982, DF)).toBe("00:10:00;00");
});

test.each([
  ["00:01:00;00", "next", 1800],
  ["00:01:00;01", "next", 1800],
  ["00:01:00;00", "previous", 1799],
  ["00:01:00;01", "previous", 1799],
  ["00:01:00;00", "formula", 1798],
  ["-00:01:00;01", "next", -1800],
])("a skipped label %s is repaired by choice: %s", (label, dropped, frame) => {
  expect(parse(label, DF, { dropped })).toEqual({ ok: true, frame, repaired: ["dropped-label"] });
});

test("a label that does not exist is refused unless a repair is named", () => {
  expect(parse("00:01:00;00", DF)).toEqual({ ok: false, fault: "dropped-label" });
  expect(parse("00:00:00:25", { rate: frameRate(25), isDropFrame: false })).toEqual({
    ok: false,
    fault: "part-out-of-range",
  });
  for (const label of ["00:60:00:00", "00:00:60:00", "00:00:00:30"])
    expect(parse(label, DF)).toEqual({ ok: false, fault: "part-out-of-range" });
  for (const label of ["00:50:59:29", "23:59:59:29"]) expect(parse(label, DF)).toMatchObject({ repaired: [] });
  for (const text of ["", "1:2:3", "00:00:00", "a:00:00:00", "00:00:00:0000", "00 00 00 00"]) {
    expect(parse(text, DF)).toEqual({ ok: false, fault: "not-a-label" });
  }
});

test("a part above its range is carried or clamped by choice", () => {
  const pal: TimecodeFormat = { rate: frameRate(25), isDropFrame: false };
  expect(parse("00:00:00:30", pal, { overflow: "carry" })).toMatchObject({
    frame: 30,
    repaired: ["part-out-of-range"],
  });
  expect(parse("00:00:75:00", pal, { overflow: "carry" })).toMatchObject({ frame: 75 * 25 });
  expect(parse("00:99:99:30", pal, { overflow: "clamp" })).toMatchObject({ frame: (59 * 60 + 59) * 25 + 24 });
  expect(parse("00:00:59;60", DF, { overflow: "carry", dropped: "next" })).toMatchObject({ frame: 1830 - 2 });
});

test.each([":", ";", ".", ","] as const)(
  "the separator %s is read anywhere and written before the frames",
  (separator) => {
    const label = ["01", "02", "03", "04"].join(separator);
    expect(parse(label, DF)).toMatchObject({ ok: true });
    expect(formatTimecode(0, DF, separator)).toBe(`00:00:00${separator}00`);
  },
);

test("labels pass 24 hours", () => {
  const day = framesPerDay(DF);
  expect(formatTimecode(day, DF)).toBe("24:00:00;00");
  expect(formatTimecode(day * 5, DF)).toBe("120:00:00;00");
  expect(parse("120:00:00;00", DF)).toMatchObject({ frame: day * 5 });
});

test("negative frames carry a minus and come back", () => {
  fc.assert(
    fc.property(fc.constantFrom(...FORMATS), fc.integer({ min: -50_000_000, max: 50_000_000 }), (format, frame) => {
      const label = formatTimecode(frame, format);
      expect(label.startsWith("-")).toBe(frame < 0);
      expect(parse(label, format)).toEqual({ ok: true, frame, repaired: [] });
    }),
  );
});

test("any fraction counts to the next whole rate", () => {
  const rates = fc.tuple(fc.integer({ min: 1, max: 240_000 }), fc.integer({ min: 1, max: 1001 }));
  fc.assert(
    fc.property(rates, fc.nat(10_000_000), ([numerator, denominator], frame) => {
      fc.pre(numerator >= denominator && numerator / denominator <= 999);
      const format = { rate: frameRate(numerator, denominator), isDropFrame: false };
      expect(parse(formatTimecode(frame, format), format)).toMatchObject({ ok: true, frame });
    }),
  );
});

test("refuses what no label can say", () => {
  expect(() => formatTimecode(0.5, DF)).toThrow(RangeError);
  expect(() => formatTimecode(0, { rate: frameRate(25), isDropFrame: true })).toThrow(RangeError);
  expect(() => parseTimecode("00:00:00:00", { rate: frameRate(25), isDropFrame: true })).toThrow(RangeError);
});

test("PANEL-33: positions count from 0, the zero point shows in the label only, drop or non-drop as stated", () => {
  const start = 107892;
  const at = Math.round((10 * 30000) / 1001);
  expect(formatTimecode(start + at, DF)).toBe("01:00:10;00");
  expect(formatTimecode(108000 + at, { ...DF, isDropFrame: false })).toBe("01:00:10:00");
});
