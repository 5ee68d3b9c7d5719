/** The last part of a path, of this system or another: what stands behind its last slash or backslash. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** A file's name without its ending; a name that begins with its only point has none. */
export function withoutEnding(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}

const STILL = /\.(?:png|jpe?g|jpe|tiff?|tga|bmp|gif|psd|psb|ai|eps|exr|dpx|heic|webp)$/i;

/** Whether an address or file name ends like a picture without a time of its own. */
export function isStillName(location: string): boolean {
  return STILL.test(location.replace(/[?#].*$/, ""));
}

/** Whether an error of Node's file system says that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
