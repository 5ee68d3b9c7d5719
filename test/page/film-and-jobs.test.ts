import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Child } from "../../panel/document/element.ts";
import type { PanelState } from "../../panel/state/panel-state.ts";
import type { DeskJob, DeskMedia } from "../../src/contract/page.ts";
import type { Editor } from "../../src/host/editor.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { turns } from "../fakes/set-clock.ts";
import { HeldPorts } from "../panel/held-ports.ts";
import { jobEntry, TextFiles } from "../panel/session-in-memory.ts";
import { buttonsOf, elementsOf, type PageActions, pageActions, press, textOf } from "./page-actions.ts";

/** What is used of the page's parts; they are of a browser, whose types these tests do without. */
interface FilmEditorModule {
  readonly FilmEditor: new (
    parts: object,
  ) => Editor & {
    load(): Promise<void>;
    open(mediaId: string): Promise<void>;
    takeUp(mediaId: string): Promise<void>;
    choose(file: object, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<void>;
    sentMedia(id: string): Promise<{ readonly exported: object; readonly media: object } | null>;
  };
}
interface JobsModule {
  readonly JobsView: new (parts: object, actions: object) => { draw(state: PanelState): readonly Child[] };
}
interface RoomModule {
  readonly ReviewRoom: new (
    desk: object,
    review: object,
    actions: object,
  ) => {
    elsewhere(state: PanelState): readonly Child[];
    header(state: PanelState, logOut: () => void): Child;
  };
}
const { FilmEditor }: FilmEditorModule = await import(String(new URL("../../page/film-editor.ts", import.meta.url)));
const { JobsView }: JobsModule = await import(String(new URL("../../page/jobs-view.ts", import.meta.url)));
const { ReviewRoom }: RoomModule = await import(String(new URL("../../page/review-room.ts", import.meta.url)));

const MEDIA: DeskMedia = {
  file_name: "harbour.mp4",
  content_type: "video/mp4",
  duration_seconds: 60,
  frame_rate: 24,
  size_bytes: 1000,
} as DeskMedia;

const ORDER = { kind: "audio", track: "mixed", settings: { language: "de-DE", captions: "secret", script: "secret" } };

/** The service's side of the page: what it was asked is told in order. */
function deskOf(jobs: readonly DeskJob[] = []) {
  const asked: string[] = [];
  const state = { jobs };
  const desk = {
    jobs: async () => state.jobs,
    order: async (jobId: string) => {
      asked.push(`order ${jobId}`);
      return ORDER;
    },
    media: async (mediaId: string) => {
      asked.push(`media ${mediaId}`);
      return { ...MEDIA, file_name: `${mediaId}.mp4` };
    },
  };
  return { desk, asked, state };
}

const CURRENT = "kept/film.json";

describe("the film of the page", () => {
  /** What choosing a film takes, all of it slow. */
  function filmEditor(files = new TextFiles(), more: { readonly client?: object } = {}) {
    const { desk, asked } = deskOf();
    const ports = new HeldPorts();
    const films = new Map<string, unknown>();
    const moved: number[] = [];
    const kept = ports.wrap(files);
    const parts = {
      desk: ports.wrap(desk),
      files: Object.assign(Object.create(kept), {
        size: (path: string) => kept.size(path),
        readText: (path: string) => kept.readText(path),
        writeText: (path: string, text: string) => kept.writeText(path, text),
        addFilm: (path: string, film: unknown) => void films.set(path, film),
      }),
      playhead: { time: 12.5, seek: (seconds: number) => void moved.push(seconds) },
      clock: { now: () => 0, sleep: async () => undefined },
      transfer: {
        upload: async (request: { readonly onProgress?: (progress: object) => void }) => {
          request.onProgress?.({ doneBytes: 500, totalBytes: 1000 });
          return { status: 200, headers: {}, body: "" };
        },
      },
      client: {
        requestSignedUpload: async () => ({
          mediaId: "sent",
          storagePath: "s",
          signedUrl: "https://s.example",
          headers: {},
        }),
        notifyUploadComplete: async () => undefined,
        getUploadStatus: async () => ({ outcome: "ready", mediaId: "m9", durationSeconds: 60, frameRate: 24 }),
        ...more.client,
      },
    };
    return { editor: new FilmEditor(parts), ports, asked, films, moved, files };
  }

  test("is what the service says of it; it is there the next time as soon as it is said to be taken up", async () => {
    const { editor, ports, asked, files } = filmEditor();
    const heard: string[] = [];
    let others = 0;
    const ends = editor.watch(() => void heard.push([...files.texts.keys()].join()));
    editor.watch(() => {
      others += 1;
    });
    expect(await ports.settlesLast(() => editor.takeUp("m1"))).toBeNull();
    // Told once it is kept, to whoever watches; asked again only for another one.
    expect([heard, others]).toEqual([[CURRENT], 1]);
    await ports.settlesLast(() => editor.takeUp("m1"));
    expect(asked).toEqual(["media m1"]);
    const film = { id: "m1", name: "m1", durationSeconds: 60, startFrame: 0, isDropFrame: false };
    expect(await editor.readSequence()).toMatchObject({ ...film, rate: { numerator: 24 } });
    expect(await editor.readTimeline()).toMatchObject({ name: "m1", tracks: [], markers: [] });
    const again = filmEditor(files);
    await again.ports.settlesLast(() => again.editor.load());
    expect(await again.editor.readSequence()).toEqual(await editor.readSequence());
    expect(again.asked).toEqual([]);
    ends();
    await ports.settlesLast(() => editor.takeUp("m2"));
    expect(heard).toEqual([CURRENT]);
    const full = filmEditor();
    expect(await full.ports.settlesLast(() => full.editor.takeUp("m1"), 1)).toBeInstanceOf(Error);
  });

  test("is opened for a reviewer without being kept; runs of it begin with what the service has, and of no other", async () => {
    const { editor, ports, files } = filmEditor();
    await ports.settlesLast(() => editor.load());
    await expect(editor.readSequence()).rejects.toMatchObject({ code: "no_sequence" });
    await expect(editor.exportSequence({} as never, {} as never)).rejects.toMatchObject({ code: "no_sequence" });
    expect(await editor.sentMedia("m1")).toBeNull();
    await ports.settlesLast(() => editor.open("m1"));
    expect([files.texts.size, await editor.sentMedia("m2")]).toEqual([0, null]);
    const exported = { path: "films/m1", sizeBytes: 1000, durationSeconds: 60, contentType: "video/mp4" };
    expect(await editor.sentMedia("m1")).toMatchObject({ exported, media: { mediaId: "m1", isVerified: true } });
    expect(await editor.exportSequence({} as never, {} as never)).toMatchObject(exported);
  });

  test("is sent, checked and kept before it is said to be there; whatever of that fails is told", async () => {
    const file = { name: "harbour.mp4", size: 1000, type: "" };
    const choose = async (made: ReturnType<typeof filmEditor>, failing?: number) => {
      const shares: number[] = [];
      const signal = new AbortController().signal;
      const work = () => made.editor.choose(file, signal, (share) => void shares.push(share));
      return { error: await made.ports.settlesLast(work, failing), shares };
    };
    const made = filmEditor();
    expect(await choose(made)).toEqual({ error: null, shares: [0.5] });
    expect([...made.films.keys()]).toEqual(["films/harbour.mp4", "films/m9"]);
    expect([made.asked, JSON.parse(made.files.texts.get(CURRENT) ?? "").mediaId]).toEqual([["media m9"], "m9"]);
    for (let index = 0; index < made.ports.calls.length; index++) {
      expect((await choose(filmEditor(), index)).error).toBeInstanceOf(Error);
    }
    const getUploadStatus = async () => ({ outcome: "failed", code: "unreadable", message: "No film." });
    const bad = filmEditor(undefined, { client: { getUploadStatus } });
    expect((await choose(bad)).error).toMatchObject({ code: "upload_failed", message: "No film." });
    expect(bad.files.texts.size).toBe(0);
  });

  test("has no timeline: the playhead is that of the player, and what would place is refused", async () => {
    const { editor, moved } = filmEditor();
    await editor.movePlayhead("m1", 3.25);
    expect([await editor.playhead("m1"), moved]).toEqual([12.5, [3.25]]);
    await expect(editor.apply({} as never, {} as never)).rejects.toMatchObject({ code: "apply_failed" });
  });
});

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
    return { ...page, asked, state, draw };
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
});

describe("the page of a link for a review", () => {
  const LINK = { job_id: "j1", media_id: "m1", run_id: "run-1", expires_at: "2026-03-04T00:00:00Z" };
  let page: PageActions;
  let asked: readonly string[];
  let room: InstanceType<RoomModule["ReviewRoom"]>;

  function enter(members: Parameters<typeof pageActions>[0] = {}): void {
    page = pageActions(members);
    const { desk, asked: told } = deskOf();
    asked = told;
    room = new ReviewRoom(page.ports.wrap(desk), LINK, page.actions);
  }
  beforeEach(() => enter());
  const open = () => page.act(() => room.elsewhere(page.session.state));

  test("opens its film once, with what was asked for, under the run that the link names", async () => {
    await open();
    expect(asked).toEqual(["order j1", "media m1"]);
    expect(page.did).toHaveLength(1);
    expect(page.did[0]).toMatch(/^jobQueue.takeUp .*"runId":"run-1".*"isVerified":true.*"jobId":"j1"/);
    await open();
    expect(page.did).toHaveLength(1);
  });

  test.each([
    ["failed", [`jobQueue.resume ["run-1"]`]],
    ["stopped", [`jobQueue.resume ["run-1"]`]],
    // It goes on by itself.
    ["running", []],
    ["waiting", []],
  ] as const)("goes on with a run that is %s, among those of other films", async (state, wanted) => {
    page.session.store.set({ jobs: [jobEntry({ runId: "other" }), jobEntry({ state })] });
    await open();
    expect([page.did, asked]).toEqual([wanted, []]);
  });

  test("tells where a run that failed cannot go on", async () => {
    page.session.store.set({ jobs: [jobEntry({ state: "failed" })] });
    await page.act(() => room.elsewhere(page.session.state), 0);
    expect(page.session.state.message?.isFault).toBe(true);
  });

  test.each([
    [true, `reviewController.open ["run-1"]`],
    [false, `jobQueue.fetchAgain ["run-1"]`],
  ])("opens a script that was read here as it was left; its sound is there: %s", async (isThere, wanted) => {
    const files = new TextFiles();
    enter({ files: files as never });
    const { session } = page;
    const job = jobEntry();
    await session.library.saveResult(placedResult([], { audio: { path: job.audioPath, durationSeconds: 9 } as never }));
    if (isThere) files.texts.set(job.audioPath, "x");
    session.store.set({ jobs: [jobEntry({ runId: "other" }), job] });
    await open();
    expect(page.did).toEqual([wanted]);
  });

  test("leads back to the script, says until when it can be reviewed, and lets whoever reads log out", () => {
    const { session } = page;
    expect(buttonsOf(room.elsewhere(session.state))).toEqual([]);
    session.store.set({ review: {} as never });
    void press(room.elsewhere(session.state), "to-review");
    expect(page.did).toContain(`panelController.go ["review"]`);
    const logOut = vi.fn();
    onTestFinished(() => void logOut.mockReset());
    const header = room.header(session.state, logOut);
    expect(textOf(header)).toContain("2026-03-04");
    press(header, "log-out");
    expect(logOut).toHaveBeenCalledOnce();
  });
});
