import { defined } from "../../core/objects.ts";
import { type ConversionLoss, cueLosses } from "../conversion-losses.ts";
import type { ReadDocument } from "../read-document.ts";
import { OFFICE, type OfficeFormat, type ScriptWriting, scriptTable } from "./office-parts.ts";
import { writeExcel } from "./write-excel.ts";
import { writeWord } from "./write-word.ts";

/** A document as one of Word or Excel, and what did not come along. */
export interface OfficeConversion {
  readonly bytes: Uint8Array;
  readonly losses: readonly ConversionLoss[];
}

/**
 * Writes a document's cues as a script for Word or Excel, with timecodes where there is a grid: the caller's, else its own.
 *
 * @throws OfficeFault for words that a cell of Excel cannot hold.
 */
export function convertToOffice(
  document: Pick<ReadDocument, "cues" | "title" | "language" | "grid" | "extras">,
  target: Pick<ScriptWriting, "grid" | "dialogueBefore"> & { readonly format: OfficeFormat },
): OfficeConversion {
  const { cues, title, language } = document;
  const grid = target.grid ?? document.grid;
  const { dialogueBefore } = target;
  const table = scriptTable(cues, defined({ title, language, grid, dialogueBefore }));
  const bytes = target.format === "docx" ? writeWord(table) : writeExcel(table);
  return { bytes, losses: cueLosses(document, OFFICE[target.format], grid) };
}
