import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import type { JobEntry } from "../../../panel/state/saved.ts";
import { historyView, jobNames } from "../../../panel/views/history-view.ts";
import { words } from "../../../panel/words/words.ts";
import { jobEntry } from "../session-in-memory.ts";
import { outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const COST = { requests: 9, useless: 0, unpriced: 0, spent: 0.12, reserved: 0, ceiling: 0.6 };
const { form } = jobEntry();
const settings = { ...form.settings, language: "de-DE", voice: "Achernar", format: "srt" as const };

function shown(jobs: readonly Partial<JobEntry>[], state: Partial<PanelState> = {}) {
  const page = viewPage();
  const startedAt = new Date(page.clock.now() - 5 * 60_000).toISOString();
  page.session.store.set({
    jobs: jobs.map((job, index) => jobEntry({ runId: `run-${index}`, startedAt, ...job })),
    ...state,
  });
  return { ...page, draw: () => historyView(page.session.state, page.actions) };
}
const cardOf = (page: ReturnType<typeof shown>) => {
  const lines = outlineOf(page.draw());
  return lines.slice(lines.findIndex((line) => line.includes("listitem"))).map((line) => line.trim());
};

describe("a job of the history", () => {
  const JOBS: readonly (readonly [string, Partial<JobEntry>])[] = [
    ["is done", { state: "done", cueCount: 3, findingCount: 2, describer: "vision", form: { ...form, settings } }],
    [
      "is done, of markers alone",
      { state: "done", cueCount: 3, placedNarration: true, form: { ...form, wanted: "markers" } },
    ],
    ["is done, and nobody counted", { state: "done", placedMarkers: true }],
    ["voiced lines anew", { state: "done", voices: "run-x" }],
    ["described what is new", { state: "done", cueCount: 1, adds: { to: "run-x", stretches: [] } }],
    ["runs", { state: "running" }],
    ["waits", { state: "waiting" }],
    ["was stopped", { state: "stopped" }],
    ["was cancelled at its service", { state: "stopped", cancelled: { cost: COST } }],
    ["failed", { state: "failed", fault: { code: "x", sentence: "It broke.", next: "Try again." } }],
    ["failed, and nobody knows why", { state: "failed" }],
    ["is described by nobody we know", { state: "done", describer: "somebody" }],
  ];

  test("says what it makes and how it stands, and offers what can be done with it, which is done to it alone", async () => {
    const cards: Record<string, readonly string[]> = {};
    const uses: Record<string, readonly string[]> = {};
    for (const [name, job] of JOBS) {
      const page = shown([job]);
      cards[name] = cardOf(page).slice(1);
      uses[name] = Object.values(await usesOf(page, page.draw())).flat();
    }
    expect(cards).toEqual({
      "is done": [
        "Harbour 5 min ago",
        words.resultCount({ cues: "✓ 3", problems: 2 }),
        `${words.wanted.both} · ${words.types.standard} · ${words.describers["vision"]} · ${words.formats.srt} · German · Achernar · ${words.tracks.ad_only}`,
        `button “${words.open}: Harbour” #open-run-0 : ${words.open}`,
        `button “${words.fetchAgain}: Harbour” #fetch-again-run-0 : ${words.fetchAgain}`,
        `button “${words.deleteJob}: Harbour” #delete-job-run-0 : ${words.deleteJob}`,
      ],
      "is done, of markers alone": [
        "Harbour 5 min ago",
        `✓ 3 descriptions · 0 problems · ${words.onTheTimeline}`,
        `${words.wanted.markers} · ${words.types.standard} · ${words.formats.vtt} · English (United States)`,
        `button “${words.open}: Harbour” #open-run-0 : ${words.open}`,
        `button “${words.deleteJob}: Harbour” #delete-job-run-0 : ${words.deleteJob}`,
      ],
      "is done, and nobody counted": [
        "Harbour 5 min ago",
        `✓ ${words.onTheTimeline}`,
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.open}: Harbour” #open-run-0 : ${words.open}`,
        `button “${words.fetchAgain}: Harbour” #fetch-again-run-0 : ${words.fetchAgain}`,
        `button “${words.deleteJob}: Harbour” #delete-job-run-0 : ${words.deleteJob}`,
      ],
      "voiced lines anew": [
        "Harbour 5 min ago",
        `✓ ${words.stepDone}`,
        `${words.voicingJob} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.open}: Harbour” #open-run-0 : ${words.open}`,
        `button “${words.fetchAgain}: Harbour” #fetch-again-run-0 : ${words.fetchAgain}`,
        `button “${words.deleteJob}: Harbour” #delete-job-run-0 : ${words.deleteJob}`,
      ],
      "described what is new": [
        "Harbour 5 min ago",
        `✓ ${words.resultCount({ cues: 1, problems: 0 })}`,
        `${words.addingJob} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.open}: Harbour” #open-run-0 : ${words.open}`,
        `button “${words.deleteJob}: Harbour” #delete-job-run-0 : ${words.deleteJob}`,
      ],
      runs: [
        "Harbour 5 min ago",
        `● ${words.jobStates.running}`,
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.stopJob}: Harbour” #stop-job-run-0 : ${words.stopJob}`,
        `button “${words.stopWaiting}: Harbour” #cancel-run-0 : ${words.stopWaiting}`,
      ],
      waits: [
        "Harbour 5 min ago",
        `○ ${words.jobStates.waiting}`,
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.cancel}: Harbour” #cancel-run-0 : ${words.cancel}`,
      ],
      "was stopped": [
        "Harbour 5 min ago",
        `○ ${words.jobStates.stopped}`,
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.resume}: Harbour” #resume-run-0 : ${words.resume}`,
        `button “${words.removeJob}: Harbour” #delete-job-run-0 : ${words.removeJob}`,
      ],
      "was cancelled at its service": [
        "Harbour 5 min ago",
        `○ ${words.cancelledJob}`,
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        "Used: 0.12 for 9 requests. Nothing more is charged.",
        `button “${words.continueHere}: Harbour” #resume-run-0 : ${words.continueHere}`,
        `button “${words.removeJob}: Harbour” #delete-job-run-0 : ${words.removeJob}`,
      ],
      failed: [
        "Harbour 5 min ago",
        "⚠ It broke. Try again.",
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.resume}: Harbour” #resume-run-0 : ${words.resume}`,
        `button “${words.removeJob}: Harbour” #delete-job-run-0 : ${words.removeJob}`,
      ],
      "failed, and nobody knows why": [
        "Harbour 5 min ago",
        `○ ${words.jobStates.failed}`,
        `${words.wanted.both} · ${words.types.standard} · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.resume}: Harbour” #resume-run-0 : ${words.resume}`,
        `button “${words.removeJob}: Harbour” #delete-job-run-0 : ${words.removeJob}`,
      ],
      "is described by nobody we know": [
        "Harbour 5 min ago",
        `✓ ${words.stepDone}`,
        `${words.wanted.both} · ${words.types.standard} · somebody · ${words.formats.vtt} · English (United States) · Achernar · ${words.tracks.ad_only}`,
        `button “${words.open}: Harbour” #open-run-0 : ${words.open}`,
        `button “${words.fetchAgain}: Harbour” #fetch-again-run-0 : ${words.fetchAgain}`,
        `button “${words.deleteJob}: Harbour” #delete-job-run-0 : ${words.deleteJob}`,
      ],
    });
    expect(uses).toEqual({
      "is done": ['reviewController.open("run-0")', 'jobQueue.fetchAgain("run-0")', 'deletingRunId: "run-0"'],
      "is done, of markers alone": ['reviewController.open("run-0")', 'deletingRunId: "run-0"'],
      "is done, and nobody counted": [
        'reviewController.open("run-0")',
        'jobQueue.fetchAgain("run-0")',
        'deletingRunId: "run-0"',
      ],
      "voiced lines anew": ['reviewController.open("run-0")', 'jobQueue.fetchAgain("run-0")', 'deletingRunId: "run-0"'],
      "described what is new": ['reviewController.open("run-0")', 'deletingRunId: "run-0"'],
      runs: ['jobQueue.stop("run-0")', 'jobQueue.cancel("run-0")'],
      waits: ['jobQueue.cancel("run-0")'],
      "was stopped": ['jobQueue.resume("run-0")', 'deletingRunId: "run-0"'],
      "was cancelled at its service": ['jobQueue.resume("run-0")', 'deletingRunId: "run-0"'],
      failed: ['jobQueue.resume("run-0")', 'deletingRunId: "run-0"'],
      "failed, and nobody knows why": ['jobQueue.resume("run-0")', 'deletingRunId: "run-0"'],
      "is described by nobody we know": [
        'reviewController.open("run-0")',
        'jobQueue.fetchAgain("run-0")',
        'deletingRunId: "run-0"',
      ],
    });
  });

  test("shows its reply as it came where there are tools for that", async () => {
    const page = shown([{ state: "done", rawPath: "/raw" }]);
    expect(outlineOf(page.draw()).join()).not.toContain("#raw-");
    const actions = Object.create(page.actions, { tools: { value: {} } });
    const drawn = historyView(page.session.state, actions);
    expect((await usesOf(page, drawn))["raw-run-0"]).toEqual(['panelController.showRaw("run-0")']);
  });

  test("is deleted once that was said again; of several it is that one alone", async () => {
    const page = shown([{ state: "failed" }, { state: "done" }], { deletingRunId: "run-1" });
    const lines = cardOf(page);
    expect(
      lines.slice(lines.findIndex((line) => line.includes(`“${words.deleteJob}”`) && line.startsWith("group"))),
    ).toEqual([
      `group “${words.deleteJob}”`,
      words.deleteJobHint,
      `button “${words.deleteNow}” #delete-now-run-1`,
      `button “${words.keepJob}” #keep-run-1 takesFocus`,
    ]);
    const { "delete-now-run-1": now, "keep-run-1": keep } = await usesOf(page, page.draw());
    expect({ now, keep }).toEqual({
      now: ['jobQueue.remove("run-1")', "deletingRunId: null"],
      keep: ["deletingRunId: null"],
    });
    expect(outlineOf(shown([{ state: "failed" }], { deletingRunId: "run-0" }).draw()).join()).toContain(
      words.removeJobHint,
    );
  });
});

describe("the history", () => {
  /** Minutes before noon, and how long ago that is said to be. */
  const AGES: readonly (readonly [number, string])[] = [
    [0, words.justNow],
    [0.99, words.justNow],
    [1, words.minutesAgo({ count: 1 })],
    [59.99, words.minutesAgo({ count: 59 })],
    [60, words.hoursAgo({ count: 1 })],
    [119, words.hoursAgo({ count: 1 })],
    [120, words.hoursAgo({ count: 2 })],
    [720, words.hoursAgo({ count: 12 })],
    [721, "23:59"],
    [900, "21:00"],
    [1440 + 721, "23:59"],
  ];

  test.each(AGES)("says of a job that was begun %s minutes before noon that it was %s", async (minutes, age) => {
    const page = shown([]);
    const noon = new Date(2026, 0, 3, 12).getTime();
    await page.clock.pass(noon - page.clock.now());
    const startedAt = new Date(noon - minutes * 60_000).toISOString();
    page.session.store.set({ jobs: [jobEntry({ startedAt })] });
    expect(cardOf(page)[1]).toBe(`Harbour ${age}`);
  });

  const PROJECTS = [{ projectId: "a" }, { projectId: "b" }, {}, { projectId: "b" }] as const;

  test("has the jobs of this project, and those of others where that is wanted", async () => {
    const page = shown(PROJECTS, { projectId: "a" });
    expect(outlineOf(page.draw()).filter((line) => /all-projects|listitem/.test(line))).toHaveLength(3);
    expect(outlineOf(page.draw())[0]).toBe(`checkbox “${words.allProjects({ others: 2 })}” #all-projects`);
    expect((await usesOf(page, page.draw()))["all-projects"]).toEqual(["showsAllProjects: true"]);
    const all = shown(PROJECTS, { projectId: "a", showsAllProjects: true });
    expect(outlineOf(all.draw()).filter((line) => line.includes("listitem"))).toHaveLength(4);
    expect(outlineOf(shown(PROJECTS, { projectId: null }).draw()).join()).not.toContain("all-projects");
  });

  test("says where there is nothing, here or at all", () => {
    expect(outlineOf(shown([]).draw())).toEqual([words.noJobs]);
    expect(outlineOf(shown([{ projectId: "b" }], { projectId: "a" }).draw())).toEqual([
      `checkbox “${words.allProjects({ others: 1 })}” #all-projects`,
      words.noJobsHere,
    ]);
  });
});

test("jobs are told apart by what differs: the film, what they make, when they were ordered, and at last by a number", () => {
  const other = { ...jobEntry().sequence, name: "Pier" };
  const jobs = [
    jobEntry({ sequence: other }),
    jobEntry({ startedAt: "2026-01-02T10:20:30.000Z" }),
    jobEntry({ voices: "x" }),
    jobEntry({ startedAt: "2026-01-01T10:20:30.000Z" }),
    jobEntry({ startedAt: "2026-01-01T10:20:50.000Z" }),
  ];
  expect(jobNames(jobs)).toEqual([
    "Pier",
    "Harbour, Markers and narration, 2026-01-02 10:20",
    "Harbour, Changed lines recorded",
    "Harbour, Markers and narration, 2026-01-01 10:20, 2",
    "Harbour, Markers and narration, 2026-01-01 10:20",
  ]);
});
