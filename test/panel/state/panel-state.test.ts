import { expect, test } from "vitest";
import { firstState, jobOf, jobsOfProject, preferencesOf, withJob } from "../../../panel/state/panel-state.ts";
import { jobEntry } from "../session-in-memory.ts";

const STATE = firstState("http://127.0.0.1:8420", 0);
const jobs = ["a", "b", "c"].map((runId) => jobEntry({ runId, state: "waiting" }));

test("one job of the history is changed, and no other", () => {
  const changed = withJob({ ...STATE, jobs }, "b", { state: "failed" });
  expect(changed.jobs.map(({ state }) => state)).toEqual(["waiting", "failed", "waiting"]);
  expect(withJob({ ...STATE, jobs }, "d", { state: "failed" }).jobs).toEqual(jobs);
  expect([jobOf(changed, "b")?.state, jobOf(changed, "d"), jobOf(changed, undefined)]).toEqual([
    "failed",
    undefined,
    undefined,
  ]);
});

test("the history of a project has its own jobs and those of which nobody knows whose they are; without a project, all", () => {
  const mixed = [
    jobEntry({ runId: "own", projectId: "p1" }),
    jobEntry({ runId: "other", projectId: "p2" }),
    jobEntry({ runId: "old" }),
  ];
  const shown = (projectId: string | null) =>
    jobsOfProject({ ...STATE, jobs: mixed, projectId }).map(({ runId }) => runId);
  expect(shown("p1")).toEqual(["own", "old"]);
  expect(shown("p3")).toEqual(["old"]);
  expect(shown(null)).toEqual(["own", "other", "old"]);
});

test("what is kept for the next time has no text of a file, and asks for none that is not there", () => {
  const file = { filename: "a.srt", content: "the words of a film" };
  const form = { ...STATE.form, captionSource: "file", captionFile: file, scriptFile: file } as const;
  const kept = preferencesOf({ ...STATE, form, reviewer: "Ann", placesClips: true });
  expect(kept).toMatchObject({ reviewer: "Ann", placesClips: true, form: { captionSource: "none" } });
  expect(JSON.stringify(kept)).not.toContain("the words of a film");
  const transcript = preferencesOf({ ...STATE, form: { ...STATE.form, captionSource: "transcript" } });
  expect(transcript.form.captionSource).toBe("transcript");
});

test("what is kept holds neither key nor job", () => {
  const kept = preferencesOf({ ...STATE, jobs, keyDraft: "aside_secret" } as unknown as typeof STATE);
  expect(JSON.stringify(kept)).not.toMatch(/aside_secret|runId/);
});
