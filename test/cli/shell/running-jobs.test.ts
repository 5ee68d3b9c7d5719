import { expect, test } from "vitest";
import { jobsOf, RunningJobs } from "../../../src/cli/shell/running-jobs.ts";

const there = (jobId: string) => ({
  jobId,
  host: "host",
  stopCommand: `aside jobs cancel ${jobId} --server http://host`,
});
const here = { jobId: "own", host: null, stopCommand: "aside jobs cancel own --data /d" };

test("says what is kept once nothing runs any more, each thing once", () => {
  const jobs = new RunningJobs();
  expect(jobs.words.sentence).toBe("Cancelled.");
  for (const id of ["a", "b"]) {
    jobs.begin(there(id));
    jobs.stopped(id, ["the upload", "dialogue and shots", ...(id === "b" ? ["the descriptions so far"] : [])]);
  }
  expect(jobs.words).toEqual({
    sentence: "Cancelled. Kept: the upload, dialogue and shots and the descriptions so far.",
    next: "Run the same command to continue where it stopped.",
  });
});

test("says what cancelled jobs cost together, those without a stated price among them", () => {
  const cost = { requests: 9, useless: 1, unpriced: 0, spent: 0.12, reserved: 0, ceiling: 0.6 };
  const jobs = new RunningJobs();
  jobs.stopped("a", ["the upload"], cost);
  jobs.stopped("b", []);
  expect(jobs.words.sentence).toBe("Cancelled. Kept: the upload. Used: 0.12 for 9 requests, 1 answer of no use.");
  jobs.stopped("c", [], { ...cost, useless: 0, requests: 3, unpriced: 3, spent: null, reserved: null, ceiling: null });
  expect(jobs.words.sentence).toMatch(
    "Used: 0.12 for 9 requests, 3 requests without a stated price, 1 answer of no use.",
  );
});

test("says which job still runs where and how it is stopped, or that its service cannot stop it", () => {
  const jobs = new RunningJobs();
  jobs.begin(there("a"));
  jobs.begin(there("b"));
  jobs.end("b");
  const how = "To stop it: aside jobs cancel a --server http://host";
  expect(jobs.words).toEqual({ sentence: "Stopped waiting. Job a is still running on host.", next: how });
  expect(jobs.forced).toBe(`Job a is still running on host. ${how}`);
  jobs.goesOn("a", "It cannot be stopped.");
  expect(jobs.words).toEqual({
    sentence: "Stopped waiting. Job a is still running on host. It cannot be stopped.",
    next: "Run the same command to fetch the result when it is there.",
  });
});

test("says of several jobs where each runs and why it cannot be stopped, a reason that is shared once", () => {
  const jobs = new RunningJobs();
  for (const [id, why] of [
    ["a", "Its service is away."],
    ["b", "It cannot be stopped."],
    ["c", "Its service is away."],
  ] as const) {
    jobs.begin(there(id));
    jobs.goesOn(id, why);
  }
  const running = ["a", "b", "c"].map((id) => `Job ${id} is still running on host.`).join(" ");
  expect(jobs.words.sentence).toBe(`Stopped waiting. ${running} Its service is away. It cannot be stopped.`);
});

test("a job inside the command is interrupted with it, and continued by the next", () => {
  const jobs = new RunningJobs();
  expect(jobs.forced).toBe("Stopped before everything was put away.");
  jobs.begin(here);
  expect(jobs.forced).toMatch(
    /^Job own is interrupted: .*continues it\. To stop it: aside jobs cancel own --data \/d$/,
  );
});

test("each signal has its own jobs", () => {
  const [one, other] = [new AbortController().signal, new AbortController().signal];
  jobsOf(one).begin(there("a"));
  expect([jobsOf(one).words.sentence, jobsOf(other).words.sentence]).toEqual([
    "Stopped waiting. Job a is still running on host.",
    "Cancelled.",
  ]);
});
