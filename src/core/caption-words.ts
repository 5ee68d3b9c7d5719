import { literalPattern } from "./text.ts";

/** Brackets around sounds, speakers and other notes, of all scripts: every pair but those that quote or name a work. */
const NOTE_PAIRS =
  "() [] {} （） ［］ ｛｝ 〔〕 【】 〖〗 〘〙 〚〛 ⦅⦆ ｟｠ ⁅⁆ ❨❩ ❲❳ ❴❵ ﹙﹚ ﹛﹜ ﹝﹞ ︵︶ ︷︸ ︹︺ ︻︼ ﹇﹈";

/** Those of notes alone: one that a caption breaks off goes on in the next. The others are smiles as well. */
const SQUARE_PAIRS = "[] ［］ 〔〕 【】";

/** Brackets of notes that stand around names of works and around narration as well. */
const TITLE_PAIRS = "《》 〈〉 ⟨⟩ ⟪⟫ 〈〉 ≪≫ ＜＞ ︽︾ ︿﹀";

/** Letters of a note in {@link TITLE_PAIRS} at most, and words of one that parts its words: what is longer is spoken. */
const NOTE = { letters: 10, words: 3 };

/** How many brackets stand one in another at most. */
const NOTES_IN_NOTES = 3;

/** What marks a caption as sung. */
const SUNG = /[♪♫♬♩🎵🎶]/u;

/** Signs of music, with what is drawn beside them. */
const MUSIC = /(?<![~～〜∼])[~～〜∼]*[♪♫♬♩🎵🎶#＃*＊]+[~～〜∼]*/gu;

/** A sound between asterisks, as chats write it; songs have a space inside theirs. */
const BETWEEN_ASTERISKS = /([*＊])(?!\s)[^*＊\n]+(?<!\s)\1/g;

/** A dash or arrows that say that somebody else speaks. */
const TURN = "(?:[>＞]{2,}|[-–—‐・●])?";

/** Who speaks, before a colon: in capitals, in a few words that each begin with one, or in a script without capitals. */
const SPEAKERS = [
  String.raw`\p{Lu}[\p{Lu}\p{M}\s.'’-]*:`,
  String.raw`\p{Lu}[\p{L}\p{M}.'’-]*(?:\s\p{Lu}[\p{L}\p{M}.'’-]*){0,2}\p{Z}*(?:：|:(?=\s|$))`,
  String.raw`[\p{Lo}\p{Lm}\p{M}・]{1,12}(?:\s[\p{Lo}\p{Lm}\p{M}・]{1,12})?\p{Z}*(?:：|:(?=\s|$))`,
].map((who) => new RegExp(String.raw`^${TURN}\s*${who}`, "u"));

/** Whether a caption is sung. */
export function isSung(text: string): boolean {
  return SUNG.test(text);
}

/**
 * What is spoken of a caption: descriptions of sounds in brackets of any script, speakers' names and signs of music are taken out. Empty
 * where no letter and no number is left.
 */
export function captionWords(text: string): string {
  const said = withoutNotes(text.replace(BETWEEN_ASTERISKS, " ")).replace(MUSIC, " ").trim();
  const words = SPEAKERS.reduce((rest, who) => rest.replace(who, " "), said)
    .replace(/\s+/g, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(words) ? words : "";
}

const NOTES = NOTE_PAIRS.split(" ").map(insidePair);
const TITLES = TITLE_PAIRS.split(" ").map(insidePair);
const BROKEN_OFF = SQUARE_PAIRS.split(" ").flatMap((pair) => {
  const [open, close] = ends(pair);
  return [new RegExp(`^[^${open}]*${close}`, "u"), new RegExp(`${open}[^${close}]*$`, "u")];
});

/** A pair of brackets with nothing of the pair inside. */
function insidePair(pair: string): RegExp {
  const [open, close] = ends(pair);
  return new RegExp(`${open}([^${open}${close}]*)${close}`, "gu");
}

/** The two brackets of a pair, as a pattern has them. */
function ends(pair: string): readonly [string, string] {
  const [open = "", close = ""] = [...pair].map(literalPattern);
  return [open, close];
}

function withoutNotes(text: string): string {
  let rest = text;
  for (let depth = 0; depth < NOTES_IN_NOTES; depth++) {
    for (const note of NOTES) rest = rest.replace(note, " ");
  }
  for (const broken of BROKEN_OFF) rest = rest.replace(broken, " ");
  for (const title of TITLES) {
    rest = rest.replace(title, (whole, inside: string, at: number) =>
      isNote(inside) && !goesOn(rest, at, at + whole.length) ? " " : ` ${inside} `,
    );
  }
  return rest;
}

/** Whether a few words tell of a sound, or of who speaks: a sentence does neither. */
function isNote(inside: string): boolean {
  if (/[.!?…。！？、，,؟।]/u.test(inside)) return false;
  const letters = inside.match(/\p{L}/gu)?.length ?? 0;
  const parted = inside.trim().split(/\s+/).length;
  return letters <= NOTE.letters || (parted > 1 && parted <= NOTE.words);
}

/** Whether a sentence goes on beside what stands in brackets, as it does beside the name of a work. */
function goesOn(text: string, start: number, end: number): boolean {
  return /[\p{L}\p{N}]$/u.test(text.slice(0, start)) || /^[\p{L}\p{N}]/u.test(text.slice(end));
}
