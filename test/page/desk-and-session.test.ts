import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { words } from "../../panel/words/words.ts";
import { ServiceError } from "../../src/client/errors.ts";
import { SetClock, turns } from "../fakes/set-clock.ts";

/** What is used of the page's parts; they are of a browser, whose types these tests do without. */
type Deed = (...args: readonly unknown[]) => Promise<unknown>;
interface DeskModule {
  readonly Desk: new (key: string) => Readonly<Record<string, Deed>>;
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
      const type = { newKey: "application/json", keepText: "text/plain; charset=utf-8" }[name as string];
      expect(asked[0]?.init.headers["content-type"]).toBe(type);
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
    await expect(desk[name]?.(...args)).rejects.toMatchObject({ code: "connection_failed", mayHaveArrived: true });
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
    const json = { "content-type": "application/json" };
    expect(asked[0]?.address).toBe("/home/log-in");
    expect(asked[0]?.init).toEqual({ method: "POST", headers: json, body: '{"token":"secret"}', redirect: "error" });
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
    await expect(byLink()).rejects.toMatchObject({ code: "unauthorized", message: "Used.", status: 401 });
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
