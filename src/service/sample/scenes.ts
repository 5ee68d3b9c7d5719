import type { TimeRange } from "../../core/time-range.ts";
import { Canvas, type Colour } from "./canvas.ts";

/** Picture size and rate of the sample. */
export const SAMPLE_PICTURE = { width: 640, height: 360, rate: { numerator: 24, denominator: 1 } } as const;

/** A scene of the sample: when it is on, and how it looks `seconds` after it began. */
interface Scene extends TimeRange {
  readonly draw: (canvas: Canvas, seconds: number) => void;
}

const WHITE: Colour = [240, 240, 235];
const NAVY: Colour = [16, 24, 64];
const SKY: Colour = [120, 180, 235];
const PALE: Colour = [205, 228, 245];
const SEA: Colour = [30, 90, 150];
const SUN: Colour = [250, 215, 60];
const RED: Colour = [190, 40, 35];
const GREEN: Colour = [50, 130, 60];
const ORANGE: Colour = [225, 130, 40];
const BROWN: Colour = [105, 70, 40];
const SKIN: Colour = [225, 180, 150];
const NIGHT: Colour = [14, 18, 38];
const STONE: Colour = [42, 44, 60];
const LAMP: Colour = [245, 205, 110];
const INK: Colour = [30, 30, 34];

/** The sample's scenes, in order, without holes: hard cuts between them, a fade in at the start and out at the end. */
const SCENES: readonly Scene[] = [
  { start: 0, end: 4, draw: titleCard },
  { start: 4, end: 12, draw: harbour },
  { start: 12, end: 20, draw: quay },
  { start: 20, end: 26, draw: street },
  { start: 26, end: 31, draw: train },
  { start: 31, end: 37, draw: letter },
  { start: 37, end: 40, draw: endCard },
];

/** Length of the sample in seconds. */
export const SAMPLE_SECONDS = 40;

/** Raised with every change to what the sample shows or says: a clip that was kept is made anew then. */
export const SAMPLE_REVISION = 2;

/** Draws the sample's frames in order, each as planar 4:2:0. */
export function* sampleFrames(): Generator<Uint8Array> {
  const canvas = new Canvas(SAMPLE_PICTURE.width, SAMPLE_PICTURE.height);
  const frames = SAMPLE_SECONDS * SAMPLE_PICTURE.rate.numerator;
  for (let frame = 0; frame < frames; frame++) {
    const at = frame / SAMPLE_PICTURE.rate.numerator;
    const scene = SCENES.find(({ start, end }) => at >= start && at < end);
    scene?.draw(canvas, at - scene.start);
    yield canvas.toYuv420();
  }
}

function titleCard(canvas: Canvas, seconds: number): void {
  canvas.gradient(NAVY, NAVY);
  canvas.text("THE HARBOUR", 320, 160, 50, WHITE);
  canvas.text("A SAMPLE FOR ASIDE", 320, 230, 18, PALE);
  canvas.dim(Math.min(1, seconds / 1));
}

function harbour(canvas: Canvas, seconds: number): void {
  canvas.gradient(SKY, PALE);
  canvas.disc(520, 80, 36, SUN);
  canvas.rectangle(0, 220, 640, 140, SEA);
  const x = 90 + seconds * 38;
  canvas.polygon(
    [
      [x, 235],
      [x + 120, 235],
      [x + 98, 268],
      [x + 18, 268],
    ],
    WHITE,
  );
  canvas.rectangle(x + 56, 140, 5, 96, BROWN);
  canvas.polygon(
    [
      [x + 64, 142],
      [x + 64, 226],
      [x + 118, 226],
    ],
    RED,
  );
}

function quay(canvas: Canvas, seconds: number): void {
  canvas.gradient(SKY, PALE);
  canvas.rectangle(0, 260, 640, 100, [120, 118, 110]);
  person(canvas, 210, ORANGE, Math.sin(seconds * 4) * 2);
  person(canvas, 430, GREEN, Math.sin(seconds * 3 + 1) * 2);
}

function person(canvas: Canvas, x: number, coat: Colour, nod: number): void {
  canvas.polygon(
    [
      [x - 60, 330],
      [x - 42, 190],
      [x + 42, 190],
      [x + 60, 330],
    ],
    coat,
  );
  canvas.disc(x, 145 + nod, 42, SKIN);
  canvas.disc(x - 14, 138 + nod, 4, INK);
  canvas.disc(x + 14, 138 + nod, 4, INK);
  canvas.rectangle(x - 12, 160 + nod, 24, 4, INK);
}

function street(canvas: Canvas, seconds: number): void {
  canvas.gradient(NIGHT, STONE);
  canvas.rectangle(60, 90, 190, 270, [24, 26, 42]);
  canvas.rectangle(380, 60, 200, 300, [20, 22, 38]);
  canvas.rectangle(430, 130, 52, 64, LAMP);
  canvas.rectangle(300, 150, 6, 170, INK);
  canvas.disc(303, 146, 13, seconds % 3 < 2.8 ? LAMP : STONE);
}

function train(canvas: Canvas, seconds: number): void {
  canvas.gradient([150, 165, 175], [90, 110, 80]);
  const shift = (seconds * 900) % 220;
  canvas.rectangle(0, 130, 640, 130, RED);
  for (let x = -220 - 0; x < 900; x += 220) {
    canvas.rectangle(x + shift, 155, 70, 48, PALE);
    canvas.rectangle(x + shift + 110, 155, 70, 48, PALE);
    canvas.rectangle(x + shift + 200, 130, 8, 130, INK);
  }
  canvas.rectangle(0, 268, 640, 8, INK);
}

function letter(canvas: Canvas, _seconds: number): void {
  canvas.gradient(BROWN, [80, 52, 30]);
  canvas.polygon(
    [
      [150, 60],
      [500, 50],
      [520, 310],
      [130, 318],
    ],
    WHITE,
  );
  canvas.text("MEET ME", 325, 150, 34, INK);
  canvas.text("AT NOON", 325, 210, 34, INK);
}

function endCard(canvas: Canvas, seconds: number): void {
  canvas.gradient(NAVY, NAVY);
  canvas.text("THE END", 320, 180, 50, WHITE);
  canvas.dim(Math.max(0, Math.min(1, (2.5 - seconds) / 1)));
}
