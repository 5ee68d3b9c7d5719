import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
// The page is loaded anew by each test; what it is made of, once.
import "../../panel/start-panel.ts";
import type { PanelEvent } from "../../panel/document/dom.ts";
import { openReview } from "../../panel/state/opened-review.ts";
import { words } from "../../panel/words/words.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { SetClock, turns } from "../fakes/set-clock.ts";
import { Page, PageNode } from "../panel/page.ts";
import { jobEntry } from "../panel/session-in-memory.ts";

// The whole page in a browser that is made here, over a service that is: what a real browser shows of it stands in `journey.test.ts`.

type Listener = (event: PanelEvent) => void;

/** An element of a browser: it has what the page uses of one beside what the panel knows. */
class BrowserNode extends PageNode {
  readonly style = { cssText: "" };
  readonly #heard: Record<string, Listener[]> = {};
  hidden = false;
  paused = true;

  get id(): string {
    return this.attributes["id"] ?? "";
  }
  set id(id: string) {
    this.attributes["id"] = id;
  }
  override get play(): () => Promise<void> {
    return async () => {
      this.paused = false;
    };
  }
  override pause(): void {
    this.paused = true;
  }
  override setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  override addEventListener(name: string, listener: Listener): void {
    this.#heard[name] = [...(this.#heard[name] ?? []), listener];
  }
  override happens(name: string, more: object = {}): void {
    const ignored = () => undefined;
    const event = { target: this, currentTarget: this, preventDefault: ignored, stopPropagation: ignored, ...more };
    for (const listener of this.#heard[name] ?? []) listener(event);
  }
  append(...nodes: readonly PageNode[]): void {
    for (const node of nodes) this.appendChild(node);
  }
  add(node: PageNode): void {
    this.appendChild(node);
  }
  replaceChildren(...nodes: readonly PageNode[]): void {
    this.children.splice(0);
    this.append(...nodes);
  }
  remove(): void {}
}

/** A browser's document. */
class BrowserPage extends Page {
  readonly #heard = new BrowserNode(this, "document");
  override createElement(name: string): BrowserNode {
    return new BrowserNode(this, name);
  }
  addEventListener(name: string, listener: Listener): void {
    this.#heard.addEventListener(name, listener);
  }
}

const ORIGIN = "http://127.0.0.1:8420";
const SESSION = { key: "aside_key", key_id: "key_1", team: "north", version: "1.0.0" };
const REVIEW = { job_id: "j1", media_id: "m1", run_id: "run-1", expires_at: "2026-03-04T00:00:00Z" };
const MEDIA = { file_name: "harbour.mp4", content_type: "video/mp4", duration_seconds: 60, frame_rate: 25, size_bytes: 9, signed_url: "https://s.example/film" }; // biome-ignore format: one reply
const SEQUENCE = { ...jobEntry().sequence, id: "m1", name: "harbour" };
const FILM = { mediaId: "m1", sequence: SEQUENCE, exported: { path: "films/m1" } };

let page: BrowserPage;
let clock: SetClock;
/** What the window keeps. */
let kept: Map<string, string>;
/** What the service keeps for the page. */
let texts: Map<string, string>;
/** What the service was asked, in order. */
let asked: string[];
/** Answers of the service in place of its usual ones, by what is asked. */
let answers: Record<string, () => Response | Promise<Response>>;
/** What happens to the window, and what is done when another one takes over. */
let window: BrowserNode;
let takeOver: () => void;
let reloads: number;

const reply = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });
const refused = (status: number, error: string) => reply({ error, message: "" }, status);

function answer(what: string): Response | Promise<Response> {
  const made = answers[what];
  if (made !== undefined) return made();
  const path = /^GET \/home\/desk\/texts\/(.+)$/.exec(what)?.[1];
  if (path !== undefined) return new Response(texts.get(path) ?? "");
  if (what === "GET /home/desk/texts") return reply({ paths: [...texts.keys()] });
  if (what === "GET /home/desk/jobs") return reply([]);
  if (what.startsWith("GET /home/desk/media/")) return reply(MEDIA);
  return /^(?:PUT|DELETE) \/home\/desk/.test(what) ? reply({}) : refused(404, "not_found");
}

/** The panel's words: the page speaks of films in their place. */
const keptWords = { ...words };
let starts = 0;
beforeEach(() => {
  page = new BrowserPage();
  const body = page.createElement("div");
  body.id = "aside-page";
  page.body.appendChild(body);
  clock = new SetClock();
  [kept, texts, asked, answers, reloads] = [new Map(), new Map(), [], {}, 0];
  window = page.createElement("window");
  const timers: AbortController[] = [];
  const storage = (map: Map<string, string>) => ({
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, value: string) => void map.set(name, value),
    removeItem: (name: string) => void map.delete(name),
  });
  const globals = {
    document: page,
    HTMLElement: BrowserNode,
    Audio: class extends BrowserNode {
      constructor() {
        super(page, "audio");
      }
    },
    Option: class extends BrowserNode {
      constructor(text: string, value: string) {
        super(page, "option", text);
        this.value = value;
      }
    },
    XMLHttpRequest: class {},
    location: { hash: "", pathname: "/home", origin: ORIGIN, reload: () => void ++reloads },
    sessionStorage: storage(kept),
    localStorage: storage(new Map()),
    navigator: {
      locks: {
        request: () =>
          new Promise((_, reject) => {
            takeOver = () => reject(new Error("stolen"));
          }),
      },
    },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    addEventListener: (name: string, listener: Listener) => window.addEventListener(name, listener),
    fetch: async (address: string, init: { readonly method?: string } = {}) => {
      const what = `${init.method ?? "GET"} ${address.replace(ORIGIN, "")}`;
      asked.push(what);
      return answer(what);
    },
    setInterval: () => 0,
    setTimeout: (run: () => void, milliseconds = 0) => {
      const off = new AbortController();
      clock.sleep(milliseconds, off.signal).then(run, () => undefined);
      return timers.push(off) - 1;
    },
    clearTimeout: (timer: number) => timers[timer]?.abort(),
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
});
afterEach(async () => {
  window.happens("pagehide");
  await turns();
  vi.unstubAllGlobals();
  Object.assign(words, keptWords);
});

/** Loads the page in the window, which may be logged in. */
async function load(session: object | null = SESSION): Promise<void> {
  if (session !== null) kept.set("aside key", JSON.stringify(session));
  await import(`${new URL("../../page/main.ts", import.meta.url)}?start=${++starts}`);
  await rest();
}
async function rest(milliseconds = 500): Promise<void> {
  await clock.pass(milliseconds);
  await turns(12);
}
const shown = () => page.getElementById("aside-page")?.textContent ?? "";
const isOpen = () => page.getElementById("aside-root") !== null;
const said = () => page.heard.join("\n");
async function click(id: string): Promise<void> {
  const found = page.getElementById(id);
  if (found === null) throw new Error(`no ${id}: ${shown()}`);
  found.happens("click");
  await rest();
}
/** Holds an answer of the service until it is let go. */
function hold(what: string): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  answers[what] = async () => {
    await promise;
    delete answers[what];
    return answer(what);
  };
  return async () => {
    resolve();
    await rest();
  };
}
/** How often the queue is asked for while it would be in sight. */
async function looks(): Promise<number> {
  const before = asked.length;
  await rest(10_000);
  return asked.slice(before).filter((one) => one === "GET /home/desk/jobs").length;
}
/** Results of the film that the service keeps, each with three lines. */
function keepResults(...runIds: readonly string[]): void {
  texts.set("kept/film.json", JSON.stringify(FILM));
  for (const [index, runId] of runIds.entries()) {
    const cues = ["a", "b", "c"].map((id, at) => ({
      id,
      start: 5 * at,
      end: 5 * at + 2,
      text: `${runId}, line ${id}.`,
    }));
    const startedAt = `2026-01-0${9 - index}T00:00:00.000Z`;
    const job = jobEntry({ runId, sequence: SEQUENCE, serviceAddress: ORIGIN, startedAt, jobId: `job-${runId}` });
    const { result } = openReview(placedResult(cues, { runId }), job);
    const write = (name: string, value: object) =>
      void texts.set(`kept/results/${runId}.${name}.json`, JSON.stringify({ version: 1, value }));
    write("job", job);
    write("result", result);
  }
}

describe("the page", () => {
  test("is not opened for who is not logged in: that is shown and said", async () => {
    await load(null);
    expect([isOpen(), shown()]).toEqual([false, expect.stringContaining("open your link again")]);
    expect(said()).toContain("open your link again");
    expect(asked).toEqual([]);
  });

  test("forgets a key that has ended, and says how to come in again", async () => {
    answers["GET /home/desk/texts"] = () => refused(401, "unauthorized");
    kept.set("aside place", JSON.stringify({ view: "history" }));
    await load();
    expect([isOpen(), kept.size, shown()]).toEqual([false, 0, expect.stringContaining("open your link again")]);
  });

  test("tells why it cannot start, and what to do, and keeps the key for the next time", async () => {
    answers["GET /home/desk/texts"] = () => refused(500, "internal_error");
    await load();
    expect([isOpen(), kept.size, shown()]).toEqual([false, 1, expect.stringMatching(/could not start.*\. \S.*\./s)]);
    answers["GET /home/desk/texts"] = () => reply({ error: "internal_error", message: "The disk is full." }, 500);
    await load();
    expect(shown()).toContain("The disk is full.");
  });

  test("speaks of films, where the panel speaks of sequences", async () => {
    await load();
    expect([words.describe, shown().includes("sequence")]).toEqual(["Describe film", false]);
  });

  test.each([
    ["the film of the last time", SESSION, "GET /home/desk/texts/kept/film.json"],
    ["the film of a link for a review", { ...SESSION, review: REVIEW }, "GET /home/desk/media/m1"],
  ])("opens with %s, and not before that is known", async (_, session, what) => {
    texts.set("kept/film.json", JSON.stringify(FILM));
    const letGo = hold(what);
    await load(session);
    expect([asked.includes(what), isOpen()]).toEqual([true, false]);
    await letGo();
    expect([isOpen(), shown().includes("harbour")]).toEqual([true, true]);
  });

  test("of a review opens though its film is gone", async () => {
    answers["GET /home/desk/media/m1"] = () => refused(404, "not_found");
    await load({ ...SESSION, review: REVIEW });
    expect(isOpen()).toBe(true);
  });

  test("has the film before all that is written about it", async () => {
    await load();
    expect(page.getElementById("aside-page")?.children.map(({ attributes }) => attributes["id"])).toEqual([
      "player",
      "aside-root",
    ]);
  });

  test("plays the film by P in the script, and by no other key or place", async () => {
    keepResults("run-1");
    await load();
    const [video] = [...page.body.all()].filter(({ name }) => name === "video") as BrowserNode[];
    const press = (id: string, more: object) =>
      page.getElementById("aside-root")?.happens("keydown", { target: page.getElementById(id), key: "p", ...more });
    for (const [id, more] of [["log-out", {}], ["cues", { key: "o" }], ["cues", { ctrlKey: true }], ["cues", { metaKey: true }], ["cues", { altKey: true }]] as const) { press(id, more); expect(video?.paused).toBe(true); } // biome-ignore format: one each
    press("cues", {});
    expect(video?.paused).toBe(false);
    press("cues", {});
    expect(video?.paused).toBe(true);
  });
});

describe("the page as a whole", () => {
  const TABS = ["describe", "review", "deliver", "history", "connect"].map((name) => `tab-${name}`);
  const has = (id: string) => page.getElementById(id) !== null;

  test("has its five views; to describe, it asks for a film first, then for what is wanted", async () => {
    await load();
    expect(TABS.map(has)).toEqual(TABS.map(() => true));
    expect([has("choose-film"), has("describe")]).toEqual([true, false]);
  });

  test("with a film asks what is wanted, and for another film", async () => {
    texts.set("kept/film.json", JSON.stringify(FILM));
    await load();
    expect([has("choose-film"), has("describe")]).toEqual([true, true]);
    await click("tab-review");
    expect([has("choose-film"), has("describe")]).toEqual([false, false]);
  });

  test("gives no element its style as an attribute, which the content policy forbids", async () => {
    texts.set("kept/film.json", JSON.stringify(FILM));
    await load();
    const styles = [...page.body.all()].map((node) => node.attributes["style"]).filter((style) => style !== undefined);
    expect(styles).toEqual([]);
  });
});

describe("a window that is loaded anew", () => {
  const PLACE = { view: "history", runId: "run-2", cueId: "b" };

  test("opens what was open in it at the line that was chosen, and keeps it in mind until it is open", async () => {
    keepResults("run-1", "run-2");
    kept.set("aside place", JSON.stringify(PLACE));
    const letGo = hold("GET /home/desk/texts/kept/results/run-2.result.json");
    await load();
    expect([isOpen(), kept.get("aside place")]).toEqual([true, JSON.stringify(PLACE)]);
    await letGo();
    await rest();
    expect(page.getElementById("tab-history")?.attributes["aria-selected"]).toBe("true");
    expect(JSON.parse(kept.get("aside place") ?? "")).toEqual(PLACE);
    await click("tab-review");
    expect(shown()).toContain("run-2, line b.");
    expect(JSON.parse(kept.get("aside place") ?? "")).toEqual({ ...PLACE, view: "review" });
  });

  test("stays where the page begins when what was open is gone", async () => {
    keepResults("run-1");
    kept.set("aside place", JSON.stringify({ ...PLACE, runId: "gone" }));
    await load();
    expect(page.getElementById("tab-history")?.attributes["aria-selected"]).not.toBe("true");
  });

  test("is loaded wholly where a browser brings it back as it was left", async () => {
    await load();
    window.happens("pageshow", { persisted: false });
    expect(reloads).toBe(0);
    window.happens("pageshow", { persisted: true });
    expect(reloads).toBe(1);
  });
});

describe("the end of a page", () => {
  const WITHDRAWS = "DELETE /home/desk/keys/key_1";

  test("that is logged out: its key is withdrawn, then forgotten, and nothing is asked any more", async () => {
    await load();
    await click("tab-history");
    expect(await looks()).toBe(5);
    const letGo = hold(WITHDRAWS);
    await click("log-out");
    expect([asked.includes(WITHDRAWS), kept.has("aside key"), shown().includes("logged out")]).toEqual([
      true,
      true,
      false,
    ]);
    await letGo();
    expect([kept.size, shown(), said()]).toEqual([
      0,
      expect.stringContaining("logged out"),
      expect.stringContaining("logged out"),
    ]);
    expect(await looks()).toBe(0);
  });

  test("that is logged out comes though the service does not answer", async () => {
    await load();
    answers[WITHDRAWS] = () => Promise.reject(new TypeError("no line"));
    await click("log-out");
    expect([kept.size, shown()]).toEqual([0, expect.stringContaining("logged out")]);
  });

  test("of a link for a review has the review alone: no other tab, and in place of every other view the way to it", async () => {
    await load({ ...SESSION, review: REVIEW });
    const tabs = ["describe", "review", "deliver", "history", "connect"].filter(
      (name) => page.getElementById(`tab-${name}`) !== null,
    );
    expect(tabs).toEqual(["review"]);
    expect(shown()).toContain("Opening the film");
    await click("tab-review");
    expect(shown()).not.toContain("Opening the film");
  });

  test("of a link for a review leaves the link to those who have it too", async () => {
    await load({ ...SESSION, review: REVIEW });
    await click("log-out");
    expect([kept.size, asked.filter((one) => one.startsWith("DELETE"))]).toEqual([0, []]);
  });

  test("that another window takes over: it says so, and asks nothing any more", async () => {
    await load();
    await click("tab-history");
    takeOver();
    await rest();
    expect([shown(), kept.size > 0]).toEqual([expect.stringContaining("another window"), true]);
    expect(await looks()).toBe(0);
  });

  test("that is left asks nothing any more", async () => {
    await load();
    await click("tab-history");
    window.happens("pagehide");
    expect(await looks()).toBe(0);
  });
});
