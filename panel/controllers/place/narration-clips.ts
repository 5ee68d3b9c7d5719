import { framesFromSeconds, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { clipPlaces } from "../../../src/workflow/place/cue-clips.ts";
import type { Replacement } from "../../../src/workflow/place/replace.ts";
import type { Session } from "../../session/session.ts";
import { openWavCutter } from "../../session/wav-cutter.ts";
import { fileNameOf } from "../../state/file-name.ts";
import type { ReviewState } from "../../state/review-state.ts";
import { soundingCues } from "../../state/sounding-cues.ts";
import { voicedIn } from "../../state/stale-voices.ts";

/**
 * The narration as a clip for each cue: cut out of the whole where the cue was voiced, and placed where the cue is now. The
 * files lie in a folder beside the whole. `null` where there is no narration, or no WAV.
 */
export async function narrationClips(
  { environment }: Session,
  { review, job, sequence }: ReviewState,
): Promise<NonNullable<Replacement["clips"]> | null> {
  const { audio, exported } = review;
  const wav = audio === undefined ? null : await openWavCutter(environment, audio.path);
  if (audio === undefined || wav === null) return null;
  const { files, pathIn } = environment;
  const { offsetSeconds } = exported;
  const voiced = voicedIn(review, job);
  const cues = new Map(soundingCues(review).map((cue) => [cue.id, cue]));
  const { pieces = {} } = review;
  const spoken = [...cues.values()].flatMap((cue) => {
    const was = voiced[cue.id];
    return was === undefined || pieces[cue.id] !== undefined ? [] : [{ ...cue, start: was.start, end: was.end }];
  });
  const shiftOf = (cueId: string) => {
    const moved = (cues.get(cueId)?.start ?? 0) - (voiced[cueId]?.start ?? 0);
    return secondsFromFrames(framesFromSeconds(moved, sequence.rate), sequence.rate);
  };
  const folder = audio.path.replace(/\.[^./\\]*$/, "");
  await files.makeFolder(folder);
  const clips: { path: string; place: (typeof places)[number] }[] = [];
  const places = clipPlaces(spoken, sequence.rate, offsetSeconds);
  for (const place of places) {
    const path = pathIn(folder, place.name);
    const from = place.start - offsetSeconds;
    // A file that is there is this very cut: another voicing has a folder of its own.
    if ((await files.size(path)) === null) await wav.cut(from, from + place.durationSeconds, path);
    clips.push({ path, place: { ...place, start: place.start + shiftOf(place.cueId) } });
  }
  for (const [cueId, { path, start, durationSeconds }] of Object.entries(pieces)) {
    if (!cues.has(cueId)) continue;
    const place = { cueId, name: fileNameOf(path), start: start + offsetSeconds + shiftOf(cueId), durationSeconds };
    clips.push({ path, place });
  }
  return clips;
}
