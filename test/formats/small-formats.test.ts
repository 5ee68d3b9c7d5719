import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import type { CueDocument } from "../../src/formats/cue-list.ts";
import { type Format, FormatProbe } from "../../src/formats/format.ts";
import { FORMATS, parsePlainText, parseSbv, writeSbv } from "../../src/formats/index.ts";
import { isRtf, rtfText } from "../../src/formats/office/rtf-text.ts";

const isIn =
  ({ shows }: Format) =>
  (text: string) =>
    shows(new FormatProbe(text), false) === 1;
const AVID = { ...FORMATS["avid-markers"], isIn: isIn(FORMATS["avid-markers"]) };
const PRO_TOOLS = { ...FORMATS["pro-tools"], isIn: isIn(FORMATS["pro-tools"]) };

/** Rows with their times to the millisecond, and issues with their line. */
function told({ cues, issues }: CueDocument): { rows: unknown[]; issues: string[] } {
  return {
    rows: cues.map(({ start, end, text }) => [Number(start.toFixed(3)), Number(end.toFixed(3)), text]),
    issues: issues.map(({ code, line, text }) => `${code}@${line}${text === "" ? "" : ` ${text}`}`),
  };
}

describe("SBV", () => {
  test.each([
    // SubViewer parts lines by a mark of its own, which SBV does not know.
    ["0:00:01.000,0:00:02.000\na[br]b <i>", [[1, 2, "a[br]b <i>"]], []],
    [
      "00:00:01.00,00:00:02.00\na[br]b\nc\n\n00:00:03.00,00:00:04.00\nd",
      [
        [1, 2, "a b c"],
        [3, 4, "d"],
      ],
      [],
    ],
    ["[INFORMATION]\n[TITLE]x\n0:00:01.000,0:00:02.000\na", [[1, 2, "a"]], []],
    [
      "0:00:01.000,0:00:02.000\na\n0:00:03.000,0:00:04.000\nb",
      [
        [1, 2, "a"],
        [3, 4, "b"],
      ],
      [],
    ],
    // A blank line ends a cue that has words, and no other.
    ["0:00:01.000,0:00:02.000\n\na\n\nb\nc", [[1, 2, "a"]], ["missing-timing@5 b"]],
    [
      "lost\nlost too\n\nalone\n\n0:00:01.000,0:00:02.000\na",
      [[1, 2, "a"]],
      ["missing-timing@1 lost", "missing-timing@4 alone"],
    ],
    [
      "0:00:01.000,0:00:02.000\na\n0:00:99.000,0:00:04.000\nb\n\n0:00:05.000,0:00:06.000\nc",
      [
        [1, 2, "a"],
        [5, 6, "c"],
      ],
      ["bad-timing@3 0:00:99.000,0:00:04.000"],
    ],
    ["0:00:01.000,0:00:02.000\n[door] a", [[1, 2, "[door] a"]], []],
    ["0:00:01.000,0:00:02.000\n\n0:00:03.000,0:00:04.000\nb", [[3, 4, "b"]], ["missing-text@1"]],
    [" \n0:00:01.000,0:00:02.000\na", [[1, 2, "a"]], []],
  ])("%j", (text, rows, issues) => {
    expect(told(parseSbv(text))).toEqual({ rows, issues });
  });
});

test("words of SBV that would be read as times are written otherwise, and no others", () => {
  const written = (text: string) => writeSbv([{ id: "a", start: 1, end: 2, text }]);
  for (const text of ["0:01,0:02", "-0:01,0:02", "1 : 02,0:03", "12:3 men, 4:5 women"]) {
    expect(parseSbv(written(text)).cues.map((cue) => cue.text)).toEqual([text]);
    expect(written(text)).not.toContain(text);
  }
  for (const text of ["a: b", "at 0:01, 0:02", "0:01 and 0:02", "1:2"])
    expect(written(text)).toBe(`0:00:01.000,0:00:02.000\n${text}\n`);
});

describe("markers of Avid", () => {
  const row = (label: string, comment = "words", length = "") => `ann\t${label}\tV1\tred\t${comment}\t${length}`;
  const at = (text: string, grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 }) =>
    told(AVID.read(text, { grid }));

  test("lines that are no marker are told, blank ones are nothing", () => {
    expect(at(`${row("00:00:01:00", "a", "25")}\n \nwhat\n\n${row("00:00:03:00", "b", "2")}`)).toEqual({
      rows: [
        [1, 2, "a"],
        [3, 3.08, "b"],
      ],
      issues: ["bad-timing@3 what"],
    });
  });

  test("a length of one frame or none is no end; the comment comes before the name", () => {
    const { rows, issues } = at(
      `${row("00:00:01:00", "", "25")}\n${row("00:00:05:00", "b", "1")}\n${row("00:00:09:00", "c", "0")}`,
    );
    expect(rows).toMatchObject([
      [1, 2, "ann"],
      [5, 5.5, "b"],
      [9, 9.5, "c"],
    ]);
    expect(issues).toEqual(["missing-end@2 b", "missing-end@3 c"]);
  });

  test("without a grid the highest frame and a semicolon tell how the labels count", () => {
    const rates = (labels: readonly string[]) =>
      AVID.read(labels.map((label) => row(label)).join("\n"), {}).issues.flatMap(({ code, message }) =>
        code === "assumed-rate" ? [message.split(": ")[1]?.split(" was")[0]] : [],
      );
    expect(rates(["00:00:01:24", "00:00:02:03"])).toEqual(["25"]);
    expect(rates(["00:00:01:03", "00:00:02:23"])).toEqual(["24"]);
    expect(rates(["00:00:01:103", "00:00:02:00"])).toEqual(["60"]);
    expect(rates(["00:00:01:03", "00:00:02;23"])[0]).toContain("29.97");
    expect(AVID.isIn(`\n\r\n${row("00:00:01:00")}`)).toBe(true);
    expect([AVID.isIn(`x\n${row("00:00:01:00")}`), AVID.isIn("")]).toEqual([false, false]);
  });
});

describe("a session of Pro Tools", () => {
  const session = (format: string, start: string, body: string) =>
    `SESSION NAME:\tx\nSAMPLE RATE:\t48000.000000\nBIT DEPTH:\t24-bit\nSESSION START TIMECODE:\t${start}\nTIMECODE FORMAT:\t${format}\n\n${body}`;
  const MARKERS = "M A R K E R S  L I S T I N G\n#   \tLOCATION     \tTIME REFERENCE    \tUNITS    \tNAME\tCOMMENTS\n";

  test("times of markers are labels, minutes or samples, from the start of the session", () => {
    const text = session(
      "25 Frame",
      "01:00:00:00",
      `${MARKERS}1\t01:00:01:05\t57600\tSamples\ta\t\n2\t0:02.5\t120000\tSamples\tb\tsaid\n3\t192000\t192000\tSamples\tc\t\n4\t3|1\t240000\tSamples\td\t\n5\t4|1\t5|1\tTicks\te\t\n`,
    );
    expect(told(PRO_TOOLS.read(text, {}))).toEqual({
      rows: [
        [1.2, 1.7, "a"],
        [2.5, 3, "said"],
        [4, 4.5, "c"],
        [5, 5.5, "d"],
      ],
      issues: [
        ...[10, 11, 12].map((line, index) => `missing-end@${line - 1} ${["a", "said", "c"][index]}`),
        "missing-end@12 d",
        "bad-timing@13 4|1 e",
      ],
    });
  });

  test("clips count where no marker holds words; tags are no words", () => {
    const clips =
      "CHANNEL \tEVENT   \tCLIP NAME                     \tSTART TIME    \tEND TIME      \tDURATION      \tSTATE\n";
    const text = session(
      "29.97 Drop Frame",
      "00:00:00;00",
      `TRACK NAME:\tADR\n${clips}1\t1\tA woman {Actor=Ann} sits [ADR]\t00:00:01;00\t00:00:02;00\t00:00:01;00\tUnmuted\n1\t2\tA_01.wav\t00:00:03;00\t00:00:04;00\t00:00:01;00\tUnmuted\n`,
    );
    expect(told(PRO_TOOLS.read(text, {}))).toEqual({
      rows: [[1.001, 2.002, "A woman sits"]],
      issues: ["text-from-clip-name@9 A woman sits", "name-not-words@10 A_01.wav"],
    });
  });

  test("what stands below a line belongs to it: a break inside a name or a comment", () => {
    const rows =
      "1\t00:00:01:00\t48000\tSamples\tone\nmore\n2\t00:00:03:00\t144000\tSamples\ta\tb\nc\n3\t00:00:05:00\t240000\tSamples\td\te\nf\tg\n";
    expect(told(PRO_TOOLS.read(session("25 Frame", "00:00:00:00", MARKERS + rows), {})).rows).toMatchObject([
      [1, 1.727, "one more"],
      [3, 3.727, "b c"],
      [5, 5.727, "e g"],
    ]);
  });

  test("it is known by its first two lines", () => {
    const text = session("25 Frame", "00:00:00:00", "");
    expect([PRO_TOOLS.isIn(text), PRO_TOOLS.isIn(text.replaceAll("\n", "\r\n")), PRO_TOOLS.isIn(`x${text}`)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("plain text", () => {
  test.each([
    [
      "00:01 a\n00:99:99 b\nc\n\nd\n00:03 e",
      [
        [1, 1.727, "a d"],
        [3, 3.5, "e"],
      ],
      ["missing-end@1 a d", "bad-timing@2 00:99:99 b", "missing-timing@3 c", "missing-end@6 e"],
    ],
    ["a\nb\n\nc\n[00:01 - 00:02] d", [[1, 2, "d"]], ["missing-timing@1 a", "missing-timing@4 c"]],
    ["1.5 2.5\n3.5 4.5\n", [], ["unknown-format@0 1.5 2.5\n3.5 4.5", "no-cues@0"]],
    [
      "1.5 2.5 7\n3.5 4.5 8 a",
      [
        [1.5, 2.5, "7"],
        [3.5, 4.5, "8 a"],
      ],
      [],
    ],
    [
      "[1.5] 7\n[3.5] 8",
      [
        [1.5, 2, "7"],
        [3.5, 4, "8"],
      ],
      ["missing-end@1 7", "missing-end@2 8"],
    ],
    ["00:00:01:00\t9420 94ae\n", [], ["no-cues@0", "bad-timing@1 00:00:01:00\t9420 94ae"]],
    [
      'k1 0:01 0:02 "a \\"b\\""\nk2 0:03 0:04 "c" d "e"',
      [
        [1, 2, 'a "b"'],
        [3, 4, '"c" d "e"'],
      ],
      [],
    ],
    ["0:01 0:02.5 a", [[1, 2.091, "0:02.5 a"]], ["missing-end@1 0:02.5 a"]],
    ["{0:01} a", [[1, 1.5, "a"]], ["missing-end@1 a"]],
    ["0:01x", [], ["no-cues@0", "missing-timing@1 0:01x"]],
    ["4 3:30 trains", [], ["no-cues@0", "missing-timing@1 4 3:30 trains"]],
    ["0:01 - 0:02", [], ["no-cues@0", "missing-text@1"]],
  ])("%j", (text, rows, issues) => {
    expect(told(parsePlainText(text))).toEqual({ rows, issues });
  });
});

describe("RTF", () => {
  const textOf = (inner: string) =>
    rtfText(`{\\rtf1 ${inner}}`, (bytes, codePage) => `<${codePage}:${[...bytes].join(" ")}>`);

  test.each([
    ["a\\par b\\line c\\tab d", "a\nb\nc\td"],
    ["a\\cell b\\cell\\row c", "a\tb\nc"],
    ["\\emdash\\endash\\lquote\\rquote \\ldblquote\\rdblquote\\bullet", "—–‘’“”•"],
    ["a{\\b b}c{\\info{\\author x}}d{\\*\\x y}e", "abcde"],
    ["{\\*\\x{y}z}a{\\fonttbl{\\f0 Arial;}}b{\\headerl h}{\\footerf f}", "ab"],
    ["\\'41\\'42x\\'43", "<1252:65 66>x<1252:67>"],
    ["{\\info\\'41}{\\b\\'42}\\'43", "<1252:66 67>"],
    ["\\u233\\'e9\\'41{\\uc2\\u8364\\'41?b}", "é<1252:65>€b"],
    ["a{\\uc b\\u8364 cd}", "ab€d"],
    ["a\\u b\\page c\\sect\\nothing7 d", "ab\nc\nd"],
    ["\\ansicpg1250 \\'41", "<1250:65>"],
    ["\\u8364?a\\uc0\\u8364 b\\uc2\\u-10179??\\u-8695??c", "€a€b😉c"],
    ["{\\uc0 {\\u8364 }x}\\u8364 yz", "€x€z"],
    ["\\u233\\'e9a", "éa"],
    ["a\\~b\\\\\\{\\}\\\nc\\-d", "a\u00a0b\\{}\ncd"],
    ["a\r\nb\\\rc", "ab\nc"],
    ["}}}a", "a"],
  ])("%j", (inner, text) => {
    expect(textOf(inner)).toBe(text);
  });

  test("the code page of a Macintosh is named by a word", () => {
    expect(rtfText("{\\rtf1\\mac \\'41}", (_, codePage) => `${codePage}`)).toBe("10000");
  });

  test("it is known by its first word", () => {
    expect(["{\\rtf1\\ansi", " \n{\\rtf ", "{\\rtfx", "a{\\rtf1"].map(isRtf)).toEqual([true, true, false, false]);
  });
});

describe("a session of Pro Tools, line by line", () => {
  const HEAD =
    "SESSION NAME:\tx\nSAMPLE RATE:\t48000.000000\nSESSION START TIMECODE:\t00:00:00:00\nTIMECODE FORMAT:\t25 Frame\n";
  const MARKERS = "M A R K E R S  L I S T I N G\n#   \tLOCATION     \tTIME REFERENCE    \tUNITS    \tNAME\tCOMMENTS\n";
  const CLIPS =
    "TRACK NAME:\tADR\nCHANNEL \tEVENT   \tCLIP NAME                     \tSTART TIME    \tEND TIME      \tDURATION      \tSTATE\n";
  const read = (text: string) => told(PRO_TOOLS.read(text, {}));
  const rows = (body: string) =>
    read(`${HEAD}${MARKERS}${body}`).rows.map((row) => (row as [number, number, string])[2]);
  const marker = (number: number, more: string) => `${number}\t00:00:0${number}:00\t1\tSamples\t${more}\n`;

  test("a marker is its row, and the lines below it that no number begins", () => {
    expect(rows(marker(1, "a door\tthat opens") + marker(2, "a gate\t"))).toEqual(["that opens", "a gate"]);
    expect(rows(`${marker(1, "a door\t")}in the wall\n${marker(2, "b c\t")}`)).toEqual(["a door in the wall", "b c"]);
    expect(rows(`${marker(1, "a door\tit opens")}and shuts\n`)).toEqual(["it opens and shuts"]);
    expect(rows(`${marker(1, "a door")}of wood\tit opens\n`)).toEqual(["it opens"]);
    expect(rows(`${marker(1, "a door\tit")}of wood\topens\n\nwide\n`)).toEqual(["it opens wide"]);
    expect(rows(`lost words\n${marker(1, "a door\t")}`)).toEqual(["a door"]);
    expect(rows(`${marker(1, "a door\t")}2\tx\n`)).toEqual(["x"]);
    expect(rows(`${marker(1, "a door\t")}T R A C K  L I S T I N G\n${marker(2, "no\t")}`)).toEqual(["a door"]);
    expect(rows(`${marker(1, "a door\t")}TRACK NAME:\tx\n${marker(2, "no\t")}`)).toEqual(["a door"]);
    expect(rows(`${marker(1, "a door\t")}A B CD\n`)).toEqual(["a door A B CD"]);
  });

  test("the head counts where it is said first; a rate that it does not say is 25, and samples 48 000 a second", () => {
    const timeOf = (head: string, location: string) =>
      read(`${head}\n${MARKERS}1\t${location}\tSamples\ta door\t\n`).rows.map((row) => (row as [number])[0]);
    expect(timeOf(`${HEAD}SAMPLE RATE:\t96000`, "x\t96000")).toEqual([2]);
    expect(timeOf("SAMPLE RATE:\t96000", "x\t96000")).toEqual([1]);
    expect(timeOf("SAMPLE RATE:\tx", "x\t96000")).toEqual([2]);
    expect(timeOf("SAMPLE RATE:\tx", `x\t${100 * 48_000}`)).toEqual([100]);
    expect(timeOf("TIMECODE FORMAT:\t30 Frame", "00:00:01:15\t1")).toEqual([1.5]);
    expect(timeOf("TIMECODE FORMAT:\todd", "00:00:01:15\t1")).toEqual([1.6]);
    expect(timeOf("TIMECODE FORMAT:\t29.97 Drop Frame", "00:01:00;02\t1")).toEqual([60.06]);
    expect(timeOf("TIMECODE FORMAT:\t29.97 Frame", "00:01:00:02\t1")).toEqual([60.127]);
    expect(timeOf("SESSION START TIMECODE:\t00:00:10:00", "0:01.5\tx")).toEqual([1.5]);
  });

  test("a time is a label, minutes or samples, and nothing else", () => {
    const isTime = (location: string, reference = "", units = "Samples") =>
      read(`${HEAD}${MARKERS}1\t${location}\t${reference}\t${units}\ta door\t\n`).rows.length === 1;
    expect(["00:00:01:00", "00:00:01:00.50", "0:01", "12:00.123456", "48000"].map((time) => isTime(time))).toEqual(
      Array(5).fill(true),
    );
    expect(
      ["0:1", "x0:01", "0:01x", "1|1", "", "x48000", "48000x", "0:01.1234567"].map((time) => isTime(time)),
    ).toEqual(Array(8).fill(false));
    expect([
      isTime("1|1", "48000"),
      isTime("1|1", "48000", "samples"),
      isTime("1|1", "48000", "Ticks"),
      isTime("1|1", "4x"),
      isTime("1|1", "1234567890123456"),
    ]).toEqual([...[true, true, false, false, false]]);
  });

  test("tags are no words; names of clips count where no marker holds any", () => {
    const clip = (name: string) => `1\t1\t${name}\t00:00:01:00\t00:00:02:00\t00:00:01:00\tUnmuted\n`;
    const both = (name: string, clips: string) => read(`${HEAD}${CLIPS}${clips}\n${MARKERS}${marker(5, `${name}\t`)}`);
    expect(both("Marker", clip("A door [ADR] {Actor=Ann} $QN=1 opens")).rows).toMatchObject([[5, 5.5, "Marker"]]);
    expect(both("[ADR]", clip("A door [ADR]opens {Actor=Ann} wide$QN=1x")).rows).toEqual([[1, 2, "A door opens wide"]]);
    expect(both("M_1", clip("A door")).issues).toEqual(["text-from-clip-name@7 A door"]);
    expect(both("M_1", clip("A_1.wav")).rows).toMatchObject([[5, 5.727, "M_1"]]);
    expect(
      read(
        `${HEAD}${CLIPS}${clip("Two doors").replace("00:00:01:00\t00", "00:00:03:00\t00").replace("02:00\t", "04:00\t")}${clip("One door")}`,
      ).rows,
    ).toEqual([
      [1, 2, "One door"],
      [3, 4, "Two doors"],
    ]);
  });

  const clipAt = (start: string, end: string, name: string, state = "Unmuted") =>
    `1\t1\t${name}\t${start}\t${end}\tx\t${state}\n`;

  test("a muted clip is left out and counted, and no marker takes its place", () => {
    const clips = (...states: readonly string[]) =>
      states.map((state, at) => clipAt(`00:00:0${at}:00`, `00:00:0${at}:20`, `Door ${at}`, state)).join("");
    const both = (...states: readonly string[]) =>
      PRO_TOOLS.read(`${HEAD}${CLIPS}${clips(...states)}\n${MARKERS}${marker(5, "M_1\t")}`, {});
    const some = both("Muted", "Unmuted", "MUTED");
    expect(some.cues.map(({ text }) => text)).toEqual(["Door 1"]);
    expect(some.receipt?.leftOut).toEqual([{ what: "muted clip", count: 2, words: ["Door 0", "Door 2"] }]);
    const none = both("Muted");
    expect([none.cues, none.receipt?.leftOut]).toEqual([[], [{ what: "muted clip", count: 1, words: ["Door 0"] }]]);
  });

  test("clips stand by their track, and are brought in order without a word", () => {
    const two = clipAt("00:00:03:00", "00:00:04:00", "Two doors") + clipAt("00:00:01:00", "00:00:02:00", "One door");
    expect(read(`${HEAD}${CLIPS}${two}`).issues).toEqual(["text-from-clip-name@7 Two doors"]);
  });

  test("names of clips alone are refused, with what to give instead", () => {
    const { cues, verdict } = PRO_TOOLS.read(`${HEAD}${CLIPS}${clipAt("00:00:01:00", "00:00:02:00", "A_1.wav")}`, {});
    expect(cues).toEqual([]);
    expect(verdict).toMatchObject({ kind: "does not fit", why: expect.stringContaining("names of clips") });
  });

  test("times in whole seconds are told of what is read alone", () => {
    const clips = clipAt("0:01", "0:02", "A door opens");
    const isTold = (text: string) => read(text).issues.includes("whole-seconds@0");
    expect([
      isTold(`${HEAD}${CLIPS}${clips}`),
      isTold(`${HEAD}${CLIPS}${clipAt("48000", "0:02", "A door opens")}`),
      isTold(`${HEAD}${CLIPS}${clips}\n${MARKERS}1\t0:01\t48000\tSamples\tA gate opens\t\n`),
      isTold(`${HEAD}${MARKERS}1\t0:01\tx\tTicks\tA gate opens\t\n`),
      isTold(`${HEAD}${CLIPS}${clipAt("0:01.5", "0:02.5", "A door opens")}${clipAt("0:03", "0:04.5", "It shuts")}`),
    ]).toEqual([true, true, false, true, true]);
  });

  test("it is known by its first two lines", () => {
    const isIn = PRO_TOOLS.isIn;
    expect([HEAD, `\r\n${HEAD.replaceAll("\n", "\r\n")}`, "SESSION NAME:\t\n SAMPLE RATE:"].map(isIn)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [`x${HEAD}`, "SESSION NAME:\tx\n\nBIT DEPTH:\nSAMPLE RATE:", "SESSION NAME: x\nSAMPLE RATE:", ""].map(isIn),
    ).toEqual(Array(4).fill(false));
  });
});
