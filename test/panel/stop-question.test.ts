import { expect, test } from "vitest";
import type { Actions } from "../../panel/controllers/actions.ts";
import { firstProgress } from "../../panel/state/job-progress.ts";
import { firstState, type PanelState } from "../../panel/state/panel-state.ts";
import { progressView } from "../../panel/views/progress-view.ts";
import { jobEntry } from "./session-in-memory.ts";

const HERE = "http://127.0.0.1:8420";
const job = jobEntry({ state: "running" });
const seconds = job.sequence.durationSeconds;
const SPENT = { requests: 9, useless: 0, unpriced: 0, spent: 0.12, reserved: 0, ceiling: 0.6 };

/** What is said where it is asked what to stop, by what the model would cost for so many seconds. */
function asked(durationSeconds: number, cost: number | null): string {
  const reply = { model: "eyes", requests: 20, tokens: 1, cost, ceiling: null, seconds: null };
  const state = {
    ...firstState(HERE, 0),
    jobs: [job],
    modelEstimate: { address: HERE, durationSeconds, reply },
    progress: {
      ...firstProgress(job.runId, 0),
      step: "wait",
      isAsking: true,
      cost: SPENT,
    },
  } as unknown as PanelState;
  return JSON.stringify(progressView(state, {} as Actions));
}

test("who stops waiting is told what is still to come, where the estimate is of this much film", () => {
  expect(asked(seconds, 0.2)).toContain("for about 0.08 more.");
  // An estimate of another film says nothing of this one, nor does one that is spent already.
  expect(asked(seconds + 60, 0.2)).toContain("may cost up to 0.6");
  expect(asked(seconds, 0.1)).not.toContain("more. You find");
  expect(asked(seconds, null)).not.toContain("more. You find");
});
