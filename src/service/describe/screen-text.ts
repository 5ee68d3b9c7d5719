import { countSpokenWords } from "../../core/speaking-time.ts";
import type { OnscreenText } from "../onscreen-text.ts";
import type { Telling } from "./say-once.ts";
import type { SketchPhrases } from "./sketch-phrases.ts";

/** Importance of text that was read: on a title card nothing else is to be seen. */
const IMPORTANCE = 0.95;

/** Words of one text at most, unless all text is asked for: nobody wants the credits read. */
const MOST_WORDS = 30;

/** How text on screen is told. */
export interface TextTelling {
  readonly phrases: SketchPhrases;
  /** Whether every word is wanted, however long it takes. */
  readonly readsAll: boolean;
}

/** A description of each text that stood on screen; shorter wordings leave out its later lines. */
export function tellTexts(texts: readonly OnscreenText[], telling: TextTelling): Telling[] {
  return texts.map(({ start, end, lines }) => ({
    wordings: wordingsOf(lines, telling),
    picture: { start, end },
    variations: [],
    mayRepeat: telling.readsAll,
    importance: IMPORTANCE,
  }));
}

function wordingsOf(lines: readonly string[], { phrases, readsAll }: TextTelling): string[] {
  const told = readsAll ? lines : firstLines(lines);
  const shorter = readsAll ? [] : [told.slice(0, 2), told.slice(0, 1)];
  const wordings = [told, ...shorter].map((some) => phrases.onScreen.replace("{text}", () => sentence(some, phrases)));
  return wordings.filter((wording, index) => wordings.indexOf(wording) === index);
}

/** Whole lines up to {@link MOST_WORDS}, at least one. */
function firstLines(lines: readonly string[]): readonly string[] {
  let words = 0;
  const end = lines.findIndex((line, index) => {
    words += countSpokenWords(line);
    return index > 0 && words > MOST_WORDS;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** Lines with the pauses between them that a reader makes, and a full stop. */
function sentence(lines: readonly string[], { comma, now }: SketchPhrases): string {
  const parted = lines.map((line, index) => {
    if (/[\p{P}]$/u.test(line)) return index === lines.length - 1 ? line : `${line} `;
    return index === lines.length - 1 ? `${line}${stopOf(now)}` : `${line}${comma}`;
  });
  return parted.join("");
}

/** What ends a sentence of the language. */
function stopOf(template: string): string {
  return template.slice(template.indexOf("{look}") + "{look}".length);
}
