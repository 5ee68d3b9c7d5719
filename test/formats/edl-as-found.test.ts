import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { parseCmx3600, readDocument } from "../../src/formats/index.ts";

const at = (second: number) => `01:00:0${second}:00`;
/** An event of a second, whose source and place are the same. */
const event = (number: number, more = "", second = number) =>
  `00${number}  AX  V  C  ${at(second)} ${at(second + 1)} ${at(second)} ${at(second + 1)}${more === "" ? "" : `\n${more}`}`;
const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const read = (...lines: readonly string[]) =>
  parseCmx3600(["FCM: NON-DROP FRAME", ...lines].join("\n"), { grid: GRID });
const wordsOf = (...lines: readonly string[]) => read(...lines).cues.map(({ text }) => text);
const issuesOf = (...lines: readonly string[]) =>
  read(...lines).issues.map(({ code, line, text }) => `${code}@${line} ${text}`.trim());

describe("lines of an EDL", () => {
  test("of Avid's table are those behind its title, each behind a star; rules are nothing", () => {
    const rest = event(1, "* COMMENT: a");
    expect(wordsOf("xMarker Metadata", rest)).toEqual(["a"]);
    expect(wordsOf("* Marker Metadata x", rest)).toEqual(["a"]);
    expect(issuesOf("*========", "*--------", "*=======", rest)).toEqual([]);
    expect(issuesOf("x========", rest)).toEqual(["unknown-line@2 x========"]);
  });

  test("that look like an event and are none are told as one; the others by what they are", () => {
    const place = `${at(1)} ${at(2)}`;
    expect(issuesOf(`002 ${place}`, `x2 ${place}`, "3 men", "M9 x", event(1, "* COMMENT: a"))).toEqual([
      `bad-event@2 002 ${place}`,
      `unknown-line@3 x2 ${place}`,
      "unknown-line@4 3 men",
      "unknown-line@5 M9 x",
    ]);
  });

  test.each([
    ...[
      "REM x",
      "GPI",
      "FINAL CUT PRO REEL: A REPLACED BY: B",
      ">>> SOURCE A",
      "BLOCK 1",
      "DLEDL: x",
      "SWM",
      "TRIGGER x",
    ],
    ...["DRIVE A", "\u001a", "AUD  3 4", "SPLIT:    AUDIO DELAY=  00:00:00:05", "M2   AX   050.0   01:00:00:00"],
    ...["EFFECTS NAME IS CROSS DISSOLVE", "FCM: DROP FRAME", "title: again"],
  ])("%j below an event is known", (line) => {
    expect(issuesOf(event(1, line), "* COMMENT: a")).toEqual([]);
  });

  test.each(["REMARK", "AUD x", "SPLIT: AUDIO", "M2 AX fast 01:00:00:00", "M2 050.0", "M2 AX 050.0", "LOC 1"])(
    "%j below an event is not",
    (line) => {
      expect(issuesOf(event(1, line), "* COMMENT: a")).toEqual([`unknown-line@3 ${line}`]);
    },
  );

  test("changes of speed are counted where an event stands above them", () => {
    const speeds = (...lines: readonly string[]) => read(...lines).events.map(({ speedChanges }) => speedChanges);
    const change = "M2   AX   050.0   01:00:00:00";
    expect(speeds(event(1, change), change, event(2), event(3, change))).toEqual([2, 0, 1]);
    // Where the reel is left out, too.
    expect(speeds(event(1, "M2 050.0 01:00:00:00"))).toEqual([1]);
    expect(issuesOf(change, event(1, "* COMMENT: a"))).toEqual([`unknown-line@2 ${change}`]);
    const { extras, title } = readDocument(`TITLE: The Ferry \n${event(1, `${change}\n* COMMENT: a`)}\n${event(2)}`, {
      grid: GRID,
    });
    expect([title, extras]).toEqual([
      "The Ferry",
      [
        { name: "speed changes", count: 1 },
        { name: "events without text", count: 1 },
      ],
    ]);
  });

  test("a name that reaches the edge goes on below, and no words come of it", () => {
    const long = `* FROM CLIP NAME: ${"x_".repeat(26)}x`;
    expect(wordsOf(event(1, `${long}\n* and so on`))).toEqual([]);
    expect(wordsOf(event(1, `${long.slice(0, -2)}\n* and so on`))).toEqual(["and so on"]);
    expect(wordsOf(event(1, `${long}\n* ${"y ".repeat(40)}\n* and so on`))).toEqual([]);
    expect(wordsOf(event(1, `${long}\n* ${"y ".repeat(20)}\n* and so on`))).toEqual(["and so on"]);
    expect(wordsOf(event(1, `* ${"said freely ".repeat(7)}\n* and so on`))).toEqual([
      `${"said freely ".repeat(7)}and so on`,
    ]);
  });
});

test("a line is wrapped from seventy characters on, blanks at its end aside; a comment below a name is one", () => {
  const name = (length: number) => `* FROM CLIP NAME: ${"x_".repeat(40)}`.slice(0, length);
  const kinds = (first: string, second: string) =>
    read(event(1, `${first}\n${second}`)).events[0]?.comments.map(({ kind }) => kind);
  expect(kinds(name(70), "* and so on")).toEqual(["from-clip-name"]);
  expect(kinds(`  ${name(68)}`, "* and so on")).toEqual(["from-clip-name"]);
  expect(kinds(name(69), "* and so on")).toEqual(["from-clip-name", "free"]);
  expect(kinds(`${name(69)}   `, "* and so on")).toEqual(["from-clip-name", "free"]);
  expect(kinds(name(70), "* COMMENT: a")).toEqual(["from-clip-name", "comment"]);
});

test("a marker without words is none", () => {
  expect(issuesOf(event(1, "|C:Blue |D:3"))).toEqual(["no-cues@0"]);
});

describe("how labels count", () => {
  const dropped = "001  AX  V  C  00:00:00;00 00:01:00;02 00:00:00;00 00:01:00;02\n* COMMENT: a";
  const ends = (text: string, grid?: typeof GRID) =>
    parseCmx3600(text, grid === undefined ? {} : { grid }).cues.map(({ end }) => end);

  test("is what the first line of it above the events says, else what a semicolon does", () => {
    expect(ends(dropped)[0]).toBeCloseTo((1800 * 1001) / 30_000, 9);
    expect(ends(`FCM: DROP FRAME\n${dropped.replaceAll(";", ":")}`)[0]).toBeCloseTo((1800 * 1001) / 30_000, 9);
    expect(ends(`FCM: NON-DROP FRAME\nFCM: DROP FRAME\n${dropped}`)[0]).toBeCloseTo(60 + 2 / 24, 9);
    expect(ends(`FCM: NON DROP FRAME\n${dropped}`)[0]).toBeCloseTo(60 + 2 / 24, 9);
    expect(ends(`${dropped.replaceAll(";", ":")}\nFCM: DROP FRAME`)[0]).toBeCloseTo(60 + 2 / 24, 9);
    const ntsc = { rate: frameRate(30_000, 1001), isDropFrame: false, startFrame: 0 };
    expect(ends(dropped, ntsc)[0]).toBeCloseTo((1800 * 1001) / 30_000, 9);
    expect(ends(dropped.replaceAll(";", ":"), ntsc)[0]).toBeCloseTo((1802 * 1001) / 30_000, 9);
  });

  test("is told by the highest frame of the place, not of the source", () => {
    const of = (source: string, record: string) =>
      parseCmx3600(`001  AX  V  C  00:00:00:00 00:00:01:${source} 00:00:00:00 00:00:01:${record}\n* COMMENT: a`).cues[0]
        ?.end;
    expect([of("00", "24"), of("24", "12"), of("59", "23"), of("00", "29")]).toEqual([1.96, 1.5, 47 / 24, 59 / 30]);
  });

  test("is told by events without words too, and so is where the list begins", () => {
    const list = (frame: string) => `${event(1)}\n${event(2, "* COMMENT: a", 5).replaceAll(":05:00", `:05:${frame}`)}`;
    expect(parseCmx3600(list("12").replaceAll("01:00:01:00", "01:00:01:24")).cues[0]?.start).toBe(5.48);
    const [assumed] = parseCmx3600(list("00"), { grid: { ...GRID, startFrame: 0 } }).issues;
    expect([assumed?.code, assumed?.text]).toEqual(["assumed-start", "01:00:01:00"]);
  });

  test("a label that does not exist is told in its own line, once however many rows begin with it", () => {
    const markers = `|C:Blue |M:one |D:3\n|C:Blue |M:two |D:3`;
    const late = event(1, markers).replaceAll("01:00:01:00", "01:00:01:30");
    expect(issuesOf(late)).toEqual(["label-out-of-range@2 01:00:01:30"]);
    const locator = event(1, "* FROM CLIP NAME: a.mov\n* LOC: 01:00:01:30 RED a\n* LOC: 01:00:07:30 RED b");
    expect(issuesOf(locator)).toEqual([
      "label-out-of-range@4 01:00:01:30",
      "label-out-of-range@5 01:00:07:30",
      // It lies behind its event.
      "missing-end@5 b",
    ]);
  });

  test("an event whose label does not exist is told and left out", () => {
    const bad = `001  AX  V  C  ${at(1)} ${at(2)} 01:00:01:00 01:00:99:00`;
    expect(issuesOf(`${bad}\n* COMMENT: a`, event(2, "* COMMENT: b"))).toContain("label-out-of-range@2 01:00:99:00");
  });
});

test("events whose source is longer or shorter than their place are told once, but for changes of speed and black", () => {
  const line = (sourceOut: string, reel = "AX") => `001  ${reel}  V  C  00:00:00:00 ${sourceOut} ${at(1)} ${at(2)}`;
  const uneven = (...lines: readonly string[]) =>
    read(...lines, event(3, "* COMMENT: a")).issues.map(
      ({ code, line, text, message }) => `${code}@${line} ${text} ${/\d+ in all/.exec(message)?.[0]}`,
    );
  expect(uneven(line("00:00:01:00"))).toEqual([]);
  expect(uneven(line("00:00:01:01"))).toEqual([]);
  expect(uneven(line("00:00:00:24"))).toEqual([]);
  expect(uneven(line("00:00:01:03"), line("00:00:02:00"))).toEqual(["length-mismatch@2 001 2 in all"]);
  expect(uneven(line("00:01:01:00"))).toEqual(["length-mismatch@2 001 1 in all"]);
  expect(uneven(line("01:00:01:00"))).toEqual(["length-mismatch@2 001 1 in all"]);
  for (const black of ["BL", "BLACK", "bl"]) expect(uneven(line("00:00:02:00", black))).toEqual([]);
  for (const other of ["BLA", "XBL"])
    expect(uneven(line("00:00:02:00", other))).toEqual(["length-mismatch@2 001 1 in all"]);
  expect(uneven(`${line("00:00:02:00")}\nM2 AX 050.0 00:00:00:00`)).toEqual([]);
  // Drop-frame on one side alone leaves out two labels a minute.
  const long = (sourceOut: string) => `001  AX  V  C  00:00:00:00 ${sourceOut} 01:00:00:00 01:10:00:00`;
  expect([uneven(long("00:10:00:21")).length, uneven(long("00:10:00:22")).length]).toEqual([0, 1]);
});

test("a marker of one frame lies where its source says, where the place is left over from another", () => {
  const marker = (source: string, record: string, more = "") =>
    wordsOf(`001  001  V  C  ${source} ${record}\n|C:Blue |M:m |D:1${more}`).length === 1 &&
    read(`001  001  V  C  ${source} ${record}\n|C:Blue |M:m |D:1${more}`, event(2, "* COMMENT: z", 9)).cues[0]?.start;
  const one = (second: string, frame: number) =>
    `01:00:${second}:${String(frame).padStart(2, "0")} 01:00:${second}:${String(frame + 1).padStart(2, "0")}`;
  expect(marker(one("05", 3), one("02", 7))).toBe(5.12);
  expect(marker("01:00:05:24 01:00:06:00", one("02", 7))).toBe(5.96);
  expect(marker(one("05", 3), one("05", 7))).toBe(5.28);
  expect(marker(one("05", 3), "01:00:02:00 01:00:03:05")).toBe(2);
  expect(marker("01:00:05:03 01:00:05:09", one("02", 7))).toBe(2.28);
  expect(marker(one("05", 3), one("02", 7), `\n001  001  V  C  ${one("05", 4)} ${one("02", 8)}`)).toBe(2.28);
});

describe("a text without events", () => {
  test("is rows of times and words, an empty list, or none", () => {
    const without = (text: string) => {
      const { cues, issues, title } = parseCmx3600(text);
      return [
        title,
        cues.map((cue) => cue.text),
        issues.map(({ code, line, text }) => `${code}@${line} ${text}`.trim()),
      ];
    };
    expect(without("TITLE: t\n0:01 - 0:02 a door")).toEqual(["t", ["a door"], ["missing-timing@1 TITLE: t"]]);
    expect(without("TITLE: t\nFCM: NON-DROP FRAME\n")).toEqual(["t", [], ["no-cues@0"]]);
    expect(without("TITLE: t\n \n")).toEqual(["t", [], ["no-cues@0"]]);
    expect(without("TITLE: t\nx\n")).toEqual(["t", [], ["unknown-format@0 TITLE: t\nx", "unknown-line@2 x"]]);
    expect(without("1.0 2.0 7\n3.0 4.0 A036C010")).toMatchObject([
      "",
      [],
      [expect.stringContaining("unknown-format@0"), expect.anything(), expect.anything()],
    ]);
  });
});

test("words of the whole list come from the table, other comments or names, and names that are no words are counted", () => {
  expect(issuesOf(event(1, "* said so"), event(2, "* A036C010"), event(3, "* B036C010"))).toEqual([
    "name-not-words@4 A036C010",
  ]);
  expect(
    wordsOf(
      event(1, "* FROM CLIP NAME: A door opens.\n* TO CLIP NAME: A gate opens."),
      event(2, "* FROM CLIP NAME: x.mov"),
    ),
  ).toEqual(["A gate opens."]);
  expect(issuesOf(event(1, "* FROM CLIP NAME: A door opens."), event(2, "* FROM CLIP NAME: x.mov"))).toEqual([
    "text-from-clip-name@2 A door opens.",
    "name-not-words@4 x.mov",
  ]);
  const twice = (channels: string) => event(1, "* COMMENT: a").replace("  V  ", `  ${channels}  `);
  expect(wordsOf(twice("V"), twice("A").replace("001", "002"))).toEqual(["a"]);
  expect(wordsOf(twice("V"), twice("V").replace("001", "002"))).toEqual(["a", "a"]);
  expect(
    read(
      event(1, "* FROM CLIP NAME: AD k9\n* COMMENT: a"),
      event(2, "* FROM CLIP NAME: AD x y\n* COMMENT: b"),
    ).cues.map(({ id }) => id),
  ).toEqual(["k9", "cue-0002"]);
});
