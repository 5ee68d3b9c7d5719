import { describe, expect, test } from "vitest";
import { otherLanguage } from "../../src/core/other-language.ts";
import { hasLetter, lettersByScript, scriptsOf } from "../../src/core/scripts.ts";

/** Lines as descriptions have them. */
const LINES = {
  "en-US": ["She puts the lamp on the table.", "A man enters.", "Snow falls over the fields."],
  "de-DE": ["Sie stellt die Lampe auf den Tisch.", "Ein Mann tritt ein.", "Schnee fällt auf die Felder."],
  "fr-FR": ["Elle pose la lampe sur la table.", "Un homme entre.", "La neige tombe sur les champs."],
  "es-ES": ["Ella pone la lámpara sobre la mesa.", "Entra un hombre.", "La nieve cae sobre los campos."],
  "it-IT": ["Lei posa la lampada sul tavolo.", "Entra un uomo.", "La neve cade sui campi."],
  "pt-BR": ["Ela põe a lâmpada sobre a mesa.", "Um homem entra.", "A neve cai sobre os campos."],
  "nl-NL": ["Ze zet de lamp op de tafel.", "Een man komt binnen.", "Er valt sneeuw op de velden."],
  "sv-SE": ["Hon ställer lampan på bordet.", "En man kommer in.", "Snön faller över fälten."],
  "da-DK": ["Hun stiller lampen på bordet.", "En mand træder ind.", "Sneen falder over markerne."],
  "fi-FI": ["Hän laskee lampun pöydälle.", "Mies astuu sisään.", "Lunta sataa pelloille."],
  "pl-PL": ["Stawia lampę na stole.", "Wchodzi mężczyzna.", "Śnieg pada na pola."],
  "tr-TR": ["Lambayı masanın üzerine koyuyor.", "Bir adam giriyor.", "Tarlalara kar yağıyor."],
  "ru-RU": ["Она ставит лампу на стол.", "Входит мужчина.", "На поля падает снег."],
  "uk-UA": ["Вона ставить лампу на стіл.", "Заходить чоловік.", "На поля падає сніг."],
  "el-GR": ["Ακουμπά τη λάμπα στο τραπέζι.", "Μπαίνει ένας άντρας.", "Χιόνι πέφτει στα χωράφια."],
  "ar-XA": ["تضع المصباح على الطاولة.", "يدخل رجل.", "يتساقط الثلج على الحقول."],
  "hi-IN": ["वह दीया मेज़ पर रखती है।", "एक आदमी अंदर आता है।", "खेतों पर बर्फ़ गिर रही है।"],
  "th-TH": ["เธอวางตะเกียงบนโต๊ะ", "ชายคนหนึ่งเดินเข้ามา", "หิมะตกลงบนทุ่งนา"],
  "cmn-CN": ["她把灯放在桌子上。", "一个男人走进来。", "雪落在田野上。"],
  "ja-JP": ["彼女はランプをテーブルに置く。", "男が入ってくる。", "畑に雪が降る。"],
  "ko-KR": ["그녀는 등불을 탁자에 놓는다.", "한 남자가 들어온다.", "들판에 눈이 내린다."],
};
const LANGUAGES = Object.keys(LINES) as (keyof typeof LINES)[];

describe("what language a line is in", () => {
  test.each(LANGUAGES)("takes no line in %s for one in another language", (language) => {
    for (const line of LINES[language]) expect([line, otherLanguage(line, language)]).toEqual([line, null]);
  });

  test.each(LANGUAGES.filter((language) => language !== "en-US"))("knows an English line in %s", (language) => {
    const [first = ""] = LINES["en-US"];
    expect(otherLanguage(first, language)).toMatch(/^(?:en|Latin)$/);
  });

  test.each(LANGUAGES.filter((language) => language !== "en-US"))(
    "knows a line in %s in an English film",
    (language) => {
      const all = LINES[language].join(" ");
      const [subtag] = language.split("-");
      const [script = ""] = scriptsOf(language);
      expect([subtag, script]).toContain(otherLanguage(all, "en-US") === "nb" ? "da" : otherLanguage(all, "en-US"));
    },
  );

  test("tells Chinese from Japanese by kana, and Ukrainian from Russian by letters and small words", () => {
    expect(otherLanguage("她慢慢地把灯放在桌子上。", "ja-JP")).toBe("cmn");
    expect(otherLanguage("彼女はランプを置く。", "cmn-CN")).toBe("ja");
    expect(otherLanguage("Вона ставить лампу на стіл і її гасить.", "ru-RU")).toBe("uk");
    expect(otherLanguage("男が入る。", "ja-JP")).toBeNull();
  });

  test("knows another script by four letters of it, and behind letters of the own one", () => {
    expect(otherLanguage("Снег.", "en-US")).toBe("Cyrillic");
    expect(otherLanguage("Да, снег.", "en-US")).toBe("Cyrillic");
    expect(otherLanguage("Не.", "en-US")).toBeNull();
    expect(otherLanguage("TV показывает снежные поля.", "en-US")).toBe("Cyrillic");
  });

  test.each([
    ["七字中文不够长", "ja-JP", null],
    ["八字中文就够长了", "ja-JP", "cmn"],
    ["她放のランプ", "cmn-CN", "ja"],
    ["她把灯の放在桌子上", "cmn-CN", null],
    ["她把灯放在桌子上", "ko-KR", "cmn"],
    ["등 她把灯放", "ko-KR", null],
    ["她", "en-US", null],
    ["她放", "en-US", "Han"],
    ["Она", "en-US", null],
    ["Sнег", "en-US", "Cyrillic"],
    ["Снег поле abcd", "en-US", null],
    ["Снег поля a bc", "en-US", "Cyrillic"],
    ["Снежное abc", "en-US", "Cyrillic"],
    ["Снежно abc", "en-US", null],
  ])("has limits: %s is, in a film in %s, in %s", (text, language, other) => {
    expect(otherLanguage(text, language)).toBe(other);
  });

  test("wants two small words more of another language, and knows the one that has most", () => {
    expect(otherLanguage("Lamp das.", "en-US")).toBeNull();
    expect(otherLanguage("Das lamp und.", "en-US")).toBe("de");
    expect(otherLanguage("The lamp das und.", "en-US")).toBeNull();
    expect(otherLanguage("The lamp das und nicht.", "en-US")).toBe("de");
  });

  test("takes both scripts of a language that is written in two for its own, and knows another language in either", () => {
    expect(otherLanguage("Ona stavlja lampu na sto i izlazi.", "sr-RS")).toBeNull();
    expect(otherLanguage("Она ставља лампу на сто и излази.", "sr-RS")).toBeNull();
    expect(otherLanguage("She puts the lamp on the table.", "sr-RS")).toBe("en");
    expect(otherLanguage("Вона ставить лампу на стіл і її гасить.", "sr-RS")).toBe("uk");
  });

  test("leaves out what is quoted or stands behind a colon: on a screen words are in any language", () => {
    expect(otherLanguage("屏幕上写着：THE END OF THE WORLD", "cmn-CN")).toBeNull();
    expect(otherLanguage("Elle lit « The Old Man and the Sea ».", "fr-FR")).toBeNull();
    expect(otherLanguage("看板に「WELCOME TO THE HARBOUR」の文字。", "ja-JP")).toBeNull();
  });

  test("takes names for no language", () => {
    expect(otherLanguage("Şişli and Müller look at Zoë.", "en-US")).toBeNull();
    expect(otherLanguage("Şişli, Iğdır and Çeşme.", "en-US")).toBeNull();
    expect(otherLanguage("şişli, ığdır and çeşme.", "en-US")).toBe("tr");
    expect(otherLanguage("Harry und Sally tanzen.", "de-DE")).toBeNull();
    expect(otherLanguage("NASAのロゴ。", "ja-JP")).toBeNull();
  });

  test("says nothing of what has hardly a letter, or of a language that is not known", () => {
    expect(otherLanguage("1927.", "de-DE")).toBeNull();
    expect(otherLanguage("Oh!", "ru-RU")).toBeNull();
    expect(otherLanguage("She opens the door.", "xx-XX")).toBeNull();
    expect(otherLanguage("", "en-US")).toBeNull();
  });
});

test("knows the scripts of languages, and counts the letters of each in a text", () => {
  expect(scriptsOf("cmn-CN")).toEqual(["Han"]);
  expect(scriptsOf("ja-JP")).toEqual(["Han", "Hiragana", "Katakana"]);
  expect(scriptsOf("sr-RS")).toEqual(["Cyrillic", "Latin"]);
  expect(scriptsOf("not a code")).toEqual([]);
  expect([...lettersByScript("Москва, 1986, 東京ラ")]).toEqual([
    ["Cyrillic", 6],
    ["Han", 2],
    ["Katakana", 1],
  ]);
});

test("knows which letters a language has", () => {
  expect(["ß", "Ä", "e"].map((letter) => hasLetter("de", letter))).toEqual([true, true, true]);
  expect(["é", "ş", "я"].map((letter) => hasLetter("de", letter))).toEqual([false, false, false]);
  expect(hasLetter("xx", "e")).toBeNull();
});
