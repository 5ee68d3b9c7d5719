import { scriptsOf } from "../../core/scripts.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { languageName, lettersName } from "../language-name.ts";
import type { UnreadText } from "../onscreen-text.ts";
import { dataNameOf } from "./language-data.ts";
import type { ScreenTextReader } from "./text-reading.ts";
import type { WritingSystem } from "./writing-net.ts";

/** The language that a film most likely shows in a writing system, by its first subtag. */
const LIKELY: Readonly<Record<WritingSystem, string | null>> = {
  Latin: "en", Cyrillic: "ru", Greek: "el", Arabic: "ar", Hebrew: "he", Devanagari: "hi", Bengali: "bn", Gujarati: "gu",
  Gurmukhi: "pa", Tamil: "ta", Telugu: "te", Kannada: "kn", Malayalam: "ml", Thai: "th", Han: "cmn", Japanese: "ja",
  Hangul: "ko", Georgian: null, Armenian: null,
}; // biome-ignore format: a table reads better in rows

/** Says of text that was not read what is known of it. */
export async function unreadText(
  { start, end, system }: TimeRange & { readonly system: WritingSystem | null },
  reading: Pick<ScreenTextReader, "language" | "canRead">,
): Promise<UnreadText> {
  const own = reading.language.split("-")[0] ?? "";
  const isOwn = system === null || isWrittenIn(own, system);
  const language = isOwn ? own : LIKELY[system];
  const isReadable = language !== null && (await reading.canRead(language));
  const message = `${whatOf(language, system, isOwn, isReadable)}. It is not spoken: add what it says`;
  return { start, end, letters: system === null ? null : lettersName(system), message };
}

function isWrittenIn(language: string, system: WritingSystem): boolean {
  const scripts = scriptsOf(language);
  return scripts.includes(system) || (system === "Japanese" && scripts.includes("Hiragana"));
}

function whatOf(language: string | null, system: WritingSystem | null, isOwn: boolean, isReadable: boolean): string {
  const text = system === null ? "Text on screen" : `Text on screen in ${lettersName(system)}`;
  if (language === null) return `${text} cannot be read here`;
  const name = languageName(language);
  if (isOwn && isReadable) return `${text} could not be read for certain`;
  const missing = `there is no language data for ${name} (${dataNameOf(language)}.traineddata, in a folder that ASIDE_OCR_DATA names)`;
  if (isOwn && system === null) return `${text} could not be read for certain: ${missing}`;
  if (isOwn || system === null) return `${name} text on screen cannot be read here: ${missing}`;
  const others =
    system === "Han"
      ? "Chinese or Japanese text on screen"
      : `${name} text on screen, or other text in ${lettersName(system)},`;
  if (isReadable) return `${others} is read in descriptions in its own language alone`;
  return `${others} cannot be read here: ${missing}`;
}
