import { describe, expect, test } from "vitest";
import { ServiceConnection } from "../../../panel/session/connection.ts";
import type { PanelEnvironment, ServiceClient } from "../../../panel/session/environment.ts";
import { hasRecord, keepRecord, loadRecord, voiceFilesBeside } from "../../../panel/session/kept-record.ts";
import { runsOf } from "../../../panel/session/library.ts";
import { type Session, Store } from "../../../panel/session/session.ts";
import { HostError } from "../../../src/host/host-error.ts";
import type { RunRecord } from "../../../src/workflow/describe/recovery.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { madeTimeline } from "../../made-timeline.ts";
import { HeldPorts } from "../held-ports.ts";
import { jobEntry, type SessionInMemory, sessionInMemory, TextFiles } from "../session-in-memory.ts";

const ADDRESS = "https://api.example.com";
const NAME = "key api.example.com";

/** What a session keeps, and the ports that a test holds back. */
interface HeldSession extends SessionInMemory {
  readonly ports: HeldPorts;
  readonly secrets: Map<string, string>;
  /** What each service was asked with, in order. */
  readonly asked: string[];
}

/** A session at a service elsewhere all of whose ports are slow. */
function heldSession(
  more: Partial<PanelEnvironment> = {},
  { findCompanion = async () => null }: Partial<Pick<PanelEnvironment, "findCompanion">> = {},
): HeldSession {
  const ports = new HeldPorts();
  const files = new TextFiles();
  const secrets = new Map<string, string>();
  const asked: string[] = [];
  const kept = {
    load: async (name: string) => secrets.get(name) ?? null,
    save: async (name: string, secret: string) => void secrets.set(name, secret),
    forget: async (name: string) => void secrets.delete(name),
  };
  const connect = ({ address, key }: { readonly address: string; readonly key: string }) => {
    const client = {
      getResults: async () => void asked.push(`${address} ${key}`),
      pair: async (code: string) => `own-key-for-${code}`,
    };
    return ports.wrap(client) as unknown as ServiceClient;
  };
  const members = {
    files: ports.wrap(files) as unknown as PanelEnvironment["files"],
    secrets: ports.wrap(kept),
    connect,
    findCompanion: () => ports.wrap({ findCompanion }).findCompanion(),
    ...more,
  };
  const made = sessionInMemory(members, files);
  made.session.store.set({ service: { address: ADDRESS }, addressDraft: ADDRESS });
  return { ...made, files, ports, secrets, asked };
}

const RESULT = placedResult([{ id: "a", start: 1, end: 2, text: "Rain." }]);
const RUN = { version: 1, runId: "run-9" } as unknown as RunRecord;
const PAST = [{ action: "accepted" as const, accepted: { at: 0, gone: [], come: ["a"] } }];

/** Everything that a library keeps, and how it is kept. */
const SAVES: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  preferences: ({ library }) => library.savePreferences({ service: { address: ADDRESS } } as never),
  "a job": ({ library }) => library.saveJob(jobEntry()),
  "a result": ({ library }) => library.saveResult(RESULT),
  "a review": ({ library }) => library.saveReview({ result: RESULT, past: PAST, future: [] }),
  "a text": ({ library }) => library.saveText("a.txt", "words"),
  "a run": ({ library }) => library.recovery.save(RUN),
  "a change of a job": async (session) => {
    session.store.set({ jobs: [jobEntry({ runId: "other" }), jobEntry()] });
    await session.changeJob("run-1", { state: "failed" });
  },
};

describe("what is kept", () => {
  test.each(Object.entries(SAVES))(
    "%s: is on the disk when it is said to be, and a disk that is full is told of",
    async (_, save) => {
      const { session, files, ports } = heldSession();
      expect(await ports.settlesLast(() => save(session))).toBeNull();
      const there = [...files.texts];
      expect(there.length).toBeGreaterThan(0);
      for (const [path, text] of there)
        expect([path.startsWith("/panel/"), text.startsWith("/panel/")]).toEqual([true, false]);
      for (let index = 0; index < ports.calls.length; index++) {
        const again = heldSession();
        expect(await again.ports.settlesLast(() => save(again.session), index), String(index)).toBeInstanceOf(Error);
      }
    },
  );

  test("is read back as it was kept", async () => {
    const { session, ports } = heldSession();
    const { library } = session;
    const job = jobEntry({ runId: "r2", startedAt: "2026-01-02T00:00:00.000Z" });
    await ports.settlesLast(async () => {
      await library.saveJob(jobEntry());
      await library.saveJob(job);
      await library.saveReview({ result: RESULT, past: PAST, future: [] });
      await library.recovery.save(RUN);
      await library.saveText("a.txt", "words");
    });
    let read: unknown;
    await ports.settlesLast(async () => {
      const [jobs, result] = [await library.loadJobs(), await library.loadResult("run-1")];
      const history = result === null ? null : await library.loadHistory(result);
      read = [jobs, result, history?.past, await library.recovery.load("run-9"), await library.loadText("a.txt")];
    });
    expect(read).toEqual([[job, jobEntry()], RESULT, PAST, RUN, "words"]);
  });

  test("goes with its job, all of it before that is said, whatever of it cannot go", async () => {
    const job = jobEntry({
      rawPath: "/panel/results/raw",
      videos: ["v1", "v2"],
      adds: { stretches: [{}, {}] } as never,
    });
    expect(runsOf(job)).toHaveLength(2);
    const filled = () => {
      const held = heldSession();
      const runs = [...runsOf(job), "v1", "v2"].map((runId) => `/panel/runs/${runId}.json`);
      const own = ["job", "result", "history", "review"].map((kind) => `/panel/results/run-1.${kind}.json`);
      for (const path of [...runs, ...own, "/panel/results/raw", job.audioPath]) held.files.texts.set(path, "x");
      return held;
    };
    const whole = filled();
    expect(await whole.ports.settlesLast(() => whole.session.library.removeJob(job, true))).toBeNull();
    expect([...whole.files.texts.keys()]).toEqual([]);
    for (let index = 0; index < whole.ports.calls.length; index++) {
      const { ports, session } = filled();
      expect(await ports.settlesLast(() => session.library.removeJob(job, true), index)).toBeInstanceOf(Error);
    }
  });
});

describe("a key", () => {
  test("is kept before it is said to be, for its own service, and the field is empty then", async () => {
    const { session, ports, secrets } = heldSession();
    session.store.set({ keyDraft: " aside_0123456789abcd " });
    await ports.settlesLast(() => new ServiceConnection(session).keepKey());
    expect([...secrets]).toEqual([[NAME, "aside_0123456789abcd"]]);
    expect([session.state.keyDraft, session.state.shownKey]).toEqual(["", "••••••••abcd"]);
    const full = heldSession();
    full.session.store.set({ keyDraft: "aside_0123456789abcd" });
    expect(await full.ports.settlesLast(() => new ServiceConnection(full.session).keepKey(), 0)).toBeInstanceOf(Error);
    // Nothing is said to be kept that is not, and what was typed is not lost.
    expect([full.session.state.keyDraft, full.session.state.shownKey]).toEqual(["aside_0123456789abcd", null]);
  });

  test("is forgotten before it is said to be; where that fails, it is still shown", async () => {
    const { session, ports, secrets } = heldSession();
    secrets.set(NAME, "aside_x");
    session.store.set({ shownKey: "••••" });
    await ports.settlesLast(() => new ServiceConnection(session).forgetKey());
    expect([secrets.size, session.state.shownKey]).toEqual([0, null]);
    const kept = heldSession();
    kept.session.store.set({ shownKey: "••••" });
    expect(await kept.ports.settlesLast(() => new ServiceConnection(kept.session).forgetKey(), 0)).toBeInstanceOf(
      Error,
    );
    expect(kept.session.state.shownKey).toBe("••••");
  });

  test("that came of a code is kept, and is the one that the service is tried with", async () => {
    const { session, ports, secrets, asked } = heldSession();
    session.store.set({ codeDraft: "123456" });
    await ports.settlesLast(() => new ServiceConnection(session).pair());
    expect([...secrets]).toEqual([[NAME, "own-key-for-123456"]]);
    expect(asked).toEqual([`${ADDRESS} own-key-for-123456`]);
    expect(session.state).toMatchObject({ codeDraft: "", shownKey: "••••••••3456", connection: { state: "works" } });
    const full = heldSession();
    full.session.store.set({ codeDraft: "123456" });
    const saving = ports.calls.indexOf("save");
    expect(await full.ports.settlesLast(() => new ServiceConnection(full.session).pair(), saving)).toBeInstanceOf(
      Error,
    );
    expect([full.session.state.shownKey, full.asked]).toEqual([null, []]);
  });

  test("in the field is kept before the service is tried with it, and what fails is told", async () => {
    const { session, ports, asked } = heldSession();
    session.store.set({ keyDraft: "aside_0123456789abcd" });
    await ports.settlesLast(() => new ServiceConnection(session).test());
    expect([asked, session.state.connection.state]).toEqual([[`${ADDRESS} aside_0123456789abcd`], "works"]);
    const slow = heldSession();
    slow.session.store.set({ keyDraft: "aside_0123456789abcd" });
    await slow.ports.settlesLast(() => new ServiceConnection(slow.session).test(), -1, "newest first");
    expect([slow.asked, slow.session.state.connection.state]).toEqual([asked, "works"]);
    const silent = heldSession();
    silent.session.store.set({ keyDraft: "aside_0123456789abcd" });
    await silent.ports.settlesLast(
      () => new ServiceConnection(silent.session).test(),
      ports.calls.indexOf("getResults"),
    );
    expect(silent.session.state.connection.state).toBe("fails");
  });

  test("is that of Aside on this computer, at the port where it listens now, before it is tried", async () => {
    const companion = { address: "http://127.0.0.1:9000", key: "its-own-key", version: "1.0.0", pid: 1 };
    const { session, ports, asked } = heldSession({}, { findCompanion: async () => companion });
    session.store.set({ service: { address: "http://127.0.0.1:8420" } });
    await ports.settlesLast(() => new ServiceConnection(session).test());
    expect(asked).toEqual(["http://127.0.0.1:9000 its-own-key"]);
  });

  test("of an address that is taken up is shown once that is done", async () => {
    const { session, ports, secrets } = heldSession();
    secrets.set("key other.example.com", "aside_0123456789wxyz");
    await ports.settlesLast(() => new ServiceConnection(session).useAddress(" https://other.example.com/ "));
    expect(session.state).toMatchObject({
      service: { address: "https://other.example.com" },
      shownKey: "••••••••wxyz",
    });
  });
});

describe("Aside is started on this computer", () => {
  test("it is looked for twice a second, taken up when it is there, and given up on after half a minute", async () => {
    let looks = 0;
    let comesAt = 5;
    const companion = { address: "http://127.0.0.1:9000", key: "k", version: "1.0.0" };
    const environment = {
      startCompanion: async () => true,
      findCompanion: async () => (++looks > comesAt ? companion : null),
      secrets: { load: async () => null, save: async () => undefined, forget: async () => undefined },
    } as unknown as Partial<PanelEnvironment>;
    const { session, clock } = sessionInMemory(environment);
    const started = new ServiceConnection(session).start();
    await clock.pass(500 * comesAt);
    expect([looks, session.state.companion]).toEqual([comesAt, null]);
    await clock.pass(500);
    await started;
    expect(session.state).toMatchObject({
      companion: { address: companion.address },
      service: { address: companion.address },
    });
    expect(session.state.message).toBeNull();
    looks = 0;
    comesAt = 1000;
    const begun = clock.now();
    const vain = new ServiceConnection(session).start();
    await clock.pass(29_500);
    expect(session.state.message).toBeNull();
    await clock.pass(600);
    await vain;
    expect([session.state.message?.isFault, looks, clock.now() - begun]).toEqual([true, 60, 30_100]);
  });
});

describe("the record of a sequence", () => {
  /** A session over an editor that keeps notes, both slow. */
  const held = () => {
    const notes = new Map<string, string>();
    const editor = {
      readNote: async (sequenceId: string, name: string) => notes.get(`${sequenceId} ${name}`) ?? null,
      writeNote: async (sequenceId: string, { name, text }: { readonly name: string; readonly text: string }) =>
        void notes.set(`${sequenceId} ${name}`, text),
    };
    // One after the other: both are of one session.
    const made: { session?: HeldSession } = {};
    const late = new Proxy({}, { get: (_, name) => Reflect.get(made.session?.ports.wrap(editor) ?? editor, name) });
    made.session = heldSession({ editor: late as PanelEnvironment["editor"] });
    return { ...made.session, notes };
  };

  test("is in the project and beside it before it is said to be kept; whichever of the two fails is told of", async () => {
    const { session, ports, notes, files } = held();
    expect(await ports.settlesLast(() => keepRecord(session, RESULT))).toBeNull();
    expect([notes.size, files.texts.size]).toEqual([1, 1]);
    for (let index = 0; index < ports.calls.length; index++) {
      const again = held();
      expect(await again.ports.settlesLast(() => keepRecord(again.session, RESULT), index)).toBeInstanceOf(Error);
    }
  });

  test.each(["in the project", "beside it"])("that lies %s alone is found and read", async (place) => {
    const { session, ports, notes, files } = held();
    await ports.settlesLast(() => keepRecord(session, RESULT));
    if (place === "beside it") notes.clear();
    else files.texts.clear();
    let found: unknown;
    await ports.settlesLast(async () => {
      const { record } = await loadRecord(session, "s1", madeTimeline([]));
      found = [await hasRecord(session, "s1"), await hasRecord(session, "s2"), record?.runId];
    });
    expect(found).toEqual([true, false, RESULT.runId]);
  });
});

test("the folder of a narration's voices is there before a path in it is given", async () => {
  const made: string[] = [];
  const ports = new HeldPorts();
  const files = ports.wrap({
    makeFolder: async (path: string) => void made.push(path),
  }) as unknown as PanelEnvironment["files"];
  const beside = { files, pathIn: (folder: string, name: string) => `${folder}/${name}` };
  let path = "";
  const work = async () => {
    path = (await voiceFilesBeside(beside, "/films/harbour.v2.wav"))("a.wav");
  };
  expect(await ports.settlesLast(work)).toBeNull();
  expect([made, path]).toEqual([["/films/harbour.v2"], "/films/harbour.v2/a.wav"]);
  expect(await ports.settlesLast(work, 0)).toBeInstanceOf(Error);
});

test("whoever listens to a state is given what it is, and what it was", () => {
  const told: unknown[] = [];
  const store = new Store({ count: 0 }, (now, before) => void told.push([before.count, now.count]));
  store.set({ count: 1 });
  store.update((state) => state);
  store.update(({ count }) => ({ count: count + 2 }));
  expect(told).toEqual([[0, 1], [1, 3]]); // biome-ignore format: one line
});

test("what was tried of the host is told whole, but for what the sentence says already", () => {
  const tried = ["moved: no", "said before", "copied: no", "asked: nothing"];
  const { session } = sessionInMemory();
  const context = { operation: "place", state: "nothing was changed", tried };
  session.fail(new HostError("apply_failed", "It was said before.", context));
  expect(session.state.message?.details).toEqual(["moved: no", "copied: no", "asked: nothing"]);
  expect(session.state.message?.remedies).toContain("copy-report");
});

test("a session begins at the time of its clock", () => {
  const { session, clock } = sessionInMemory();
  expect(session.state.now).toBe(clock.now());
});
