import {
  CHECKED_FOLDERS,
  checkFolder,
  deviationsOf,
  outdatedReasons,
  uncheckedFiles,
} from "../../test/corpus/corpus.ts";

// Reads every file of the corpora, prints what is as expected and what is not, and fails on what has no reason.

const results = CHECKED_FOLDERS.map(checkFolder);
const line = (text: string) => process.stdout.write(`${text}\n`);
const row = (cells: readonly (string | number)[]) =>
  line(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(26) : String(cell).padStart(13))).join(""));

row(["folder", "files", "expectations", "passed", "deviations"]);
for (const result of results) {
  const expectations = result.files.reduce((sum, file) => sum + file.expectations, 0);
  const deviations = deviationsOf(result).length;
  row([result.folder, result.files.length, expectations, result.files.length - deviations, deviations]);
}

const deviations = results.flatMap(deviationsOf);
line("");
for (const { path, found, reason } of deviations) {
  line(`${reason === null ? "FAULT" : "deviation"} ${path}`);
  for (const one of found) line(`    ${one}`);
  if (reason !== null) line(`    because: ${reason}`);
}
const outdated = outdatedReasons(results);
const unchecked = uncheckedFiles(results);
for (const path of outdated) line(`OUTDATED REASON ${path}: the file is as expected now`);
for (const path of unchecked) line(`UNCHECKED ${path}`);
const faults = deviations.filter((one) => one.reason === null).length + outdated.length + unchecked.length;
line(faults === 0 ? "no fault" : `${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
