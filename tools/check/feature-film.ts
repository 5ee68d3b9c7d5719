import { playFilm } from "../../test/sessions/feature-film.ts";

// Plays a feature film on the double, by default of two hours and 1 500 clips, and fails on the first law that does not hold.

const [shots = 700, music = 100, lines = 400, edits = 40] = process.argv.slice(2).map(Number);
const begun = performance.now();
const { clips, faults, figures, duckedClips } = await playFilm({ shots, music, lines, edits });
const seconds = (performance.now() - begun) / 1000;
for (const fault of faults) process.stdout.write(`${fault}\n`);
for (const [name, { transactions, pauseSeconds }] of Object.entries(figures)) {
  process.stdout.write(`${name}: ${transactions} transactions, ${pauseSeconds} s of pauses\n`);
}
process.stdout.write(
  `${clips} clips, ${lines} lines, ${duckedClips} clips ducked, ${edits} edits, ${faults.length} faults, ${seconds.toFixed(1)} s on the double\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
