/** The last part of a path, of this system or another: what stands behind its last slash or backslash. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** A file's name without its ending; a name that begins with its only point has none. */
export function withoutEnding(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}
