import { AV_PKT_DATA_DISPLAYMATRIX } from "node-av/constants";
import type { Stream } from "node-av/lib";

/** Clockwise quarter turns by which a stored picture is shown. */
type QuarterTurns = 0 | 1 | 2 | 3;

/** How a stored picture becomes the shown one. */
export interface PictureGeometry {
  readonly turns: QuarterTurns;
  /** Whether the picture is mirrored left to right before it is turned. */
  readonly isMirrored: boolean;
  /** Size as shown, in square pixels. */
  readonly width: number;
  readonly height: number;
}

/** Reads rotation and pixel aspect off a stream. Turns by other angles than quarters count as the nearest quarter. */
export function pictureGeometry(stream: Stream): PictureGeometry {
  const { turns, isMirrored } = orientation(stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX));
  const aspect = pixelAspect(stream);
  const stored = { width: stream.codecpar.width, height: stream.codecpar.height };
  const square =
    aspect >= 1
      ? { width: Math.round(stored.width * aspect), height: stored.height }
      : { width: stored.width, height: Math.round(stored.height / aspect) };
  const shown = turns % 2 === 0 ? square : { width: square.height, height: square.width };
  return { turns, isMirrored, ...shown };
}

/** Width of a pixel over its height; 1 where the file says nothing sensible. */
function pixelAspect(stream: Stream): number {
  for (const { num, den } of [stream.sampleAspectRatio, stream.codecpar.sampleAspectRatio]) {
    // 0:1 means unknown; beyond 1:10 it is a damaged header rather than an anamorphic picture. Within half a percent of
    // square it is a display size rounded to whole pixels.
    const aspect = num / den;
    if (num > 0 && den > 0 && aspect >= 0.1 && aspect <= 10) return Math.abs(aspect - 1) < 0.005 ? 1 : aspect;
  }
  return 1;
}

/** Length of a display matrix: nine 32-bit numbers, 16.16 fixed point but for the last column (ISO/IEC 14496-12, 8.3.2). */
const MATRIX_BYTES = 36;

function orientation(matrix: Buffer | null): { turns: QuarterTurns; isMirrored: boolean } {
  if (matrix === null || matrix.length < MATRIX_BYTES) return { turns: 0, isMirrored: false };
  const [a, b, c, d] = [0, 4, 12, 16].map((offset) => matrix.readInt32LE(offset)) as [number, number, number, number]; // four offsets give four numbers
  const isMirrored = a * d - b * c < 0;
  const degrees = (Math.atan2(isMirrored ? -b : b, isMirrored ? -a : a) * 180) / Math.PI;
  const turns = ((Math.round(degrees / 90) + 4) % 4) as QuarterTurns; // a whole number from 0 to 3
  return { turns, isMirrored };
}
