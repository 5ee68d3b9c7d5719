/** What text stands on. */
const BEARERS =
  "(?:sign|title|caption|card|text|lettering|words|banner|headline|poster|screen|letter|note|label|plaque|inscription|" +
  "newspaper|page|display|billboard|placard|logo|message|graffiti)";

/** In quotation marks, or what follows without; see {@link quotationsIn}. */
const QUOTED = "[,:]?\\s+(?:[\"“‘'«]\\s*(.{1,120}?)\\s*[\"”’'»](?!\\p{L})|([^\"“‘'«.!?;,]{3,120}))";

/** A word of the bearer's own: "a rusty sign", but not "a man with a sign", who may speak. */
const OWN_WORD = "(?:(?!(?:an?|the|his|her|their|with|in|on|at|by|of|and)\\b)[\\p{L}’'-]+ )";

/** Ways of quoting what stands on screen. English. */
const FORMS: readonly RegExp[] = [
  // A sign above the door reads "HARBOUR".
  `(?:^|[.;:!?,] (?:and |as |then |while )?)(?:(?:an?|the|his|her|their) )?${OWN_WORD}{0,3}${BEARERS}\\b[^.:;!?"“‘,]{0,60}? (?:reads?|says?|spells?)${QUOTED}`,
  // He stops at a sign saying "HARBOUR".
  `\\b${BEARERS},? (?:reading|saying|spelling|(?:that|which) (?:reads?|says?)|(?:with|bearing) the words)${QUOTED}`,
  // The title "THE HARBOUR" appears.
  `\\b(?:title|caption|headline|lettering|inscription)${QUOTED}`,
].map((form) => new RegExp(form, "giu"));

/** On screen: THE HARBOUR. All of the sentence is meant. */
const TOLD =
  /(?:^|[.!?] )(?:on[- ]screen(?: text)?|(?:text|title) on[- ]screen|title|caption): *(.{3,}?(?=[.!?](?:\s|$)|$))/giu;

/** The shortest that is worth a comparison, in letters and digits. */
const LEAST_CHARACTERS = 3;

/**
 * Texts on screen that an English description quotes: in quotation marks where it names what they stand on, in capital
 * letters there, or after "On screen:". What somebody says is none of them.
 */
export function quotationsIn(text: string): string[] {
  const quoted = FORMS.flatMap((form) =>
    [...text.matchAll(form)].map(([, inMarks, without = ""]) => inMarks ?? (isInCapitals(without) ? without : "")),
  );
  // "On screen: a map" tells what is seen, in words of its own.
  const told = [...text.matchAll(TOLD)].map(([, words = ""]) => (/^\p{Ll}/u.test(words) ? "" : words));
  const all = [...quoted, ...told].map((one) => one.replace(/^["“‘'«\s]+|["”’'»\s.,;:]+$/gu, ""));
  return [...new Set(all)].filter((one) => (one.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_CHARACTERS);
}

function isInCapitals(text: string): boolean {
  return /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);
}
