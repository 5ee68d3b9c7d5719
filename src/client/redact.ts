/** Stands where a secret was. */
const HIDDEN = "[hidden]";

/** Keys of the hosted service and of ours by their form; any other is known by its value alone. */
const KEY_FORM = /\b(?:vsk_[A-Za-z0-9_-]{6,}|aside_[A-Za-z0-9_-]{40,})/g;

/** Query and user information of an address: both may hold a signature, a token or a password. */
const ADDRESS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"'<>]*@)?([^\s?#"'<>]*)(\?[^\s"'<>]*)?/gi;

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
  clean = clean
    .replace(ADDRESS, (_whole, scheme: string, rest: string, query?: string) =>
      query === undefined ? `${scheme}${rest}` : `${scheme}${rest}?${HIDDEN}`,
    )
    .replace(KEY_FORM, HIDDEN)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS - 1)}…` : clean;
}
