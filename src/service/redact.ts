const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Keys of this service, and of hosts that use the same form.
  [/\b(aside|vsk)_[A-Za-z0-9_-]{8,}/g, "$1_…"],
  // The query of any address may be a signature.
  [/(https?:\/\/[^\s"'<>?]+)\?[^\s"'<>]*/g, "$1?…"],
  // Credentials inside an address.
  [/(\w+:\/\/)[^\s/@"']+@/g, "$1…@"],
];

/** A text without API keys, signed queries and credentials: what every log line and error text passes through. */
export function redact(text: string): string {
  let redacted = text;
  for (const [pattern, replacement] of PATTERNS) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
