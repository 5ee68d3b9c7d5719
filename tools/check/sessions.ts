import { playReviewSession } from "../../test/panel/state/review-session.ts";
import { playSession } from "../../test/sessions/edit-session.ts";

// Plays random sessions, and fails on the first law that does not hold: on the double of Premiere, by default 500 of 40 steps; with
// `review` those of a person who reviews, by default 1000.

const isReview = process.argv[2] === "review";
const [seeds = isReview ? 1000 : 500, steps = 40, first = 1] = process.argv.slice(isReview ? 3 : 2).map(Number);
const totals = { steps: 0, merges: 0, wordsHeld: 0, turned: 0 };
let faults = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const session = isReview ? playReviewSession(seed, steps) : await playSession(seed, steps);
  if ("merges" in session) {
    totals.merges += session.merges;
    totals.wordsHeld += session.wordsHeld;
  } else totals.turned += session.turned;
  totals.steps += session.steps.length;
  for (const fault of session.faults)
    process.stdout.write(`seed ${seed}: ${fault}\n    ${session.steps.join(" > ")}\n`);
  faults += session.faults.length;
}
const { merges, wordsHeld, turned } = totals;
const counted = isReview ? `${turned} undone and done again` : `${merges} merges, ${wordsHeld} edits held`;
process.stdout.write(`${seeds} sessions, ${totals.steps} steps, ${counted}, ${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;
