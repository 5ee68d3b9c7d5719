/**
 * Which side of a panel and a service has to be updated: they fit while the first two numbers of their versions are the same.
 * `null` where they fit, or one does not say its version.
 */
export function outdatedSide(panel: string, companion: string): "panel" | "companion" | null {
  const [ours, theirs] = [panel, companion].map((version) => /^(\d+)\.(\d+)\b/.exec(version));
  if (!ours || !theirs) return null;
  const difference = Number(ours[1]) - Number(theirs[1]) || Number(ours[2]) - Number(theirs[2]);
  return difference === 0 ? null : difference < 0 ? "panel" : "companion";
}
