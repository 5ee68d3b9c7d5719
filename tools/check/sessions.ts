import { playSession } from "../../test/sessions/edit-session.ts";

// Plays edit sessions on the double, by default 500 of 40 steps, and fails on the first law that does not hold.

const [seeds = 500, steps = 40, first = 1] = process.argv.slice(2).map(Number);
const totals = { merges: 0, wordsHeld: 0, steps: 0 };
let faults = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const report = await playSession(seed, steps);
  totals.merges += report.merges;
  totals.wordsHeld += report.wordsHeld;
  totals.steps += report.steps.length;
  for (const fault of report.faults) process.stdout.write(`seed ${seed}: ${fault}\n    ${report.steps.join(" > ")}\n`);
  faults += report.faults.length;
}
const { merges, wordsHeld } = totals;
process.stdout.write(
  `${seeds} sessions, ${totals.steps} steps, ${merges} merges, ${wordsHeld} edits held, ${faults} faults\n`,
);
process.exitCode = faults === 0 ? 0 : 1;
