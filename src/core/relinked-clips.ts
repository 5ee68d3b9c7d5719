import type { PlacedClip } from "./layout.ts";

/**
 * The clips of the old cut with the identity that their media has now: where not one file of the old cut is where it was,
 * the project has moved to another place, and files of the same name are taken for the same. A single file in another place
 * is a replaced one.
 */
export function relinkedClips(before: readonly PlacedClip[], after: readonly PlacedClip[]): readonly PlacedClip[] {
  const now = new Set(after.map(({ media }) => media));
  const located = before.filter(({ file }) => file !== null);
  if (located.length === 0 || located.some(({ media }) => now.has(media))) return before;
  const byName = new Map<string, Set<string>>();
  for (const { file, media } of after) {
    if (file !== null && media !== null) byName.set(file, (byName.get(file) ?? new Set()).add(media));
  }
  const relinked = new Map<string, string>();
  for (const { file, media } of located) {
    const [only, ...more] = byName.get(file ?? "") ?? [];
    if (only !== undefined && more.length === 0 && media !== null) relinked.set(media, only);
  }
  return before.map((clip) => ({ ...clip, media: relinked.get(clip.media ?? "") ?? clip.media }));
}
