import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { formatTimecode } from "../../../src/core/timecode.ts";
import { assText, isAss, parseAss } from "../../../src/formats/captions/ass.ts";
import { isEbuStl, parseEbuStl, stlText } from "../../../src/formats/captions/ebu-stl.ts";
import { isScc, parseScc } from "../../../src/formats/captions/scc.ts";
import type { CueDocument } from "../../../src/formats/cue-list.ts";

const codesOf = ({ issues }: CueDocument) => issues.map(({ code, line }) => `${code}@${line}`);
const rowsOf = ({ cues }: CueDocument) =>
  cues.map(({ start, end, text }) => [Number(start.toFixed(3)), Number(end.toFixed(3)), text]);

describe("SCC", () => {
  const NTSC = frameRate(30000, 1001);
  /** Characters and their bytes as CTA-608 has them: plain ones, special ones, those that replace the one before. */
  const PLAIN = { á: 0x2a, é: 0x5c, í: 0x5e, ó: 0x5f, ú: 0x60, ç: 0x7b, "÷": 0x7c, Ñ: 0x7d, ñ: 0x7e, "█": 0x7f };
  const SPECIAL = { "®": 0x30, "½": 0x32, "™": 0x34, "♪": 0x37, û: 0x3f };
  const EXTENDED = {
    Á: [0x12, 0x20],
    "“": [0x12, 0x2e],
    "»": [0x12, 0x3f],
    Ã: [0x13, 0x20],
    "{": [0x13, 0x29],
    ß: [0x13, 0x34],
    "┘": [0x13, 0x3f],
  } as const;
  const CHARACTERS = [..."AZaz09 ?!", ...Object.keys(PLAIN), ...Object.keys(SPECIAL), ...Object.keys(EXTENDED)];

  /** What is sent for one character: a byte of a pair, or pairs of control. */
  function sent(character: string): { byte: number } | { before: string; pair: readonly [number, number] } {
    const special = SPECIAL[character as keyof typeof SPECIAL];
    if (special !== undefined) return { before: "", pair: [0x11, special] };
    const extended = EXTENDED[character as keyof typeof EXTENDED];
    if (extended !== undefined) return { before: "e", pair: extended };
    return { byte: PLAIN[character as keyof typeof PLAIN] ?? character.charCodeAt(0) };
  }

  /** Pairs of bytes without parity; each control pair is sent twice, as encoders do, or once with a filler behind it. */
  class Sender {
    readonly pairs: (readonly [number, number])[] = [];
    readonly #isDoubled: boolean;

    constructor(isDoubled: boolean) {
      this.#isDoubled = isDoubled;
    }

    control(first: number, second: number): void {
      this.pairs.push([first, second], this.#isDoubled ? [first, second] : [0, 0]);
    }

    write(text: string): void {
      let bytes: number[] = [];
      const flush = () => {
        for (let at = 0; at < bytes.length; at += 2) this.pairs.push([bytes[at] ?? 0, bytes[at + 1] ?? 0]);
        bytes = [];
      };
      for (const character of text) {
        const one = sent(character);
        if ("byte" in one) bytes.push(one.byte);
        else {
          bytes.push(...[...one.before].map((letter) => letter.charCodeAt(0)));
          flush();
          this.control(...one.pair);
        }
      }
      flush();
    }
  }

  const captions = fc.record({
    isDoubled: fc.boolean(),
    isDropFrame: fc.boolean(),
    hasParity: fc.boolean(),
    rows: fc.array(
      fc.record({
        mode: fc.constantFrom("pop-on", "paint-on", "roll-up"),
        text: fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 20 }).map((parts) => parts.join("")),
        wait: fc.integer({ min: 1, max: 5000 }),
        length: fc.integer({ min: 200, max: 900 }),
        hasOther: fc.boolean(),
        mistake: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  });

  test("captions that are sent in any mode are read with their words, from when they are seen until they are taken away", () => {
    fc.assert(
      fc.property(captions, ({ isDoubled, isDropFrame, hasParity, rows }) => {
        const lines = ["Scenarist_SCC V1.0", ""];
        const byte = (value: number) => (value | (hasParity ? 0x80 : 0)).toString(16).padStart(2, "0");
        const send = (frame: number, { pairs }: Sender) => {
          const label = formatTimecode(frame, { rate: NTSC, isDropFrame });
          lines.push(`${label}\t${pairs.map(([first, second]) => byte(first) + byte(second)).join(" ")}`, "");
        };
        let frame = 0;
        let others = 0;
        const expected = rows.flatMap(({ mode, text, wait, length, hasOther, mistake }) => {
          frame += wait;
          const sender = new Sender(isDoubled);
          if (mode === "pop-on") {
            sender.control(0x14, 0x20);
            sender.control(0x14, 0x2e);
          } else sender.control(0x14, mode === "paint-on" ? 0x29 : 0x26);
          if (mode === "roll-up") sender.control(0x14, 0x2d);
          if (hasOther) {
            sender.control(0x1c, 0x20);
            sender.pairs.push([0x4e, 0x4f]);
            others += 1;
          }
          // A row, and blanks before its words.
          sender.control(0x14, 0x70);
          sender.control(0x17, 0x22);
          let first = sender.pairs.length;
          const words = text.trim();
          if (mistake) {
            sender.write("x");
            sender.control(0x14, 0x21);
          }
          sender.write(words);
          if (mode === "pop-on") {
            first = sender.pairs.length + 2;
            sender.control(0x14, 0x2f);
          }
          send(frame, sender);
          const start = frame + first;
          frame += length;
          const clear = new Sender(isDoubled);
          clear.control(0x14, 0x2c);
          send(frame, clear);
          const end = frame + 2;
          frame += 2;
          const spoken = words.replace(/ +/g, " ");
          return spoken === "" ? [] : [{ start, end, text: spoken }];
        });
        const read = parseScc(lines.join("\n"));
        const seconds = (count: number) => Number(secondsFromFrames(count, NTSC).toFixed(3));
        expect(rowsOf(read)).toEqual(expected.map((one) => [seconds(one.start), seconds(one.end), one.text]));
        const codes = read.issues.filter(({ code }) => code === "unknown-object");
        const leftOut = others === 0 ? [] : [{ what: "command of another channel", count: others }];
        expect(read.receipt?.leftOut).toEqual(leftOut);
        expect(codes.map(({ message }) => Number(/\d+/.exec(message)))).toEqual(others === 0 ? [] : [others]);
      }),
      { numRuns: 150 },
    );
  });

  test("a caption ends where the next one takes its place; the last one has no end", () => {
    const read = parseScc("Scenarist_SCC V1.0\n\n00:00:01:00\t1420 4141 142f\n\n00:00:02:00\t1420 4242 142f\n");
    expect(read.cues.map(({ text }) => text)).toEqual(["AA", "BB"]);
    expect(read.cues[0]?.end).toBe(read.cues[1]?.start);
    expect(codesOf(read)).toEqual(["missing-end@5"]);
  });

  test("lines that are none, pairs that are none and labels that are none are told by their line", () => {
    const text = ["Scenarist_SCC V1.0", "", "what", "00:00:01:00\t1420 zzzz 4141 142f 41", "00:00:01:30\t142c"].join(
      "\n",
    );
    const read = parseScc(text);
    expect(codesOf(read)).toEqual(["unknown-line@3", "bad-entry@4", "label-out-of-range@5"]);
    expect(read.issues[1]).toMatchObject({ text: "zzzz", message: expect.stringContaining("2 ") });
    expect([isScc(" \n scenarist_scc v1.0"), isScc("x Scenarist_SCC V1.0")]).toEqual([true, false]);
  });
});

describe("EBU STL", () => {
  /** ISO 6937: a mark stands before its letter. */
  const LATIN: Readonly<Record<string, readonly number[]>> = {
    é: [0xc2, 0x65],
    è: [0xc1, 0x65],
    ô: [0xc3, 0x6f],
    ñ: [0xc4, 0x6e],
    ö: [0xc8, 0x6f],
    å: [0xca, 0x61],
    ç: [0xcb, 0x63],
    š: [0xcf, 0x73],
    ø: [0xf9],
    æ: [0xf1],
    Ł: [0xe8],
    "♪": [0xd5],
    "£": [0xa3],
    "¿": [0xbf],
  };
  const bytesOf = (text: string) => [...text].flatMap((one) => LATIN[one] ?? [one.charCodeAt(0)]);
  const ascii = (text: string) => [...text].map((one) => one.charCodeAt(0));

  interface Block {
    readonly group?: number;
    readonly number: number;
    readonly part: number;
    readonly start: number;
    readonly end: number;
    readonly isComment?: boolean;
    readonly field: readonly number[];
  }

  const pairs = (frame: number, nominal: number) => {
    const seconds = Math.floor(frame / nominal);
    return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frame % nominal];
  };

  function stl(
    blocks: readonly Block[],
    { nominal = 25, table = "00", start = 0, stated = blocks.length } = {},
  ): string {
    const two = (value: number) => String(value).padStart(2, "0");
    const head = new Array<number>(1024).fill(0x20);
    const put = (at: number, text: string) => head.splice(at, text.length, ...ascii(text));
    put(0, `850STL${nominal}.01`);
    put(12, table);
    put(238, String(stated).padStart(5, "0"));
    put(256, pairs(start, nominal).map(two).join(""));
    const bodies = blocks.map(({ group = 0, number, part, start, end, isComment = false, field }) => [
      ...[group, number % 256, Math.floor(number / 256), part, 0, ...pairs(start, nominal), ...pairs(end, nominal)],
      ...[20, 2, isComment ? 1 : 0, ...field, ...new Array<number>(112 - field.length).fill(0x8f)],
    ]);
    return String.fromCharCode(...head, ...bodies.flat());
  }

  const subtitles = fc.record({
    nominal: fc.constantFrom(25, 30),
    start: fc.constantFrom(0, 3600, 36_000),
    rows: fc.array(
      fc.record({
        parts: fc.array(
          fc
            .array(fc.constantFrom(..."AZaz09 .~", ...Object.keys(LATIN)), { minLength: 1, maxLength: 40 })
            .map((all) => all.join("")),
          { minLength: 1, maxLength: 3 },
        ),
        wait: fc.nat(500),
        length: fc.integer({ min: 1, max: 200 }),
        isFollowed: fc.boolean(),
      }),
      { maxLength: 6 },
    ),
  });

  test("subtitles of any number of blocks are read with their words and times, whatever stands between them", () => {
    fc.assert(
      fc.property(subtitles, ({ nominal, start, rows }) => {
        const first = start * nominal;
        let frame = first;
        const blocks: Block[] = [];
        const expected = rows.flatMap(({ parts, wait, length, isFollowed }, number) => {
          const times = { start: frame + wait, end: frame + wait + length };
          frame = times.end;
          for (const [index, part] of parts.entries()) {
            const isLast = index === parts.length - 1;
            blocks.push({ ...times, number: number + 250, part: isLast ? 0xff : index, field: bytesOf(part) });
          }
          if (isFollowed) {
            blocks.push({ ...times, number: number + 250, part: 0xfe, field: ascii("maker") });
            blocks.push({ ...times, number: number + 250, part: 0xff, isComment: true, field: ascii("remark") });
          }
          const text = parts.join(" ").replace(/ +/g, " ").trim();
          return text === "" ? [] : [[times.start - first, times.end - first, text]];
        });
        const read = parseEbuStl(stl(blocks, { nominal, start: first }));
        const frames = (seconds: number) => Math.round(seconds * nominal);
        expect(read.cues.map(({ start, end, text }) => [frames(start), frames(end), text])).toEqual(expected);
        const others = blocks.filter(({ part, isComment }) => part === 0xfe || isComment === true).length;
        const told = read.issues.filter(({ code }) => code === "stray-text");
        expect(told.map(({ message }) => Number(/\d+/.exec(message)))).toEqual(others === 0 ? [] : [others]);
        expect(read.issues.filter(({ code }) => code !== "stray-text" && code !== "no-cues")).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("a subtitle ends where another begins, if its last block is missing; groups are apart", () => {
    const times = { start: 25, end: 50 };
    const open = { number: 1, part: 0, ...times, field: ascii("one") };
    const texts = (...blocks: Block[]) => parseEbuStl(stl(blocks)).cues.map(({ text }) => text);
    expect(texts(open, { ...open, number: 2, start: 50, end: 75, part: 0xff })).toEqual(["one", "one"]);
    expect(texts(open, { ...open, group: 1, start: 50, end: 75 })).toEqual(["one", "one"]);
    expect(texts(open, { ...open, part: 0xff })).toEqual(["one one"]);
    expect(texts({ ...open, part: 0xff }, { ...open, part: 0xff })).toEqual(["one", "one"]);
    // Numbers have two bytes: these two differ in the higher one alone.
    expect(texts(open, { ...open, number: 257, start: 50, end: 75, part: 0xff })).toEqual(["one", "one"]);
  });

  test("what is never shown, what overlaps, times that are none and a wrong count of blocks are told", () => {
    const one = { number: 1, part: 0xff, start: 25, end: 50, field: ascii("one") };
    const codes = (...given: Parameters<typeof stl>) => codesOf(parseEbuStl(stl(...given)));
    expect(codes([{ ...one, end: 25 }])).toEqual(["never-shown@0", "no-cues@0"]);
    expect(codes([one, { ...one, number: 2, start: 49, end: 60 }])).toEqual(["overlap@0"]);
    expect(codes([one, { ...one, number: 2, start: 50, end: 60 }])).toEqual([]);
    expect(codes([one], { stated: 2 })).toEqual(["block-count@0"]);
    for (const at of [5, 6, 7, 8]) {
      const text = stl([one]);
      const bad = text.slice(0, 1024 + at) + String.fromCharCode(at === 8 ? 25 : 60) + text.slice(1025 + at);
      expect(codesOf(parseEbuStl(bad)), `byte ${at}`).toEqual(["bad-timing@0", "no-cues@0"]);
    }
    const unfinished = stl([one]).slice(0, -1);
    expect(codesOf(parseEbuStl(unfinished))).toEqual(["block-count@0", "no-cues@0"]);
    expect([isEbuStl(stl([])), isEbuStl(stl([]).slice(1)), isEbuStl(stl([]).slice(0, 1023))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["01", "iso-8859-5", []],
    ["02", "iso-8859-6", []],
    // Signs that 8859-7 has had since 2003.
    ["03", "iso-8859-7", [0xa4, 0xa5, 0xaa]],
    ["04", "iso-8859-8", [0xfd, 0xfe]],
  ] as const)("table %s is %s", (table, encoding, later) => {
    for (let byte = 0xa0; byte <= 0xff; byte++) {
      const character = new TextDecoder(encoding).decode(Uint8Array.of(byte));
      if (character === "\ufffd" || later.some((one) => one === byte)) continue;
      expect(stlText(String.fromCharCode(byte), table), byte.toString(16)).toBe(character.normalize("NFC"));
    }
  });

  test("codes of the layout are blanks or nothing, and the filler ends a field", () => {
    expect(stlText("a\u008ab\u0007c\u0080d\u0085e\u007ff\u008fg", "00")).toBe("a b cdef");
    expect(stlText("\u00d8\u00c8", "00")).toBe("\ufffd");
  });
});

describe("SubStation Alpha", () => {
  const ass = (...lines: string[]) => parseAss(["[Script Info]", "Title: x", "[Events]", ...lines].join("\n"));

  test("its columns are where the file says, its usual ones where it does not, and the last one holds commas", () => {
    const usual = "Dialogue: 0,0:00:01.50,0:00:02.25,Default,Ann,0,0,0,,One, {\\i1}two{\\i0}\\Nthree";
    expect(rowsOf(ass(usual))).toEqual([[1.5, 2.25, "One, two three"]]);
    expect(rowsOf(ass("Format: Text, End , START", "Dialogue: One,0:00:02.25,0:00:01.50"))).toEqual([
      [1.5, 2.25, "One"],
    ]);
    expect(rowsOf(ass("dialogue : 0,0:00:01.50,0:00:02.25,,,,,,,a", "[Fonts]", usual))).toEqual([[1.5, 2.25, "a"]]);
    expect(rowsOf(parseAss(usual))).toEqual([]);
  });

  test("lines that are switched off are counted, times that are none told by their line", () => {
    const read = ass(
      "Comment: 0,0:00:01.50,0:00:02.25,,,,,,,a",
      "Comment: x",
      "Dialogue: 0,never,0:00:02.25,,,,,,,words",
    );
    expect(codesOf(read)).toEqual(["unknown-object@0", "no-cues@0", "bad-timing@6"]);
    expect(read.receipt?.leftOut).toEqual([{ what: "comment", count: 2 }]);
    expect(read.issues[0]?.message).toContain("2 lines");
    expect(read.issues[2]?.text).toBe("words");
    expect(codesOf(ass("Dialogue: 0,0:00:01.50,0:00:02.25,,,,,,,a"))).toEqual([]);
  });

  test("it is known by its first section, perhaps behind remarks", () => {
    const known = ["[Script Info]", "; x\n! y\n\n [V4+ Styles]", "[v4 styles]", "[Events]"];
    expect(known.map(isAss)).toEqual([true, true, true, true]);
    expect(["[Fonts]", "x [Events]", "; [Events]"].map(isAss)).toEqual([false, false, false]);
  });
});

describe("what SubStation Alpha says", () => {
  const told = (...lines: readonly string[]) => {
    const read = parseAss(lines.join("\n"));
    return [
      ...rowsOf(read).map((row) => row.join(" ")),
      ...read.issues.map(({ code, line, text }) => `${code}@${line} ${text}`.trim()),
    ];
  };

  test("stands in its events alone, whatever the case and the blanks of its words", () => {
    expect(
      told(
        "Dialogue: 0,0:00:01.00,0:00:02.00,,,,,,,before",
        " [ EVENTS ] ",
        " format : Start , END, Text ",
        "dialogue:0:00:03.00, 0:00:04.00 ,one,two",
        "DIALOGUE :soon,0:00:05.00,three",
        "Dialogue: 0:00:06.00,never,four",
        "xDialogue: 0:00:07.00,0:00:08.00,no",
        "Picture: x",
        "COMMENT: 0:00:07.00,0:00:08.00,no",
        "Comment: 0:00:07.00,0:00:08.00,no",
        "[Fonts]",
        "Dialogue: 0:00:09.00,0:00:10.00,no",
      ),
    ).toEqual(["3 4 one,two", "6 6.5 four", "unknown-object@0", "bad-timing@5 three", "missing-end@6 four"]);
    expect(
      parseAss("[Events]\nComment: a\nComment: b").issues.map(({ message }) => /\d+/.exec(message)?.[0]),
    ).toContain("2");
    expect(told("[Events]", "Format: Start, Text, End", "Dialogue: 0:00:01.00,a,0:00:02.00,x")).toEqual([
      "1 1.5 a",
      "missing-end@3 a",
    ]);
    expect(told("[Events]", "Format: Start, End", "Dialogue: 0:00:01.00,0:00:02.00")).toEqual([
      "no-cues@0",
      "missing-text@3",
    ]);
  });

  test.each([
    ["a{\\b1}b{x}c", "abc"],
    ["a\\Nb\\nc\\hd", "a b c d"],
    ["{\\p1}m 0 0{\\p0}a{\\p12}l{\\pos(1,2)}l{\\p0}b", "ab"],
    ["{\\pos(1,2)}a", "a"],
    ["a{b", "a{b"],
    ["{\\p1}a{b", ""],
    ["a}b", "a}b"],
    ["{}a{}", "a"],
  ])("%j is spoken as %j", (text, words) => {
    expect(assText(text)).toBe(words);
  });

  test("begins with one of its sections, perhaps behind remarks", () => {
    for (const text of ["[Script Info]", "; a\n!b\n\n [script info]", "[V4+ Styles]", "[V4 Styles]", "[Events]"])
      expect(isAss(text), text).toBe(true);
    for (const text of ["x[Script Info]", "[Fonts]", "; [Events]", "V4 Styles"]) expect(isAss(text), text).toBe(false);
  });
});

describe("what captions of line 21 do", () => {
  const scc = (...lines: readonly string[]) => {
    const read = parseScc(["Scenarist_SCC V1.0", ...lines].join("\n"));
    const frames = (seconds: number) => Math.round((seconds * 30_000) / 1001);
    return [
      ...read.cues.map(({ start, end, text }) => `${frames(start)}-${frames(end)} ${text}`),
      ...read.issues.map(({ code, line }) => `${code}@${line}`),
    ];
  };
  const CLEAR = "00:00:09:00 142c";
  const rows = (...pairs: readonly string[]) => scc(`00:00:01:00 ${pairs.join(" ")}`, CLEAR);

  test("words made ready are shown at once, and what was shown before goes", () => {
    expect(rows("1420", "4161", "142f", "4262", "142f")).toEqual(["34-36 Aa", "36-272 Bb"]);
    // Without words nothing is shown.
    expect(rows("1420", "4161", "142f", "142e", "142f")).toEqual(["34-36 Aa"]);
    expect(rows("1420", "4161", "142e", "4262", "142f")).toEqual(["36-272 Bb"]);
    expect(rows("1520", "4161", "152f")).toEqual(["34-272 Aa"]);
  });

  test("words painted on begin with their first sign, and take the place of what was there", () => {
    expect(rows("1429", "2020", "4161")).toEqual(["32-272 Aa"]);
    expect(rows("1429", "4161", "1429", "4262")).toEqual(["31-34 Aa", "33-272 Bb"]);
    expect(rows("1420", "4161", "142f", "1429", "4262")).toEqual(["34-35 Aa", "34-272 Bb"]);
  });

  test("rows roll up, one after the other; the first of them takes the place of what was there", () => {
    for (const command of ["1425", "1426", "1427"]) {
      expect(rows(command, "4161", "142d", "4262")).toEqual(["31-34 Aa", "33-272 Bb"]);
      expect(rows(command, "4161", "142d", "142d", "142d", command, "4262"), command).toEqual([
        "31-34 Aa",
        "36-272 Bb",
      ]);
      expect(rows("1420", "4161", "142f", command, "4262"), command).toEqual(["34-35 Aa", "34-272 Bb"]);
    }
    expect(rows("1429", "4161", "142d", "4262")).toEqual(["31-272 AaBb"]);
    expect(rows("1424", "4161", "1420", "142f")).toEqual(["35-272 Aa"]);
  });

  test("a step back takes one sign, of what is made ready or of what is shown", () => {
    expect(rows("1420", "4161", "1421", "4200", "142f")).toEqual(["36-272 AB"]);
    expect(rows("1429", "4161", "1421", "4200")).toEqual(["31-272 AB"]);
    expect(rows("1429", "1421", "4200")).toEqual(["32-272 B"]);
  });

  test("rows and colours part words; other commands, and signs that are none, do not", () => {
    expect(rows("1420", "4100", "1470", "4200", "112e", "4300", "1120", "4400", "142f")).toEqual(["40-272 A B C D"]);
    expect(rows("1420", "4100", "1721", "0d42", "1023", "4300", "142f")).toEqual(["38-272 ABC"]);
    expect(rows("1420", "4100", "1722", "4200", "142b", "142f")).toEqual(["37-272 AB"]);
    expect(rows("1420", "4100", "1040", "4200", "142f")).toEqual(["36-272 A B"]);
    // Right behind the signs that codes of two bytes stand for, and the commands, are rows again, or nothing.
    for (const row of ["1140", "1240", "1340", "1440", "1540"]) {
      expect(rows("1420", "4100", row, "4200", "142f"), row).toEqual(["36-272 A B"]);
    }
    for (const none of ["111f", "121f", "131f", "141f", "1430", "151f", "1530"]) {
      expect(rows("1420", "4100", none, "4200", "142f"), none).toEqual(["36-272 AB"]);
    }
    expect(rows("1420", "4100", "113f", "4200", "1220", "133f", "142f")).toEqual([
      expect.stringMatching(/^\d+-272 Aû\S$/),
    ]);
  });

  test("a command that is sent twice counts once, a third time again, and in between it is new", () => {
    expect(rows("1420", "1420", "4161", "1421", "1421", "1421", "142f", "142f")).toEqual(
      ["38-272"].map(() => "no-cues@0"),
    );
    expect(rows("1420", "4161", "1421", "4200", "1421", "142f")).toEqual(["37-272 A"]);
  });

  test("pairs of another channel are left out up to the next command of the first", () => {
    expect(rows("1420", "4161", "1c20", "4262", "1470", "4363", "142f")).toEqual(["38-272 Aa Cc", "unknown-object@0"]);
    expect(rows("1420", "4161", "1820", "4262", "142f")).toEqual(["36-272 Aa", "unknown-object@0"]);
    expect(rows("1420", "4161", "1723", "4262", "142f")).toEqual(["36-272 AaBb"]);
  });

  test("what is taken away before it is shown has an end that is estimated, which is told", () => {
    expect(scc("00:00:01:00 1420 4161 142f", "00:00:00:10 142c")).toEqual([
      expect.stringMatching(/^34-\d+ Aa$/),
      "end-before-start@2",
    ]);
  });

  test("labels with a semicolon count drop-frame, all of them", () => {
    expect(scc("00:01:00;02 1420 4161 142f", "00:01:01:00 142c")).toEqual(["1804-1830 Aa"]);
    expect(scc("00:01:00:02 1420 4161 142f", "00:01:01:00 142c")).toEqual(["1806-1832 Aa"]);
  });
});

test("a subtitle's blocks of the second hundred count, and its number is of two bytes", () => {
  expect(stlText("\u0080\u0085\u009fa\u00a0b", "01")).toBe("a\u00a0b");
  expect(stlText("\u001fa\u007eb", "00")).toBe(" a~b");
});
