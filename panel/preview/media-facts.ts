import { type FrameRate, framesPerSecond } from "../../src/core/frame-rate.ts";
import { probeMedia } from "../../src/engine/ffmpeg/probe/probe.ts";

/** What the page must know of the media that the pretended sequence shows. */
export interface PreviewMedia {
  readonly name: string;
  readonly durationSeconds: number;
  readonly rate: FrameRate;
}

/** What a file is as media, as Premiere asks when it imports one; `null` when it is none. */
export async function soundOrPicture(
  path: string,
): Promise<{ readonly durationSeconds: number; readonly hasVideo: boolean; readonly hasAudio: boolean } | null> {
  try {
    const { durationSeconds, picture, sound } = await probeMedia(path);
    if (picture === null && sound === null) return null;
    return { durationSeconds: durationSeconds ?? 0, hasVideo: picture !== null, hasAudio: sound !== null };
  } catch {
    return null;
  }
}

/** Reads the media that the sequence is made from. @throws Error when it has no picture with a rate. */
export async function readMediaFacts(path: string, name: string): Promise<PreviewMedia> {
  const { durationSeconds, picture } = await probeMedia(path);
  if (durationSeconds === null || picture === null || picture.rate === null) {
    throw new Error("The preview needs a video file with a picture and a frame rate.");
  }
  if (framesPerSecond(picture.rate) > 120) throw new Error("The preview takes videos of up to 120 frames per second.");
  return { name, durationSeconds, rate: picture.rate };
}
