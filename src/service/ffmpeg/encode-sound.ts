import { type DecodeSoundOptions, decodeSound } from "./decode-sound.ts";
import { MediaProcessError } from "./media-process-error.ts";
import { soundStream } from "./media-streams.ts";
import { MovieFile } from "./movie-file.ts";
import { openMedia } from "./open.ts";
import { SoundTrack } from "./sound-track.ts";

/** Seconds of sound after which progress is told. */
const STEP_SECONDS = 5;

/**
 * Encodes a sound file as the sound of a video is, into an MP4 file of its own, which appears when whole.
 *
 * @param onProgress Called with the share that is done, 0 to 1.
 * @throws MediaProcessError; the signal's reason when it aborts. No file is left then.
 */
export async function encodeSound(
  path: string,
  target: string,
  options: DecodeSoundOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  using media = await openMedia(path);
  const stream = soundStream(media.context);
  if (stream === null) throw new MediaProcessError("media_undecodable", "The file has no sound.");
  const movie = new MovieFile(target);
  try {
    const { sampleRate, durationSeconds } = options;
    const sound = { sampleRate, layout: stream.codecpar.channelLayout, blocks: decodeSound(path, options) };
    using track = new SoundTrack(movie, sound, { title: "", language: "und", disposition: 0 });
    movie.begin();
    while (Number.isFinite(track.writtenSeconds)) {
      await track.advance(track.writtenSeconds + STEP_SECONDS);
      onProgress(Math.min(1, track.writtenSeconds / durationSeconds));
    }
    await movie.finish();
  } catch (error) {
    await movie.discard();
    throw error;
  }
}
