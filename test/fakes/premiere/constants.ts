import type { premierepro } from "@adobe/premierepro";
import type { ColourName } from "./state.ts";

/** The enumerations of the module that the double offers; any other raises an error when it is read. */
const ENUMERATIONS = {
  ContentType: ["ANY", "SEQUENCE", "MEDIA"],
  EncoderEvent: ["RENDER_COMPLETE", "RENDER_ERROR", "RENDER_CANCEL", "RENDER_QUEUE", "RENDER_PROGRESS"],
  ExportType: ["QUEUE_TO_AME", "QUEUE_TO_APP", "IMMEDIATELY"],
  MarkerColor: ["GREEN", "RED", "MAGNETA", "ORANGE", "YELLOW", "BLUE", "CYAN"],
  MediaType: ["ANY", "DATA", "VIDEO", "AUDIO"],
  OperationCompleteEvent: ["EXPORT_MEDIA_COMPLETE", "IMPORT_MEDIA_COMPLETE", "EFFECT_DROP_COMPLETE"],
  OperationCompleteState: ["SUCCESS", "CANCELLED", "FAILED"],
  ProjectEvent: ["OPENED", "CLOSED", "DIRTY", "ACTIVATED", "PROJECT_ITEM_SELECTION_CHANGED"],
  PropertyType: ["PERSISTENT", "NON_PERSISTENT"],
  SequenceEvent: ["ACTIVATED", "CLOSED", "SELECTION_CHANGED"],
  TrackItemType: ["EMPTY", "CLIP", "TRANSITION", "PREVIEW", "FEEDBACK"],
  VideoDisplayFormatType: [
    "FPS_23_976", "FPS_25", "FPS_29_97", "FPS_29_97_NON_DROP", "FEET_FRAME_16mm", "FEET_FRAME_35mm", "FRAMES",
  ],
} as const; // biome-ignore format: a table reads better in rows

/** How the values of an enumeration look at run time: text, objects or numbers (`premiere-uxp.md` 7.1, 8). */
const TEXTS: readonly string[] = [
  "ExportType",
  "EncoderEvent",
  "OperationCompleteEvent",
  "ProjectEvent",
  "SequenceEvent",
];
const OBJECTS: readonly string[] = ["MediaType"];

/** The constants of one double: opaque values that differ from run to run, so that a literal in the code fails. */
export type HostConstants = premierepro["Constants"];

/** Makes the constants; `random` gives numbers from 0 up to 1. */
export function makeConstants(random: () => number): HostConstants {
  const enumerations: Record<string, object> = {};
  for (const [name, members] of Object.entries(ENUMERATIONS)) {
    const start = 1000 + Math.floor(random() * 1_000_000);
    const values: Record<string, unknown> = {};
    for (const [index, member] of members.entries()) {
      const number = start + index * 7;
      if (TEXTS.includes(name)) values[member] = `${name}#${number.toString(36)}`;
      else values[member] = OBJECTS.includes(name) ? Object.freeze({ number }) : number;
    }
    enumerations[name] = strictEnumeration(name, values);
  }
  // The vendor declares enumerations without values; the double gives them values of the kinds seen at run time.
  return strictEnumeration("Constants", enumerations) as unknown as HostConstants;
}

/** Unlike host objects, enumerations may be listed: the double itself does. */
function strictEnumeration(name: string, values: Record<string, unknown>): object {
  return new Proxy(values, {
    get(target, key) {
      if (typeof key === "string" && !Object.hasOwn(target, key)) throw new Error(`${name} has no member "${key}"`);
      return Reflect.get(target, key);
    },
  });
}

/** The name of a marker colour by its runtime value; absent for a value that is none. */
export function colourName(constants: HostConstants, value: number): ColourName | undefined {
  return ENUMERATIONS.MarkerColor.find((name) => constants.MarkerColor[name] === value);
}
