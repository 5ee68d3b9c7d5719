/** Names by which models mark what they think: `<think>`, `[THINK]`, `<seed:think>`, `◁think▷`, `<thought>`. */
const NAMES = "(?:[a-z]+:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis)";

/** A mark at which thoughts begin, and one at which they end. */
const BEGINS = new RegExp(
  `<${NAMES}>|\\[${NAMES}\\]|◁${NAMES}▷|<\\|channel\\|?>\\s*(?:analysis|thought|commentary)`,
  "gi",
);
const ENDS = new RegExp(
  `</${NAMES}>|\\[/${NAMES}\\]|◁/${NAMES}▷|<\\|channel\\|>final<\\|message\\|>|<channel\\|>`,
  "gi",
);

/**
 * A model's words without what it thought aloud before them, in whatever marks: what comes before the last mark of an end goes,
 * and what comes after a mark of a beginning that has no end.
 */
export function withoutThoughts(words: string): string {
  const end = [...words.matchAll(ENDS)].at(-1);
  const rest = end === undefined ? words : words.slice(end.index + end[0].length);
  const [open] = rest.matchAll(BEGINS);
  return open === undefined ? rest : rest.slice(0, open.index);
}
