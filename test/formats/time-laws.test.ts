import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate, secondsFromFrames } from "../../src/core/frame-rate.ts";
import { formatTimecode } from "../../src/core/timecode.ts";
import {
  formatClockTime,
  labelEvidence,
  onFastGrid,
  parseClockTime,
  parseTimeText,
} from "../../src/formats/clock-time.ts";
import { ttmlClock, ttmlSeconds } from "../../src/formats/ttml/ttml-time.ts";
import { TimestampScanner } from "../../src/formats/webvtt/webvtt.ts";

const milliseconds = fc.integer({ min: 0, max: 200 * 3_600_000 });

describe("clock times", () => {
  test("come back as they were written, whatever the decimal sign and the digits of the hours", () => {
    fc.assert(
      fc.property(
        milliseconds,
        fc.constantFrom("." as const, "," as const),
        fc.constantFrom(1, 2, 4),
        (count, decimal, hourDigits) => {
          const text = formatClockTime(count / 1000, { decimal, hourDigits });
          expect(text).toMatch(/^\d+:\d\d:\d\d[.,]\d{3}$/);
          expect(text.indexOf(":")).toBeGreaterThanOrEqual(hourDigits);
          expect([parseClockTime(text), parseClockTime(`-${text}`), parseClockTime(` ${text} `)]).toEqual([
            count / 1000,
            0 - count / 1000,
            count / 1000,
          ]);
        },
      ),
    );
  });

  test.each([
    ["1:2", 62],
    ["75:12", 4512],
    ["1:02:03", 3723],
    ["0:01,04", 1.04],
    ["0:01.5", 1.5],
    ["0:00:01:040", 1.04],
    ["1 : 02 : 03 . 5", 3723.5],
    ["0:60", null],
    ["1:60:00", null],
    ["12", null],
    ["a0:01", null],
    ["0:01.5x", null],
  ])("%j is %s", (text, seconds) => {
    expect(parseClockTime(text)).toBe(seconds);
  });
});

describe("a time of a text", () => {
  test("is a label, a clock time, or seconds", () => {
    expect(parseTimeText("01:00:00:24")).toEqual({
      kind: "label",
      label: "01:00:00:24",
      frames: 24,
      isDropFrame: false,
    });
    expect(parseTimeText("01;00;00;24")).toEqual({
      kind: "label",
      label: "01;00;00;24",
      frames: 24,
      isDropFrame: true,
    });
    expect(parseTimeText("01:00:00;119")).toMatchObject({ kind: "label", frames: 119, isDropFrame: true });
    expect(parseTimeText("01:00:00:119")).toMatchObject({ kind: "label", frames: 119, isDropFrame: false });
    expect(parseTimeText("01:00:00:120")).toEqual({ kind: "clock", seconds: 3600.12, label: "01:00:00:120" });
    for (const text of ["12.5s", " 12.5 s "]) expect(parseTimeText(text)).toEqual({ kind: "clock", seconds: 12.5 });
    // A number that does not say what it counts.
    for (const text of ["12.5", "12,5"])
      expect(parseTimeText(text)).toEqual({ kind: "clock", seconds: 12.5, isNumber: true });
    for (const text of ["", "s", "12.5.5", "x12", "1:2:3:4:5"]) expect(parseTimeText(text)).toBeNull();
  });

  test("of three digits is a label above 100 frames a second, and nothing else is", () => {
    const time = parseTimeText("01:00:00:120");
    expect(onFastGrid(time)).toEqual({ kind: "label", label: "01:00:00:120", frames: 120, isDropFrame: false });
    for (const other of [parseTimeText("12.5"), parseTimeText("01:00:00:24"), null])
      expect(onFastGrid(other)).toBe(other);
  });

  test("tells how labels count: by the highest frame, and as drop-frame where one of them is", () => {
    const evidence = (...texts: readonly string[]) => labelEvidence([null, ...texts.map(parseTimeText)]);
    expect(evidence("00:00:01:24", "00:00:02:03", "12.5")).toEqual({ highestFrame: 24, isDropFrame: null });
    expect(evidence("00:00:01:03", "00:00:02;02", "00:00:03:01")).toEqual({ highestFrame: 3, isDropFrame: true });
    expect(evidence("00:00:01:00")).toEqual({ highestFrame: 0, isDropFrame: null });
    expect(evidence("12.5")).toBeNull();
  });
});

describe("time expressions of TTML", () => {
  const rates = fc.constantFrom(
    ...[24, 25, 30].flatMap((rate) => [
      { attributes: { frameRate: String(rate) }, rate: frameRate(rate) },
      { attributes: { frameRate: String(rate), frameRateMultiplier: "1000 1001" }, rate: frameRate(rate * 1000, 1001) },
    ]),
  );

  test("count frames at the document's rate, and ticks at that of its ticks", () => {
    fc.assert(
      fc.property(
        rates,
        fc.nat(999_999),
        fc.integer({ min: 1, max: 90_000 }),
        ({ attributes, rate }, count, tickRate) => {
          const stated: Readonly<Record<string, string>> = { ...attributes, tickRate: String(tickRate) };
          const clock = ttmlClock((name) => stated[name]);
          expect(clock).toEqual({ rate, tickRate, isDropFrame: false });
          expect(ttmlSeconds(`${count}f`, clock)).toBe(secondsFromFrames(count, rate));
          expect(ttmlSeconds(`${count}t`, clock)).toBe(count / tickRate);
          const nominal = Number(attributes.frameRate);
          const label = formatTimecode(count, { rate: frameRate(nominal), isDropFrame: false });
          const whole = Math.floor(count / nominal);
          expect(ttmlSeconds(label, clock)).toBe(whole + secondsFromFrames(count % nominal, rate));
        },
      ),
    );
  });

  test("count labels without those that drop-frame leaves out", () => {
    const stated: Readonly<Record<string, string>> = {
      frameRate: "30",
      frameRateMultiplier: "1000:1001",
      dropMode: "dropNTSC",
    };
    const clock = ttmlClock((name) => stated[name]);
    expect(clock.isDropFrame).toBe(true);
    fc.assert(
      fc.property(fc.nat(200_000), (frame) => {
        const label = formatTimecode(frame, clock).replace(";", ":");
        expect(ttmlSeconds(label, clock)).toBe(secondsFromFrames(frame, clock.rate));
      }),
    );
    const at25: Readonly<Record<string, string>> = { frameRate: "25", dropMode: "dropNTSC" };
    expect(ttmlClock((name) => at25[name]).isDropFrame).toBe(false);
  });

  test("say seconds in any measure; the rest is none", () => {
    const clock = ttmlClock(() => undefined);
    expect(clock).toEqual({ rate: frameRate(30), tickRate: 1, isDropFrame: false });
    const all = ["1.5h", "1.5m", "1.5s", "1500ms", "45f", "3t", "01:02:03", "01:02:03.25", "00:00:60", " 2s "];
    expect(all.map((text) => ttmlSeconds(text, clock))).toEqual([5400, 90, 1.5, 1.5, 1.5, 3, 3723, 3723.25, 60, 2]);
    const none = [undefined, "", "2", "s", "1:02:03", "01:60:00", "00:00:61", "-1s", "1.s", "1min", "x1s", "1sx"];
    expect(none.map((text) => ttmlSeconds(text, clock))).toEqual(none.map(() => null));
    const odd: Readonly<Record<string, string>> = { frameRate: "0", tickRate: "x", frameRateMultiplier: "1000" };
    expect(ttmlClock((name) => odd[name])).toEqual(clock);
  });
});

describe("timestamps of WebVTT", () => {
  const STAMP = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)/;
  const pieces = fc.array(
    fc.constantFrom("0", "5", "9", "12", "59", "60", "00", "100", "007", ":", ":", ".", " ", "x"),
    { maxLength: 9 },
  );
  const stamps = fc
    .tuple(fc.constantFrom("", "00:", "99:", "1234:"), fc.nat(60), fc.nat(60), fc.nat(999))
    .map(
      ([hours, minutes, seconds, rest]) =>
        `${hours}${String(minutes).padStart(2, "0")}:${String(seconds).padStart(2, "0")}.${String(rest).padStart(3, "0")}`,
    );

  test("are those that the standard has, and end where they end", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((parts) => parts.join("")),
          stamps,
        ),
        fc.constantFrom("", " ", "x"),
        (stamp, behind) => {
          const text = `[${stamp}${behind}`;
          const scanner = new TimestampScanner(text);
          scanner.open(1, text.length);
          const parts = STAMP.exec(text.slice(1));
          const [whole = "", hours = "0", minutes = "", seconds = "", rest = ""] = parts ?? [];
          const expected = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest);
          // One digit of hours is taken as well.
          fc.pre(!/^\d:/.test(stamp));
          expect(scanner.timestamp()).toBe(parts === null ? -1 : expected / 1000);
          if (parts !== null) expect(scanner.position).toBe(1 + whole.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
