/**
 * The `file:` address of a place on disk: an address of any scheme as it is, an absolute path of either system
 * percent-encoded (`/a b.wav` is `file:///a%20b.wav`, `C:\a.wav` is `file:///C:/a.wav`), a relative path encoded only.
 */
export function fileUrl(location: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) return location;
  const path = /^[a-z]:[\\/]|^\\\\/i.test(location) ? location.replaceAll("\\", "/") : location;
  const encoded = path.split("/").map(encodeSegment).join("/");
  if (path.startsWith("//")) return `file:${encoded}`;
  if (path.startsWith("/")) return `file://${encoded}`;
  return /^[a-z]:\//i.test(path) ? `file:///${encoded}` : encoded;
}

function encodeSegment(segment: string): string {
  // Half of a surrogate pair cannot be encoded, and no file has it in its name.
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd")).replaceAll("%3A", ":");
}
