import { describe, expect, test } from "vitest";
import { frameRate, secondsFromFrames } from "../../src/core/frame-rate.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import { decodeFile } from "../../src/formats/decode-file.ts";
import { parseCmx3600, readCues, readDocument, writeCmx3600, writeCues } from "../../src/formats/index.ts";
import { corpusBytes, corpusJson, corpusPaths, corpusText } from "../corpus/corpus-files.ts";

const GRID_25: FrameGrid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
const GRID_DF: FrameGrid = { rate: frameRate(30000, 1001), isDropFrame: true, startFrame: 0 };
const HOUR_25: FrameGrid = { ...GRID_25, startFrame: 90000 };
const HOUR_DF: FrameGrid = { ...GRID_DF, startFrame: 107892 };

const event = (record: string, ...comments: string[]) =>
  ["TITLE: T", "FCM: NON-DROP FRAME", `001  AX  V  C  ${record} ${record}`, ...comments, ""].join("\n");
const textOf = (...comments: string[]) =>
  parseCmx3600(event("00:00:01:00 00:00:02:00", ...comments), { grid: GRID_25 }).cues.map((cue) => cue.text);
const codesOf = (text: string, grid = GRID_25) => parseCmx3600(text, { grid }).issues.map((issue) => issue.code);

test.each([
  ["pycmx/INS4_R1_010417.edl", 287],
  ["pycmx/INS4_R1_DX_092117.edl", 466],
  ["pycmx/STP_R1_v082517.edl", 250],
  ["pycmx/TEST.edl", 120],
  ["pycmx/test_edl_cdl.edl", 3],
])("finds every event of %s", (name, count) => {
  expect(parseCmx3600(corpusText(`edl/${name}`)).events).toHaveLength(count);
});

test("reads Resolve's marker list as its export lists it", () => {
  type Expected = { "resolve-markers/Timeline.edl": { markers: [string, string][] } };
  const { markers } = corpusJson<Expected>("edl/expected.json")["resolve-markers/Timeline.edl"];
  const { cues } = parseCmx3600(corpusText("edl/resolve-markers/Timeline.edl"), { grid: GRID_25 });
  expect(cues.map((cue) => cue.text)).toEqual(markers.map(([, name]) => name));
  expect(cues[1]?.start).toBe(secondsFromFrames(48 * 25 + 18, GRID_25.rate));
});

test("takes the text from COMMENT before marker, locator, other comments and clip name", () => {
  const clip = "* FROM CLIP NAME: clip.wav";
  const marker = "|C:ResolveColorRed |M:Marker |D:12";
  const locator = "* LOC: 00:00:01:10 RED     Locator";
  expect(textOf(clip, "* said freely", locator, marker, "* COMMENT: one", "* COMMENT: two")).toEqual(["one two"]);
  expect(textOf(clip, "* said freely", locator, marker)).toEqual(["Marker"]);
  expect(textOf(clip, "* said freely", locator, `Note ${marker}`)).toEqual(["Note"]);
  expect(textOf(clip, "* said freely", locator)).toEqual(["Locator"]);
  expect(textOf(clip, "* said freely")).toEqual(["said freely"]);
  expect(textOf(clip)).toEqual([]);
  expect(textOf("* FROM CLIP NAME: A woman sits.")).toEqual(["A woman sits."]);
  // Titles, scenes, takes and generated names are no sentences.
  for (const name of ["Nested Sequence 04", "Letter Theme (no drums)", "INT. FERRY - NIGHT", "Scene 12A Take 3 WIDE"])
    expect(
      parseCmx3600(event("00:00:01:00 00:00:02:00", `* FROM CLIP NAME: ${name}`), { grid: GRID_25 }),
    ).toMatchObject({
      cues: [],
      verdict: { kind: "does not fit" },
    });
});

test("never takes a clip name for text where another event carries a comment", () => {
  const text = `${event("00:00:01:00 00:00:02:00", "* COMMENT: said")}002  AX  V  C  00:00:00:00 00:00:01:00 00:00:03:00 00:00:04:00\n* FROM CLIP NAME: x.wav\n`;
  expect(parseCmx3600(text, { grid: GRID_25 }).cues.map((cue) => cue.text)).toEqual(["said"]);
});

test("says when clip names were taken for text", () => {
  expect(codesOf(event("00:00:01:00 00:00:02:00", "* FROM CLIP NAME: A woman sits."))).toEqual(["text-from-clip-name"]);
});

test("reads the marker table that Avid puts behind the events", () => {
  const { cues } = parseCmx3600(corpusText("edl/pycmx/TEST.edl"), { grid: { ...GRID_25, rate: frameRate(24) } });
  expect(cues).toHaveLength(30);
  expect(cues[0]).toMatchObject({ start: 132, text: "002_020 - Phone Screen - CU" });
});

test("PANEL-24: frames become seconds by the given rate, at 25 and at 29.97 drop", () => {
  const df = event("00:01:00;02 00:01:01;02", "* COMMENT: x").replace("NON-DROP", "DROP");
  expect(parseCmx3600(df, { grid: GRID_DF }).cues[0]?.start).toBe(secondsFromFrames(1800, GRID_DF.rate));
  expect(parseCmx3600(event("00:01:00:02 00:01:01:02", "* COMMENT: x"), { grid: GRID_25 }).cues[0]?.start).toBe(60.08);
});

test("PANEL-25: the same cues from 00:00:00:00 and from 01:00:00:00, and the assumption is named", () => {
  const fromZero = event("00:00:10:00 00:00:12:00", "* COMMENT: x");
  const fromHour = event("01:00:10:00 01:00:12:00", "* COMMENT: x");
  for (const grid of [GRID_25, HOUR_25]) {
    for (const text of [fromZero, fromHour]) {
      expect(parseCmx3600(text, { grid }).cues).toMatchObject([{ start: 10, end: 12 }]);
    }
  }
  expect(codesOf(fromZero, GRID_25)).toEqual([]);
  expect(codesOf(fromHour, HOUR_25)).toEqual([]);
  const assumed = parseCmx3600(fromHour, { grid: GRID_25 }).issues[0];
  expect(assumed).toMatchObject({ code: "assumed-start", effect: "assumed" });
  expect(assumed?.message).toContain("01:00:00:00");
  expect(codesOf(fromZero, HOUR_25)).toEqual(["assumed-start"]);
});

test("PANEL-25: a long programme keeps late events where the duration allows them", () => {
  const text = event("01:00:10:00 01:00:12:00", "* COMMENT: x");
  expect(parseCmx3600(text, { grid: GRID_25, durationSeconds: 7200 }).cues[0]?.start).toBe(3610);
  expect(parseCmx3600(text, { grid: GRID_25, durationSeconds: 60 }).cues[0]?.start).toBe(10);
});

test("assumes a rate where none is given, and says which", () => {
  const { issues } = parseCmx3600(event("00:00:01:24 00:00:02:00", "* COMMENT: x"));
  expect(issues.map((issue) => issue.message)).toEqual([
    "the text does not say its frame rate: 25 was assumed from the highest frame number",
  ]);
});

test("repairs labels that do not exist, and names them", () => {
  const dropped = event("00:01:00:00 00:01:02:00", "* COMMENT: x").replace("NON-DROP", "DROP");
  expect(parseCmx3600(dropped, { grid: GRID_DF }).cues[0]?.start).toBe(secondsFromFrames(1800, GRID_DF.rate));
  expect(codesOf(dropped, GRID_DF)).toEqual(["dropped-label"]);
  expect(codesOf(event("00:00:01:25 00:00:03:00", "* COMMENT: x"))).toEqual(["label-out-of-range"]);
});

test("follows the text's own way of counting where it differs from the sequence's, and says so", () => {
  const text = event("00:01:00:02 00:01:01:02", "* COMMENT: x").replace("NON-DROP", "DROP");
  expect(parseCmx3600(text, { grid: { ...GRID_DF, isDropFrame: false } }).cues[0]?.start).toBe(60.06);
  expect(codesOf(text, { ...GRID_DF, isDropFrame: false })).toEqual(["frame-mode-conflict"]);
  expect(codesOf(text, GRID_25)).toEqual(["frame-mode-conflict"]);
});

test("a list counts from the label of the sequence's start in its own way of counting, whatever the sequence's is", () => {
  const list = (mode: string, mark: string) =>
    `FCM: ${mode}\n001  AX  V  C  00:00:00${mark}00 00:00:01${mark}00 01:00:04${mark}00 01:00:05${mark}00\n* COMMENT: x\n`;
  const ntsc = { rate: GRID_DF.rate, isDropFrame: false, startFrame: 108_000 };
  for (const [text, grid] of [
    [list("NON-DROP FRAME", ":"), HOUR_DF],
    [list("DROP FRAME", ";"), ntsc],
    [list("DROP FRAME", ";"), HOUR_DF],
  ] as const) {
    for (const film of [{ grid }, { grid, durationSeconds: 60 }, { grid, isStartGiven: true }])
      expect(parseCmx3600(text, film).cues[0]?.start).toBe(secondsFromFrames(120, GRID_DF.rate));
  }
});

test("OPEN-16: a strange text gives an issue and no cue, rows with times are read", () => {
  expect(parseCmx3600("what is this\nno idea", { grid: GRID_25 })).toMatchObject({ cues: [], events: [] });
  expect(codesOf("what is this")).toContain("unknown-format");
  // An empty list as it is written here: nothing is lost.
  expect(codesOf("TITLE: Harbour\nFCM: NON-DROP FRAME\n")).toEqual(["no-cues"]);
  const rows = parseCmx3600("00:00:01:05\t00:00:02:10\tHello", { grid: GRID_25 });
  expect(rows.cues).toMatchObject([{ start: 1.2, end: 2.4, text: "Hello" }]);
});

test.each([
  "001 AX V C 00:00:00:00 00:00:01:00 00:00:01:00",
  "001 AX Q C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00",
])("reports an event it cannot read: %s", (line) => {
  expect(codesOf(`TITLE: T\n${line}\n`)).toContain("bad-event");
});

test("reports lines of no known kind", () => {
  expect(codesOf(`${event("00:00:01:00 00:00:02:00", "* COMMENT: x")}what is this\n`)).toEqual(["unknown-line"]);
});

test("FMT-04 OPEN-16: what is written reads back to the frame, text whole, ids kept, at 25 and 29.97 drop from both starts", () => {
  const long = "A woman with | in her name: 'M' sits at a desk * and reads -> ".repeat(4).trim();
  for (const grid of [GRID_25, HOUR_25, GRID_DF, HOUR_DF]) {
    const at = (frame: number) => secondsFromFrames(frame, grid.rate);
    const cues = [
      { id: "cue-0001", start: at(10), end: at(60), text: long },
      { id: "k3f9", start: at(60), end: at(61), text: "C: |M: x |D: 3" },
      { id: "z", start: at(17982), end: at(18000), text: "Ü ü 漢字" },
    ];
    const text = writeCmx3600(cues, { grid });
    expect(parseCmx3600(text, { grid })).toMatchObject({ cues, issues: [] });
    const comments = text.split("\n").filter((line) => line.startsWith("* COMMENT"));
    expect(Math.max(...comments.map((line) => line.length))).toBeLessThanOrEqual(80);
  }
});

test("an out rounds with its frame and never passes the next in; no cue is shorter than a frame", () => {
  const text = writeCmx3600(
    [
      { id: "a", start: 0.99, end: 1.01, text: "a" },
      { id: "b", start: 1.015, end: 1.02, text: "b" },
    ],
    { grid: GRID_25 },
  );
  expect(parseCmx3600(text, { grid: GRID_25 }).cues).toMatchObject([
    { start: 1, end: 1.04 },
    { start: 1, end: 1.04 },
  ]);
});

test("refuses to write frames without a grid", () => {
  expect(() => writeCues([], "edl")).toThrow(TypeError);
  expect(readCues(writeCues([{ id: "a", start: 0, end: 1, text: "x" }], "edl", { grid: GRID_25 })).format).toBe("edl");
});

describe("lists of other people", () => {
  const EXCHANGE = corpusPaths("exchange/edl").filter((path) => path.endsWith(".edl"));
  const NDF: FrameGrid = { rate: frameRate(30000, 1001), isDropFrame: false, startFrame: 0 };
  const HOUR_NDF: FrameGrid = { ...NDF, startFrame: 108000 };
  // Clip names in it are in GB 18030, too few for letters to speak.
  const textAt = (path: string) =>
    decodeFile(corpusBytes(path), path.includes("audio-levels") ? new TextDecoder("gb18030") : undefined)?.text ?? "";

  test.each(EXCHANGE)("every line of an event of %s is read", (path) => {
    const truth = corpusJson<{ event_lines?: number }>(`${path}.truth.json`);
    const { events, issues } = parseCmx3600(textAt(path), { grid: NDF });
    expect(events.reduce((sum, { edits }) => sum + edits.length, 0)).toBe(truth.event_lines ?? 0);
    expect(issues.filter(({ code }) => code === "bad-event")).toEqual([]);
  });

  test("the head says how the record side counts, whatever stands further down for the reels", () => {
    const { cues, issues } = parseCmx3600(textAt("exchange/edl/mixed-fcm-rough-cut.edl"), {
      grid: HOUR_NDF,
      isStartGiven: true,
    });
    expect(cues[0]).toMatchObject({
      text: "BACKPLATE FOR JON DOUGLAS RAINEY",
      start: secondsFromFrames(278, NDF.rate),
    });
    expect(issues.filter(({ effect }) => effect !== "note")).toEqual([]);
    const changes = `${event("01:00:10:00 01:00:12:00", "* COMMENT: one")}FCM: DROP FRAME\n002  AX  V  C  00:10:00;00 00:10:02;00 01:00:20:00 01:00:22:00\n* COMMENT: two\n`;
    expect(parseCmx3600(changes, { grid: HOUR_NDF }).cues.map(({ start }) => start)).toEqual(
      [10 * 30, 20 * 30].map((frame) => secondsFromFrames(frame, NDF.rate)),
    );
  });

  test.each([
    ["audio-levels-a", "no-words"],
    ["openshot-example", "no-words"],
    ["pull001_201109_exr", "no-cues"],
    ["cmx3600-5994-mixed", "no-cues"],
    ["mplayer", "unknown-format"],
  ])("%s holds levels, names and numbers alone: nothing of it is a description", (name, code) => {
    const { cues, issues } = readDocument(textAt(`exchange/edl/${name}.edl`), { format: "edl", grid: NDF });
    expect(cues).toEqual([]);
    expect(issues.map(({ code }) => code)).toContain(code);
  });

  test("levels, reels and names that go on in the next line are no words beside a description either", () => {
    const technical = [
      "* AUDIO LEVEL AT 00:00:01:00 IS -3.00 DB  (REEL AX A1)",
      "* OPACITY LEVEL AT 00:00:01:00 IS 40.00%  (REEL AX)",
      "* REEL 116 IS CLIP A036C010_191203.MOV",
      "* FROM CLIP NAME: A_VERY_LONG_NAME OF A CLIP THAT SOME PROGRAM WROTE OUT IN FULL AND WR",
      "* APPED AT THE EDGE OF THE LINE",
    ];
    expect(textOf(...technical)).toEqual([]);
    expect(textOf(...technical, "* A woman sits.")).toEqual(["A woman sits."]);
  });

  test("the same words at the same time are two cues on one channel, and one on several", () => {
    const line = (number: string, channels: string) =>
      `${number}  AX  ${channels}  C  00:00:01:00 00:00:02:00 00:00:01:00 00:00:02:00\n* COMMENT: Again.\n`;
    const cuesOf = (...channels: string[]) =>
      parseCmx3600(`FCM: NON-DROP FRAME\n${channels.map((one, index) => line(`00${index + 1}`, one)).join("")}`, {
        grid: GRID_25,
      }).cues.length;
    expect([cuesOf("V", "V"), cuesOf("V", "A", "A2"), cuesOf("V", "V", "A", "A")]).toEqual([2, 1, 2]);
    const twice = ["a", "b"].map((id) => ({ id, start: 1, end: 2, text: "Again." }));
    expect(parseCmx3600(writeCmx3600(twice, { grid: GRID_25 }), { grid: GRID_25 }).cues).toEqual(twice);
  });

  test("a dissolve whose letter is missing is read, and an event whose sides differ in length is told", () => {
    const dissolve =
      "FCM: NON-DROP FRAME\n001  BL  V  C  00:00:00:00 00:00:00:00 00:00:01:00 00:00:01:00\n001  AX  V  008 00:00:00:00 00:00:02:00 00:00:01:00 00:00:03:00\n* COMMENT: Fades in.\n";
    expect(parseCmx3600(dissolve, { grid: GRID_25 })).toMatchObject({ cues: [{ start: 1, end: 3 }], issues: [] });
    expect(codesOf(dissolve.replace("00:00:02:00", "00:00:09:00"))).toEqual(["length-mismatch"]);
    expect(
      codesOf(
        dissolve.replace("00:00:02:00", "00:00:09:00").replace("* COMMENT", "M2  AX  100.0  00:00:00:00\n* COMMENT"),
      ),
    ).toEqual([]);
  });

  test("a start that a person gives is never overruled; what lies before it is told", () => {
    const list = event("01:00:10:00 01:00:12:00", "* COMMENT: x");
    const late: FrameGrid = { ...GRID_25, startFrame: 2 * 90_000 };
    const read = parseCmx3600(list, { grid: late, isStartGiven: true });
    expect(read).toMatchObject({ cues: [], verdict: { kind: "does not fit" } });
    expect(read.issues.map(({ code }) => code)).toContain("not-of-this-film");
    const both = parseCmx3600(`${list}${event("02:00:10:00 02:00:12:00", "* COMMENT: y").replace("001", "002")}`, {
      grid: late,
      isStartGiven: true,
    });
    expect(both.cues).toMatchObject([{ start: 10, text: "y" }]);
    expect(both.receipt?.leftOut).toEqual([{ what: "text before the programme's start", count: 1, words: ["x"] }]);
    expect(both.issues.map(({ code }) => code)).toContain("left-out-before");
    expect(parseCmx3600(list, { grid: late }).cues[0]?.start).toBe(10);
    expect(parseCmx3600(list, { grid: GRID_25, isStartGiven: true }).cues[0]?.start).toBe(3610);
  });
});
