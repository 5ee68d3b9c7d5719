/** What a word says of a switch; `null` for a word that says nothing. No word at all is off. */
export function isSwitchedOn(word: string): boolean | null {
  if (/^(?:on|1|true|yes)$/i.test(word.trim())) return true;
  return /^(?:off|0|false|no)?$/i.test(word.trim()) ? false : null;
}
