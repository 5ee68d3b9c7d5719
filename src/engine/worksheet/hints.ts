import type { Shot } from "../../core/shot.ts";
import { overlapDuration, type TimeRange } from "../../core/time-range.ts";

/** Below this mean luma a picture is called dark, above the other bright. */
const DARK_BELOW = 0.22;
const BRIGHT_ABOVE = 0.6;
/** A picture this dark and even is black. */
const BLACK = { brightness: 0.03, contrast: 0.03 };
/** A shot that is never more saturated than this anywhere is called black and white. */
const MONOCHROME_BELOW = 0.03;
/** A colour that covers this share of a picture alone is named. */
const NAMED_SHARE = 0.4;
/** Share of a shot in which nothing at all changes for it to be called still. */
const STILL_SHARE = 0.85;
/** A shot that shares less with a pause, in seconds, is not seen in it. */
const SEEN_SECONDS = 0.2;

/**
 * What was measured of the picture in a pause, in a few English words each, without repetition. A reminder for whoever writes,
 * never narration.
 */
export function hintsFor(pause: TimeRange, shots: readonly Shot[]): string[] {
  const seen = shots.filter((shot) => overlapDuration(shot, pause) >= SEEN_SECONDS);
  const inside = seen.filter(({ start }) => start > pause.start);
  const count = (opening: Shot["opening"]) => inside.filter((shot) => shot.opening === opening).length;
  const changes = (["cut", "fade", "dissolve"] as const).flatMap((opening) => {
    const times = count(opening);
    return times === 0 ? [] : [times === 1 ? opening : `${times} ${opening}s`];
  });
  return [...new Set([...changes, ...seen.flatMap(looksOf)])];
}

function looksOf(shot: Shot): string[] {
  const { brightness, contrast, saturation, motion, colours, frozenSeconds, titleCard, start, end } = shot;
  if (!titleCard && brightness < BLACK.brightness && contrast < BLACK.contrast) return ["black"];
  const [main] = colours;
  return [
    ...(titleCard ? ["title card"] : []),
    ...(brightness < DARK_BELOW ? ["dark"] : brightness > BRIGHT_ABOVE ? ["bright"] : []),
    ...(saturation < MONOCHROME_BELOW ? ["black and white"] : []),
    ...(main !== undefined && main.share >= NAMED_SHARE ? [`mostly ${main.name}`] : []),
    ...(motion === "fast" ? ["fast movement"] : []),
    ...(frozenSeconds >= STILL_SHARE * (end - start) ? ["still"] : []),
  ];
}
