import type { FrameRate } from "../../../core/frame-rate.ts";

/** The picture stream that a programme is taken from: the default one, attached cover art never. */
export interface PictureStream {
  /** Index among all streams of the file. */
  readonly index: number;
  readonly codec: string;
  /** Size as shown: after rotation and pixel aspect. */
  readonly width: number;
  readonly height: number;
  /** The stream's nominal rate; `null` when the file has none that makes sense. */
  readonly rate: FrameRate | null;
  /** Whether frames come at uneven times, so that frame numbers cannot be computed from times. */
  readonly isVariableRate: boolean;
  /** Seconds from the programme's time 0 to the first picture. */
  readonly startSeconds: number;
  readonly durationSeconds: number | null;
}

/** The sound stream that a programme is taken from: the default one, or several of one channel each as one. */
export interface SoundStream {
  /** Index among all streams of the file; the first of several. */
  readonly index: number;
  readonly codec: string;
  readonly channels: number;
  /** FFmpeg's name of the channel layout: `mono`, `stereo`, `5.1(side)`, ... */
  readonly layout: string;
  readonly sampleRate: number;
  /** Seconds from the programme's time 0 to the first sample. */
  readonly startSeconds: number;
  readonly durationSeconds: number | null;
  readonly language: string | null;
}

/** What is known of a media file before any of it is decoded. */
export interface MediaProbe {
  /** FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string;
  /**
   * Length of the programme in seconds: of the picture where there is one, else of the sound; `null` when neither says.
   * A subtitle or data track that runs on longer does not count.
   */
  readonly durationSeconds: number | null;
  /**
   * Where the programme's time 0 lies on the file's own clock, in seconds: the earlier start of the picture and the sound
   * below. Most files have 0; a transport stream, or a part cut out of a longer one, does not.
   */
  readonly originSeconds: number;
  readonly picture: PictureStream | null;
  readonly sound: SoundStream | null;
  /** Start timecode as the file states it (`01:00:00:00`), `null` without one. */
  readonly startTimecode: string | null;
}
