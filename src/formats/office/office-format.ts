import type { Format } from "../format.ts";

/** Documents that are written for Word and Excel: a script as a table, on timecodes where there is a grid. */
export const OFFICE = {
  docx: { title: "Script table of Word", endings: ["docx"], countsFrames: "on a grid", lacks: { ids: true } },
  xlsx: { title: "Script table of Excel", endings: ["xlsx"], countsFrames: "on a grid", lacks: { ids: true } },
} as const satisfies Record<string, Pick<Format, "title" | "endings" | "countsFrames" | "lacks">>;

/** Name of such a document. */
export type OfficeFormat = keyof typeof OFFICE;

/** Names of all of them. */
// The keys are the names.
export const OFFICE_FORMATS = Object.keys(OFFICE) as readonly OfficeFormat[];

/** Whether a name is one of {@link OFFICE_FORMATS}. */
export function isOfficeFormat(name: string): name is OfficeFormat {
  return name in OFFICE;
}
