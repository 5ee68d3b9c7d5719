import type { Timeline } from "../../core/timeline.ts";
import { frameSeconds } from "./apply-plan.ts";

/** What of a timeline a file does not say, in words; times count as the same within a frame. */
export function timelineDifferences(timeline: Timeline, written: Timeline | null): string[] {
  if (written === null) return ["the file cannot be read back"];
  const frame = frameSeconds(timeline.rate);
  const differences: string[] = [];
  if (written.markers.length !== timeline.markers.length) {
    differences.push(`${written.markers.length} markers instead of ${timeline.markers.length}`);
  }
  const inOrder = ({ markers }: Timeline) => [...markers].sort((a, b) => a.start - b.start);
  const others = inOrder(written);
  for (const [index, marker] of inOrder(timeline).entries()) {
    const other = others[index];
    if (other === undefined) continue;
    const isMoved = Math.abs(other.start - marker.start) >= frame || Math.abs(other.end - marker.end) >= frame;
    if (isMoved) differences.push(`marker "${marker.name}" is at another time`);
    if (other.comment.trim() !== marker.comment.trim()) differences.push(`marker "${marker.name}" has other words`);
  }
  const clipsOf = ({ tracks }: Timeline) => tracks.reduce((count, { clips }) => count + clips.length, 0);
  if (clipsOf(written) < clipsOf(timeline)) differences.push("a clip is missing");
  return differences;
}
