import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Child } from "../../panel/document/element.ts";
import type { PanelState } from "../../panel/state/panel-state.ts";
import { words } from "../../panel/words/words.ts";
import { ServiceError } from "../../src/client/errors.ts";
import { SetClock, turns } from "../fakes/set-clock.ts";
import { buttonsOf, elementsOf, pageActions, press, textOf } from "./page-actions.ts";

/** What is used of the page's parts; they are of a browser, whose types these tests do without. */
type Deed = (...args: readonly unknown[]) => Promise<unknown>;
interface DeskModule {
  readonly Desk: new (key: string) => Readonly<Record<string, Deed>>;
}
interface ServiceModule {
  readonly ServiceView: new (desk: object, actions: object) => { draw(state: PanelState): readonly Child[] };
}
interface SessionModule {
  logIn(): Promise<{ readonly key: string } | null>;
  forgetSession(): void;
  keepPlace(place: object): void;
  keptPlace(): object | null;
}
interface WordsModule {
  spokenTime(seconds: number): string;
  speakOfFilms(): void;
}
const { Desk }: DeskModule = await import(String(new URL("../../page/desk.ts", import.meta.url)));
const { ServiceView }: ServiceModule = await import(String(new URL("../../page/service-view.ts", import.meta.url)));
const sessions: SessionModule = await import(String(new URL("../../page/session-key.ts", import.meta.url)));
const { spokenTime, speakOfFilms }: WordsModule = await import(
  String(new URL("../../page/page-words.ts", import.meta.url))
);

interface Asked {
  readonly address: string;
  readonly init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly redirect: string;
  };
}
let asked: Asked[];
let replies: (() => Response | Promise<Response>)[];
let clock: SetClock;
const said = (value: unknown, status = 200, headers = {}) => new Response(JSON.stringify(value), { status, headers });
const busy = (seconds: string) => said({ error: "internal_error", message: "Away." }, 503, { "retry-after": seconds });

beforeEach(() => {
  asked = [];
  replies = [];
  clock = new SetClock();
  vi.stubGlobal("fetch", async (address: string, init: Asked["init"]) => {
    asked.push({ address, init });
    return (replies.shift() ?? (() => said({})))();
  });
  vi.stubGlobal("setTimeout", (run: () => void, milliseconds: number) => void clock.sleep(milliseconds).then(run));
});
afterEach(() => void vi.unstubAllGlobals());

describe("what the service is asked by its page", () => {
  const requests = {
    jobs: [[], "GET", "/jobs"],
    order: [["a/b"], "GET", "/jobs/a%2Fb/order"],
    media: [["a/b"], "GET", "/media/a%2Fb"],
    state: [[], "GET", "/state"],
    newKey: [["Panel"], "POST", "/keys", '{"name":"Panel"}'],
    newPairingCode: [[], "POST", "/pairing-codes"],
    withdrawKey: [["a/b"], "DELETE", "/keys/a%2Fb"],
    log: [[], "GET", "/log"],
    examine: [[], "POST", "/examine"],
    backUp: [[], "POST", "/backup"],
    readText: [["kept/a.txt"], "GET", "/texts/kept/a.txt"],
    keepText: [["kept/a.txt", "words"], "PUT", "/texts/kept/a.txt", "words"],
    removeText: [["kept/a.txt"], "DELETE", "/texts/kept/a.txt"],
  } as const;
  const names = Object.keys(requests) as (keyof typeof requests)[];

  test.each(names)(
    "%s goes with the key, to this service alone, and is over when the service has answered",
    async (name) => {
      const [args, method, path, body] = requests[name];
      const answer = Promise.withResolvers<Response>();
      replies = [() => answer.promise];
      let isOver = false;
      const done = new Desk("aside_key")[name]?.(...args).then(() => {
        isOver = true;
      });
      await turns();
      expect(isOver).toBe(false);
      answer.resolve(said({}));
      await done;
      expect(asked).toHaveLength(1);
      expect(asked[0]?.address.endsWith(`/desk${path}`)).toBe(true);
      expect(asked[0]?.init).toMatchObject({ method, redirect: "error", ...(body === undefined ? {} : { body }) });
      expect(Object.values(asked[0]?.init.headers ?? {})).toContain("aside_key");
    },
  );

  test.each(names)("%s raises what the service says, and a line that is broken as such", async (name) => {
    const [args] = requests[name];
    replies = [
      () => said({ error: "not_found", message: "Gone." }, 404),
      () => Promise.reject(new TypeError("no line")),
    ];
    const desk = new Desk("k");
    await expect(desk[name]?.(...args)).rejects.toMatchObject({ code: "not_found", message: "Gone.", status: 404 });
    await expect(desk[name]?.(...args)).rejects.toMatchObject({ code: "connection_failed" });
    replies = [() => said({ error: "invented" }, 500)];
    await expect(desk[name]?.(...args)).rejects.toMatchObject({ code: "internal_error" });
  });

  test.each(names)("%s waits as long as a service that is away says, and makes nothing twice", async (name) => {
    const [args, method] = requests[name];
    replies = [() => busy("3"), () => busy("2"), () => said({})];
    const done = new Desk("k")[name]?.(...args).then(
      () => "done",
      (error: unknown) => (error instanceof ServiceError ? error.code : "?"),
    );
    await clock.pass(2999);
    expect(asked).toHaveLength(1);
    await clock.pass(2001);
    expect(asked).toHaveLength(method === "POST" ? 1 : 3);
    expect(await done).toBe(method === "POST" ? "internal_error" : "done");
  });

  test("one that stays away is waited for half a minute of seconds, and one that says no time is not", async () => {
    replies = Array.from({ length: 99 }, () => () => busy("1"));
    const done = new Desk("k")["jobs"]?.().catch((error: unknown) => error);
    await clock.pass(60_000);
    expect(await done).toBeInstanceOf(ServiceError);
    expect(asked).toHaveLength(31);
    replies = [() => busy("")];
    await expect(new Desk("k")["jobs"]?.()).rejects.toBeInstanceOf(ServiceError);
    expect(asked).toHaveLength(32);
  });
});

describe("who is logged in", () => {
  let kept: Map<string, string>;
  let replaced: string[];
  beforeEach(() => {
    kept = new Map();
    replaced = [];
    vi.stubGlobal("location", { hash: "", pathname: "/home" });
    vi.stubGlobal("history", { replaceState: (_: null, __: string, path: string) => void replaced.push(path) });
    vi.stubGlobal("sessionStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    });
  });
  const byLink = () => {
    vi.stubGlobal("location", { hash: "#secret", pathname: "/home" });
    return sessions.logIn();
  };

  test("has the secret taken out of the address before anything else, and stays logged in while the window is open", async () => {
    expect(await sessions.logIn()).toBeNull();
    replies = [() => { expect(replaced).toEqual(["/home"]); return said({ key: "k", team: "t" }); }]; // biome-ignore format: one reply
    expect(await byLink()).toEqual({ key: "k", team: "t" });
    expect(asked[0]?.init).toMatchObject({ method: "POST", body: '{"token":"secret"}', redirect: "error" });
    vi.stubGlobal("location", { hash: "", pathname: "/home" });
    expect(await sessions.logIn()).toEqual({ key: "k", team: "t" });
    expect(asked).toHaveLength(1);
    // A link that was used before.
    replies = [() => said({ message: "Used." }, 401)];
    expect(await byLink()).toEqual({ key: "k", team: "t" });
    sessions.keepPlace({ view: "review", runId: "a" });
    expect(sessions.keptPlace()).toEqual({ view: "review", runId: "a" });
    sessions.forgetSession();
    expect([kept.size, sessions.keptPlace()]).toEqual([0, null]);
    replies = [() => said({ message: "Used." }, 401)];
    await expect(byLink()).rejects.toMatchObject({ code: "unauthorized", message: "Used." });
  });
});

describe("the service on its page", () => {
  const KEPT = {
    version: "1.0.0",
    new_version: null,
    media: { count: 1, bytes: 1 },
    results: { count: 1, bytes: 1 },
    free_bytes: 1,
    retention: { media_days: 1, result_days: null },
    keys: [
      { id: "key_1", name: "Panel", is_administrator: false },
      { id: "key_2", name: "", is_administrator: true },
    ],
  };

  /** The view, looked at; every part of it open. */
  async function view() {
    const page = pageActions();
    const asks: string[] = [];
    const tell =
      (what: string, answer: unknown) =>
      async (...args: readonly unknown[]) => {
        asks.push([what, ...args].join(" "));
        return answer;
      };
    const desk = page.ports.wrap({
      state: tell("state", KEPT),
      newKey: tell("newKey", { key: "aside_secret" }),
      newPairingCode: tell("newPairingCode", { code: "123456", expires_seconds: 120 }),
      withdrawKey: tell("withdrawKey", undefined),
      log: tell("log", { lines: ["one", "two"] }),
      examine: tell("examine", {
        findings: [
          { name: "disk", state: "good", detail: "fine" },
          { name: "voice", state: "bad", detail: "silent" },
          { name: "model", state: "warning", detail: "slow" },
        ],
      }),
      backUp: tell("backUp", { objects: 7, bytes: 1000, folder: "/backups/a" }),
    });
    const shown = new ServiceView(desk, page.actions);
    const draw = () => shown.draw(page.session.state);
    const parts = ["disk", "keys", "health", "backup", "log"].map((id) => `service-${id}`);
    page.session.store.set({ openSections: parts });
    await page.act(draw);
    return { ...page, asks, draw };
  }

  test("is asked what it keeps when it first comes into sight, and again after each change; that failing is told", async () => {
    const { asks, draw, act, session } = await view();
    expect([asks, buttonsOf(draw())]).toEqual([
      ["state"],
      expect.arrayContaining(["withdraw-key_1", "withdraw-key_2"]),
    ]);
    for (const id of ["withdraw-key_2", "show-log", "pairing-code"]) {
      asks.length = 0;
      await act(() => press(draw(), id));
      expect([asks.length, asks.at(-1)]).toEqual([2, "state"]);
      session.store.set({ message: null });
      await act(() => press(draw(), id), 1);
      expect(session.state.message?.isFault, id).toBe(true);
    }
  });

  test("a key is withdrawn before that is said, and not said where it fails", async () => {
    const { asks, draw, act, said: told, session } = await view();
    await act(() => press(draw(), "withdraw-key_1"), 0);
    expect([told, session.state.message?.isFault]).toEqual([[], true]);
    await act(() => press(draw(), "withdraw-key_1"));
    expect([asks.filter((one) => one.startsWith("withdraw")), told.length]).toEqual([
      ["withdrawKey key_1", "withdrawKey key_1"],
      1,
    ]);
    expect(told[0]).toContain("Panel");
  });

  test("a key is made for a name, shown and never said aloud", async () => {
    const { asks, draw, act, said: told } = await view();
    expect(() => press(draw(), "make-key")).toThrow("no button");
    const field = elementsOf(draw()).find(({ properties }) => properties["id"] === "key-name");
    const type = field?.properties["oninput"];
    if (typeof type === "function")
      type({ target: { value: " Panel " }, currentTarget: { value: " Panel " } } as never);
    await act(() => press(draw(), "make-key"));
    expect(asks).toContain("newKey Panel");
    expect([textOf(draw()).includes("aside_secret"), told.join().includes("aside_secret")]).toEqual([true, false]);
  });

  test("a code for a panel is shown as long as it counts", async () => {
    const { draw, act } = await view();
    await act(() => press(draw(), "pairing-code"));
    await clock.pass(119_999);
    expect(textOf(draw())).toContain("123 456");
    await clock.pass(1);
    expect(textOf(draw())).not.toContain("123 456");
  });

  test("what is asked for long is said as it begins and ends, cannot be asked twice, and is there again where it failed", async () => {
    for (const [id, end] of [
      ["examine", /voice.*model/s],
      ["back-up", /7.*\/backups\/a/s],
    ] as const) {
      // biome-ignore format: two
      const { draw, act, said: told, session } = await view();
      let meanwhile: readonly string[] = [];
      await act(async () => {
        press(draw(), id);
        meanwhile = buttonsOf(draw());
        expect(() => press(draw(), id)).toThrow("no button");
      });
      expect(meanwhile).toContain(id);
      expect([told.length, told[1], textOf(draw())]).toEqual([
        2,
        expect.stringMatching(end),
        expect.stringMatching(end),
      ]);
      await act(() => press(draw(), id), 0);
      expect([session.state.message?.isFault, told.length]).toEqual([true, 3]);
      // It can be asked again.
      await act(() => press(draw(), id));
      expect(told).toHaveLength(5);
    }
  });
});

test("a time in a film is spoken in hours, minutes and seconds, of which none is lost", () => {
  const units = { hour: 3600, minute: 60, second: 1 };
  fc.assert(
    fc.property(fc.nat(20_000), (seconds) => {
      const counted = [...spokenTime(seconds).matchAll(/(\d+) (hour|minute|second)s?/g)].map(([, count, unit]) => {
        expect(Number(count) < 60 || unit === "hour").toBe(true);
        return Number(count) * units[unit as keyof typeof units];
      });
      expect(counted.reduce((sum, one) => sum + one, 0)).toBe(seconds);
    }),
  );
});

test("every key of the panel's script is told on the page too, and that P plays the film", () => {
  const kept = { ...words };
  const { keyMap } = words;
  try {
    speakOfFilms();
    expect(words.keyMap.map(([keys]) => keys)).toEqual(keyMap.map(([keys]) => keys));
    const differing = words.keyMap.filter(([, what], index) => what !== keyMap[index]?.[1]);
    expect(differing).toEqual([["P", expect.stringContaining("film")]]);
  } finally {
    Object.assign(words, kept);
  }
});
