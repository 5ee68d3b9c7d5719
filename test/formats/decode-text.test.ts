import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../src/core/bytes.ts";
import { decodeUtf8 } from "../../src/formats/decode-text.ts";
import { decodeText, readCues } from "../../src/formats/index.ts";
import { corpusBytes, corpusDecoded, corpusPaths } from "../corpus/corpus-files.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const codesOf = (bytes: Uint8Array) => decodeText(bytes)?.issues.map((issue) => issue.code);

test("decodes any bytes in UTF-8 as the Encoding Standard does", () => {
  const decoder = new TextDecoder("utf-8");
  const mark = new Uint8Array([0xef, 0xbb, 0xbf]);
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
      fc
        .constantFrom(
          [0xed, 0xa0, 0x80],
          [0xf4, 0x90, 0x80, 0x80],
          [0xe0, 0x80, 0x80],
          [0xc0, 0xaf],
          [0xf0, 0x9f, 0x98],
        )
        .map((bytes) => Uint8Array.from(bytes)),
    ),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const bytes = Uint8Array.from([...mark, ...parts.flatMap((part) => [...part])]);
      expect(decodeText(bytes)?.text).toBe(decoder.decode(bytes));
    }),
    { numRuns: 2000 },
  );
});

test.each(["utf-16le", "utf-16be"] as const)("decodes any bytes in %s as the Encoding Standard does", (encoding) => {
  const decoder = new TextDecoder(encoding);
  const mark = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (rest) => {
      // Two empty bytes behind the mark of UTF-16 make the mark of UTF-32, which the standard leaves out.
      fc.pre(encoding === "utf-16be" || rest[0] !== 0 || rest[1] !== 0);
      const bytes = Uint8Array.from([...mark, ...rest]);
      expect(decodeText(bytes)).toMatchObject({ text: decoder.decode(bytes), encoding });
    }),
    { numRuns: 1000 },
  );
});

test("decodes every file of the corpora that is UTF-8 or marked as the Encoding Standard does", () => {
  const paths = ["webvtt", "srt", "edl"].flatMap(corpusPaths);
  for (const path of paths) {
    const bytes = corpusBytes(path);
    const { text, encoding } = decodeText(bytes) ?? { text: null, encoding: "windows-1252" };
    if (text !== null) expect({ path, text }).toEqual({ path, text: new TextDecoder(encoding).decode(bytes) });
  }
});

test("tells UTF-16 without a mark by its empty bytes", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\nWörld ✓";
  const bytes = new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer);
  expect(decodeText(bytes)).toMatchObject({ encoding: "utf-16le", text: expect.stringContaining("Wörld ✓") });
  expect(decodeText(bytes.map((_, index) => bytes[index ^ 1] ?? 0))?.encoding).toBe("utf-16be");
});

test("tells UTF-16 of a script without blanks by its line ends", () => {
  const { text, encoding, issues } = decodeText(corpusBytes("exchange/encodings/ja-utf-16-le.txt")) ?? { text: "" };
  expect([encoding, issues?.map(({ code }) => code)]).toEqual(["utf-16le", ["encoding"]]);
  expect(text).toBe(new TextDecoder("utf-16le").decode(corpusBytes("exchange/encodings/ja-utf-16-le.txt")));
});

test("decodes UTF-32 by its mark, and what is no character there becomes U+FFFD", () => {
  for (const isLittleEndian of [true, false]) {
    const view = new DataView(new ArrayBuffer(19));
    for (const [index, point] of [0xfeff, 0x1f600, 0xd800, 0x110000].entries()) {
      view.setUint32(index * 4, point, isLittleEndian);
    }
    const encoding = isLittleEndian ? "utf-32le" : "utf-32be";
    const bytes = new Uint8Array(view.buffer);
    expect(decodeText(bytes)).toMatchObject({ encoding, text: "\u{1f600}\ufffd\ufffd\ufffd" });
    expect(codesOf(bytes)).toEqual(["bad-bytes"]);
  }
});

test("of UTF-32 what pairs are made of is no character, to the last of them; what lies beside is", () => {
  const points = [0xfeff, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0x10ffff, 0x110000];
  const view = new DataView(new ArrayBuffer(4 * points.length));
  for (const [index, point] of points.entries()) view.setUint32(index * 4, point, true);
  const { text = "" } = decodeText(new Uint8Array(view.buffer)) ?? {};
  expect([...text].map((one) => one.codePointAt(0))).toEqual([0xd7ff, 0xfffd, 0xfffd, 0xe000, 0x10ffff, 0xfffd]);
});

test("takes bytes of UTF-8 for the characters that every reader of it does, up to the last of each kind", () => {
  const words = new TextEncoder().encode("äöüßéèàçñ ".repeat(8));
  const decoder = new TextDecoder("utf-8");
  for (const first of [0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5]) {
    for (const second of [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]) {
      for (const rest of [[], [0x80], [0xbf, 0xbf], [0x80, 0x7f]]) {
        const bytes = Uint8Array.from([...words, first, second, ...rest, 0x41]);
        expect(decodeText(bytes)?.text, `${first} ${second} ${rest}`).toBe(decoder.decode(bytes));
      }
    }
  }
});

test("knows nothing of what is not Unicode", () => {
  expect(decodeText(latin1("Caf\xe9 \x93quoted\x94 \x80 5"))).toBeNull();
});

test("keeps UTF-8 with a few broken bytes, and counts them", () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode("äöüßéèàçñ "), 0xff, 0x41]);
  expect(decodeText(bytes)).toMatchObject({ encoding: "utf-8", text: "äöüßéèàçñ \ufffdA" });
  expect(codesOf(bytes)).toEqual(["bad-bytes"]);
});

test("the Hindi captions of the corpora, in UTF-16, read as cues", () => {
  const { text, encoding, issues } = corpusDecoded("webvtt/languages/video-introduction.hi.vtt");
  expect([encoding, issues.map((issue) => issue.code)]).toEqual(["utf-16le", []]);
  expect(readCues(text).cues.length).toBeGreaterThan(40);
});

test("an empty file is empty text in UTF-8", () => {
  expect(decodeText(new Uint8Array())).toEqual({ text: "", encoding: "utf-8", issues: [] });
});

describe("UTF-8 alone", () => {
  test("reads back what was written, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeUtf8(utf8Bytes(text)).text).toBe(text);
      }),
    );
  });

  test("is what the standard decoder makes of any bytes, a byte order mark among them", () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(decodeUtf8(bytes).text).toBe(decoder.decode(bytes));
      }),
    );
  });
});

describe("bytes without a mark", () => {
  /** Pairs of letters, of which so many have an empty first byte and so many an empty second one. */
  const pairs = (count: number, even: number, odd: number, letter = 0x61) =>
    Uint8Array.from({ length: count * 2 }, (_, at) =>
      (at % 2 === 0 ? at / 2 < even : (at - 1) / 2 >= count - odd) ? 0 : letter,
    );
  const encodingOf = (bytes: Uint8Array) => decodeText(bytes)?.encoding ?? null;

  test("are UTF-16 where more than three in ten pairs are empty on one side, and four times as many as on the other", () => {
    expect([encodingOf(pairs(100, 0, 30)), encodingOf(pairs(100, 0, 31))]).toEqual(["utf-8", "utf-16le"]);
    expect([encodingOf(pairs(100, 30, 0)), encodingOf(pairs(100, 31, 0))]).toEqual(["utf-8", "utf-16be"]);
    expect([encodingOf(pairs(100, 10, 40)), encodingOf(pairs(100, 9, 40))]).toEqual(["utf-8", "utf-16le"]);
    expect([encodingOf(pairs(100, 40, 10)), encodingOf(pairs(100, 40, 9))]).toEqual(["utf-8", "utf-16be"]);
    expect(decodeText(pairs(100, 0, 31))?.issues).toMatchObject([
      { code: "encoding", line: 0, message: expect.stringContaining("utf-16le was assumed") },
    ]);
    expect(decodeText(pairs(100, 0, 30))?.issues).toEqual([]);
  });

  test("are UTF-16 where one in a hundred is, and they are no UTF-8 and all of them characters", () => {
    const sparse = (odd: number, count = 400) => encodingOf(pairs(count, 0, odd, 0x82));
    expect([sparse(4), sparse(5), sparse(1, 50), sparse(2, 50)]).toEqual([null, "utf-16le", null, "utf-16le"]);
    expect(encodingOf(pairs(400, 5, 0, 0x82))).toBe("utf-16be");
    expect(encodingOf(pairs(400, 0, 5, 0xd9))).toBeNull();
  });

  test("are UTF-8 where it has at most one fault, or four times as many characters of several bytes as faults", () => {
    const bytes = (good: number, bad: number) => latin1("\u00c3\u00a9".repeat(good) + "a\u00ff".repeat(bad));
    const told = (good: number, bad: number) => {
      const decoded = decodeText(bytes(good, bad));
      return decoded === null
        ? null
        : [decoded.encoding, ...decoded.issues.map(({ code, message }) => `${code} ${/\d+/.exec(message)?.[0]}`)];
    };
    expect([told(1, 0), told(1, 1), told(9, 2), told(8, 2), told(0, 1)]).toEqual([
      ["utf-8"],
      ["utf-8", "bad-bytes 1"],
      ["utf-8", "bad-bytes 2"],
      null,
      null,
    ]);
    expect(decodeText(latin1("plain\u007f"))).toEqual({ text: "plain\u007f", encoding: "utf-8", issues: [] });
  });

  test("are those of EBU STL where its head is there whole, each the character of its number", () => {
    const stl = `850STL25.01${"\u00e9".repeat(1013)}`;
    expect(decodeText(latin1(stl))).toEqual({ text: stl, encoding: "binary", issues: [] });
    for (const other of [
      stl.slice(0, 1023),
      `x${stl.slice(1)}`,
      stl.replace("850STL25.01", "850STL25x01"),
      stl.replace("850STL", "850stl"),
    ]) {
      expect(encodingOf(latin1(other))).not.toBe("binary");
    }
  });

  test("of UTF-16 that end in half a pair, or half a character, have one fault there", () => {
    const told = (...bytes: readonly number[]) => {
      const { text, issues } = decodeText(Uint8Array.from([0xff, 0xfe, ...bytes])) ?? { text: "", issues: [] };
      return [text, ...issues.map(({ code, message }) => `${code} ${/\d+$/.exec(message)?.[0]}`)];
    };
    expect(told(0x61, 0, 0x62)).toEqual(["a\ufffd", "bad-bytes 1"]);
    expect(told(0x61, 0, 0, 0xd8, 0x62)).toEqual(["a\ufffd", "bad-bytes 1"]);
    expect(told(0x61, 0, 0, 0xdc, 0x62)).toEqual(["a\ufffd\ufffd", "bad-bytes 2"]);
    expect(told(0x61, 0, 0, 0xd8)).toEqual(["a\ufffd", "bad-bytes 1"]);
    expect([told(0x62), told(), told(0x61, 0)]).toEqual([["\ufffd", "bad-bytes 1"], [""], ["a"]]);
  });

  test("of any length are decoded whole", () => {
    for (const length of [8191, 8192, 8193, 20_000]) {
      const text = "ab\u00e9c".repeat(length / 4 + 1).slice(0, length);
      expect(decodeText(new TextEncoder().encode(text))?.text).toBe(text);
    }
  });
});
