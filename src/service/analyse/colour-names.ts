import type { ColourName } from "../../core/shot.ts";

/** All colour names, in the order their pixels are counted in. */
export const COLOUR_NAMES: readonly ColourName[] = [
  "black",
  "white",
  "grey",
  "red",
  "orange",
  "yellow",
  "green",
  "blue",
  "purple",
  "pink",
  "brown",
];

/** Borders on the hue circle in degrees, 0 = red: the name of what lies below each. */
const HUES: readonly (readonly [number, ColourName])[] = [
  [15, "red"],
  [42, "orange"],
  [68, "yellow"],
  [168, "green"],
  [255, "blue"],
  [290, "purple"],
  [340, "pink"],
  [360, "red"],
];

/** Lightness and chroma, of 1, below or above which a colour has no hue to speak of. */
const NEUTRAL = { black: 0.1, white: 0.9, chroma: 0.1, darkChroma: 0.16, dark: 0.3 };

/** Orange, red and yellow darker than this are called brown; red lighter and paler than `pink` is called pink. */
const BROWN_BELOW = 0.42;
const PINK = { lightness: 0.62, chroma: 0.55 };

/**
 * The basic colour name of a pixel.
 *
 * @param luma 0 (black) to 255 (white).
 * @param blue Blue difference, 128 for grey.
 * @param red Red difference, 128 for grey.
 */
export function colourName(luma: number, blue: number, red: number): ColourName {
  const [y, b, r] = [luma / 255, (blue - 128) / 224, (red - 128) / 224];
  // ITU-R BT.709.
  const [reds, greens, blues] = [
    withinOne(y + 1.5748 * r),
    withinOne(y - 0.1873 * b - 0.4681 * r),
    withinOne(y + 1.8556 * b),
  ];
  const highest = Math.max(reds, greens, blues);
  const lowest = Math.min(reds, greens, blues);
  const lightness = (highest + lowest) / 2;
  const chroma = highest - lowest;
  if (lightness < NEUTRAL.black) return "black";
  if (chroma < (lightness < NEUTRAL.dark ? NEUTRAL.darkChroma : NEUTRAL.chroma)) {
    return lightness > NEUTRAL.white ? "white" : lightness < NEUTRAL.black * 1.5 ? "black" : "grey";
  }
  const hue = hueOf(reds, greens, blues, highest, chroma);
  const name = HUES.find(([limit]) => hue < limit)?.[1] ?? "red";
  if ((name === "orange" || name === "red" || name === "yellow") && hue < 60 && lightness < BROWN_BELOW) {
    return name === "red" && chroma > 0.35 ? "red" : "brown";
  }
  return name === "red" && lightness > PINK.lightness && chroma < PINK.chroma ? "pink" : name;
}

function withinOne(value: number): number {
  return Math.max(0, Math.min(1, value));
}

function hueOf(red: number, green: number, blue: number, highest: number, chroma: number): number {
  if (highest === red) return (60 * ((green - blue) / chroma) + 360) % 360;
  if (highest === green) return 60 * ((blue - red) / chroma) + 120;
  return 60 * ((red - green) / chroma) + 240;
}
