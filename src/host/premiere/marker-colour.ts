import type { premierepro } from "@adobe/premierepro";
import type { MarkerColour } from "../edit-plan.ts";

/** Names of the colours in Premiere's constants, which spell magenta in a way of their own. */
const CONSTANT_NAMES = {
  green: "GREEN",
  red: "RED",
  magenta: "MAGNETA",
  orange: "ORANGE",
  yellow: "YELLOW",
  blue: "BLUE",
  cyan: "CYAN",
} as const satisfies Record<MarkerColour, string>;

/** The colour a marker has when Premiere adds it; every other one needs a second transaction. */
export const NEW_MARKER_COLOUR: MarkerColour = "green";

/** The running host's number of a colour. */
export function colourIndex(constants: premierepro["Constants"], colour: MarkerColour): number {
  return constants.MarkerColor[CONSTANT_NAMES[colour]];
}

/** The colour of a number the running host gave; absent for one that no constant names. */
export function colourFromIndex(constants: premierepro["Constants"], index: number): MarkerColour | undefined {
  // The keys are those of the table above.
  const colours = Object.keys(CONSTANT_NAMES) as MarkerColour[];
  return colours.find((colour) => colourIndex(constants, colour) === index);
}
