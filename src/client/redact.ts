import { HIDDEN, hideSecrets } from "../core/hide-secrets.ts";

/** Longest text of someone else's that is repeated to a person, in characters. */
const MAX_CHARACTERS = 500;

/** Characters of a text that are looked at; a reply may be as long as it likes. */
const READ_CHARACTERS = 8_000;

/**
 * A text of unknown origin made fit to be shown or logged: the given secrets, keys by their form and the queries of
 * addresses are hidden, control characters become spaces, and what is too long is cut.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  // What the cut leaves of a word at the end goes too: it may be half a secret.
  let clean = text.length > READ_CHARACTERS ? text.slice(0, READ_CHARACTERS).replace(/\s\S*$/, "") : text;
  for (const secret of secrets) {
    if (secret !== "") clean = clean.replaceAll(secret, HIDDEN);
  }
  clean = hideSecrets(clean)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS - 1)}…` : clean;
}
