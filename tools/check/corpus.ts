import {
  CHECKED_FOLDERS,
  checkFolder,
  deviationsOf,
  outdatedReasons,
  uncheckedFiles,
} from "../../test/corpus/corpus.ts";
import { print } from "../common/report.ts";

// Reads every file of the corpora, prints what is as expected and what is not, and fails on what has no reason.

const results = CHECKED_FOLDERS.map(checkFolder);
const row = (cells: readonly (string | number)[]) =>
  print(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(26) : String(cell).padStart(13))).join(""));

row(["folder", "files", "expectations", "passed", "deviations"]);
for (const result of results) {
  const expectations = result.files.reduce((sum, file) => sum + file.expectations, 0);
  const deviations = deviationsOf(result).length;
  row([result.folder, result.files.length, expectations, result.files.length - deviations, deviations]);
}

const deviations = results.flatMap(deviationsOf);
print("");
for (const { path, found, reason } of deviations) {
  print(`${reason === null ? "FAULT" : "deviation"} ${path}`);
  for (const one of found) print(`    ${one}`);
  if (reason !== null) print(`    because: ${reason}`);
}
const outdated = outdatedReasons(results);
const unchecked = uncheckedFiles(results);
for (const path of outdated) print(`OUTDATED REASON ${path}: the file is as expected now`);
for (const path of unchecked) print(`UNCHECKED ${path}`);
const faults = deviations.filter((one) => one.reason === null).length + outdated.length + unchecked.length;
print(faults === 0 ? "no fault" : `${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
