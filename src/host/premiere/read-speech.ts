import type { premierepro } from "@adobe/premierepro";
import { openSequence } from "./open-sequence.ts";
import { castClip, readTracks } from "./read-snapshot.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks } from "./ticks.ts";
import { clipsOn } from "./track-items.ts";
import { phrasesOf, readTranscript, type SpokenWords, shownSpeech } from "./transcript.ts";

/**
 * What is said in a sequence, as phrases on its clock, by the times of their words: Premiere keeps transcripts with source clips, not with sequences. Clips at
 * another speed than 1, and muted tracks, are left out.
 */
export async function readSpeech(premiere: premierepro, reference: SequenceReference): Promise<SpokenWords[]> {
  const tracks = await readTracks(premiere, reference, "audio");
  const transcripts = new Map<string, readonly SpokenWords[]>();
  const spoken: SpokenWords[] = [];
  for (const [trackIndex, track] of tracks.entries()) {
    if (track.isMuted) continue;
    for (const [place, clip] of track.clips.entries()) {
      if (clip.isDisabled || clip.isReversed || clip.speed !== 1 || clip.itemId === null) continue;
      const known = transcripts.get(clip.itemId) ?? (await transcriptOf(premiere, reference, trackIndex, place));
      transcripts.set(clip.itemId, known);
      const shown = { start: secondsFromTicks(clip.start), end: secondsFromTicks(clip.end) };
      // Clip by clip: who speaks on another track at the same time is a phrase of their own.
      spoken.push(...phrasesOf(shownSpeech(known, { shown, sourceStart: secondsFromTicks(clip.inPoint) })));
    }
  }
  return spoken;
}

async function transcriptOf(
  premiere: premierepro,
  reference: SequenceReference,
  trackIndex: number,
  place: number,
): Promise<readonly SpokenWords[]> {
  const track = await openSequence(premiere, reference).sequence.getAudioTrack(trackIndex);
  const item = await clipsOn(premiere, track)[place]?.getProjectItem();
  const clip = item === undefined ? null : castClip(premiere, item);
  // Before 26.3 nothing says whether there is a transcript.
  if (clip === null || !("hasTranscript" in premiere.Transcript) || !premiere.Transcript.hasTranscript(clip)) return [];
  return readTranscript(await premiere.Transcript.exportToJSON(clip));
}
