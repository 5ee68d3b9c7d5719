import { readFile } from "node:fs/promises";

/** Something that is seen in a film. Seconds on the programme clock. */
export interface Fact {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The fact in 4 to 12 words, and in 2 to 5. */
  readonly words: string;
  readonly short: string;
  readonly kind: string;
  readonly who: readonly string[];
  /** 3: the story fails without it; 2: worth telling; 1: a detail. */
  readonly importance: 1 | 2 | 3;
  /** Whether it takes two pictures to see it. */
  readonly needsMotion: boolean;
  /** A sentence tells it when each group has a key in the sentence. */
  readonly accept: readonly (readonly string[])[];
}

/** All that is seen in one film. */
export interface FilmFacts {
  /** Path of the film under the media folder. */
  readonly film: string;
  readonly durationSeconds: number;
  /** The stretch that the facts cover; the whole where absent. */
  readonly coveredSeconds?: readonly [number, number];
  readonly shots: readonly { readonly start: number; readonly end: number; readonly what: string }[];
  readonly persons: readonly { readonly id: string; readonly looks: string; readonly nameKnownFrom: number | null }[];
  readonly facts: readonly Fact[];
}

/** Reads a file of facts. */
export async function readFacts(path: string): Promise<FilmFacts> {
  return JSON.parse(await readFile(path, "utf8")) as FilmFacts;
}

/** Words that were compared before: the same facts are looked through again and again. */
const COMPARED = new Map<string, string>();

/** Words as facts compare them: lower case, without apostrophes, other signs as spaces. */
export function plain(text: string): string {
  const known = COMPARED.get(text);
  if (known !== undefined) return known;
  const letters = text
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ");
  const compared = ` ${letters.trim()} `;
  COMPARED.set(text, compared);
  return compared;
}

/** Whether a sentence tells a fact, by the words that it is recognised by. */
export function tells(sentence: string, { accept }: Fact): boolean {
  const words = plain(sentence);
  return accept.every((group) =>
    group.some((key) => {
      const wanted = plain(key).trim();
      return words.includes(wanted.length <= 2 ? ` ${wanted} ` : ` ${wanted}`);
    }),
  );
}

/** Whether a sentence holds a fact in the very words of its file. */
export function quotes(sentence: string, { words, short }: Fact): boolean {
  const said = plain(sentence);
  return said.includes(plain(words)) || said.includes(plain(short));
}

/** Times are told with one decimal, so a picture may seem this much outside. */
const ROUNDING = 0.051;

/** The pictures of some that show a fact; none where they cannot: what moves takes two. */
export function picturesOf({ start, end, needsMotion }: Fact, times: readonly number[]): readonly number[] {
  const inside = times.filter((at) => at >= start - ROUNDING && at <= end + ROUNDING);
  return inside.length >= (needsMotion ? 2 : 1) ? inside : [];
}
