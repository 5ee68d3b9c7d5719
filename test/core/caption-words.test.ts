import fc from "fast-check";
import { expect, test } from "vitest";
import { captionWords, isSung } from "../../src/core/caption-words.ts";

test.each([
  ..."[laughs] (laughs) {laughs} （音楽） ［音楽］ ｛音楽｝ 〔音楽〕 【音楽】 〖音乐〗 《音乐》 〈ナレーション〉 ≪ドアの音≫ ＜音楽＞ ＊音楽＊ *gasps*".split(
    " ",
  ),
  "( موسيقى )",
  "-[rires]",
  "［♪］",
  "♪～",
  "～♪",
  "♪ ♪",
  "🎵🎶",
  "[tense [music] goes on]",
  "（（拍手）歓声）",
  "…",
  "!?",
  "NARRATOR:",
])("finds no word in %s", (text) => {
  expect(captionWords(text)).toBe("");
});

test.each([
  ["SINBAD: (laughs) ♪ I am Sinbad ♪", "I am Sinbad"],
  ["花子：こんにちは", "こんにちは"],
  ["（花子）こんにちは", "こんにちは"],
  ["Élodie : Bonjour.", "Bonjour."],
  ["HERR MÜLLER: Ja.", "Ja."],
  ["- Mr. Smith: Come in.", "Come in."],
  ["철수: 안녕", "안녕"],
  ["أحمد: مرحبا", "مرحبا"],
  ["［拍手］ありがとう", "ありがとう"],
  ["# Row, row #", "Row, row"],
])("takes out of %s what is not spoken", (text, words) => {
  expect(captionWords(text)).toBe(words);
});

test.each(["It is 10:30.", "10:30", "See http://example.org", "「行こう」", "“Go!”", "Hello :)", "～でも"])(
  "leaves %s as it is",
  (text) => {
    expect(captionWords(text)).toBe(text);
  },
);

test("keeps names of works and narration in the brackets that stand around sounds as well", () => {
  expect(captionWords("我在看《红楼梦》。")).toBe("我在看 红楼梦 。");
  expect(captionWords("《红楼梦》很好看")).toBe("红楼梦 很好看");
  expect(captionWords("＜むかしむかし、あるところに＞")).toBe("むかしむかし、あるところに");
});

test.each([
  ["[music [in [the hall]]]", ""],
  ["(music (in (the (far) hall)))", "(music )"],
  ["(one (two (three)) and (more (still)))", ""],
])("finds notes in notes, three deep: of %s is spoken “%s”", (text, words) => {
  expect(captionWords(text)).toBe(words);
});

test.each([
  ["《abcdefghij》", ""],
  ["《abcdefghijk》", "abcdefghijk"],
  ["《slamming oaken doors》", ""],
  ["《slamming four oaken doors》", "slamming four oaken doors"],
  ["《a b c d》", ""],
  ["《Go!》", "Go!"],
  ["《音乐》《掌声》", ""],
  ["1《音乐》", "1 音乐"],
  ["《音乐》a", "音乐 a"],
])(
  "takes ten letters or three words around which no sentence stands for a note: of %s is spoken “%s”",
  (text, words) => {
    expect(captionWords(text)).toBe(words);
  },
);

test("takes up to three names before a colon, or up to twelve letters without capitals, for who speaks", () => {
  expect(captionWords("Anna Maria Weiss: Go.")).toBe("Go.");
  expect(captionWords("Anna Maria Luisa Weiss: Go.")).toBe("Anna Maria Luisa Weiss: Go.");
  const letters = "あいうえおかきくけこさし";
  expect(captionWords(`${letters}：行こう`)).toBe("行こう");
  expect(captionWords(`${letters}す：行こう`)).toBe(`${letters}す：行こう`);
  expect(captionWords(`${letters} ${letters}：行こう`)).toBe("行こう");
  expect(captionWords(`${letters} ${letters}す：行こう`)).toBe(`${letters} ${letters}す：行こう`);
});

test("takes a note that goes on in the next caption for none of its words, and a smile for no bracket", () => {
  expect(captionWords("[tense music")).toBe("");
  expect(captionWords("goes on] Who is there?")).toBe("Who is there?");
  expect(captionWords("I lost :(\nReally?")).toBe("I lost :( Really?");
});

test("knows a song by any sign of music", () => {
  expect(["♪ La la", "🎵 La la", "♬～"].map(isSung)).toEqual([true, true, true]);
  expect(isSung("# 1")).toBe(false);
});

test("gives words of any text, never more than stand there, in no time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const words = captionWords(text);
      expect(words.length).toBeLessThanOrEqual(text.length + 2 * (text.match(/[《〈⟨⟪≪＜︽︿]/g)?.length ?? 0));
      expect(words).toBe(words.trim());
    }),
  );
  for (const sign of ["[", "(", "～", " ", "A ", "《", "*a"]) {
    const since = performance.now();
    captionWords(sign.repeat(5_000));
    expect(performance.now() - since, sign).toBeLessThan(1_000);
  }
});
