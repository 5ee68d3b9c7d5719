import type { premierepro } from "@adobe/premierepro";
import { castClip, clipsOn } from "./answers.ts";
import { openSequence } from "./open-sequence.ts";
import { readTracks } from "./read-snapshot.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks } from "./ticks.ts";
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
  const { sequence } = await openSequence(premiere, reference);
  const clips = await clipsOn(premiere, await sequence.getAudioTrack(trackIndex));
  const item = await clips[place]?.getProjectItem();
  const clip = item === undefined ? null : await castClip(premiere, item);
  // Before 26.3 nothing says whether there is a transcript.
  if (clip === null || !("hasTranscript" in premiere.Transcript) || !(await premiere.Transcript.hasTranscript(clip)))
    return [];
  return readTranscript(await premiere.Transcript.exportToJSON(clip));
}
