import { type Cue, readMarkerComment } from "../core/cue.ts";
import { defined } from "../core/objects.ts";
import type { Receipt, Verdict } from "../core/verdict.ts";
import { decodeFile } from "./decode-file.ts";
import { foreignKind, isOfficeDocument } from "./foreign-file.ts";
import { OfficeFault } from "./office/office-package.ts";
import { type ParseIssue, ReceiptBuilder, whyNothing } from "./parse-issue.ts";
import { type DocumentReading, type ReadDocument, readDocument } from "./read-document.ts";
import { type DocumentFormat, FORMATS } from "./registry.ts";

/** A file of captions or descriptions as it was read. */
export interface ReadFile {
  /** `null` where it is in no format that is read. */
  readonly format: DocumentFormat | null;
  /** Empty where the verdict is `unsure` or `does not fit`. */
  readonly cues: readonly Cue[];
  readonly verdict: Verdict;
  readonly receipt: Receipt;
}

/** Documents whose endings no format of text has. */
const DOCUMENT_ENDINGS = ["docx", "xlsx", "ods", "rtf"];

/** Endings of files that {@link readFile} reads. */
export const FILE_ENDINGS: readonly string[] = [
  ...new Set([...Object.values(FORMATS).flatMap(({ endings }) => endings), ...DOCUMENT_ENDINGS]),
];

/**
 * Reads the cues of a file, whatever its format and encoding, as the film allows that it belongs to. Of a timeline with markers of
 * ours these alone are cues. Never throws on bytes. For Node and browsers: UXP has no `TextDecoder`.
 */
export function readFile(bytes: Uint8Array, filename: string, reading: Omit<DocumentReading, "filename">): ReadFile {
  const kind = isOfficeDocument(bytes) ? null : foreignKind(bytes, filename);
  if (kind !== null) return refused(`it ${kind}`);
  try {
    const decoded = decodeFile(bytes);
    if (decoded === null) return refused("its letters are in no encoding that can be told: save it as UTF-8");
    const document = readDocument(decoded.text, { ...reading, filename });
    const cues = document.cues.length === 0 ? [] : (ownCues(document) ?? document.cues);
    const receipt = receiptOf([decoded.receipt, document.receipt], [...decoded.issues, ...document.issues]);
    return { format: document.format, cues, verdict: verdictOf(document, cues), receipt };
  } catch (error) {
    if (error instanceof OfficeFault) return refused(`it ${error.message}`);
    throw error;
  }
}

function refused(why: string): ReadFile {
  return { format: null, cues: [], verdict: { kind: "does not fit", why }, receipt: { facts: [], leftOut: [] } };
}

/** The markers of ours in a timeline; `null` where it holds none. */
function ownCues({ timeline }: ReadDocument): Cue[] | null {
  const own = (timeline?.markers ?? []).flatMap(({ start, end, comment }) => {
    const marker = readMarkerComment(comment);
    return marker === null ? [] : [{ id: marker.cueId, start, end, text: marker.text }];
  });
  return own.length === 0 ? null : own.filter(({ text }) => text !== "");
}

function verdictOf({ verdict, issues }: ReadDocument, cues: readonly Cue[]): Verdict {
  if (verdict !== undefined && (cues.length > 0 || verdict.kind === "unsure" || verdict.kind === "does not fit")) {
    return verdict;
  }
  if (cues.length > 0) return { kind: "fits" };
  return { kind: "does not fit", why: whyNothing(issues) };
}

/** Issues that the gate tells among its facts, its left-outs, or as its verdict. */
const TOLD_OTHERWISE: readonly ParseIssue["code"][] = [
  ...(["assumed-start", "assumed-unit", "assumed-stretch"] as const),
  ...(["unsure", "not-of-this-film", "no-words", "left-out-before"] as const),
];

/** What is told of a file: what its readers say, what they assumed, and what they did not take in. */
function receiptOf(receipts: readonly (Receipt | undefined)[], issues: readonly ParseIssue[]): Receipt {
  const told = new ReceiptBuilder();
  for (const receipt of receipts) {
    for (const fact of receipt?.facts ?? []) told.fact(fact);
    for (const { what, count, words } of receipt?.leftOut ?? []) told.leaveOut(what, count, words);
  }
  for (const { code, effect, message, text, count = 1 } of issues) {
    if (code === "direction") told.leaveOut("direction to the voice", count, [text]);
    else if (TOLD_OTHERWISE.includes(code)) continue;
    else if (effect === "assumed") told.fact(message);
    else if (effect === "dropped") told.leaveOut("line that cannot be read", 1, [text]);
  }
  const choices = receipts.map((receipt) => receipt?.choices).find((one) => one !== undefined);
  return { ...told.finish(), ...defined({ choices }) };
}
