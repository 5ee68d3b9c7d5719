import { measureFrame } from "../../../../src/engine/analyse/picture/frame-measures.ts";
import { pictureBlocks } from "../../../../src/engine/analyse/picture/picture-blocks.ts";

/** Size of the frames. */
export const [WIDTH, HEIGHT] = [64, 36];

/** Brightness at a place, 0 to 255. */
export type Scene = (x: number, y: number) => number;

/** A frame of a scene in black and white. */
export function frame(at: number, scene: Scene) {
  const luma = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) =>
    Math.max(0, Math.min(255, Math.round(scene(index % WIDTH, Math.floor(index / WIDTH))))),
  );
  const grey = new Uint8Array(luma.length).fill(128);
  const measures = measureFrame(at, { width: WIDTH, height: HEIGHT, luma, blue: grey, red: grey, isFullRange: true });
  return { ...measures, blocks: pictureBlocks(measures) };
}

/** Soft light and dark, `waves` of them across the picture. */
export const waves =
  (count: number, phase = 0): Scene =>
  (x, y) =>
    120 + 60 * Math.sin((count * x * Math.PI) / WIDTH + phase) * Math.cos((2 * y) / HEIGHT);
