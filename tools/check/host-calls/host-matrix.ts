// Writes docs/notes/premiere-matrix.md: how the panel's journeys end in every Premiere that the double can play.
//   npm run tool -- host-matrix
// It runs the thorough tests of the matrix, which takes a quarter of an hour; afterwards `npm run tool -- host-calls` marks what is survived.
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MatrixOfCalls, type MatrixOfJourneys, matrixPage } from "./matrix-page.ts";

const TESTS = ["test/panel/matrix", "test/host/premiere/other-answers.test.ts"];

const folder = await mkdtemp(join(tmpdir(), "aside-matrix-"));
try {
  const [journeys, calls] = [join(folder, "journeys.json"), join(folder, "calls.json")];
  const env = { ...process.env, MATRIX: journeys, MATRIX_OF_CALLS: calls };
  const run = ["node_modules/vitest/vitest.mjs", "run", "--mode", "thorough", ...TESTS];
  const { status } = spawnSync(process.execPath, run, { env, stdio: "inherit" });
  if (status !== 0) throw new Error("A journey ended neither done nor in a sentence: nothing is written.");
  // Written by the tests just now.
  const read = async <Value>(path: string) => JSON.parse(await readFile(path, "utf8")) as Value;
  const page = matrixPage(await read<MatrixOfJourneys>(journeys), await read<MatrixOfCalls>(calls));
  await writeFile("docs/notes/premiere-matrix.md", page);
} finally {
  await rm(folder, { recursive: true, force: true });
}
