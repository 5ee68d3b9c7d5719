import type { AudioClipTrackItem, AudioTrack, premierepro, VideoClipTrackItem, VideoTrack } from "@adobe/premierepro";

/** The clips of a track, in order. Premiere gives `null` for whatever is no clip: transitions among others. */
export function clipsOn(premiere: premierepro, track: AudioTrack): AudioClipTrackItem[];
export function clipsOn(
  premiere: premierepro,
  track: AudioTrack | VideoTrack,
): (AudioClipTrackItem | VideoClipTrackItem)[];
export function clipsOn(
  premiere: premierepro,
  track: AudioTrack | VideoTrack,
): (AudioClipTrackItem | VideoClipTrackItem)[] {
  // The declarations leave the nulls out.
  const items: readonly (AudioClipTrackItem | VideoClipTrackItem | null)[] = track.getTrackItems(
    premiere.Constants.TrackItemType.CLIP,
    false,
  );
  return items.filter((item) => item !== null);
}
