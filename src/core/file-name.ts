/** The last part of a path, of this system or another: what stands behind its last slash or backslash. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
