import SAMPLES from "./pace-samples.json" with { type: "json" };

/** Two sentences in each language, by its first subtag: by these the pace is that of descriptions, pauses for breath included. */
const SAMPLE_BY_LANGUAGE: Readonly<Record<string, string | undefined>> = SAMPLES;

/** What a voice is measured with in a language; nothing where there is no such text. */
export function paceSample(language: string): string | undefined {
  return SAMPLE_BY_LANGUAGE[language.split("-")[0] ?? ""];
}

/**
 * Letters a second at 165 English words a minute, a word of a description having 4.3 of them, pauses between sentences
 * included. Languages whose words are longer have fewer words a minute by it, as their narrators do.
 */
const LETTERS_PER_SECOND = 11.8;

/** Alphabets in which a letter is about a sound: by the letters of others no time can be told. */
const ALPHABETS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;

/** How far a voice is made faster or slower to come to the norm: beyond that, it would sound pressed or drawn out. */
const CHANGES = { minimum: 0.8, maximum: 1.25 };

/** Rates are told in these steps, so that lines are found in the cache again. */
const STEP = 0.01;

/**
 * The rate at which a voice speaks a language at the normal pace, by how long it takes for {@link paceSample} at its own rate of
 * 1. 1 for languages in whose script nothing can be told by letters.
 */
export function normalRate(sample: string, seconds: number): number {
  const letters = sample.match(/[\p{L}\p{N}]/gu) ?? [];
  if (!(seconds > 0) || !ALPHABETS.test(letters.join(""))) return 1;
  const rate = (seconds * LETTERS_PER_SECOND) / letters.length;
  const bounded = Math.min(CHANGES.maximum, Math.max(CHANGES.minimum, rate));
  return Number((Math.round(bounded / STEP) * STEP).toFixed(2));
}
