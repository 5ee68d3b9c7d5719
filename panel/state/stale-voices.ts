import type { Cue } from "../../src/core/cue.ts";
import { estimateSpeakingSeconds } from "../../src/core/speaking-time.ts";
import type { VoicedCue } from "../../src/core/voiced-cue.ts";
import { fitsGap, gapOf, paceFactor, type Remedy, remediesFor } from "../../src/workflow/remedies.ts";
import { type StaleCue, staleCues, voicedCues } from "../../src/workflow/revoice/stale-cues.ts";
import { trackOf } from "./form.ts";
import type { JobEntry, Review } from "./saved.ts";
import { soundingCues } from "./sounding-cues.ts";

/** What is out of date of each result; a result is never changed in place. */
const known = new WeakMap<Review, ReadonlyMap<string, StaleCue>>();

/** What each cue's narration was made from: as it was last voiced, else as the service wrote it. */
export function voicedIn(review: Review, job: JobEntry): Readonly<Record<string, VoicedCue>> {
  return review.voiced ?? voicedCues(review.original, job.form.settings);
}

/** The cues whose narration is out of date, by their id; none where there is no narration. */
export function staleIn(review: Review, job: JobEntry | undefined): ReadonlyMap<string, StaleCue> {
  const present = known.get(review);
  if (present !== undefined) return present;
  const isSilent = job === undefined || trackOf(job.form) === "none" || review.audio === undefined;
  const record = isSilent ? null : { voiced: voicedIn(review, job), track: trackOf(job.form) };
  const stale = record === null || isSilent ? [] : staleCues(record, soundingCues(review), job.form.settings);
  const found = new Map(stale.map((one) => [one.cueId, one]));
  known.set(review, found);
  return found;
}

/** Ways out for a cue whose words take longer than its gap offers; none where they fit. */
export function remediesIn(
  { cues, speech, music, wordings, exported }: Review,
  cue: Cue,
  stale: ReadonlyMap<string, StaleCue>,
): Remedy[] {
  // Narration that is up to date is as long as its cue: from it comes the pace of the voice.
  const pace = paceFactor(cues.filter(({ id }) => !stale.has(id)));
  const seconds = stale.has(cue.id) ? estimateSpeakingSeconds(cue.text) * pace : cue.end - cue.start;
  const others = wordings?.[cue.id] ?? [];
  const toFit = { id: cue.id, start: cue.start, text: cue.text, seconds, wordings: others };
  const { durationSeconds } = exported;
  const gap = gapOf(cue, { cues, speech: speech ?? [], music: music ?? [], durationSeconds });
  return fitsGap(toFit, gap) ? [] : remediesFor(toFit, gap).filter(({ isPossible }) => isPossible);
}
