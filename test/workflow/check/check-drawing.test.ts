import fc from "fast-check";
import { expect, test } from "vitest";
import type { Finding } from "../../../src/core/finding.ts";
import { drawProgramme } from "../../../src/workflow/check/check-drawing.ts";
import { DEFAULT_PROFILE } from "../../../src/workflow/check/check-profile.ts";
import type { CheckedResult } from "../../../src/workflow/check/check-result.ts";
import { numbersBetween } from "../../numbers-between.ts";

/** The programme's time runs from here to here across the drawing. */
const [LEFT, RIGHT] = [110, 1000];

const checked = (changes: Partial<CheckedResult> = {}): CheckedResult => ({
  findings: [],
  profile: DEFAULT_PROFILE,
  durationSeconds: 100,
  heardCues: [],
  speech: [],
  gaps: [],
  coverage: null,
  ...changes,
});
const finding = (changes: Partial<Finding>): Finding => ({
  rule: "r",
  severity: "warn",
  cueIds: [],
  message: "m",
  ...changes,
});

/** Bars of one kind, as stretches of the programme of 100 seconds. */
function bars(drawing: string, kind: string) {
  const found = drawing.matchAll(
    new RegExp(`<rect class="${kind}" x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"/>`, "g"),
  );
  const seconds = (x: number) => ((x - LEFT) / (RIGHT - LEFT)) * 100;
  return [...found].map(([, x, y, width, height]) => ({
    start: seconds(Number(x)),
    end: seconds(Number(x) + Number(width)),
    y: Number(y),
    height: Number(height),
  }));
}

test("each stretch is a bar in its lane, from its start to its end, and nothing else is drawn", () => {
  const ranges = fc
    .array(fc.tuple(numbersBetween(0, 90), numbersBetween(1, 10)), {
      maxLength: 3,
    })
    .map((rows) => rows.map(([start, length]) => ({ start, end: start + length })));
  fc.assert(
    fc.property(ranges, ranges, ranges, (gaps, cues, doubtful) => {
      const heardCues = cues.map((range, index) => ({ ...range, id: `c${index}`, text: "A dog." }));
      const speech = [{ start: 0, end: 50 }, ...doubtful.map((range) => ({ ...range, confidence: 0.2 }))];
      const drawing = drawProgramme(checked({ gaps, heardCues, speech }), []);
      const lanes = { speech: [{ start: 0, end: 50 }], "maybe-speech": doubtful, gap: gaps, cue: heardCues };
      for (const [kind, wanted] of Object.entries(lanes)) {
        const drawn = bars(drawing, kind);
        expect(drawn.length).toBe(wanted.length);
        for (const [index, { start, end, y, height }] of drawn.entries()) {
          expect(Math.abs(start - (wanted[index]?.start ?? 0))).toBeLessThan(0.02);
          expect(Math.abs(end - (wanted[index]?.end ?? 0))).toBeLessThan(0.04);
          const lane = ["Sound", "Speech", "Pauses", "Descriptions", "Findings"].indexOf(
            { speech: "Speech", "maybe-speech": "Speech", gap: "Pauses" }[kind] ?? "Descriptions",
          );
          expect([y >= 26 * lane, y + height <= 26 * (lane + 1), height > 10]).toEqual([true, true, true]);
          // In the middle of its lane.
          expect(y - 26 * lane).toBe(26 * (lane + 1) - (y + height));
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("what is shorter than a point is still seen", () => {
  const [bar] = bars(drawProgramme(checked({ gaps: [{ start: 50, end: 50 }] }), []), "gap");
  expect(((bar?.end ?? 0) - (bar?.start ?? 0)) * (RIGHT - LEFT)).toBeCloseTo(100, 6);
  expect(drawProgramme(checked({ durationSeconds: 0 }), [])).not.toMatch(/NaN|Infinity/);
});

test("a finding is marked where its first description is heard, else where its stretch begins; without either it has no mark", () => {
  const heardCues = [
    { id: "a", start: 20, end: 22, text: "A." },
    { id: "b", start: 50, end: 52, text: "B." },
  ];
  const findings = [
    finding({ cueIds: ["b", "a"], range: { start: 90, end: 91 } }),
    finding({ severity: "fail", range: { start: 10, end: 11 } }),
    finding({ severity: "note", cueIds: ["gone"] }),
    finding({}),
  ];
  const marks = drawProgramme(checked({ heardCues, findings }), []).matchAll(
    /<path class="(fail|warn|note)" d="M([\d.]+) (\d+)l5 -14h-10z"\/>/g,
  );
  expect([...marks].map(([, severity, x, y]) => [severity, Number(x), Number(y)])).toEqual([
    ["warn", LEFT + 8.9 * 50, 125],
    ["fail", LEFT + 8.9 * 10, 125],
  ]);
});

test("the sound is a line of strokes from silence to full scale, the loudest of each stretch, none out of its lane", () => {
  const strokes = (levels: readonly number[], durationSeconds = levels.length / 10) => {
    const path = /<path class="sound" d="([^"]*)"/.exec(drawProgramme(checked({ durationSeconds }), levels))?.[1] ?? "";
    return [...path.matchAll(/M([\d.]+) ([\d.]+)v(-?[\d.]+)/g)].map(([, ...numbers]) => numbers.map(Number));
  };
  expect(strokes([-60, -30, 0, 12, -120])).toEqual([
    [110, 24, 0],
    [288, 24, -11],
    [466, 24, -22],
    [644, 24, -22],
    [822, 24, 0],
  ]);
  // A day is drawn too: never more strokes than points, and no peak is passed over.
  const long = Array.from({ length: 5000 }, (_, tenth) => (tenth === 4321 ? 0 : -60));
  const drawn = strokes(long);
  expect(drawn.length).toBeLessThanOrEqual(RIGHT - LEFT);
  expect(drawn.length).toBeGreaterThan((RIGHT - LEFT) / 2);
  expect(drawn.filter(([, , height]) => height === -22)).toHaveLength(1);
  // What is measured beyond the end lies at it.
  expect(Math.max(...strokes([-20, -20, -20], 0.1).map(([x]) => x ?? 0))).toBe(RIGHT);
});

test("says in words what it shows", () => {
  const speech = [
    { start: 0, end: 5 },
    { start: 6, end: 7, confidence: 0.1 },
  ];
  const say = (part: Partial<CheckedResult>) =>
    /<title id="drawing">([^<]*)</.exec(drawProgramme(checked(part), []))?.[1];
  expect(say({ speech, gaps: [{ start: 8, end: 20 }], durationSeconds: 42.04, findings: [finding({})] })).toBe(
    "Drawing of 42.0 seconds: 2 stretches of speech (1 doubtful), 1 usable pauses, 0 descriptions, 1 findings. The tables below hold all of it.",
  );
  expect(say({ speech: [{ start: 0, end: 5 }] })).not.toContain("doubtful");
});
