import { totalDuration } from "../../../core/time-range.ts";
import { sourceSound } from "../../ffmpeg/decode/source-sound.ts";
import type { MediaProbe } from "../../ffmpeg/probe/media-streams.ts";
import { probeMedia } from "../../ffmpeg/probe/probe.ts";
import type { SoundChoice } from "../../ffmpeg/probe/programme-sound-streams.ts";
import { askedSound, soundCandidates } from "../../ffmpeg/probe/sound-track-choice.ts";
import { JobFailure } from "../../isolate/job-failure.ts";
import { NETWORK_RATE } from "./gain-evener.ts";
import { decideSpeech } from "./speech-decision.ts";
import { VoiceFeatures } from "./voice-features.ts";

/** A candidate is listened to in so many places at most, spread evenly, for so many seconds each. */
const PROBES = { most: 12, seconds: 10 };

/** From this share of speech on, the sound that the file points to is taken without a look at the others: films have twice as much. */
const ENOUGH_SPEECH = 0.15;

/**
 * Another sound is taken for the dialogue where it holds so many seconds of speech, this share of what was listened to, and so many
 * times as much as the one that the file points to: a shout in the music and effects is no dialogue.
 */
const DIALOGUE = { seconds: 1, share: 0.03, times: 4 };

/** How sure the detector must be of what is counted: songs and crowds are speech of which it is not. */
const SURE = 0.7;

/**
 * Probes a programme, its sound chosen by what a person asks for, else by hearing; see {@link chooseSound}.
 *
 * @throws MediaProcessError when the file cannot be opened; JobFailure for a track that it does not have; the signal's reason when
 * it aborts.
 */
export async function probeProgramme(
  path: string,
  audioTrack: string | undefined,
  signal?: AbortSignal,
): Promise<MediaProbe> {
  return probeMedia(path, await chooseSound(path, audioTrack, signal));
}

/**
 * Which sound of a file is the programme's, where what the file says of its tracks does not decide; `null` where it does.
 *
 * What a person asks for counts. Else, of several sounds of which none says that it is something else, the one that the file
 * points to is listened to in a dozen short places. Only where hardly anybody speaks there, the others are heard in the same
 * places, and one in which somebody clearly speaks is the dialogue. The same file gives the same choice each time.
 *
 * @param asked Number from 1, language or title of a sound track.
 * @throws MediaProcessError when the file cannot be opened; JobFailure with the tracks that there are, for one that is not among
 * them; the signal's reason when it aborts.
 */
export async function chooseSound(
  path: string,
  asked: string | undefined,
  signal?: AbortSignal,
): Promise<SoundChoice | null> {
  if (asked !== undefined) {
    const answer = await askedSound(path, asked);
    if (answer.kind === "unknown") throw new JobFailure("sound_track_unknown", answer.message);
    return { tracks: answer.tracks, basis: "asked" };
  }
  const [first, ...others] = await soundCandidates(path);
  if (first === undefined || others.length === 0) return null;
  const { durationSeconds } = await probeMedia(path);
  if (durationSeconds === null || durationSeconds <= 0) return null;
  const listener = await VoiceFeatures.start(["v6"]);
  const places = placesIn(durationSeconds);
  const listened = places.length * Math.min(PROBES.seconds, durationSeconds);
  const secondsOf = async (tracks: readonly number[], enough: number) => {
    let seconds = 0;
    for (const sourceStart of places) {
      if (seconds >= enough) break;
      const voice = listener.another();
      const samples = Math.round(Math.min(PROBES.seconds, durationSeconds) * NETWORK_RATE);
      const part = { sourceStart, speed: 1, samples, sampleRate: NETWORK_RATE, tracks };
      for await (const sides of sourceSound(path, part, signal)) voice.add(meanOf(sides));
      const speech = decideSpeech(voice.finish(samples / NETWORK_RATE));
      seconds += totalDuration(speech.filter(({ confidence }) => confidence >= SURE));
    }
    return seconds;
  };
  const enough = ENOUGH_SPEECH * listened;
  const stated = await secondsOf(first, enough);
  if (stated >= enough) return null;
  for (const tracks of others) {
    const least = Math.max(DIALOGUE.seconds, DIALOGUE.share * listened, DIALOGUE.times * stated);
    if ((await secondsOf(tracks, least)) >= least) return { tracks, basis: "heard" };
  }
  return null;
}

/** Where a programme is listened to: all of a short one, one stretch after another. */
function placesIn(durationSeconds: number): number[] {
  const count = Math.max(1, Math.min(PROBES.most, Math.ceil(durationSeconds / PROBES.seconds)));
  const last = Math.max(0, durationSeconds - PROBES.seconds);
  return Array.from({ length: count }, (_, index) => (count === 1 ? 0 : (last * index) / (count - 1)));
}

/** Both sides as one, as a detector hears them. */
function meanOf([left = new Float32Array(), right = left]: readonly Float32Array[]): Float32Array {
  return left.map((sample, index) => 0.5 * (sample + (right[index] ?? 0)));
}
