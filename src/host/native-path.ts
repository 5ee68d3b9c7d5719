/**
 * A native path without the long prefix of Windows, which Premiere puts before the paths of projects and may put before those of
 * media: `\\?\C:\a` is `C:\a`, `\\?\UNC\server\share` is `\\server\share`. Any other path as it is.
 */
export function plainPath(path: string): string {
  return path.replace(/^[\\/]{2}\?[\\/]UNC[\\/]/i, "\\\\").replace(/^[\\/]{2}\?[\\/]/, "");
}

/** Whether two native paths name the same file, in whichever Unicode form, with or without prefix; on Windows whatever the case. */
export function isSamePath(a: string, b: string): boolean {
  return foldedPath(a) === foldedPath(b);
}

/** The folder that a file lies in; `null` for a path that is not of this computer, and for none. */
export function folderOf(path: string): string | null {
  const plain = plainPath(path);
  return isWindowsPath(plain) || plain.startsWith("/") ? plain.replace(/[\\/][^\\/]*$/, "") : null;
}

function foldedPath(path: string): string {
  const plain = plainPath(path).normalize("NFC");
  return isWindowsPath(plain) ? plain.replaceAll("/", "\\").toLowerCase() : plain.replaceAll("\\", "/");
}

/** A path with a drive, or of a share. */
function isWindowsPath(path: string): boolean {
  return /^([A-Za-z]:[\\/]|\\\\)/.test(path);
}
