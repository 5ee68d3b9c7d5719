import SENTENCES from "./on-screen.json" with { type: "json" };

/** How a language says what stands on screen. */
interface Sentence {
  /** Holds `{text}`, which the lines that were read take the place of. */
  readonly onScreen: string;
  /** Parts two lines; default a comma and a space. */
  readonly comma?: string;
  /** Ends the sentence; default a full stop. */
  readonly stop?: string;
}

const BY_LANGUAGE: Readonly<Record<string, Sentence | undefined>> = SENTENCES;

/**
 * The sentence that tells lines on screen, with the pauses between them that a reader makes, and a full stop.
 *
 * @param language One of the interface's codes; its first subtag counts (`pt` of `pt-BR`).
 * @throws RangeError for any other language.
 */
export function onScreenSentence(lines: readonly string[], language: string): string {
  const sentence = BY_LANGUAGE[language.split("-")[0] ?? ""];
  if (sentence === undefined) throw new RangeError(`there is no sentence for text on screen in ${language}`);
  const { onScreen, comma = ", ", stop = "." } = sentence;
  const parted = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    if (/\p{P}$/u.test(line) && !/[^\p{P}][\p{Pe}\p{Pf}"']$/u.test(line)) return isLast ? line : `${line} `;
    return `${line}${isLast ? stop : comma}`;
  });
  return onScreen.replace("{text}", () => parted.join(""));
}
