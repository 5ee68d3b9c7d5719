import { scoreRecuts } from "../../test/conform/score-recuts.ts";
import { print } from "../common/report.ts";

// Re-cuts the real timelines of the corpora at random, by default 200 times, and counts where the cues went.

const [count = 200] = process.argv.slice(2).map(Number);
const begun = performance.now();
const score = scoreRecuts(count);
const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
print(`${score.recuts} re-cuts, ${score.cues} cues, ${Math.round(performance.now() - begun)} ms`);
print(
  `picture whole in the new cut: ${score.whole}, put exactly there: ${score.exact} (${share(score.exact, score.whole)})`,
);
print(`called unchanged and is not: ${score.falseUnchanged}; called moved and is elsewhere: ${score.falseMoved}`);
print(JSON.stringify(score.states));
for (const miss of score.misses.slice(0, 20)) print(`miss: ${miss}`);
process.exitCode = score.falseUnchanged === 0 ? 0 : 1;
