import { type ProjectState, sequenceEnd, type TrackState } from "../../../test/fakes/premiere/state.ts";

/** Draws the active sequence: markers above, tracks below, each to scale. */
export function drawTimeline(into: HTMLElement, project: ProjectState | null, mediaName: string): void {
  into.textContent = "";
  const sequence = project?.activeSequenceId == null ? undefined : project.sequences.get(project.activeSequenceId);
  if (sequence === undefined) {
    into.append(row(project === null ? "No project is open." : "No sequence is open.", "note"));
    return;
  }
  const end = sequenceEnd(sequence);
  const percent = (ticks: bigint) => (Number(ticks) / Number(end)) * 100;
  into.append(row(`${sequence.name} · ${sequence.display} · shows ${mediaName}`, "note"));
  const markers = row("", "lane");
  for (const marker of sequence.markers) {
    const width = Math.max(0.3, percent(marker.duration));
    markers.append(block(marker.name, `marker ${marker.colour.toLowerCase()}`, percent(marker.start), width));
  }
  into.append(markers);
  const lane = (track: TrackState) => {
    const drawn = row("", "lane");
    for (const item of track.items) {
      drawn.append(block(item.name, "clip", percent(item.start), percent(item.end - item.start)));
    }
    into.append(row(`${track.name}${track.isMuted ? " (muted)" : ""}`, "track-name"), drawn);
  };
  sequence.videoTracks.forEach(lane);
  sequence.audioTracks.forEach(lane);
}

function row(text: string, name: string): HTMLElement {
  const made = document.createElement("div");
  made.className = name;
  made.textContent = text;
  return made;
}

function block(text: string, name: string, left: number, width: number): HTMLElement {
  const made = row(text, name);
  made.title = text;
  made.style.left = `${left}%`;
  made.style.width = `${width}%`;
  return made;
}
