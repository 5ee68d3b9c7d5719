import { createContext, runInContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { NEWER_BUILT_INS } from "../../suites/newer-built-ins.ts";
import { plainPanel } from "./plain-panel.ts";

/** Hooks that UXP calls. */
type Hooks = Record<string, (given?: unknown) => unknown>;

/** As much of a document as a start that fails draws on. */
class Elem {
  textContent = "";
  className = "";
  isConnected = true;
  readonly children: Elem[] = [];
  readonly listeners: Record<string, () => void> = {};
  appendChild(child: Elem) {
    this.children.push(child);
  }
  addEventListener(name: string, listener: () => void) {
    this.listeners[name] = listener;
  }
  /** All words in it, as they are read. */
  get words(): string {
    return [this.textContent, ...this.children.map(({ words }) => words)].filter((text) => text !== "").join("\n");
  }
  click(label: string) {
    const below = (one: Elem): Elem[] => [one, ...one.children.flatMap(below)];
    const shown = this.children.at(-1) ?? this;
    below(shown)
      .find((one) => one.textContent === label)
      ?.listeners["click"]?.();
  }
}

const scripts: Record<string, string> = {};

beforeAll(async () => {
  const files = await plainPanel();
  for (const name of ["start", "index", "diagnostics"])
    scripts[name] = Buffer.from(files[`${name}.js`] ?? []).toString();
}, 120_000);

/** A page of UXP on a clock of its own, with the scripts run so far as asked for. */
class Page {
  readonly root = new Elem();
  readonly timers: { readonly at: number; readonly run: () => void }[] = [];
  readonly hooks: Hooks = {};
  readonly copied: string[] = [];
  setups = 0;
  now = 0;
  reloads = 0;
  readonly context: object;

  constructor(given: { readonly setUpFails?: Error; readonly modules?: Record<string, unknown> } = {}) {
    this.root.textContent = "Aside is starting…";
    const setup = ({ panels }: { panels: Record<string, Hooks> }) => {
      this.setups++;
      if (given.setUpFails !== undefined) throw given.setUpFails;
      Object.assign(this.hooks, panels["aside"]);
    };
    const modules: Record<string, unknown> = {
      uxp: { entrypoints: { setup }, host: { version: "26.3.0" }, versions: { uxp: "uxp-9.3.0" } },
      ...given.modules,
    };
    this.context = createContext({
      require: (name: string) => {
        if (modules[name] === undefined) throw new Error(`no module ${name}`);
        return modules[name];
      },
      document: {
        getElementById: (id: string) => (id === "aside-root" ? this.root : null),
        createElement: () => new Elem(),
      },
      window: { addEventListener: () => undefined, location: { reload: () => void this.reloads++ } },
      navigator: { clipboard: { writeText: async (text: string) => void this.copied.push(text) } },
      setTimeout: (run: () => void, milliseconds: number) => this.timers.push({ at: this.now + milliseconds, run }),
      clearTimeout: () => undefined,
      XMLHttpRequest: class {},
    });
  }

  run(code: string): this {
    runInContext(code, this.context);
    return this;
  }

  /** Runs what is due within some time. */
  pass(milliseconds: number): this {
    const end = this.now + milliseconds;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.timers.splice(this.timers.indexOf(next), 1);
      this.now = next.at;
      next.run();
    }
    this.now = end;
    return this;
  }

  get words(): string {
    // What an element held is gone when its text is set; a fault is the last that was put in.
    return this.root.textContent !== "" ? this.root.textContent : (this.root.children.at(-1)?.words ?? "");
  }
}

/** A main script that says what becomes of it, in place of the panel's. */
const MAIN = `asideStart.hold("index", () => {
  globalThis.runs = (globalThis.runs ?? 0) + 1;
  asideStart.ready({
    open: (root) => { root.textContent = "open"; },
    go: (view) => { globalThis.view = view; },
    close: () => { globalThis.closed = true; },
  });
});`;

describe("the first script", () => {
  test("sets the entry points up while it is read, once, and leaves the page as it is", () => {
    const page = new Page().run(scripts["start"] ?? "");
    expect(page.setups).toBe(1);
    expect(Object.keys(page.hooks)).toEqual(["create", "show", "hide", "destroy", "menuItems", "invokeMenu"]);
    expect(page.words).toBe("Aside is starting…");
  });

  test("runs the main script after the page was drawn, and opens the panel once it is shown, whichever comes first", () => {
    const late = new Page().run(scripts["start"] ?? "").run(MAIN);
    expect(late.context).not.toHaveProperty("runs");
    late.pass(0);
    expect(late.words).toBe("Aside is starting…");
    late.hooks["show"]?.({});
    expect(late.words).toBe("open");
    const early = new Page().run(scripts["start"] ?? "");
    early.hooks["show"]?.({});
    early.run(MAIN).pass(0);
    expect(early.words).toBe("open");
    expect(early.pass(20_000).context).toMatchObject({ runs: 1 });
  });

  test("opens the panel by itself where the set-up throws, or where nobody shows it", () => {
    const refused = new Page({ setUpFails: new Error("reading '_isSet'") }).run(scripts["start"] ?? "").run(MAIN);
    expect(refused.pass(0).words).toBe("open");
    const forgotten = new Page().run(scripts["start"] ?? "").run(MAIN);
    expect(forgotten.pass(500).words).toBe("Aside is starting…");
    expect(forgotten.pass(600).words).toBe("open");
    // What comes late changes nothing.
    forgotten.root.textContent = "at work";
    forgotten.hooks["show"]?.({});
    expect(forgotten.words).toBe("at work");
  });

  test("leads the menu to its view, and closes the panel with its frame", () => {
    const page = new Page().run(scripts["start"] ?? "").run(MAIN);
    page.pass(0).hooks["show"]?.({});
    page.hooks["invokeMenu"]?.("keys");
    page.hooks["destroy"]?.();
    expect(page.context).toMatchObject({ view: "keys", closed: true });
    page.hooks["show"]?.({});
    expect(page.words).toBe("open");
  });
});

describe("a start that fails", () => {
  const failing = (body: string) => `asideStart.hold("index", () => { ${body} });`;
  const shown = (page: Page) => {
    page.hooks["show"]?.({});
    return page;
  };

  test("says that a script did not come, and loads the page again", () => {
    const page = shown(new Page().run(scripts["start"] ?? "").pass(10_000));
    expect(page.words).toMatch(
      /^Aside could not start\nA part of Aside is missing.*\nTry again\.[\s\S]*\n✓ Tell Premiere.*\n✗ Read[\s\S]*\nDetails: index\.js did not load\./,
    );
    page.root.click("Try again");
    expect(page.reloads).toBe(1);
  });

  test("says what the main script threw, tries it again, and opens when that succeeds", () => {
    const page = new Page().run(scripts["start"] ?? "");
    page.run(failing("if (globalThis.isMended !== true) throw new TypeError('x.at is not a function');")).pass(0);
    expect(shown(page).words).toMatch(
      /stopped with an error while it was loading\..*\n[\s\S]*\n✗ Load the panel\nDetails: TypeError: x\.at is not a function/,
    );
    page.run(MAIN.replace("asideStart.hold", "globalThis.isMended = true; asideStart.hold"));
    page.root.click("Try again");
    expect(page.words).toBe("open");
  });

  test("says what kept the panel from opening", () => {
    const body =
      "asideStart.ready({ open: () => { throw new Error('no module premierepro'); }, close() {}, go() {} });";
    const page = shown(
      new Page()
        .run(scripts["start"] ?? "")
        .run(failing(body))
        .pass(0),
    );
    expect(page.words).toMatch(/while it was opening[\s\S]*✗ Open the panel\nDetails: Error: no module premierepro/);
  });

  test("raises nothing to the host, though the page is not there yet, and shows it then", () => {
    const page = new Page({ modules: { uxp: {} } });
    expect(() => page.run(scripts["start"] ?? "").pass(0)).not.toThrow();
    expect(page.run(failing("throw new Error('early');")).pass(0).words).toContain("Error: early");
  });

  test("copies a report of versions, fault and place, without folders and names", async () => {
    const page = new Page().run(scripts["start"] ?? "");
    const path = "/Users/Jane Doe/My Film/cut.prproj";
    page.run(
      failing(
        `const e = new Error("cannot read ${path}"); e.stack = "at f (file:///Users/Jane%20Doe/p/index.js:1:22)"; throw e;`,
      ),
    );
    shown(page.pass(0)).root.click("Copy report");
    await expect.poll(() => page.words).toContain("Copied.");
    const [report = ""] = page.copied;
    expect(report).toMatch(
      /^Aside \d+\.\d+\.\d+ could not start \(run\)\.\nError: Error: cannot read …\/cut\.prproj\n {2}at index\.js:1:22\n/,
    );
    expect(report).toMatch(/Entry points: set up.*\nHost: .*host 26\.3\.0.*\nMissing built-ins: none$/);
    expect(report + page.words).not.toMatch(/Jane|Users|My Film/);
  });

  test("shows the report to be selected where nothing can be copied", async () => {
    const page = new Page().run(scripts["start"] ?? "");
    page.run("navigator.clipboard = undefined;").run(failing("throw new Error('it');"));
    shown(page.pass(0)).root.click("Copy report");
    await expect.poll(() => page.words).toMatch(/Select this text and copy it:\nAside [\d.]+ could not start/);
  });
});

test("the panel's own scripts raise nothing where the host has none of its modules, and say so when shown", () => {
  const page = new Page()
    .run(scripts["start"] ?? "")
    .run(scripts["index"] ?? "")
    .pass(0);
  expect(page.words).toBe("Aside is starting…");
  page.hooks["show"]?.({});
  expect(page.words).toMatch(/stopped with an error while it was opening[\s\S]*Details: Error: no module/);
  for (const name of ["hide", "destroy", "show"]) page.hooks[name]?.({});
});

/** Modules that answer whatever they are asked with nothing. */
const EMPTY_MODULES = { fs: {}, os: {}, premierepro: {} };

/** Of these names, no object of ours has a member: whoever uses one means the built-in. */
const TELLING =
  /\.(?:findLast|findLastIndex|toReversed|toSorted|toSpliced|isWellFormed|toWellFormed|groupBy|fromAsync|withResolvers|rawJSON|getOrInsert|getOrInsertComputed|transferToFixedLength|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\b|\b(?:AggregateError|WeakRef|FinalizationRegistry)\b/g;

test("no script names a built-in that is newer than ECMAScript 2020 and not filled in, other people's code included", () => {
  for (const [name, code] of Object.entries(scripts)) expect([name, code.match(TELLING)]).toEqual([name, null]);
});

test("the panel's scripts run without any built-in that is newer than ECMAScript 2020, each and all of them gone", () => {
  const failures: string[] = [];
  const without = (taken: readonly (readonly [string, string])[]) => {
    const page = new Page({ modules: EMPTY_MODULES });
    for (const [owner, name] of taken) {
      page.run(`try { delete (${owner})[${JSON.stringify(name)}]; } catch {}`);
    }
    page
      .run(scripts["start"] ?? "")
      .run(scripts["index"] ?? "")
      .run(scripts["diagnostics"] ?? "")
      .pass(0);
    // Run, not opened: the modules of the host are empty here.
    if (page.words !== "Aside is starting…") failures.push(`${taken.map(([, name]) => name).join()}: ${page.words}`);
    page.run("asideStart.run('diagnostics')");
  };
  for (const place of NEWER_BUILT_INS) without([place]);
  without(NEWER_BUILT_INS);
  expect(failures).toEqual([]);
}, 120_000);
