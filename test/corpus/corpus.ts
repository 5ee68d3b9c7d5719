import type { FileResult } from "./check.ts";
import { checkDapt } from "./check-dapt.ts";
import { checkDescribed, checkLanguages } from "./check-described.ts";
import { checkEdls } from "./check-edl.ts";
import { checkExchange } from "./check-exchange.ts";
import { checkOddSubRip, checkSameContent, checkSbv } from "./check-srt.ts";
import { checkTimecode } from "./check-timecode.ts";
import { checkFcp7, checkFcpxml, checkOtio } from "./check-timelines.ts";
import { checkOddWebVtt, checkVttJs, checkWptCueText, checkWptFiles } from "./check-webvtt.ts";
import { corpusPaths } from "./corpus-files.ts";
import { KNOWN_DEVIATIONS } from "./known-deviations.ts";

/** What the check of one folder found. */
export interface FolderResult {
  readonly folder: string;
  readonly files: readonly FileResult[];
}

/** A file that is not as expected, and why that is right; no reason means that it is a fault. */
export interface Deviation {
  readonly path: string;
  readonly found: readonly string[];
  readonly reason: string | null;
}

/** Every folder of the corpora with its check. */
const FOLDERS: ReadonlyMap<string, () => FileResult[]> = new Map([
  ["timecode", checkTimecode],
  ["webvtt/wpt-file-parsing", checkWptFiles],
  ["webvtt/wpt-cue-parsing", checkWptCueText],
  ["webvtt/vttjs", checkVttJs],
  ["webvtt/odd", checkOddWebVtt],
  ["webvtt/described-pairs", checkDescribed],
  ["webvtt/languages", checkLanguages],
  ["srt/odd", checkOddSubRip],
  ["srt/same-content", checkSameContent],
  ["srt/plaintext-like", checkSbv],
  ["edl", checkEdls],
  ["xml/otio", checkOtio],
  ["xml/fcp7", checkFcp7],
  ["xml/fcpxml", checkFcpxml],
  ["dapt/examples", checkDapt],
  ["exchange", checkExchange],
]);

/** Folders of the corpora that are checked. */
export const CHECKED_FOLDERS: readonly string[] = [...FOLDERS.keys()];

/** Runs the check of one of {@link CHECKED_FOLDERS}. */
export function checkFolder(folder: string): FolderResult {
  return { folder, files: FOLDERS.get(folder)?.() ?? [] };
}

/** Files that are not as expected, with the reason where one is known. */
export function deviationsOf({ files }: FolderResult): Deviation[] {
  return files
    .filter((file) => file.deviations.length > 0)
    .map((file) => ({ path: file.path, found: file.deviations, reason: KNOWN_DEVIATIONS[file.path] ?? null }));
}

/** Known deviations that no longer deviate: their reason has become wrong. */
export function outdatedReasons(results: readonly FolderResult[]): string[] {
  const deviating = new Set(results.flatMap(deviationsOf).map((one) => one.path));
  return Object.keys(KNOWN_DEVIATIONS).filter((path) => !deviating.has(path));
}

/** Files of the corpora that no check looks at, less those that state expectations or are not for these readers. */
export function uncheckedFiles(results: readonly FolderResult[]): string[] {
  const seen = new Set(results.flatMap((result) => result.files.map((file) => file.path)));
  const isElse = /\.json$|\.md$|\.tsv$|dapt\/schema|dapt\/registries|premiere-presets/;
  return ["timecode", "webvtt", "srt", "edl", "xml", "dapt"]
    .flatMap(corpusPaths)
    .filter((path) => !seen.has(path) && !isElse.test(path));
}
