import { LIGHTS_PER_SECOND, type PictureMeasure } from "../../core/picture-measure.ts";
import { measureFrame } from "../analyse/picture/frame-measures.ts";
import { PictureWatcher, type WatchedFrame } from "../analyse/picture/picture-watcher.ts";
import { decodeProgramme } from "../ffmpeg/decode/decode-programme.ts";
import { probeMedia } from "../ffmpeg/probe/probe.ts";

/**
 * Measures the picture of a programme: where it changes, how light it is, and its shots. A file without picture has none of them.
 *
 * @param onFrame Told of each frame, in order of time; the frame is only valid meanwhile.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function measurePicture(
  path: string,
  signal: AbortSignal,
  onFrame: (frame: WatchedFrame) => void = () => {},
): Promise<PictureMeasure> {
  const { durationSeconds } = await probeMedia(path);
  using watcher = new PictureWatcher(null);
  const sums: { light: number; frames: number }[] = [];
  for await (const part of decodeProgramme(path, { durationSeconds: durationSeconds ?? 0, signal })) {
    if (part.kind !== "picture") continue;
    const { at, small } = part.frame;
    onFrame(part.frame);
    const slot = Math.max(0, Math.floor(at * LIGHTS_PER_SECOND));
    sums[slot] ??= { light: 0, frames: 0 };
    sums[slot].light += measureFrame(at, small).brightness;
    sums[slot].frames += 1;
    await watcher.add(part.frame);
  }
  const { shots } = await watcher.finish(durationSeconds ?? 0);
  return {
    changes: shots.slice(1).map(({ start }) => start),
    shots: shots.map(({ start, end, motion, colours, frozenSeconds }) => ({
      start,
      end,
      motion,
      colours,
      frozenSeconds,
    })),
    light: Array.from(sums, (sum) => (sum === undefined ? null : Math.round((sum.light / sum.frames) * 1000) / 1000)),
  };
}
