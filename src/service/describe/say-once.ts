import { spokenWords } from "../../core/spoken-words.ts";
import type { WrittenDescription } from "./describer.ts";

/** A description with other words for it. */
export interface Telling extends Omit<WrittenDescription, "id"> {
  /** Words for it where those meant were said before, the best first. */
  readonly variations: readonly string[];
  /** Whether it is told even if its words were said before and there are no others. */
  readonly mayRepeat: boolean;
}

/**
 * Chooses words so that no two descriptions can say the same, whichever wordings are fitted later. The first to say
 * something says it as it was meant; what comes later varies, and where nothing else can be said of it, it is left out
 * unless it may repeat.
 *
 * @param tellings In the order in which they are heard.
 * @returns Those that have something to say, each with at most as many wordings as were meant, from long to short.
 */
export function sayOnce(tellings: readonly Telling[]): Omit<WrittenDescription, "id">[] {
  const said = new Set<string>();
  const chosen = tellings.map(({ wordings, variations, ...rest }) => {
    const first = claim([...wordings.slice(0, 1), ...variations, ...wordings], said);
    return { ...rest, meant: wordings, variations, wordings: first, isVaried: first[0] !== wordings[0] };
  });
  // Shorter wordings may never be needed: they are shared out last, and first to those that had to vary. Only these get
  // new ones: elsewhere a shorter one would say less than was meant, and still be taken for a quieter place.
  const rest = [...chosen].sort((a, b) => Number(b.isVaried) - Number(a.isVaried));
  const rounds = Math.max(0, ...tellings.map(({ wordings }) => wordings.length));
  for (let round = 1; round < rounds; round++) {
    for (const { meant, variations, wordings, isVaried } of rest) {
      const most = wordings.at(-1)?.length ?? 0;
      const shorter = [...meant, ...(isVaried ? shortestFirst(variations) : [])].filter(({ length }) => length < most);
      if (round < meant.length) wordings.push(...claim(shorter, said));
    }
  }
  return chosen.flatMap(({ wordings, meant, mayRepeat, picture, importance }) => {
    if (wordings.length > 0) return [{ wordings, picture, importance }];
    return mayRepeat ? [{ wordings: meant, picture, importance }] : [];
  });
}

/** The first of some wordings that was not said yet, which is said from now on; none where all were. */
function claim(wordings: readonly string[], said: Set<string>): string[] {
  const free = wordings.find((wording) => !said.has(spokenWords(wording)));
  if (free === undefined) return [];
  said.add(spokenWords(free));
  return [free];
}

function shortestFirst(wordings: readonly string[]): string[] {
  return [...wordings].sort((a, b) => a.length - b.length);
}
