import type { JobFinding } from "../../../contract/job.ts";
import { otherLanguage } from "../../../core/other-language.ts";
import type { TimeRange } from "../../../core/time-range.ts";
import { languageName, otherLanguageName } from "../../language-name.ts";
import { languageRule, quoted } from "./rules.ts";

/** Whether a line may be spoken by a voice of a language: it is in no other one, as far as that can be told. */
export function isInLanguage(text: string, language: string): boolean {
  return otherLanguage(text, language) === null;
}

/** What is wrong with the first line that is in another language or script, as a sentence to the model; `null` when none is. */
export function languageFault(texts: readonly string[], language: string): string | null {
  const wrong = texts.find((text) => !isInLanguage(text, language));
  return wrong === undefined ? null : `${quoted(wrong)} is not in ${languageName(language)}. ${languageRule(language)}`;
}

/** That a line is not spoken because of its language. */
export function languageFinding(text: string, { start, end }: TimeRange, language: string): JobFinding {
  const other = otherLanguageName(otherLanguage(text, language) ?? "");
  const message = `A line was written in ${other}, not in ${languageName(language)}, and is not spoken: “${text}”`;
  return { rule: "other-language", severity: "fail", message, start, end };
}
