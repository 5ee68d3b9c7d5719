import type { ColourName } from "../../../core/shot.ts";

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

/** A colour as people compare it (Oklab by Ottosson, 2020): lightness 0 to 1, chroma 0 to about 0.32, hue in degrees. */
interface PerceivedColour {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** Lightness up to which everything is black, and up to which a weak colour is. */
const BLACK = { always: 0.22, weak: 0.3 };

/** Lightness from which a colour without hue is white rather than grey. */
const WHITE_LIGHTNESS = 0.88;

/** Chroma below which a colour has no hue to speak of; pale and dark colours need more of it. */
const NEUTRAL_CHROMA = { usual: 0.035, pale: 0.045, dark: 0.05 };

/** Ends of the hues that have one name at any lightness, in degrees: 29 is the red of displays, 142 their green, 264 blue. */
const HUE_ENDS = {
  pink: 12,
  red: 40,
  orange: 78,
  gold: 100,
  olive: 113,
  green: 188,
  blue: 288,
  purple: 325,
  rose: 345,
};

/**
 * The basic colour name of a pixel. `null` for what people agree on no basic name for: beige, cream, khaki, skin.
 *
 * @param luma 0 (black) to 255 (white).
 * @param blue Blue difference, 128 for grey.
 * @param red Red difference, 128 for grey.
 */
export function colourName(luma: number, blue: number, red: number): ColourName | null {
  const colour = perceived(luma, blue, red);
  const { lightness, chroma, hue } = colour;
  if (lightness < BLACK.always) return "black";
  if (lightness < BLACK.weak && chroma < NEUTRAL_CHROMA.dark) return "black";
  if (lightness >= WHITE_LIGHTNESS && chroma < NEUTRAL_CHROMA.pale) return "white";
  if (chroma < NEUTRAL_CHROMA.usual) return "grey";
  if (hue >= HUE_ENDS.olive && hue < HUE_ENDS.rose) return coolName(colour);
  return warmName(colour);
}

/** Names from green to purple: they hold in light and dark. */
function coolName({ lightness, hue }: PerceivedColour): ColourName {
  if (hue < HUE_ENDS.green) return "green";
  if (hue < HUE_ENDS.blue) return "blue";
  return hue >= HUE_ENDS.purple && lightness > 0.6 ? "pink" : "purple";
}

/** Names from pink to yellow: what is orange in the light is brown in the shade, and pale it is beige. */
function warmName({ lightness, chroma, hue }: PerceivedColour): ColourName | null {
  if (hue >= HUE_ENDS.rose || hue < HUE_ENDS.pink) return lightness > 0.62 ? "pink" : chroma >= 0.08 ? "red" : null;
  const isWeak = chroma < 0.05;
  if (hue < HUE_ENDS.red) {
    if (chroma >= (hue < 30 ? 0.085 : 0.12)) return lightness > 0.7 && chroma < 0.16 ? "pink" : "red";
    return lightness < 0.6 && !isWeak ? "brown" : null;
  }
  if (hue < HUE_ENDS.orange) {
    if (lightness >= 0.62 && chroma >= 0.12) return "orange";
    return lightness < 0.7 && !isWeak ? "brown" : null;
  }
  if (hue < HUE_ENDS.gold) {
    if (lightness >= 0.75 && chroma >= 0.1) return "yellow";
    return lightness < 0.7 && !isWeak ? "brown" : null;
  }
  // Yellow in the light, the green of moss and dry grass below.
  if (lightness >= 0.87 && chroma >= 0.1) return "yellow";
  return chroma >= 0.08 && lightness < 0.87 ? "green" : null;
}

/** Colour of a pixel by ITU-R BT.709, as displays show it (IEC 61966-2-1), in Oklab. */
function perceived(luma: number, blue: number, red: number): PerceivedColour {
  const [y, b, r] = [luma / 255, (blue - 128) / 224, (red - 128) / 224];
  const [reds, greens, blues] = [
    linear(y + 1.5748 * r),
    linear(y - 0.1873 * b - 0.4681 * r),
    linear(y + 1.8556 * b),
  ] as const;
  const long = Math.cbrt(0.4122214708 * reds + 0.5363325363 * greens + 0.0514459929 * blues);
  const medium = Math.cbrt(0.2119034982 * reds + 0.6806995451 * greens + 0.1073969566 * blues);
  const short = Math.cbrt(0.0883024619 * reds + 0.2817188376 * greens + 0.6299787005 * blues);
  const greenRed = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(greenRed, blueYellow),
    hue: ((Math.atan2(blueYellow, greenRed) * 180) / Math.PI + 360) % 360,
  };
}

function linear(shown: number): number {
  const value = Math.max(0, Math.min(1, shown));
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
