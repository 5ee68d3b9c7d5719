import { describe, expect, test } from "vitest";
import { JobQueue } from "../../../../panel/controllers/describe/job-queue.ts";
import { runsOf } from "../../../../panel/session/library.ts";
import { FIRST_FORM, type Form } from "../../../../panel/state/form.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import type { PanelState } from "../../../../panel/state/panel-state.ts";
import { editCue } from "../../../../panel/state/review-edits.ts";
import { words } from "../../../../panel/words/words.ts";
import type { Result } from "../../../../src/result/result.ts";
import type { DescribedStretch } from "../../../../src/workflow/conform/describe-stretches.ts";
import { RECORD_VERSION, type RunRecord } from "../../../../src/workflow/describe/recovery.ts";
import { json } from "../../../fakes/hosted-server.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { editingPanel, withNarration } from "../../editing-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";

const ADDRESS = "http://127.0.0.1:8420";
const ELSEWHERE = "https://api.example.com";

/** A queue over a service in memory, with one result in the history and under review unless the state says otherwise. */
function queueing(state: Partial<PanelState> = {}, change: Partial<Result> = {}) {
  const sent: string[] = [];
  const after: string[] = [];
  const brought: DescribedStretch[][] = [];
  const panel = editingPanel(change, state, {
    transfer: {
      upload: async ({ path }: { readonly path: string }) => {
        sent.push(path);
        return { status: 200, body: "" };
      },
      download: async ({ path }: { readonly path: string }) => {
        panel.files.bytes.set(path, panel.server.wav);
        return { status: 200, body: "" };
      },
    },
  } as never);
  const queue = new JobQueue(panel.session, panel.connection, {
    voiced: async () => void after.push("voiced"),
    described: async (job, described) => {
      after.push(`described ${job.runId}`);
      brought.push([...described]);
      return 7;
    },
  });
  const asked = () => panel.server.seen.map(({ route }) => route);
  const newest = () => panel.session.state.jobs[0] ?? jobEntry({ runId: "none" });
  const run = (runId: string): RunRecord | null =>
    JSON.parse(panel.files.texts.get(`/panel/runs/${runId}.json`) ?? "null");
  return { ...panel, queue, sent, after, brought, asked, run, newest };
}
type Queueing = ReturnType<typeof queueing>;
const message = ({ session }: Queueing) => session.state.message;
const exportsLeft = ({ files }: Queueing) => [...files.bytes.keys()].filter((path) => path.includes("/exports/"));
/** An export that was made. */
const exported = {
  path: "/panel/exports/earlier.mp4",
  contentType: "video/mp4",
  sizeBytes: 9,
  durationSeconds: 60,
  offsetSeconds: 0,
  isTemporary: true,
} as const;
/** A run of which something is done already. */
const record = (runId: string, more: Partial<RunRecord> = {}): RunRecord => ({
  version: RECORD_VERSION,
  runId,
  startedAt: "2026-01-01T00:00:00.000Z",
  name: "Harbour",
  ...more,
});
const keep = ({ files }: Queueing, one: RunRecord) =>
  void files.texts.set(`/panel/runs/${one.runId}.json`, JSON.stringify(one));
/** Where a request is sent to, whether it may leave again, and how often it leaves. */
const SENDING = [
  [ELSEWHERE, false, 1],
  [ELSEWHERE, true, 2],
  [ADDRESS, false, 2],
] as const;
const form = (change: Partial<Form> = {}): Form => ({ ...FIRST_FORM, ...change });

describe("a description that is ordered", () => {
  test("is exported, sent, waited for and fetched, one after the other, and is then under review and on disk; the export goes", async () => {
    const panel = queueing({ jobs: [], review: null });
    await panel.clock.pass(1234);
    await panel.does(() => panel.queue.order());
    expect([...new Set(panel.asked())]).toEqual([
      "uploadMedia",
      "notifyUploadComplete",
      "getUploadStatus",
      "generateAudio",
      "getResults",
    ]);
    expect([panel.editor.exports, panel.sent]).toEqual([
      [{ range: "whole", sounding: ["1", "2"] }],
      ["/panel/exports/export-1.wav"],
    ]);
    const job = panel.newest();
    expect(job.startedAt).toBe("2026-01-01T00:00:01.234Z");
    expect(job).toMatchObject({
      state: "done",
      sequence: { id: "s1", name: "Harbour" },
      projectId: "project",
      serviceAddress: ADDRESS,
      cueCount: 2,
      step: "check",
    });
    expect(job.jobId).toBe([...panel.server.jobs.keys()][0]);
    expect(job.findingCount).toBe(panel.session.state.review?.result.findings.length);
    expect(job.findingCount).toBeGreaterThan(0);
    expect(panel.keptJob(job.runId)).toEqual(job);
    expect(job.rawPath).toBe(`/panel/results/${job.runId}.raw.vtt`);
    expect(panel.files.texts.get(job.rawPath ?? "")).toBe(panel.server.vtt);
    expect(job.audioPath).toBe(`/panel/results/aside-Harbour-${job.runId}.wav`);
    expect(panel.files.bytes.get(job.audioPath)).toBe(panel.server.wav);
    const { view, review, progress } = panel.session.state;
    expect([view, review?.result.runId, review?.result.cues.map(({ text }) => text), progress]).toEqual([
      "review",
      job.runId,
      ["A woman sits at a desk.", "She opens a letter."],
      null,
    ]);
    expect(panel.kept(job.runId)?.cues).toEqual(review?.result.cues);
    expect(exportsLeft(panel)).toEqual([]);
    expect(message(panel)).toBeNull();
  });

  test("says where it is, step by step, and that on disk too", async () => {
    const panel = queueing({ jobs: [], review: null });
    const seen: string[] = [];
    const { store } = panel.session;
    const update = store.update.bind(store);
    store.update = (next) => {
      update(next);
      const { progress } = store.state;
      const now = progress === null ? "over" : `${store.state.jobs[0]?.state} ${store.state.jobs[0]?.step ?? ""}`;
      if (now !== seen.at(-1)) seen.push(now);
    };
    await panel.does(() => panel.queue.order());
    expect(seen).toEqual([
      "over",
      "waiting ",
      "running ",
      "running read",
      "running export",
      "running upload",
      "running verify",
      "running generate",
      "running wait",
      "running fetch",
      "running check",
      "done check",
      "over",
    ]);
    const kept = panel.files.written
      .filter(([path]) => path.endsWith(".job.json"))
      .map(([, text]) => JSON.parse(text).value);
    expect([...new Set(kept.map(({ state, step }) => `${state} ${step ?? ""}`))]).toEqual([
      "waiting ",
      "running ",
      "running read",
      "running export",
      "running upload",
      "running verify",
      "running generate",
      "running wait",
      "running fetch",
      "done check",
    ]);
  });

  test.each([
    ["Häfen / Nr. 3", "Häfen-Nr-3"],
    ["...", "sequence"],
    ["x".repeat(60), "x".repeat(40)],
  ])("has its narration beside the project, in a file that is named by its sequence: %s", async (name, named) => {
    const panel = queueing({ jobs: [], review: null });
    panel.editor.project = { id: "project", folder: "/projects/film" };
    panel.editor.name = name;
    await panel.does(() => panel.queue.order());
    const { runId, audioPath } = panel.newest();
    expect(audioPath).toBe(`/projects/film/${words.narrationFolder}/aside-${named}-${runId}.wav`);
    expect(panel.files.folders).toEqual([`/projects/film/${words.narrationFolder}`]);
  });

  test("has its narration with the panel's results where the project has no folder that can be written to", async () => {
    const panel = queueing({ jobs: [], review: null });
    panel.editor.project = { id: null, folder: "/projects/film" };
    panel.files.makeFolder = async () => Promise.reject(new Error("read-only"));
    await panel.does(() => panel.queue.order());
    expect([panel.newest().audioPath.startsWith("/panel/results/aside-Harbour-"), panel.newest().projectId]).toEqual([
      true,
      undefined,
    ]);
  });

  test("has the captions of a file or of the transcript where they are wanted, and none else", async () => {
    const captionsOf = async (change: Partial<Form>, transcript: string | null) => {
      const panel = queueing({
        jobs: [],
        review: null,
        form: form({ captionFile: { filename: "own.vtt", content: "WEBVTT own" }, ...change }),
      });
      const asked: number[] = [];
      panel.editor.transcribedCaptions = async (start?: number) => {
        asked.push(start ?? -1);
        return transcript === null ? null : ({ content: transcript } as never);
      };
      await panel.does(() => panel.queue.order());
      return [panel.newest().form.captionFile, asked];
    };
    expect(await captionsOf({ captionSource: "none" }, "WEBVTT heard")).toEqual([undefined, []]);
    expect(await captionsOf({ captionSource: "file" }, "WEBVTT heard")).toEqual([
      { filename: "own.vtt", content: "WEBVTT own" },
      [],
    ]);
    expect(await captionsOf({ captionSource: "transcript" }, "WEBVTT heard")).toEqual([
      { filename: "transcript.vtt", content: "WEBVTT heard" },
      [0],
    ]);
    expect(await captionsOf({ captionSource: "transcript" }, null)).toEqual([undefined, [0]]);
  });

  test("tells what was read of the texts that it was given, and asks for what they say", async () => {
    const receipt = { facts: ["2 lines"], leftOut: [] };
    const panel = queueing({
      jobs: [],
      review: null,
      form: form({
        captionSource: "file",
        captionFile: { filename: "own.vtt", content: "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.", receipt },
      }),
    });
    await panel.does(() => panel.queue.order());
    const [body] = panel.server.bodies("generateAudio") as { generation_config: object }[];
    expect(body).toMatchObject({
      generation_config: { custom_captions: { content: expect.stringContaining("Hello."), filename: "own.vtt" } },
    });
    const said = `${words.textKinds.captions} “own.vtt”: 2 lines.`;
    expect(message(panel)).toEqual({ isFault: false, text: words.doneWithNotices, details: [said] });
  });

  test("is of what was sent already where the sequence is one of those: nothing is exported or sent again", async () => {
    const panel = queueing({ jobs: [], review: null });
    const asked: string[] = [];
    const sent = { media: { mediaId: "media-9", isVerified: true } };
    Object.assign(panel.session.environment, {
      sentMedia: async (id: string) => {
        asked.push(id);
        return sent;
      },
    });
    await panel.does(() => panel.queue.order());
    expect([asked, panel.sent]).toEqual([["s1"], []]);
    expect(panel.server.bodies("generateAudio")).toMatchObject([{ input: { media_id: "media-9" } }]);
  });

  test("is not begun where the service cannot be asked; the history stays as it was", async () => {
    const panel = queueing({ jobs: [], review: null, shownKey: null, service: { address: ELSEWHERE } });
    panel.session.environment.secrets.load = async () => null;
    await expect(panel.does(() => panel.queue.order())).rejects.toBeInstanceOf(Error);
    expect([panel.session.state.jobs, panel.editor.exports]).toEqual([[], []]);
  });

  test("that another sequence is active for by then is not exported, and says which one is wanted", async () => {
    const panel = queueing({
      jobs: [jobEntry({ state: "stopped", sequence: { ...jobEntry().sequence, id: "s9", name: "Other" } })],
      review: null,
    });
    await panel.does(() => panel.queue.resume("run-1"));
    expect([message(panel)?.text, message(panel)?.isFault, panel.newest().state]).toEqual([
      words.otherSequence({ name: "Other" }),
      true,
      "failed",
    ]);
    expect(panel.editor.exports).toEqual([]);
  });

  test("that fails at the service says so with its job, its way out is the same run, and that succeeds then", async () => {
    const panel = queueing({ jobs: [], review: null });
    panel.server.jobEnds = ["internal_error"];
    await panel.does(() => panel.queue.order());
    const { runId, state, fault, jobId } = panel.newest();
    expect([state, fault?.code, jobId]).toEqual(["failed", "internal_error", [...panel.server.jobs.keys()][0]]);
    expect(message(panel)).toMatchObject({ isFault: true, runId, code: "internal_error" });
    expect(panel.keptJob(runId)).toEqual(panel.newest());
    await panel.does(() => panel.queue.resume(runId));
    expect([panel.newest().state, panel.newest().fault, panel.sent.length, panel.session.state.jobs.length]).toEqual([
      "done",
      undefined,
      1,
      1,
    ]);
  });

  test("has other settings at another try, in its form and in that for the next job; a job that is gone is not tried", async () => {
    const panel = queueing({ jobs: [], review: null });
    panel.server.jobEnds = ["standard_ad_not_enough_gaps"];
    await panel.does(() => panel.queue.order());
    const { runId } = panel.newest();
    expect(message(panel)?.remedies).toEqual(["allow-over-speech", "use-extended"]);
    await panel.does(() => panel.queue.again(runId, { type: "extended" }));
    expect([
      panel.newest().form.settings.type,
      panel.session.state.form.settings.type,
      panel.newest().state,
      panel.sent.length,
    ]).toEqual(["extended", "extended", "done", 1]);
    expect(panel.keptJob(runId)?.form.settings.type).toBe("extended");
    const before = panel.server.seen.length;
    await panel.does(() => panel.queue.again("gone", { type: "standard" }));
    expect([panel.server.seen.length, panel.session.state.form.settings.type]).toEqual([before, "extended"]);
  });

  test("whose answer was lost is sent again only where that was said, or where nothing is paid", async () => {
    for (const [address, again, count] of SENDING) {
      const panel = queueing({ jobs: [], review: null, service: { address } });
      panel.server.faults.generateAudio = ["break"];
      await panel.does(() => panel.queue.order());
      const { runId } = panel.newest();
      if (address === ELSEWHERE)
        expect([message(panel)?.code, message(panel)?.remedies]).toEqual(["submission_unknown", ["send-again"]]);
      await panel.does(() => panel.queue.resume(runId, again));
      expect([address, again, panel.server.bodies("generateAudio").length]).toEqual([address, again, count]);
      // Said once, it counts once.
      if (count === 1) expect(panel.newest().state).toBe("failed");
    }
  });
});

describe("a job that is there already", () => {
  test("is taken up under the name that was agreed on: it is only waited for, and its result fetched", async () => {
    const panel = queueing({ jobs: [], review: null });
    panel.server.jobs.set("task-1", { format: "vtt", media: "wav", polls: 0, end: "" });
    const done = {
      exported,
      media: { mediaId: "m", isVerified: true },
      submission: { state: "accepted", jobId: "task-1", notices: ["Heard."] },
    } as const;
    await panel.does(() => panel.queue.takeUp({ runId: "agreed", sequence: jobEntry().sequence, form: form() }, done));
    expect([panel.newest().runId, panel.newest().state, panel.newest().jobId]).toEqual(["agreed", "done", "task-1"]);
    expect([...new Set(panel.asked())]).toEqual(["getResults"]);
    expect(panel.run("agreed")).toMatchObject({
      version: RECORD_VERSION,
      runId: "agreed",
      name: "Harbour",
      startedAt: panel.newest().startedAt,
    });
    expect(panel.keptJob("agreed")?.state).toBe("done");
    expect([message(panel)?.text, message(panel)?.details]).toEqual([words.doneWithNotices, ["Heard."]]);
  });

  test("goes on when the panel opens where the service has accepted it; the rest waits for the editor, and the view moves unless it was left", async () => {
    const jobs = [
      jobEntry({
        runId: "refused",
        state: "running",
        adds: { to: "run-1", stretches: [{ start: 0, end: 5, inside: [] }] },
      }),
      jobEntry({ runId: "sent", state: "waiting" }),
      jobEntry({ runId: "accepted", state: "running" }),
      jobEntry({ runId: "done" }),
    ];
    const panel = queueing({ jobs, review: null, view: "describe" });
    panel.server.jobs.set("task-1", { format: "vtt", media: "wav", polls: 0, end: "" });
    keep(
      panel,
      record("accepted", {
        exported,
        media: { mediaId: "m", isVerified: true },
        submission: { state: "accepted", jobId: "task-1", notices: [] },
      }),
    );
    keep(panel, record("sent", { media: { mediaId: "m", isVerified: true } }));
    for (const runId of runsOf(jobs[0] ?? jobEntry()))
      keep(panel, record(runId, { refusal: { code: "content_blocked", message: "No." } }));
    await panel.does(async () => panel.queue.goOn(jobs, "describe"));
    expect(panel.session.state.jobs.map(({ runId, state }) => [runId, state])).toEqual([
      ["refused", "done"],
      ["sent", "stopped"],
      ["accepted", "done"],
      ["done", "done"],
    ]);
    expect([panel.keptJob("sent")?.state, panel.keptJob("done"), panel.editor.exports]).toEqual([
      "stopped",
      undefined,
      [],
    ]);
    for (const [view, seen] of [
      ["describe", "progress"],
      ["history", "history"],
    ] as const) {
      const other = queueing({ jobs: jobs.slice(1, 2), review: null, view });
      await other.does(async () => other.queue.goOn(jobs.slice(1, 2), "describe"));
      expect(other.session.state.view).toBe(seen);
    }
  });

  test("has its sound fetched once more, and what was edited stays; one that is gone is not asked for", async () => {
    const panel = queueing({ jobs: [], review: null });
    await panel.does(() => panel.queue.order());
    const { runId, audioPath } = panel.newest();
    panel.session.store.update((state) =>
      state.review === null
        ? state
        : { ...state, review: editCue(state.review, state.review.result.cues[0]?.id ?? "", { text: "Ann sits." }) },
    );
    panel.files.bytes.set(audioPath, new Uint8Array(9));
    await panel.does(() => panel.queue.fetchAgain(runId));
    expect(panel.files.bytes.get(audioPath)).toBe(panel.server.wav);
    expect([panel.editor.exports.length, panel.sent.length, panel.server.bodies("generateAudio").length]).toEqual([
      1, 1, 1,
    ]);
    expect([panel.session.state.review?.result.cues[0]?.text, panel.kept(runId)?.cues[0]?.text]).toEqual([
      "Ann sits.",
      "Ann sits.",
    ]);
    const before = panel.server.seen.length;
    await panel.does(() => panel.queue.fetchAgain("gone"));
    expect(panel.server.seen.length).toBe(before);
  });

  test("that is done is deleted at the service with the videos that were made of it, then here; what the service does not know is gone there already", async () => {
    const job = jobEntry({
      jobId: "own",
      videos: ["video-1", "video-2", "video-3"],
      audioPath: "/projects/aside-x.wav",
    });
    const panel = queueing({ jobs: [jobEntry({ runId: "other" }), job] });
    panel.files.bytes.set(job.audioPath, new Uint8Array(9));
    const result = { format: null, content: "" };
    keep(panel, record("video-1", { result, submission: { state: "accepted", jobId: "task-v1", notices: [] } }));
    keep(panel, record("video-2", { submission: { state: "accepted", jobId: "task-v2", notices: [] } }));
    panel.server.faults.deleteJob = [json({ error: "not_found", message: "No such job." }, 404)];
    await panel.does(() => panel.queue.remove("run-1"));
    const deleted = panel.server.seen
      .filter(({ route }) => route === "deleteJob")
      .map(({ path, query }) => `${path.split("/").at(-1)} ${[...query.values()]}`);
    expect(deleted).toEqual(["own ", "task-v1 "]);
    expect([
      panel.session.state.jobs.map(({ runId }) => runId),
      panel.session.state.review,
      panel.files.bytes.has(job.audioPath),
    ]).toEqual([["other"], null, false]);
    expect([panel.run("video-1"), panel.kept()]).toEqual([null, undefined]);
  });

  test("stays here where the service does not delete it, with its sound and its review", async () => {
    const panel = queueing({ jobs: [jobEntry({ jobId: "own" })] });
    panel.server.faults.deleteJob = [json({ error: "unauthorized", message: "No." }, 401)];
    await expect(panel.does(() => panel.queue.remove("run-1"))).rejects.toMatchObject({ code: "unauthorized" });
    expect([panel.session.state.jobs.length, panel.session.state.review === null]).toEqual([1, false]);
  });

  test("that was placed leaves its narration where a timeline uses it, and the review of another stays", async () => {
    const placed = jobEntry({ runId: "placed", placedNarration: true, audioPath: "/projects/aside-x.wav" });
    const panel = queueing({ jobs: [jobEntry(), placed] });
    panel.files.bytes.set(placed.audioPath, new Uint8Array(9));
    await panel.does(() => panel.queue.remove("placed"));
    expect([panel.files.bytes.has(placed.audioPath), panel.session.state.review?.result.runId]).toEqual([
      true,
      "run-1",
    ]);
  });

  test("of new picture is deleted at the service stretch by stretch", async () => {
    const stretches = [1, 2].map((start) => ({ start, end: start + 1, inside: [] }));
    const job = jobEntry({ runId: "new", jobId: "never", adds: { to: "run-1", stretches } });
    const panel = queueing({ jobs: [job, jobEntry()] });
    for (const [index, runId] of runsOf(job).entries())
      keep(panel, record(runId, { submission: { state: "accepted", jobId: `task-${index}`, notices: [] } }));
    await panel.does(() => panel.queue.remove("new"));
    expect(
      panel.server.seen
        .filter(({ route }) => route === "deleteJob")
        .map(({ query, path }) => [...query.values()][0] ?? path.split("/").at(-1)),
    ).toEqual(["task-0", "task-1"]);
    expect(runsOf(job).map((runId) => panel.run(runId))).toEqual([null, null]);
  });
});

describe("a job under way", () => {
  /** A job that the service works on for ever, begun. */
  async function working(state: Partial<PanelState> = {}) {
    const panel = queueing({ jobs: [], review: null, ...state });
    panel.server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const begun = panel.queue.order();
    const reaches = async (isThere: () => boolean) => {
      for (let count = 0; !isThere() && count < 300; count++) {
        await panel.ports.letGo();
        await panel.clock.pass(1000);
      }
      await panel.ports.letGo();
    };
    await reaches(() => panel.asked().includes("getResults"));
    await begun;
    return { ...panel, reaches };
  }
  const isOver =
    ({ session }: Queueing) =>
    () =>
      session.state.progress === null;

  test("asks what is to stop, or closes that question; elsewhere there is none", async () => {
    const panel = await working();
    for (const isAsking of [true, false]) {
      panel.queue.askStop(isAsking);
      expect(panel.session.state.progress?.isAsking).toBe(isAsking);
    }
    const idle = queueing();
    idle.queue.askStop(true);
    idle.queue.pause(true);
    expect(idle.session.state.progress).toBeNull();
  });

  test("stops being waited for, and can be gone on with: nothing is exported, sent or ordered again", async () => {
    const panel = await working();
    const { runId } = panel.newest();
    await panel.queue.cancel(runId);
    expect(panel.session.state.progress).toMatchObject({ isCancelling: true, isAsking: false });
    await panel.reaches(isOver(panel));
    expect([panel.newest().state, panel.newest().cancelled, panel.keptJob(runId)?.state, message(panel)]).toEqual([
      "stopped",
      undefined,
      "stopped",
      null,
    ]);
    panel.server.jobStates = [];
    await panel.does(() => panel.queue.resume(runId));
    expect([panel.newest().state, panel.sent.length, panel.server.accepted, panel.session.state.view]).toEqual([
      "done",
      1,
      1,
      "review",
    ]);
  });

  test("is stopped at its service, which says how far it was; gone on with, it is ordered anew of the same upload", async () => {
    const panel = await working();
    const { runId } = panel.newest();
    panel.queue.askStop(true);
    const [jobId = ""] = panel.server.jobs.keys();
    const progress = { stage: "describe", fraction: 0.6 };
    panel.server.additions[`POST jobs/${jobId}/cancel`] = () => ({
      body: { job_id: jobId, status: "failed", error: "cancelled", message: "Stopped.", progress },
    });
    const stopping = panel.queue.stop(runId);
    expect(panel.session.state.progress).toMatchObject({ isCancelling: true, isAsking: false });
    await panel.ports.letGo();
    await stopping;
    await panel.reaches(isOver(panel));
    expect([panel.newest().state, panel.newest().cancelled, panel.keptJob(runId)?.cancelled, message(panel)]).toEqual([
      "stopped",
      progress,
      progress,
      null,
    ]);
    expect(panel.run(runId)?.submission).toBeUndefined();
    panel.server.jobStates = [];
    await panel.does(() => panel.queue.resume(runId));
    expect([panel.newest().state, panel.newest().cancelled, panel.sent.length, panel.server.accepted]).toEqual([
      "done",
      undefined,
      1,
      2,
    ]);
  });

  test("goes on where its service cannot stop it, and is waited for then as before", async () => {
    const panel = await working();
    const { runId } = panel.newest();
    const stopping = panel.queue.stop(runId).catch((error: unknown) => error);
    await panel.ports.letGo();
    expect([String(await stopping).split(":")[0], panel.session.state.progress]).toMatchObject([
      "CancelNotOfferedError",
      { isCancelling: false, isAsking: false },
    ]);
    const [jobId = ""] = panel.server.jobs.keys();
    panel.server.additions[`POST jobs/${jobId}/cancel`] = () => ({
      status: 409,
      body: { error: "job_not_cancellable", message: "Over." },
    });
    const again = panel.queue.stop(runId);
    await panel.ports.letGo();
    await again;
    expect(panel.session.state.progress).toMatchObject({ isCancelling: false, isAsking: false });
    panel.server.jobStates = [];
    await panel.reaches(isOver(panel));
    expect(panel.newest().state).toBe("done");
    await panel.does(() => panel.queue.stop("gone"));
  });

  test("whose upload is called off has what arrived of it removed, where its service can; the next try sends it from the start", async () => {
    const panel = queueing({ jobs: [], review: null });
    const transfer = panel.session.environment.transfer;
    const { upload } = transfer;
    transfer.upload = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    void panel.queue.order();
    for (let count = 0; count < 20 && !panel.asked().includes("uploadMedia"); count++) await panel.ports.letGo();
    const { runId } = panel.newest();
    await panel.queue.cancel(runId);
    for (let count = 0; count < 20 && panel.session.state.progress !== null; count++) {
      await panel.ports.letGo();
      await panel.clock.pass(1000);
    }
    expect([panel.newest().state, panel.run(runId)?.sending]).toEqual(["stopped", undefined]);
    const last = panel.server.seen.at(-1);
    expect([last?.method, last?.path.startsWith("/enterprise/api/media/")]).toEqual(["DELETE", true]);
    transfer.upload = upload;
    await panel.does(() => panel.queue.resume(runId));
    expect([panel.newest().state, panel.sent.length, panel.editor.exports.length]).toEqual(["done", 1, 1]);
  });

  test("has its upload held between two slices, and let go; that it is held is seen only once it is", async () => {
    const panel = queueing({ jobs: [], review: null });
    const slices: (() => Promise<void>)[] = [];
    const transfer = panel.session.environment.transfer;
    transfer.upload = async ({ mayGoOn }) => {
      await new Promise<void>((go) => slices.push(async () => go()));
      await mayGoOn?.();
      return { status: 200, body: "" };
    };
    void panel.queue.order();
    for (let count = 0; count < 20 && slices.length === 0; count++) await panel.ports.letGo();
    const pause = () => panel.session.state.progress?.pause;
    expect(pause()).toBe("none");
    panel.queue.pause(true);
    expect(pause()).toBe("asked");
    await slices[0]?.();
    await panel.ports.letGo();
    expect([pause(), panel.asked().at(-1)]).toEqual(["held", "uploadMedia"]);
    panel.queue.pause(false);
    expect(pause()).toBe("none");
    await panel.ports.letGo();
    expect(panel.asked()).toContain("notifyUploadComplete");
  });

  test("is not removed, and no other is begun beside it; what is ordered meanwhile waits behind it", async () => {
    const panel = await working();
    const { runId } = panel.newest();
    await panel.queue.remove(runId);
    expect(panel.session.state.jobs).toHaveLength(1);
    await panel.does(async () => {
      const second = panel.queue.order();
      await second;
      expect(panel.session.state.jobs.map(({ state }) => state)).toEqual(["waiting", "running"]);
      panel.server.jobStates = [];
    });
    await panel.reaches(isOver(panel));
    expect(panel.session.state.jobs.map(({ state }) => state)).toEqual(["done", "done"]);
  });

  test("ends with the panel, and stays on disk as it was", async () => {
    const panel = await working();
    const { runId } = panel.newest();
    panel.session.close();
    panel.queue.close();
    await panel.reaches(isOver(panel));
    expect([panel.keptJob(runId)?.state, message(panel)]).toEqual(["running", null]);
  });
});

describe("narration that is made anew", () => {
  const voiced = (state: Partial<PanelState> = {}, change: Partial<Result> = {}) => {
    const panel = queueing(
      {
        jobs: [jobEntry({ audioPath: "/projects/aside-harbour-run.wav", projectId: "p", ...(state.jobs?.[0] ?? {}) })],
        ...(state.view === undefined ? {} : { view: state.view }),
      },
      { ...withNarration(), ...change },
    );
    keep(panel, record("run-1", { exported, media: { mediaId: "media-1", isVerified: true } }));
    panel.server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nA man sits.\n\n00:06.000 --> 00:07.000\nRain.\n";
    panel.session.store.update((now) =>
      now.review === null ? now : { ...now, review: editCue(now.review, "a", { text: "A man sits." }) },
    );
    return panel;
  };

  test("is of the words as they are, of what the service has, and lies beside the earlier one; the result has it then, and is told of", async () => {
    const panel = voiced();
    await panel.does(() => panel.queue.voice());
    const job = panel.newest();
    expect(job).toMatchObject({ voices: "run-1", state: "done", projectId: "p", cueCount: 2 });
    expect(job.audioPath).toBe(`/projects/aside-harbour-${job.runId}.wav`);
    expect([panel.sent, panel.editor.exports]).toEqual([[], []]);
    expect(JSON.stringify(panel.server.bodies("generateAudio"))).toMatch(/media-1.*A man sits/);
    const { review } = panel.session.state;
    expect([review?.result.runId, review?.result.audio?.path, panel.kept()?.audio?.path]).toEqual([
      "run-1",
      job.audioPath,
      job.audioPath,
    ]);
    expect([message(panel)?.text, panel.after]).toEqual([words.voiced, []]);
    expect(panel.files.texts.get(`/panel/results/${job.runId}.sent.json`)).toContain("A man sits.");
  });

  test("is placed where the narration was, or where that is asked for; of another result under review it is kept, and said where", async () => {
    const placed = voiced({ jobs: [jobEntry({ placedNarration: true })] });
    await placed.does(() => placed.queue.voice());
    expect(placed.after).toEqual(["voiced"]);
    const asked = voiced();
    await asked.does(() => asked.queue.voice({ places: true }));
    expect([asked.after, asked.newest().places]).toEqual([["voiced"], true]);
    const other = voiced();
    other.ports.beside.add("exportSequence");
    await other.does(async () => {
      await other.queue.voice({ places: true });
      other.session.store.set({
        view: "review",
        review: openReview(placedResult([], { runId: "other" }), jobEntry({ runId: "other" })),
      });
    });
    expect([other.after, other.session.state.review?.result.runId, message(other)?.text]).toEqual([
      [],
      "other",
      words.doneElsewhere({ name: "Harbour" }),
    ]);
    expect(other.kept()?.audio?.path).toBe(other.newest().audioPath);
  });

  test("leaves what is edited while it is made as it is", async () => {
    const panel = voiced();
    panel.server.jobStates = ["processing", "processing"];
    await panel.does(async () => {
      await panel.queue.voice();
      for (let turn = 0; turn < 400 && !panel.asked().includes("getResults"); turn++)
        await new Promise((next) => setImmediate(next));
      panel.session.store.update((now) =>
        now.review === null ? now : { ...now, review: editCue(now.review, "b", { text: "Snow." }) },
      );
    });
    expect(panel.kept()?.cues.map(({ text }) => text)).toEqual(["A man sits.", "Snow."]);
  });

  test("is asked for of no result whose job is gone, and of none where none is open", async () => {
    for (const state of [{ jobs: [] }, { review: null }]) {
      const panel = queueing(state);
      await panel.does(() => panel.queue.voice());
      expect([panel.server.seen, panel.session.state.jobs.length <= 1]).toEqual([[], true]);
    }
  });
});

describe("what is new in a cut", () => {
  const stretches = [
    { start: 4, end: 9, inside: [{ start: 5, end: 8 }] },
    { start: 20, end: 26, inside: [{ start: 21, end: 25 }] },
  ];
  const order = { sequence: jobEntry().sequence, form: form(), adds: { to: "run-1", stretches } };

  test("is described stretch by stretch, each as a run with a sound of its own, and goes to what it joins; then the exports go", async () => {
    const panel = queueing({ jobs: [jobEntry()] });
    await panel.does(() => panel.queue.describeNew(order));
    const job = panel.newest();
    expect(panel.editor.exports.map(({ range }) => range)).toEqual([
      { start: 4, end: 9 },
      { start: 20, end: 26 },
    ]);
    expect([panel.after, job.state, job.cueCount]).toEqual([[`described ${job.runId}`], "done", 7]);
    expect(panel.brought[0]?.map(({ stretch, run }) => [stretch.start, run?.result.audio?.path])).toEqual([
      [4, job.audioPath.replace(".wav", "-1.wav")],
      [20, job.audioPath.replace(".wav", "-2.wav")],
    ]);
    expect([panel.run(runsOf(job)[0] ?? "")?.runId, exportsLeft(panel), job.adds]).toEqual([
      runsOf(job)[0],
      [],
      order.adds,
    ]);
    // The same stretches once more are the same job, which is paid for.
    await panel.does(() => panel.queue.describeNew(order));
    expect([panel.session.state.jobs.length, panel.server.accepted, panel.after.length]).toEqual([2, 2, 2]);
  });

  test("of which the service refuses a stretch is described without it, and why is told to what it joins", async () => {
    const panel = queueing({ jobs: [jobEntry()] });
    panel.server.jobEnds = ["content_blocked"];
    await panel.does(() => panel.queue.describeNew(order));
    expect(panel.brought[0]?.map(({ run, refusal }) => [run === null, refusal?.code ?? ""])).toEqual([
      [true, "content_blocked"],
      [false, ""],
    ]);
    expect(panel.newest().state).toBe("done");
  });
});
