import { isAss, parseAss } from "./captions/ass.ts";
import { isEbuStl, parseEbuStl } from "./captions/ebu-stl.ts";
import { isScc, parseScc } from "./captions/scc.ts";
import type { FormatReader } from "./read-by.ts";
import { isAvidMarkers, parseAvidMarkers } from "./sessions/avid-markers.ts";
import { isProToolsText, parseProToolsText } from "./sessions/pro-tools-text.ts";

/** A format that shows itself by how its text begins. */
interface SeldomReader {
  /** Endings of its files that no other format has. */
  readonly endings: readonly string[];
  readonly isIn: (text: string) => boolean;
  readonly read: FormatReader;
}

/**
 * Formats of broadcasters, studios and subtitlers that the command line and a service read, and the panel does not: a row each.
 * Whoever adds one adds its reader, and a row here.
 */
export const SELDOM_FORMATS = {
  "ebu-stl": { endings: ["stl"], isIn: isEbuStl, read: parseEbuStl },
  scc: { endings: ["scc"], isIn: isScc, read: parseScc },
  ass: { endings: ["ass", "ssa"], isIn: isAss, read: parseAss },
  "avid-markers": { endings: [], isIn: isAvidMarkers, read: parseAvidMarkers },
  "pro-tools": { endings: [], isIn: isProToolsText, read: parseProToolsText },
} as const satisfies Record<string, SeldomReader>;

/** Name of such a format. */
export type SeldomFormat = keyof typeof SELDOM_FORMATS;

/** Every such format with its reader. */
// The keys of the table are its type's keys, which Object.entries forgets.
export const SELDOM_READERS = Object.entries(SELDOM_FORMATS) as readonly (readonly [SeldomFormat, SeldomReader])[];

/** The format that a text shows itself to be in; `null` for none of these. */
export function seldomFormat(text: string): SeldomFormat | null {
  return SELDOM_READERS.find(([, { isIn }]) => isIn(text))?.[0] ?? null;
}
