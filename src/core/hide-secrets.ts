/** Stands where a secret was. */
export const HIDDEN = "[hidden]";

/** Keys of the hosted service and of ours by their form; any other is known by its value alone. */
const KEY_FORM = /\b(?:vsk_[A-Za-z0-9_-]{6,}|aside_[A-Za-z0-9_-]{8,})/g;

/** Query and user information of an address: both may hold a signature, a token or a password. */
const ADDRESS = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/"'<>]*@)?([^\s?#"'<>]*)(\?[^\s"'<>]*)?/gi;

/** A text without API keys, credentials and queries of addresses: what every log line and error text passes through. */
export function hideSecrets(text: string): string {
  return text
    .replace(ADDRESS, (_whole, scheme: string, rest: string, query?: string) =>
      query === undefined ? `${scheme}${rest}` : `${scheme}${rest}?${HIDDEN}`,
    )
    .replace(KEY_FORM, HIDDEN);
}
