import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { formatTimecode } from "../../../src/core/timecode.ts";
import { type FilmReading, type ReadDocument, readDocument, writeSubRip } from "../../../src/formats/index.ts";
import { chosenBy } from "../../../src/formats/read-by.ts";

const FILM_RATES = {
  "24": frameRate(24),
  "23.976": frameRate(24_000, 1001),
  "25": frameRate(25),
  "29.97": frameRate(30_000, 1001),
} as const;

/** Seconds of the film to a second of its other versions. */
const VERSIONS = [
  ["24", "25", 25 / 24],
  ["23.976", "25", (25 * 1.001) / 24],
  ["23.976", "24", 1.001],
  ["24", "23.976", 1 / 1.001],
  ["25", "24", 24 / 25],
  ["25", "23.976", 24 / 25 / 1.001],
  ["29.97", "25", (25 * 1.001) / 24],
] as const;

const WORDS = ["Is anybody there?", "Quietly now, quietly.", "I told you to wait for me outside.", "No."];

/** Lines of a film at random distances, at most half of its time, and what hears them: a little early, a little late, some not at all. */
const films = fc.record({
  gaps: fc.array(fc.double({ min: 1, max: 9, noNaN: true }), { minLength: 300, maxLength: 700 }),
  off: fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 10, maxLength: 20 }),
  missed: fc.integer({ min: 5, max: 12 }),
});

type MadeFilm = typeof films extends fc.Arbitrary<infer Film> ? Film : never;

function filmOf({ gaps, off, missed }: MadeFilm, rateName: keyof typeof FILM_RATES) {
  let at = 5;
  const lines = gaps.map((gap, index) => {
    const text = WORDS[index % WORDS.length] ?? "";
    const start = at + gap;
    at = start + text.length / 14;
    return { id: String(index + 1), start, end: at, text };
  });
  const speech = lines
    .map(({ start, end }, index) => ({
      start: start + (off[index % off.length] ?? 0),
      end: end + (off[(index * 7) % off.length] ?? 0),
    }))
    .filter(({ start, end }, index) => index % missed !== 0 && end > start);
  const grid = { rate: FILM_RATES[rateName], isDropFrame: false, startFrame: 0 };
  return { lines, film: { grid, durationSeconds: at + 20, speech, holds: "dialogue" } as const satisfies FilmReading };
}

const madeFor = (lines: ReturnType<typeof filmOf>["lines"], factor: number) =>
  writeSubRip(lines.map((line) => ({ ...line, start: line.start / factor, end: line.end / factor })));

test("markers of an EDL end at labels, whose frames are those of the version too", () => {
  const list = (words: string) => `001  AX  V  C  00:00:00:00 00:00:02:12 00:00:10:00 00:00:12:12\n${words}\n`;
  const film = { grid: { rate: FILM_RATES["24"], isDropFrame: false, startFrame: 0 }, textRate: FILM_RATES["25"] };
  const spanOf = (words: string) => read(list(words), film, "a.edl").cues.map(({ start, end }) => [start, end]);
  expect(spanOf("|C:Blue |M:A door |D:5")).toEqual(spanOf("* COMMENT: A door"));
});

const read = (text: string, film: FilmReading, filename = "a.srt") => readDocument(text, { filename, ...film });

function isNear({ cues }: ReadDocument, lines: readonly { readonly start: number }[]): boolean {
  return (
    cues.length === lines.length && cues.every(({ start }, at) => Math.abs(start - (lines[at]?.start ?? 0)) < 0.01)
  );
}

describe("captions of a film in which somebody was heard", () => {
  test("are never stretched, nor asked about, where they fit as they stand", () => {
    fc.assert(
      fc.property(films, fc.constantFrom("24", "23.976", "25", "29.97"), (made, rate) => {
        const { lines, film } = filmOf(made, rate);
        const found = read(madeFor(lines, 1), film);
        expect(found.verdict).toEqual({ kind: "fits" });
        expect(isNear(found, lines)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test("are found to be of another version, or asked about with it among the choices, and what is taken is told", () => {
    fc.assert(
      fc.property(films, fc.constantFrom(...VERSIONS), (made, [rate, version, factor]) => {
        const { lines, film } = filmOf(made, rate);
        const text = madeFor(lines, factor);
        const found = read(text, film);
        if (found.verdict?.kind === "unsure") {
          const { readings } = found.verdict;
          expect(readings.some(({ choice }) => isNear(read(text, { ...film, ...chosenBy(choice) }), lines))).toBe(true);
          return;
        }
        expect(isNear(found, lines)).toBe(true);
        const told = [expect.stringMatching(`by \\d\\.\\d %: they were made for ${version} frames a second$`)];
        expect(found.verdict).toEqual({ kind: "repaired", how: told });
        expect(found.issues.map(({ code }) => code)).toContain("assumed-stretch");
      }),
      { numRuns: 40 },
    );
  });

  test("are found to be of another version where four in nine of them were heard, and stay as they are where too few were", () => {
    const gaps = Array.from({ length: 400 }, (_, at) => 3 + ((at * 7) % 11) / 2);
    const { lines, film } = filmOf({ gaps, off: [0.1, -0.2, 0.05], missed: 1_000 }, "24");
    const verdictOf = (hears: (at: number) => boolean) =>
      read(madeFor(lines, 25 / 24), { ...film, speech: film.speech.filter((_, at) => hears(at)) }).verdict?.kind;
    expect([verdictOf((at) => (at + 1) % 9 < 4), verdictOf((at) => (at + 1) % 3 === 0)]).toEqual(["repaired", "fits"]);
  });

  test("are not taken for another version where they are late or early as a whole", () => {
    fc.assert(
      fc.property(films, fc.double({ min: -3, max: 3, noNaN: true }), (made, late) => {
        const { lines, film } = filmOf(made, "24");
        const moved = lines.map((line) => ({ ...line, start: line.start + late, end: line.end + late }));
        expect(read(madeFor(moved, 1), film).verdict?.kind).not.toBe("repaired");
      }),
      { numRuns: 30 },
    );
  });

  test("are not held for another version by the speech of another film", () => {
    fc.assert(
      fc.property(films, films, fc.constantFrom("24", "25"), (one, other, rate) => {
        const { lines } = filmOf(one, rate);
        const { film } = filmOf(other, rate);
        expect(read(madeFor(lines, 1), { ...film, durationSeconds: 7200 }).verdict?.kind).not.toBe("repaired");
      }),
      { numRuns: 30 },
    );
  });
});

describe("what a person says of the rate", () => {
  const grid = { rate: frameRate(24), isDropFrame: false, startFrame: 0 };
  const text = madeFor([{ id: "1", start: 240, end: 250, text: "Who is it?" }], 25 / 24);

  test("counts whatever the film says, and is told", () => {
    const found = read(text, { grid, durationSeconds: 300, ...chosenBy({ rate: "25" }) });
    expect(found.cues).toMatchObject([{ start: 240, end: 250 }]);
    expect(found.verdict).toMatchObject({ kind: "repaired" });
    expect(found.receipt?.facts.at(-1)).toBe("the times are stretched by 4.2 %: they were made for 25 frames a second");
    expect(read(text, { grid, ...chosenBy({ rate: "24" }) }).cues).toMatchObject([{ start: 230.4 }]);
  });

  test("counts for labels, whose frames are then those of the version", () => {
    const labels = [240, 250].map((at) => formatTimecode(at * 24, { rate: frameRate(25), isDropFrame: false }));
    const found = read(`${labels.join(" ")} Who is it?`, { grid, ...chosenBy({ rate: "25" }) }, "a.txt");
    expect(found.cues).toMatchObject([{ start: 240, end: 250 }]);
  });

  test("counts for nothing where the film's own rate is not known, which is told", () => {
    const found = read(text, chosenBy({ rate: "25" }));
    expect(found.cues).toMatchObject([{ start: 230.4 }]);
    expect(found.receipt?.facts.at(-1)).toContain("the film's own is not known");
  });
});

test("captions that run past the end of an unheard film are asked about, with the version in which they end with it", () => {
  const lines = Array.from({ length: 100 }, (_, at) => ({
    id: String(at),
    start: at * 10,
    end: at * 10 + 2,
    text: "Go on.",
  }));
  const film = { grid: { rate: frameRate(25), isDropFrame: false, startFrame: 0 }, durationSeconds: 1000 };
  const found = read(madeFor(lines, 24 / 25), film);
  if (found.verdict?.kind !== "unsure") throw new Error(`it is ${found.verdict?.kind}`);
  expect(found.verdict.question).toBe("For which frame rate were the times made?");
  expect(found.verdict.readings.map(({ label, choice }) => [label, choice])).toEqual(
    expect.arrayContaining([
      ["Times made for this film's rate", { start: "00:00:00", rate: "25" }],
      ["Times made for 24 frames a second, shortened by 4.0 %", { start: "00:00:00", rate: "24" }],
    ]),
  );
});
