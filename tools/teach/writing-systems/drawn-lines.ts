import { execFileSync } from "node:child_process";
import { inflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { WritingSystem } from "../../../src/engine/ocr/writing-net.ts";
import type { Chance } from "./chance.ts";

/** A line of words as a browser drew it: its ink alone, without what is empty around it. */
export interface DrawnLine {
  readonly system: WritingSystem;
  readonly font: string;
  readonly columns: number;
  readonly rows: number;
  /** 0 for none to 255. */
  readonly ink: Uint8Array;
}

/** Languages whose words are drawn, by the way they are written; fontconfig's name of one of them, and how many lines. */
const DRAWN: Readonly<Record<WritingSystem, readonly [languages: string, font: string, lines: number]>> = {
  Latin: ["en de fr tr pl cs es pt it nl sv fi hu ro hr id vi sw lt lv et da nb sk sl", "pl", 4000],
  Cyrillic: ["ru uk bg sr mk kk be", "uk", 3500],
  Greek: ["el", "el", 2000],
  Arabic: ["ar fa ur", "ar", 2000],
  Hebrew: ["he", "he", 1200],
  Devanagari: ["hi mr ne", "hi", 1200],
  Bengali: ["bn", "bn", 1200],
  Gujarati: ["gu", "gu", 1200],
  Gurmukhi: ["pa", "pa", 1200],
  Tamil: ["ta", "ta", 1200],
  Telugu: ["te", "te", 1200],
  Kannada: ["kn", "kn", 1200],
  Malayalam: ["ml", "ml", 1200],
  Thai: ["th", "th", 1200],
  Han: ["zh-Hans zh-Hant", "zh-cn", 2500],
  Japanese: ["ja", "ja", 2500],
  Hangul: ["ko", "ko", 1200],
  Georgian: ["ka", "ka", 1200],
  Armenian: ["hy", "hy", 1200],
};

/** Those with capitals, those that a title may space out, and those without spaces between words. */
const WITH_CAPITALS: readonly WritingSystem[] = ["Latin", "Cyrillic", "Greek", "Armenian"];
const SPACED: readonly WritingSystem[] = [...WITH_CAPITALS, "Hebrew", "Han", "Japanese", "Hangul", "Georgian"];
const UNSPACED: readonly WritingSystem[] = ["Han", "Japanese", "Thai"];

/** Fonts that show something else than letters, or a language's letters by another font's. */
const NO_LETTERS = /Mono CJK|Emoji|Symbol|Math/;

/** Lines that are drawn together, the height of each, its size and place, and the width of all, in pixels. */
const SHEET = { lines: 40, height: 100, size: 44, left: 20, width: 1000 };

/** Characters of a line at most. */
const MOST_CHARACTERS = 22;

/** Ink from which a pixel counts for where a line ends. */
const INK = 60;

/** How a line is drawn. */
interface LineStyle {
  readonly text: string;
  readonly language: string;
  readonly font: string;
  readonly weight: number;
  readonly isItalic: boolean;
  /** Space between letters in ems. */
  readonly spacing: number;
}

/**
 * Draws lines in every writing system, in the fonts that this computer has for it: names of countries, languages, money and days, in
 * which the runtime knows every language.
 *
 * @param page Of a Chromium that sees the same fonts as `fc-list`.
 */
export async function* drawLines(page: Page, chance: Chance): AsyncGenerator<DrawnLine> {
  await page.setViewportSize({ width: SHEET.width, height: SHEET.lines * SHEET.height });
  for (const system of Object.keys(DRAWN) as WritingSystem[]) {
    const [languages, fontLanguage, count] = DRAWN[system];
    const words = new Map(languages.split(" ").map((language) => [language, wordsOf(language, system)]));
    const fonts = fontsFor(fontLanguage);
    for (let drawn = 0; drawn < count; drawn += SHEET.lines) {
      const styles = Array.from({ length: SHEET.lines }, () => styleOf(system, words, fonts, chance));
      for (const [index, line] of (await drawSheet(page, styles)).entries()) {
        if (line !== null) yield { ...line, system, font: styles[index]?.font ?? "" };
      }
    }
  }
}

function fontsFor(language: string): string[] {
  const listed = execFileSync("/usr/bin/fc-list", [`:lang=${language}`, "family"], { encoding: "utf8" });
  const families = listed.split("\n").map((line) => (line.split(",")[0] ?? "").replaceAll("\\", "").trim());
  return [...new Set(families)].filter((family) => family !== "" && !NO_LETTERS.test(family)).sort();
}

function wordsOf(language: string, system: WritingSystem): string[] {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const names = (type: Intl.DisplayNamesType, all: readonly string[]) => {
    const display = new Intl.DisplayNames(language, { type, fallback: "none" });
    return all.map((code) => display.of(code) ?? "");
  };
  const days = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });
  const texts = [
    ...names(
      "region",
      codes.map((code) => code.toUpperCase()),
    ),
    ...names("language", codes),
    ...names("currency", Intl.supportedValuesOf("currency")),
    ...Array.from({ length: 124 }, (_, index) => days.format(Date.UTC(2020, 0, 1 + 3 * index))),
  ];
  const isWritten =
    system === "Japanese"
      ? /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
      : new RegExp(`\\p{Script=${system}}`, "u");
  const words = texts.flatMap((text) => text.split(/[\s()（）\-–,،、・]+/));
  return [...new Set(words.filter((word) => isWritten.test(word) && !/\d/.test(word)))];
}

function styleOf(
  system: WritingSystem,
  words: ReadonlyMap<string, readonly string[]>,
  fonts: readonly string[],
  chance: Chance,
): LineStyle {
  const language = chance.oneOf([...words.keys()]);
  const some = Array.from({ length: 1 + chance.below(4) }, () => chance.oneOf(words.get(language) ?? []));
  if (chance.isSo(0.1)) some.push(String(chance.below(2000)));
  const text = [...some.join(UNSPACED.includes(system) ? "" : " ")].slice(0, MOST_CHARACTERS).join("").trim();
  const hasCapitals = WITH_CAPITALS.includes(system);
  return {
    text: hasCapitals && chance.isSo(0.35) ? text.toLocaleUpperCase(language) : text,
    language,
    font: chance.oneOf(fonts),
    weight: chance.isSo(0.35) ? 700 : 400,
    isItalic: hasCapitals && chance.isSo(0.15),
    spacing: SPACED.includes(system) && chance.isSo(0.25) ? 0.2 * chance.share() : 0,
  };
}

async function drawSheet(
  page: Page,
  styles: readonly LineStyle[],
): Promise<(Omit<DrawnLine, "system" | "font"> | null)[]> {
  const lines = styles.map(({ text, language, font, weight, isItalic, spacing }, index) => {
    const place = `position:absolute;left:${SHEET.left}px;top:${index * SHEET.height}px;white-space:nowrap;width:${SHEET.width - 2 * SHEET.left}px;overflow:hidden;text-align:left`;
    const letters = `font:${isItalic ? "italic " : ""}${weight} ${SHEET.size}px/${SHEET.height}px '${font}';letter-spacing:${spacing}em`;
    return `<div lang="${language}" dir="auto" style="${place};${letters}">${text.replace(/[<&]/g, "")}</div>`;
  });
  await page.setContent(`<meta charset="utf-8"><body style="margin:0;background:#000;color:#fff">${lines.join("")}`);
  const { columns, grey } = greyOf(await page.screenshot());
  return styles.map((_, index) => inkOf(grey, columns, index * SHEET.height));
}

/** The ink of a line that begins in a row of the sheet; `null` where there is hardly any. */
function inkOf(grey: Uint8Array, width: number, first: number): Omit<DrawnLine, "system" | "font"> | null {
  let [left, right, top, bottom] = [width, -1, first + SHEET.height, -1];
  for (let y = first; y < first + SHEET.height; y++) {
    for (let x = 0; x < width; x++) {
      if ((grey[y * width + x] ?? 0) <= INK) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  const [columns, rows] = [right - left + 1, bottom - top + 1];
  if (columns < 8 || rows < 8) return null;
  const ink = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const from = (top + y) * width + left;
    ink.set(grey.subarray(from, from + columns), y * columns);
  }
  return { columns, rows, ink };
}

/** The first channel of a PNG of 8 bits a channel, without interlacing, as a browser writes it. */
function greyOf(png: Buffer): { readonly columns: number; readonly grey: Uint8Array } {
  const [columns, rows, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const packed = inflateSync(Buffer.concat(data));
  const stride = columns * channels;
  const grey = new Uint8Array(columns * rows);
  let before = new Uint8Array(stride);
  for (let y = 0; y < rows; y++) {
    const filter = packed[y * (stride + 1)] ?? 0;
    const row = new Uint8Array(packed.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x++) row[x] = (row[x] as number) + foretold(filter, row, before, x, channels); // inside
    for (let x = 0; x < columns; x++) grey[y * columns + x] = row[x * channels] as number;
    before = row;
  }
  return { columns, grey };
}

/** What a PNG's filter takes from the bytes left of one, above it, and above that one. */
function foretold(filter: number, row: Uint8Array, before: Uint8Array, x: number, channels: number): number {
  const left = row[x - channels] ?? 0;
  const above = before[x] ?? 0;
  const corner = before[x - channels] ?? 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const near = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(near - left), Math.abs(near - above), Math.abs(near - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
