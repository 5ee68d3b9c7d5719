/**
 * The address below which the interface's paths hang, without a slash at its end.
 *
 * @throws RangeError when it cannot be used in a request.
 */
export function checkedBaseUrl(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, "");
  if (!/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i.test(trimmed)) {
    throw new RangeError(
      "the service's address must look like https://host or https://host/path, without query or user name",
    );
  }
  return trimmed;
}

/**
 * An API key. Only what no HTTP header can carry is refused: a key is opaque.
 *
 * @throws RangeError when it cannot be used in a request.
 */
export function checkedKey(key: string): string {
  if (key === "" || /[^\t\x20-\x7e\x80-\xff]/.test(key)) {
    throw new RangeError("the API key is empty or holds characters that no HTTP header can carry");
  }
  return key;
}
