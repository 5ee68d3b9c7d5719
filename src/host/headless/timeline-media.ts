import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MediaSource } from "../../core/timeline.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";

/** Files that an error names; more are counted. */
const MOST_NAMED = 5;

/**
 * Finds the media of a timeline on this computer: where the timeline says they are (an address, an absolute path, or one
 * from the timeline's own folder), else beside the timeline under the same name.
 *
 * @param timelinePath Native path of the timeline file.
 * @returns The native path of each medium.
 * @throws HostError `file_not_found` that names the files, never their folders.
 */
export async function locateMedia(
  media: readonly MediaSource[],
  timelinePath: string,
  files: Pick<Files, "size">,
): Promise<(source: MediaSource) => string> {
  const found = new Map<string, string>();
  const missing = new Set<string>();
  for (const source of media) {
    const key = source.location ?? "";
    if (found.has(key)) continue;
    const path = await firstThere(placesOf(source, dirname(timelinePath)), files);
    if (path === null) missing.add(basename(source.location ?? "") || source.name || "a clip without a file");
    else found.set(key, path);
  }
  if (missing.size > 0) throw missingMedia([...missing]);
  return (source) => found.get(source.location ?? "") ?? "";
}

function placesOf({ location }: MediaSource, folder: string): string[] {
  if (location === null) return [];
  const stated = statedPaths(location, folder);
  const places = [...stated, ...stated.map((path) => join(folder, basename(path.replaceAll("\\", "/"))))];
  // Accents are one sign or two, as the system that wrote the name has them.
  return [...new Set(places.flatMap((path) => [path, path.normalize("NFC"), path.normalize("NFD")]))];
}

function statedPaths(location: string, folder: string): string[] {
  if (/^file:/i.test(location)) {
    try {
      // Many programs leave out to encode an address, where `#` and `?` of a name end it.
      const whole = location.replaceAll("#", "%23").replaceAll("?", "%3F");
      return [...new Set([whole, location].map((address) => fileURLToPath(address)))];
    } catch {
      // An address of another system's disk: only its name is of use here.
      return [join(folder, basename(decoded(location)))];
    }
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) return [];
  return [location, decoded(location)].map((path) => (isAbsolute(path) ? path : join(folder, path)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A percent sign of its own.
  }
}

async function firstThere(paths: readonly string[], files: Pick<Files, "size">): Promise<string | null> {
  for (const path of paths) if ((await files.size(path)) !== null) return path;
  return null;
}

function missingMedia(names: readonly string[]): HostError {
  const listed = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const message = `media of the timeline ${names.length === 1 ? "is" : "are"} missing: ${listed.join(", ")}${more}`;
  return new HostError("file_not_found", message, {
    operation: "open the timeline",
    state: "nothing was changed",
  });
}
