/** A path of Windows in the form that Premiere's projects tell theirs in: `\\?\C:\…`, `\\?\UNC\server\…`. */
export function longPath(path: string): string {
  if (path === "" || path.startsWith("\\\\?\\")) return path;
  return path.startsWith("\\\\") ? `\\\\?\\UNC\\${path.slice(2)}` : `\\\\?\\${path}`;
}

/** The same path without that prefix, its drive in capitals; a path of another system as it is. */
export function plainPath(path: string): string {
  const plain = path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
  return plain.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}
