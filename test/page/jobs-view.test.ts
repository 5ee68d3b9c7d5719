import { describe, expect, test } from "vitest";
import type { Child } from "../../panel/document/element.ts";
import type { PanelState } from "../../panel/state/panel-state.ts";
import { words } from "../../panel/words/words.ts";
import type { DeskJob } from "../../src/contract/page.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { turns } from "../fakes/set-clock.ts";
import { jobEntry, TextFiles } from "../panel/session-in-memory.ts";
import { madeBrowser } from "./made-browser.ts";
import { buttonsOf, elementsOf, type PageActions, pageActions, press, textOf } from "./page-actions.ts";
import { deskOf, ORDER } from "./service-desk.ts";

/** What is used of the page's part; it is of a browser, whose types these tests do without. */
interface JobsModule {
  readonly JobsView: new (parts: object, actions: object) => { draw(state: PanelState): readonly Child[] };
}
const { JobsView }: JobsModule = await import(String(new URL("../../page/jobs-view.ts", import.meta.url)));

describe("the jobs of the service", () => {
  const job = (change: Partial<DeskJob> = {}): DeskJob => ({
    job_id: "j1",
    media_id: "m1",
    kind: "audio",
    status: "done",
    file_name: "harbour.mp4",
    stage: null,
    fraction: null,
    error: null,
    message: null,
    created_at: "2026-01-01T10:20:30Z",
    finished_at: null,
    ...change,
  });

  /** The view over some jobs; what its client was asked is told in order. */
  async function viewOf(jobs: readonly DeskJob[], page: PageActions = pageActions()) {
    const { desk, asked, state } = deskOf(jobs);
    const note = (what: string) => async (id: string) => {
      asked.push(`${what} ${id}`);
      return { status: "done", text: { content: "words", format: "srt" }, audioUrl: "https://s.example/a" };
    };
    const client = { getResults: note("get"), deleteJob: note("delete"), cancelJob: note("cancel") };
    const { ports, session } = page;
    const parts = {
      desk: ports.wrap(desk),
      client: ports.wrap(client),
      editor: ports.wrap({ takeUp: note("take up") }),
    };
    const view = new JobsView(parts, page.actions);
    session.store.set({ view: "history" });
    const draw = () => view.draw(session.state);
    draw();
    await page.rest();
    await ports.letGo();
    return { ...page, asked, state, desk, draw };
  }

  test("are looked at every two seconds while they are in sight, and no longer; how many there are is said once", async () => {
    const { clock, session, said, state, draw, ports } = await viewOf([job()]);
    expect(buttonsOf(draw())).toEqual(["open-j1", "save-text-j1", "save-sound-j1", "delete-j1"]);
    expect(said).toEqual(["1 job."]);
    const looks = () => ports.calls.filter((name) => name === "jobs").length;
    const pass = async (milliseconds: number) => {
      await clock.pass(milliseconds);
      await ports.letGo();
    };
    expect(looks()).toBe(1);
    await pass(1999);
    expect(looks()).toBe(1);
    await pass(1);
    expect(looks()).toBe(2);
    state.jobs = [];
    await pass(2000);
    expect([looks(), said, textOf(draw()).includes("harbour")]).toEqual([3, ["1 job."], false]);
    session.store.set({ view: "describe" });
    await pass(10_000);
    expect(looks()).toBe(3);
    // In sight again, they are followed again.
    session.store.set({ view: "history" });
    draw();
    await pass(0);
    expect(looks()).toBe(4);
  });

  test("are shown each, with what can be done with one that is as far", async () => {
    const states = ["queued", "processing", "done", "failed"] as const;
    const { draw } = await viewOf(
      states.map((status) => job({ job_id: status, status, file_name: `${status}.mp4`, message: "No speech." })),
    );
    const drawn = textOf(draw());
    for (const status of states) expect(drawn).toContain(`${status}.mp4`);
    expect(buttonsOf(draw()).filter((id) => id.startsWith("cancel"))).toEqual(["cancel-queued", "cancel-processing"]);
    expect(buttonsOf(draw()).filter((id) => /^(?:open|delete)/.test(id))).toEqual(["open-done", "delete-done"]);
  });

  test("of others are told of as they end, each of them; those that were ordered here tell of themselves", async () => {
    const ids = ["j1", "j2", "j3", "j4"];
    const running = ids.map((job_id) => job({ job_id, file_name: `${job_id}.mp4`, status: "processing" }));
    const { session, said, state, clock, ports } = await viewOf(running);
    session.store.set({ jobs: [jobEntry({ runId: "run-0", jobId: "j0" }), jobEntry({ jobId: "j4" })] });
    state.jobs = running.map((one) => ({
      ...one,
      ...(one.job_id === "j2"
        ? { status: "failed" as const, message: "No speech." }
        : one.job_id === "j3" ? { status: "failed" as const, error: "cancelled" } : { status: "done" as const }), // biome-ignore format: by case
    }));
    const before = said.length;
    await clock.pass(2000);
    await ports.letGo();
    const told = said.slice(before);
    expect(told).toHaveLength(3);
    expect([told[0], told[1], told[2]].map((text, index) => text?.includes(`j${index + 1}.mp4`))).toEqual([
      true,
      true,
      true,
    ]);
    expect(told[1]).toContain("No speech.");
  });

  test("that had ended before are not told of again, wherever they stand in the list", async () => {
    const jobs = [1, 2, 3].map((number) => job({ job_id: `j${number}`, file_name: `j${number}.mp4` }));
    for (const running of jobs) {
      const { said, state, clock, ports } = await viewOf(
        jobs.map((one) => (one === running ? { ...one, status: "processing" as const } : one)),
      );
      state.jobs = jobs;
      const before = said.length;
      await clock.pass(2000);
      await ports.letGo();
      expect(said.slice(before)).toEqual([expect.stringContaining(running.file_name ?? "")]);
    }
  });

  test("say what is saved of them as soon as any is done, and before that do not", async () => {
    const hints = async (...states: readonly DeskJob["status"][]) => {
      const { draw } = await viewOf(states.map((status, index) => job({ job_id: `j${index}`, status })));
      return textOf(draw()).includes("as the service made them");
    };
    expect(await hints("queued", "processing", "failed")).toBe(false);
    expect([await hints("done"), await hints("queued", "done"), await hints("failed", "queued", "done")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("of one film have names that tell them apart, each", async () => {
    const jobs = [1, 2, 3].map((minute) =>
      job({ job_id: `j${minute}`, status: "queued", created_at: `2026-01-01T10:0${minute}:00Z` }),
    );
    const { draw } = await viewOf(jobs);
    const labels = draw().flatMap((part) => elementsOf(part).map(({ properties }) => properties["aria-label"]));
    const stops = labels.filter((label) => String(label).startsWith("Stop the job: "));
    expect([stops.length, new Set(stops).size]).toEqual([3, 3]);
    for (const label of stops) expect(label).toContain("harbour.mp4");
  });

  test("are cancelled, and that is said once it is so; where it fails, it is told and not said", async () => {
    const { act, asked, said, draw, ports } = await viewOf([job({ job_id: "j0" }), job({ status: "queued" })]);
    await act(() => press(draw(), "cancel-j1"));
    expect([asked, said.slice(1)]).toEqual([["cancel j1"], [expect.stringContaining("harbour")]]);
    // The list is what it is after that.
    expect(ports.calls.slice(-2)).toEqual(["cancelJob", "jobs"]);
    await act(() => press(draw(), "cancel-j1"), 0);
    expect(said).toHaveLength(2);
  });

  test("are deleted when that is asked twice: by the service, or with all that is kept of them here", async () => {
    const { act, asked, did, said, draw, session } = await viewOf([job(), job({ job_id: "j2" })]);
    await act(() => press(draw(), "delete-j2"));
    expect(buttonsOf(draw()).filter((id) => id.startsWith("delete"))).toEqual(["delete-j1", "delete-now-j2"]);
    expect(asked).toEqual([]);
    await act(() => press(draw(), "delete-now-j2"));
    expect([asked, did]).toEqual([["delete j2"], []]);
    expect(said.at(-1)).toBe(words.heard.removed);
    const told = said.length;
    session.store.set({
      jobs: ["a", "b", "c"].map((runId) => jobEntry({ runId, jobId: runId === "b" ? "j2" : "j1" })),
    });
    await act(() => press(draw(), "delete-j1"));
    await act(() => press(draw(), "delete-now-j1"));
    // Whoever removes them says so.
    expect([asked, did, said.length]).toEqual([
      ["delete j2"],
      [`jobQueue.remove ["a"]`, `jobQueue.remove ["c"]`],
      told + 1,
    ]);
    await act(() => press(draw(), "delete-j1"));
    await act(() => press(draw(), "delete-now-j1"), 0);
    expect([did.length, session.state.message?.isFault]).toEqual([3, true]);
    session.store.set({ message: null });
    await act(() => press(draw(), "delete-j2"));
    session.store.set({ jobs: [] });
    await act(() => press(draw(), "delete-now-j2"), 0);
    expect(session.state.message?.isFault).toBe(true);
  });

  test("that nobody has opened here are taken up with what was asked for, but for texts of the film", async () => {
    const { act, asked, did, draw } = await viewOf([job({ job_id: "j2", media_id: "m2" }), job()]);
    await act(() => press(draw(), "open-j1"));
    expect(asked).toEqual(["take up m1", "order j1", "media m1"]);
    expect(did).toHaveLength(1);
    expect(did[0]).toMatch(/^jobQueue.takeUp .*"name":"m1".*"state":"accepted","jobId":"j1"/);
    expect(did[0]).toContain('"wanted":"both","track":"mixed"');
    expect(did[0]).not.toContain("secret");
  });

  test("are taken up from the service where they are here, but not done", async () => {
    const { act, did, draw, session } = await viewOf([job()]);
    session.store.set({ jobs: [jobEntry({ runId: "a", jobId: "j1", state: "failed" })] });
    await act(() => press(draw(), "open-j1"));
    expect(did.map((one) => one.split(" ")[0])).toEqual(["jobQueue.takeUp"]);
  });

  test("have their film at hand before anything else is asked of them", async () => {
    const { asked, did, draw, ports } = await viewOf([job()]);
    press(draw(), "open-j1");
    await turns();
    expect([asked, did]).toEqual([["take up m1"], []]);
    await ports.letGo();
    expect(did).toHaveLength(1);
  });

  test.each([
    ["as they were left", "/sounds/a.wav", `reviewController.open ["a"]`],
    ["with their sound fetched again, where the browser has let it go", null, `jobQueue.fetchAgain ["a"]`],
  ])("that were opened here are opened %s, also where their film is gone", async (_, sound, wanted) => {
    const files = new TextFiles();
    const page = pageActions({ files: files as never });
    const audioPath = "/sounds/a.wav";
    await page.session.library.saveResult(
      placedResult([], { runId: "a", audio: { path: audioPath, durationSeconds: 60 } as never }),
    );
    if (sound !== null) files.texts.set(sound, "x");
    const { act, did, asked, draw, session } = await viewOf([job()], page);
    session.store.set({
      jobs: [jobEntry({ runId: "z", jobId: "j9" }), jobEntry({ runId: "a", jobId: "j1", audioPath })],
    });
    await act(() => press(draw(), "open-j1"), 0);
    expect([did, asked]).toEqual([[wanted], ["take up m1"]]);
    expect(session.state.message).toBeNull();
  });

  test("say their film, when they were ordered, what they make, how far they are, and why there is nothing", async () => {
    const drawnOf = async (change: Partial<DeskJob>) => (await viewOf([job(change)])).draw();
    const shown = async (change: Partial<DeskJob>) => textOf(await drawnOf(change));
    expect(await shown({ kind: "video", created_at: "2026-01-02T03:04:05Z" })).toMatch(
      /harbour\.mp4\n · 2026-01-02 03:04 · video · done/,
    );
    const running = await drawnOf({ status: "processing", fraction: 0.426, stage: "listening" });
    expect(textOf(running)).toMatch(/in progress\n · listening/);
    const labels = running.flatMap(elementsOf).map(({ properties }) => properties["aria-label"]);
    expect(labels).toContain("harbour.mp4: 43 %");
    expect(textOf(await drawnOf({ status: "queued", stage: "listening" }))).not.toContain("listening");
    expect(await shown({ status: "processing", stage: null })).not.toContain("null");
    // Neither a bar nor a fault, where nothing goes on or fails.
    const done = await drawnOf({ status: "done", fraction: 1, message: "No speech." });
    expect(textOf(done)).not.toContain("No speech.");
    expect(done.flatMap(elementsOf).map(({ properties }) => properties["aria-label"])).not.toContain(
      "harbour.mp4: 100 %",
    );
    expect(await shown({ status: "failed", message: null })).not.toContain("✕");
    expect(await shown({ status: "failed", message: "No speech." })).toMatch(/failed\n.*✕ No speech\./s);
    const cancelled = await shown({ status: "failed", error: "cancelled", message: "Stopped by you." });
    expect(cancelled).toMatch(/cancelled\n.*Stopped by you\./s);
    expect(cancelled).not.toContain("✕");
    // A film that nobody named is told by the job.
    expect(await shown({ file_name: null, job_id: "0123456789" })).toMatch(/^01234567\n/m);
    const roles = (await drawnOf({})).flatMap(elementsOf).map(({ properties }) => properties["role"]);
    expect(roles.filter((role) => role === "list" || role === "listitem")).toEqual(["list", "listitem"]);
  });

  test("offer what came of them: a video to be saved, a text without its sound, and what is not done nothing", async () => {
    const offered = async (change: Partial<DeskJob>) => buttonsOf((await viewOf([job(change)])).draw());
    expect(await offered({ kind: "video" })).toEqual(["save-text-j1", "save-video-j1", "delete-j1"]);
    expect(await offered({ kind: "text" })).toEqual(["open-j1", "save-text-j1", "delete-j1"]);
    expect(await offered({ kind: "audio", status: "failed" })).toEqual([]);
  });

  test("that nobody has opened here are asked for again as they were ordered", async () => {
    const form = async (kind: string) => {
      const { act, did, draw, desk } = await viewOf([job()]);
      desk.order = async () => ({ ...ORDER, kind });
      await act(() => press(draw(), "open-j1"));
      return String(did.find((one) => one.startsWith("jobQueue.takeUp")));
    };
    expect(await form("audio")).toMatch(/"wanted":"both".*"range":"whole".*"captionSource":"none"/);
    expect(await form("text")).toMatch(/"wanted":"markers"/);
    expect(await form("audio")).toMatch(/"mediaId":"m1","isVerified":true.*"jobId":"j1","notices":\[\]/);
  });

  test("that there are none is shown and said", async () => {
    const { draw, said } = await viewOf([]);
    expect([textOf(draw()).trim(), said]).toEqual([expect.stringMatching(/\S/), [textOf(draw()).trim()]]);
  });

  describe("are saved", () => {
    const browser = madeBrowser();

    test("as the service made them: text as a file of the film's name, sound by its address; that is said", async () => {
      const { draw, act, said } = await viewOf([job()]);
      await act(() => press(draw(), "save-text-j1"));
      const [link] = browser.made;
      expect([link?.download, await browser.blobs.get(String(link?.href))?.text()]).toEqual(["harbour.srt", "words"]);
      await act(() => press(draw(), "save-sound-j1"));
      expect(browser.made[1]).toMatchObject({ href: "https://s.example/a", done: ["clicked", "removed"] });
      expect(said.slice(1)).toEqual(["Saved.", "Saved."]);
    });

    test("as long as they are there: of one that is gone nothing is saved, and that is told", async () => {
      const { draw, act, said, session } = await viewOf([job()]);
      await act(() => press(draw(), "save-text-j1"), 0);
      expect([browser.made, said.length, session.state.message?.isFault]).toEqual([[], 1, true]);
    });
  });
});
