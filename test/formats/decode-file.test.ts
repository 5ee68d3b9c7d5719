import { describe, expect, test } from "vitest";
import { decodeFile, decoderOf } from "../../src/formats/decode-file.ts";
import { isMarked } from "../../src/formats/decode-text.ts";
import { readCues } from "../../src/formats/index.ts";
import { corpusBytes, corpusJson, corpusPaths } from "../corpus/corpus-files.ts";

/** What a file of the corpus holds, by its `.truth.json`. */
interface Truth {
  readonly encoding: string;
  readonly characters?: number;
  readonly first_text?: string;
  /** Of subtitles: the words of every cue. */
  readonly texts?: readonly string[];
}

/** Shortest text whose encoding must be told, in bytes: the README of the corpus says that shorter ones cannot be. */
const LONG_ENOUGH = 150;

const PATHS = corpusPaths("exchange/encodings").filter((path) => !path.endsWith(".truth.json"));

describe("a file in whatever encoding", () => {
  test("there are 32 of them", () => expect(PATHS).toHaveLength(32));

  test.each(PATHS)("%s reads as it is, or is refused where it is too short to tell", (path) => {
    const bytes = corpusBytes(path);
    const truth = corpusJson<Truth>(`${path}.truth.json`);
    const decoded = decodeFile(bytes);
    if (decoded === null) return expect(bytes.length).toBeLessThan(LONG_ENOUGH);
    expect(decoded.issues.map(({ code }) => code)).toEqual(isMarked(bytes) ? [] : ["encoding"]);
    if (truth.characters !== undefined) expect([...decoded.text]).toHaveLength(truth.characters);
    if (truth.first_text !== undefined) expect(decoded.text.slice(0, truth.first_text.length)).toBe(truth.first_text);
    if (truth.texts !== undefined) expect(readCues(decoded.text).cues.map(({ text }) => text)).toEqual(truth.texts);
  });

  test.each(PATHS)(
    "%s reads as it is when its encoding is named as Python names it, and nothing is assumed",
    (path) => {
      const truth = corpusJson<Truth>(`${path}.truth.json`);
      // Python's names that the Encoding Standard does not know; UTF-32 and marked files state theirs.
      const names: Record<string, string> = { cp932: "shift_jis", iso8859_9: "iso8859-9", mac_roman: "mac-roman" };
      const more: Record<string, string> = {
        mac_cyrillic: "mac-cyrillic",
        euc_jp: "euc-jp",
        koi8_r: "koi8-r",
        tis_620: "tis-620",
      };
      const name = { ...names, ...more }[truth.encoding] ?? truth.encoding;
      if (/^utf/.test(name)) return;
      const decoded = decodeFile(corpusBytes(path), decoderOf(name) ?? undefined);
      expect(decoded?.issues).toEqual([]);
      if (truth.first_text !== undefined)
        expect(decoded?.text.slice(0, truth.first_text.length)).toBe(truth.first_text);
      if (truth.texts !== undefined) {
        expect(readCues(decoded?.text ?? "").cues.map(({ text }) => text)).toEqual(truth.texts);
      }
    },
  );
});

/** Texts as an editor would have saved them, with the bytes of their letters beyond ASCII. */
const TYPED: readonly (readonly [encoding: string, text: string, bytes: string])[] = [
  [
    "windows-1251",
    "\u0410\u043d\u0430 \u0443\u043b\u0430\u0437\u0438 \u0443 \u0441\u043e\u0431\u0443. \u040a\u0435\u043d \u0431\u0440\u0430\u0442 \u0402\u043e\u0440\u0452\u0435 \u045f\u043e\u0433\u0438\u0440\u0430.",
    "\xc0\xed\xe0 \xf3\xeb\xe0\xe7\xe8 \xf3 \xf1\xee\xe1\xf3. \x8c\xe5\xed \xe1\xf0\xe0\xf2 \x80\xee\xf0\x90\xe5 \x9f\xee\xe3\xe8\xf0\xe0.",
  ],
  [
    "windows-1250",
    "\u017dena s crvenim \u0161e\u0161irom ljutito zatvara vrata, \u010duje se ki\u0161a.",
    "\x8eena s crvenim \x9ae\x9airom ljutito zatvara vrata, \xe8uje se ki\x9aa.",
  ],
  [
    "windows-1252",
    "A woman enters the room. It\u2019s dark. \u201cTHE END\u201d \u2013 in white letters.",
    "A woman enters the room. It\x92s dark. \x93THE END\x94 \x96 in white letters.",
  ],
  [
    "macintosh",
    "L\u2019homme ferme la porte et \u00e9teint la lumi\u00e8re, \u00e0 c\u00f4t\u00e9 d\u2019une fen\u00eatre.",
    "L\xd5homme ferme la porte et \x8eteint la lumi\x8fre, \x88 c\x99t\x8e d\xd5une fen\x90tre.",
  ],
];

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each(TYPED)("letters speak for %s", (encoding, text, bytes) => {
  expect(decodeFile(bytesOf(bytes))).toMatchObject({ encoding, text });
});

test("a guess names the encoding, and what to look at", () => {
  const [, , bytes = ""] = TYPED[0] ?? [];
  const message = decodeFile(bytesOf(bytes))?.issues[0]?.message;
  expect(message).toContain("windows-1251 was assumed");
  expect(message).toContain("look whether its letters are right");
});

test("too few letters, encodings of DOS and what is no text are refused, not guessed", () => {
  expect(decodeFile(bytesOf("Caf\xe9 \x93quoted\x94 \x80 5"))).toBeNull();
  // German in code page 850.
  expect(
    decodeFile(
      bytesOf("Eine Frau \x94ffnet das Fenster.\nEin Mann schlie\xe1t die T\x81r. Das M\x84dchen schl\x84ft."),
    ),
  ).toBeNull();
  expect(decodeFile(Uint8Array.from({ length: 1000 }, (_, index) => (index * 7919 + 128) % 256))).toBeNull();
});

test("what a file states of itself counts more than what its user says of all", () => {
  const marked = Uint8Array.from([0xef, 0xbb, 0xbf, 0xc3, 0xa9]);
  expect(decodeFile(marked, decoderOf("windows-1250") ?? undefined)?.text).toBe("\u00e9");
  expect(decodeFile(bytesOf('[{"text": "\xc3\xa9"}]'), decoderOf("windows-1250") ?? undefined)?.text).toContain(
    "\u00e9",
  );
  const xml = '<?xml version="1.0" encoding="ISO-8859-2"?><a>\xbe</a>';
  expect(decodeFile(bytesOf(xml), decoderOf("windows-1252") ?? undefined)?.text).toContain("\u017e");
  expect(decodeFile(bytesOf(xml))).toMatchObject({ encoding: "iso-8859-2", issues: [] });
  // Valid UTF-8 all the same, and another text in what the user named.
  expect(decodeFile(bytesOf("\xc3\xa9"), decoderOf("windows-1252") ?? undefined)?.text).toBe("\u00c3\u00a9");
});

test("an encoding that nobody knows is none", () => {
  expect(decoderOf("klingon")).toBeNull();
  expect(decoderOf("cp1250")?.encoding).toBe("windows-1250");
});
